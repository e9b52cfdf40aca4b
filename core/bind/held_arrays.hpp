// Arrays that Python hands over, as spans that stay good while native code uses them.
#pragma once

#include <cstdint>
#include <span>

#include "arguments.hpp"

namespace ludus {

// Whether a buffer has items of this kind.
template <class Item>
bool holds(const Py_buffer& view) {
    std::string_view format = view.format ? view.format : "B";
    if (format.find_first_of("@=<") == 0) format.remove_prefix(1);
    const std::string_view kinds = std::is_same_v<Item, bool>       ? "?"
                                   : std::is_floating_point_v<Item> ? "fd"
                                   : std::is_signed_v<Item>         ? "bhilqn"
                                                                    : "BHILQN";
    return view.itemsize == sizeof(Item) && format.size() == 1 &&
           kinds.find(format[0]) != std::string_view::npos;
}

// Arrays of the caller's, held until this ends: made for the call (by `__dlpack__`), they would be
// freed as soon as nobody has them, and an array that can shrink does not while it is lent. Declare
// it before the interpreter is freed, as giving an array back needs it.
class HeldArrays {
  public:
    HeldArrays() = default;
    HeldArrays(const HeldArrays&) = delete;
    HeldArrays& operator=(const HeldArrays&) = delete;
    ~HeldArrays() {
        while (lent_ > 0) PyBuffer_Release(&views_[--lent_]);
    }

    // The caller's own array. Never a converted copy: what is written would be lost.
    template <class Item>
    std::span<Item> take(nb::handle array, std::size_t size, const char* name, const char* type) {
        const auto items =
            PyObject_CheckBuffer(array.ptr()) ? lent<Item>(array) : given<Item>(array);
        if (!items) {
            const char* kind = std::is_const_v<Item> ? "" : ", writable";
            throw nb::type_error((std::string(name) + " is a C-contiguous" + kind + " array of " +
                                  type + ", not " + short_repr(nb::handle(array.type())))
                                     .c_str());
        }
        require(items->size() == size, std::string(name) + " has " + std::to_string(size) +
                                           " items, not " + std::to_string(items->size()));
        require(reinterpret_cast<std::uintptr_t>(items->data()) % alignof(Item) == 0,
                std::string(name) + " begins at an odd address");
        return *items;
    }

    // The same, or nothing for None.
    template <class Item>
    std::span<Item> rows(nb::handle array, std::size_t size, const char* name, const char* type) {
        if (array.is_none()) return {};
        return take<Item>(array, size, name, type);
    }

  private:
    // From numpy and most others; the bindings would end the process where memory fails.
    template <class Item>
    std::optional<std::span<Item>> lent(nb::handle array) {
        require(lent_ < Most, "too many arrays in one call");
        Py_buffer& view = views_[lent_];
        const int asked = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT;
        if (PyObject_GetBuffer(array.ptr(), &view,
                               std::is_const_v<Item> ? asked : asked | PyBUF_WRITABLE)) {
            if (PyErr_ExceptionMatches(PyExc_MemoryError)) throw nb::python_error();
            PyErr_Clear();
            return std::nullopt;
        }
        ++lent_;
        if (!holds<std::remove_const_t<Item>>(view)) return std::nullopt;
        return std::span(static_cast<Item*>(view.buf),
                         static_cast<std::size_t>(view.len) / sizeof(Item));
    }

    // From torch and others that have no buffers.
    template <class Item>
    std::optional<std::span<Item>> given(nb::handle array) {
        nb::ndarray<Item, nb::c_contig, nb::device::cpu> items;
        if (array.is_none() || !nb::try_cast(array, items, false)) return std::nullopt;
        require(given_ < Most, "too many arrays in one call");
        held_[given_++] = nb::ndarray<>(items);
        return std::span(items.data(), items.size());
    }

    static constexpr std::size_t Most = 10;

    std::size_t lent_ = 0, given_ = 0;
    Py_buffer views_[Most];
    nb::ndarray<> held_[Most];
};

}  // namespace ludus
