// Many numbers as one, by their bits: equal on two machines only if all of them are.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <ranges>
#include <string_view>

#include "core/random.hpp"

namespace ludus {

class Digest {
  public:
    Digest& operator<<(std::integral auto value) { return stir(static_cast<std::uint64_t>(value)); }
    // Whether it has a sign, depends on the processor.
    Digest& operator<<(char value) { return *this << static_cast<unsigned char>(value); }
    Digest& operator<<(float value) { return stir(std::bit_cast<std::uint32_t>(value)); }
    Digest& operator<<(double value) { return stir(std::bit_cast<std::uint64_t>(value)); }
    template <std::ranges::input_range Range>
    Digest& operator<<(const Range& values) {
        std::uint64_t count = 0;
        for (const auto& value : values) {
            *this << value;
            ++count;
        }
        return *this << count;
    }

    std::uint64_t value() const { return value_; }

  private:
    Digest& stir(std::uint64_t word) {
        value_ = mix(value_, word);
        return *this;
    }

    std::uint64_t value_ = 0;
};

inline void tell(std::string_view what, const Digest& digest) {
    std::printf("  %.*s %016llx\n", static_cast<int>(what.size()), what.data(),
                static_cast<unsigned long long>(digest.value()));
}

}  // namespace ludus
