// Every allocation of some native work fails once, each in its turn; then the work goes on with the
// same objects, and must come to an end. Meant for sanitized builds.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

namespace starve {
inline long left = -1;  // allocations until one fails; none does below 0

inline bool fails() {
    return left >= 0 && left-- == 0;
}
}  // namespace starve

// Trees and tables ask the C library for memory; they must be starved, too.
namespace std {
inline void* starved_realloc(void* memory, std::size_t size) {
    return starve::fails() ? nullptr : std::realloc(memory, size);
}
inline void* starved_calloc(std::size_t count, std::size_t size) {
    return starve::fails() ? nullptr : std::calloc(count, size);
}
}  // namespace std
#define realloc starved_realloc
#define calloc starved_calloc
#include "all_games.hpp"
#include "core/play/batch.hpp"
#include "core/play/selfplay.hpp"
#include "core/play/versus.hpp"
#include "core/search/alphabeta.hpp"
#include "core/search/forest.hpp"
#include "core/search/uct.hpp"
#undef realloc
#undef calloc

[[gnu::noinline]] void* operator new(std::size_t size) {
    void* memory = starve::fails() ? nullptr : std::malloc(size);
    if (!memory) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t align) {
    const auto unit = static_cast<std::size_t>(align);
    void* memory =
        starve::fails() ? nullptr : std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
    if (!memory) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace ludus {

void hold(bool condition, const char* law) {
    if (condition) return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::exit(1);
}

template <class G>
State<G> start() {
    const typename G::Parameters parameters{};
    return State<G>(G::start(parameters), G::limits(parameters));
}

template <class G>
void legal(const State<G>& state, const std::vector<Look>& found) {
    hold(found.size() == std::ranges::size(state.legal()), "a look a legal action");
    for (const Look& look : found) hold(state.allows(look.action), "looks are at legal actions");
}

template <class G>
struct UctWork {
    State<G> root = start<G>();
    Uct<G> search;
    Random random{7};
    std::optional<State<G>> next{};

    explicit UctWork(bool rave) : search(root, {.rave = rave ? 100.0 : 0.0}, 3, 1) {}

    // A seek that failed may have gone or not: it is asked for again.
    void step() {
        if (next) {
            search.seek(*next);
            root = std::move(*next);
            next.reset();
        }
        search.run(40, std::nullopt);
        legal(root, search.result());
        State<G> after = root;
        after.play(*after.legal().begin(), random);
        next = after.outcome() ? start<G>() : after;
    }
};

template <class G>
struct ForestWork {
    Forest<G> forest;
    std::vector<float> features, priors, values;
    std::vector<std::uint8_t> masks;

    static GuidedOptions options(bool gumbel, std::size_t leaves) {
        GuidedOptions options;
        options.gumbel = gumbel;
        options.leaves = leaves;
        options.dirichlet_fraction = 0.2;
        return options;
    }

    explicit ForestWork(bool gumbel, std::size_t leaves = 1)
        : forest(start<G>(), 3, 12, 5, options(gumbel, leaves), 1),
          features(forest.max_rows() * static_cast<std::size_t>(forest.shape().size())),
          priors(forest.max_rows() * forest.num_actions(), 0.5f),
          values(forest.max_rows()),
          masks(forest.max_rows() * forest.num_actions()) {}

    void step() {
        if (!forest.waiting()) forest.gather(features, masks);
        if (forest.waiting()) {
            forest.scatter(std::span(priors).first(forest.waiting() * forest.num_actions()),
                           std::span(values).first(forest.waiting()));
            return;
        }
        for (std::size_t row = 0; row < forest.size(); ++row) {
            Guided<G>& tree = forest.tree(row);
            legal(tree.root(), tree.result());
            const Action action = tree.decision();
            hold(tree.root().allows(action), "a legal action is decided");
            State<G> next = tree.root();
            next.play(action, tree.random());
            tree.seek(next.outcome() ? start<G>() : next);
        }
    }
};

template <class G>
struct LeavesWork : ForestWork<G> {
    explicit LeavesWork(bool gumbel) : ForestWork<G>(gumbel, 4) {}
};

template <class G>
struct SelfPlayWork {
    SelfPlay<G> pool;
    std::vector<float> features, logits, values;

    static SelfPlayOptions options(bool fused) {
        SelfPlayOptions options;
        options.simulations = 4;
        options.temperature_plies = 4;
        options.random_opening_plies = 2;
        options.fused = fused;
        options.cache_size = 64;
        return options;
    }

    explicit SelfPlayWork(bool fused)
        : pool(start<G>(), 3, 5, options(fused)),
          features(3 * static_cast<std::size_t>(pool.shape().size())),
          logits(3 * pool.num_actions()),
          values(3) {}

    void step() {
        if (!pool.num_questions()) pool.gather(features);
        const std::size_t asked = pool.num_questions();
        pool.scatter(std::span(logits).first(asked * pool.num_actions()),
                     std::span(values).first(asked));
        const Records& done = pool.finished();
        std::size_t actions = 0;
        for (const std::uint32_t count : done.counts) actions += count;
        hold(actions == done.actions.size() && actions == done.weights.size() &&
                 done.size() == done.values.size() && done.size() == done.players.size(),
             "records belong together");
    }
};

template <class G>
struct AlphaBetaWork {
    State<G> root = start<G>();
    AlphaBeta<G> search;

    explicit AlphaBetaWork(bool multi) : search(root, {}, {1 << 20, true, multi}) {}

    void step() {
        search.run({.depth = 12, .nodes = 200});
        const auto answer = search.answer();
        hold(root.allows(answer.line[0]), "the best move is legal");
    }
};

template <class G>
struct BatchWork {
    Batch<G> batch{start<G>(), 4, 9, Planes::Full, true};
    std::vector<std::int32_t> actions = std::vector<std::int32_t>(4);

    explicit BatchWork(bool) {}
    void step() {
        for (int i = 0; i < 10; ++i) {
            batch.sample(actions);
            batch.step(actions, {});
        }
        for (std::size_t row = 0; row < 4; ++row) {
            hold(!batch.state(row).outcome(), "a row is a game that goes on");
        }
    }
};

template <class G>
struct VersusWork {
    VersusGames<G> versus;
    std::vector<std::int32_t> actions = std::vector<std::int32_t>(4);

    explicit VersusWork(bool alternate)
        : versus(start<G>(), 4, 9, {.learner_side = {.alternate = alternate}},
                 [](std::size_t, const State<G>& state, Random& random) {
                     return VersusGames<G>::any(state, random);
                 }) {}
    void step() {
        for (int i = 0; i < 10; ++i) {
            versus.sample(actions);
            versus.step(actions, {});
        }
    }
};

// Allocation after allocation fails, until all the work is done without any more of them.
template <class Work>
long starved(bool variant, int steps) {
    long failures = 0;
    for (long at = 0;; at += 1 + at / 40) {
        Work work(variant);
        starve::left = at;
        bool failed = false;
        for (int i = 0; i < steps; ++i) {
            try {
                work.step();
            } catch (const std::bad_alloc&) {
                failed = true;
                starve::left = -1;
            }
        }
        starve::left = -1;
        if (!failed) return failures;
        ++failures;
    }
}

template <class G>
void starve_all(const char* name) {
    long failures = 0;
    for (const bool variant : {false, true}) {
        failures += starved<UctWork<G>>(variant, 12);
        failures += starved<ForestWork<G>>(variant, 60);
        failures += starved<LeavesWork<G>>(variant, 60);
        failures += starved<SelfPlayWork<G>>(variant, 60);
        failures += starved<AlphaBetaWork<G>>(variant, 12);
        failures += starved<BatchWork<G>>(variant, 8);
        failures += starved<VersusWork<G>>(variant, 8);
    }
    std::printf("%s: %ld failures survived\n", name, failures);
}

}  // namespace ludus

int main() {
#define GAME(name) ludus::starve_all<ludus::name>(#name);
#include "games.inc"
#undef GAME
}
