// One small generator (splitmix64), passed in, never global.
#pragma once

#include <cstdint>
#include <limits>

namespace ludus {

// A bijection of 64 bits in which every input bit stirs every output bit.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// Joins another word to a hash; order matters.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    return mixed(hash * 0x9e3779b97f4a7c15ULL + word + 0x632be59bd9b4e019ULL);
}

class Random {
  public:
    using result_type = std::uint64_t;

    // Work item `stream` of a job gets its own generator, whichever thread does it.
    explicit constexpr Random(std::uint64_t seed, std::uint64_t stream = 0)
        : state_(mixed(mixed(seed), stream)) {}

    // A generator that goes on where one with this state left off.
    static constexpr Random resumed(std::uint64_t state) {
        Random random(0);
        random.state_ = state;
        return random;
    }
    constexpr std::uint64_t state() const { return state_; }

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    constexpr result_type operator()() { return mixed(state_ += 0x9e3779b97f4a7c15ULL); }

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
    std::uint64_t state_;
};

}  // namespace ludus
