// Which child to go to: UCT, RAVE, PUCT and Gumbel, choices over the same tree.
//
// With proofs none goes to a child that is proven: there is nothing left to find out. A parent that
// is not proven has others.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "tree.hpp"

namespace ludus {

// The child of the highest score among those worth a visit, of the first so many; None if none
// scores more than `least`.
template <class Score, class Number>
std::uint32_t best_child(const Tree& tree, std::uint32_t parent, Score score, Number least,
                         std::size_t count) {
    const auto children = tree.children(parent).first(count);
    std::uint32_t best = Tree::None;
    for (std::uint32_t i = 0; i < children.size(); ++i) {
        if (tree.proofs() && children[i].proof != Proof::Unknown) continue;
        if (const auto found = score(children[i]); found > least) {
            least = found;
            best = tree[parent].first + i;
        }
    }
    return best;
}

template <class Score>
std::uint32_t best_child(const Tree& tree, std::uint32_t parent, Score score) {
    using Number = decltype(score(tree[parent]));
    const auto best = best_child(tree, parent, score, -std::numeric_limits<Number>::infinity(),
                                 tree[parent].children);
    return best == Tree::None ? tree[parent].first : best;
}

// Upper confidence bounds: what was good so far, and what was seldom tried. Untried children come
// first, in random order; with first-play urgency (Gelly and Wang 2006) one of them comes when no
// tried child scores more than its parent is worth plus that.
struct UctChoice {
    static constexpr float Always = 1e6f;
    float c = 1.4f;
    float fpu = Always;

    std::uint32_t operator()(Tree& tree, std::uint32_t parent, Random& random) const {
        Node& node = tree[parent];
        const float scale = c * std::sqrt(std::log(static_cast<float>(node.visits)));
        const auto score = [scale](const Node& child) {
            const float share = 1 / static_cast<float>(std::max(child.visits, 1u));
            return static_cast<float>(child.total) * share + scale * std::sqrt(share);
        };
        if (node.tried == node.children) return best_child(tree, parent, score);
        if (fpu < Always && node.tried > 0) {
            const auto mean = static_cast<float>(node.value());
            const float own = node.mover == tree[node.first].mover ? mean : -mean;
            const auto best = best_child(tree, parent, score, own + fpu, node.tried);
            if (best != Tree::None) return best;
        }
        // A node never visited has nothing below it, so it may change places.
        const auto left = static_cast<std::uint32_t>(node.children - node.tried);
        const std::uint32_t next = node.first + node.tried++;
        std::swap(tree[next], tree[next + random.below(left)]);
        return next;
    }
};

// UCT that also asks how the action did wherever its player played it later on (all moves as
// first). `equivalence` is how many visits make both opinions count about alike.
struct RaveChoice {
    float c = 1.4f;
    float equivalence = 1000;

    std::uint32_t operator()(Tree& tree, std::uint32_t parent, Random&) const {
        const float scale = c * std::sqrt(std::log(static_cast<float>(tree[parent].visits + 1)));
        return best_child(tree, parent, [&](const Node& child) {
            const auto visits = static_cast<float>(child.visits);
            const float weight = std::sqrt(equivalence / (3 * visits + equivalence));
            const float others = child.raw > 0 ? child.prior / child.raw : 1;  // hope
            return (1 - weight) * static_cast<float>(child.value()) + weight * others +
                   scale / std::sqrt(visits + 1);
        });
    }
};

// AlphaZero's rule: a prior says how much to explore. A child never visited is worth what its
// parent is, less `fpu_reduction` for every part of the prior already looked into; or nothing, as
// some papers have it.
struct PuctChoice {
    float c_puct = 1.25f;
    float fpu_reduction = 0.25f;
    bool unvisited_zero = false;

    std::uint32_t operator()(Tree& tree, std::uint32_t parent, Random&) const {
        const Node& node = tree[parent];
        const auto children = tree.children(parent);
        float seen = 0;
        for (const Node& child : children) {
            if (child.tries()) seen += child.prior;
        }
        const auto mean = static_cast<float>(node.value());
        const float reduced =
            (node.mover == children[0].mover ? mean : -mean) - fpu_reduction * std::sqrt(seen);
        const float fresh = unvisited_zero ? 0 : reduced;
        const float scale = c_puct * std::sqrt(static_cast<float>(node.tries()));
        return best_child(tree, parent, [=](const Node& child) {
            const float value = child.visits ? static_cast<float>(child.value()) : fresh;
            return value + scale * child.prior / static_cast<float>(1 + child.tries());
        });
    }
};

// Mixes noise into the priors of the root.
inline void add_dirichlet(Tree& tree, double alpha, double fraction, Random& random) {
    const auto children = tree.children(Tree::Root);
    std::gamma_distribution<double> gamma(alpha);
    std::vector<double> noise(children.size());
    double sum = 0;
    for (double& part : noise) sum += part = gamma(random);
    for (std::size_t i = 0; i < noise.size() && sum > 0; ++i) {
        const double mixed = (1 - fraction) * children[i].prior + fraction * noise[i] / sum;
        children[i].prior = static_cast<float>(mixed);
    }
}

// Gumbel search (Danihelka et al. 2022). At the root, some actions drawn without replacement are
// tried in rounds, of which each halves their number; below, visits follow the improved policy.
class GumbelChoice {
  public:
    // The weight of values beside priors: (maxvisit_init + most visits) * scale.
    double maxvisit_init = 50;
    double scale = 1;

    // Before a search of so many simulations below a root just expanded.
    void plan(const Tree& tree, int simulations, int considered, bool noise, Random& random) {
        forget();
        std::vector<double> gumbels(tree.root().children, 0.0);
        for (double& g : gumbels) {
            if (noise) g = -std::log(-std::log(std::max(random.uniform(), 0x1p-53)));
        }
        plan_rounds(simulations, std::min(considered, static_cast<int>(gumbels.size())));
        gumbels_ = std::move(gumbels);
    }

    // Whether there is a plan for the root: none after a new root, or if memory failed.
    bool has_plan() const { return !gumbels_.empty(); }
    void forget() noexcept { gumbels_.clear(); }

    std::uint32_t operator()(const Tree& tree, std::uint32_t parent, Random&) {
        const auto children = tree.children(parent);
        improve(tree, parent);
        std::uint32_t visits = 0;
        for (const Node& child : children) visits += child.tries();
        if (parent == Tree::Root) return next_scheduled(tree, visits);
        normalise();
        return best_child(tree, parent, [&](const Node& child) {
            return scores_[static_cast<std::size_t>(&child - children.data())] -
                   child.tries() / (1.0 + visits);
        });
    }

    // The improved policy at the root, child by child.
    std::span<const double> policy(const Tree& tree) {
        improve(tree, Tree::Root);
        normalise();
        return scores_;
    }

    // What a child of the root that was not tried is taken to be worth.
    double unseen(const Tree& tree) {
        improve(tree, Tree::Root);
        return mixture_;
    }

    // The child to play: of those tried most the best, by noise, prior and value.
    std::uint32_t decision(const Tree& tree) {
        improve(tree, Tree::Root);
        std::uint32_t most = 0;
        for (const Node& child : tree.children(Tree::Root)) {
            if (!tree.proofs() || child.proof == Proof::Unknown)
                most = std::max(most, child.visits);
        }
        return best_with(tree, most);
    }

  private:
    // In each round every action still considered gets as many visits as the others.
    void plan_rounds(int simulations, int considered) {
        rounds_.clear();
        const int halvings = std::max(1, static_cast<int>(std::ceil(std::log2(considered))));
        std::uint32_t visits = 0;
        const auto wanted = static_cast<std::size_t>(simulations);
        while (rounds_.size() < wanted) {
            const int each = std::max(1, simulations / (halvings * considered));
            for (int i = 0; i < each; ++i, ++visits) {
                rounds_.insert(rounds_.end(), static_cast<std::size_t>(considered), visits);
            }
            considered = std::max(std::min(2, considered), considered / 2);
        }
        rounds_.resize(wanted);
    }

    std::uint32_t next_scheduled(const Tree& tree, std::uint32_t done) const {
        return best_with(tree, done < rounds_.size() ? rounds_[done] : 0);
    }

    // The best child among those visited so often, or else among all.
    std::uint32_t best_with(const Tree& tree, std::uint32_t visits) const {
        const auto children = tree.children(Tree::Root);
        return best_child(tree, Tree::Root, [&](const Node& child) {
            const auto i = static_cast<std::size_t>(&child - children.data());
            return gumbels_[i] + scores_[i] - (child.tries() == visits ? 0.0 : 1e6);
        });
    }

    // Scores become log prior + weight * value, where what was not visited is worth a mixture of
    // the network's opinion and the values that are known.
    void improve(const Tree& tree, std::uint32_t parent) {
        const auto children = tree.children(parent);
        double visits = 0, mass = 0, mean = 0, most = 0;
        for (const Node& child : children) {
            if (!child.visits) continue;
            visits += child.visits;
            most = std::max<double>(most, child.visits);
            mass += child.prior;
            mean += child.prior * child.value();
        }
        const double known = mass > 0 ? mean / mass : 0;
        mixture_ = (tree[parent].raw + visits * known) / (1 + visits);
        const double weight = (maxvisit_init + most) * scale / 2;  // values span two
        scores_.clear();
        for (const Node& child : children) {
            const double value = child.visits ? child.value() : mixture_;
            scores_.push_back(std::log(std::max(child.prior, 1e-30f)) + weight * value);
        }
    }

    void normalise() {
        const double highest = *std::ranges::max_element(scores_);
        double sum = 0;
        for (double& score : scores_) sum += score = std::exp(score - highest);
        for (double& score : scores_) score /= sum;
    }

    std::vector<double> gumbels_, scores_;
    double mixture_ = 0;
    std::vector<std::uint32_t> rounds_;  // how often what is chosen next has been visited
};

}  // namespace ludus
