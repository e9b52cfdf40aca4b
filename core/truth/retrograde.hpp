// Backward analysis: from the ends of the game to the verdict of every state of a space.
//
// Slice by slice. First every state looks at its successors in earlier slices, which are known; if
// all are there it is settled. Then passes by distance d = 1, 3, 5, ...: what leads to a loss at
// d - 1 is won at d; what leads to a win at d is checked, and lost if all its successors are won.
// What is never reached is a draw.
//
// A verdict, once written, is exact, whatever is written around it: so threads, and a process that
// was killed after the cursor was saved but before the table was, change nothing. A loss may be
// written early, with its true distance, where wins in earlier slices make it a long one; a win is
// only written when its pass comes, because a shorter one may be found until then.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "../relaxed.hpp"
#include "../search/stopwatch.hpp"
#include "../search/threads.hpp"
#include "space.hpp"
#include "verdict.hpp"

namespace ludus {

// Where the work stands. Together with the table it is all that is needed to go on.
struct Cursor {
    std::uint64_t slice = 0;
    std::uint64_t pass = 0;  // 0 looks at earlier slices, odd ones find wins, even ones losses
    std::uint64_t next = 0;  // index in the slice's range from which the pass is still to be done

    bool operator==(const Cursor&) const = default;
};

struct TruthCounts {
    std::uint64_t wins = 0, losses = 0, draws = 0, illegal = 0;
    std::array<std::uint64_t, Verdict::MaxDistance + 1> by_distance{};  // odd: wins, even: losses

    std::uint64_t states() const { return wins + losses + draws + illegal; }
    int longest_win() const { return longest(1); }
    int longest_loss() const { return longest(0); }

  private:
    int longest(int parity) const {  // -1 if there is none
        int distance = Verdict::MaxDistance - 1 + parity;
        while (distance >= 0 && by_distance[static_cast<std::size_t>(distance)] == 0) distance -= 2;
        return distance;
    }
};

template <Space S>
class Retrograde {
  public:
    // The table belongs to the caller: a byte a state, all zero unless work goes on at `from`.
    Retrograde(const S& space, std::span<std::uint8_t> table, Cursor from = {})
        : space_(space), table_(table), cursor_(from) {
        require(table.size() == space.size(), "the table has " + std::to_string(space.size()) +
                                                  " bytes, one a state, not " +
                                                  std::to_string(table.size()));
        const bool known = from.slice < space.slices() || from == Cursor{space.slices(), 0, 0};
        require(known && from.pass <= Verdict::MaxDistance + 1 &&
                    (from.next == 0 || from.next <= space.slice(from.slice).size()) &&
                    (Cyclic<S> || from.pass == 0),
                "this cursor is of another table");
        // What pass 0 keeps in memory must be found again.
        if (from.pass) resumed_ = from;
        cursor_ = {from.slice, 0, 0};
    }

    bool done() const { return cursor_.slice == space_.slices(); }
    Cursor cursor() const { return resumed_.value_or(cursor_); }
    // The states of finished slices; passes inside a slice are too uneven to be a measure.
    std::uint64_t finished() const {
        return done() ? space_.size() : space_.slice(cursor_.slice).first;
    }

    // Works for about so long, or to the end.
    void work(double seconds, int threads) {
        const double end = Stopwatch::now() + seconds;
        while (!done()) {
            step(threads);
            if (Stopwatch::now() >= end) return;
        }
    }

    TruthCounts counts() const {
        TruthCounts counts;
        for (std::size_t slice = 0; slice < space_.slices(); ++slice) {
            space_.weights(slice, [&](Range range, int weight) { count(range, weight, counts); });
        }
        return counts;
    }

  private:
    static constexpr std::uint64_t Chunk = 1 << 13;

    Range range() const { return space_.slice(cursor_.slice); }
    Verdict verdict_of(std::uint64_t index) const {
        if (index == Ended) return Verdict::ends_in(0);
        return Verdict(relaxed::load(table_[index]));
    }
    void write(std::uint64_t index, Verdict verdict) {
        relaxed::store(table_[index], verdict.code());
    }

    // Some chunks of the current pass, as many as take a moment.
    void step(int threads) {
        const std::uint64_t first = range().first, left = range().size() - cursor_.next;
        if (cursor_.pass == 0 && cursor_.next == 0) begin();
        const std::uint64_t chunks = std::min(group_, (left + Chunk - 1) / Chunk);
        const double started = Stopwatch::now();
        in_threads(threads, chunks, [&](std::size_t i) {
            const std::uint64_t from = first + cursor_.next + i * Chunk;
            const Range part{from, std::min(from + Chunk, first + range().size())};
            if (cursor_.pass == 0) {
                look(part);
            } else if constexpr (Cyclic<S>) {
                cursor_.pass % 2 ? spread_wins(part) : spread_losses(part);
            }
        });
        const double took = Stopwatch::now() - started;
        if (chunks == group_) {
            group_ = took < 0.01 ? group_ * 2
                                 : std::max<std::uint64_t>(1, took > 0.04 ? group_ / 2 : group_);
        }
        cursor_.next += std::min(left, chunks * Chunk);
        if (cursor_.next == range().size()) next_pass();
    }

    void begin() {
        horizon_ = 0;
        unsettled_ = false;
        if constexpr (Cyclic<S>) due_.assign(range().size(), 0);
    }

    void next_pass() {
        cursor_ = resumed_.value_or(Cursor{cursor_.slice, cursor_.pass + 1, 0});
        resumed_.reset();
        if (unsettled_ && static_cast<int>(cursor_.pass) <= horizon_) return;
        due_.clear();
        cursor_ = {cursor_.slice + 1, 0, 0};
    }

    // A verdict spreads in the pass of the distance after its own, which is its code.
    void reach(Verdict verdict) {
        const int pass = verdict.code();
        require(pass <= Verdict::MaxDistance, "a game here takes more than 252 turns");
        int seen = horizon_;
        while (seen < pass && !horizon_.compare_exchange_weak(seen, pass)) {
        }
    }

    void look(Range part) {
        for (std::uint64_t i = part.first; i < part.last; ++i) {
            const auto node = space_.node(cursor_.slice, i);
            switch (node.standing()) {
                case Standing::Open:
                    settle(i, node);
                    break;
                case Standing::Lost:
                    mark(i, Verdict::ends_in(0));
                    break;
                case Standing::Drawn:
                    break;
                case Standing::Illegal:
                    write(i, Verdict::illegal());
            }
        }
    }

    void settle(std::uint64_t i, const auto& node) {
        Choice choice;
        bool inside = false;
        node.successors([&](std::uint64_t successor) {
            if (successor != Ended && successor >= range().first) {
                inside = true;
                choice.leave_open();
            } else {
                choice.consider(verdict_of(successor));
            }
        });
        const Verdict verdict = choice.verdict();
        if (!inside) return verdict.open() ? void() : mark(i, verdict);
        if constexpr (Cyclic<S>) {
            unsettled_ = true;
            due_[i - range().first] = verdict.code();
            for (const Verdict spreads : {verdict, verdict_of(i)}) {
                if (!spreads.open()) reach(spreads);
            }
        }
    }

    // Won in d = pass: what leads to a loss in d - 1, here or in an earlier slice.
    void spread_wins(Range part)
        requires Cyclic<S>
    {
        const Verdict won = Verdict::ends_in(static_cast<int>(cursor_.pass));
        for (std::uint64_t i = part.first; i < part.last; ++i) {
            if (due_[i - range().first] == won.code() && verdict_of(i).open()) mark(i, won);
        }
        each(part, Verdict::ends_in(static_cast<int>(cursor_.pass) - 1), [&](std::uint64_t i) {
            space_.node(cursor_.slice, i).predecessors([&](std::uint64_t before) {
                if (verdict_of(before).open()) mark(before, won);
            });
        });
    }

    // Lost: what leads to a win in d = pass - 1, and to nothing but wins.
    void spread_losses(Range part)
        requires Cyclic<S>
    {
        each(part, Verdict::ends_in(static_cast<int>(cursor_.pass) - 1), [&](std::uint64_t i) {
            space_.node(cursor_.slice, i).predecessors([&](std::uint64_t before) {
                if (!verdict_of(before).open()) return;
                Choice choice;
                space_.node(cursor_.slice, before).successors([&](std::uint64_t successor) {
                    choice.consider(verdict_of(successor));
                });
                if (!choice.can_win() && !choice.verdict().open()) mark(before, choice.verdict());
            });
        });
    }

    // What is too far away is not written: asked again, the work comes to it again.
    void mark(std::uint64_t index, Verdict verdict) {
        reach(verdict);
        write(index, verdict);
    }

    // The states of the range with this verdict when the pass comes to them.
    void each(Range part, Verdict verdict, auto f) {
        for (std::uint64_t i = part.first; i < part.last; ++i) {
            if (verdict_of(i) == verdict) f(i);
        }
    }

    void count(Range range, int weight, TruthCounts& counts) const {
        for (std::uint64_t i = range.first; i < range.last; ++i) {
            const Verdict verdict(table_[i]);
            const auto times = static_cast<std::uint64_t>(weight);
            if (const auto distance = verdict.distance()) {
                counts.by_distance[static_cast<std::size_t>(*distance)] += times;
                (verdict.won() ? counts.wins : counts.losses) += times;
            } else {
                (verdict.open() ? counts.draws : counts.illegal) += times;
            }
        }
    }

    const S& space_;
    std::span<std::uint8_t> table_;
    Cursor cursor_;
    std::optional<Cursor> resumed_;  // where to go on when pass 0 has been done again
    std::uint64_t group_ = 1;        // chunks between two looks at the clock
    std::atomic<int> horizon_ = 0;   // the last pass that may find something
    std::atomic<bool> unsettled_ = false;
    std::vector<std::uint8_t> due_;  // codes of wins through earlier slices
};

}  // namespace ludus
