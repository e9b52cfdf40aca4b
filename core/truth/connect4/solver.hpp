// The exact score of a position, found by asking ever closer limits.
//
// Scores count stones: a win with the mover's last possible stone is 1, with the one before it 2,
// and so on; a loss is the negative of the winner's score; a draw is 0.
#pragma once

#include <optional>

#include "search.hpp"

namespace ludus::four {

template <class Size>
class Solver {
  public:
    // About 2^table_bits bytes are used at most.
    Solver(Size size, int table_bits) : search_(size, table_bits) {}

    const Board<Size>& board() const { return search_.board(); }

    // Begins with a position, which must not be over. Who wins is found faster than how soon: then
    // any win is 1 and any loss -1.
    void begin(const Stones& at, bool only_who_wins = false) {
        at_ = at;
        most_ = only_who_wins ? 1 : board().cells();
        const int left = board().cells() - at.count();
        if (board().completions(at.mine) & board().playable(at.all)) {
            bounds_ = {within((left + 1) / 2), within((left + 1) / 2)};
        } else if (!safe_moves(board().playable(at.all), search_.threats_to(at))) {
            bounds_ = {within(-left / 2), within(-left / 2)};
        } else {
            bounds_ = {within(-(left - 2) / 2), within((left - 1) / 2)};
            if (!done()) ask();
        }
    }

    // Goes on until the score is known or `nodes` more were visited; whether it is known.
    bool run(std::uint64_t nodes) {
        const std::uint64_t stop = nodes < ~search_.nodes() ? search_.nodes() + nodes : ~0ULL;
        while (!done()) {
            if (!search_.run(stop)) return false;
            const int answer = within(search_.answer());
            (answer > limit_ ? bounds_.low : bounds_.high) = answer;
            if (!done()) ask();
        }
        return true;
    }

    bool done() const { return bounds_.low == bounds_.high; }
    int score() const { return bounds_.low; }
    std::uint64_t nodes() const { return search_.nodes(); }
    void forget() { search_.forget(); }

  private:
    int within(int score) const { return std::clamp(score, -most_, most_); }

    // Quick wins and losses are the cheapest to look for, so the first limits are far from 0.
    void ask() {
        const auto [low, high] = bounds_;
        if (low < 0 && high > 0) {
            limit_ = high >= -low ? high * 5 / 8 : low * 5 / 8;
        } else {
            limit_ = low + (high - low) / 2;
        }
        limit_ = std::clamp(limit_, low, high - 1);
        search_.ask(at_, limit_);
    }

    Search<Size> search_;
    Stones at_;
    Bounds bounds_{0, 0};
    int limit_ = 0, most_ = 0;
};

}  // namespace ludus::four
