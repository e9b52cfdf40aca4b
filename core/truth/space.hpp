// A space: all states of a game, or of its endgames, numbered for backward analysis.
#pragma once

#include <concepts>
#include <cstdint>

namespace ludus {

struct Range {
    std::uint64_t first = 0, last = 0;  // without the last

    std::uint64_t size() const { return last - first; }
};

// What a state is before anything is known of others. The player to move never stands there as a
// winner: the move that wins was the opponent's.
enum class Standing : std::uint8_t { Open, Lost, Drawn, Illegal };

// A successor without a number: the game has ended, and its player to move has lost.
inline constexpr std::uint64_t Ended = ~std::uint64_t{0};

// Numbers are dense and come in slices, each a range. From a slice play leads to the same slice or
// to earlier ones. Each move passes the turn; where a turn is several actions it is one move here.
//
// `node(slice, index)` has `standing()` and `successors(f)`, which calls f with the number of each
// successor, or with Ended. `weights(slice, f)` calls f(range, weight) to say how many states each
// number of the range stands for (mirror images).
template <class S>
concept Space = requires(const S space, std::size_t slice, std::uint64_t index) {
    { space.size() } -> std::same_as<std::uint64_t>;
    { space.slices() } -> std::same_as<std::size_t>;
    { space.slice(slice) } -> std::same_as<Range>;
    { space.node(slice, index).standing() } -> std::same_as<Standing>;
    space.node(slice, index).successors([](std::uint64_t) {});
    space.weights(slice, [](Range, int) {});
};

// Play can go round inside a slice, and `predecessors(f)` of a node are the states of its slice
// from which a move leads to it. Without them play only leads to earlier slices.
template <class S>
concept Cyclic = Space<S> && requires(const S space, std::size_t slice, std::uint64_t index) {
    space.node(slice, index).predecessors([](std::uint64_t) {});
};

}  // namespace ludus
