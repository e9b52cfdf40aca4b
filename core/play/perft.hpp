// Perft: how many lines of play there are, the classic proof that rules are right.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "../game.hpp"

namespace ludus {

inline constexpr int MostPerftDepth = 64;
inline constexpr int LongestTurn = 1000;  // actions; calls are nested so deep

// Adds to nodes[d] the positions d + 1 actions below `at`.
template <Game G>
void perft(const G& at, std::span<std::uint64_t> nodes) {
    const auto legal = at.legal();
    nodes[0] += static_cast<std::uint64_t>(std::ranges::size(legal));
    if (nodes.size() == 1) return;
    for (const Action a : legal) {
        G child = at;
        child.apply(a);
        perft(child, nodes.subspan(1));
    }
}

// The same counted in turns: all consecutive actions of one player are one turn.
template <Game G>
void perft_turns(const G& at, std::span<std::uint64_t> nodes, int taken = 1) {
    require(taken <= LongestTurn,
            "a turn here takes more than " + std::to_string(LongestTurn) + " actions");
    for (const Action a : at.legal()) {
        G child = at;
        child.apply(a);
        if (child.player() == at.player()) {
            perft_turns(child, nodes, taken + 1);
        } else {
            ++nodes[0];
            if (nodes.size() > 1) perft_turns(child, nodes.subspan(1));
        }
    }
}

// The lines of 1 to `depth` actions, or turns.
template <Game G>
std::vector<std::uint64_t> count_lines(const G& at, int depth, bool turns) {
    require(depth >= 1 && depth <= MostPerftDepth, "depth is between 1 and " +
                                                       std::to_string(MostPerftDepth) + ", not " +
                                                       std::to_string(depth));
    std::vector<std::uint64_t> nodes(static_cast<std::size_t>(depth));
    turns ? perft_turns(at, nodes) : perft(at, std::span(nodes));
    return nodes;
}

}  // namespace ludus
