// What a King and Courtesan position looks worth, by the features of the paper that studied it.
//
// The paper names the features and gives no weights; these come from some hundred games of the
// judge against itself with a weight changed, at depths 2 to 4. Captures came out below zero:
// pieces beside each other attack each other, so who attacks more of them has fewer on the spot.
// The end of the game, to the paper a feature of extreme value, is the search's: it scores a win
// above everything here.
#pragma once

#include "../games/kingcourtesan.hpp"
#include "../search/judge.hpp"
#include "detail/squash.hpp"

namespace ludus {

struct KingCourtesanWeights {
    float material = 0.3f;     // for each piece more
    float mobility = 0.01f;    // for each move more
    float captures = -0.03f;   // for each piece more that can be captured
    float king = 0.08f;        // for each step the own king is nearer to the enemy's home
    float enemy_king = 0.08f;  // for each step the enemy's king is farther from the own home
    float pursuit = 0.1f;      // for each step the own pieces are nearer to the enemy's king
    float safety = 0.05f;      // for each friend more, and enemy less, beside the own king

    void visit(auto&& field) {
        field("material", material);
        field("mobility", mobility);
        field("captures", captures);
        field("king", king);
        field("enemy_king", enemy_king);
        field("pursuit", pursuit);
        field("safety", safety);
    }
};

template <>
struct Judge<kingcourtesan> {
    using Weights = KingCourtesanWeights;

    static float value(const kingcourtesan& at, const Weights& weights) {
        const kingcourtesan other = at.pass_turn();
        const float sum =
            weights.material *
                static_cast<float>(std::popcount(at.mine()) - std::popcount(at.theirs())) +
            weights.mobility * static_cast<float>(at.mobility() - other.mobility()) +
            weights.captures *
                static_cast<float>(std::popcount(at.attacked()) - std::popcount(other.attacked())) -
            weights.king * static_cast<float>(way_home(at)) +
            weights.enemy_king * static_cast<float>(way_home(other)) +
            weights.pursuit * (pursuit(other) - pursuit(at)) +
            weights.safety * static_cast<float>(safety(at) - safety(other));
        return squash(sum);
    }

  private:
    static constexpr int Most = kingcourtesan::MaxSize;

    // [size][cell][steps]: the cells farther away than so many steps of a king
    using Rings = std::array<std::array<std::uint64_t, Most>, Most * Most>;
    static constexpr std::array<Rings, Most + 1> Beyond = [] {
        std::array<Rings, Most + 1> beyond{};
        for (int size = kingcourtesan::MinSize; size <= Most; ++size) {
            for (int from = 0; from < size * size; ++from) {
                for (int to = 0; to < size * size; ++to) {
                    const int rows = from / size - to / size, columns = from % size - to % size;
                    const int steps =
                        std::max(rows < 0 ? -rows : rows, columns < 0 ? -columns : columns);
                    for (int ring = 0; ring < steps; ++ring) {
                        beyond[static_cast<std::size_t>(size)][static_cast<std::size_t>(from)]
                              [static_cast<std::size_t>(ring)] |= std::uint64_t{1} << to;
                    }
                }
            }
        }
        return beyond;
    }();

    static const std::array<std::uint64_t, Most>& beyond(const kingcourtesan& at, int cell) {
        return Beyond[static_cast<std::size_t>(at.size())][static_cast<std::size_t>(cell)];
    }

    // The sum of the steps from the pieces to the cell.
    static int steps(const kingcourtesan& at, std::uint64_t pieces, int cell) {
        int sum = 0;
        for (const std::uint64_t farther : beyond(at, cell)) sum += std::popcount(pieces & farther);
        return sum;
    }
    static int king(std::uint64_t pieces) { return std::countr_zero(pieces); }

    static int way_home(const kingcourtesan& at) {
        return steps(at, at.mine() & at.kings(), king(at.side(1 - at.player()).home));
    }
    static float pursuit(const kingcourtesan& at) {
        return static_cast<float>(steps(at, at.mine(), king(at.theirs() & at.kings()))) /
               static_cast<float>(std::popcount(at.mine()));
    }
    static int safety(const kingcourtesan& at) {
        const std::uint64_t near = ~beyond(at, king(at.mine() & at.kings()))[1];
        return std::popcount(at.mine() & near) - std::popcount(at.theirs() & near);
    }
};

}  // namespace ludus
