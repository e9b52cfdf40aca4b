// The city of Cathedral: what stands where, whose ground is whose, and how ground is won.
#pragma once

#include "../../random.hpp"
#include "cathedral_tables.hpp"

namespace ludus {

class CathedralCity {
  public:
    static constexpr int Own = 14, OwnKinds = 11;  // buildings of a side, without the Cathedral
    static constexpr int Cathedral = CathedralTables::Cathedral;

    CathedralCity(const CathedralTables& tables, int claim_limit)
        : tables_(&tables), claim_limit_(static_cast<std::uint8_t>(claim_limit)) {
        for (auto& placed : placed_) placed.fill(Unplaced);
    }

    const CathedralTables& tables() const { return *tables_; }
    Bitboard built(int side) const { return built_[side]; }
    Bitboard ground(int side) const { return ground_[side]; }
    Bitboard cathedral() const { return cathedral_; }
    bool placed(int side, int building) const { return placed_[side][building] != Unplaced; }
    Bitboard cells(int side, int building) const {  // of a building that is placed
        return tables_->cells(side, placed_[side][building]);
    }

    // Nothing stands. Later something always does: a capture leaves its captors.
    bool empty() const { return (cathedral_ | built_[0] | built_[1]).empty(); }

    Bitboard free(int side) const {
        return tables_->board() & ~(built_[0] | built_[1] | cathedral_ | ground_[1 - side]);
    }

    // Whether the side can choose the building, wherever that may stand. Under official rules equal
    // buildings are one choice.
    bool offers(int side, int building) const {
        if (building == Cathedral || empty()) return building == Cathedral && empty();
        return !placed(side, building) &&
               !(tables_->official() && CathedralTables::second_copy(building) &&
                 !placed(side, building - 1));
    }

    // The side's largest building that has room, in cells; 0 if none has.
    int largest(int side) const {
        const Bitboard free_cells = free(side);
        for (int building = CathedralTables::Buildings - 1; building >= 0; --building) {
            if (offers(side, building) && fits(side, building, free_cells)) {
                return tables_->shapes(side, building)[0].size;
            }
        }
        return 0;
    }

    // The 8-connected part of `within` that holds its lowest cell.
    Bitboard part_of(Bitboard within) const {
        Bitboard part = Bitboard::cell(within.lowest());
        while (true) {
            const Bitboard wide = part | part << 1 | part >> 1;
            const Bitboard grown =
                (wide | wide << tables_->stride() | wide >> tables_->stride()) & within;
            if (grown == part) return part;
            part = grown;
        }
    }

    bool has_room(int side) const {
        const Bitboard free_cells = free(side);
        for (int building = 0; building < Own; ++building) {
            if (!placed(side, building) && fits(side, building, free_cells)) return true;
        }
        return false;
    }

    void place(int side, Action a) {
        const int building = tables_->placement(side, a).building;
        const Bitboard cells = tables_->cells(side, a);
        if (building == Cathedral) {
            cathedral_ = cells;
        } else {
            built_[side] |= cells;
            ground_[side] &= ~cells;
            placed_[side][building] = a;
            sort_copies(side, building);
        }
    }

    // Gives the side each part of the city that its buildings and the wall enclose and that holds
    // one foreign building at most.
    void claim(int side) {
        Bitboard rest = tables_->board() & ~built_[side];
        Bitboard part = part_of(rest);
        if (tables_->official() && part == rest) return;  // nothing is enclosed
        while (true) {
            if (part.count() <= claim_limit_ && clear_foreign(side, part)) {
                ground_[side] |= part;
                ground_[1 - side] &= ~part;  // a pocket of the building that was there
            }
            rest &= ~part;
            if (rest.empty()) return;
            part = part_of(rest);
        }
    }

    // Turned clockwise by a quarter.
    void turn() {
        cathedral_ = tables_->rotate(cathedral_);
        for (int side = 0; side < 2; ++side) {
            built_[side] = tables_->rotate(built_[side]);
            ground_[side] = tables_->rotate(ground_[side]);
            for (Action& a : placed_[side]) {
                if (a != Unplaced) a = tables_->rotate(side, a);
            }
            for (int building = 0; building < Own; ++building) sort_copies(side, building);
        }
    }

    std::uint64_t key() const {
        std::uint64_t hash = mix(cathedral_.low(), cathedral_.high());
        for (int side = 0; side < 2; ++side) {
            hash = mix(mix(hash, ground_[side].low()), ground_[side].high());
            for (int i = 0; i < Own; i += 2) {
                hash = mix(hash, std::uint64_t{placed_[side][i]} << 16 | placed_[side][i + 1]);
            }
        }
        return hash;
    }

    // Rows from the top: "..aa.-../...": buildings are letters in the order of their actions, a to
    // n of Light and A to N of Dark; + is the Cathedral, - Light's ground, = Dark's.
    std::string text() const {
        std::string result;
        for (int bit = 0; bit < text_length(); ++bit) result += symbol(bit);
        return result;
    }
    int text_length() const { return tables_->size() * tables_->stride() - 1; }

    void read(std::string_view text) {
        std::array<std::array<Bitboard, Own>, 2> cells;
        for (int bit = 0; bit < text_length(); ++bit) {
            const char mark = text[static_cast<std::size_t>(bit)];
            const Bitboard here = Bitboard::cell(bit);
            const bool known = tables_->board().contains(bit) ? mark != '/' : mark == '/';
            if (known && mark >= 'a' && mark < 'a' + Own) {
                cells[0][mark - 'a'] |= here;
            } else if (known && mark >= 'A' && mark < 'A' + Own) {
                cells[1][mark - 'A'] |= here;
            } else if (known && (mark == '-' || mark == '=')) {
                ground_[mark == '='] |= here;
            } else if (known && mark == '+') {
                cathedral_ |= here;
            } else {
                require(known && (mark == '.' || mark == '/'),
                        "a cathedral board is rows of '.', '-', '=', '+', a to n and A to N, "
                        "joined by '/'");
            }
        }
        require(cathedral_.empty() || placement(0, Cathedral, cathedral_) != Unplaced,
                "the cells '+' do not have the shape of the Cathedral");
        for (int side = 0; side < 2; ++side) {
            for (int building = 0; building < Own; ++building) {
                if (!cells[side][building].empty()) put(side, building, cells[side][building]);
            }
            check_copies(side);
        }
        for (int side = 0; side < 2; ++side) check_ground(side);
    }

    bool operator==(const CathedralCity&) const = default;

  private:
    static constexpr Action Unplaced = 0xffff;

    bool fits(int side, int building, Bitboard free_cells) const {
        return std::ranges::any_of(tables_->shapes(side, building), [&](const auto& shape) {
            return !shape.fits(free_cells).empty();
        });
    }

    // Takes the only foreign building out of the part; false if the part holds several.
    bool clear_foreign(int side, Bitboard part) {
        const int other = 1 - side;
        const Bitboard foreign = part & (built_[other] | cathedral_);
        if (foreign.empty()) return true;
        if (foreign == cathedral_) {
            cathedral_ = {};
            return true;
        }
        if (foreign.count() > 5) return false;
        for (int building = 0; building < Own; ++building) {
            Action& a = placed_[other][building];
            if (a == Unplaced || tables_->cells(other, a) != foreign) continue;
            a = Unplaced;
            built_[other] &= ~foreign;
            sort_copies(other, building);
            return true;
        }
        return false;
    }

    // Under official rules nothing tells the copies of a building apart, so equal cities must be
    // written alike: the first copies are the placed ones, in the order of their placements.
    void sort_copies(int side, int building) {
        const int first = CathedralTables::second_copy(building) ? building - 1 : building;
        if (!tables_->official() || !CathedralTables::second_copy(first + 1)) return;
        Action& a = placed_[side][first];
        Action& b = placed_[side][first + 1];
        if (b == Unplaced) return;
        const int apart = tables_->first_action(first + 1) - tables_->first_action(first);
        const auto other = static_cast<Action>(b - apart);
        if (a == Unplaced) {
            a = other;
            b = Unplaced;
        } else if (other < a) {
            b = static_cast<Action>(a + apart);
            a = other;
        }
    }

    char symbol(int bit) const {
        if (!tables_->board().contains(bit)) return '/';
        for (int side = 0; side < 2; ++side) {
            if (ground_[side].contains(bit)) return "-="[side];
            if (!built_[side].contains(bit)) continue;
            for (int building = 0; building < Own; ++building) {
                const Action a = placed_[side][building];
                if (a != Unplaced && tables_->cells(side, a).contains(bit)) {
                    return static_cast<char>("aA"[side] + building);
                }
            }
        }
        return cathedral_.contains(bit) ? '+' : '.';
    }

    Action placement(int side, int building, Bitboard cells) const {
        const int lowest = cells.lowest();
        for (const auto& shape : tables_->shapes(side, building)) {
            if ((shape.mask << lowest) == cells) {
                return static_cast<Action>(tables_->first_action(building) + shape.rank[lowest]);
            }
        }
        return Unplaced;
    }

    void put(int side, int building, Bitboard cells) {
        placed_[side][building] = placement(side, building, cells);
        require(placed(side, building), std::string("the cells '") +
                                            static_cast<char>("aA"[side] + building) +
                                            "' do not have the shape of that building");
        built_[side] |= cells;
    }

    void check_copies(int side) {
        const auto given = placed_[side];
        for (int building = 0; building < Own; ++building) sort_copies(side, building);
        require(
            placed_[side] == given,
            "of two equal buildings the first letter is placed first, and has the lower action");
    }

    void check_ground(int side) const {
        for (Bitboard rest = tables_->board() & ~built_[side]; !rest.empty();) {
            const Bitboard part = part_of(rest);
            rest &= ~part;
            const bool held = part.touches(ground_[side]);
            const bool holdable = !built_[side].empty() && part.count() <= claim_limit_ &&
                                  !part.touches(built_[1 - side] | cathedral_);
            require(!held || (holdable && !part.touches(~ground_[side])),
                    "ground is a whole enclosed part without foreign buildings, "
                    "and not more than claim_limit");
            require(held || !holdable || tables_->official(),
                    "under seed rules enclosed empty parts up to claim_limit are ground");
        }
    }

    const CathedralTables* tables_;
    Bitboard cathedral_;
    std::array<Bitboard, 2> built_, ground_;         // of Light, of Dark
    std::array<std::array<Action, Own>, 2> placed_;  // by building
    std::uint8_t claim_limit_;
};

}  // namespace ludus
