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

// The looks of a root that has none yet.
template <Game G>
std::vector<Look> no_looks(const State<G>& root) {
    std::vector<Look> nothing;
    for (const Action a : root.legal()) nothing.push_back({.action = a});
    std::ranges::sort(nothing, {}, &Look::action);
    return nothing;
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

// Which actions to prefer, by what is proven: a win; then a draw, or what is open; then what is
// open but looks worse than a draw that is proven; a loss last.
template <class Some>
class Preference {
  public:
    Preference(const Some& found, bool proofs)
        : proofs_(proofs), draw_(proofs && std::ranges::any_of(found, [](const auto& one) {
                                     return one.proof == Proof::Draw;
                                 })) {}

    int rank(const auto& one) const {
        if (!proofs_) return 2;
        if (one.proof == Proof::Unknown) return draw_ && one.value() <= 0 ? 1 : 2;
        return one.proof == Proof::Win ? 3 : one.proof == Proof::Draw ? 2 : 0;
    }

    // Among the equally preferred visits count, then values.
    bool worse(const auto& a, const auto& b) const {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        if (a.visits != b.visits) return a.visits < b.visits;
        return a.value() < b.value();
    }

  private:
    bool proofs_, draw_;
};

// There is one, since a game that goes on has legal actions.
template <class Some>
auto best(const Some& found, bool proofs = true) {
    const Preference preference(found, proofs);
    return std::ranges::max_element(
        found, [&](const auto& a, const auto& b) { return preference.worse(a, b); });
}

// The policy: shares in proportion to `weights` (by default the visits) of the actions that what is
// proven prefers.
inline std::vector<double> shares(const std::vector<Look>& found,
                                  std::vector<double> weights = {}) {
    const Preference preference(found, true);
    int highest = 0;
    for (const Look& look : found) highest = std::max(highest, preference.rank(look));
    if (weights.empty()) {
        for (const Look& look : found) weights.push_back(static_cast<double>(look.visits));
    }
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool preferred = preference.rank(found[i]) == highest;
        sum += weights[i] *= preferred;
        count += preferred;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool preferred = preference.rank(found[i]) == highest;
        weights[i] = sum > 0 ? weights[i] / sum : preferred / count;
    }
    return weights;
}

// The best line from a child of the root on, as far as the tree goes; up to the first chance.
inline std::vector<Action> line(const Tree& tree, Action first) {
    std::vector<Action> actions;
    std::uint32_t at = Tree::Root;
    while (tree[at].children) {
        const auto children = tree.children(at);
        const auto next = at == Tree::Root ? std::ranges::find(children, first, &Node::action)
                                           : best(children, tree.proofs());
        if (next == children.end() || (at != Tree::Root && !next->visits)) break;
        actions.push_back(next->action);
        if (next->chance) break;
        at = tree[at].first + static_cast<std::uint32_t>(next - children.begin());
    }
    return actions;
}

}  // namespace ludus
