// A node of a search: a position, and as much of its past as draws depend on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "../state.hpp"

namespace ludus {

// The past where positions can come back. The keys lie in the line's list, so this is small.
struct Recall {
    int clock = 0;           // whole turns since the last progress
    int begin = 0, end = 0;  // the keys at the starts of turns since then
    int count = 0;           // how often the last of them occurs
    int most = 0;            // how often the commonest of them occurs
    std::uint64_t sum = 0;   // of the stirred keys: the same in whatever order they came
};
struct NoRecall {};

template <class G>
struct LineNode {
    G position;
    int plies;
    [[no_unique_address]] std::conditional_t<Repeating<G>, Recall, NoRecall> past;
};

// Plays forward from a root as a State does, with the same draws, but nodes cost no allocation.
// A node is good until the line goes on from one of its ancestors.
template <Game G>
class Line {
  public:
    using Root = State<G>;

    explicit Line(const Root& root) : limits_(root.limits()), root_{root.position(), 0, {}} {
        root_.plies = root.history().plies;
        if constexpr (Repeating<G>) {
            root_.past.clock = root.history().clock;
            for (const std::uint64_t key : root.history().seen.list()) remember(root_.past, key);
        }
    }

    const LineNode<G>& root() const { return root_; }
    int num_actions() const { return root_.position.num_actions(); }
    auto legal(const LineNode<G>& node) const { return node.position.legal(); }

    std::optional<Score> outcome(const LineNode<G>& node) const {
        if (const auto score = node.position.outcome()) return score;
        if (is_draw(node)) return 0;
        return std::nullopt;
    }

    LineNode<G> after(const LineNode<G>& node, Action a) {
        return advance(node, a, [a](G& position) { position.apply(a); });
    }
    LineNode<G> after(const LineNode<G>& node, Action a, int result)
        requires Chancy<G>
    {
        return advance(node, a, [=](G& position) { position.apply(a, result); });
    }

    // Equal for nodes whose values to this depth are equal: of the past exactly that is told apart
    // which can still bring a draw. A position comes back after four plies at the earliest (each
    // player goes and returns); what lies beyond the depth, captures that must be made, is
    // progress.
    std::uint64_t key(const LineNode<G>& node, int depth) const {
        std::uint64_t key = node.position.key();
        const auto tell = [&key](std::uint64_t what) { key = mix(key, what); };
        if (limits_.max_plies && node.plies + depth >= limits_.max_plies) {
            tell(static_cast<std::uint64_t>(node.plies) * 2);
        }
        if constexpr (Repeating<G>) {
            const Recall& past = node.past;
            if (limits_.no_progress && past.clock + depth >= limits_.no_progress) {
                tell(static_cast<std::uint64_t>(past.clock) * 2 + 1);
            }
            const int missing = limits_.repetition - past.most;
            if (limits_.repetition && depth > 4 * (missing - 1)) tell(past.sum);
        }
        return key;
    }

    // The node as a state of its own.
    State<G> state(const LineNode<G>& node) const {
        History<G> history;
        history.plies = node.plies;
        if constexpr (Repeating<G>) {
            history.clock = node.past.clock;
            for (int i = node.past.begin; i < node.past.end; ++i) {
                history.seen.push_back(keys_[static_cast<std::size_t>(i)]);
            }
        }
        return State<G>(node.position, limits_, std::move(history));
    }

  private:
    bool is_draw(const LineNode<G>& node) const {
        bool drawn = limits_.max_plies && node.plies >= limits_.max_plies;
        if constexpr (Repeating<G>) {
            const Recall& past = node.past;
            drawn |= limits_.no_progress && past.clock >= limits_.no_progress;
            drawn |= limits_.repetition && past.end - past.begin > limits_.repetition &&
                     past.count >= limits_.repetition;
        }
        return drawn;
    }

    template <class Move>
    LineNode<G> advance(const LineNode<G>& node, Action a, Move move) {
        LineNode<G> next = node;
        move(next.position);
        ++next.plies;
        if constexpr (Repeating<G>) {
            const bool progress = node.position.progress(a);
            if (progress) next.past = {.begin = node.past.end, .end = node.past.end};
            if (next.position.player() != node.position.player()) {
                next.past.clock += !progress;
                if (limits_.repetition) remember(next.past, next.position.key());
            }
        }
        return next;
    }

    void remember(Recall& past, std::uint64_t key) {
        const auto from = keys_.begin() + past.begin, to = keys_.begin() + past.end;
        past.count = 1 + static_cast<int>(std::count(from, to, key));
        past.most = std::max(past.most, past.count);
        past.sum += mix(key);
        if (to == keys_.end()) {
            keys_.push_back(key);
        } else {
            *to = key;
        }
        ++past.end;
    }

    Limits limits_;
    LineNode<G> root_;
    std::vector<std::uint64_t> keys_;  // along the path; what hangs over is of an abandoned one
};

}  // namespace ludus
