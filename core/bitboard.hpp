// A set of up to 128 cells, in one machine value.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

#include "select.hpp"

namespace ludus {

class Bitboard {
  public:
    constexpr Bitboard() = default;
    constexpr Bitboard(std::uint64_t low, std::uint64_t high) : bits_(Word{high} << 64 | low) {}

    static constexpr Bitboard cell(int index) { return Bitboard(Word{1} << index); }
    static constexpr Bitboard first(int count) {  // the cells 0 to count - 1
        return count >= 128 ? Bitboard(~Word{0}) : Bitboard((Word{1} << count) - 1);
    }

    constexpr bool contains(int index) const { return bits_ >> index & 1; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr bool touches(Bitboard other) const { return (bits_ & other.bits_) != 0; }
    constexpr std::uint64_t low() const { return static_cast<std::uint64_t>(bits_); }
    constexpr std::uint64_t high() const { return static_cast<std::uint64_t>(bits_ >> 64); }
    constexpr int count() const { return std::popcount(low()) + std::popcount(high()); }

    // The lowest cell; the set must not be empty.
    constexpr int lowest() const {
        return low() ? std::countr_zero(low()) : 64 + std::countr_zero(high());
    }
    constexpr int pop_lowest() {
        const int index = lowest();
        bits_ &= bits_ - 1;
        return index;
    }
    // The cell with `rank` cells below it; there must be more than `rank` cells.
    constexpr int select(int rank) const {
        const int below = std::popcount(low());
        const bool up = rank >= below;  // no branch: which word it is, nobody could predict
        return (up ? 64 : 0) + ludus::select(up ? high() : low(), rank - (up ? below : 0));
    }

    constexpr Bitboard operator&(Bitboard other) const { return Bitboard(bits_ & other.bits_); }
    constexpr Bitboard operator|(Bitboard other) const { return Bitboard(bits_ | other.bits_); }
    constexpr Bitboard operator^(Bitboard other) const { return Bitboard(bits_ ^ other.bits_); }
    constexpr Bitboard operator~() const { return Bitboard(~bits_); }
    constexpr Bitboard operator<<(int by) const { return Bitboard(bits_ << by); }
    constexpr Bitboard operator>>(int by) const { return Bitboard(bits_ >> by); }
    constexpr Bitboard& operator&=(Bitboard other) { return *this = *this & other; }
    constexpr Bitboard& operator|=(Bitboard other) { return *this = *this | other; }
    constexpr Bitboard& operator^=(Bitboard other) { return *this = *this ^ other; }
    constexpr bool operator==(const Bitboard&) const = default;

  private:
    __extension__ using Word = unsigned __int128;
    explicit constexpr Bitboard(Word bits) : bits_(bits) {}

    Word bits_ = 0;
};

}  // namespace ludus
