// Many trees in step, for evaluators that like to be asked about many positions at once.
#pragma once

#include "guided.hpp"
#include "threads.hpp"

namespace ludus {

// Writes what a network sees of a leaf, and its legal actions, in the frame of its mover.
template <Game G>
void show(const State<G>& leaf, Planes planes, std::span<float> features,
          std::span<std::uint8_t> mask) {
    leaf.position().features(features, planes);
    std::ranges::fill(mask, std::uint8_t{0});
    for (const Action a : leaf.legal()) mask[leaf.position().seen(a)] = 1;
}

// `gather` takes every tree that is not done to a leaf and shows these; `scatter` takes back what
// they are worth. Trees are independent: each has its own generator, and threads take whole ones.
template <Game G>
class Forest {
  public:
    Forest(const State<G>& root, std::size_t trees, int simulations, std::uint64_t seed,
           const GuidedOptions& options, int threads)
        : planes_(options.planes),
          threads_(threads),
          shape_(root.position().shape(planes_)),
          num_actions_(static_cast<std::size_t>(root.num_actions())) {
        slots_.reserve(trees);
        waiting_.reserve(trees);
        for (std::size_t row = 0; row < trees; ++row) {
            slots_.push_back({{root, options, simulations, Random(seed, Stream::Forest, row)}});
        }
    }

    std::size_t size() const { return slots_.size(); }
    std::size_t waiting() const { return waiting_.size(); }
    const State<G>& state(std::size_t row) const { return slots_[row].search.root(); }
    Shape shape() const { return shape_; }
    std::size_t num_actions() const { return num_actions_; }
    std::size_t nodes() const {
        std::size_t sum = 0;
        for (const Slot& slot : slots_) sum += slot.search.tree().size();
        return sum;
    }
    std::size_t bytes() const {
        std::size_t sum = 0;
        for (const Slot& slot : slots_) sum += slot.search.tree().bytes();
        return sum;
    }

    // One of the trees, none of whose leaves waits.
    Guided<G>& tree(std::size_t row) { return slots_[row].search; }
    const Guided<G>& tree(std::size_t row) const { return slots_[row].search; }

    // Writes a row of features and of legal actions for each leaf, in the frame of its mover.
    // Returns how many; none when all trees are done.
    std::size_t gather(std::span<float> features, std::span<std::uint8_t> masks) {
        in_threads(threads_, slots_.size(), [&](std::size_t row) { tree(row).find_leaf(); });
        for (std::size_t row = 0; row < slots_.size(); ++row) {
            if (tree(row).waiting()) waiting_.push_back(row);
        }
        const auto planes = static_cast<std::size_t>(shape().size());
        try {
            in_threads(threads_, waiting_.size(), [&](std::size_t i) {
                show(tree(waiting_[i]).leaf(), planes_, features.subspan(i * planes, planes),
                     masks.subspan(i * num_actions(), num_actions()));
            });
        } catch (...) {
            waiting_.clear();  // what nobody saw, nobody can evaluate
            throw;
        }
        return waiting_.size();
    }

    // The first row whose evaluation is none: a value outside [-1, 1], or priors of legal actions
    // that are negative or not finite. waiting() if all are good.
    std::size_t first_bad(std::span<const float> priors, std::span<const float> values) const {
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const State<G>& leaf = tree(waiting_[i]).leaf();
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
            Guided<G>& search = tree(waiting_[i]);
            if (!search.waiting()) return;  // taken before another row failed
            const auto row = priors.subspan(i * num_actions(), num_actions());
            search.take([&](Action a) { return row[search.leaf().position().seen(a)]; }, values[i]);
        });
        waiting_.clear();
    }

    // Plays an action; chance is left to the tree's generator.
    void advance(std::size_t row, Action action) {
        State<G> next = state(row);
        next.play(action, tree(row).random());
        tree(row).seek(next);
    }

  private:
    struct alignas(64) Slot {  // no cache line is written to by two threads
        Guided<G> search;
    };

    Planes planes_;
    int threads_;
    Shape shape_;
    std::size_t num_actions_;
    std::vector<Slot> slots_;
    std::vector<std::size_t> waiting_;  // the trees of the rows that were gathered
};

}  // namespace ludus
