// Agents at a batch from Python: what they think of many rows, without the interpreter.
#pragma once

#include "../play/batched_opponents.hpp"
#include "search_alphabeta.hpp"
#include "search_mcts.hpp"

namespace ludus {

// Which rows are meant. A copy: what was checked must be what is read, whoever writes to the array.
template <class B>
std::vector<std::int64_t> places_of(const B& batch, nb::handle chosen) {
    HeldArrays held;
    const auto given = held.take<std::int64_t>(chosen, nb::len(chosen), "rows", "int64");
    std::vector<std::int64_t> places(given.begin(), given.end());
    for (const std::int64_t row : places) {
        require(row >= 0 && row < static_cast<std::int64_t>(batch.size()),
                "a row is between 0 and " + std::to_string(batch.size() - 1) + ", not " +
                    std::to_string(row));
    }
    return places;
}

template <class B>
PolicyRows policy_rows(HeldArrays& held, const B& batch, std::span<const std::int64_t> places,
                       nb::handle policies, int threads) {
    require_between("threads", threads, 1, 1024);
    const auto size = places.size() * static_cast<std::size_t>(batch.num_actions());
    const auto shares = held.rows<double>(policies, size, "policies", "float64");
    require(shares.size() == size, "policies is an array of float64, not None");
    return {places, shares, threads};
}

// F is the form of the game G that its batch is played in.
template <Native G, Native F>
void bind_batched_opponents_of(nb::module_& module, const char* name) {
    using B = BatchOf<G, F>;
    module.def(
        "think_uct",
        [name](const B& batch, nb::handle chosen, nb::handle seeds, nb::handle policies,
               int threads, std::uint64_t simulations, const std::string& judge,
               nb::kwargs options) {
            const Alone alone(batch.busy);
            const std::vector<std::int64_t> places = places_of(batch, chosen);
            HeldArrays held;
            const PolicyRows at = policy_rows(held, batch, places, policies, threads);
            const auto given = held.rows<std::uint64_t>(seeds, at.rows.size(), "seeds", "uint64");
            require(given.size() == at.rows.size(), "seeds is an array of uint64, not None");
            const auto checked =
                read_parameters<UctParameters>(options).checked(wants_judge<F>(judge, name));
            nb::gil_scoped_release free;
            think_uct<F>(batch, at, given, simulations, checked);
        },
        nb::arg("batch"), nb::arg("rows"), nb::arg("seeds"), nb::arg("policies"),
        nb::arg("threads"), nb::arg("simulations"), nb::arg("judge"), nb::arg("options"));
    module.def(
        "think_alphabeta",
        [](const B& batch, nb::handle chosen, nb::handle policies, int threads, int depth,
           std::optional<std::uint64_t> nodes, nb::dict weights, std::size_t table_bytes,
           bool quiescence, bool multi) {
            const Alone alone(batch.busy);
            const std::vector<std::int64_t> places = places_of(batch, chosen);
            HeldArrays held;
            const PolicyRows at = policy_rows(held, batch, places, policies, threads);
            const Evaluation<F> evaluation{read_weights<typename WeightsOf<F>::type>(weights),
                                           nullptr};
            AlphaBetaBudget budget{.depth = depth};
            if (nodes) budget.nodes = *nodes;
            const auto checked = alphabeta_options(table_bytes, quiescence, multi);
            nb::gil_scoped_release free;
            think_alphabeta<F>(batch, at, evaluation, checked, budget);
        },
        nb::arg("batch"), nb::arg("rows"), nb::arg("policies"), nb::arg("threads"),
        nb::arg("depth"), nb::arg("nodes").none(), nb::arg("weights"), nb::arg("table_bytes"),
        nb::arg("quiescence"), nb::arg("multi"));
}

template <Native G>
void bind_batched_opponents(nb::module_& module, const char* name) {
    bind_batched_opponents_of<G, G>(module, name);
    if constexpr (Specialised<G>) bind_batched_opponents_of<G, typename G::Fast>(module, name);
}

}  // namespace ludus
