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

    // Begins with a position, which must not be over.
    void begin(const Stones& at) {
        at_ = at;
        const int left = board().cells() - at.count();
        if (board().completing(at.mine) & board().playable(at.all)) {
            bounds_ = {(left + 1) / 2, (left + 1) / 2};
        } else if (!safe_moves(board().playable(at.all), search_.threats_to(at))) {
            bounds_ = {-left / 2, -left / 2};
        } else {
            bounds_ = {-(left - 2) / 2, (left - 1) / 2};
            ask();
        }
    }

    // Goes on until the score is known or `nodes` more were visited; whether it is known.
    bool run(std::uint64_t nodes) {
        const std::uint64_t stop = nodes < ~search_.nodes() ? search_.nodes() + nodes : ~0ULL;
        while (!done()) {
            if (!search_.run(stop)) return false;
            const int answer = search_.answer();
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
    int limit_ = 0;
};

}  // namespace ludus::four
