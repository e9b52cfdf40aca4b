// What a position of super tic-tac-toe looks worth: its open lines.
#pragma once

#include "../games/supertictactoe.hpp"
#include "detail/open_lines.hpp"

namespace ludus {

struct SuperTicTacToeWeights {
    // For each line of four or five with so many marks of one player only.
    float ones = 0.005f, twos = 0.03f, threes = 0.15f, fours = 0.2f;

    float of(int marks) const {
        return std::array{ones, twos, threes, fours}[static_cast<std::size_t>(marks - 1)];
    }
    void visit(auto&& field) {
        field("ones", ones);
        field("twos", twos);
        field("threes", threes);
        field("fours", fours);
    }
};

namespace cross {

// Calls f for each line once: at its lowest cell.
constexpr void each_line(auto f) {
    for (int cell = 0; cell < Cells; ++cell) {
        const LinesThrough& through = Lines[static_cast<std::size_t>(cell)];
        for (std::size_t i = 0; i < through.Most; ++i) {
            const Bitboard line(through.low[i], through.high[i]);
            if (line.count() <= 5 && line.lowest() == cell) f(line);
        }
    }
}
inline constexpr std::size_t NumLines = [] {
    std::size_t count = 0;
    each_line([&](Bitboard) { ++count; });
    return count;
}();
inline constexpr std::array<Bitboard, NumLines> AllLines = [] {
    std::array<Bitboard, NumLines> lines{};
    std::size_t next = 0;
    each_line([&](Bitboard line) { lines[next++] = line; });
    return lines;
}();

}  // namespace cross

template <>
struct OpenLines<CrossBoard> {
    using Weights = SuperTicTacToeWeights;
    static const auto& lines() { return cross::AllLines; }
};

}  // namespace ludus
