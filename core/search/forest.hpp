// Many trees in step, for evaluators that like to be asked about many positions at once.
#pragma once

#include "result.hpp"
#include "reuse.hpp"
#include "selection.hpp"
#include "threads.hpp"

namespace ludus {

struct ForestOptions {
    bool gumbel = false;  // else PUCT
    PuctChoice puct;
    double noise_alpha = 0.3, noise_fraction = 0;  // Dirichlet noise at PUCT's roots
    int considered = 16;                           // actions of which Gumbel's roots try the best
    bool gumbel_noise = true;
    double visit_offset = 50, value_scale = 1;
    bool plain = false;
    std::uint32_t max_nodes = 4'000'000;  // each tree
    Planes planes = Planes::Full;
};

// `gather` takes every tree that is not done to a leaf and shows these; `scatter` takes back what
// they are worth. Trees are independent: each has its own generator, and threads take whole ones.
template <Game G>
class Forest {
  public:
    Forest(const State<G>& root, std::size_t trees, int simulations, std::uint64_t seed,
           const ForestOptions& options, int threads)
        : options_(options), threads_(threads) {
        slots_.reserve(trees);
        for (std::size_t row = 0; row < trees; ++row) {
            Slot& slot = slots_.emplace_back(root, options, Random(seed, row));
            slot.wanted = simulations;
            slot.tree.reset(root.player());
        }
    }

    std::size_t size() const { return slots_.size(); }
    std::size_t waiting() const { return waiting_.size(); }
    const State<G>& state(std::size_t row) const { return slots_[row].root; }
    Shape shape() const { return slots_[0].root.position().shape(options_.planes); }
    std::size_t num_actions() const {
        return static_cast<std::size_t>(slots_[0].root.num_actions());
    }
    std::size_t nodes() const {
        std::size_t sum = 0;
        for (const Slot& slot : slots_) sum += slot.tree.size();
        return sum;
    }
    std::size_t bytes() const {
        std::size_t sum = 0;
        for (const Slot& slot : slots_) sum += slot.tree.bytes();
        return sum;
    }

    // How many simulations a tree shall have had since its root was set. The evaluation of the
    // root is not one.
    void allow(std::size_t row, int simulations) {
        Slot& slot = slots_[row];
        slot.wanted = simulations;
        if (options_.gumbel && slot.tree.root().children) plan(slot);
    }

    // Writes a row of features and of legal actions for each leaf, in the frame of its mover.
    // Returns how many; none when all trees are done.
    std::size_t gather(std::span<float> features, std::span<std::uint8_t> masks) {
        in_threads(threads_, slots_.size(), [&](std::size_t row) { find_leaf(slots_[row]); });
        waiting_.clear();
        for (std::size_t row = 0; row < slots_.size(); ++row) {
            if (slots_[row].at_leaf) waiting_.push_back(row);
        }
        in_threads(threads_, waiting_.size(), [&](std::size_t i) {
            const State<G>& leaf = slots_[waiting_[i]].leaf;
            const auto planes = static_cast<std::size_t>(shape().size());
            leaf.position().features(features.subspan(i * planes, planes), options_.planes);
            const auto mask = masks.subspan(i * num_actions(), num_actions());
            std::ranges::fill(mask, std::uint8_t{0});
            for (const Action a : leaf.legal()) mask[leaf.position().seen(a)] = 1;
        });
        return waiting_.size();
    }

    // The first row whose evaluation is none: a value outside [-1, 1], or priors of legal actions
    // that are negative or not finite. waiting() if all are good.
    std::size_t first_bad(std::span<const float> priors, std::span<const float> values) const {
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const State<G>& leaf = slots_[waiting_[i]].leaf;
            bool good = values[i] >= -1 && values[i] <= 1;
            for (const Action a : leaf.legal()) {
                const float prior = priors[i * num_actions() + leaf.position().seen(a)];
                good = good && prior >= 0 && std::isfinite(prior);
            }
            if (!good) return i;
        }
        return waiting_.size();
    }

    // Takes back, in the order of the rows, priors over actions (of which only the legal ones
    // count) and the value for the player to move.
    void scatter(std::span<const float> priors, std::span<const float> values) {
        in_threads(threads_, waiting_.size(), [&](std::size_t i) {
            take(slots_[waiting_[i]], priors.subspan(i * num_actions(), num_actions()), values[i]);
        });
        waiting_.clear();
    }

    // Plays an action; chance is left to the tree's generator.
    void advance(std::size_t row, Action action) {
        State<G> next = slots_[row].root;
        next.play(action, slots_[row].random);
        seek(row, next);
    }

    // Continues a tree from this state, with what was thought of it before if it is near the root.
    // Gumbel's rounds count from nothing, so its trees always start anew.
    bool seek(std::size_t row, const State<G>& state) {
        Slot& slot = slots_[row];
        const bool anew = options_.gumbel || options_.plain;
        const auto index = anew ? Tree::None : found(slot.tree, slot.root, state);
        slot.root = state;
        slot.done = 0;
        if (index == Tree::None) {
            slot.tree.reset(state.player());
            return false;
        }
        if (index != Tree::Root) slot.tree.reroot(index, state.player());
        if (slot.tree.root().children) prepare(slot);
        return true;
    }

    std::vector<Look> result(std::size_t row) const {
        const Slot& slot = slots_[row];
        if (slot.tree.root().children) return looks(slot.tree);
        std::vector<Look> nothing;
        for (const Action a : slot.root.legal()) nothing.push_back({.action = a});
        std::ranges::sort(nothing, {}, &Look::action);
        return nothing;
    }

    // By action, as `result` is: Gumbel's improved policy, or the shares of visits.
    std::vector<double> policy(std::size_t row) {
        Slot& slot = slots_[row];
        const std::vector<Look> found = result(row);
        if (!options_.gumbel || !slot.tree.root().children) return shares(found);
        const auto improved = slot.gumbel.policy(slot.tree);
        std::vector<double> weights;
        for (const Look& look : found) weights.push_back(improved[rank(slot.tree, look.action)]);
        return shares(found, weights);
    }

    // The action to play; there is one while the game goes on.
    Action decided(std::size_t row) {
        Slot& slot = slots_[row];
        const std::vector<Look> found = result(row);
        const auto proven = [](const Look& look) { return look.proof >= Proof::Draw; };
        const bool open = slot.tree.root().children && !std::ranges::any_of(found, proven) &&
                          proof(found) == Proof::Unknown;
        return options_.gumbel && open ? slot.tree[slot.gumbel.decided(slot.tree)].action
                                       : best(found)->action;
    }

  private:
    struct alignas(64) Slot {  // no cache line is written to by two threads
        Slot(const State<G>& state, const ForestOptions& options, Random generator)
            : root(state),
              leaf(state),
              random(generator),
              tree(Growth::WithPriors, options.max_nodes, !options.plain) {
            gumbel.visit_offset = options.visit_offset;
            gumbel.scale = options.value_scale;
        }

        State<G> root, leaf;
        Random random;
        Tree tree;
        GumbelChoice gumbel;
        int wanted = 0, done = 0;
        bool at_leaf = false;
    };

    static std::size_t rank(const Tree& tree, Action action) {
        const auto children = tree.children(Tree::Root);
        const auto at = std::ranges::find(children, action, &Node::action);
        return static_cast<std::size_t>(at - children.begin());
    }

    void find_leaf(Slot& slot) {
        while (slot.done < slot.wanted && slot.tree.root().proof == Proof::Unknown) {
            slot.leaf = slot.root;
            slot.at_leaf = options_.gumbel
                               ? slot.tree.descend(slot.leaf, slot.random, slot.gumbel)
                               : slot.tree.descend(slot.leaf, slot.random, options_.puct);
            if (slot.at_leaf) return;
            ++slot.done;
        }
    }

    void take(Slot& slot, std::span<const float> priors, float value) {
        Tree& tree = slot.tree;
        const std::uint32_t index = tree.path().back();
        const bool root = index == Tree::Root;
        if (tree.leaf_is_node()) {
            tree[index].raw = value;
            if (tree.expand(index, slot.leaf)) set_priors(tree.children(index), slot.leaf, priors);
        }
        tree.back_up(value, slot.leaf.player());
        if (root) prepare(slot);
        slot.done += !root;
        slot.at_leaf = false;
    }

    static void set_priors(std::span<Node> children, const State<G>& at,
                           std::span<const float> priors) {
        double sum = 0;
        for (const Node& child : children) sum += priors[at.position().seen(child.action)];
        for (Node& child : children) {
            const double prior = priors[at.position().seen(child.action)];
            child.prior = static_cast<float>(sum > 0 ? prior / sum
                                                     : 1.0 / static_cast<double>(children.size()));
        }
    }

    // Before the first simulation below a root that has children.
    void prepare(Slot& slot) {
        if (options_.gumbel) {
            plan(slot);
        } else if (options_.noise_fraction > 0) {
            add_dirichlet(slot.tree, options_.noise_alpha, options_.noise_fraction, slot.random);
        }
    }

    void plan(Slot& slot) {
        slot.gumbel.plan(slot.tree, slot.wanted, options_.considered, options_.gumbel_noise,
                         slot.random);
    }

    ForestOptions options_;
    int threads_;
    std::vector<Slot> slots_;
    std::vector<std::size_t> waiting_;  // the trees of the rows that were gathered
};

}  // namespace ludus
