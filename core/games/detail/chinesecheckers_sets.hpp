// Sets of cells for Chinese Checkers: one word for small boards, and several sets in step.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "../../bitboard.hpp"

namespace ludus {

// A Bitboard of one machine word.
class SmallBitboard {
  public:
    constexpr SmallBitboard() = default;
    explicit constexpr SmallBitboard(std::uint64_t bits) : bits_(bits) {}

    static constexpr SmallBitboard cell(int index) {
        return SmallBitboard(std::uint64_t{1} << index);
    }

    constexpr bool contains(int index) const { return bits_ >> index & 1; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr bool touches(SmallBitboard other) const { return (bits_ & other.bits_) != 0; }
    constexpr std::uint64_t low() const { return bits_; }
    constexpr std::uint64_t high() const { return 0; }
    constexpr int count() const { return std::popcount(bits_); }
    constexpr int lowest() const { return std::countr_zero(bits_); }
    constexpr int pop_lowest() {
        const int index = lowest();
        bits_ &= bits_ - 1;
        return index;
    }
    constexpr int select(int rank) const { return ludus::select(bits_, rank); }

    using Self = SmallBitboard;
    constexpr Self operator&(Self other) const { return Self(bits_ & other.bits_); }
    constexpr Self operator|(Self other) const { return Self(bits_ | other.bits_); }
    constexpr Self operator^(Self other) const { return Self(bits_ ^ other.bits_); }
    constexpr Self operator~() const { return Self(~bits_); }
    constexpr Self operator<<(int by) const { return Self(bits_ << by); }
    constexpr Self operator>>(int by) const { return Self(bits_ >> by); }
    constexpr Self& operator&=(Self other) { return *this = *this & other; }
    constexpr Self& operator|=(Self other) { return *this = *this | other; }
    constexpr Self& operator^=(Self other) { return *this = *this ^ other; }
    constexpr bool operator==(const Self&) const = default;

  private:
    std::uint64_t bits_ = 0;
};

// Sets that are worked on in the same instructions; in general, one.
template <class Cells>
class Lanes {
  public:
    static constexpr std::size_t Count = 1;
    using Sets = std::array<Cells, Count>;

    explicit Lanes(const Sets& sets) : set_(sets[0]) {}
    Sets sets() const { return {set_}; }

    Lanes operator&(Cells mask) const { return Lanes({set_ & mask}); }
    Lanes operator<<(int by) const { return Lanes({set_ << by}); }
    Lanes operator>>(int by) const { return Lanes({set_ >> by}); }
    Lanes operator^(const Lanes& other) const { return Lanes({set_ ^ other.set_}); }
    Lanes& operator|=(const Lanes& other) {
        set_ |= other.set_;
        return *this;
    }
    bool operator==(const Lanes&) const = default;

  private:
    Cells set_;
};

// Eight small sets fill two vector registers.
template <>
class Lanes<SmallBitboard> {
  public:
    static constexpr std::size_t Count = 8;
    using Sets = std::array<SmallBitboard, Count>;

    explicit Lanes(const Sets& s)
        : a_{s[0].low(), s[1].low(), s[2].low(), s[3].low()},
          b_{s[4].low(), s[5].low(), s[6].low(), s[7].low()} {}
    Sets sets() const { return std::bit_cast<Sets>(*this); }

    Lanes operator&(SmallBitboard mask) const { return {a_ & mask.low(), b_ & mask.low()}; }
    Lanes operator<<(int by) const { return {a_ << by, b_ << by}; }
    Lanes operator>>(int by) const { return {a_ >> by, b_ >> by}; }
    Lanes operator^(const Lanes& other) const { return {a_ ^ other.a_, b_ ^ other.b_}; }
    Lanes& operator|=(const Lanes& other) {
        a_ |= other.a_;
        b_ |= other.b_;
        return *this;
    }
    bool operator==(const Lanes& other) const {
        const Four differ = (a_ ^ other.a_) | (b_ ^ other.b_);
        return (differ[0] | differ[1] | differ[2] | differ[3]) == 0;
    }

  private:
    typedef std::uint64_t Four __attribute__((vector_size(32)));
    Lanes(const Four& a, const Four& b) : a_(a), b_(b) {}

    Four a_, b_;
};

}  // namespace ludus
