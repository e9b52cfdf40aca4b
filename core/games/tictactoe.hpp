// Tic-tac-toe: three in a line win. With `success` below 1 marks may go astray.
//
//     0 1 2
//     3 4 5
//     6 7 8
#pragma once

#include <bit>

#include "detail/stray.hpp"

namespace ludus {

// A set of the nine cells: small enough that questions about it are looked up.
class NineCells {
  public:
    constexpr NineCells() = default;
    static constexpr NineCells cell(int index) { return NineCells(1u << index); }
    static constexpr NineCells first(int count) { return NineCells((1u << count) - 1); }

    constexpr bool contains(int index) const { return bits_ >> index & 1; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr int count() const { return std::popcount(bits_); }
    constexpr std::uint64_t low() const { return bits_; }
    constexpr int pop_lowest() {
        const int index = std::countr_zero(bits_);
        bits_ &= bits_ - 1;
        return index;
    }

    constexpr NineCells operator&(NineCells other) const { return NineCells(bits_ & other.bits_); }
    constexpr NineCells operator|(NineCells other) const { return NineCells(bits_ | other.bits_); }
    constexpr NineCells operator~() const { return NineCells(~bits_ & 511); }
    constexpr NineCells& operator|=(NineCells other) { return *this = *this | other; }
    bool operator==(const NineCells&) const = default;

  private:
    explicit constexpr NineCells(unsigned bits) : bits_(bits) {}

    unsigned bits_ = 0;
};

struct TicTacToeBoard {
    using Set = NineCells;
    static constexpr const char* name = "tictactoe";
    static constexpr int Cells = 9, Side = 3;
    static constexpr double Success = 1;

    static constexpr int row(int cell) { return cell / Side; }
    static constexpr int column(int cell) { return cell % Side; }
    static constexpr int at(int row, int column) {
        return row >= 0 && row < Side && column >= 0 && column < Side ? row * Side + column : Cells;
    }

    static bool has_line(Set marks) { return HasLine[marks.low()]; }
    static bool completes(Set marks, int) { return has_line(marks); }
    static int select(Set marks, int rank) {
        return Select[marks.low()][static_cast<std::size_t>(rank)];
    }

    // The mover's marks, the opponent's, and who moves: all 1 for the first player, all -1 for the
    // second.
    static int planes(Planes) { return 3; }
    static void features(std::span<float> out, Planes, Set mine, Set theirs, int player, bool) {
        for (std::size_t cell = 0; cell < Cells; ++cell) {
            out[cell] = mine.contains(static_cast<int>(cell));
            out[Cells + cell] = theirs.contains(static_cast<int>(cell));
            out[2 * Cells + cell] = player == 0 ? 1.0f : -1.0f;
        }
    }

  private:
    static constexpr std::array<bool, 512> HasLine = [] {
        std::array<bool, 512> has{};
        for (const unsigned line : {0007u, 0070u, 0700u, 0111u, 0222u, 0444u, 0421u, 0124u}) {
            for (unsigned marks = 0; marks < 512; ++marks) has[marks] |= (marks & line) == line;
        }
        return has;
    }();

    // [marks][rank]: the mark with `rank` marks before it
    using Ranks = std::array<std::array<std::uint8_t, 9>, 512>;
    static constexpr Ranks Select = [] {
        Ranks ranks{};
        for (unsigned marks = 0; marks < 512; ++marks) {
            std::uint8_t* next = ranks[marks].data();
            for (std::uint8_t cell = 0; cell < 9; ++cell) {
                if (marks >> cell & 1) *next++ = cell;
            }
        }
        return ranks;
    }();
};

using tictactoe = Stray<TicTacToeBoard>;

}  // namespace ludus
