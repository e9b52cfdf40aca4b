// A set of up to 128 cells, in one machine value.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

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
        return rank < below ? select(low(), rank) : 64 + select(high(), rank - below);
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

    static constexpr int select(std::uint64_t word, int rank) {
        int base = 0;
        for (int width = 32; width >= 8; width /= 2) {
            const int below = std::popcount(word & ((std::uint64_t{1} << width) - 1));
            if (rank >= below) {
                rank -= below;
                word >>= width;
                base += width;
            }
        }
        while (rank--) word &= word - 1;
        return base + std::countr_zero(word);
    }

  private:
    __extension__ using Word = unsigned __int128;
    explicit constexpr Bitboard(Word bits) : bits_(bits) {}

    Word bits_ = 0;
};

}  // namespace ludus
