// A node of a search tree, and what can be certain of it.
#pragma once

#include <cstdint>

#include "../game.hpp"

namespace ludus {

// What is certain of a node, for the player who chose it.
enum class Proof : std::uint8_t { Unknown, Loss, Draw, Win };

constexpr Proof proof_of(Score score) {
    return score > 0 ? Proof::Win : score < 0 ? Proof::Loss : Proof::Draw;
}
constexpr double value_of(Proof proof) {
    return static_cast<int>(proof) - static_cast<int>(Proof::Draw);
}
constexpr Proof for_opponent(Proof proof) {
    if (proof == Proof::Win) return Proof::Loss;
    return proof == Proof::Loss ? Proof::Win : proof;
}

struct Node {
    double total = 0;  // of all evaluations below, for the mover
    std::uint32_t visits = 0;
    std::uint32_t first = 0;     // of its children, which lie side by side
    float prior = 0;             // a network's, or a result's probability; with RAVE a second total
    float raw = 0;               // a network's value for the player to move; with RAVE a count
    std::uint16_t children = 0;  // none until it is expanded
    union {
        std::uint16_t tried = 0;  // UCT: so many of the first children were visited
        std::uint16_t pending;    // PUCT, Gumbel: so many leaves below it wait for evaluations
    };
    Action action = 0;           // that leads here, or the rank of a result of chance
    std::uint8_t mover : 1 = 0;  // who chose it; at the root, who is to move
    std::uint8_t chance : 1 = 0;
    std::uint8_t result : 1 = 0;   // of chance: counts visits on the way to a landing
    std::uint8_t safe : 1 = 0;     // a child is a proven draw, so no other has to be put up with
    std::uint8_t waiting : 1 = 0;  // a leaf whose evaluation is not back yet
    Proof proof = Proof::Unknown;

    double value() const {
        if (proof != Proof::Unknown) return value_of(proof);
        return visits ? total / visits : 0;
    }
    // Visits, and those that go on, of trees that leaves wait in.
    std::uint32_t tries() const { return visits + pending; }
    bool seen() const { return visits || proof != Proof::Unknown; }
};
static_assert(sizeof(Node) == 32);

}  // namespace ludus
