// The buildings of Cathedral, and all the places where each can stand.
#pragma once

#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "../../bitboard.hpp"
#include "../../game.hpp"

namespace ludus {

// One kind of building, seen from above as Light has it. A move names the cell `o`; from the cell
// `v`, which a footprint lists next, its reader tells how the building is turned.
struct CathedralKind {
    std::string_view picture;
    int copies;
    bool handed;  // so under official rules Dark has the mirror image
};

inline constexpr std::array<CathedralKind, 12> CathedralKinds{{
    {"o", 2, false},                // Tavern
    {"v/o", 2, false},              // Stable
    {"v./oX", 2, false},            // Inn
    {"v/o/X", 1, false},            // Bridge
    {"vX/oX", 1, false},            // Square
    {".v./XoX", 1, false},          // Manor
    {".vX/Xo.", 1, true},           // Abbey
    {"..X/XoX/.v.", 1, true},       // Academy
    {".v./XoX/.X.", 1, false},      // Infirmary
    {"X.X/voX", 1, false},          // Castle
    {"Xv./.oX/..X", 1, false},      // Tower
    {".X./XvX/.o./.X.", 1, false},  // Cathedral
}};

// Boards have a spare column that is never free, so shifted buildings and floods cannot wrap. On
// 8 x 8 a cell is bit row * 9 + column, with rows counted from the top:
//
//      0  1 ...  7 |  8
//      9 10 ... 16 | 17
//      ...
class CathedralTables {
  public:
    static constexpr int Kinds = 12, Buildings = 15, Cathedral = 14;
    static constexpr std::array<std::uint8_t, Buildings> KindOf{0, 0, 1, 1, 2, 2,  3, 4,
                                                                5, 6, 7, 8, 9, 10, 11};
    static constexpr bool second_copy(int building) {
        return building > 0 && KindOf[building] == KindOf[building - 1];
    }

    // A kind of building turned one way.
    struct Shape {
        int size = 0;                           // in cells
        Bitboard mask;                          // with its lowest cell at bit 0
        std::array<std::uint8_t, 6> listed{};   // bits from the lowest cell: `o`, `v`, the others
        std::array<std::uint16_t, 128> rank{};  // among its kind's placements, by lowest cell

        // The cells that can be its lowest one so that it stands on free cells only.
        Bitboard fits(Bitboard free) const {
            Bitboard lowest = free;
            for (int i = 0; i < size; ++i) lowest &= free >> listed[i];
            return lowest;
        }
    };
    struct Placement {
        std::uint8_t building, shape, lowest;
    };

    // The one for this size and these rules, kept for the life of the process.
    static const CathedralTables& of(int size, bool official) {
        static const CathedralTables all[] = {{8, false}, {8, true}, {10, false}, {10, true}};
        return all[(size == 10 ? 2 : 0) + (official ? 1 : 0)];
    }

    int size() const { return size_; }
    int stride() const { return size_ + 1; }
    bool official() const { return official_; }
    int num_actions() const { return static_cast<int>(placements_[0].size()); }
    Bitboard board() const { return board_; }
    int bit(int row, int column) const { return row * stride() + column; }

    // Sides are 0 for Light and 1 for Dark.
    const Placement& placement(int side, Action a) const { return placements_[side][a]; }
    const std::vector<Shape>& shapes(int side, int building) const {
        return shapes_[side][KindOf[building]];
    }
    const Shape& shape(int side, Action a) const {
        const Placement& p = placement(side, a);
        return shapes(side, p.building)[p.shape];
    }
    Bitboard cells(int side, Action a) const {
        return shape(side, a).mask << placement(side, a).lowest;
    }
    Action first_action(int building) const { return first_action_[building]; }

    // Turned clockwise by a quarter.
    Action rotate(int side, Action a) const { return turned_[side][a]; }
    Bitboard rotate(Bitboard cells) const {
        Bitboard result;
        while (!cells.empty()) {
            const int cell = cells.pop_lowest();
            result |= Bitboard::cell(bit(cell % stride(), size_ - 1 - cell / stride()));
        }
        return result;
    }

  private:
    struct Offset {  // from the cell `o`, to the right and up
        int dx, dy;
    };
    using Cells = std::pair<std::uint64_t, std::uint64_t>;

    CathedralTables(int size, bool official) : size_(size), official_(official) {
        for (int row = 0; row < size; ++row) board_ |= Bitboard::first(size) << bit(row, 0);
        for (int side = 0; side < 2; ++side) {
            for (int kind = 0; kind < Kinds; ++kind) add(side, kind);
            add_turns(side);
        }
    }

    static std::vector<Offset> offsets(std::string_view picture, bool mirrored) {
        std::array<std::vector<Offset>, 3> marked;
        Offset at{0, 0};
        for (const char mark : picture) {
            if (mark == '/') {
                at = {0, at.dy - 1};
            } else {
                if (mark != '.') marked[std::string_view("ovX").find(mark)].push_back(at);
                ++at.dx;
            }
        }
        const Offset named = marked[0][0];
        std::vector<Offset> result;
        for (const auto& cells : marked) {
            for (const auto [x, y] : cells) {
                result.push_back({mirrored ? named.dx - x : x - named.dx, y - named.dy});
            }
        }
        return result;
    }

    // Numbers the placements as cathedral-rl does: columns from the left, in each the squares from
    // the bottom, on each the quarter turns clockwise; cells that were met before count no more.
    // Each copy of a building has its own run of numbers.
    void add(int side, int kind) {
        const CathedralKind& described = CathedralKinds[kind];
        std::array<std::vector<Offset>, 4> turns;
        turns[0] = offsets(described.picture, side == 1 && official_ && described.handed);
        for (std::size_t turn = 1; turn < 4; ++turn) {
            for (const auto [dx, dy] : turns[turn - 1]) turns[turn].push_back({dy, -dx});
        }
        std::vector<Shape>& shapes = shapes_[side][kind];
        std::vector<Placement> found;
        std::map<Cells, bool> met;
        std::array<int, 4> shape_of{-1, -1, -1, -1};
        for (int named = 0; named < size_ * size_; ++named) {
            for (std::size_t turn = 0; turn < 4; ++turn) {
                const Offset at{named / size_, named % size_};
                if (!inside(turns[turn], at)) continue;
                const Shape placed = shape(turns[turn], at);
                const int lowest = bit_at(at) - placed.listed[0];
                const Bitboard cells = placed.mask << lowest;
                if (!met.emplace(Cells{cells.low(), cells.high()}, true).second) continue;
                if (shape_of[turn] < 0) {
                    shape_of[turn] = static_cast<int>(shapes.size());
                    shapes.push_back(placed);
                }
                shapes[shape_of[turn]].rank[lowest] = static_cast<std::uint16_t>(found.size());
                found.push_back({0, static_cast<std::uint8_t>(shape_of[turn]),
                                 static_cast<std::uint8_t>(lowest)});
            }
        }
        for (std::uint8_t building = 0; building < Buildings; ++building) {
            if (KindOf[building] != kind) continue;
            first_action_[building] = static_cast<Action>(placements_[side].size());
            for (const Placement& p : found) {
                placements_[side].push_back({building, p.shape, p.lowest});
            }
        }
    }

    bool inside(const std::vector<Offset>& offsets, Offset at) const {
        return std::ranges::all_of(offsets, [&](Offset offset) {
            const int x = at.dx + offset.dx, y = at.dy + offset.dy;
            return x >= 0 && x < size_ && y >= 0 && y < size_;
        });
    }
    int bit_at(Offset at) const { return bit(size_ - 1 - at.dy, at.dx); }

    Shape shape(const std::vector<Offset>& offsets, Offset at) const {
        Bitboard cells;
        for (const auto [dx, dy] : offsets) {
            cells |= Bitboard::cell(bit_at({at.dx + dx, at.dy + dy}));
        }
        Shape shape;
        shape.mask = cells >> cells.lowest();
        for (const auto [dx, dy] : offsets) {
            shape.listed[shape.size++] =
                static_cast<std::uint8_t>(bit_at({at.dx + dx, at.dy + dy}) - cells.lowest());
        }
        return shape;
    }

    void add_turns(int side) {
        std::map<std::pair<int, Cells>, Action> actions;
        const auto key = [&](Action a, Bitboard cells) {
            return std::pair(int{placement(side, a).building}, Cells{cells.low(), cells.high()});
        };
        for (Action a = 0; a < placements_[side].size(); ++a) {
            actions[key(a, cells(side, a))] = a;
        }
        for (Action a = 0; a < placements_[side].size(); ++a) {
            turned_[side].push_back(actions.at(key(a, rotate(cells(side, a)))));
        }
    }

    int size_;
    bool official_;
    Bitboard board_;
    std::array<Action, Buildings> first_action_{};
    std::array<std::array<std::vector<Shape>, Kinds>, 2> shapes_;
    std::array<std::vector<Placement>, 2> placements_;
    std::array<std::vector<Action>, 2> turned_;
};

}  // namespace ludus
