// The contract of a game: what rules must answer so that everything else is written once.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ludus {

using Action = std::uint16_t;
using Score = int;  // for the player to move: 1 a win, 0 a draw, -1 a loss

struct Shape {
    int planes, rows, columns;

    constexpr int cells() const { return rows * columns; }
    constexpr int size() const { return planes * cells(); }
    bool operator==(const Shape&) const = default;
};

// Which feature planes: all the rules need, exactly the papers', or the papers' one signed plane.
enum class Planes { Full, Paper, Signed };

// When a line of play is called a draw although its position is not; 0 means never.
struct Limits {
    int max_plies = 0;
    int no_progress = 0;  // turns without progress
    int repetition = 0;   // occurrences of one position

    bool operator==(const Limits&) const = default;
};

// A position in a two-player, zero-sum game of perfect information.
//
// Positions are values: copying one is how a move is taken back. Everything is seen from the
// player to move. Turns need not alternate, so code asks `player()`; it never assumes a flip.
template <class G>
concept Game = std::copyable<G> && std::equality_comparable<G> &&
               requires(G game, const G at, Action a, int symmetry, int cell, std::span<float> out,
                        Planes planes) {
                   { at.num_actions() } -> std::convertible_to<int>;
                   { at.player() } -> std::convertible_to<int>;  // once over: the last mover's foe
                   { at.legal() } -> std::ranges::random_access_range;  // empty exactly when over
                   { game.apply(a) };                                   // a must be legal
                   { at.outcome() } -> std::same_as<std::optional<Score>>;  // nullopt: goes on
                   {
                       at.key()
                   } -> std::convertible_to<std::uint64_t>;        // equal positions, equal keys
                   { at.seen(a) } -> std::convertible_to<Action>;  // in the mover's frame, and back
                   { at.shape(planes) } -> std::same_as<Shape>;
                   { at.features(out, planes) };                         // in the mover's frame
                   { at.num_symmetries() } -> std::convertible_to<int>;  // the identity is 0
                   { at.transformed(symmetry) } -> std::same_as<G>;
                   { at.transformed(symmetry, a) } -> std::convertible_to<Action>;
                   {
                       at.transformed_cell(symmetry, cell)
                   } -> std::convertible_to<int>;  // of a plane
               };

// A game of this core: it also knows its parameters and the text form of a position.
//
// `Parameters` is an aggregate of defaults with `visit(f)`, which calls f(name, field) for each.
// `start` and `parse` throw std::invalid_argument with one sentence a person can act on.
template <class G>
concept Native =
    Game<G> && std::is_trivially_copyable_v<G> &&
    requires(const G at, const typename G::Parameters parameters, std::string_view text) {
        { G::start(parameters) } -> std::same_as<G>;
        { G::limits(parameters) } -> std::same_as<Limits>;
        { G::parse(parameters, text) } -> std::same_as<G>;
        { at.text() } -> std::same_as<std::string>;
    };

// The board may do something by itself after an action. `chances(a)` are all results of the
// action; `apply(a, result)` makes one of them happen; `chancy()` says if this board ever errs.
struct Chance {
    int result;
    double probability;
};

template <class G>
concept Chancy = Game<G> && requires(G game, const G at, Action a, int result) {
    { at.chancy() } -> std::same_as<bool>;
    { at.chances(a) } -> std::ranges::random_access_range;
    { game.apply(a, result) };
};

// Positions can come back, so a line of play must remember them. `progress(a)`: no position
// before the action can occur after it.
template <class G>
concept Repeating = Game<G> && requires(const G at, Action a) {
    { at.progress(a) } -> std::same_as<bool>;
};

// The rules leave something to a coin before the first action: the start with that coin tossed.
template <class G>
concept CoinStart = Game<G> && requires(const G at, double uniform) {
    { at.tossed(uniform) } -> std::same_as<G>;
};

// An extra signal per ply for learners, by name, never mixed into the outcome.
struct Signal {
    float mover = 0;
    float opponent = 0;
};

// Where a ply stands in its game: positions tell neither what forfeits went before nor the clock.
struct Stage {
    bool first = false;
    bool last = false;
};

template <class G>
concept Shaped = Game<G> && requires(const G at, Action a, int kind, Stage ply) {
    { G::shapings() } -> std::ranges::random_access_range;     // names
    { at.shaping(kind, a, at, ply) } -> std::same_as<Signal>;  // the action led from here to there
};

// Knows what the player who waits sees: `waiting()` is the same board with the other player to
// move, good for its features and nothing else.
template <class G>
concept Watched = Game<G> && requires(const G at) {
    { at.waiting() } -> std::same_as<G>;
};

// What a player sees, in that player's frame; in a game that is not Watched, what the mover does.
template <class G>
void features_for(const G& at, int player, std::span<float> out, Planes planes) {
    if constexpr (Watched<G>) {
        if (player != at.player()) return at.waiting().features(out, planes);
    }
    at.features(out, planes);
}

// The same rules with sizes known at compile time: `fast()` is that form of the position, or
// nullopt where the sizes are others.
template <class G>
concept Specialised = Game<G> && requires(const G at) {
    typename G::Fast;
    { at.fast() } -> std::same_as<std::optional<typename G::Fast>>;
};

// Can tell whether an action is legal faster than by listing them all.
template <class G>
concept Quick = Game<G> && requires(const G at, Action a) {
    { at.allows(a) } -> std::same_as<bool>;
};

template <class G>
bool allows(const G& at, Action a) {
    if constexpr (Quick<G>) {
        return at.allows(a);
    } else {
        const auto legal = at.legal();
        return std::ranges::find(legal, a) != legal.end();
    }
}

// Throws the sentence for a person, unless the condition holds.
inline void require(bool condition, const std::string& sentence) {
    if (!condition) throw std::invalid_argument(sentence);
}

}  // namespace ludus
