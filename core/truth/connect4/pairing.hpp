// What a player can hold without looking ahead: a plan in which every move has its reply.
//
// Pair the empty cells of each column from the top: where a column has an even number of them, the
// player who replies waits and always plays right above the mover, so he gets the upper cell of
// every pair and the mover the lower one. A column with an odd number leaves its base over; two
// such bases form a pair of their own (whoever takes one leaves the other), above which vertical
// pairs go on. Every empty cell then has its reply, and the mover's last possession is known but
// for one cell of each pair of bases. If no line fits into it, the mover never wins.
//
// Where a reply completes a line, the mover cannot go on in that column: the cells above are not
// his, and when all else is full he must play below it and loses. With an odd number of odd columns
// one base is left alone; the replier can afford that if he has such a threat in its column when
// replies there are counted from the base.
#pragma once

#include <limits>

#include "board.hpp"

namespace ludus::four {

inline constexpr int NoBound = std::numeric_limits<int>::max();

template <class Size>
class Pairing {
  public:
    // The replier's threats are the empty cells that would complete a line of his.
    Pairing(const Board<Size>& board, const Stones& at, Cells threats)
        : board_(board),
          at_(at),
          threats_(threats),
          empty_(board.full() & ~at.all),
          bases_(board.playable(at.all) & board.upper()),
          lower_(empty_ & board.lower()) {
        for (Cells left = replies(board.full()); left;) {
            const Cells column = board.column_of(left);
            left_over_ += 2 + board.rows_above(left);
            lower_ &= ~column | ((left & -left) - 1);
            left &= ~column;
        }
    }

    // An upper bound of the mover's score, if he cannot win at once; NoBound if there is none.
    int bound() const { return std::popcount(bases_) % 2 ? with_base_alone() : with_all_paired(); }

  private:
    // The threats among the replies in these columns.
    Cells replies(Cells columns) const { return threats_ & board_.upper() & ~bases_ & columns; }

    int with_all_paired() const {
        if (fits(at_.mine | lower_, bases_)) return NoBound;
        if (left_over_) return -left_over_ / 2;
        const bool wins = board_.has_line(at_.theirs() | (empty_ & board_.upper() & ~bases_));
        return wins ? -1 : 0;  // at the latest with the replier's last stone
    }

    int with_base_alone() const {
        const Cells threats = threats_ & board_.lower();
        int best = NoBound;
        for (Cells left = threats ? bases_ : 0; left; left &= left - 1) {
            const Cells base = left & -left, column = board_.column_of(base);
            const Cells here = threats & column;
            if (!here) continue;
            // In this column the mover gets every other cell from the base on, up to the threat.
            const Cells below = empty_ & board_.upper() & column & ((here & -here) - 1);
            if (fits(at_.mine | (lower_ & ~column) | below, bases_ ^ base)) continue;
            const Cells instead = replies(column);
            const int other = instead ? 2 + board_.rows_above(instead) : 0;
            best = std::min(best, -(left_over_ - other + 2 + board_.rows_above(here)) / 2);
        }
        return best;
    }

    // Whether a line fits into these cells and one of each pair of bases.
    bool fits(Cells mine, Cells bases) const {
        if (std::popcount(bases) != 2) return board_.has_line(mine | bases);
        const Cells one = bases & -bases;
        return board_.has_line(mine | one) || board_.has_line(mine | (bases ^ one));
    }

    const Board<Size>& board_;
    const Stones& at_;
    Cells threats_, empty_, bases_;
    Cells lower_;        // what the mover gets of the vertical pairs
    int left_over_ = 0;  // cells that stay empty because nobody wants to play below a threat
};

}  // namespace ludus::four
