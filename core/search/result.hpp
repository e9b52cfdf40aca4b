// What a search found out about each action of its root.
#pragma once

#include <algorithm>
#include <vector>

#include "tree.hpp"

namespace ludus {

struct Look {
    Action action = 0;
    std::uint64_t visits = 0;
    double total = 0;  // for the player to move at the root
    Proof proof = Proof::Unknown;

    double value() const {
        if (proof != Proof::Unknown) return value_of(proof);
        return visits ? total / static_cast<double>(visits) : 0;
    }
};

// The looks of one root, by action.
inline std::vector<Look> looks(const Tree& tree) {
    std::vector<Look> found;
    for (const Node& child : tree.children(Tree::Root)) {
        const Proof proof = tree.proofs() ? child.proof : Proof::Unknown;
        found.push_back({child.action, child.visits, child.total, proof});
    }
    std::ranges::sort(found, {}, &Look::action);
    return found;
}

// Adds what another tree found below the same root.
inline void add(std::vector<Look>& sum, const std::vector<Look>& others) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i].visits += others[i].visits;
        sum[i].total += others[i].total;
        sum[i].proof = std::max(sum[i].proof, others[i].proof);
    }
}

inline Proof proof(const std::vector<Look>& found) {
    Proof best = Proof::Loss;
    bool open = found.empty();
    for (const Look& look : found) {
        best = std::max(best, look.proof);
        open |= look.proof == Proof::Unknown;
    }
    return open && best != Proof::Win ? Proof::Unknown : best;
}

// The order in which actions are preferred: a proven win, then visits, then value; a proven loss
// only if there is nothing else.
constexpr bool worse(const auto& a, const auto& b, bool proofs = true) {
    const auto rank = [&](const auto& one) {
        if (!proofs) return 1;
        return one.proof == Proof::Win ? 2 : one.proof == Proof::Loss ? 0 : 1;
    };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (a.visits != b.visits) return a.visits < b.visits;
    return a.value() < b.value();
}

inline const Look* best(const std::vector<Look>& found) {
    const auto at =
        std::ranges::max_element(found, [](const Look& a, const Look& b) { return worse(a, b); });
    return at == found.end() ? nullptr : &*at;
}

// The policy: shares in proportion to `weights` (by default the visits) of the actions that are
// proven won if there are such, else of those that are not proven lost if there are such.
inline std::vector<double> shares(const std::vector<Look>& found,
                                  std::vector<double> weights = {}) {
    const auto any = [&](auto keeps) { return std::ranges::any_of(found, keeps, &Look::proof); };
    const bool won = any([](Proof p) { return p == Proof::Win; });
    const bool hope = any([](Proof p) { return p != Proof::Loss; });
    if (weights.empty()) {
        for (const Look& look : found) weights.push_back(static_cast<double>(look.visits));
    }
    std::vector<double> allowed;
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Proof proof = found[i].proof;
        allowed.push_back(won ? proof == Proof::Win : !hope || proof != Proof::Loss);
        count += allowed[i];
        sum += weights[i] *= allowed[i];
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        weights[i] = sum > 0 ? weights[i] / sum : allowed[i] / count;
    }
    return weights;
}

// The best line from a child of the root on, as far as the tree goes; up to the first chance.
inline std::vector<Action> line(const Tree& tree, Action first) {
    std::vector<Action> actions;
    std::uint32_t at = Tree::Root;
    while (tree[at].children) {
        const auto children = tree.children(at);
        const auto next = at == Tree::Root
                              ? std::ranges::find(children, first, &Node::action)
                              : std::ranges::max_element(children, [&](auto& a, auto& b) {
                                    return worse(a, b, tree.proofs());
                                });
        if (next == children.end() || (at != Tree::Root && !next->visits)) break;
        actions.push_back(next->action);
        if (next->chance) break;
        at = tree[at].first + static_cast<std::uint32_t>(next - children.begin());
    }
    return actions;
}

}  // namespace ludus
