// Perft: how many lines of play there are, the classic proof that rules are right.
#pragma once

#include <span>

#include "../game.hpp"

namespace ludus {

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
void perft_turns(const G& at, std::span<std::uint64_t> nodes) {
    for (const Action a : at.legal()) {
        G child = at;
        child.apply(a);
        if (child.player() == at.player()) {
            perft_turns(child, nodes);
        } else {
            ++nodes[0];
            if (nodes.size() > 1) perft_turns(child, nodes.subspan(1));
        }
    }
}

}  // namespace ludus
