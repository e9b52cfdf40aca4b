// What a position of tic-tac-toe looks worth: its open lines.
#pragma once

#include "../games/tictactoe.hpp"
#include "detail/open_lines.hpp"

namespace ludus {

struct TicTacToeWeights {
    float ones = 0.05f, twos = 0.25f;  // for each line with so many marks of one player only

    float of(int marks) const { return marks == 1 ? ones : twos; }
    void visit(auto&& field) {
        field("ones", ones);
        field("twos", twos);
    }
};

inline constexpr std::array<NineCells, 8> NineCellLines = [] {
    constexpr int cells[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                 {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    std::array<NineCells, 8> lines{};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (const int cell : cells[i]) lines[i] |= NineCells::cell(cell);
    }
    return lines;
}();

template <>
struct OpenLines<TicTacToeBoard> {
    using Weights = TicTacToeWeights;
    static const auto& lines() { return NineCellLines; }
};

}  // namespace ludus
