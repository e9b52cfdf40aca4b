// A state is a position and the history that draws by repetition, clock and length depend on.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "game.hpp"
#include "keys.hpp"
#include "random.hpp"

namespace ludus {

// What a line of play remembers. Positions themselves stay small values without a past.
struct PlyCount {
    int plies = 0;
    bool drawn = false;
};

// Where positions can come back, also how long nothing changed for good, and what was seen since.
struct Memory : PlyCount {
    int clock = 0;  // whole turns since the last progress
    Keys seen;      // at the starts of turns since then
};

template <class G>
using History = std::conditional_t<Repeating<G>, Memory, PlyCount>;

template <Game G>
class State {
  public:
    using Position = G;

    State(G position, Limits limits) : position_(std::move(position)), limits_(limits) {
        if constexpr (Repeating<G>) {
            if (limits_.repetition) history_.seen.push_back(position_.key());
        }
        settle();
    }
    State(G position, Limits limits, History<G> history)
        : position_(std::move(position)), limits_(limits), history_(std::move(history)) {
        settle();
    }

    const G& position() const { return position_; }
    const Limits& limits() const { return limits_; }
    const History<G>& history() const { return history_; }

    int num_actions() const { return position_.num_actions(); }
    int player() const { return position_.player(); }
    int plies() const { return history_.plies; }

    std::optional<Score> outcome() const {
        if (const auto score = position_.outcome()) return score;
        if (history_.drawn) return 0;
        return std::nullopt;
    }

    auto legal() const {
        using List = decltype(position_.legal());
        return history_.drawn ? List{} : position_.legal();
    }

    bool allows(Action a) const { return !history_.drawn && ludus::allows(position_, a); }

    bool chancy() const {
        if constexpr (Chancy<G>) return position_.chancy();
        return false;
    }

    void apply(Action a) {
        advance(a, [&] { position_.apply(a); });
    }

    // Plays the action and lets this result of chance happen.
    void apply(Action a, int result)
        requires Chancy<G>
    {
        advance(a, [&] { position_.apply(a, result); });
    }

    // Plays the action; the generator decides what is left to chance.
    void play(Action a, Random& random) {
        if constexpr (Chancy<G>) {
            if (position_.chancy()) return apply(a, sample(a, random.uniform()));
        }
        apply(a);
    }

    // Before the first action: tosses the coin that the rules may ask for.
    void toss(double uniform) {
        if constexpr (CoinStart<G>) {
            if (history_.plies == 0) position_ = position_.tossed(uniform);
        }
    }

    int sample(Action a, double uniform) const
        requires Chancy<G>
    {
        const auto chances = position_.chances(a);
        for (const Chance& chance : chances) {
            if (uniform < chance.probability) return chance.result;
            uniform -= chance.probability;
        }
        return chances[chances.size() - 1].result;  // rounding left a crumb
    }

    // What the action that led to the other state pays, by one of the game's signals.
    Signal shaping(int kind, Action a, const State& after) const
        requires Shaped<G>
    {
        const Stage ply{.first = history_.plies == 0, .last = after.outcome().has_value()};
        return position_.shaping(kind, a, after.position_, ply);
    }

  private:
    template <class Move>
    void advance(Action a, Move move) {
        if constexpr (Repeating<G>) {
            const bool progress = position_.progress(a);
            const int mover = position_.player();
            move();
            if (progress) {
                history_.clock = 0;
                history_.seen.clear();
            }
            if (position_.player() != mover) {
                history_.clock += !progress;
                if (limits_.repetition) history_.seen.push_back(position_.key());
            }
        } else {
            move();
        }
        ++history_.plies;
        settle();
    }

    void settle() {
        history_.drawn = limits_.max_plies && history_.plies >= limits_.max_plies;
        if constexpr (Repeating<G>) {
            history_.drawn |= limits_.no_progress && history_.clock >= limits_.no_progress;
            history_.drawn |= limits_.repetition && repeated();
        }
    }

    bool repeated() const
        requires Repeating<G>
    {
        const Keys& seen = history_.seen;
        if (std::cmp_less_equal(seen.size(), limits_.repetition)) return false;
        return seen.repeats() + 1 >= limits_.repetition;
    }

    G position_;
    Limits limits_;
    History<G> history_;
};

}  // namespace ludus
