// How a search treats what chance decides.
#pragma once

#include <array>
#include <cstdint>

#include "../game.hpp"
#include "../random.hpp"

namespace ludus {

// Where a result leads does not depend on the action it came of: results are numbered from 0 to
// num_results() - 1, and equal numbers make equal positions. Actions then share their landings.
template <class G>
concept SharesLandings = Chancy<G> && requires(const G at) {
    { at.num_results() } -> std::convertible_to<int>;
};

// How chance is treated: a visit goes to the result that is the furthest behind its share, and
// values are expectations; or results are drawn and values are means over visits, as papers do.
enum class ChanceMode : std::uint8_t { Expectation, Sample };
constexpr std::array<const char*, 2> names(ChanceMode) {
    return {"expectation", "sample"};
}

struct ChanceRule {
    bool sample = false;
    std::uint32_t landings = 0;  // that the actions of a position share; 0 if each has its own
};

// For a game at hand.
template <Game G>
ChanceRule with_landings(ChanceRule rule, const G& at) {
    rule.landings = 0;
    if constexpr (SharesLandings<G>) {
        if (!rule.sample) rule.landings = static_cast<std::uint32_t>(at.num_results());
    }
    return rule;
}

// The rank of a result, each as probable as it is.
std::size_t sample(const auto& chances, Random& random) {
    const auto results = static_cast<std::size_t>(std::ranges::size(chances));
    double uniform = random.uniform();
    std::size_t rank = 0;
    while (rank + 1 < results && uniform >= chances[rank].probability) {
        uniform -= chances[rank++].probability;
    }
    return rank;
}

}  // namespace ludus
