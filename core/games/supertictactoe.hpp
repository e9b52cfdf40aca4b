// Super tic-tac-toe: four in a row or column or five on a diagonal win, on a cross of five blocks.
// A mark lands where it should only half of the time.
//
// Cells count block by block (top, left, centre, right, bottom), row by row inside a block:
//
//                  0 ..  3
//                 12 .. 15
//     16 .. 19    32 .. 35    48 .. 51
//     28 .. 31    44 .. 47    60 .. 63
//                 64 .. 67
//                 76 .. 79
#pragma once

#include <bit>
#include <cstring>

#include "../bitboard.hpp"
#include "detail/stray.hpp"

namespace ludus {

// Where the cells of the cross are, and the lines through them.
namespace cross {

inline constexpr int Cells = 80, Side = 12;
inline constexpr std::array<int, 5> BlockRow{0, 4, 4, 4, 8}, BlockColumn{4, 0, 4, 8, 4};

constexpr int row(int cell) {
    return BlockRow[static_cast<std::size_t>(cell / 16)] + cell % 16 / 4;
}
constexpr int column(int cell) {
    return BlockColumn[static_cast<std::size_t>(cell / 16)] + cell % 4;
}
constexpr int at(int row, int column) {
    for (std::size_t block = 0; block < 5; ++block) {
        const int down = row - BlockRow[block], across = column - BlockColumn[block];
        if (down >= 0 && down < 4 && across >= 0 && across < 4) {
            return 16 * static_cast<int>(block) + 4 * down + across;
        }
    }
    return Cells;
}

// The next cell to the right, down, down right, down left; `Cells` where the cross ends.
using Steps = std::array<std::array<std::uint8_t, Cells + 1>, 4>;
inline constexpr Steps Next = [] {
    constexpr std::array<int, 4> down{0, 1, 1, 1}, across{1, 0, 1, -1};
    Steps next{};
    for (std::size_t direction = 0; direction < 4; ++direction) {
        next[direction].fill(Cells);
        for (int cell = 0; cell < Cells; ++cell) {
            next[direction][static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(
                at(row(cell) + down[direction], column(cell) + across[direction]));
        }
    }
    return next;
}();

// The winning lines through a cell, at most 11, laid out to be tried together; the space that is
// left holds lines that no marks can complete.
struct LinesThrough {
    static constexpr std::size_t Most = 12;
    std::array<std::uint64_t, Most> low, high;
};
inline constexpr std::array<LinesThrough, Cells> Lines = [] {
    std::array<LinesThrough, Cells> lines{};
    std::array<std::size_t, Cells> count{};
    for (LinesThrough& through : lines) through.high.fill(~std::uint64_t{0});
    for (std::size_t direction = 0; direction < 4; ++direction) {
        const int length = direction < 2 ? 4 : 5;
        for (std::size_t first = 0; first < Cells; ++first) {
            Bitboard line;
            std::size_t cell = first;
            for (int i = 0; i < length; ++i, cell = Next[direction][cell]) {
                if (cell < Cells) line |= Bitboard::cell(static_cast<int>(cell));
            }
            if (line.count() < length) continue;
            for (Bitboard rest = line; !rest.empty();) {
                const auto through = static_cast<std::size_t>(rest.pop_lowest());
                lines[through].low[count[through]] = line.low();
                lines[through].high[count[through]++] = line.high();
            }
        }
    }
    return lines;
}();

// [byte][rank]: the set bit with `rank` set bits below it
inline constexpr auto BitOfByte = [] {
    std::array<std::array<std::uint8_t, 8>, 256> bits{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::uint8_t* next = bits[byte].data();
        for (std::uint8_t bit = 0; bit < 8; ++bit) {
            if (byte >> bit & 1) *next++ = bit;
        }
    }
    return bits;
}();

}  // namespace cross

struct CrossBoard {
    using Set = Bitboard;
    static constexpr const char* name = "supertictactoe";
    static constexpr int Cells = cross::Cells, Side = cross::Side;
    static constexpr double Success = 0.5;

    static constexpr int row(int cell) { return cross::row(cell); }
    static constexpr int column(int cell) { return cross::column(cell); }
    static constexpr int at(int row, int column) { return cross::at(row, column); }

    // Four lines at a time: left to itself the compiler tries one after the other.
    static bool completes(Set marks, int cell) {
        using Four [[gnu::vector_size(32)]] = std::uint64_t;
        const cross::LinesThrough& lines = cross::Lines[static_cast<std::size_t>(cell)];
        Four complete{};
        for (std::size_t i = 0; i < lines.Most; i += 4) {
            Four low, high;
            std::memcpy(&low, &lines.low[i], sizeof(Four));
            std::memcpy(&high, &lines.high[i], sizeof(Four));
            complete |= Four(((low & ~marks.low()) | (high & ~marks.high())) == 0);
        }
        return complete[0] | complete[1] | complete[2] | complete[3];
    }
    static bool has_line(Set marks) {
        for (Set rest = marks; !rest.empty();) {
            if (completes(marks, rest.pop_lowest())) return true;
        }
        return false;
    }

    static int select(Set marks, int rank) {
        return deposits_fast() ? marks.select(rank) : select_in_steps(marks, rank);
    }
    // By block, by half a block, by cell; without branches, which nobody could predict here.
    static int select_in_steps(Set marks, int rank) {
        const std::uint64_t low = marks.low();
        const std::array<int, 5> before{0, std::popcount(low << 48), std::popcount(low << 32),
                                        std::popcount(low << 16), std::popcount(low)};
        const std::array<std::uint64_t, 5> rest{low, low >> 16, low >> 32, low >> 48, marks.high()};
        const int block =
            (rank >= before[1]) + (rank >= before[2]) + (rank >= before[3]) + (rank >= before[4]);
        rank -= before[static_cast<std::size_t>(block)];
        const std::uint64_t word = rest[static_cast<std::size_t>(block)];
        const int lower = std::popcount(word & 255);
        const int half = rank >= lower;
        rank -= lower & -half;
        const std::size_t byte = word >> (8 * half) & 255;
        return 16 * block + 8 * half + cross::BitOfByte[byte][static_cast<std::size_t>(rank)];
    }

    // The mover's marks, the opponent's, the cross itself (as -1 for who never strays where the
    // other does); or the opponent's as -1 in one plane.
    static int planes(Planes planes) {
        return planes == Planes::Full ? 3 : planes == Planes::Paper ? 2 : 1;
    }
    static void features(std::span<float> out, Planes planes, Set mine, Set theirs, int,
                         bool steady) {
        for (int cell = 0; cell < Cells; ++cell) {
            float* place = &out[static_cast<std::size_t>(row(cell) * Side + column(cell))];
            if (planes == Planes::Signed) {
                *place = static_cast<float>(mine.contains(cell) - theirs.contains(cell));
                continue;
            }
            place[0] = mine.contains(cell);
            place[Side * Side] = theirs.contains(cell);
            if (planes == Planes::Full) place[2 * Side * Side] = steady ? -1.0f : 1.0f;
        }
    }

    static std::array<const char*, 2> shapings() { return {"designed", "original"}; }
    // What a player's turn earns where the game goes on after it, at most 1. A pattern is any 2, 3
    // or 4 marks in a row, column or diagonal, so three marks are also two patterns of two: this is
    // how the authors' program counts what their text leaves open.
    static float shaping(int kind, Set marks) {
        if (kind == 1) return 0.1f;
        constexpr std::array<double, 5> worth{0, 0, 0.2, 0.5, 0.8};
        double sum = 0;
        for (Set rest = marks; !rest.empty();) {
            const auto first = static_cast<std::size_t>(rest.pop_lowest());
            for (const auto& next : cross::Next) {
                std::size_t cell = next[first];
                for (std::size_t length = 2; length <= 4; ++length, cell = next[cell]) {
                    if (!marks.contains(static_cast<int>(cell))) break;
                    sum += worth[length];
                }
            }
        }
        return static_cast<float>(std::min(0.1 * sum, 1.0));
    }
};

using supertictactoe = Stray<CrossBoard>;

}  // namespace ludus
