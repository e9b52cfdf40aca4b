// What a Connect Four position looks worth: threats, and lines that can become some.
//
// A threat is an empty cell that completes a line. The board fills from below, so towards the end
// the first player gets the cells of odd rows (counted from 1) and the second those of even rows.
#pragma once

#include "../games/connect4.hpp"
#include "../search/judge.hpp"
#include "detail/squash.hpp"

namespace ludus {

struct Connect4Weights {
    float threats = 0.12f;  // for each
    float parity = 0.18f;   // more, for each in a row that will fall to its owner
    float pairs = 0.015f;   // for each open line that lacks two stones
    float centre = 0.12f;   // for each stone in the middle column, or the middle two

    void visit(auto&& field) {
        field("threats", threats);
        field("parity", parity);
        field("pairs", pairs);
        field("centre", centre);
    }
};

template <class Size>
struct Judge<Connect<Size>> {
    using Weights = Connect4Weights;

    static float value(const Connect<Size>& at, const Weights& weights) {
        const int mover = at.player();
        return squash(side(at, at.mine(), at.theirs(), mover, weights) -
                      side(at, at.theirs(), at.mine(), 1 - mover, weights));
    }

  private:
    static float side(const Connect<Size>& at, std::uint64_t own, std::uint64_t foreign, int player,
                      const Weights& weights) {
        const std::uint64_t board = at.full(), open = board & ~foreign;
        const int height = at.rows() + 1;
        std::uint64_t threats = 0;
        int pairs = 0;
        for (const int step : {1, height - 1, height, height + 1}) {
            if ((at.line() - 1) * step >= 64) continue;  // no such line fits the board
            // Of lines that begin at each cell: still open, and lacking none, one, two stones.
            std::uint64_t possible = open, none = ~std::uint64_t{0}, one = 0, two = 0;
            for (int i = 0; i < at.line(); ++i) {
                const std::uint64_t stones = own >> i * step;
                two = (two & stones) | (one & ~stones);
                one = (one & stones) | (none & ~stones);
                none &= stones;
                possible &= open >> i * step;
            }
            one &= possible;
            pairs += std::popcount(two & possible);
            for (int i = 0; i < at.line(); ++i) threats |= (one & ~(own >> i * step)) << i * step;
        }
        const std::uint64_t fitting = player == 0 ? odd_rows(at) : board & ~odd_rows(at);
        return weights.threats * static_cast<float>(std::popcount(threats)) +
               weights.parity * static_cast<float>(std::popcount(threats & fitting)) +
               weights.pairs * static_cast<float>(pairs) +
               weights.centre * static_cast<float>(std::popcount(own & middle(at)));
    }

    static std::uint64_t odd_rows(const Connect<Size>& at) {
        std::uint64_t column = 0, board = 0;
        for (int row = 0; row < at.rows(); row += 2) column |= std::uint64_t{1} << row;
        for (int c = 0; c < at.columns(); ++c) board |= column << at.bit(0, c);
        return board;
    }
    static std::uint64_t middle(const Connect<Size>& at) {
        const std::uint64_t column = (std::uint64_t{1} << at.rows()) - 1;
        return column << at.bit(0, (at.columns() - 1) / 2) | column << at.bit(0, at.columns() / 2);
    }
};

}  // namespace ludus
