// What a Chinese Checkers position looks worth: who is nearer to the goal.
#pragma once

#include "../games/chinesecheckers.hpp"
#include "../search/judge.hpp"
#include "detail/squash.hpp"

namespace ludus {

struct ChineseCheckersWeights {
    float distance = 0.1f;  // for each row that the own pieces are nearer to their goal's tip

    void visit(auto&& field) { field("distance", distance); }
};

template <class Cells>
struct Judge<ChineseCheckers<Cells>> {
    using Weights = ChineseCheckersWeights;
    static constexpr const char* name = "distance";

    static float value(const ChineseCheckers<Cells>& at, const Weights& weights) {
        const int lead = at.distance(1 - at.player()) - at.distance(at.player());
        return squash(weights.distance * static_cast<float>(lead));
    }
};

}  // namespace ludus
