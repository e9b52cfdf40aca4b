// Random playouts of whole games, over threads, the same for any number of them.
#pragma once

#include <array>
#include <vector>

#include "../search/threads.hpp"
#include "../state.hpp"

namespace ludus {

// What a number of playouts came to.
struct Playouts {
    std::uint64_t games = 0;
    std::array<std::uint64_t, 2> wins{};
    std::uint64_t draws = 0;
    std::uint64_t plies = 0;

    void add(const Playouts& other) {
        games += other.games;
        wins[0] += other.wins[0];
        wins[1] += other.wins[1];
        draws += other.draws;
        plies += other.plies;
    }
};

// Plays uniformly random legal actions until the game is over; returns how many.
template <class S>
std::uint64_t play_out(S& state, Random& random) {
    std::uint64_t plies = 0;
    while (true) {
        const auto legal = state.legal();
        const auto size = static_cast<std::uint32_t>(std::ranges::size(legal));
        if (size == 0) return plies;
        state.play(legal[random.below(size)], random);
        ++plies;
    }
}

// Playouts number `first` to `first + count - 1` of a seed.
template <class S>
Playouts playouts(const S& start, std::uint64_t seed, std::uint64_t first, std::uint64_t count) {
    Playouts total;
    for (std::uint64_t done = 0; done < count; ++done) {
        Random random(seed, Stream::Playout, first + done);
        S state = start;
        if constexpr (requires { state.toss(0.0); }) state.toss(random.uniform());
        total.plies += play_out(state, random);
        ++total.games;
        const Score score = *state.outcome();
        if (score == 0) {
            ++total.draws;
        } else {
            ++total.wins[static_cast<std::size_t>(score > 0 ? state.player() : 1 - state.player())];
        }
    }
    return total;
}

// The same work shared among threads, in slices of indices.
template <class S>
Playouts playouts(const S& start, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
                  int threads) {
    if (threads <= 1) return playouts(start, seed, first, count);
    const std::uint64_t slice =
        std::max<std::uint64_t>(1, count / (16u * static_cast<unsigned>(threads)));
    std::vector<Playouts> totals(static_cast<std::size_t>(count / slice + (count % slice > 0)));
    in_threads(threads, totals.size(), [&](std::size_t i) {
        const std::uint64_t at = i * slice;
        totals[i] = playouts(start, seed, first + at, std::min(slice, count - at));
    });
    Playouts sum;
    for (const Playouts& total : totals) sum.add(total);
    return sum;
}

}  // namespace ludus
