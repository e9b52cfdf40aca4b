// Arrays that Python hands over, as spans that stay good while native code uses them.
#pragma once

#include <cstdint>
#include <span>

#include "arguments.hpp"

namespace ludus {

// Arrays of the caller's, held until this ends: made for the call (by `__dlpack__`), they would be
// freed as soon as nobody has them, and an array that can shrink does not while it is lent. Declare
// it before the interpreter is freed, as giving an array back needs it.
class HeldArrays {
  public:
    HeldArrays() = default;
    HeldArrays(const HeldArrays&) = delete;
    HeldArrays& operator=(const HeldArrays&) = delete;

    // The caller's own array. Never a converted copy: what is written would be lost.
    template <class Item>
    std::span<Item> take(nb::handle array, std::size_t size, const char* name, const char* type) {
        nb::ndarray<Item, nb::c_contig, nb::device::cpu> items;
        if (array.is_none() || !nb::try_cast(array, items, false)) {
            const char* kind = std::is_const_v<Item> ? "" : ", writable";
            throw nb::type_error((std::string(name) + " is a C-contiguous" + kind + " array of " +
                                  type + ", not " + shown(nb::handle(array.type())))
                                     .c_str());
        }
        require(items.size() == size, std::string(name) + " has " + std::to_string(size) +
                                          " items, not " + std::to_string(items.size()));
        require(reinterpret_cast<std::uintptr_t>(items.data()) % alignof(Item) == 0,
                std::string(name) + " begins at an odd address");
        require(count_ < Most, "too many arrays");
        held_[count_++] = nb::ndarray<>(items);
        return {items.data(), size};
    }

    // The same, or nothing for None.
    template <class Item>
    std::span<Item> rows(nb::handle array, std::size_t size, const char* name, const char* type) {
        if (array.is_none()) return {};
        return take<Item>(array, size, name, type);
    }

  private:
    static constexpr std::size_t Most = 8;

    std::size_t count_ = 0;
    nb::ndarray<> held_[Most];
};

}  // namespace ludus
