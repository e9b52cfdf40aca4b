// Is the score of a position above a limit? A search that can stop anywhere and go on.
//
// The line being searched is a stack of frames, so stopping keeps everything: an interrupted search
// visits the very nodes that an unbroken one visits.
#pragma once

#include <vector>

#include "pairing.hpp"
#include "table.hpp"

namespace ludus::four {

// The moves that do not lose at once to a player with these threats: he must be stopped where he
// can complete a line now, and no stone may lift him to a cell where he could.
inline Cells safe_moves(Cells playable, Cells threats) {
    const Cells now = playable & threats;
    const Cells safe = playable & ~(threats >> 1);
    if (!now) return safe;
    return now & (now - 1) ? 0 : safe & now;
}

template <class Size>
class Search {
  public:
    Search(Size size, int table_bits)
        : board_(size),
          table_(board_.key_bits(), table_bits),
          frames_(static_cast<std::size_t>(board_.cells()) + 1) {}

    const Board<Size>& board() const {
        if constexpr (Board<Size>::Free) {
            return board_;
        } else {
            static constexpr Board<Size> Fixed{};  // its masks become constants of the code
            return Fixed;
        }
    }

    // Asks whether the mover's score is above `limit`. He must not be able to win at once, nor be
    // lost at once.
    void ask(const Stones& at, int limit) {
        depth_ = 0;
        const Cells threats = threats_to(at);
        push(at, limit, safe_moves(board().playable(at.all), threats), threats, mirrors(at));
        entering_ = true;
    }

    // Searches until the answer is known or `stop` nodes were visited in all; whether it is known.
    bool run(std::uint64_t stop) {
        while (depth_ > 0) {
            if (entering_) {
                if (nodes_ >= stop) return false;
                ++nodes_;
                enter(top());
                entering_ = false;
            } else {
                entering_ = go_on(top());
            }
        }
        return true;
    }

    // A bound on the same side of the limit as the score: from above if it is not above the limit.
    int answer() const { return value_; }

    std::uint64_t nodes() const { return nodes_; }
    void forget() { table_.clear(); }

    // The empty cells that would complete a line of the player who waits.
    Cells threats_to(const Stones& at) const {
        return board().completions(at.theirs()) & board().full() & ~at.all;
    }

  private:
    struct Move {
        Cells cell, threats, replies;  // the threats it makes, the opponent's safe moves after it
        int weight;
    };
    struct Frame {
        Stones at;
        Cells safe, threats;  // the mover's safe moves, the opponent's threats
        std::uint64_t hash, since;
        int limit, best;
        Bounds bounds;
        bool mirrors;
        int count, next;
        std::array<Move, Board<Size>::MaxMoves> moves;
    };

    Frame& top() { return frames_[static_cast<std::size_t>(depth_ - 1)]; }

    void push(const Stones& at, int limit, Cells safe, Cells threats, bool mirrors) {
        Frame& frame = frames_[static_cast<std::size_t>(depth_++)];
        frame.at = at;
        frame.limit = limit;
        frame.safe = safe;
        frame.threats = threats;
        frame.mirrors = mirrors;
    }

    // Leaves the top frame with its value.
    bool leave(int value) {
        value_ = value;
        --depth_;
        return true;
    }

    // Whether this position or one that grows from it can be the mirror image of another.
    bool mirrors(const Stones& at) const { return !(board().mirror(at.mine) & at.theirs()); }

    // One key for mirror images, as long as they can meet.
    std::uint64_t key(Frame& frame) const {
        const Stones& at = frame.at;
        const std::uint64_t key = at.key();
        if (!frame.mirrors) return key;
        const Cells mine = board().mirror(at.mine);
        frame.mirrors = !(mine & at.theirs());
        return std::min(key, mine + board().mirror(at.all));
    }

    // Settles the top frame at once if it can, or lists its moves; whether it did settle it.
    bool enter(Frame& frame) {
        const Stones at = frame.at;
        const int limit = frame.limit, left = board().cells() - at.count();
        if (left <= 2) return leave(0);  // nobody can win at once, and then the board is full
        Bounds bounds{-(left - 2) / 2, (left - 1) / 2};
        if (bounds.high <= limit) return leave(bounds.high);
        if (bounds.low > limit) return leave(bounds.low);
        frame.hash = table_.hash(key(frame));
        table_.prefetch(frame.hash);
        const Cells empty = board().full() & ~at.all;
        const Cells hopeful = limit >= 0 ? at.mine : at.theirs();
        if (!board().has_line(hopeful | empty)) return leave(0);
        if (limit >= LeastPairing) {
            bounds.high = std::min(bounds.high, Pairing(board(), at, frame.threats).bound());
            if (bounds.high <= limit) return leave(bounds.high);
        }
        table_.recall(frame.hash, bounds);
        if (bounds.high <= limit) return leave(bounds.high);
        if (bounds.low > limit) return leave(bounds.low);
        frame.bounds = bounds;
        frame.since = nodes_;
        if (list_moves(frame)) return leave((left - 1) / 2);
        // No move wins by two threats at once, so a win takes two plies more.
        frame.bounds.high = std::min(frame.bounds.high, (left - 3) / 2);
        if (frame.bounds.high <= limit) return leave(frame.bounds.high);
        frame.best = -board().cells();
        frame.next = 0;
        return frame.count > 1 && cut_by_child(frame);
    }

    // Lists the safe moves, the most threatening first; stops at one without an answer.
    bool list_moves(Frame& frame) {
        const Stones at = frame.at;
        std::array<Cells, (Board<Size>::MaxMoves + 3) / 4 * 4> cells{};
        std::size_t count = 0;
        for (int i = 0; i < board().columns(); ++i) {
            const Cells cell = frame.safe & board().column(i);
            cells[count] = cell;
            count += cell != 0;
        }
        frame.count = 0;
        for (std::size_t first = 0; first < count; first += 4) {
            const FourSets four = {cells[first], cells[first + 1], cells[first + 2],
                                   cells[first + 3]};
            const FourSets all = four | at.all;
            const FourSets threats = board().completions(four | at.mine) & ~all;
            for (std::size_t i = 0; i < std::min<std::size_t>(4, count - first); ++i) {
                const Cells made = threats[i] & board().full();
                const Cells replies = safe_moves(board().playable(all[i]), made);
                if (!replies) return true;
                insert(frame, {four[i], made, replies, std::popcount(made)});
            }
        }
        return false;
    }

    static void insert(Frame& frame, const Move& move) {
        auto place = static_cast<std::size_t>(frame.count++);
        for (; place && frame.moves[place - 1].weight < move.weight; --place) {
            frame.moves[place] = frame.moves[place - 1];
        }
        frame.moves[place] = move;
    }

    // Looks whether what is known of a position after a move already decides.
    bool cut_by_child(Frame& frame) {
        std::array<std::uint64_t, Board<Size>::MaxMoves> hashes;
        const bool known = !frame.mirrors;
        const auto count = static_cast<std::size_t>(frame.count);
        for (std::size_t i = 0; known && i < count; ++i) {
            const Stones after = frame.at.after(frame.moves[i].cell);
            hashes[i] = table_.hash(after.key());
            table_.prefetch(hashes[i]);
        }
        for (std::size_t i = 0; frame.limit < -LeastPairing && i < count; ++i) {
            const Stones after = frame.at.after(frame.moves[i].cell);
            const int bound = Pairing(board(), after, frame.moves[i].threats).bound();
            if (bound < -frame.limit) return leave(-bound);
        }
        if (!known) return false;
        frame.count = 0;
        for (std::size_t i = 0; i < count; ++i) {
            Bounds bounds{-64, 64};
            table_.recall(hashes[i], bounds);
            if (-bounds.high > frame.limit) return leave(-bounds.high);
            if (-bounds.low <= frame.limit) {
                frame.best = std::max(frame.best, -bounds.low);
            } else {
                frame.moves[static_cast<std::size_t>(frame.count++)] = frame.moves[i];
            }
        }
        return false;
    }

    // A value came back to the top frame, or its moves are to be begun; whether a child is entered.
    bool go_on(Frame& frame) {
        if (frame.next > 0) {
            const int value = -value_;
            frame.best = std::max(frame.best, value);
            if (value > frame.limit) {
                table_.store(frame.hash, {value, frame.bounds.high}, nodes_ - frame.since);
                leave(value);
                return false;
            }
        }
        if (frame.next == frame.count) {
            const int value = std::min(frame.best, frame.bounds.high);
            table_.store(frame.hash, {frame.bounds.low, value}, nodes_ - frame.since);
            leave(value);
            return false;
        }
        const Move& move = frame.moves[static_cast<std::size_t>(frame.next++)];
        push(frame.at.after(move.cell), -frame.limit - 1, move.replies, move.threats,
             frame.mirrors);
        return true;
    }

    static constexpr int LeastPairing = -5;  // a plan of pairs rarely promises more

    Board<Size> board_;
    Table table_;
    std::vector<Frame> frames_;
    int depth_ = 0;
    bool entering_ = false;
    int value_ = 0;
    std::uint64_t nodes_ = 0;
};

}  // namespace ludus::four
