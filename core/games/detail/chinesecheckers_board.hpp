// The board of Chinese Checkers: its cells, its homes, and where pieces can go.
//
// Cells (i, j) form a diamond that stands on its tip; ids run along its rows, from the first
// player's tip to the second's:
//
//               0               i + j = 0
//             1   2
//           3   4   5
//         6   7   8   9         i + j = 3, where i falls from left to right
//          10  11  12
//            13  14
//              15               i + j = 6
//
// Sets of cells are grids with a spare column, cell (i, j) at bit i * (size + 1) + j. There each of
// the six directions is one shift, and a step that leaves the board ends on a spare bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>

#include "chinesecheckers_sets.hpp"

namespace ludus {

template <class Cells>
class Diamond {
  public:
    static constexpr bool Small = std::is_same_v<Cells, SmallBitboard>;
    static constexpr int MaxSize = Small ? 7 : 9;
    static constexpr int MaxPieces = 10;

    // The one board of these sizes; it lives as long as the process.
    static const Diamond& of(int size, int pieces) {
        static std::mutex mutex;
        static std::map<std::pair<int, int>, const Diamond> made;
        const std::scoped_lock lock(mutex);
        return made.try_emplace({size, pieces}, size, pieces).first->second;
    }

    Diamond(int size, int pieces) : size(size), pieces(pieces), cells(size * size) {
        number_cells();
        for (const int id : {0, 1, 2, pieces == 4 ? 4 : 3, 4, 5, 6, 7, 8, 9}) {
            if (homes[0].count() < pieces) add(homes, id);
        }
        add(tips, 0);
        for (const int id : {1, 2, 3, 5}) {
            if (pieces >= 6) add(gates, id);
        }
    }

    // An action is from * cells + to.
    int from(int action) const {
        return static_cast<int>(static_cast<std::uint32_t>(action) * inverse_ >> 24);
    }
    int to(int action) const { return action - from(action) * cells; }

    int bit(int id) const { return bits_[at(id)]; }
    int id(int bit) const { return ids_[at(bit)]; }
    int i(int id) const { return bit(id) / (size + 1); }
    int j(int id) const { return bit(id) % (size + 1); }
    int row(int id) const { return i(id) + j(id); }
    int mirror(int id) const { return ids_[at(j(id) * (size + 1) + i(id))]; }
    Cells cell(int id) const { return Cells::cell(bit(id)); }

    // The cells no farther from the player's goal.
    Cells ahead(int player, int id) const { return ahead_[at(player)][at(id)]; }

    // The cells one step nearer to the player's goal than some of these.
    Cells advance(int player, Cells from) const {
        const Cells to = player ? from >> 1 | from >> (size + 1) : from << 1 | from << (size + 1);
        return to & inside_;
    }

    // The same cells as a set of ids.
    Cells by_id(Cells grid) const {
        Cells result;
        for (int i = 0; i < size; ++i) {
            const std::uint64_t line = (grid >> i * (size + 1)).low() & ((1u << size) - 1);
            result |= by_id_[at(i)][line];
        }
        return result;
    }

    // Calls each(id, targets) by rising id with all that each of these pieces can step or hop to.
    //
    // The piece stays on the board meanwhile. It could be in its own way only by hopping over the
    // cell it left, but hops keep the parity of both coordinates.
    void reach(Cells movers, Cells occupied, auto each) const {
        const Hops hops(size, occupied, inside_);
        for (Cells ids = by_id(movers); !ids.empty();) {
            std::array<int, Lanes<Cells>::Count> from;
            typename Lanes<Cells>::Sets sets{};
            std::size_t count = 0;
            for (; count < sets.size() && !ids.empty(); ++count) {
                from[count] = ids.pop_lowest();
                sets[count] = cell(from[count]);
            }
            const auto targets = hops.targets(Lanes<Cells>(sets)).sets();
            for (std::size_t piece = 0; piece < count; ++piece) each(from[piece], targets[piece]);
        }
    }

    const int size, pieces, cells;
    std::array<Cells, 2> homes;
    std::array<Cells, 2> tips;   // of the homes
    std::array<Cells, 2> gates;  // of homes of six or more: the four cells around the tip

  private:
    // What the pieces on the board leave open.
    struct Hops {
        Hops(int size, Cells occupied, Cells inside)
            : steps{1, size, size + 1}, free(inside & ~occupied) {
            for (std::size_t way = 0; way < 3; ++way) {
                const int step = steps[way];
                up[way] = (occupied >> step) & (free >> 2 * step);
                down[way] = (occupied << step) & (free << 2 * step);
            }
        }

        Lanes<Cells> targets(const Lanes<Cells>& start) const {
            Lanes<Cells> reached = start;
            for (bool grows = true; grows;) {
                const Lanes<Cells> before = onward(reached);  // two hops for one look
                reached = onward(before);
                grows = !(reached == before);
            }
            Lanes<Cells> result = reached ^ start;
            for (const int step : steps) {
                result |= (start << step) & free;
                result |= (start >> step) & free;
            }
            return result;
        }

        Lanes<Cells> onward(const Lanes<Cells>& from) const {
            Lanes<Cells> result = from;
            for (std::size_t way = 0; way < 3; ++way) {
                result |= (from & up[way]) << 2 * steps[way];
                result |= (from & down[way]) >> 2 * steps[way];
            }
            return result;
        }

        std::array<int, 3> steps;
        Cells free;
        std::array<Cells, 3> up, down;  // from where a hop is possible
    };

    static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

    void number_cells() {
        int id = 0;
        for (int row = 0; row <= 2 * size - 2; ++row) {
            for (int i = std::min(row, size - 1); i >= std::max(0, row - size + 1); --i) {
                const int bit = i * (size + 1) + row - i;
                bits_[at(id)] = static_cast<std::uint8_t>(bit);
                ids_[at(bit)] = static_cast<std::uint8_t>(id++);
                inside_ |= Cells::cell(bit);
            }
        }
        for (id = 0; id < cells; ++id) {
            for (int other = 0; other < cells; ++other) {
                if (row(other) >= row(id)) ahead_[0][at(id)] |= cell(other);
                if (row(other) <= row(id)) ahead_[1][at(id)] |= cell(other);
            }
            for (std::size_t line = 0; line < std::size_t{1} << size; ++line) {
                if (line >> j(id) & 1) by_id_[at(i(id))][line] |= Cells::cell(id);
            }
        }
    }

    void add(std::array<Cells, 2>& areas, int id) {
        areas[0] |= cell(id);
        areas[1] |= cell(cells - 1 - id);
    }

    // Division by multiplication: exact, as (2^24 / cells + 1) * cells exceeds 2^24 by at most 81.
    const std::uint32_t inverse_ = (1u << 24) / static_cast<std::uint32_t>(cells) + 1;
    Cells inside_;
    std::array<std::uint8_t, MaxSize * MaxSize> bits_{};          // of ids
    std::array<std::uint8_t, MaxSize*(MaxSize + 1)> ids_{};       // of bits
    std::array<std::array<Cells, MaxSize * MaxSize>, 2> ahead_;   // by player and id
    std::array<std::array<Cells, 1 << MaxSize>, MaxSize> by_id_;  // of the cells of one i
};

}  // namespace ludus
