// A native state as an immutable Python object: the same class body for every game.
#pragma once

#include <memory>

#include "method.hpp"
#include "snapshot.hpp"

namespace ludus {

// What a Python state holds: the state and the parameters its game was made with.
template <Native G>
struct Seat {
    State<G> state;
    typename G::Parameters parameters;

    const G& position() const { return state.position(); }
    Seat with(State<G> other) const { return {std::move(other), parameters}; }
    Seat at(G position) const { return with(State<G>(position, state.limits())); }
};

// Whether a parameter is younger than snapshots that people keep: these do not name it, and are of
// games with its default.
template <class Parameters>
constexpr bool younger(std::string_view name) {
    if constexpr (requires { Parameters::Younger; }) {
        return std::ranges::find(Parameters::Younger, name) != Parameters::Younger.end();
    }
    return false;
}

// "connect4:rows=6,columns=7,line=4": the game and its parameters, but for younger ones that have
// their defaults.
template <Native G>
std::string spelling(const char* name, typename G::Parameters parameters) {
    using Parameters = typename G::Parameters;
    const nb::dict defaults = parameters_dict(Parameters{});
    std::string result = name;
    parameters.visit([&, separator = ':'](const char* key, auto& field) mutable {
        const nb::object value = field_object(field);
        if (younger<Parameters>(key) && value.equal(defaults[key])) return;
        result += separator + std::string(key) + "=" + nb::str(value).c_str();
        separator = ',';
    });
    return result;
}

template <Native G>
std::pair<double, double> by_player(const G& at, double mover, double opponent) {
    return at.player() == 0 ? std::pair(mover, opponent) : std::pair(opponent, mover);
}

template <Native G>
Seat<G> play_checked(const Seat<G>& seat, nb::handle action, nb::handle rng, nb::handle chance) {
    const Action a = legal_action(seat.state, action);
    Seat<G> next = seat;
    if constexpr (Chancy<G>) {
        if (!chance.is_none()) {
            const int result = integer_between(chance, "a result of chance", 0, 1'000'000);
            const auto chances = seat.position().chances(a);
            require(std::ranges::any_of(chances, [&](Chance c) { return c.result == result; }),
                    "chance cannot bring " + std::to_string(result) + " after action " +
                        std::to_string(a));
            next.state.apply(a, result);
            return next;
        }
        if (seat.state.chancy()) {
            require(!rng.is_none(),
                    "this game has chance: play(action, rng) samples what happens, "
                    "play(action, chance=result) decides it");
            next.state.apply(a, seat.state.sample(a, uniform(rng)));
            return next;
        }
    } else {
        require(chance.is_none(), "this game has no chance");
    }
    next.state.apply(a);
    return next;
}

// Filled in place: an append per action would cost more than finding them.
template <Native G>
PyObject* legal_method(PyObject* self, PyObject*) {
    return given_or_error([&] {
        const auto legal = held<Seat<G>>(self).state.legal();
        auto list = nb::steal(PyList_New(static_cast<Py_ssize_t>(std::ranges::size(legal))));
        if (!list.is_valid()) throw std::bad_alloc();
        for (Py_ssize_t i = 0; const Action a : legal) {
            PyObject* number = PyLong_FromLong(a);
            if (!number) throw std::bad_alloc();
            PyList_SetItem(list.ptr(), i++, number);
        }
        return list;
    });
}

template <Native G>
PyObject* play_method(PyObject* self, PyObject* const* given, Py_ssize_t count,
                      PyObject* keywords) {
    return given_or_error([&] {
        static constexpr std::array<const char*, 3> Names{"action", "rng", "chance"};
        const auto& seat = held<Seat<G>>(self);
        const auto [action, rng, chance] = read_arguments("play", Names, given, count, keywords);
        return made(nb::handle(self).type(), play_checked(seat, action, rng, chance));
    });
}

template <Native G>
std::vector<std::pair<int, double>> chances(const Seat<G>& seat, nb::handle action) {
    const Action a = legal_action(seat.state, action);
    std::vector<std::pair<int, double>> result;
    if constexpr (Chancy<G>) {
        for (const Chance& c : seat.position().chances(a))
            result.emplace_back(c.result, c.probability);
    } else {
        result.emplace_back(0, 1.0);
    }
    return result;
}

template <Native G>
void bind_making(nb::class_<Seat<G>>& cls, const char* name) {
    using Parameters = typename G::Parameters;
    cls.def_static(
        "start",
        [](nb::handle rng, nb::kwargs given) {
            const auto parameters = read_parameters<Parameters>(given);
            State<G> state(G::start(parameters), G::limits(parameters));
            if (!rng.is_none()) state.toss(uniform(rng));
            return new_object(Seat<G>{std::move(state), parameters});
        },
        nb::arg("rng").none(), nb::arg("parameters"));
    cls.def_static(
        "parse",
        [](std::string_view text, nb::kwargs given) {
            const auto parameters = read_parameters<Parameters>(given);
            return new_object(
                Seat<G>{State<G>(G::parse(parameters, text), G::limits(parameters)), parameters});
        },
        nb::arg("text"), nb::arg("parameters"));
    cls.def_static(
        "restore",
        [name](nb::bytes data, nb::kwargs given) {
            const auto parameters = read_parameters<Parameters>(given);
            const std::string_view bytes(data.c_str(), data.size());
            return new_object(Seat<G>{
                restore_state<G>(parameters, spelling<G>(name, parameters), bytes), parameters});
        },
        nb::arg("data"), nb::arg("parameters"));
    cls.def_static("defaults", [] { return parameters_dict(Parameters{}); });
    cls.def("__bytes__", [name](const Seat<G>& s) {
        const std::string bytes = snapshot(s.state, spelling<G>(name, s.parameters));
        return nb::bytes(bytes.data(), bytes.size());
    });
    cls.def_prop_ro("parameters", [](const Seat<G>& s) { return parameters_dict(s.parameters); });
    cls.def_prop_ro("spelling",
                    [name](const Seat<G>& s) { return spelling<G>(name, s.parameters); });
    cls.def("__reduce__", [name](nb::handle self) {
        nb::object restore = nb::module_::import_("ludus.game").attr("restore_state");
        return nb::make_tuple(
            restore, nb::make_tuple(name, parameters_dict(nb::cast<Seat<G>&>(self).parameters),
                                    self.attr("__bytes__")()));
    });
}

template <Native G>
void bind_playing(nb::class_<Seat<G>>& cls) {
    cls.def_prop_ro("num_actions", [](const Seat<G>& s) { return s.state.num_actions(); });
    cls.def_prop_ro("player", [](const Seat<G>& s) { return s.state.player(); });
    cls.def_prop_ro("plies", [](const Seat<G>& s) { return s.state.plies(); });
    cls.def_prop_ro("outcome", [](const Seat<G>& s) { return s.state.outcome(); });
    cls.def_prop_ro("returns", [](const Seat<G>& s) -> std::optional<std::pair<double, double>> {
        const auto score = s.state.outcome();
        if (!score) return std::nullopt;
        return by_player(s.position(), *score, -*score);
    });
    cls.def_prop_ro("winner", [](const Seat<G>& s) -> std::optional<int> {
        const auto score = s.state.outcome();
        if (!score || *score == 0) return std::nullopt;
        return *score > 0 ? s.state.player() : 1 - s.state.player();
    });
    static PyMethodDef legal = {"legal", &legal_method<G>, METH_NOARGS,
                                "legal(): the legal actions; none once the game is over."};
    add_method(cls, legal);
    static PyMethodDef play = {
        "play", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&play_method<G>)),
        METH_FASTCALL | METH_KEYWORDS,
        "play(action, rng=None, chance=None): the state after a legal action."};
    add_method(cls, play);
    cls.def("chances", &chances<G>, nb::arg("action").none());
    cls.def_prop_ro("chancy", [](const Seat<G>& s) { return s.state.chancy(); });
    if constexpr (Shaped<G>) {
        cls.def_static("shapings", [] {
            std::vector<std::string> names;
            for (const char* name : G::shapings()) names.emplace_back(name);
            return names;
        });
        cls.def(
            "shaping",
            [](const Seat<G>& s, nb::handle action, const Seat<G>& after, const std::string& kind) {
                const Action a = legal_action(s.state, action);
                require(same_parameters(s.parameters, after.parameters),
                        "the state after an action is of the game with other parameters");
                for (int i = 0; const char* name : G::shapings()) {
                    if (kind == name) {
                        const Signal signal = s.state.shaping(i, a, after.state);
                        return by_player(s.position(), signal.mover, signal.opponent);
                    }
                    ++i;
                }
                throw std::invalid_argument("no shaping '" + kind + "' in this game");
            },
            nb::arg("action"), nb::arg("after"), nb::arg("kind"));
    } else {
        cls.def_static("shapings", [] { return std::vector<std::string>(); });
    }
}

template <Native G>
void bind_seeing(nb::class_<Seat<G>>& cls) {
    const auto any_action = [](const Seat<G>& s, nb::handle a) {
        return static_cast<Action>(integer_between(a, "an action", 0, s.state.num_actions() - 1));
    };
    const auto any_symmetry = [](const Seat<G>& s, nb::handle symmetry) {
        return integer_between(symmetry, "a symmetry", 0, s.position().num_symmetries() - 1);
    };
    cls.def_prop_ro("key", [](const Seat<G>& s) { return s.position().key(); });
    cls.def(
        "shape",
        [](const Seat<G>& s, std::string_view planes) {
            const Shape shape = s.position().shape(read_planes(planes));
            return std::tuple(shape.planes, shape.rows, shape.columns);
        },
        nb::arg("planes") = "full");
    cls.def(
        "features",
        [](const Seat<G>& s, std::string_view planes, std::optional<int> player) {
            require(!player || *player == 0 || *player == 1,
                    "a player is 0 or 1, not " + std::to_string(player.value_or(0)));
            const Planes which = read_planes(planes);
            const Shape shape = s.position().shape(which);
            NewArray<float> array({static_cast<std::size_t>(shape.planes),
                                   static_cast<std::size_t>(shape.rows),
                                   static_cast<std::size_t>(shape.columns)});
            features_for(s.position(), player.value_or(s.state.player()), array.items(), which);
            return std::move(array).done();
        },
        nb::arg("planes") = "full", nb::arg("player") = nb::none());
    cls.def("mask", [](const Seat<G>& s) {
        NewArray<bool> array({static_cast<std::size_t>(s.state.num_actions())});
        for (const Action a : s.state.legal()) array.items()[s.position().seen(a)] = true;
        return std::move(array).done();
    });
    cls.def(
        "seen",
        [any_action](const Seat<G>& s, nb::handle a) {
            return static_cast<int>(s.position().seen(any_action(s, a)));
        },
        nb::arg("action"));
    cls.def_prop_ro("num_symmetries",
                    [](const Seat<G>& s) { return s.position().num_symmetries(); });
    cls.def(
        "transformed",
        [any_symmetry](const Seat<G>& s, nb::handle symmetry) {
            return new_object(s.at(s.position().transformed(any_symmetry(s, symmetry))));
        },
        nb::arg("symmetry"));
    cls.def(
        "transformed_action",
        [any_action, any_symmetry](const Seat<G>& s, nb::handle symmetry, nb::handle a) {
            return static_cast<int>(
                s.position().transformed(any_symmetry(s, symmetry), any_action(s, a)));
        },
        nb::arg("symmetry"), nb::arg("action"));
    cls.def(
        "transformed_cell",
        [any_symmetry](const Seat<G>& s, nb::handle symmetry, nb::handle cell) {
            const int cells = s.position().shape(Planes::Full).cells();
            return s.position().transformed_cell(any_symmetry(s, symmetry),
                                                 integer_between(cell, "a cell", 0, cells - 1));
        },
        nb::arg("symmetry"), nb::arg("cell"));
    cls.def("__str__", [](const Seat<G>& s) { return s.position().text(); });
    cls.def("__hash__",
            [](const Seat<G>& s) { return static_cast<Py_hash_t>(s.position().key()); });
    cls.def(
        "__eq__",
        [](const Seat<G>& s, nb::handle other) {
            Seat<G>* that = nullptr;
            return nb::try_cast(other, that) && that && s.position() == that->position();
        },
        nb::arg("other").none());
    cls.def("__copy__", [](nb::object self) { return self; });
    cls.def("__deepcopy__", [](nb::object self, nb::handle) { return self; }, nb::arg("memo"));
}

template <Native G>
void bind_state(nb::module_& module, const char* name) {
    nb::class_<Seat<G>> cls(module, name, nb::is_final());
    bind_making<G>(cls, name);
    bind_playing<G>(cls);
    bind_seeing<G>(cls);
    cls.def("__repr__", [name](const Seat<G>& s) {
        std::string shown = "<";
        return shown.append(spelling<G>(name, s.parameters))
                   .append(" ")
                   .append(s.position().text()) +
               ">";
    });
    if constexpr (requires(const G at) { at.margin(); }) {
        cls.def_prop_ro("margin", [](const Seat<G>& s) { return s.position().margin(); });
    }
    if constexpr (requires(const G at, Action a) { at.footprint(a); }) {
        cls.def(
            "footprint",
            [](const Seat<G>& s, nb::handle action) {
                const int a = integer_between(action, "an action", 0, s.state.num_actions() - 1);
                std::vector<int> cells;
                for (const int cell : s.position().footprint(static_cast<Action>(a)))
                    cells.push_back(cell);
                return cells;
            },
            nb::arg("action"));
    }
}

}  // namespace ludus
