// Objects handed over to Python where memory may fail: that is a MemoryError then, as any other.
//
// The bindings keep a register of all objects. When they return a value by themselves, it grows in
// code that may not throw, and the process ends if it cannot. Here it grows where it may throw. For
// the same reason new arrays are numpy's own, and dictionaries are looked at before they are used.
#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "arguments.hpp"

namespace ludus {

// A new Python object; functions that return it say T in their signature.
template <class T>
struct New {
    nb::object object;
};

// A new object of the class, which holds the value.
template <class T>
nb::object made(nb::handle type, T value) {
    nb::object result = nb::inst_alloc(type);
    new (nb::inst_ptr<T>(result)) T(std::move(value));
    nb::inst_mark_ready(result);
    return result;
}

template <class T>
New<T> new_object(T value) {
    static const nb::handle type = nb::type<T>();
    return {made(type, std::move(value))};
}

// The same of what cannot be moved into the object: the register grows for an object that is given
// up at once, and has room for this one.
template <class T>
New<T> new_object(std::unique_ptr<T> value) {
    nb::inst_alloc(nb::type<T>());
    nb::object result = nb::inst_take_ownership(nb::type<T>(), value.get());
    value.release();
    return {std::move(result)};
}

template <class Item>
using NumpyArray = nb::ndarray<nb::numpy, Item, nb::c_contig>;

template <class Item>
std::string dtype_name() {
    if constexpr (std::is_same_v<Item, bool>) return "bool_";
    const char* kind = std::is_floating_point_v<Item> ? "float"
                       : std::is_signed_v<Item>       ? "int"
                                                      : "uint";
    return kind + std::to_string(8 * sizeof(Item));
}

// A new array of zeros.
template <class Item>
class NewArray {
  public:
    explicit NewArray(std::initializer_list<std::size_t> shape) {
        // No guarded statics: who waits for one may hold the interpreter that the import needs.
        static PyObject* zeros = nullptr;
        static PyObject* type = nullptr;
        if (!type) {
            const nb::object numpy = nb::module_::import_("numpy");
            nb::object found = numpy.attr(dtype_name<Item>().c_str());
            zeros = nb::object(numpy.attr("zeros")).release().ptr();
            type = found.release().ptr();
        }
        const auto lengths = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
        if (!lengths.is_valid()) throw nb::python_error();
        for (Py_ssize_t i = 0; const std::size_t length : shape) {
            PyTuple_SetItem(lengths.ptr(), i++, nb::int_(length).release().ptr());
        }
        object_ = nb::steal(PyObject_CallFunctionObjArgs(zeros, lengths.ptr(), type, nullptr));
        if (!object_.is_valid()) throw nb::python_error();
        Py_buffer view;
        if (PyObject_GetBuffer(object_.ptr(), &view, PyBUF_WRITABLE)) throw nb::python_error();
        items_ = {static_cast<Item*>(view.buf), static_cast<std::size_t>(view.len) / sizeof(Item)};
        PyBuffer_Release(&view);  // nobody else has the array yet
    }

    std::span<Item> items() const { return items_; }
    New<NumpyArray<Item>> done() && { return {std::move(object_)}; }

  private:
    nb::object object_;
    std::span<Item> items_;
};

template <class Items>
auto array_with(const Items& items, std::initializer_list<std::size_t> shape) {
    NewArray<typename Items::value_type> array(shape);
    std::ranges::copy(items, array.items().begin());
    return std::move(array).done();
}

}  // namespace ludus

namespace nanobind::detail {

template <class T>
struct type_caster<ludus::New<T>> {
    static constexpr auto Name = make_caster<T>::Name;
    static handle from_cpp(ludus::New<T>&& made, rv_policy, cleanup_list*) noexcept {
        return made.object.release();
    }
};

}  // namespace nanobind::detail
