// Every piece of the core that works over threads, with one thread and with several: the results
// are the same. Meant for builds with the thread sanitizer.
//
// usage: threads            `threads nothing` only starts a thread: whether the sanitizer can run
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "all_games.hpp"
#include "core/judges/checkers.hpp"
#include "core/judges/connect4.hpp"
#include "core/play/batched_opponents.hpp"
#include "core/play/selfplay.hpp"
#include "core/play/versus.hpp"
#include "core/search/forest.hpp"
#include "core/truth/checkers_space.hpp"
#include "core/truth/connect4/questions.hpp"
#include "core/truth/reachable.hpp"
#include "core/truth/retrograde.hpp"
#include "core/truth/rowwise/chinesecheckers_row.hpp"
#include "core/truth/rowwise/solver.hpp"

namespace ludus {

constexpr int Many = 4;

// The piece with one thread and with many.
template <class F>
void same(const char* piece, F f) {
    const bool holds = f(1) == f(Many);
    std::printf("%s: %s\n", piece, holds ? "the same" : "BROKEN: threads change the result");
    std::fflush(stdout);
    if (!holds) std::exit(1);
}

// The piece in many threads of the caller's at once, which share nothing but what is constant.
template <class F>
void apart(const char* piece, F f) {
    same(piece, [&](int threads) {
        std::vector<decltype(f())> found(Many, f());
        {
            std::vector<std::jthread> workers;
            for (int i = 1; i < threads; ++i) {
                workers.emplace_back([&, i] { found[static_cast<std::size_t>(i)] = f(); });
            }
        }
        return found;
    });
}

template <Native G>
State<G> begin(const typename G::Parameters& parameters = {}) {
    return State<G>(G::start(parameters), G::limits(parameters));
}

template <Native G>
void play(const char* name) {
    const State<G> start = begin<G>();
    std::printf("%s\n", name);
    same("playouts", [&](int threads) {
        const Playouts found = playouts(start, 1, 0, 60, threads);
        return std::pair(found.wins, found.plies);
    });
    same("trees", [&](int threads) {
        Uct<G> uct(start, {}, 1, 3);
        if (threads == 1) {  // the trees one after the other
            std::vector<std::uint64_t> visits;
            for (std::uint64_t i = 0; i < 3; ++i) {
                UctTree<G> tree(start, {}, Random(1, Stream::Tree, i));
                tree.run(50, std::nullopt);
                const auto found = looks(tree.tree());
                visits.resize(found.size());
                for (std::size_t k = 0; k < found.size(); ++k) visits[k] += found[k].visits;
            }
            return visits;
        }
        uct.run(150, std::nullopt);
        std::vector<std::uint64_t> visits;
        for (const Look& look : uct.result()) visits.push_back(look.visits);
        return visits;
    });
    same("forest", [&](int threads) {
        GuidedOptions options;
        options.dirichlet_fraction = 0.25;
        Forest<G> forest(start, 6, 20, 1, options, threads);
        std::vector<float> features(6 * static_cast<std::size_t>(forest.shape().size()));
        std::vector<std::uint8_t> masks(6 * forest.num_actions());
        const std::vector<float> priors(masks.size(), 1.0f), values(6, 0.125f);
        while (forest.gather(features, masks)) forest.scatter(priors, values);
        std::vector<double> policies;
        for (std::size_t row = 0; row < 6; ++row) {
            for (const double share : forest.tree(row).policy()) policies.push_back(share);
        }
        return policies;
    });
    same("versus", [&](int threads) {
        VersusOptions options;
        options.threads = threads;
        VersusGames<G> versus(start, 6, 1, options,
                              [](std::size_t, const State<G>& at, Random& random) {
                                  return VersusGames<G>::any(at, random);
                              });
        std::vector<std::int32_t> actions(6);
        std::vector<float> rewards(6);
        VersusArrays out;
        out.rewards = rewards;
        float sum = 0;
        for (int step = 0; step < 100; ++step) {
            versus.sample(actions);
            versus.step(actions, out);
            sum = std::accumulate(rewards.begin(), rewards.end(), 2 * sum);
        }
        return sum;
    });
    same("batched_opponents", [&](int threads) {
        Batch<G> batch(start, 6, 1, Planes::Full, true);
        const std::vector<std::int64_t> rows{0, 1, 2, 3, 4, 5};
        const std::vector<std::uint64_t> seeds(6, 7);
        const auto size = rows.size() * static_cast<std::size_t>(batch.num_actions());
        std::vector<double> uct(size), alphabeta(size);
        think_uct(batch, {rows, uct, threads}, seeds, 30, {});
        think_alphabeta(batch, {rows, alphabeta, threads}, {}, {}, {.nodes = 200});
        uct.insert(uct.end(), alphabeta.begin(), alphabeta.end());
        return uct;
    });
    apart("self-play", [&] {
        SelfPlayOptions options;
        options.simulations = 8;
        SelfPlay<G> pool(start, 3, 1, options);
        std::vector<float> features(3 * static_cast<std::size_t>(pool.shape().size()));
        const std::vector<float> logits(3 * pool.num_actions()), values(3, 0.125f);
        for (int step = 0; step < 100; ++step) {
            const std::size_t asked = pool.gather(features);
            pool.scatter(std::span(logits).first(asked * pool.num_actions()),
                         std::span(values).first(asked));
        }
        return std::pair(pool.counts().plies, pool.random(1));
    });
}

// A long past that states in many threads share, and let go of.
void pasts() {
    ChineseCheckersParameters parameters;
    parameters.max_plies = 2000;
    parameters.repetition = 100;
    State<chinesecheckers> state = begin<chinesecheckers>(parameters);
    Random random(1);
    while (state.plies() < 500) {
        State<chinesecheckers> after = state;
        after.apply(VersusGames<chinesecheckers>::any(state, random));
        if (!after.outcome()) state = after;
    }
    same("playouts with a long past", [&](int threads) {
        const Playouts found = playouts(state, 1, 0, 40, threads);
        return std::pair(found.wins, found.plies);
    });
}

void truths() {
    same("endgames", [](int threads) {
        const CheckersSpace space(3);
        std::vector<std::uint8_t> table(space.size());
        Retrograde<CheckersSpace> solver(space, table);
        while (!solver.done()) solver.work(0.01, threads);
        return table;
    });
    same("rows", [](int threads) {
        ChineseCheckersParameters parameters;
        parameters.size = 4;
        parameters.pieces = 3;
        const rowwise::ChineseCheckersSpace<4> space(parameters);
        rowwise::Solver<rowwise::ChineseCheckersSpace<4>, rowwise::ChineseCheckersRow<4>> solver(
            space);
        while (!solver.progress().done) solver.work(0.01, threads);
        return solver.progress().by_distance;
    });
    same("Connect Four", [](int threads) {
        const FreeSize size{4, 5, 4};
        four::Questions<FreeSize> questions(size, threads, 16, false);
        const std::vector<four::Stones> positions(1);
        questions.ask(positions, true, false);
        while (!questions.work(0.01)) {
        }
        const auto answers = questions.answers();
        return std::vector<int>(answers.begin(), answers.end());
    });
    apart("reachable", [] {
        Reachable<tictactoe> space(tictactoe::start({}), 6000);
        while (!space.done()) space.work(0.01);
        return std::pair(space.counts().wins, space.counts().draws);
    });
}

// Sums of squares, in pieces that are shared among threads themselves.
std::uint64_t nested(int threads) {
    std::vector<std::uint64_t> sums(20);
    in_threads(threads, sums.size(), [&](std::size_t i) {
        std::vector<std::uint64_t> parts(i);
        in_threads(threads, parts.size(), [&](std::size_t k) { parts[k] = k * k; });
        sums[i] = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
    });
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

// Whether the exception of one of many calls comes back, and nothing of it stays.
bool throws(int threads) {
    try {
        in_threads(threads, 50, [](std::size_t i) {
            if (i == 20) throw std::runtime_error("twenty");
        });
    } catch (const std::runtime_error& error) {
        return std::string_view(error.what()) == "twenty" && nested(threads) == nested(1);
    }
    return false;
}

// What a child says that was forked, and forks itself, where threads wait for work.
int child(int threads, int forks) {
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        const bool works = nested(threads) == nested(1) && throws(threads);
        _exit(works && (forks == 1 || child(threads, forks - 1) == 0) ? 0 : 1);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    return status;
}

void workers() {
    same("nested work", [](int threads) { return nested(threads); });
    same("exceptions", [](int threads) { return throws(threads); });
    apart("work of many threads at once", [] {
        std::uint64_t sum = 0;
        for (int i = 0; i < 200; ++i) sum += nested(1 + i % Many);
        return sum;
    });
    same("more threads than wait for work", [](int threads) { return nested(10 * threads); });
    same("children",
         [](int threads) { return child(threads, 2) + (nested(threads) != nested(1)); });
}

}  // namespace ludus

int main(int count, char** arguments) {
    if (count > 1 && std::string_view(arguments[1]) == "nothing") {
        std::jthread([] {}).join();
        return 0;
    }
    ludus::workers();
    ludus::play<ludus::connect4>("connect4");
    ludus::play<ludus::checkers>("checkers");
    ludus::play<ludus::chinesecheckers>("chinesecheckers");
    ludus::play<ludus::supertictactoe>("supertictactoe");
    ludus::pasts();
    ludus::truths();
    return 0;
}
