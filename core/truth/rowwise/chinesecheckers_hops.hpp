// Where pieces of Chinese Checkers can go, for boards known at compile time: eight pieces at once.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace ludus::rowwise {

// Cell (i, j) is bit i * Size + j of a Set.
template <int Size, class Set>
class ChineseCheckersHops {
  public:
    static constexpr int Cells = Size * Size;
    static constexpr std::size_t Lanes = 8;
    typedef Set Vector __attribute__((vector_size(Lanes * sizeof(Set))));

    // Adds to the targets of each piece where it can hop. There are `count` pieces, and room for
    // the next multiple of Lanes.
    static void add(Set occupied, const Set* starts, Set* targets, std::size_t count) {
        constexpr int Steps[] = {1, Size, Size - 1};
        const Set free = ~occupied;
        Set up[3], down[3];  // from where a hop is possible
        for (std::size_t way = 0; way < 3; ++way) {
            const int step = Steps[way];
            up[way] = Board.up[way] & occupied >> step & free >> 2 * step;
            down[way] = Board.down[way] & occupied << step & free << 2 * step;
        }
        for (std::size_t first = 0; first < count; first += Lanes) {
            Vector start, reached, before, result;
            std::memcpy(&start, starts + first, sizeof start);
            std::memcpy(&result, targets + first, sizeof result);
            reached = start;
            do {
                for (int twice = 0; twice < 2; ++twice) {  // two hops for one look
                    before = reached;
                    for (std::size_t way = 0; way < 3; ++way) {
                        reached |= (before & up[way]) << 2 * Steps[way];
                        reached |= (before & down[way]) >> 2 * Steps[way];
                    }
                }
            } while (!equal(reached, before));
            result |= reached ^ start;
            std::memcpy(targets + first, &result, sizeof result);
        }
    }

    // The neighbours of a cell, and the cells no farther from, or no nearer to, the goal.
    static Set near(int index) { return Board.near[at(index)]; }
    static Set ahead(int index) { return Board.ahead[at(index)]; }
    static Set behind(int index) { return Board.behind[at(index)]; }

  private:
    static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }
    static constexpr Set cell(int index) { return static_cast<Set>(Set{1} << index); }

    struct Geometry {
        std::array<Set, 3> up{}, down{};  // from where a hop stays on the board
        std::array<Set, Cells> near{}, ahead{}, behind{};

        constexpr Geometry() {
            for (int a = 0; a < Cells; ++a) {
                for (int b = 0; b < Cells; ++b) relate(a, b);
            }
        }

        constexpr void relate(int a, int b) {
            constexpr int Ways[3][2] = {{0, 1}, {1, 0}, {1, -1}};
            const int di = b / Size - a / Size, dj = b % Size - a % Size;
            for (std::size_t way = 0; way < 3; ++way) {
                const auto is = [&](int times) {
                    return di == times * Ways[way][0] && dj == times * Ways[way][1];
                };
                if (is(1) || is(-1)) near[at(a)] |= cell(b);
                if (is(2)) up[way] |= cell(a);
                if (is(-2)) down[way] |= cell(a);
            }
            if (di + dj >= 0) ahead[at(a)] |= cell(b);
            if (di + dj <= 0) behind[at(a)] |= cell(b);
        }
    };
    static constexpr Geometry Board{};

    static bool equal(const Vector& a, const Vector& b) {
        const Vector differ = a ^ b;
        std::uint64_t words[sizeof(Vector) / 8], any = 0;
        std::memcpy(words, &differ, sizeof words);
        for (const std::uint64_t word : words) any |= word;
        return any == 0;
    }
};

}  // namespace ludus::rowwise
