// Agents at a batch from Python: what they think of many rows, without the interpreter.
#pragma once

#include "../play/guests.hpp"
#include "search_alphabeta.hpp"
#include "search_mcts.hpp"

namespace ludus {

template <class B>
GuestRows guest_rows(const B& batch, nb::handle chosen, nb::handle policies, int threads) {
    require_between("threads", threads, 1, 1024);
    const std::size_t count = nb::len(chosen);
    const auto actions = static_cast<std::size_t>(batch.num_actions());
    const auto places = rows<std::int64_t>(chosen, count, "rows", "int64");
    for (const std::int64_t row : places) {
        require(row >= 0 && row < static_cast<std::int64_t>(batch.size()),
                "a row is between 0 and " + std::to_string(batch.size() - 1) + ", not " +
                    std::to_string(row));
    }
    return {places, rows<double>(policies, count * actions, "policies", "float64"), threads};
}

// F is the form of the game G that its batch is played in.
template <Native G, Native F>
void bind_guests_of(nb::module_& module, const char* name) {
    using B = BatchOf<G, F>;
    module.def(
        "think_uct",
        [name](const B& batch, nb::handle chosen, nb::handle seeds, nb::handle policies,
               int threads, std::uint64_t simulations, const std::string& judge,
               nb::kwargs options) {
            const GuestRows at = guest_rows(batch, chosen, policies, threads);
            const auto given = rows<std::uint64_t>(seeds, at.rows.size(), "seeds", "uint64");
            const auto checked =
                read_parameters<UctParameters>(options).checked(judge_asked<F>(judge, name));
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
            const GuestRows at = guest_rows(batch, chosen, policies, threads);
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
void bind_guests(nb::module_& module, const char* name) {
    bind_guests_of<G, G>(module, name);
    if constexpr (Specialised<G>) bind_guests_of<G, typename G::Fast>(module, name);
}

}  // namespace ludus
