// What a position of Chinese Checkers looks worth: who has the shorter way left.
#pragma once

#include "../games/chinesecheckers.hpp"
#include "../search/judge.hpp"
#include "detail/squash.hpp"

namespace ludus {

struct ChineseCheckersWeights {
    float distance = 0.1f;  // for each row that the opponent's pieces have farther to go in all

    void visit(auto&& field) { field("distance", distance); }
};

template <class Cells>
struct Judge<ChineseCheckers<Cells>> {
    using Weights = ChineseCheckersWeights;
    static constexpr const char* name = "distance";

    static float value(const ChineseCheckers<Cells>& at, const Weights& weights) {
        const int whole = 2 * (at.board().size - 1) * at.board().pieces;
        const int mine = rows(at.board(), at.mine()), theirs = rows(at.board(), at.theirs());
        // The first player's goal is the last row, the second's is the first.
        const int ahead = at.player() == 0 ? theirs - (whole - mine) : (whole - theirs) - mine;
        return squashed(weights.distance * static_cast<float>(ahead));
    }

  private:
    // The sum of the rows that the pieces stand on.
    static int rows(const Diamond<Cells>& board, Cells pieces) {
        int sum = 0;
        while (!pieces.empty()) {
            const int bit = pieces.pop_lowest();
            sum += bit - bit / (board.size + 1) * board.size;
        }
        return sum;
    }
};

}  // namespace ludus
