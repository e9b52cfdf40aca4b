// Random play of every game with the laws checked after each ply; meant for sanitized builds.
//
// usage: soak PLIES SPELLING...     for example: soak 1000000 connect4:rows=6,columns=7,line=4
#include <cmath>
#include <cstdio>
#include <set>
#include <vector>

#include "all_games.hpp"
#include "core/bind/snapshot.hpp"
#include "core/play/batch.hpp"
#include "core/play/perft.hpp"
#include "core/play/playout.hpp"
#include "tests/native/spelling.hpp"

namespace ludus {

template <Native G>
class Soak {
  public:
    Soak(const std::string& spelled, std::uint64_t seed)
        : parameters_(read<typename G::Parameters>(spelled)), random_(seed) {}

    void run(std::uint64_t plies) {
        const State<G> start(G::start(parameters_), G::limits(parameters_));
        State<G> state = start;
        for (std::uint64_t ply = 0; ply < plies; ++ply) {
            check(state, ply % 16 == 0);
            const auto legal = state.legal();
            if (std::ranges::empty(legal)) {
                state = start;
                state.toss(random_.uniform());
                continue;
            }
            const auto count = static_cast<std::uint32_t>(std::ranges::size(legal));
            state.play(legal[random_.below(count)], random_);
        }
        batch(start);
    }

  private:
    void check(const State<G>& state, bool thoroughly) {
        const G& at = state.position();
        const std::string text = at.text();
        check_legal(state, text);
        const G twin = G::parse(parameters_, text);
        hold(twin == at && twin.key() == at.key() && twin.text() == text, "text of", text);
        for (const Planes planes : {Planes::Full, Planes::Paper, Planes::Signed}) {
            std::vector<float> features(static_cast<std::size_t>(at.shape(planes).size()), NAN);
            at.features(features, planes);
            for (const float x : features) hold(std::isfinite(x), "features of", text);
        }
        if (!thoroughly) return;
        check_symmetry(at, text);
        check_snapshot(state, text);
        for (int i = 0; i < 4; ++i) check_garbage(text);
    }

    void check_legal(const State<G>& state, const std::string& text) {
        const auto legal = state.legal();
        hold(std::ranges::empty(legal) == state.outcome().has_value(), "legal and outcome of",
             text);
        hold(state.player() == 0 || state.player() == 1, "player of", text);
        std::vector<bool> listed(static_cast<std::size_t>(state.num_actions()));
        for (const Action a : legal) {
            hold(a < state.num_actions() && !listed[a], "range or repeat of an action in", text);
            listed[a] = true;
            hold(state.position().seen(state.position().seen(a)) == a, "seen in", text);
        }
        for (int i = 0; i < 8; ++i) {
            const auto a = random_.below(static_cast<std::uint32_t>(state.num_actions()));
            hold(state.allows(static_cast<Action>(a)) == listed[a], "allows in", text);
        }
    }

    void check_symmetry(const G& at, const std::string& text) {
        const auto symmetry =
            static_cast<int>(random_.below(static_cast<std::uint32_t>(at.num_symmetries())));
        const G image = at.transformed(symmetry);
        std::set<Action> expected;
        for (const Action a : at.legal()) expected.insert(at.transformed(symmetry, a));
        std::set<Action> found;
        for (const Action a : image.legal()) found.insert(a);
        hold(expected == found, "legal actions under a symmetry of", text);
        hold(image.outcome() == at.outcome(), "outcome under a symmetry of", text);
        const auto legal = at.legal();
        const auto count = static_cast<std::uint32_t>(std::ranges::size(legal));
        for (std::uint32_t tried = 0; tried < std::min(count, 16u); ++tried) {
            const Action a = legal[random_.below(count)];
            if constexpr (Chancy<G>) {
                double total = 0;
                for (const Chance& chance : at.chances(a)) total += chance.probability;
                hold(std::abs(total - 1) < 1e-9, "chances of", text);
            } else {
                G before = at, after = image;
                before.apply(a);
                after.apply(at.transformed(symmetry, a));
                hold(before.transformed(symmetry) == after, "play under a symmetry of", text);
            }
        }
    }

    void check_snapshot(const State<G>& state, const std::string& text) {
        std::string bytes = snapshot(state, "soak");
        const State<G> restored_state = restore_state<G>(parameters_, "soak", bytes);
        hold(snapshot(restored_state, "soak") == bytes, "snapshot of", text);
        hold(restored_state.outcome() == state.outcome(), "restored outcome of", text);
        bytes[random_.below(static_cast<std::uint32_t>(bytes.size()))] ^=
            static_cast<char>(1 + random_.below(255));
        try {
            restore_state<G>(parameters_, "soak", bytes);
        } catch (const std::invalid_argument&) {
        }
    }

    // A spoiled text is refused, or it is a canonical text of another position.
    void check_garbage(std::string text) {
        const std::string original = text;
        for (auto changes = 1 + random_.below(3); changes > 0 && !text.empty(); --changes) {
            const auto at = random_.below(static_cast<std::uint32_t>(text.size()));
            switch (random_.below(4)) {
                case 0:
                    text[at] = static_cast<char>(random_.below(256));
                    break;
                case 1:
                    text[at] = original[random_.below(static_cast<std::uint32_t>(original.size()))];
                    break;
                case 2:
                    text.erase(at, 1 + random_.below(3));
                    break;
                default:
                    text.insert(at, original,
                                random_.below(static_cast<std::uint32_t>(original.size())), 4);
            }
        }
        try {
            const G position = G::parse(parameters_, text);
            hold(position.text() == text, "not canonical:", text);
            hold(position.outcome().has_value() == std::ranges::empty(position.legal()),
                 "legal and outcome of the accepted", text);
        } catch (const std::invalid_argument&) {
        }
    }

    void batch(const State<G>& start) {
        Batch<G> games(start, 7, random_(), Planes::Full, true);
        std::vector<std::int32_t> actions(7);
        std::vector<float> features(7 * static_cast<std::size_t>(games.shape().size())),
            outcomes(7);
        std::vector<std::uint8_t> masks(7 * static_cast<std::size_t>(games.num_actions()));
        std::vector<std::int8_t> players(7);
        for (int step = 0; step < 500; ++step) {
            games.sample(actions);
            hold(games.first_illegal(actions) == games.size(), "a sampled action is not legal");
            games.step(actions, {features, masks, players, outcomes, {}});
        }
        const Playouts one = playouts(start, 1, 0, 40, 1), three = playouts(start, 1, 0, 40, 3);
        hold(one.wins == three.wins && one.plies == three.plies, "threads change playouts");
    }

    typename G::Parameters parameters_;
    Random random_;
};

}  // namespace ludus

int main(int count, char** arguments) {
    if (count < 3) return std::fprintf(stderr, "usage: soak PLIES SPELLING...\n"), 2;
    const auto plies = ludus::number<std::uint64_t>(arguments[1]);
    for (int i = 2; i < count; ++i) {
        const std::string spelling = arguments[i];
        ludus::with_spelled(spelling, [&]<class G>(const std::string& parameters) {
            ludus::Soak<G>(parameters, static_cast<std::uint64_t>(i)).run(plies);
        });
        std::printf("%s: %llu plies, no finding\n", spelling.c_str(),
                    static_cast<unsigned long long>(plies));
        std::fflush(stdout);
    }
    return 0;
}
