// What a search thinks of positions at its horizon, and what games may tell it about their moves.
#pragma once

#include <algorithm>
#include <functional>

#include "judge.hpp"
#include "line.hpp"

namespace ludus {

// Knows when the player to move has no quiet action: judging such a position would be rash.
template <class G>
concept Forced = Game<G> && requires(const G at) {
    { at.forced() } -> std::same_as<bool>;
};

// Tells from 0 to 15 how good an action looks before any search; the best are tried first.
template <class G>
concept Promising = Game<G> && requires(const G at, Action a) {
    { at.promise(a) } -> std::same_as<int>;
};

struct NoWeights {
    void visit(auto&&) {}
};

template <class G>
struct WeightsOf {
    using type = NoWeights;
};
template <Judged G>
struct WeightsOf<G> {
    using type = typename Judge<G>::Weights;
};

// The game's judge, or someone else asked in its place; 0 where there is neither.
template <class G>
struct Evaluation {
    using Root = typename Line<G>::Root;

    typename WeightsOf<G>::type weights{};
    std::function<double(const Root&)> asked;

    // Strictly between -1 and 1, so that it is never taken for a result.
    double operator()(const Line<G>& line, const LineNode<G>& node) const {
        constexpr double Most = 1 - 0x1p-20;
        if (asked) return std::clamp(asked(line.state(node)), -Most, Most);
        if constexpr (Judged<G>) {
            const double value = Judge<G>::value(node.position, weights);
            return std::clamp(value, -Most, Most);
        }
        return 0;
    }
};

}  // namespace ludus
