// One small generator (splitmix64), passed in, never global.
#pragma once

#include <cstdint>
#include <limits>

namespace ludus {

// A bijection of 64 bits in which every input bit stirs every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// Joins another word to a hash; order matters.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    return mix(hash * 0x9e3779b97f4a7c15ULL + word + 0x632be59bd9b4e019ULL);
}

// What the numbers are for. One seed gives each purpose numbers of its own, so that, say, games and
// the agents that play them may be given the same seed.
enum class Stream : std::uint64_t { Other, Playout, Batch, Versus, Tree, Forest, SelfPlay };

class Random {
  public:
    using result_type = std::uint64_t;

    // Work item `index` of a job gets its own generator, whichever thread does it. Seed, purpose
    // and index are stirred one by one: sums would let the items of two seeds be the same ones,
    // moved by some places.
    explicit constexpr Random(std::uint64_t seed, Stream purpose = Stream::Other,
                              std::uint64_t index = 0)
        : state_(mix(stir(stir(seed), static_cast<std::uint64_t>(purpose)) ^ stir(~index))) {}

    // A generator that goes on where one with this state left off.
    static constexpr Random from_state(std::uint64_t state) {
        Random random(0);
        random.state_ = state;
        return random;
    }
    constexpr std::uint64_t state() const { return state_; }

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    constexpr result_type operator()() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }

    // Uniform below `bound`, without bias.
    constexpr std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = ((*this)() >> 32) * bound;
        if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
            const std::uint32_t unfair = -bound % bound;
            while (static_cast<std::uint32_t>(product) < unfair)
                product = ((*this)() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // Uniform in [0, 1).
    constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  private:
    // Unlike mix(x), not 0 for 0.
    static constexpr std::uint64_t stir(std::uint64_t x, std::uint64_t word = 0) {
        return mix(mix(x + 0x9e3779b97f4a7c15ULL) + 0xd1342543de82ef95ULL * (word + 1));
    }

    std::uint64_t state_;
};

}  // namespace ludus
