// The board of Connect Four as a solver sees it: sets of cells, and the lines through them.
//
// Cells are numbered as in games/connect4.hpp: column by column from the bottom up, with one spare
// bit above each column, so that a shifted set never meets the wrong column.
#pragma once

#include <cstdint>

#include "../../games/connect4.hpp"

namespace ludus::four {

using Cells = std::uint64_t;

// Four sets at once. The same arithmetic serves one set or four.
using FourSets [[gnu::vector_size(32)]] = std::uint64_t;

// A position: the stones of the player to move, and all stones.
struct Stones {
    Cells mine = 0, all = 0;

    Cells theirs() const { return mine ^ all; }
    int count() const { return std::popcount(all); }
    // One-to-one: in each column the sum marks the height and the stones of the mover below it.
    std::uint64_t key() const { return mine + all; }
    Stones after(Cells move) const { return {theirs(), all | move}; }
    bool operator==(const Stones&) const = default;
};

template <class Size>
class Board : public Size {
  public:
    using Size::columns, Size::line, Size::rows;
    static constexpr bool Free = std::is_same_v<Size, FreeSize>;
    static constexpr int MaxMoves = [] {
        if constexpr (Free)
            return connect4::MaxColumns;
        else
            return Size::columns();
    }();

    constexpr explicit Board(Size size = {}) : Size(size) {
        for (int column = 0; column < columns(); ++column) bottom_ |= Cells{1} << column * height();
        const Cells column = (Cells{1} << rows()) - 1;
        full_ = bottom_ * column;
        for (int row = rows() - 1; row >= 0; row -= 2) upper_ |= bottom_ << row;
        // From the middle outwards: more lines pass there.
        for (int i = 0; i < columns(); ++i) {
            const int at = columns() / 2 + (i % 2 ? -(i + 1) / 2 : i / 2);
            order_[static_cast<std::size_t>(i)] = column << (at % columns()) * height();
        }
    }

    constexpr int height() const { return rows() + 1; }
    constexpr int cells() const { return rows() * columns(); }
    constexpr int key_bits() const { return height() * columns(); }
    constexpr Cells full() const { return full_; }
    constexpr Cells column(int i) const { return order_[static_cast<std::size_t>(i)]; }

    // If the cells above a position's stones are paired off from the top, these are the upper ones
    // of their pairs; an odd column leaves the upper-row cell at its base alone.
    constexpr Cells upper() const { return upper_; }
    constexpr Cells lower() const { return full_ & ~upper_; }

    Cells playable(Cells all) const { return (all + bottom_) & full_; }
    Cells column_of(Cells cell) const {
        const int start = std::countr_zero(cell) / height() * height();
        return ((Cells{1} << rows()) - 1) << start;
    }
    int rows_above(Cells cell) const { return rows() - 1 - std::countr_zero(cell) % height(); }

    // The cells, taken or not, that would complete a line of these stones.
    template <class Set>
    Set completions(Set stones) const {
        Set cells = beside(stones, [](Set set) { return set << 1; });
        if (columns() == 1) return cells;
        for (const int step : {height() - 1, height(), height() + 1}) {
            cells |= completions(stones, step);
        }
        return cells;
    }

    bool has_line(Cells stones) const {
        if (in_line(stones, 1)) return true;
        if (columns() == 1) return false;
        return (in_line(stones, height() - 1) | in_line(stones, height()) |
                in_line(stones, height() + 1)) != 0;
    }

    Cells mirror(Cells cells) const {
        const Cells one = (Cells{1} << rows()) - 1;
        Cells result = 0;
        for (int i = 0; i < columns(); ++i) {
            result |= (cells >> i * height() & one) << (columns() - 1 - i) * height();
        }
        return result;
    }

  private:
    // The cells that have line() - 1 stones in a row behind them.
    template <class Set, class Shift>
    Set beside(Set stones, Shift shift) const {
        Set run = shift(stones);
        for (int length = 2; length < line(); ++length) run = shift(run & stones);
        return run;
    }

    template <class Set>
    Set completions(Set stones, int step) const {
        if constexpr (Free) {
            Set ahead[connect4::MaxColumns * 2];
            ahead[1] = stones >> step;
            for (int i = 2; i < line(); ++i) ahead[i] = (ahead[i - 1] & stones) >> step;
            Set behind = stones << step;
            Set cells = ahead[line() - 1];
            for (int i = 1; i < line() - 1; ++i) {
                cells |= behind & ahead[line() - 1 - i];
                behind = (behind & stones) << step;
            }
            return cells | behind;
        } else {
            static_assert(Size::line() == 4);
            const Set ahead = stones >> step, ahead2 = (ahead & stones) >> step;
            const Set behind = stones << step, behind2 = (behind & stones) << step;
            return ((ahead2 & stones) >> step) | (behind & ahead2) | (behind2 & ahead) |
                   ((behind2 & stones) << step);
        }
    }

    // Where line() stones in a row begin.
    Cells in_line(Cells stones, int step) const {
        Cells runs = stones;
        int length = 1;
        for (; length * 2 <= line(); length *= 2) runs &= shifted(runs, length * step);
        if (length < line()) runs &= shifted(runs, (line() - length) * step);
        return runs;
    }
    static Cells shifted(Cells cells, int by) { return by < 64 ? cells >> by : 0; }

    Cells bottom_ = 0, full_ = 0, upper_ = 0;
    std::array<Cells, MaxMoves> order_{};
};

}  // namespace ludus::four
