// Many games in step: one action each, results written into the caller's arrays.
#pragma once

#include <limits>
#include <vector>

#include "../state.hpp"

namespace ludus {

// What one step writes; an empty span is not wanted. Rows follow each other without gaps.
struct BatchArrays {
    std::span<float> features;       // [games, planes, rows, columns], the mover's frame
    std::span<std::uint8_t> masks;   // [games, num_actions], the batch's frame
    std::span<std::int8_t> players;  // [games] who moves now
    std::span<float> outcomes;       // [games] for who just acted; NaN while the game goes on
    std::span<float> signals;        // [games, 2] of shaping: for who just acted, for the other
};

template <Native G>
class Batch {
  public:
    using Position = G;

    static constexpr int Unshaped = -1;

    // Rows play independently: row i draws from its own generator. A finished game starts anew.
    // `shaping` is the place of a signal among the game's own.
    Batch(const State<G>& start, std::size_t games, std::uint64_t seed, Planes planes, bool turned,
          int shaping = Unshaped)
        : start_(start),
          planes_(planes),
          turned_(turned),
          shaping_(shaping),
          states_(games, start) {
        for (std::size_t row = 0; row < games; ++row) {
            randoms_.emplace_back(seed, Stream::Batch, row);
            states_[row].toss(randoms_[row].uniform());
        }
    }

    std::size_t size() const { return states_.size(); }
    const State<G>& state(std::size_t row) const { return states_[row]; }
    void put(std::size_t row, State<G> state) { states_[row] = std::move(state); }
    std::uint64_t random(std::size_t row) const { return randoms_[row].state(); }
    void put_random(std::size_t row, std::uint64_t state) {
        randoms_[row] = Random::from_state(state);
    }
    Shape shape() const { return start_.position().shape(planes_); }
    int num_actions() const { return start_.num_actions(); }

    // The first row whose action is not legal, or size() if all are.
    std::size_t first_illegal(std::span<const std::int32_t> actions) const {
        for (std::size_t row = 0; row < size(); ++row) {
            if (actions[row] < 0 || actions[row] >= num_actions()) return row;
            if (!states_[row].allows(absolute(row, actions[row]))) return row;
        }
        return size();
    }

    // Actions must be legal. Returns how many games ended.
    std::size_t step(std::span<const std::int32_t> actions, const BatchArrays& out) {
        std::size_t ended = 0;
        for (std::size_t row = 0; row < size(); ++row) {
            const State<G>& state = states_[row];
            const int actor = state.player();
            const Action action = absolute(row, actions[row]);
            State<G> next = state;  // if memory fails, the row is as it was: a game that goes on
            next.play(action, randoms_[row]);
            if (!out.signals.empty()) {
                signal(state, action, next, &out.signals[2 * row]);
            }
            float result = std::numeric_limits<float>::quiet_NaN();
            if (const auto score = next.outcome()) {
                result = static_cast<float>(next.player() == actor ? *score : -*score);
                restart(row);
                ++ended;
            } else {
                states_[row] = std::move(next);
            }
            if (!out.outcomes.empty()) out.outcomes[row] = result;
            write(row, out);
        }
        return ended;
    }

    // Gives a game up and begins it anew.
    void restart(std::size_t row) {
        State<G> fresh = start_;
        fresh.toss(randoms_[row].uniform());
        states_[row] = std::move(fresh);
    }

    // Writes what is to be seen before the next step.
    void look(const BatchArrays& out) const {
        for (std::size_t row = 0; row < size(); ++row) write(row, out);
    }

    // A uniformly random legal action for each row.
    void sample(std::span<std::int32_t> actions) {
        for (std::size_t row = 0; row < size(); ++row) {
            const auto legal = states_[row].legal();
            const auto pick = randoms_[row].below(static_cast<std::uint32_t>(legal.size()));
            actions[row] = to_frame(states_[row], legal[pick]);
        }
    }

    // An action of a state in the frame of the batch; its own inverse.
    Action to_frame(const State<G>& state, Action a) const {
        return turned_ ? static_cast<Action>(state.position().seen(a)) : a;
    }

  private:
    Action absolute(std::size_t row, std::int32_t action) const {
        return to_frame(states_[row], static_cast<Action>(action));
    }

    void signal(const State<G>& before, Action action, const State<G>& after, float* out) const {
        out[0] = out[1] = 0;
        if constexpr (Shaped<G>) {
            if (shaping_ == Unshaped) return;
            const Signal found = before.shaping(shaping_, action, after);
            out[0] = found.mover;
            out[1] = found.opponent;
        }
    }

    void write(std::size_t row, const BatchArrays& out) const {
        const State<G>& state = states_[row];
        if (!out.players.empty()) out.players[row] = static_cast<std::int8_t>(state.player());
        if (!out.features.empty()) {
            const auto size = static_cast<std::size_t>(shape().size());
            state.position().features(out.features.subspan(row * size, size), planes_);
        }
        if (!out.masks.empty()) {
            const auto size = static_cast<std::size_t>(num_actions());
            const auto mask = out.masks.subspan(row * size, size);
            std::ranges::fill(mask, 0);
            for (const Action a : state.legal()) mask[to_frame(state, a)] = 1;
        }
    }

    State<G> start_;
    Planes planes_;
    bool turned_;
    int shaping_;
    std::vector<State<G>> states_;
    std::vector<Random> randoms_;
};

}  // namespace ludus
