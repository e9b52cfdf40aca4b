// Finding a state again below the root of a tree, so that what was thought of it is kept.
#pragma once

#include <unordered_set>
#include <utility>

#include "tree.hpp"

namespace ludus {

// Whether two states have the same position and the same past, as far as it matters.
template <Game G>
bool same_line(const State<G>& a, const State<G>& b) {
    if constexpr (Repeating<G>) {
        if (a.history().clock != b.history().clock || a.history().seen != b.history().seen) {
            return false;
        }
    }
    return a.plies() == b.plies() && a.limits() == b.limits() && a.position() == b.position();
}

// The node of a state a few plies below the root, if it was visited, else None.
template <Game G>
std::uint32_t found(const Tree& tree, const State<G>& root, const State<G>& wanted) {
    constexpr int most_plies = 8;
    constexpr std::size_t most_states = 20'000;  // then a new tree is cheaper
    const int plies = wanted.plies() - root.plies();
    if (plies < 0 || plies > most_plies) return Tree::None;
    std::vector<std::pair<std::uint32_t, State<G>>> level{{Tree::Root, root}};
    for (int ply = 0; ply < plies && level.size() <= most_states; ++ply) {
        std::vector<std::pair<std::uint32_t, State<G>>> below;
        std::unordered_set<std::uint32_t> seen;  // landings that several actions may share
        const auto add = [&](std::uint32_t index, const State<G>& at, auto... move) {
            if (!tree[index].visits) return;
            below.emplace_back(index, at).second.apply(move...);
        };
        for (const auto& [index, at] : level) {
            for (std::uint32_t i = 0; i < tree[index].children; ++i) {
                const std::uint32_t child = tree[index].first + i;
                const Action action = tree[child].action;
                if constexpr (Chancy<G>) {
                    if (tree[child].chance) {
                        const auto chances = at.position().chances(action);
                        const auto results = static_cast<std::uint32_t>(std::ranges::size(chances));
                        if (results < tree[child].children) return Tree::None;
                        for (std::uint32_t rank = 0; rank < tree[child].children; ++rank) {
                            const Node& result = tree[tree[child].first + rank];
                            const std::uint32_t there = tree.landing(index, tree[child], result);
                            if (seen.insert(there).second)
                                add(there, at, action, chances[rank].result);
                        }
                        continue;
                    }
                }
                add(child, at, action);
            }
        }
        level = std::move(below);
    }
    for (const auto& [index, at] : level) {
        if (same_line(at, wanted)) return index;
    }
    return Tree::None;
}

// A root to go on from, made ready beside the old one: what can fail, fails here.
template <Game G>
struct NextRoot {
    State<G> state;
    Buffer<Node> kept{};  // what was thought of it before; empty if nothing was
    bool same = false;    // it is the root already

    NextRoot(const Tree& tree, const State<G>& root, const State<G>& wanted, bool anew)
        : state(wanted) {
        const std::uint32_t index = anew ? Tree::None : found(tree, root, wanted);
        same = index == Tree::Root;
        if (index != Tree::None && !same) kept = tree.below(index, wanted.player());
    }

    bool can_reuse() const { return same || kept.size() > 0; }

    // Says whether something was known of it.
    bool put(Tree& tree, State<G>& root) noexcept {
        static_assert(std::is_nothrow_move_assignable_v<State<G>>);
        const bool was_known = can_reuse();
        root = std::move(state);
        if (kept.size() > 0) {
            tree.adopt(std::move(kept));
        } else if (!same) {
            tree.reset(root.player());
        }
        return was_known;
    }
};

}  // namespace ludus
