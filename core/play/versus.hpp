// Many games in step, each between a learner who is asked for actions and an opponent who answers.
#pragma once

#include <functional>
#include <vector>

#include "../search/threads.hpp"
#include "../state.hpp"

namespace ludus {

// Which of the two the learner is.
struct LearnerSide {
    bool both = false;       // every ply is asked for, and pays who played it
    bool alternate = false;  // by turns first and second; odd rows begin as second
    double second = 0;       // else the probability of moving second
};

// What one step writes; an empty span is not wanted. Rows follow each other without gaps.
struct VersusArrays {
    std::span<float> features;          // [games, planes, rows, columns], as who is asked sees it
    std::span<std::uint8_t> masks;      // [games, num_actions], in that frame; all once it is over
    std::span<std::int8_t> players;     // [games] who moves now
    std::span<std::int8_t> sides;       // [games] which player the learner is, -1 for both
    std::span<float> rewards;           // [games] the outcome for the learner if it came just now
    std::span<float> shaping;           // [games] the learner's share of the game's extra signal
    std::span<std::uint8_t> dones;      // [games] whether the game ended just now
    std::span<float> opponent_shaping;  // [games] of that signal, what the other player gets
};

// An opponent inside: its action in a row's state. Empty if whoever asks plays that side too.
template <class G>
using Reply = std::function<Action(std::size_t row, const State<G>&, Random&)>;

struct VersusOptions {
    LearnerSide learner_side;
    Planes planes = Planes::Full;
    int shaping = -1;  // which of the game's signals, if any
    int threads = 1;
};

template <Native G>
class VersusGames {
  public:
    static constexpr std::int32_t Rest = -1;  // the action of a row that is left as it is

    // Rows are independent: row i draws from its own generator, whoever steps it.
    VersusGames(const State<G>& start, std::size_t games, std::uint64_t seed,
                const VersusOptions& options, Reply<G> reply)
        : start_(start), options_(options), reply_(std::move(reply)) {
        slots_.reserve(games);
        for (std::size_t row = 0; row < games; ++row) {
            slots_.push_back({start, Random(seed, Stream::Versus, row), row % 2 == 0});
        }
        restart({}, {});
    }

    std::size_t size() const { return slots_.size(); }
    const State<G>& state(std::size_t row) const { return slots_[row].state; }
    Shape shape() const { return start_.position().shape(options_.planes); }
    int num_actions() const { return start_.num_actions(); }

    // The first row whose action is no action at all, or size() if there is none.
    std::size_t first_unknown(std::span<const std::int32_t> actions) const {
        for (std::size_t row = 0; row < size(); ++row) {
            if (actions[row] < Rest || actions[row] >= num_actions()) return row;
        }
        return size();
    }

    // Plays an action a row and lets the opponent answer. A game that is over starts anew, whatever
    // the action; an action that is not legal loses the game and leaves the board as it was.
    void step(std::span<const std::int32_t> actions, const VersusArrays& out) {
        in_threads(options_.threads, size(), [&](std::size_t row) {
            Slot& slot = slots_[row];
            Pay pay;
            if (actions[row] != Rest) {
                if (slot.over) {
                    begin(slot);
                } else if (!owes_answer(slot)) {
                    ask(slot, actions[row], pay);
                }
                answer(row, pay);
            }
            write(row, pay, out);
        });
    }

    // New games in the chosen rows, or in all, and only these are written.
    void restart(std::span<const std::uint8_t> chosen, const VersusArrays& out) {
        in_threads(options_.threads, size(), [&](std::size_t row) {
            if (!chosen.empty() && !chosen[row]) return;
            Pay pay;
            begin(slots_[row]);
            answer(row, pay);
            write(row, Pay{}, out);
        });
    }

    // Writes what is to be seen before the next step.
    void look(const VersusArrays& out) const {
        for (std::size_t row = 0; row < size(); ++row) write(row, Pay{}, out);
    }

    // A uniformly random legal action for each row; any at all where the game is over.
    void sample(std::span<std::int32_t> actions) {
        for (std::size_t row = 0; row < size(); ++row) {
            Slot& slot = slots_[row];
            actions[row] = 0;
            if (!slot.over) actions[row] = seen(slot.state, any(slot.state, slot.random));
        }
    }

    static Action any(const State<G>& state, Random& random) {
        const auto legal = state.legal();
        return legal[random.below(static_cast<std::uint32_t>(std::ranges::size(legal)))];
    }

  private:
    struct Slot {
        State<G> state;
        Random random;
        bool was_second;
        bool over = false;
        int learner = -1;  // -1 for both
    };
    struct Pay {
        float reward = 0, shaping = 0, opponent_shaping = 0;
        bool done = false;
    };

    static std::int32_t seen(const State<G>& state, Action a) {  // its own inverse
        return static_cast<std::int32_t>(state.position().seen(a));
    }

    void begin(Slot& slot) const {
        const LearnerSide& learner_side = options_.learner_side;
        State<G> fresh = start_;  // if memory fails, the row is as it was
        fresh.toss(slot.random.uniform());
        slot.state = std::move(fresh);
        slot.over = false;
        if (learner_side.both) return;
        slot.was_second =
            learner_side.alternate ? !slot.was_second : slot.random.uniform() < learner_side.second;
        slot.learner = slot.was_second ? 1 - slot.state.player() : slot.state.player();
    }

    void ask(Slot& slot, std::int32_t action, Pay& pay) const {
        const auto a = static_cast<Action>(seen(slot.state, static_cast<Action>(action)));
        if (slot.state.allows(a)) return play(slot, a, pay);
        const bool own = options_.learner_side.both || slot.state.player() == slot.learner;
        pay.reward = pay.shaping = own ? -1.0f : 1.0f;
        pay.opponent_shaping = -pay.shaping;
        slot.over = pay.done = true;
    }

    // Whether the opponent inside is to move. Between two steps that is so only if one failed.
    bool owes_answer(const Slot& slot) const {
        return reply_ && !options_.learner_side.both && !slot.over &&
               slot.state.player() != slot.learner;
    }

    void answer(std::size_t row, Pay& pay) {
        Slot& slot = slots_[row];
        while (owes_answer(slot)) {
            play(slot, reply_(row, slot.state, slot.random), pay);
        }
    }

    void play(Slot& slot, Action a, Pay& pay) const {
        const int actor = slot.state.player();
        const int paid = options_.learner_side.both ? actor : slot.learner;
        State<G> next = slot.state;
        next.play(a, slot.random);
        if constexpr (Shaped<G>) {
            if (options_.shaping >= 0) {
                const Signal signal = slot.state.shaping(options_.shaping, a, next);
                pay.shaping += paid == actor ? signal.mover : signal.opponent;
                pay.opponent_shaping += paid == actor ? signal.opponent : signal.mover;
            }
        }
        slot.state = std::move(next);
        settle(slot, paid, pay);
    }

    static void settle(Slot& slot, int paid, Pay& pay) {
        if (const auto score = slot.state.outcome()) {
            pay.reward = static_cast<float>(slot.state.player() == paid ? *score : -*score);
            slot.over = pay.done = true;
        }
    }

    void write(std::size_t row, const Pay& pay, const VersusArrays& out) const {
        const Slot& slot = slots_[row];
        const State<G>& state = slot.state;
        if (!out.players.empty()) out.players[row] = static_cast<std::int8_t>(state.player());
        if (!out.sides.empty()) out.sides[row] = static_cast<std::int8_t>(slot.learner);
        if (!out.rewards.empty()) out.rewards[row] = pay.reward;
        if (!out.shaping.empty()) out.shaping[row] = pay.shaping;
        if (!out.dones.empty()) out.dones[row] = pay.done;
        if (!out.opponent_shaping.empty()) out.opponent_shaping[row] = pay.opponent_shaping;
        if (!out.features.empty()) {
            const auto size = static_cast<std::size_t>(shape().size());
            const bool to_learner = slot.over && !options_.learner_side.both;
            features_for(state.position(), to_learner ? slot.learner : state.player(),
                         out.features.subspan(row * size, size), options_.planes);
        }
        if (!out.masks.empty()) {
            const auto size = static_cast<std::size_t>(num_actions());
            const auto mask = out.masks.subspan(row * size, size);
            std::ranges::fill(mask, std::uint8_t{slot.over});
            if (slot.over) return;
            for (const Action a : state.legal()) mask[state.position().seen(a)] = 1;
        }
    }

    State<G> start_;
    VersusOptions options_;
    Reply<G> reply_;
    std::vector<Slot> slots_;
};

}  // namespace ludus
