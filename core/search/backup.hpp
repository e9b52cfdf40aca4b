// What a position is worth by its network and its actions, where chance decides what they lead to.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "node.hpp"

namespace ludus {

// For the player to move at this parent, whose children were expanded with priors. The mean over
// visits counts what was tried only to be dropped, and an action is worth little until many of its
// results were seen. So actions count by an improved policy, as in Gumbel search (Danihelka et al.
// 2022, with mctx's constants): priors times exp(weight * value), where what was not tried is worth
// what the network says. The network's own opinion counts as some visits more.
inline double improved_value(const Node& parent, std::span<const Node> children) {
    constexpr double Own = 8;  // visits; with fewer an exact evaluator is trusted too little
    constexpr double Visits = 50, Scale = 0.5;
    double visits = 0, most = 0;
    for (const Node& child : children) {
        visits += child.visits;
        most = std::max<double>(most, child.visits);
    }
    const auto value = [&](const Node& child) {
        if (!child.seen()) return static_cast<double>(parent.raw);
        return parent.safe ? std::max(0.0, child.value()) : child.value();
    };
    const double weight = (Visits + most) * Scale;
    double highest = -1;
    for (const Node& child : children) highest = std::max(highest, value(child));
    double sum = 0, mass = 0;
    for (const Node& child : children) {
        const double share = child.prior * std::exp(weight * (value(child) - highest));
        sum += share * value(child);
        mass += share;
    }
    const double improved = mass > 0 ? sum / mass : highest;
    const double own = Own * (parent.visits - visits);
    return (own * parent.raw + visits * improved) / (own + visits);
}

}  // namespace ludus
