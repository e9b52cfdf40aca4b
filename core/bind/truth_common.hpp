// What all that knows the truth answers to Python.
#pragma once

#include <span>

#include "search_common.hpp"

namespace ludus {

// For the player to move. The distance is in plies, where known; a turn of checkers is one.
using Truth = std::tuple<double, std::optional<int>>;
using ActionTruth = std::pair<int, Truth>;

struct TruthFace {
    Busy busy;

    virtual ~TruthFace() = default;
    virtual std::optional<Truth> look(nb::handle state) const = 0;         // none: not known
    virtual std::vector<ActionTruth> actions(nb::handle state) const = 0;  // of each legal action
};

// A position of the game that a table or solver is of; clocks and repetition are no part of it.
template <Native G>
const G& position_at_home(nb::handle state, const typename G::Parameters& home) {
    return seat_at_home<G>(state, home, true).position();
}

// Bytes that Python owns, often a mapped file: never copied, never written, kept alive.
class ReadOnly {
  public:
    explicit ReadOnly(nb::handle given) {
        if (given.is_none() || !nb::try_cast(given, array_, false)) {
            throw nb::type_error(("a table is a C-contiguous array of uint8, not " +
                                  short_repr(nb::handle(given.type())))
                                     .c_str());
        }
    }
    std::span<const std::uint8_t> bytes() const { return {array_.data(), array_.size()}; }

  private:
    nb::ndarray<const std::uint8_t, nb::c_contig, nb::device::cpu> array_;
};

}  // namespace ludus
