// What marks on lines look worth: each line with marks of one player only, by their number.
#pragma once

#include <array>

#include "../../games/detail/stray.hpp"
#include "../../search/judge.hpp"
#include "squash.hpp"

namespace ludus {

// `lines()` are the lines that win on the board; `Weights::of(marks)` is the worth of one.
template <class Board>
struct OpenLines;

template <class Board>
    requires requires { OpenLines<Board>::lines(); }
struct Judge<Stray<Board>> {
    using Weights = typename OpenLines<Board>::Weights;

    static float value(const Stray<Board>& at, const Weights& weights) {
        const auto mine = at.mine(), theirs = at.theirs();
        float sum = 0;
        for (const auto line : OpenLines<Board>::lines()) {
            const int own = (line & mine).count(), foreign = (line & theirs).count();
            if (foreign == 0 && own > 0) sum += weights.of(own);
            if (own == 0 && foreign > 0) sum -= weights.of(foreign);
        }
        return squash(sum);
    }
};

}  // namespace ludus
