// What can still happen in a city of Cathedral, and bounds of the outcome that follow from it.
//
// The reach of a side is every cell that its buildings could ever cover. If they covered them all,
// the cells that are not the side's own would fall into parts, and what it can ever enclose is made
// of whole parts. So a building is safe if its part holds another one of its side, or the Cathedral
// while nobody can take that. Reaches are first worked out as if nothing were ever taken; what then
// turns out not to be safe is counted as room, and its ground as open, until nothing changes.
//
// Buildings that are safe stay for ever, and what comes later stands inside the reaches. So
// - a side ends with at most its buildings and its reach,
// - and with at least its safe buildings; if all are safe, it can also, if it likes, fill its own
//   ground as well as that can be filled.
// If everything is safe, the reaches are apart, and no side can enclose a cell of the other's reach
// (every part that has one holds two buildings), then each side fills its own: that is exact.
#pragma once

#include "cathedral_packing.hpp"

namespace ludus {

struct CathedralBounds {
    int low = -1, high = 1;  // of the outcome for the player to move
};

class CathedralProspects {
  public:
    explicit CathedralProspects(const cathedral& at) : city_(at.city()), side_(at.side()) {
        do {
            for (const int side : {0, 1}) reach_[side] = reach(side);
        } while (find_unsafe());
    }

    Bitboard reach_of(int side) const { return reach_[side]; }

    CathedralBounds bounds() const {
        const int other = 1 - side_;
        const bool apart = !unsafe_cathedral_ && unsafe_[0].empty() && unsafe_[1].empty() &&
                           !reach_[0].touches(reach_[1]) && is_safe_reach(0) && is_safe_reach(1);
        const CathedralBounds rough = outcome(roughly(side_), roughly(other));
        if (rough.low == rough.high) return rough;
        return outcome(squares(side_, apart), squares(other, apart));
    }

  private:
    struct Span {
        int least, most;
    };
    static constexpr int ExactNodes = 2000, BoundNodes = 200;  // of packings

    static CathedralBounds outcome(Span mine, Span theirs) {
        const auto sign = [](int number) { return (number > 0) - (number < 0); };
        return {sign(mine.least - theirs.most), sign(mine.most - theirs.least)};
    }

    bool is_safe(int side, int building) const {
        return city_.placed(side, building) && !unsafe_[side].touches(city_.cells(side, building));
    }

    // Every cell where the side could build if all that is unsafe were gone.
    Bitboard room(int side) const {
        const int other = 1 - side;
        Bitboard taken = (city_.built(0) | city_.built(1)) & ~(unsafe_[0] | unsafe_[1]);
        if (!unsafe_cathedral_) taken |= city_.cathedral();
        if (unsafe_[other].empty()) taken |= city_.ground(other);
        return city_.tables().board() & ~taken;
    }

    Bitboard reach(int side) const {
        const Bitboard room = this->room(side);
        Bitboard cells;
        for (int building = 0; building < CathedralCity::Own; ++building) {
            if (is_safe(side, building)) continue;
            for (const auto& shape : city_.tables().shapes(side, building)) {
                const Bitboard fits = shape.fits(room);
                for (int i = 0; i < shape.size && !fits.empty(); ++i) {
                    cells |= fits << shape.listed[i];
                }
            }
        }
        return cells;
    }

    // Calls f with each part that remains when the side covers its reach.
    void each_part(int side, auto f) const {
        Bitboard rest = city_.tables().board() & ~(city_.built(side) | reach_[side]);
        while (!rest.empty()) {
            const Bitboard part = city_.part_of(rest);
            rest &= ~part;
            f(part);
        }
    }

    int buildings(int side, Bitboard part) const {
        int count = 0;
        if (!part.touches(city_.built(side))) return 0;
        for (int building = 0; building < CathedralCity::Own; ++building) {
            count += city_.placed(side, building) && part.touches(city_.cells(side, building));
        }
        return count;
    }
    // The buildings of the part that are not the side's and that the other side cannot take.
    int count_permanent(int side, Bitboard part) const {
        return buildings(1 - side, part) +
               (!unsafe_cathedral_ && part.touches(city_.cathedral()) ? 1 : 0);
    }

    // Says whether more turned out to be unsafe than was known.
    bool find_unsafe() {
        const auto before = std::tuple(unsafe_[0], unsafe_[1], unsafe_cathedral_);
        for (const int side : {0, 1}) {
            each_part(side, [&](Bitboard part) {
                if (part.touches(city_.cathedral()) && buildings(1 - side, part) == 0) {
                    unsafe_cathedral_ = true;
                }
            });
        }
        for (const int side : {0, 1}) {
            each_part(side, [&](Bitboard part) {
                if (count_permanent(side, part) == 1)
                    unsafe_[1 - side] |= part & city_.built(1 - side);
            });
        }
        return before != std::tuple(unsafe_[0], unsafe_[1], unsafe_cathedral_);
    }

    // The opponent can enclose no cell of the side's reach.
    bool is_safe_reach(int side) const {
        bool safe = true;
        each_part(1 - side, [&](Bitboard part) {
            safe &= !part.touches(reach_[side]) || count_permanent(1 - side, part) >= 2;
        });
        return safe;
    }

    // How many squares the side can have built in the end, by counting alone.
    Span roughly(int side) const {
        const Bitboard built = city_.built(side);
        return {(built & ~unsafe_[side]).count(),
                std::min(CathedralStock::All, (built | reach_[side]).count())};
    }

    // The same, looking at how buildings fit together.
    Span squares(int side, bool apart) const {
        if (!unsafe_[side].empty()) return roughly(side);
        const int built = city_.built(side).count();
        const CathedralStock stock(city_, side);
        const Bitboard own = apart ? reach_[side] : reach_[side] & city_.ground(side);
        const CathedralPacking sure(stock, own, apart ? ExactNodes : BoundNodes);
        if (apart) return {built + sure.least(), built + sure.most()};
        const CathedralPacking possible(stock, reach_[side], BoundNodes);
        return {built + sure.least(), built + possible.most()};
    }

    const CathedralCity& city_;
    int side_;
    Bitboard reach_[2], unsafe_[2];  // of each side: cells
    bool unsafe_cathedral_ = false;
};

}  // namespace ludus
