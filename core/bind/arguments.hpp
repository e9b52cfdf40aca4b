// What Python hands over, checked: each mistake becomes one sentence.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "../state.hpp"

namespace ludus {

namespace nb = nanobind;

// What a Python string says; what is no text in it (a lone surrogate) is shown by its number.
inline std::string text_of(nb::handle string) {
    Py_ssize_t size = 0;
    if (const char* text = PyUnicode_AsUTF8AndSize(string.ptr(), &size)) {
        return {text, static_cast<std::size_t>(size)};
    }
    PyErr_Clear();
    const auto bytes =
        nb::steal<nb::bytes>(PyUnicode_AsEncodedString(string.ptr(), "utf-8", "backslashreplace"));
    if (!bytes.is_valid()) throw nb::python_error();
    return {bytes.c_str(), bytes.size()};
}

inline std::string short_repr(nb::handle object) {
    std::string text = text_of(nb::repr(object));
    if (text.size() <= 60) return text;
    std::size_t end = 57;
    while ((text[end] & 0xc0) == 0x80) --end;  // no letter is cut in two
    return text.substr(0, end) + "...";
}

// An integer, or something that stands for one (numpy's); nullopt if it does not fit 64 bits.
inline std::optional<long long> integer(nb::handle object, const char* what) {
    nb::object index =
        PyLong_Check(object.ptr()) ? nb::borrow(object) : nb::steal(PyNumber_Index(object.ptr()));
    if (!index.is_valid()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
        PyErr_Clear();
        throw nb::type_error(
            (std::string(what) + " is an integer, not " + short_repr(object)).c_str());
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    return overflow ? std::nullopt : std::optional(value);
}

inline int integer_between(nb::handle object, const char* what, int low, int high) {
    const auto value = integer(object, what);
    require(value && *value >= low && *value <= high,
            std::string(what) + " is between " + std::to_string(low) + " and " +
                std::to_string(high) + ", not " + short_repr(object));
    return static_cast<int>(*value);
}

// How many games are played in step.
inline std::size_t games_in_step(nb::handle games) {
    return static_cast<std::size_t>(integer_between(games, "games", 1, 100'000'000));
}

template <class G>
std::string illegal_sentence(const State<G>& state, const std::string& asked) {
    if (state.outcome()) return "action " + asked + " is not legal: the game is over";
    std::string list;
    int count = 0;
    for (const Action a : state.legal()) {
        if (++count <= 12) list += (count > 1 ? ", " : "") + std::to_string(a);
    }
    if (count > 12) list += ", ... (" + std::to_string(count) + " in all)";
    return "action " + asked + " is not legal here; legal are " + list;
}

template <class G>
Action legal_action(const State<G>& state, nb::handle object) {
    const auto value = integer(object, "an action");
    const bool legal = value && *value >= 0 && *value < state.num_actions() &&
                       state.allows(static_cast<Action>(*value));
    if (!legal) throw std::invalid_argument(illegal_sentence(state, short_repr(object)));
    return static_cast<Action>(*value);
}

// Anything with random(): numpy's Generator or the standard library's Random.
inline double uniform(nb::handle rng) {
    nb::object draw = nb::getattr(rng, "random", nb::none());
    if (draw.is_none()) {
        throw nb::type_error(("rng has a method random(), unlike " + short_repr(rng)).c_str());
    }
    const double value = nb::cast<double>(draw());
    require(value >= 0 && value < 1, "rng.random() is in [0, 1)");
    return value;
}

inline Planes read_planes(std::string_view name) {
    if (name == "full") return Planes::Full;
    if (name == "paper") return Planes::Paper;
    if (name == "signed") return Planes::Signed;
    throw std::invalid_argument("no planes '" + std::string(name) +
                                "'; there are full, paper, signed");
}

// Reads one parameter from a Python object into its field.
inline void read_field(const char* name, int& field, nb::handle value) {
    field = integer_between(value, name, -1'000'000'000, 1'000'000'000);
}
inline void read_field(const char* name, std::optional<int>& field, nb::handle value) {
    field.reset();
    if (!value.is_none()) read_field(name, field.emplace(), value);
}
inline void read_field(const char* name, bool& field, nb::handle value) {
    require(PyBool_Check(value.ptr()),
            std::string(name) + " is True or False, not " + short_repr(value));
    field = value.ptr() == Py_True;
}
inline void read_field(const char* name, double& field, nb::handle value) {
    const double number = PyFloat_AsDouble(value.ptr());
    const bool failed = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    require(!failed, std::string(name) + " is a number, not " + short_repr(value));
    field = number;
}
template <class Enum>
    requires std::is_enum_v<Enum>
void read_field(const char* name, Enum& field, nb::handle value) {
    std::string choices;
    for (int i = 0; const char* choice : names(Enum{})) {
        if (nb::isinstance<nb::str>(value) && text_of(value) == choice) {
            field = static_cast<Enum>(i);
            return;
        }
        choices += (i++ ? ", " : "") + std::string(choice);
    }
    throw std::invalid_argument(std::string(name) + " is one of " + choices + ", not " +
                                short_repr(value));
}

inline nb::object field_object(int field) {
    return nb::int_(field);
}
inline nb::object field_object(bool field) {
    return nb::bool_(field);
}
inline nb::object field_object(double field) {
    return nb::float_(field);
}
inline nb::object field_object(const std::optional<int>& field) {
    return field ? nb::object(nb::int_(*field)) : nb::none();
}
template <class Enum>
    requires std::is_enum_v<Enum>
nb::object field_object(Enum field) {
    return nb::str(names(Enum{})[static_cast<std::size_t>(field)]);
}

// The class takes it for granted that there is memory for one.
inline nb::dict new_dict() {
    auto result = nb::steal<nb::dict>(PyDict_New());
    if (!result.is_valid()) throw nb::python_error();
    return result;
}

inline nb::dict copy_dict(nb::handle dict) {
    auto result = nb::steal<nb::dict>(PyDict_Copy(dict.ptr()));
    if (!result.is_valid()) throw nb::python_error();
    return result;
}

template <class Parameters>
nb::dict parameters_dict(Parameters parameters) {
    nb::dict result = new_dict();
    parameters.visit([&](const char* name, auto& field) { result[name] = field_object(field); });
    return result;
}

// Whether two games are one, field by field; of positions alone, clocks, repetition and ply caps
// are no part.
template <class Parameters>
bool same_parameters(Parameters one, Parameters other, bool of_positions = false) {
    std::vector<const void*> fields;
    one.visit([&](const char*, const auto& field) { fields.push_back(&field); });
    bool same = true;
    other.visit([&, i = std::size_t{0}](std::string_view name, const auto& field) mutable {
        const auto& twin = *static_cast<decltype(&field)>(fields[i++]);
        const bool counts = name != "no_progress" && name != "repetition" && name != "max_plies";
        same = same && (twin == field || (of_positions && !counts));
    });
    return same;
}

template <class Parameters>
Parameters read_parameters(nb::handle given) {
    Parameters parameters;
    std::string known;
    nb::dict rest = copy_dict(given);
    parameters.visit([&](const char* name, auto& field) {
        known += (known.empty() ? "" : ", ") + std::string(name);
        if (!rest.contains(name)) return;
        read_field(name, field, rest[name]);
        nb::del(rest[name]);
    });
    for (auto [name, value] : rest) {
        throw std::invalid_argument("no parameter " + short_repr(name) + "; there are " +
                                    (known.empty() ? "none" : known));
    }
    return parameters;
}

}  // namespace ludus
