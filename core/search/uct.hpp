// UCT: simulations with random rollouts or a judge, within a budget, in one tree or several.
#pragma once

#include <array>

#include "../play/playout.hpp"
#include "judge.hpp"
#include "result.hpp"
#include "reuse.hpp"
#include "selection.hpp"
#include "stopwatch.hpp"
#include "threads.hpp"

namespace ludus {

struct UctOptions {
    double c = 1.4;
    double rave = 0;     // RAVE's equivalence, 0 for none
    int rollouts = 1;    // a leaf, unless there is a judge
    bool judge = false;  // instead of rollouts
    bool plain = false;  // without proofs, and without keeping the tree between moves
    ChanceRule chance{};
    std::uint32_t max_nodes = 4'000'000;
    double fpu = UctChoice::Always;  // first-play urgency; as it is, every child is tried first
};

// One tree and the simulations that grow it; on cache lines that no other thread writes to.
template <Game G>
class alignas(64) UctTree {
  public:
    UctTree(const State<G>& root, const UctOptions& options, Random random)
        : options_(options),
          random_(random),
          root_(root),
          at_(root),
          tree_(Growth::SecondVisit, options.max_nodes, !options.plain,
                with_landings(options.chance, root.position())) {
        if (options.rave > 0) {
            for (auto& by_player : played_) {
                by_player.resize(static_cast<std::size_t>(root.num_actions()));
            }
        }
        tree_.reset(root_.player());
        prepare();
    }

    const Tree& tree() const { return tree_; }

    // Continues from this state: with what was thought of it before, if it is near the root.
    bool seek(const State<G>& state) {
        const bool kept = next(state).put(tree_, root_);
        prepare();
        return kept;
    }

    // The same in three parts, for several trees to go together: only the second cannot fail.
    NextRoot<G> next(const State<G>& state) const { return {tree_, root_, state, options_.plain}; }
    bool go(NextRoot<G>& to) noexcept { return to.put(tree_, root_); }
    void prepare() {
        if (!tree_.root().children) tree_.expand(Tree::Root, root_);
    }

    // By action; nothing of any of them if memory failed before the root had children.
    std::vector<Look> result() const {
        return tree_.root().children ? looks(tree_) : no_looks(root_);
    }

    // Returns how many simulations were done: fewer if the root is proven or time is up.
    std::uint64_t run(std::uint64_t simulations, std::optional<double> seconds) {
        const UctChoice uct{static_cast<float>(options_.c), static_cast<float>(options_.fpu)};
        if (options_.rave > 0) {
            return run(simulations, seconds, RaveChoice{uct.c, static_cast<float>(options_.rave)});
        }
        return run(simulations, seconds, uct);
    }

  private:
    template <class Choice>
    std::uint64_t run(std::uint64_t simulations, std::optional<double> seconds, Choice choice) {
        std::optional<Stopwatch> watch;
        if (seconds) watch.emplace(*seconds);
        for (std::uint64_t done = 0; done < simulations; ++done) {
            if (tree_.root().proof != Proof::Unknown) return done;
            if (watch && !watch->goes_on()) return done;
            tree_.require_room();
            at_ = root_;
            if (tree_.descend(at_, random_, choice) == Arrival::Leaf) {
                const int player = at_.player();
                tree_.back_up(evaluation(), player);
            }
        }
        return simulations;
    }

    // Of the leaf, for its player to move.
    double evaluation() {
        if constexpr (Judged<G>) {
            if (options_.judge) {
                return Judge<G>::value(at_.position(), typename Judge<G>::Weights{});
            }
        }
        double total = 0;
        for (int left = options_.rollouts; left > 1; --left) {
            State<G> copy = at_;
            total += rollout(copy);
        }
        return (total + rollout(at_)) / options_.rollouts;
    }

    Score rollout(State<G>& state) {
        const int player = state.player();
        if (options_.rave > 0) {
            play_and_tell(state);
        } else {
            play_out(state, random_);
        }
        const Score score = *state.outcome();
        const Score result = state.player() == player ? score : -score;
        if (options_.rave > 0) learn(result, player);
        return result;
    }

    // A playout that marks who played what.
    void play_and_tell(State<G>& state) {
        ++stamp_;
        while (true) {
            const auto legal = state.legal();
            const auto size = static_cast<std::uint32_t>(std::ranges::size(legal));
            if (size == 0) return;
            const Action action = legal[random_.below(size)];
            mark(state.player(), action);
            state.play(action, random_);
        }
    }

    void mark(int player, Action action) {
        played_[static_cast<std::size_t>(player)][action] = stamp_;
    }

    // Along the path, every action that its player played later gets the result too.
    void learn(Score result, int player) {
        const auto path = tree_.path();
        for (std::size_t i = path.size(); i-- > 0;) {
            const Node& node = tree_[path[i]];
            if (node.chance) {
                mark(node.mover, node.action);
                continue;
            }
            if (node.result) continue;
            for (Node& child : tree_.children(path[i])) {
                if (played_[child.mover][child.action] != stamp_) continue;
                child.prior += static_cast<float>(child.mover == player ? result : -result);
                child.raw += 1;
            }
            const bool result_of_chance = i > 0 && tree_[path[i - 1]].result;
            if (i > 0 && !result_of_chance) mark(node.mover, node.action);
        }
    }

    UctOptions options_;
    Random random_;
    State<G> root_, at_;
    Tree tree_;
    std::array<std::vector<std::uint64_t>, 2> played_;  // the last playout with this action
    std::uint64_t stamp_ = 0;
};

// Several trees below the same root, one a thread; what they found is added up.
template <Game G>
class Uct {
  public:
    Uct(const State<G>& root, const UctOptions& options, std::uint64_t seed, int threads) {
        for (int i = 0; i < threads; ++i) {
            trees_.emplace_back(root, options,
                                Random(seed, Stream::Tree, static_cast<std::uint64_t>(i)));
        }
    }

    // The simulations are dealt out like cards, so that it does not matter how they are sliced.
    std::uint64_t run(std::uint64_t simulations, std::optional<double> seconds) {
        const std::uint64_t count = trees_.size(), before = asked_;
        std::vector<std::uint64_t> done(count);
        asked_ += simulations;
        const double began = Stopwatch::now();
        in_threads(static_cast<int>(count), count, [&](std::size_t i) {
            const auto share = [&](std::uint64_t total) { return (total + count - 1 - i) / count; };
            // Where there are fewer threads than trees, a later one gets what time is left.
            std::optional<double> left;
            if (seconds) left = *seconds - (Stopwatch::now() - began);
            done[i] = trees_[i].run(share(asked_) - share(before), left);
        });
        std::uint64_t sum = 0;
        for (const std::uint64_t each : done) sum += each;
        return sum;
    }

    // All trees go, or none: with different roots their looks could not be added up.
    bool seek(const State<G>& state) {
        std::vector<NextRoot<G>> next;
        for (const auto& tree : trees_) next.push_back(tree.next(state));
        asked_ = 0;
        bool kept = true;
        for (std::size_t i = 0; i < trees_.size(); ++i) kept &= trees_[i].go(next[i]);
        for (auto& tree : trees_) tree.prepare();
        return kept;
    }

    std::vector<Look> result() const {
        std::vector<Look> sum = trees_.front().result();
        for (std::size_t i = 1; i < trees_.size(); ++i) add(sum, trees_[i].result());
        return sum;
    }

    // From the tree that looked deepest into this action.
    std::vector<Action> line(Action first) const {
        std::vector<Action> longest;
        for (const auto& tree : trees_) {
            auto actions = ludus::line(tree.tree(), first);
            if (actions.size() > longest.size()) longest = std::move(actions);
        }
        return longest;
    }

    std::size_t nodes() const { return sum(&Tree::size); }
    std::size_t bytes() const { return sum(&Tree::bytes); }

  private:
    std::size_t sum(std::size_t (Tree::*part)() const) const {
        std::size_t total = 0;
        for (const auto& tree : trees_) total += (tree.tree().*part)();
        return total;
    }

    std::vector<UctTree<G>> trees_;
    std::uint64_t asked_ = 0;
};

}  // namespace ludus
