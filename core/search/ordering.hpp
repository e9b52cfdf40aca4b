// Which move to try first: alpha-beta is as fast as its guesses are good.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluation.hpp"

namespace ludus {

struct Candidate {
    std::uint32_t merit;
    Action action;

    // A total order, so that no sorting routine's whim changes a search.
    bool operator<(const Candidate& other) const {
        return merit != other.merit ? merit > other.merit : action < other.action;
    }
};

// First the move that was best here before, then what the game finds promising, then killers (moves
// that refuted a sibling), then moves by how often and how deep they refuted anything.
class Ordering {
  public:
    explicit Ordering(int num_actions) {
        for (auto& history : history_) history.resize(static_cast<std::size_t>(num_actions));
        killers_.reserve(MostPlies);
    }

    template <Game G>
    std::uint32_t merit(const G& at, int player, int ply, Action a) const {
        const auto p = static_cast<std::size_t>(ply);
        std::uint32_t merit = history_[static_cast<std::size_t>(player)][a];
        if (p < killers_.size()) {
            if (a == killers_[p][0]) merit = Killer;
            if (a == killers_[p][1]) merit = Killer - 1;
        }
        if constexpr (Promising<G>) merit += static_cast<std::uint32_t>(at.promise(a)) * Promise;
        return merit;
    }
    static constexpr std::uint32_t First = ~std::uint32_t{0};

    // The action refuted what led here.
    void add_refutation(int player, int ply, int depth, Action a) {
        const auto p = static_cast<std::size_t>(ply);
        if (p >= killers_.size()) killers_.resize(p + 1, {Nobody, Nobody});
        if (killers_[p][0] != a) killers_[p] = {a, killers_[p][0]};
        auto& history = history_[static_cast<std::size_t>(player)];
        history[a] += static_cast<std::uint32_t>(depth * depth) + 1;
        if (history[a] >= Killer / 2) fade();
    }

    // The root has gone on by so many plies.
    void go_on(std::size_t plies) {
        const auto gone = static_cast<std::ptrdiff_t>(std::min(plies, killers_.size()));
        killers_.erase(killers_.begin(), killers_.begin() + gone);
    }

    void fade() {
        for (auto& history : history_) {
            for (std::uint32_t& count : history) count /= 2;
        }
    }

    // Brings the next best candidate to the front of those left. A few are sought one by one,
    // since a refutation mostly comes early; then the rest is sorted.
    static void advance(std::span<Candidate> left, std::size_t tried) {
        constexpr std::size_t Early = 3;
        if (tried < Early) {
            std::iter_swap(left.begin(), std::ranges::min_element(left, std::less{}));
        } else if (tried == Early) {
            std::ranges::sort(left, std::less{});
        }
    }

  private:
    static constexpr std::uint32_t Promise = 1u << 27, Killer = 1u << 26;
    static constexpr Action Nobody = 0xffff;
    static constexpr std::size_t MostPlies = 512;  // room for them, so that noting one cannot fail

    std::array<std::vector<std::uint32_t>, 2> history_;  // by player and action
    std::vector<std::array<Action, 2>> killers_;         // by ply
};

}  // namespace ludus
