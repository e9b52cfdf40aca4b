// What a Cathedral position looks worth: who has built more, and who can still build.
#pragma once

#include "../games/cathedral.hpp"
#include "../search/judge.hpp"
#include "detail/squash.hpp"

namespace ludus {

struct CathedralWeights {
    float built = 0.06f;    // for each square built: fewer are left to place
    float ground = 0.05f;   // for each square of ground
    float room = 0.03f;     // for each square of the buildings that still find room, one by one
    float largest = 0.02f;  // for each square of the largest of them
    float mobility = 0.2f;  // for the share of all placements that is one's own

    void visit(auto&& field) {
        field("built", built);
        field("ground", ground);
        field("room", room);
        field("largest", largest);
        field("mobility", mobility);
    }
};

template <>
struct Judge<cathedral> {
    using Weights = CathedralWeights;

    static float value(const cathedral& at, const Weights& weights) {
        const int side = at.side(), other = 1 - side;
        const CathedralCity& city = at.city();
        const Prospects own = prospects(city, side), foreign = prospects(city, other);
        const int placements = own.placements + foreign.placements;
        const float share = placements ? static_cast<float>(own.placements - foreign.placements) /
                                             static_cast<float>(placements)
                                       : 0.0f;
        const auto more = [](int a, int b) { return static_cast<float>(a - b); };
        return squash(weights.built * more(city.built(side).count(), city.built(other).count()) +
                      weights.ground * more(city.ground(side).count(), city.ground(other).count()) +
                      weights.room * more(own.room, foreign.room) +
                      weights.largest * more(own.largest, foreign.largest) +
                      weights.mobility * share);
    }

  private:
    struct Prospects {
        int placements = 0, room = 0, largest = 0;
    };

    static Prospects prospects(const CathedralCity& city, int side) {
        Prospects result;
        const Bitboard free = city.free(side);
        for (int building = 0; building < CathedralCity::Own; ++building) {
            if (city.placed(side, building)) continue;
            int placements = 0;
            for (const auto& shape : city.tables().shapes(side, building)) {
                placements += shape.fits(free).count();
            }
            if (placements == 0) continue;
            const int size = city.tables().shapes(side, building)[0].size;
            result.placements += placements;
            result.room += size;
            result.largest = size;  // buildings are numbered from small to large
        }
        return result;
    }
};

}  // namespace ludus
