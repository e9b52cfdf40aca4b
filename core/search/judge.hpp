// A hand-written evaluation of a position: in (-1, 1), for the player to move.
#pragma once

#include <concepts>

#include "../game.hpp"

namespace ludus {

// Specialised for a game in core/judges/<game>.hpp. `Weights` is an aggregate of defaults with
// `visit(f)`, which calls f(name, float&) for each, as `Parameters` does.
template <class G>
struct Judge;

template <class G>
concept Judged = Game<G> && requires(const G at, const typename Judge<G>::Weights weights) {
    { Judge<G>::value(at, weights) } -> std::convertible_to<float>;
};

}  // namespace ludus
