// Methods called as the interpreter calls its own: for the two calls that loops from Python make
// most, where the general dispatch of the bindings would cost more than the work.
#pragma once

#include <array>

#include "new_object.hpp"

namespace ludus {

// The arguments of a call by their names, None where one is not given; the first one must be.
template <std::size_t Count>
std::array<nb::handle, Count> read_arguments(const char* method,
                                             const std::array<const char*, Count>& names,
                                             PyObject* const* given, Py_ssize_t positional,
                                             PyObject* keywords) {
    std::array<nb::handle, Count> arguments;
    const auto refuse = [&](const std::string& why) {
        throw nb::type_error((std::string(method) + "() " + why).c_str());
    };
    if (positional > static_cast<Py_ssize_t>(Count)) refuse("was given too many arguments");
    for (Py_ssize_t i = 0; i < positional; ++i) arguments[static_cast<std::size_t>(i)] = given[i];
    for (Py_ssize_t i = 0; keywords && i < PyTuple_Size(keywords); ++i) {
        const std::string keyword = text_of(PyTuple_GetItem(keywords, i));
        const auto found = std::ranges::find(names, std::string_view(keyword));
        if (found == names.end()) refuse("has no argument '" + keyword + "'");
        nb::handle& argument = arguments[static_cast<std::size_t>(found - names.begin())];
        if (argument.is_valid()) refuse("was given '" + std::string(*found) + "' twice");
        argument = given[positional + i];
    }
    if (!arguments[0].is_valid()) refuse("needs '" + std::string(names[0]) + "'");
    for (nb::handle& argument : arguments) {
        if (!argument.is_valid()) argument = Py_None;
    }
    return arguments;
}

// What `make` gives to Python, or the error that it throws.
template <class Make>
PyObject* given_or_error(Make make) noexcept {
    try {
        return make().release().ptr();
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const nb::builtin_exception& error) {
        PyErr_SetString(PyExc_TypeError, error.what());
    } catch (const std::invalid_argument& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

// What a bound object holds. Python can make one that was never filled (`T.__new__(T)`).
template <class T>
T& held(PyObject* self) {
    if (!nb::inst_ready(self)) throw nb::type_error("this object was made without being filled");
    return *nb::inst_ptr<T>(self);
}

// Adds the method to a bound class; the definition lives as long as the process.
inline void add_method(nb::handle type, PyMethodDef& definition) {
    nb::object method =
        nb::steal(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &definition));
    nb::setattr(type, definition.ml_name, method);
}

}  // namespace ludus
