// Actions drawn from policies, many at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace ludus {

// What is drawn from: a row of numbers and of flags for each game, and a number in [0, 1).
struct Urns {
    std::span<const float> logits;   // [rows, actions]; only those of legal actions are looked at
    std::span<const bool> legal;     // [rows, actions]
    std::span<const double> chance;  // [rows]
};

// Draws an action a row from the softmax over its legal logits, and tells the log of its
// probability. Returns the first row that has no legal action or whose policy is not finite, where
// it stops; the number of rows if there is none.
inline std::size_t draw(const Urns& from, std::span<std::int32_t> actions, std::span<float> logs) {
    const std::size_t rows = from.chance.size();
    const std::size_t width = rows ? from.legal.size() / rows : 0;
    std::vector<double> upto(width);  // the sum of what the legal actions up to here weigh
    for (std::size_t row = 0; row < rows; ++row) {
        const auto logits = from.logits.subspan(row * width, width);
        const auto legal = from.legal.subspan(row * width, width);
        float most = -std::numeric_limits<float>::infinity();
        for (std::size_t a = 0; a < width; ++a) {
            // A NaN compares with nothing, and must not pass unseen.
            if (legal[a] && !(logits[a] <= most)) most = logits[a];
        }
        double sum = 0;
        for (std::size_t a = 0; a < width; ++a) {
            if (legal[a]) sum += std::exp(logits[a] - most);
            upto[a] = sum;
        }
        if (!(sum > 0) || !std::isfinite(sum)) return row;
        const auto taken = static_cast<std::size_t>(
            std::ranges::upper_bound(upto, from.chance[row] * sum) - upto.begin());
        actions[row] = static_cast<std::int32_t>(taken);
        logs[row] = static_cast<float>(logits[taken] - most - std::log(sum));
    }
    return rows;
}

}  // namespace ludus
