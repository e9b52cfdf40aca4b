// Native work on states: perft, playouts, batches. The interpreter is free meanwhile.
#pragma once

#include "../play/batch.hpp"
#include "../play/perft.hpp"
#include "../play/playout.hpp"
#include "alone.hpp"
#include "held_arrays.hpp"
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
std::vector<std::uint64_t> seat_lines(const Seat<G>& seat, nb::handle depth, bool turns) {
    require(!seat.state.chancy(), "perft counts lines of play, and this game has chance");
    const int plies = integer_between(depth, "depth", 1, MostPerftDepth);
    nb::gil_scoped_release free;
    return with_fastest(
        seat.state, [&](const auto& state) { return count_lines(state.position(), plies, turns); });
}

// A state of the form F of the game G, as Python has it. The way back from the fast form is its
// text.
template <Native G, Native F>
Seat<G> seat_of(const State<F>& state, const typename G::Parameters& parameters) {
    if constexpr (std::is_same_v<G, F>) {
        return {state, parameters};
    } else {
        const G position = G::parse(parameters, state.position().text());
        return {State<G>(position, state.limits(), state.history()), parameters};
    }
}

// A native state that is handed over to something made for a game, if it is of that game.
template <Native G>
const Seat<G>& seat_at_home(nb::handle object, const typename G::Parameters& home,
                            bool of_positions = false) {
    const Seat<G>* seat = nullptr;
    require(nb::try_cast(object, seat) && seat, "this state is of another game");
    require(same_parameters(seat->parameters, home, of_positions),
            "this state is of the game with other parameters");
    return *seat;
}

// The same state in a form of its game that its parameters allow.
template <Native F, Native G>
State<F> state_in(const Seat<G>& seat) {
    if constexpr (std::is_same_v<G, F>) {
        return seat.state;
    } else {
        const auto fast = seat.position().fast();
        require(fast.has_value(), "this state is of the game with other parameters");
        return State<F>(*fast, seat.state.limits(), seat.state.history());
    }
}

template <Native G>
void require_row(const State<G>& state) {
    require(!state.outcome(), "a row of a batch is a game that goes on");
}

// A batch of the game G, played in the form F of it, that can give its rows back as Python states.
template <Native G, Native F>
struct BatchOf : Batch<F> {
    BatchOf(const State<F>& start, std::size_t games, std::uint64_t seed, Planes planes,
            bool turned, int shaping, const typename G::Parameters& chosen)
        : Batch<F>(start, games, seed, planes, turned, shaping), parameters(chosen) {}

    Seat<G> seat(std::size_t row) const { return seat_of<G>(this->state(row), parameters); }

    void take(std::size_t row, nb::handle given) {
        const Seat<G>& seat = seat_at_home<G>(given, parameters);
        require_row(seat.state);
        this->put(row, state_in<F>(seat));
    }

    typename G::Parameters parameters;
    Busy busy;
};

// The place of a signal among the game's own; no name is none.
template <class G>
int shaping_index(std::string_view kind) {
    if (kind.empty()) return Batch<G>::Unshaped;
    std::string there;
    if constexpr (Shaped<G>) {
        for (int i = 0; const char* name : G::shapings()) {
            if (kind == name) return i;
            there += (i++ ? ", " : "; there are ") + std::string(name);
        }
    }
    throw std::invalid_argument("no shaping '" + std::string(kind) + "' in this game" + there);
}

template <class B>
std::size_t row_of(const B& batch, nb::handle row) {
    return static_cast<std::size_t>(
        integer_between(row, "a row", 0, static_cast<int>(batch.size()) - 1));
}

template <class B>
BatchArrays arrays(HeldArrays& held, const B& batch, nb::handle features, nb::handle masks,
                   nb::handle players, nb::handle outcomes, nb::handle signals) {
    const std::size_t games = batch.size();
    const auto planes = games * static_cast<std::size_t>(batch.shape().size());
    const auto actions = games * static_cast<std::size_t>(batch.num_actions());
    const auto mask = held.rows<bool>(masks, actions, "masks", "bool");
    return {held.rows<float>(features, planes, "features", "float32"),
            {reinterpret_cast<std::uint8_t*>(mask.data()), mask.size()},
            held.rows<std::int8_t>(players, games, "players", "int8"),
            held.rows<float>(outcomes, games, "outcomes", "float32"),
            held.rows<float>(signals, 2 * games, "signals", "float32")};
}

template <class B>
std::span<std::int32_t> actions_of(HeldArrays& held, const B& batch, nb::handle actions) {
    if (actions.is_none()) throw nb::type_error("actions is an array of int32, not None");
    return held.take<std::int32_t>(actions, batch.size(), "actions", "int32");
}

// What a batch needs to be stored and taken up again, and to be played by others.
template <Native G, Native F>
void bind_rows(nb::class_<BatchOf<G, F>>& cls) {
    using B = BatchOf<G, F>;
    cls.def(
        "state",
        [](const B& batch, nb::handle row) {
            const Alone alone(batch.busy);
            return new_object(batch.seat(row_of(batch, row)));
        },
        nb::arg("row"));
    cls.def(
        "put",
        [](B& batch, nb::handle row, nb::handle state) {
            const Alone alone(batch.busy);
            batch.take(row_of(batch, row), state);
        },
        nb::arg("row"), nb::arg("state"));
    cls.def(
        "randoms",
        [](const B& batch, nb::handle out) {
            const Alone alone(batch.busy);
            HeldArrays held;
            const auto states = held.rows<std::uint64_t>(out, batch.size(), "randoms", "uint64");
            for (std::size_t row = 0; row < states.size(); ++row) states[row] = batch.random(row);
        },
        nb::arg("out"));
    cls.def(
        "put_randoms",
        [](B& batch, nb::handle given) {
            const Alone alone(batch.busy);
            HeldArrays held;
            const auto states = held.rows<std::uint64_t>(given, batch.size(), "randoms", "uint64");
            for (std::size_t row = 0; row < states.size(); ++row)
                batch.put_random(row, states[row]);
        },
        nb::arg("randoms"));
    cls.def(
        "restart",
        [](B& batch, nb::handle which) {
            const Alone alone(batch.busy);
            HeldArrays held;
            const auto chosen = held.rows<bool>(which, batch.size(), "rows", "bool");
            for (std::size_t row = 0; row < chosen.size(); ++row) {
                if (chosen[row]) batch.restart(row);
            }
        },
        nb::arg("rows"));
}

template <Native G, Native F>
void bind_batch(nb::module_& module, const std::string& name) {
    using B = BatchOf<G, F>;
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
           nb::handle outcomes, nb::handle signals) {
            const Alone alone(batch.busy);
            HeldArrays held;
            const auto given = actions_of(held, batch, actions);
            // A copy: what was checked must be what is played, whoever writes to the array.
            const std::vector<std::int32_t> chosen(given.begin(), given.end());
            const BatchArrays out =
                arrays(held, batch, features, masks, players, outcomes, signals);
            std::size_t illegal;
            std::size_t ended = 0;
            {
                nb::gil_scoped_release free;
                illegal = batch.first_illegal(chosen);
                if (illegal == batch.size()) ended = batch.step(chosen, out);
            }
            if (illegal < batch.size()) {
                throw std::invalid_argument("in row " + std::to_string(illegal) +
                                            " of the batch action " +
                                            std::to_string(chosen[illegal]) + " is not legal");
            }
            return ended;
        },
        nb::arg("actions").none(), optional("features"), optional("masks"), optional("players"),
        optional("outcomes"), optional("signals"));
    cls.def(
        "look",
        [](const B& batch, nb::handle features, nb::handle masks, nb::handle players) {
            const Alone alone(batch.busy);
            HeldArrays held;
            const BatchArrays out =
                arrays(held, batch, features, masks, players, nb::none(), nb::none());
            nb::gil_scoped_release free;
            batch.look(out);
        },
        optional("features"), optional("masks"), optional("players"));
    cls.def(
        "sample",
        [](B& batch, nb::handle actions) {
            const Alone alone(batch.busy);
            HeldArrays held;
            const auto chosen = actions_of(held, batch, actions);
            nb::gil_scoped_release free;
            batch.sample(chosen);
        },
        nb::arg("actions").none());
    bind_rows<G, F>(cls);
}

template <Native G>
void bind_kernels(nb::module_& module, const char* name) {
    module.def(
        "perft",
        [](const Seat<G>& seat, nb::handle depth) { return seat_lines(seat, depth, false); },
        nb::arg("state"), nb::arg("depth"));
    module.def(
        "perft_turns",
        [](const Seat<G>& seat, nb::handle depth) { return seat_lines(seat, depth, true); },
        nb::arg("state"), nb::arg("depth"));
    module.def(
        "playouts",
        [](const Seat<G>& seat, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
           int threads) {
            require(threads >= 1 && threads <= 1024, "threads is between 1 and 1024");
            nb::gil_scoped_release free;
            return counts(with_fastest(seat.state, [&](const auto& state) {
                return playouts(state, seed, first, count, threads);
            }));
        },
        nb::arg("state"), nb::arg("seed"), nb::arg("first"), nb::arg("count"), nb::arg("threads"));
    bind_batch<G, G>(module, name + std::string("_batch"));
    if constexpr (Specialised<G>)
        bind_batch<G, typename G::Fast>(module, name + std::string("_fast_batch"));
    module.def(
        "batch",
        [](const Seat<G>& seat, nb::handle games, std::uint64_t seed, std::string_view planes,
           bool turned, std::string_view shaping) {
            require_row(seat.state);
            const std::size_t count = games_in_step(games);
            return with_fastest(seat.state, [&](const auto& state) {
                using F = typename std::remove_cvref_t<decltype(state)>::Position;
                return new_object(BatchOf<G, F>(state, count, seed, read_planes(planes), turned,
                                                shaping_index<F>(shaping), seat.parameters))
                    .object;
            });
        },
        nb::arg("state"), nb::arg("games"), nb::arg("seed"), nb::arg("planes"), nb::arg("turned"),
        nb::arg("shaping") = "");
}

}  // namespace ludus
