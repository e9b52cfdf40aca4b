// Subsets of a set of cells, numbered: the k-subsets of n cells are 0 to choose(n, k) - 1.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "../select.hpp"

namespace ludus {

class Subsets {
  public:
    static constexpr int MaxCells = 36;

    static constexpr std::uint64_t count(int cells, int chosen) {
        if (chosen < 0 || chosen > cells) return 0;
        return Pascal[static_cast<std::size_t>(cells)][static_cast<std::size_t>(chosen)];
    }

    // The number of this subset of `cells` among those of its size.
    static constexpr std::uint64_t rank(std::uint64_t subset, std::uint64_t cells) {
        std::uint64_t rank = 0;
        for (std::size_t chosen = 1; subset; subset &= subset - 1, ++chosen) {
            const std::uint64_t below = (subset & -subset) - 1;
            rank += Pascal[static_cast<std::size_t>(std::popcount(cells & below))][chosen];
        }
        return rank;
    }

    static constexpr std::uint64_t unrank(std::uint64_t rank, int chosen, std::uint64_t cells) {
        std::uint64_t subset = 0;
        for (int place = std::popcount(cells); chosen > 0; --chosen) {
            do --place;
            while (count(place, chosen) > rank);
            rank -= count(place, chosen);
            subset |= std::uint64_t{1} << select(cells, place);
        }
        return subset;
    }

  private:
    using Triangle = std::array<std::array<std::uint64_t, MaxCells + 1>, MaxCells + 1>;
    static constexpr Triangle Pascal = [] {
        Triangle rows{};
        for (std::size_t n = 0; n <= MaxCells; ++n) {
            rows[n][0] = 1;
            for (std::size_t k = 1; k <= n; ++k) rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
        }
        return rows;
    }();
};

// The cells counted from the other end: a board of so many bits turned by 180 degrees.
constexpr std::uint64_t rotate_bits(std::uint64_t set, int bits) {
    set = (set & 0x5555555555555555) << 1 | (set >> 1 & 0x5555555555555555);
    set = (set & 0x3333333333333333) << 2 | (set >> 2 & 0x3333333333333333);
    set = (set & 0x0f0f0f0f0f0f0f0f) << 4 | (set >> 4 & 0x0f0f0f0f0f0f0f0f);
    return __builtin_bswap64(set) >> (64 - bits);
}

}  // namespace ludus
