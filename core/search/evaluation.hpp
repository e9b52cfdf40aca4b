// What a search thinks of positions at its horizon, and what games may tell it about their moves.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

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

// The game's judge, or someone else asked in its place, about one position or about many at once;
// 0 where there is neither.
template <class G>
struct Evaluation {
    using Root = typename Line<G>::Root;

    typename WeightsOf<G>::type weights{};
    std::function<double(const Root&)> asked;
    std::function<std::vector<double>(const std::vector<Root>&)> asked_many;

    bool is_asked() const { return asked || asked_many; }

    // Strictly between -1 and 1, so that it is never taken for a result.
    static double clamped(double value) {
        constexpr double Most = 1 - 0x1p-20;
        return std::clamp(value, -Most, Most);
    }

    double operator()(const Line<G>& line, const LineNode<G>& node) const {
        if (asked_many) return clamped(asked_many({line.state(node)}).at(0));
        if (asked) return clamped(asked(line.state(node)));
        if constexpr (Judged<G>) return clamped(Judge<G>::value(node.position, weights));
        return 0;
    }
};

}  // namespace ludus
