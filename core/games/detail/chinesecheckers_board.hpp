// The board of Chinese Checkers: its cells, their neighbours, homes, and hops by table.
//
// Ids run along the rows of a diamond that stands on its tip; the first player's tip is 0:
//
//           15              i + j = 6
//         13  14
//       10  11  12
//      6   7   8   9        i + j = 3, i falls from left to right
//        3   4   5
//          1   2
//            0              i + j = 0
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "../../bitboard.hpp"

namespace ludus {

// A Bitboard for boards that fit one machine word.
class SmallBitboard {
  public:
    constexpr SmallBitboard() = default;
    explicit constexpr SmallBitboard(std::uint64_t bits) : bits_(bits) {}

    static constexpr SmallBitboard cell(int index) { return SmallBitboard(std::uint64_t{1} << index); }

    constexpr bool contains(int index) const { return bits_ >> index & 1; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr bool touches(SmallBitboard other) const { return (bits_ & other.bits_) != 0; }
    constexpr std::uint64_t low() const { return bits_; }
    constexpr std::uint64_t high() const { return 0; }
    constexpr int count() const { return std::popcount(bits_); }
    constexpr int lowest() const { return std::countr_zero(bits_); }
    constexpr int pop_lowest() {
        const int index = lowest();
        bits_ &= bits_ - 1;
        return index;
    }

    constexpr SmallBitboard operator&(SmallBitboard b) const { return SmallBitboard(bits_ & b.bits_); }
    constexpr SmallBitboard operator|(SmallBitboard b) const { return SmallBitboard(bits_ | b.bits_); }
    constexpr SmallBitboard operator^(SmallBitboard b) const { return SmallBitboard(bits_ ^ b.bits_); }
    constexpr SmallBitboard operator~() const { return SmallBitboard(~bits_); }
    constexpr SmallBitboard operator<<(int by) const { return SmallBitboard(bits_ << by); }
    constexpr SmallBitboard operator>>(int by) const { return SmallBitboard(bits_ >> by); }
    constexpr SmallBitboard& operator&=(SmallBitboard b) { return *this = *this & b; }
    constexpr SmallBitboard& operator|=(SmallBitboard b) { return *this = *this | b; }
    constexpr SmallBitboard& operator^=(SmallBitboard b) { return *this = *this ^ b; }
    constexpr bool operator==(const SmallBitboard&) const = default;

  private:
    std::uint64_t bits_ = 0;
};

template <class Cells>
class Diamond {
  public:
    static constexpr int MaxSize = std::is_same_v<Cells, Bitboard> ? 9 : 7;

    // The one board of these sizes; it lives as long as the process.
    static const Diamond& of(int size, int pieces) {
        static std::mutex mutex;
        static std::map<std::pair<int, int>, const Diamond> made;
        const std::scoped_lock lock(mutex);
        return made.try_emplace({size, pieces}, size, pieces).first->second;
    }

    Diamond(int size, int pieces) : size(size), pieces(pieces), cells(size * size) {
        int id = 0;
        for (int row = 0; row <= 2 * size - 2; ++row) {
            for (int i = std::min(row, size - 1); i >= std::max(0, row - size + 1); --i) {
                spots_[at(id)].i = i;
                spots_[at(id)].j = row - i;
                ids_[at(i * size + row - i)] = id++;
            }
        }
        for (id = 0; id < cells; ++id) connect(id);
        for (const int cell : {0, 1, 2, pieces == 4 ? 4 : 3, 4, 5, 6, 7, 8, 9}) {
            if (homes[0].count() < pieces) add(homes, cell);
        }
        for (const int cell : {1, 2, 3, 5}) {
            if (pieces >= 6) add(gates, cell);
        }
    }

    int tip(int player) const { return player ? cells - 1 : 0; }
    int row(int id) const { return spot(id).i + spot(id).j; }
    int plane_cell(int id) const { return spot(id).i * size + spot(id).j; }
    int mirrored(int id) const { return *find(spot(id).j, spot(id).i); }

    Cells steps(int id) const { return spot(id).neighbours; }
    // The far sides of the cell's occupied neighbours: where a hop ends if that is empty.
    Cells landings(int id, Cells occupied) const {
        return spot(id).landings[spot(id).pattern(occupied)];
    }
    // The cells no farther from the player's goal.
    Cells ahead(int player, int id) const { return spot(id).ahead[at(player)]; }

    const int size, pieces, cells;
    std::array<Cells, 2> homes;
    std::array<Cells, 2> gates;  // of homes with six pieces or more: the four cells around the tip

  private:
    struct Spot {
        int i, j;
        Cells neighbours;
        std::array<Cells, 2> ahead;
        std::uint8_t before, beside, after;  // shifts that bring neighbours down to bit 0
        std::array<Cells, 64> landings;      // by pattern

        // Neighbours are two adjacent ids in the row before, one on each side, and two adjacent
        // ids in the row after. Moved up by one, as the row before may seem to begin at id -1.
        std::size_t pattern(Cells occupied) const {
            const std::uint64_t near = (((occupied & neighbours) << 1) >> before).low();
            const std::uint64_t sides = near >> beside & 5;
            return (near & 3) | ((sides | sides >> 1) & 3) << 2 | (near >> after & 3) << 4;
        }
    };

    static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }
    const Spot& spot(int id) const { return spots_[at(id)]; }

    std::optional<int> find(int i, int j) const {
        if (i < 0 || i >= size || j < 0 || j >= size) return std::nullopt;
        return ids_[at(i * size + j)];
    }

    void add(std::array<Cells, 2>& areas, int id) {
        areas[0] |= Cells::cell(id);
        areas[1] |= Cells::cell(cells - 1 - id);
    }

    void connect(int id) {
        Spot& spot = spots_[at(id)];
        const auto [i, j] = std::pair(spot.i, spot.j);
        for (int other = 0; other < cells; ++other) {
            if (row(other) >= row(id)) spot.ahead[0] |= Cells::cell(other);
            if (row(other) <= row(id)) spot.ahead[1] |= Cells::cell(other);
        }
        // One more than the left id of a pair, of which either may lie off the board.
        const auto pair = [&](std::optional<int> left, std::optional<int> right) {
            return left ? *left + 1 : right.value_or(0);
        };
        const int before = pair(find(i, j - 1), find(i - 1, j));
        const int after = std::max(before, pair(find(i + 1, j), find(i, j + 1)));
        spot.before = static_cast<std::uint8_t>(before);
        spot.beside = static_cast<std::uint8_t>(id - before);
        spot.after = static_cast<std::uint8_t>(after - before);

        std::vector<std::pair<Cells, Cells>> hops;  // over what, and to where
        for (const auto& [di, dj] : {std::pair(1, 0), {0, 1}, {-1, 0}, {0, -1}, {1, -1}, {-1, 1}}) {
            if (const auto over = find(i + di, j + dj)) {
                const auto to = find(i + 2 * di, j + 2 * dj);
                hops.emplace_back(Cells::cell(*over), to ? Cells::cell(*to) : Cells());
                spot.neighbours |= hops.back().first;
            }
        }
        for (std::size_t subset = 0; subset < std::size_t{1} << hops.size(); ++subset) {
            Cells occupied, landings;
            for (std::size_t hop = 0; hop < hops.size(); ++hop) {
                if (!(subset >> hop & 1)) continue;
                occupied |= hops[hop].first;
                landings |= hops[hop].second;
            }
            spot.landings[spot.pattern(occupied)] = landings;
        }
    }

    std::array<Spot, at(MaxSize * MaxSize)> spots_{};
    std::array<int, at(MaxSize * MaxSize)> ids_{};  // by i * size + j
};

}  // namespace ludus
