// What an object of a class written in Python says, read and checked: each lie is one sentence, in
// the words of `src/ludus/claims.py`. These run for every state, so only a lie makes a sentence.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "arguments.hpp"

namespace ludus {

constexpr int MostActions = 65535;  // that a node of a tree can count

[[noreturn]] inline void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

// A name that is looked up for every state. Python remembers where it found a name only if it is
// the same object each time; this one lives as long as the process.
class Name {
  public:
    explicit Name(const char* text) : text_(PyUnicode_InternFromString(text)) {
        if (!text_) throw nb::python_error();
    }
    PyObject* ptr() const { return text_; }

  private:
    PyObject* text_;
};

struct Names {
    Name num_actions{"num_actions"}, player{"player"}, outcome{"outcome"}, legal{"legal"},
        play{"play"};

    static const Names& all() {
        static const Names names;
        return names;
    }
};

// What Python answered, or its exception.
inline nb::object take_answer(PyObject* answer) {
    if (!answer) throw nb::python_error();
    return nb::steal(answer);
}

// A new reference, or null and an exception. Python's own calls of methods are no part of its
// stable interface, by which one wheel serves all versions from 3.12 on; this one is.
template <class... Arguments>
PyObject* call_method(nb::handle object, const Name& name, const Arguments&... arguments) {
    PyObject* given[] = {object.ptr(), arguments.ptr()...};
    constexpr std::size_t Count = (sizeof...(Arguments) + 1) | PY_VECTORCALL_ARGUMENTS_OFFSET;
    return PyObject_VectorcallMethod(name.ptr(), given, Count, nullptr);
}

// An attribute, or nothing if there is none. What fails while it is read is no lack of it.
inline nb::object attribute_or_nothing(PyObject* found) {
    if (!found) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
        PyErr_Clear();
    }
    return nb::steal(found);
}
inline nb::object attribute(nb::handle object, const char* name) {
    return attribute_or_nothing(PyObject_GetAttrString(object.ptr(), name));
}

// An attribute that every state has.
inline nb::object required_attribute(nb::handle state, const Name& noun) {
    nb::object found = attribute_or_nothing(PyObject_GetAttr(state.ptr(), noun.ptr()));
    if (!found.is_valid()) {
        refuse("a state has " + text_of(noun.ptr()) + "; " + short_repr(state) + " has none");
    }
    return found;
}

// The number of a plain Python integer in a range; nothing for all else, right or wrong.
inline std::optional<int> plain_number(nb::handle object, int low, int high) {
    if (!PyLong_CheckExact(object.ptr())) return std::nullopt;
    int overflow = 0;
    const long value = PyLong_AsLongAndOverflow(object.ptr(), &overflow);
    if (overflow || value < low || value > high) return std::nullopt;
    return static_cast<int>(value);
}

inline int number(nb::handle object, const char* what, int low, int high) {
    if (const auto plain = plain_number(object, low, high)) return *plain;
    // True counts as 1 in Python, but whoever says it means something else.
    if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr())) {
        refuse(std::string(what) + " is an integer, not " + short_repr(object));
    }
    return integer_between(object, what, low, high);
}

inline std::optional<int> one_of(nb::handle object, int low, int high) {
    if (const auto plain = plain_number(object, low, high)) return plain;
    if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr())) return std::nullopt;
    const auto value = integer(object, "a number");
    if (!value || *value < low || *value > high) return std::nullopt;
    return static_cast<int>(*value);
}

// A real number; what is none, or too large to be one, is not a number.
inline double real(nb::handle object) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (PyBool_Check(object.ptr())) return nan;
    const double value = PyFloat_AsDouble(object.ptr());
    if (!PyErr_Occurred()) return value;
    const bool none =
        PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_OverflowError);
    if (!none) throw nb::python_error();
    PyErr_Clear();
    return nan;
}

inline double evaluation(nb::handle object) {
    const double value = real(object);
    if (!(value >= -1 && value <= 1)) {
        refuse("an evaluation is between -1 and 1, not " + short_repr(object));
    }
    return value;
}

// What is listed, or a sentence about what lists nothing.
inline nb::object iterator_of(nb::handle object, const char* rule) {
    PyObject* items = PyObject_GetIter(object.ptr());
    if (!items) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
        PyErr_Clear();
        refuse(std::string(rule) + ", unlike " + short_repr(object));
    }
    return nb::steal(items);
}
inline nb::object next(nb::handle items) {
    PyObject* item = PyIter_Next(items.ptr());
    if (!item && PyErr_Occurred()) throw nb::python_error();
    return nb::steal(item);
}

template <class Items, class Number>
void refuse_twice(const Items& items, Number number_of, const char* rule) {
    const auto falls = std::ranges::adjacent_find(items, std::ranges::greater_equal{}, number_of);
    if (falls == items.end()) return;  // most lists rise
    std::vector<int> numbers;
    for (const auto& item : items) numbers.push_back(std::invoke(number_of, item));
    std::ranges::sort(numbers);
    const auto twice = std::ranges::adjacent_find(numbers);
    if (twice == numbers.end()) return;
    refuse(std::string(rule) + ", and " + std::to_string(*twice) + " twice");
}

// Legal actions, each once. The list may be endless: one more than there are has one twice.
inline std::vector<Action> read_actions(nb::handle object, int count) {
    std::vector<Action> actions;
    const nb::object items = iterator_of(object, "legal() lists actions");
    while (actions.size() <= static_cast<std::size_t>(count)) {
        const nb::object item = next(items);
        if (!item.is_valid()) break;
        actions.push_back(static_cast<Action>(number(item, "an action", 0, count - 1)));
    }
    refuse_twice(actions, std::identity{}, "legal() has each action once");
    return actions;
}

// The results of an action with their probabilities, which add up to one.
inline std::vector<Chance> read_chances(nb::handle object) {
    const char* const rule = "chances(action) are pairs of a result and its probability";
    std::vector<Chance> results;
    double sum = 0;
    const nb::object items = iterator_of(object, rule);
    for (nb::object pair = next(items); pair.is_valid(); pair = next(items)) {
        if (!PySequence_Check(pair.ptr()) || nb::len(pair) != 2) {
            refuse(std::string(rule) + ", unlike " + short_repr(object));
        }
        if (results.size() == MostActions) refuse("chances(action) has at most 65535 results");
        const nb::object result(pair[0]), share(pair[1]);
        const double probability = real(share);
        if (!(probability > 0 && probability <= 1)) {
            refuse("a probability is above 0 and at most 1, not " + short_repr(share));
        }
        results.push_back({number(result, "a result of chance", 0, 1'000'000), probability});
        sum += probability;
    }
    if (std::abs(sum - 1) >= 1e-6) {
        refuse("the probabilities of chances(action) add up to 1, not to " + std::to_string(sum));
    }
    refuse_twice(results, &Chance::result, "chances(action) has each result once");
    return results;
}

inline Shape read_shape(nb::handle object) {
    if (!PySequence_Check(object.ptr()) || nb::len(object) != 3) {
        refuse("shape is planes, rows and columns, not " + short_repr(object));
    }
    const auto extent = [&](int i) {
        return number(nb::object(object[i]), "an extent of shape", 1, 1000);
    };
    return {extent(0), extent(1), extent(2)};
}

}  // namespace ludus
