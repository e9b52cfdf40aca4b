// What learning learns from: plies that a search has thought about, row by row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../game.hpp"

namespace ludus {

struct Records {
    std::vector<float> features{};         // of each ply, in the frame of its mover
    std::vector<std::uint32_t> counts{};   // how many actions were legal
    std::vector<std::uint16_t> actions{};  // these, in the mover's frame, ply after ply
    std::vector<float> weights{};          // what the search made of them
    std::vector<float> values{};           // what it thought the position is worth to the mover
    std::vector<float> chosen{};         // and the move played; no number: nothing to learn from it
    std::vector<float> outcomes{};       // how the game ended for the mover
    std::vector<std::int8_t> players{};  // the mover
    std::vector<std::uint8_t> full{};    // whether the whole search was spent on it
    // Where positions are recorded, how far the game was, and their texts one after the other.
    std::vector<std::uint32_t> plies{};
    std::vector<std::uint16_t> lengths{};
    std::vector<std::uint8_t> letters{};
    std::vector<float> surprises{};      // divergence of the weights from the priors, in nats
    std::vector<std::uint32_t> games{};  // how many of these plies each game has, if all are over

    std::size_t size() const { return counts.size(); }

    // All of it or nothing: if memory fails, the lists still belong together.
    void append(const Records& more) {
        make_room(more);
        each(more,
             [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); });
    }

    // After which these can be appended without fail.
    void make_room(const Records& more) {
        each(more, [](auto& to, const auto& from) {
            const std::size_t needed = to.size() + from.size();
            if (needed > to.capacity()) to.reserve(std::max(needed, 2 * to.capacity()));
        });
    }

    void write_down(const std::string& text, int ply) {
        require(text.size() <= MostLetters, "a position whose text is so long is not recorded");
        plies.push_back(static_cast<std::uint32_t>(ply));
        lengths.push_back(static_cast<std::uint16_t>(text.size()));
        letters.insert(letters.end(), text.begin(), text.end());
    }

    static constexpr std::size_t MostLetters = 65535;

  private:
    void each(const Records& more, auto f) {
        f(features, more.features);
        f(counts, more.counts);
        f(actions, more.actions);
        f(weights, more.weights);
        f(values, more.values);
        f(chosen, more.chosen);
        f(outcomes, more.outcomes);
        f(players, more.players);
        f(full, more.full);
        f(plies, more.plies);
        f(lengths, more.lengths);
        f(letters, more.letters);
        f(surprises, more.surprises);
        f(games, more.games);
    }
};

// How far a policy is from a prior: the sum of p log(p / q), in nats.
inline float divergence(const std::vector<double>& policy, const std::vector<float>& prior) {
    double sum = 0;
    for (std::size_t i = 0; i < policy.size(); ++i) {
        const double least = std::max(static_cast<double>(prior[i]), 1e-9);
        if (policy[i] > 0) sum += policy[i] * std::log(policy[i] / least);
    }
    return static_cast<float>(std::max(sum, 0.0));
}

// Lets each value be told by those after it, and the last by the outcome, each for its mover: by
// how much what came differs from what was thought of the move played. Where that is what was
// thought of the position, a td_lambda of 1 makes all values the outcome; with 0 they stay what
// they are.
inline void look_ahead(Records& game, double td_lambda) {
    if (game.size() == 0) return;
    float later = game.outcomes.back();
    for (std::size_t ply = game.size(); ply-- > 0;) {
        if (ply + 1 < game.size() && game.players[ply] != game.players[ply + 1]) later = -later;
        const double value = game.values[ply];
        const double error = static_cast<double>(later) - game.chosen[ply];
        const double told = std::isnan(error) ? value : value + td_lambda * error;
        game.values[ply] = later = static_cast<float>(std::clamp(told, -1.0, 1.0));
    }
}

}  // namespace ludus
