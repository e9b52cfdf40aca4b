// Retrograde analysis of a space in rows: which positions are won and lost, and in how many plies.
//
// Each position of the space is an entry of one row as a source and of another as a target, and all
// moves from the sources of a row lead to targets of the same row. So while a row is at work, all
// that is read and written lies in a few kilobytes; only what becomes known is sent to its other
// place, once for each position.
//
// Pass d finds exactly the positions that end in d plies: a source is won in d if it has a move to
// a target lost in d - 1, and lost in d if all its moves lead to won targets, the last of which
// became known in pass d - 1. What no pass finds is a draw. Within a pass rows do not depend on
// each other, so any number of threads, in any order and with any interruption between rows, finds
// the same.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "../../game.hpp"
#include "../../relaxed.hpp"
#include "../../search/threads.hpp"
#include "memory.hpp"
#include "table.hpp"

namespace ludus::rowwise {

// How far the work is, and what was counted; with the words of the solver all that there is to
// know.
struct Progress {
    std::uint32_t pass = 0;  // the distance that is being found
    std::uint32_t row = 0;   // the first row of this pass that is still to do
    bool done = false;
    std::uint64_t illegal = 0;                  // positions, as all counts from the mover's view
    std::vector<std::uint64_t> by_distance{0};  // even distances are losses, odd ones wins
    std::optional<std::uint32_t> start;         // the distance of the first position
};

template <class Space, class Row>
class Solver {
  public:
    using Code = typename Space::Set;

    // `distances`, if any, has a byte for each entry of each row as a source.
    explicit Solver(const Space& space, std::span<std::uint8_t> distances = {})
        : space_(space),
          width_(row_words(space_)),
          values_(2 * width_ * space_.rows()),
          fresh_(width_ * space_.rows()),
          resolved_(width_ * space_.rows()),
          distances_(distances) {}

    const Space& space() const { return space_; }
    const Progress& progress() const { return progress_; }

    // Goes on from there. The words below must be as they were then.
    void resume(Progress progress) { progress_ = std::move(progress); }

    std::span<std::uint64_t> values() { return values_.words(); }      // see Table
    std::span<std::uint64_t> fresh() { return fresh_.words(); }        // targets of the last pass
    std::span<std::uint64_t> resolved() { return resolved_.words(); }  // sources with a value

    // Works until the time is over or all is done.
    void work(double seconds, int threads) {
        constexpr double Years = 1e9;  // and no more, or the clock's count would overflow
        const auto end =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(std::min(seconds, Years)));
        while (!progress_.done && Clock::now() < end) {
            some_rows(end, threads);
            if (progress_.row == space_.rows()) finish_pass();
        }
    }

  private:
    using Clock = std::chrono::steady_clock;
    using Bits = std::vector<std::uint64_t>;

    struct Counts {
        std::uint64_t found = 0, illegal = 0;
    };

    // What one worker needs for one row, and what it found in all; on its own cache lines.
    struct alignas(64) Desk {
        Desk(std::size_t width, std::size_t entries)
            : won(width), fresh(width), candidates(width), found(entries + 1) {}

        Bits won, fresh, candidates;
        std::vector<Code> found;  // sources; one place more, to write to before it is decided
        std::size_t count = 0;    // of found
        std::uint64_t over = 0, illegal = 0;
        Counts all;
    };

    // A row is worked on once in a pass, or what it finds is not counted: so all that can fail
    // comes before the first row is taken.
    void some_rows(Clock::time_point end, int threads) {
        constexpr std::uint32_t Share = 8;
        std::atomic<std::uint32_t> next{progress_.row};
        std::vector<Desk> desks;
        desks.reserve(static_cast<std::size_t>(threads));
        while (desks.size() < desks.capacity()) desks.emplace_back(width_, space_.entries());
        in_threads(threads, desks.size(), [&](std::size_t worker) {
            Desk& desk = desks[worker];
            while (Clock::now() < end) {
                const std::uint32_t first = next.fetch_add(Share);
                const std::uint32_t last = std::min(first + Share, space_.rows());
                if (first >= last) break;
                for (std::uint32_t row = first; row < last; ++row) {
                    const Counts of_row = work_on(row, desk);
                    desk.all.found += of_row.found;
                    desk.all.illegal += of_row.illegal;
                }
            }
        });
        progress_.row = std::min(next.load(), space_.rows());
        for (const Desk& desk : desks) {
            progress_.by_distance.back() += desk.all.found;
            progress_.illegal += desk.all.illegal;
        }
    }

    void finish_pass() {
        const Table<Space> table(space_, values(), {});
        if (!progress_.start && table.truth(space_.start()) != Truth::Draw) {
            progress_.start = progress_.pass;
        }
        if (progress_.by_distance.back() == 0) {
            progress_.by_distance.pop_back();
            progress_.done = true;
            return;
        }
        require(distances_.empty() || progress_.pass < LongestDistance,
                "a position is farther from the end than a byte can say");
        progress_.by_distance.push_back(0);  // first: it may fail for want of memory
        progress_.row = 0;
        ++progress_.pass;
    }

    Counts work_on(std::uint32_t row, Desk& desk) {
        desk.count = desk.over = desk.illegal = 0;
        if (progress_.pass == 0) {
            begin(row, desk);
        } else if (progress_.pass % 2) {
            find_wins(row, desk);
        } else {
            find_losses(row, desk);
        }
        if (desk.count) announce(row, desk);
        const auto weight = static_cast<std::uint64_t>(space_.weight(row));
        return {weight * (desk.count + desk.over), weight * desk.illegal};
    }

    // Writes what the rules decide, and finds the sources without a move.
    void begin(std::uint32_t row, Desk& desk) {
        const Row moves(space_, row);
        std::uint64_t* resolved = resolved_row(row);
        std::ranges::fill(desk.won, 0);
        std::ranges::fill(desk.fresh, 0);
        for (std::uint32_t entry = 0; entry < space_.entries(); ++entry) {
            const auto [source, target] = moves.standings(space_.codes()[entry]);
            const std::uint64_t bit = std::uint64_t{1} << entry % 64;
            if (target == Standing::Illegal) desk.won[entry / 64] |= bit;
            if (target == Standing::Over) desk.fresh[entry / 64] |= bit;
            if (source != Standing::Open) resolved[entry / 64] |= bit;
            desk.illegal += source == Standing::Illegal;
            desk.over += source == Standing::Over;
            note(row, entry,
                 source == Standing::Open   ? NoDistance
                 : source == Standing::Over ? std::uint8_t{0}
                                            : IllegalDistance);
        }
        for (std::size_t word = 0; word < width_; ++word) {
            relaxed::set(won_row(row)[word], desk.won[word]);
            relaxed::set(lost_row(row)[word], desk.won[word] | desk.fresh[word]);
            relaxed::set(fresh_row(row)[word], desk.fresh[word]);
        }
        for (std::size_t word = 0; word < width_; ++word) {
            desk.candidates[word] = ~resolved[word] & entry_bits(word);
        }
        keep_lost(row, moves, desk);
    }

    void find_wins(std::uint32_t row, Desk& desk) {
        if (!take_fresh(row, lost_row(row), desk)) return;
        const Row moves(space_, row);
        std::uint64_t* resolved = resolved_row(row);
        for_each(desk.fresh, [&](std::uint32_t entry) {
            moves.predecessors(space_.codes()[entry], [&](Code code) {
                const std::uint32_t from = space_.rank(code);
                std::uint64_t& word = resolved[from / 64];
                desk.found[desk.count] = code;
                desk.count += ~word >> from % 64 & 1;
                word |= std::uint64_t{1} << from % 64;
            });
        });
    }

    void find_losses(std::uint32_t row, Desk& desk) {
        if (!take_fresh(row, won_row(row), desk)) return;
        const Row moves(space_, row);
        const std::uint64_t* resolved = resolved_row(row);
        std::ranges::fill(desk.candidates, 0);
        for_each(desk.fresh, [&](std::uint32_t entry) {
            moves.predecessors(space_.codes()[entry], [&](Code code) {
                const std::uint32_t from = space_.rank(code);
                desk.candidates[from / 64] |= std::uint64_t{1} << from % 64;
            });
        });
        for (std::size_t word = 0; word < width_; ++word) {
            desk.candidates[word] &= ~resolved[word];
            desk.won[word] = relaxed::load(won_row(row)[word]);
        }
        keep_lost(row, moves, desk);
    }

    // The bits of a word that are of entries; the rest of a row's last word is of none.
    std::uint64_t entry_bits(std::size_t word) const {
        const auto rest = space_.entries() % 64;
        return rest && word + 1 == width_ ? (std::uint64_t{1} << rest) - 1 : ~std::uint64_t{0};
    }

    // Takes those targets of the last pass that are in this set; says if there are any. The words
    // may come from a file, which can have bits where no entry is.
    bool take_fresh(std::uint32_t row, const std::uint64_t* of, Desk& desk) {
        std::uint64_t any = 0;
        std::uint64_t* fresh = fresh_row(row);
        for (std::size_t word = 0; word < width_; ++word) {
            const std::uint64_t taken =
                relaxed::load(fresh[word]) & relaxed::load(of[word]) & entry_bits(word);
            desk.fresh[word] = taken;
            any |= taken;
            if (taken) relaxed::clear(fresh[word], taken);
        }
        return any != 0;
    }

    // Finds the candidates whose moves all lead to what the desk has as won; an illegal target
    // counts among those, as if the move did not exist.
    void keep_lost(std::uint32_t row, const Row& moves, Desk& desk) {
        std::uint64_t* resolved = resolved_row(row);
        for_each(desk.candidates, [&](std::uint32_t entry) {
            const Code code = space_.codes()[entry];
            const bool lost = moves.all_successors(code, [&](Code to) {
                const std::uint32_t target = space_.rank(to);
                return (desk.won[target / 64] >> target % 64 & 1) != 0;
            });
            if (!lost) return;
            resolved[entry / 64] |= std::uint64_t{1} << entry % 64;
            desk.found[desk.count++] = code;
        });
    }

    // Sends what was found to its places as targets. They lie anywhere, so each is asked for some
    // time before it is written.
    void announce(std::uint32_t row, const Desk& desk) {
        constexpr std::size_t Ahead = 16;
        const Row moves(space_, row);
        const std::size_t plane = progress_.pass % 2 ? 0 : width_;
        struct Sent {
            std::uint64_t *value, *fresh, bit;
        };
        std::array<Sent, Ahead> sent{};
        std::size_t count = 0;
        const auto write = [](const Sent& to) {
            relaxed::set(*to.value, to.bit);
            relaxed::set(*to.fresh, to.bit);
        };
        for (std::size_t i = 0; i < desk.count; ++i) {
            const Code code = desk.found[i];
            note(row, code);
            moves.places(code, [&](std::uint32_t to, std::uint32_t entry) {
                Sent& next = sent[count % Ahead];
                if (count++ >= Ahead) write(next);
                next = {won_row(to) + plane + entry / 64, fresh_row(to) + entry / 64,
                        std::uint64_t{1} << entry % 64};
                __builtin_prefetch(next.value, 1);
                __builtin_prefetch(next.fresh, 1);
            });
        }
        for (std::size_t i = 0; i < std::min(count, Ahead); ++i) write(sent[i]);
    }

    void note(std::uint32_t row, std::uint32_t entry, std::uint8_t distance) {
        if (distances_.empty()) return;
        distances_[std::size_t{row} * space_.entries() + entry] = distance;
    }
    void note(std::uint32_t row, Code code) {
        if (distances_.empty()) return;
        note(row, space_.rank(code), static_cast<std::uint8_t>(progress_.pass));
    }

    static void for_each(const Bits& bits, auto each) {
        for (std::size_t word = 0; word < bits.size(); ++word) {
            for (std::uint64_t rest = bits[word]; rest; rest &= rest - 1) {
                each(static_cast<std::uint32_t>(word * 64) +
                     static_cast<std::uint32_t>(std::countr_zero(rest)));
            }
        }
    }

    std::uint64_t* won_row(std::uint32_t row) { return values().data() + 2 * width_ * row; }
    std::uint64_t* lost_row(std::uint32_t row) { return won_row(row) + width_; }
    std::uint64_t* fresh_row(std::uint32_t row) { return fresh().data() + width_ * row; }
    std::uint64_t* resolved_row(std::uint32_t row) { return resolved().data() + width_ * row; }

    Space space_;
    std::size_t width_;  // words for a bit an entry
    Memory values_, fresh_, resolved_;
    std::span<std::uint8_t> distances_;
    Progress progress_;
};

}  // namespace ludus::rowwise
