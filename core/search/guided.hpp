// One tree that a network guides: it goes to a leaf or several, waits, and takes back what they are
// worth.
#pragma once

#include <optional>

#include "result.hpp"
#include "reuse.hpp"
#include "selection.hpp"

namespace ludus {

struct GuidedOptions {
    bool gumbel = false;  // else PUCT
    PuctChoice puct;
    double dirichlet_alpha = 0.3, dirichlet_fraction = 0;  // Dirichlet noise at PUCT's roots
    int max_num_considered_actions = 16;  // actions of which Gumbel's roots try the best
    bool gumbel_noise = true;
    double maxvisit_init = 50, value_scale = 1;
    bool plain = false;
    bool root_only = false;           // nothing below the root's children is searched
    std::size_t leaves = 1;           // that may wait for evaluations at once
    std::size_t max_collisions = 64;  // descents to leaves that wait, before no other is looked for
    ChanceRule chance{};
    std::uint32_t max_nodes = 4'000'000;
    Planes planes = Planes::Full;
};

template <Game G>
class Guided {
  public:
    Guided(const State<G>& root, const GuidedOptions& options, int simulations, Random random)
        : root_(root),
          random_(random),
          options_(options),
          tree_(Growth::WithPriors, options.max_nodes, !options.plain,
                with_landings(options.chance, root.position())),
          wanted_(simulations) {
        gumbel_.maxvisit_init = options.maxvisit_init;
        gumbel_.scale = options.value_scale;
        tree_.reset(root.player());
    }

    const State<G>& root() const { return root_; }
    const Tree& tree() const { return tree_; }
    Random& random() { return random_; }

    // The leaves that were found together; they are taken back in this order.
    std::size_t num_found() const { return found_; }
    std::size_t num_taken() const { return taken_; }
    bool waiting() const { return taken_ < found_; }
    const State<G>& leaf(std::size_t place) const { return leaves_[place].state; }
    const State<G>& leaf() const { return leaf(taken_); }  // the next
    bool at_root() const { return leaves_[taken_].path.back() == Tree::Root; }

    // How many simulations there shall have been since the root was set. The evaluation of the
    // root is not one.
    void allow(int simulations) {
        wanted_ = simulations;
        if (options_.gumbel && tree_.root().children) plan();
    }

    // Whether chance has a say at the root: noise in what is tried first.
    void be_noisy(bool gumbel_noise, double dirichlet_fraction) {
        options_.gumbel_noise = gumbel_noise;
        options_.dirichlet_fraction = dirichlet_fraction;
    }

    // Goes on until as many leaves wait for their evaluations as may, or there is none to be found;
    // returns how many. None means that nothing is left to do.
    //
    // A descent that ends at a leaf that waits counts as a visit until all are found, so that the
    // next goes elsewhere once that is better; after too many of these no other leaf is of use.
    std::size_t find_leaves() {
        drop_leaves();
        plan_if_missing();
        while (found_ < options_.leaves && has_work()) {
            tree_.require_room();
            if (leaves_.size() == found_) leaves_.push_back({root_, {}});
            Leaf& leaf = leaves_[found_];
            leaf.state = root_;
            const Arrival arrival = options_.gumbel
                                        ? tree_.descend(leaf.state, random_, gumbel_)
                                        : tree_.descend(leaf.state, random_, options_.puct);
            const auto path = tree_.path();
            if (arrival == Arrival::Leaf) {
                leaf.path.assign(path.begin(), path.end());
                tree_.hold();
                ++found_;
            } else if (arrival == Arrival::Known) {
                ++done_;
            } else {
                if (path.size() == 1 || collisions_.size() >= options_.max_collisions) break;
                collisions_.emplace_back(path.begin(), path.end());
                tree_.count_pending(path, 1);
            }
        }
        drop_collisions();
        return found_;
    }

    // What the next leaf is worth to who moves there, and the prior of each of its legal actions.
    template <class Prior>
    void take(Prior prior, float value) {
        const Leaf& leaf = leaves_[taken_];
        tree_.return_to(leaf.path);
        const std::uint32_t index = leaf.path.back();
        const bool root = at_root();
        if (tree_.leaf_is_node()) {
            tree_[index].raw = value;
            const bool grows = root || !options_.root_only;
            // There are children already if it failed between the two before.
            if (grows && (tree_[index].children || tree_.expand(index, leaf.state))) {
                set_priors(tree_.children(index), prior);
            }
        }
        tree_.release(leaf.path);
        tree_.back_up(value, leaf.state.player());
        done_ += !root;
        ++taken_;
        if (!root) return;
        clean_.clear();
        prepare();
    }

    // Gives up the leaves that wait: nobody will evaluate them.
    void drop_leaves() noexcept {
        drop_collisions();
        for (; taken_ < found_; ++taken_) tree_.release(leaves_[taken_].path);
        found_ = taken_ = 0;
    }

    // Goes on from this state, with what was thought of it before if it is near the root.
    // Gumbel's rounds count from nothing, so its trees always start anew.
    bool seek(const State<G>& state) {
        drop_leaves();
        const bool anew = options_.gumbel || options_.plain;
        const bool kept = begin_at(NextRoot<G>(tree_, root_, state, anew));
        if (kept && tree_.root().children) prepare();
        return kept;
    }

    // Forgets what was thought: the network that thought it is no more.
    void restart(const State<G>& state) { begin_at(NextRoot<G>(tree_, root_, state, true)); }

    std::vector<Look> result() const {
        return tree_.root().children ? looks(tree_) : no_looks(root_);
    }

    // By action, as `result` is: Gumbel's improved policy, or the shares of visits.
    std::vector<double> policy() {
        const std::vector<Look> found = result();
        if (!options_.gumbel || !tree_.root().children) return shares(found);
        const auto improved = gumbel_.policy(tree_);
        std::vector<double> weights;
        for (const Look& look : found) weights.push_back(improved[rank(look.action)]);
        return shares(found, weights);
    }

    // The network's priors of the root's actions, without noise; none before it was evaluated.
    std::vector<std::pair<Action, float>> priors() const {
        std::vector<std::pair<Action, float>> found;
        for (const Node& child : tree_.children(Tree::Root)) {
            const std::size_t i = found.size();
            found.emplace_back(child.action, i < clean_.size() ? clean_[i] : child.prior);
        }
        return found;
    }

    // The principal variation: from the action to play on, as far as was searched.
    std::vector<Action> line() { return ludus::line(tree_, decision()); }

    // What the root is worth to its mover if the policy is followed. The mean over all simulations
    // is less: it counts what was tried only to be dropped.
    double value() {
        const std::vector<Look> found = result();
        const std::vector<double> shares = policy();
        const double unseen = options_.gumbel && tree_.root().children ? gumbel_.unseen(tree_) : 0;
        double sum = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool known = found[i].visits || found[i].proof != Proof::Unknown;
            sum += shares[i] * (known ? found[i].value() : unseen);
        }
        return sum;
    }

    // What the state that chance made of an action is worth to who chose it, where its results were
    // looked at. One not seen is worth what the network says of the root, as it is in their
    // expectation, so the mean of this over all results is the value of the action.
    std::optional<double> landing_value(Action action, const State<G>& landing) const
        requires Chancy<G>
    {
        const Node& chosen = tree_.children(Tree::Root)[rank(action)];
        if (!chosen.chance || !chosen.children || options_.chance.sample) return {};
        const auto chances = root_.position().chances(action);
        for (std::uint32_t i = 0; i < chosen.children; ++i) {
            G at = root_.position();
            at.apply(action, chances[i].result);
            if (!(at == landing.position())) continue;
            const Node& there = tree_[tree_.landing(Tree::Root, chosen, tree_[chosen.first + i])];
            if (there.seen()) return there.value();
        }
        return tree_.root().raw;
    }

    // The action to play; there is one while the game goes on.
    Action decision() {
        const std::vector<Look> found = result();
        const auto proven = [](const Look& look) { return look.proof >= Proof::Draw; };
        const bool open = tree_.root().children && !std::ranges::any_of(found, proven) &&
                          proof(found) == Proof::Unknown;
        plan_if_missing();
        return options_.gumbel && open ? tree_[gumbel_.decision(tree_)].action
                                       : best(found)->action;
    }

  private:
    struct Leaf {
        State<G> state;
        std::vector<std::uint32_t> path;
    };

    bool has_work() const {
        return done_ + static_cast<int>(found_) < wanted_ && tree_.root().proof == Proof::Unknown;
    }

    void drop_collisions() noexcept {
        for (const auto& path : collisions_) tree_.count_pending(path, -1);
        collisions_.clear();
    }

    bool begin_at(NextRoot<G> next) noexcept {
        done_ = 0;
        found_ = taken_ = 0;
        collisions_.clear();
        gumbel_.forget();
        if (!next.same) clean_.clear();
        return next.put(tree_, root_);
    }

    void plan_if_missing() {
        if (options_.gumbel && tree_.root().children && !gumbel_.has_plan()) plan();
    }

    std::size_t rank(Action action) const {
        const auto children = tree_.children(Tree::Root);
        const auto at = std::ranges::find(children, action, &Node::action);
        return static_cast<std::size_t>(at - children.begin());
    }

    template <class Prior>
    static void set_priors(std::span<Node> children, Prior prior) {
        double sum = 0;
        for (const Node& child : children) sum += prior(child.action);
        for (Node& child : children) {
            child.prior = static_cast<float>(sum > 0 ? prior(child.action) / sum
                                                     : 1.0 / static_cast<double>(children.size()));
        }
    }

    // Before the first simulation below a root that has children. A root that is searched again
    // gets new noise in place of the old: it never adds up.
    void prepare() {
        if (options_.gumbel) return plan();
        const auto children = tree_.children(Tree::Root);
        for (std::size_t i = 0; i < clean_.size(); ++i) children[i].prior = clean_[i];
        if (options_.dirichlet_fraction <= 0) return;
        clean_.clear();
        for (const Node& child : children) clean_.push_back(child.prior);
        add_dirichlet(tree_, options_.dirichlet_alpha, options_.dirichlet_fraction, random_);
    }

    void plan() {
        gumbel_.plan(tree_, wanted_, options_.max_num_considered_actions, options_.gumbel_noise,
                     random_);
    }

    State<G> root_;
    Random random_;
    GuidedOptions options_;
    Tree tree_;
    GumbelChoice gumbel_;
    std::vector<float> clean_;  // priors of the root's children without the noise in them, if any
    int wanted_ = 0, done_ = 0;
    std::vector<Leaf> leaves_;  // of which these are in use, and those were taken back:
    std::size_t found_ = 0, taken_ = 0;
    std::vector<std::vector<std::uint32_t>> collisions_;
};

}  // namespace ludus
