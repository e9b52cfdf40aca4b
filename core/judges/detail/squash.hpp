// From any sum of weighted features into (-1, 1), keeping its sign and its order.
#pragma once

#include <cmath>

namespace ludus {

inline float squash(float sum) {
    constexpr float Below = 1 - 0x1p-20f;  // huge sums would round to 1
    return Below * sum / (1 + std::abs(sum));
}

}  // namespace ludus
