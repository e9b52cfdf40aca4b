// Answers from a table of verdicts that somebody else keeps: a finished solve, mapped from a file.
#pragma once

#include <span>
#include <vector>

#include "../game.hpp"
#include "space.hpp"
#include "verdict.hpp"

namespace ludus {

// Where a turn is several actions, distances count it as one, and positions inside it are answered
// from the ends of that turn.
template <Space S, Game G>
class EndgameTable {
  public:
    EndgameTable(const S& space, std::span<const std::uint8_t> table)
        : space_(space), table_(table) {
        require(table.size() == space.size(), "the table has " + std::to_string(space.size()) +
                                                  " bytes, one a state, not " +
                                                  std::to_string(table.size()));
    }

    bool knows(const G& at) const { return space_.covers(at); }

    // For the player to move at a position that the table knows.
    Verdict verdict(const G& at) const {
        if (at.outcome()) return Verdict::ends_in(0);
        if (const auto number = space_.find(at)) return Verdict(table_[*number]);
        Verdict best = Verdict::illegal();
        for (const Action a : at.legal()) {
            const Verdict found = after(at, a);
            if (best == Verdict::illegal() || found.better_than(best)) best = found;
        }
        return best;
    }

    // What an action is worth to the player to move, with the distance from here.
    Verdict after(const G& at, Action a) const {
        G next = at;
        next.apply(a);
        const Verdict found = verdict(next);
        if (next.player() == at.player()) return found;
        Choice choice;
        choice.consider(found);
        return choice.verdict();
    }

  private:
    const S& space_;
    std::span<const std::uint8_t> table_;
};

}  // namespace ludus
