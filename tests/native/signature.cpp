// What games and searches come to, in numbers that every processor must print alike.
//
// usage: signature SPELLING...     for example: signature connect4:rows=6,columns=7,line=4
#include <cmath>
#include <vector>

#include "all_judges.hpp"
#include "core/bind/snapshot.hpp"
#include "core/play/batch.hpp"
#include "core/play/perft.hpp"
#include "core/play/selfplay.hpp"
#include "core/search/alphabeta.hpp"
#include "core/search/forest.hpp"
#include "core/search/uct.hpp"
#include "tests/native/digest.hpp"
#include "tests/native/spelling.hpp"

namespace ludus {

constexpr Planes EveryPlanes[] = {Planes::Full, Planes::Paper, Planes::Signed};

Digest& operator<<(Digest& digest, const Look& look) {
    return digest << look.action << look.visits << look.total << static_cast<int>(look.proof);
}

template <Native G>
class Signature {
  public:
    explicit Signature(const std::string& spelled)
        : parameters_(read<typename G::Parameters>(spelled)),
          start_(G::start(parameters_), G::limits(parameters_)) {}

    void tell_all() {
        lines_of_play();
        random_games();
        positions();
        rows();
        rollouts();
        exhaustive();
        guided("puct", false, false, 1);
        guided("puct with noise", false, true, 1);
        guided("gumbel", true, false, 1);
        guided("gumbel with noise", true, true, 3);
        self_play();
    }

  private:
    // Positions of random games, as far into the game as their number says.
    State<G> position(int number) const {
        Random random(11, Stream::Other, static_cast<std::uint64_t>(number));
        State<G> state = start_;
        state.toss(random.uniform());
        for (int ply = 0; ply < 3 * number; ++ply) {
            const auto legal = state.legal();
            const auto count = static_cast<std::uint32_t>(std::ranges::size(legal));
            State<G> next = state;
            next.play(legal[random.below(count)], random);
            if (next.outcome()) break;
            state = next;
        }
        return state;
    }

    // Deeper as long as it is quick; where there is chance, lines of play are not counted.
    void lines_of_play() const {
        if (start_.chancy()) return;
        std::vector<std::uint64_t> counts;
        for (int depth = 1; depth <= 8 && (counts.empty() || counts.back() < 4000); ++depth)
            counts = count_lines(start_.position(), depth, false);
        std::printf("  perft");
        for (const std::uint64_t count : counts)
            std::printf(" %llu", static_cast<unsigned long long>(count));
        std::printf("\n");
    }

    void random_games() const {
        const Playouts found = playouts(start_, 5, 0, 60, 2);
        std::printf("  playouts won %llu lost %llu drawn %llu plies %llu\n",
                    static_cast<unsigned long long>(found.wins[0]),
                    static_cast<unsigned long long>(found.wins[1]),
                    static_cast<unsigned long long>(found.draws),
                    static_cast<unsigned long long>(found.plies));
    }

    void positions() const {
        Digest digest;
        for (int number = 0; number < 12; ++number) {
            const State<G> state = position(number);
            const G& at = state.position();
            digest << at.key() << at.text() << snapshot(state, "signature") << state.legal();
            for (int symmetry = 0; symmetry < at.num_symmetries(); ++symmetry)
                digest << at.transformed(symmetry).key();
            for (const Planes planes : EveryPlanes) {
                std::vector<float> features(static_cast<std::size_t>(at.shape(planes).size()));
                at.features(features, planes);
                digest << features;
            }
            if constexpr (Judged<G>) digest << Judge<G>::value(at, typename Judge<G>::Weights{});
            if constexpr (Chancy<G>) {
                for (const Chance& chance : at.chances(state.legal()[0]))
                    digest << chance.result << chance.probability;
            }
        }
        tell("positions", digest);
    }

    void rows() const {
        Batch<G> games(start_, 5, 23, Planes::Full, true);
        std::vector<std::int32_t> actions(5);
        std::vector<float> features(5 * static_cast<std::size_t>(games.shape().size()));
        std::vector<float> outcomes(5);
        Digest digest;
        for (int step = 0; step < 100; ++step) {
            games.sample(actions);
            games.step(actions, {features, {}, {}, outcomes, {}});
            for (std::size_t row = 0; row < 5; ++row)
                digest << (std::isnan(outcomes[row]) ? 2 : static_cast<int>(outcomes[row]));
            digest << actions << features;
        }
        tell("batch", digest);
    }

    void uct(const char* name, const UctOptions& options) const {
        Digest digest;
        for (int number = 0; number < 4; ++number) {
            Uct<G> search(position(number), options, 3, 2);
            search.run(120, std::nullopt);
            digest << search.result();
        }
        tell(name, digest);
    }

    void rollouts() const {
        uct("uct", {});
        uct("uct with rave", {.rave = 100});
        if constexpr (Judged<G>) uct("uct with judge", {.judge = true});
    }

    void exhaustive() const {
        for (const bool multi : {false, true}) {
            Digest digest;
            for (int number = 0; number < 4; ++number) {
                AlphaBeta<G> search(position(number), {}, {1 << 20, true, multi});
                search.run({.depth = 12, .nodes = 1500});
                const auto answer = search.answer();
                digest << search.nodes() << answer.depth << answer.line << answer.score;
            }
            tell(multi ? "alphabeta of every move" : "alphabeta", digest);
        }
    }

    // In place of a network: numbers out of what it would see.
    static void answer(std::span<const float> features, std::span<float> policy, float& value) {
        Digest seen;
        seen << features;
        Random random(seen.value());
        for (float& each : policy) each = static_cast<float>(random.uniform());
        value = static_cast<float>(2 * random.uniform() - 1);
    }
    static void answer(std::size_t count, std::span<const float> features, std::span<float> policy,
                       std::span<float> values) {
        for (std::size_t row = 0; row < count; ++row) {
            const auto part = [&](auto all) {
                const std::size_t size = all.size() / values.size();
                return all.subspan(row * size, size);
            };
            answer(part(features), part(policy), values[row]);
        }
    }

    void guided(const char* name, bool gumbel, bool noise, std::size_t leaves) const {
        GuidedOptions options;
        options.gumbel = gumbel;
        options.dirichlet_fraction = noise && !gumbel ? 0.25 : 0;
        options.gumbel_noise = noise;
        options.leaves = leaves;
        Digest digest;
        for (int number = 0; number < 3; ++number) {
            Forest<G> forest(position(number), 3, 40, 5, options, 2);
            std::vector<float> features(forest.max_rows() *
                                        static_cast<std::size_t>(forest.shape().size()));
            std::vector<float> priors(forest.max_rows() * forest.num_actions());
            std::vector<float> values(forest.max_rows());
            std::vector<std::uint8_t> masks(priors.size());
            while (const std::size_t count = forest.gather(features, masks)) {
                answer(count, features, std::span(priors), std::span(values));
                forest.scatter(std::span(priors).first(count * forest.num_actions()),
                               std::span(values).first(count));
            }
            for (std::size_t row = 0; row < forest.size(); ++row)
                digest << forest.tree(row).result() << forest.tree(row).decision();
        }
        tell(name, digest);
    }

    void self_play() const {
        SelfPlayOptions options;
        options.simulations = 6;
        options.temperature_plies = 6;
        options.temperature = 0.7;
        options.random_opening_plies = 2;
        options.prior_temperature = 1.2;
        options.cache_size = 64;
        options.record_positions = true;
        SelfPlay<G> pool(start_, 3, 9, options);
        std::vector<float> features(3 * static_cast<std::size_t>(pool.shape().size()));
        std::vector<float> logits(3 * pool.num_actions()), values(3);
        Digest digest;
        for (int step = 0; step < 400; ++step) {
            const std::size_t count = pool.gather(features);
            answer(count, features, std::span(logits), std::span(values));
            digest << values;
            pool.scatter(std::span(logits).first(count * pool.num_actions()),
                         std::span(values).first(count));
        }
        const Records& done = pool.finished();
        digest << done.features << done.actions << done.weights << done.values << done.outcomes
               << done.surprises << done.letters;
        tell("self-play", digest);
    }

    typename G::Parameters parameters_;
    State<G> start_;
};

}  // namespace ludus

int main(int count, char** arguments) {
    if (count < 2) return std::fprintf(stderr, "usage: signature SPELLING...\n"), 2;
    for (int i = 1; i < count; ++i) {
        std::printf("%s\n", arguments[i]);
        ludus::with_spelled(arguments[i], [&]<class G>(const std::string& parameters) {
            ludus::Signature<G>(parameters).tell_all();
        });
        std::fflush(stdout);
    }
    return 0;
}
