// Native work on states: perft, playouts, batches. The interpreter is free meanwhile.
#pragma once

#include "../play/batch.hpp"
#include "../play/perft.hpp"
#include "../play/playout.hpp"
#include "state.hpp"

namespace ludus {

using PlayoutCounts = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

inline PlayoutCounts counts(const Playouts& p) {
    return {p.wins[0], p.wins[1], p.draws, p.plies};
}

// Calls f with the fastest form of the state's game.
template <Native G, class F>
auto with_fastest(const State<G>& state, F f) {
    if constexpr (Specialised<G>) {
        if (const auto fast = state.position().fast()) {
            return f(State<typename G::Fast>(*fast, state.limits(), state.history()));
        }
    }
    return f(state);
}

template <Native G>
std::vector<std::uint64_t> count_lines(const Seat<G>& seat, int depth, bool turns) {
    require(!seat.state.chancy(), "perft counts lines of play, and this game has chance");
    std::vector<std::uint64_t> nodes(static_cast<std::size_t>(depth));
    nb::gil_scoped_release free;
    with_fastest(seat.state, [&](const auto& state) {
        if (turns) {
            perft_turns(state.position(), nodes);
        } else {
            perft(state.position(), nodes);
        }
    });
    return nodes;
}

// The caller's own array, or nothing. Never a converted copy: what is written would be lost.
template <class Item>
std::span<Item> rows(nb::handle array, std::size_t size, const char* name, const char* type) {
    if (array.is_none()) return {};
    nb::ndarray<Item, nb::c_contig, nb::device::cpu> items;
    if (!nb::try_cast(array, items, false)) {
        throw nb::type_error((std::string(name) + " is a C-contiguous, writable array of " + type +
                              ", not " + shown(nb::handle(array.type())))
                                 .c_str());
    }
    require(items.size() == size, std::string(name) + " has " + std::to_string(size) +
                                      " items, not " + std::to_string(items.size()));
    return {items.data(), size};
}

template <class B>
BatchArrays arrays(const B& batch, nb::handle features, nb::handle masks, nb::handle players,
                   nb::handle outcomes) {
    const std::size_t games = batch.size();
    const auto planes = games * static_cast<std::size_t>(batch.shape().size());
    const auto actions = games * static_cast<std::size_t>(batch.num_actions());
    const auto mask = rows<bool>(masks, actions, "masks", "bool");
    return {rows<float>(features, planes, "features", "float32"),
            {reinterpret_cast<std::uint8_t*>(mask.data()), mask.size()},
            rows<std::int8_t>(players, games, "players", "int8"),
            rows<float>(outcomes, games, "outcomes", "float32")};
}

template <class B>
std::span<std::int32_t> actions_of(const B& batch, nb::handle actions) {
    if (actions.is_none()) throw nb::type_error("actions is an array of int32, not None");
    return rows<std::int32_t>(actions, batch.size(), "actions", "int32");
}

template <Native G>
void bind_batch(nb::module_& module, const std::string& name) {
    using B = Batch<G>;
    nb::class_<B> cls(module, name.c_str(), nb::is_final());
    cls.def("__len__", &B::size);
    cls.def_prop_ro("num_actions", &B::num_actions);
    cls.def_prop_ro("shape", [](const B& batch) {
        const Shape shape = batch.shape();
        return std::tuple(shape.planes, shape.rows, shape.columns);
    });
    const auto optional = [](const char* array) { return nb::arg(array).none() = nb::none(); };
    cls.def(
        "step",
        [](B& batch, nb::handle actions, nb::handle features, nb::handle masks, nb::handle players,
           nb::handle outcomes) {
            const auto chosen = actions_of(batch, actions);
            const BatchArrays out = arrays(batch, features, masks, players, outcomes);
            std::size_t illegal;
            std::size_t ended = 0;
            {
                nb::gil_scoped_release free;
                illegal = batch.first_illegal(chosen);
                if (illegal == batch.size()) ended = batch.step(chosen, out);
            }
            require(illegal == batch.size(), "in row " + std::to_string(illegal) +
                                                 " of the batch action " +
                                                 std::to_string(chosen[illegal]) + " is not legal");
            return ended;
        },
        nb::arg("actions").none(), optional("features"), optional("masks"), optional("players"),
        optional("outcomes"), nb::lock_self());
    cls.def(
        "look",
        [](const B& batch, nb::handle features, nb::handle masks, nb::handle players) {
            const BatchArrays out = arrays(batch, features, masks, players, nb::none());
            nb::gil_scoped_release free;
            batch.look(out);
        },
        optional("features"), optional("masks"), optional("players"), nb::lock_self());
    cls.def(
        "sample",
        [](B& batch, nb::handle actions) {
            const auto chosen = actions_of(batch, actions);
            nb::gil_scoped_release free;
            batch.sample(chosen);
        },
        nb::arg("actions").none(), nb::lock_self());
}

template <Native G>
void bind_kernels(nb::module_& module, const char* name) {
    module.def(
        "perft", [](const Seat<G>& seat, int depth) { return count_lines(seat, depth, false); },
        nb::arg("state"), nb::arg("depth"));
    module.def(
        "perft_turns",
        [](const Seat<G>& seat, int depth) { return count_lines(seat, depth, true); },
        nb::arg("state"), nb::arg("depth"));
    module.def(
        "playouts",
        [](const Seat<G>& seat, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
           int threads) {
            nb::gil_scoped_release free;
            return counts(with_fastest(seat.state, [&](const auto& state) {
                return playouts(state, seed, first, count, threads);
            }));
        },
        nb::arg("state"), nb::arg("seed"), nb::arg("first"), nb::arg("count"), nb::arg("threads"));
    bind_batch<G>(module, name + std::string("_batch"));
    if constexpr (Specialised<G>)
        bind_batch<typename G::Fast>(module, name + std::string("_fast_batch"));
    module.def(
        "batch",
        [](const Seat<G>& seat, std::size_t games, std::uint64_t seed, std::string_view planes,
           bool turned) {
            return with_fastest(seat.state, [&](const auto& state) {
                return nb::cast(Batch(state, games, seed, planes_named(planes), turned));
            });
        },
        nb::arg("state"), nb::arg("games"), nb::arg("seed"), nb::arg("planes"), nb::arg("turned"));
}

}  // namespace ludus
