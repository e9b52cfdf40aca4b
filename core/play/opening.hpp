// How a game of self-play is opened: by random moves of both players, or of one of them, to whom
// the other replies with thought. So a learner meets what nobody who plays well would do, on both
// sides.
#pragma once

#include "../state.hpp"

namespace ludus {

struct Opening {
    static constexpr int Both = 2;

    int careless = Both;   // whose moves are random
    int careful_from = 0;  // the ply from which nobody's are

    // Up to `most` plies from here on; `one_sided_prob` is how probably they are one player's.
    static Opening sample(int from, int most, double one_sided_prob, Random& random) {
        const auto plies = most ? random.below(static_cast<std::uint32_t>(most) + 1) : 0;
        const bool one = one_sided_prob > 0 && random.uniform() < one_sided_prob;
        return {one ? static_cast<int>(random.below(2)) : Both, from + static_cast<int>(plies)};
    }

    // Plays the random moves that are due, up to one that would end the game: whether there were.
    // A move that could be random is so with the probability `random_move_prob`.
    template <Game G>
    bool stray(State<G>& state, double random_move_prob, Random& random) {
        bool strayed = false;
        while (state.plies() < careful_from && (careless == Both || careless == state.player()) &&
               (random_move_prob >= 1 || random.uniform() < random_move_prob)) {
            const auto legal = state.legal();
            const auto count = static_cast<std::uint32_t>(std::ranges::size(legal));
            State<G> next = state;
            next.play(legal[random.below(count)], random);
            if (next.outcome()) {
                careful_from = 0;
                break;
            }
            state = next;
            strayed = true;
        }
        return strayed;
    }
};

}  // namespace ludus
