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

// `gather` takes every tree that is not done to a leaf, or to several, and shows these; `scatter`
// takes back what they are worth. Trees are independent: each has its own generator, and threads
// take whole ones.
template <Game G>
class Forest {
  public:
    Forest(const State<G>& root, std::size_t trees, int simulations, std::uint64_t seed,
           const GuidedOptions& options, int threads)
        : planes_(options.planes),
          leaves_(options.leaves),
          threads_(threads),
          shape_(root.position().shape(planes_)),
          num_actions_(static_cast<std::size_t>(root.num_actions())) {
        slots_.reserve(trees);
        asking_.reserve(trees);
        for (std::size_t row = 0; row < trees; ++row) {
            slots_.push_back({{root, options, simulations, Random(seed, Stream::Forest, row)}});
        }
    }

    std::size_t size() const { return slots_.size(); }
    std::size_t max_rows() const { return size() * leaves_; }  // that one gather may write
    std::size_t waiting() const { return rows_; }
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
        const auto planes = static_cast<std::size_t>(shape().size());
        try {
            in_threads(threads_, size(), [&](std::size_t row) { tree(row).find_leaves(); });
            for (std::size_t row = 0; row < size(); ++row) {
                if (tree(row).num_found() == 0) continue;
                asking_.push_back({row, rows_});
                rows_ += tree(row).num_found();
            }
            in_threads(threads_, asking_.size(), [&](std::size_t i) {
                each_leaf(asking_[i], [&](std::size_t row, const State<G>& leaf) {
                    show(leaf, planes_, features.subspan(row * planes, planes),
                         masks.subspan(row * num_actions(), num_actions()));
                });
            });
        } catch (...) {  // what nobody saw, nobody can evaluate
            forget_rows();
            for (Slot& slot : slots_) slot.search.drop_leaves();
            throw;
        }
        return rows_;
    }

    // The first row whose evaluation is none: a value outside [-1, 1], or priors of legal actions
    // that are negative or not finite. waiting() if all are good.
    std::size_t first_bad(std::span<const float> priors, std::span<const float> values) const {
        std::size_t first = rows_;
        for (const Asking& asking : asking_) {
            each_leaf(asking, [&](std::size_t row, const State<G>& leaf) {
                bool good = values[row] >= -1 && values[row] <= 1;
                for (const Action a : leaf.legal()) {
                    const float prior = priors[row * num_actions() + leaf.position().seen(a)];
                    good = good && prior >= 0 && std::isfinite(prior);
                }
                if (!good) first = std::min(first, row);
            });
        }
        return first;
    }

    // Takes back, in the order of the rows, priors over actions (of which only the legal ones
    // count) and the value for the player to move.
    void scatter(std::span<const float> priors, std::span<const float> values) {
        in_threads(threads_, asking_.size(), [&](std::size_t i) {
            Guided<G>& search = tree(asking_[i].tree);
            while (search.waiting()) {  // some were taken if another row failed before
                const std::size_t row = asking_[i].first + search.num_taken();
                const G& position = search.leaf(search.num_taken()).position();
                const auto given = priors.subspan(row * num_actions(), num_actions());
                search.take([&](Action a) { return given[position.seen(a)]; }, values[row]);
            }
        });
        forget_rows();
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

    // A tree whose leaves are in the rows from `first` on.
    struct Asking {
        std::size_t tree, first;
    };

    template <class F>
    void each_leaf(const Asking& asking, F f) const {
        const Guided<G>& search = tree(asking.tree);
        for (std::size_t i = 0; i < search.num_found(); ++i) f(asking.first + i, search.leaf(i));
    }

    void forget_rows() noexcept {
        asking_.clear();
        rows_ = 0;
    }

    Planes planes_;
    std::size_t leaves_;
    int threads_;
    Shape shape_;
    std::size_t num_actions_;
    std::vector<Slot> slots_;
    std::vector<Asking> asking_;  // whose leaves were gathered
    std::size_t rows_ = 0;        // so many
};

}  // namespace ludus
