// What a position of draughts looks worth.
#pragma once

#include "../games/checkers.hpp"
#include "../search/judge.hpp"
#include "detail/squash.hpp"

namespace ludus {

struct CheckersWeights {
    float men = 0.3f;         // for each
    float kings = 0.6f;       // for each
    float advance = 0.025f;   // for each row that a man has come forward
    float back_row = 0.1f;    // for each man who stayed to keep the enemy from crowning
    float centre = 0.03f;     // for each piece on the eight squares of the middle
    float mobility = 0.012f;  // for each step that a piece could make

    void visit(auto&& field) {
        field("men", men);
        field("kings", kings);
        field("advance", advance);
        field("back_row", back_row);
        field("centre", centre);
        field("mobility", mobility);
    }
};

template <>
struct Judge<checkers> {
    using Weights = CheckersWeights;

    static float value(const checkers& at, const Weights& weights) {
        return squash(side(at, weights) - side(at.pass_turn(), weights));
    }

  private:
    static constexpr std::uint64_t cells(int bit) {  // four squares side by side
        return std::uint64_t{0xf} << bit;
    }
    // The first bit of each row, from Black's home.
    static constexpr std::array<int, 8> Row{0, 4, 9, 13, 18, 22, 27, 31};
    static constexpr std::uint64_t Centre =
        0b0110ULL << 9 | 0b0110ULL << 13 | 0b0110ULL << 18 | 0b0110ULL << 22;

    // Of the player whose turn it is.
    static float side(const checkers& at, const Weights& weights) {
        const std::uint64_t men = at.mine() & ~at.kings(), kings = at.mine() & at.kings();
        int advance = 0;
        for (std::size_t row = 1; row < 7; ++row) {
            const std::size_t from_home = at.player() == 0 ? row : 7 - row;
            advance += static_cast<int>(row) * std::popcount(men & cells(Row[from_home]));
        }
        const std::uint64_t home = cells(Row[at.player() == 0 ? 0 : 7]);
        const auto count = [](std::uint64_t set) { return static_cast<float>(std::popcount(set)); };
        return weights.men * count(men) + weights.kings * count(kings) +
               weights.advance * static_cast<float>(advance) +
               weights.back_row * count(men & home) + weights.centre * count(at.mine() & Centre) +
               weights.mobility * static_cast<float>(at.mobility());
    }
};

}  // namespace ludus
