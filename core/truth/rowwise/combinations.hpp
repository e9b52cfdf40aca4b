// Sets of k out of n cells, numbered in the order of their bits read as a number.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace ludus::rowwise {

// n over k, exact where the result fits 64 bits with room to spare; 0 where there is none.
constexpr std::uint64_t binomial(int n, int k) {
    if (k < 0 || k > n) return 0;
    std::uint64_t result = 1;
    for (int i = 1; i <= k; ++i) {
        result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    }
    return result;
}

// The set after this one among those of its size.
constexpr std::uint64_t next_combination(std::uint64_t set) {
    const std::uint64_t lowest = set & -set;
    const std::uint64_t ripple = set + lowest;
    return ripple | ((set ^ ripple) >> (2 + std::countr_zero(lowest)));
}

// Numbers sets in a few table lookups: the cells are cut into chunks, and a chunk's share of the
// number depends only on its own cells and on how many there are in the chunks above it.
template <int Chunks>
class Combinations {
  public:
    Combinations(int n, int k) : count_(binomial(n, k)), width_((n + Chunks - 1) / Chunks) {
        for (int chunk = 0; chunk < Chunks; ++chunk) {
            auto& shares = shares_[static_cast<std::size_t>(chunk)];
            const int heights = chunk == 0 || chunk == Chunks - 1 ? 1 : k + 1;
            shares.resize(static_cast<std::size_t>(heights) << width_);
            for (std::uint64_t cells = 0; cells < shares.size(); ++cells) {
                const std::uint64_t own = cells & ((std::uint64_t{1} << width_) - 1);
                // What is left for the lowest chunk is all in it.
                const int left =
                    chunk == 0 ? std::popcount(own) : k - static_cast<int>(cells >> width_);
                shares[cells] = share(own, chunk * width_, left);
            }
        }
    }

    std::uint64_t count() const { return count_; }

    std::uint32_t rank(std::uint64_t set) const {
        const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
        std::uint32_t result = shares_[0][set & mask] + shares_[Chunks - 1][set >> top()];
        if constexpr (Chunks > 2) {
            for (int chunk = 1; chunk < Chunks - 1; ++chunk) {
                const std::uint64_t rest = set >> chunk * width_;
                const auto above = static_cast<std::uint64_t>(std::popcount(rest >> width_));
                result += shares_[static_cast<std::size_t>(chunk)][above << width_ | (rest & mask)];
            }
        }
        return result;
    }

  private:
    int top() const { return (Chunks - 1) * width_; }

    static std::uint32_t share(std::uint64_t own, int shift, int left) {
        std::uint64_t result = 0;
        while (own) {
            const int cell = static_cast<int>(std::bit_width(own)) - 1;
            result += binomial(cell + shift, left--);
            own ^= std::uint64_t{1} << cell;
        }
        return static_cast<std::uint32_t>(result);
    }

    std::uint64_t count_;
    int width_;
    std::array<std::vector<std::uint32_t>, Chunks> shares_;
};

}  // namespace ludus::rowwise
