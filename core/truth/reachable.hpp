// Every state that play can reach from one position, and the truth about each: for small games.
//
// First all states are found and numbered, with the moves between them. Without chance the ends
// then spread backward: a move to what the opponent has lost wins, a state all of whose moves lose
// is lost, and what remains is a draw; nearest first, so distances (in plies) are exact. With
// chance two bounds close in on each value, from a world in which play that goes on is lost and
// from one in which it is won; where they meet is the truth.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "../game.hpp"
#include "../random.hpp"
#include "../search/stopwatch.hpp"

namespace ludus {

struct ReachableCounts {
    std::uint64_t ends = 0;  // states where the game is over
    std::uint64_t wins = 0, losses = 0, draws = 0;
    int longest_win = -1;  // -1 if nobody wins, and where there is chance
};

template <Game G>
class Reachable {
  public:
    static constexpr double Precision = 1e-12;  // of values where there is chance

    Reachable(const G& start, std::size_t limit) : limit_(limit), chancy_(has_chance(start)) {
        require(limit >= 1 && limit <= (std::size_t{1} << 30),
                "the limit is between 1 and 2**30 states, not " + std::to_string(limit));
        slots_.assign(1 << 10, Nobody);
        number(start);
    }

    bool done() const { return phase_ == Phase::Done; }
    std::size_t states() const { return positions_.size(); }
    std::size_t limit() const { return limit_; }
    bool chancy() const { return chancy_; }

    // Works for about so long, or to the end; throws when there are more states than the limit. A
    // step that fails changes nothing: asked again, the same one is tried again.
    void work(double seconds) {
        Stopwatch watch(seconds);
        do {
            switch (phase_) {
                case Phase::Explore:
                    explore();
                    break;
                case Phase::Link:
                    chancy_ ? prepare_bounds() : link();
                    break;
                case Phase::Spread:
                    spread();
                    break;
                case Phase::Narrow:
                    narrow();
                    break;
                case Phase::Done:
                    return;
            }
        } while (watch.goes_on());
    }

    // The number of a state, if play can reach it.
    std::optional<std::uint32_t> find(const G& position) const {
        const std::uint32_t number = slots_[slot(position)];
        return number == Nobody ? std::nullopt : std::optional(number);
    }
    const G& position(std::uint32_t number) const { return positions_[number]; }

    // For the player to move; once done.
    double value(std::uint32_t number) const {
        return chancy_ ? (lower_[number] + upper_[number]) / 2 : scores_[number];
    }
    // Plies to the end, if that is not a draw; where there is chance there is no such number.
    std::optional<int> distance(std::uint32_t number) const {
        if (chancy_ || scores_[number] == 0) return std::nullopt;
        return distances_[number];
    }

    // What an action is worth to the player to move at a state that has a number.
    double action_value(const G& position, Action a) const {
        double total = 0;
        each_result(position, a, [&](const G& after, double probability) {
            const double worth = value(index_of(after));
            total += probability * (after.player() == position.player() ? worth : -worth);
        });
        return total;
    }

    // How far the end is after an action that keeps the result certain, counted from before it.
    std::optional<int> action_distance(const G& position, Action a) const {
        if (chancy_) return std::nullopt;
        std::optional<int> left;
        each_result(position, a, [&](const G& after, double) { left = distance(index_of(after)); });
        return left ? std::optional(*left + 1) : std::nullopt;
    }

    ReachableCounts counts() const {
        ReachableCounts counts;
        counts.ends = ends_;
        for (std::uint32_t i = 0; i < states() && !chancy_; ++i) {
            ++(scores_[i] > 0 ? counts.wins : scores_[i] < 0 ? counts.losses : counts.draws);
            if (scores_[i] > 0) counts.longest_win = std::max(counts.longest_win, distances_[i]);
        }
        return counts;
    }

  private:
    enum class Phase { Explore, Link, Spread, Narrow, Done };
    static constexpr std::uint32_t Nobody = ~std::uint32_t{0};
    static constexpr std::int8_t Unknown = 2;
    static constexpr int MaxSweeps = 200'000;

    static bool has_chance(const G& position) {
        if constexpr (Chancy<G>) return position.chancy();
        return false;
    }

    // The number of a state that play reached; a game written in Python may say otherwise now.
    std::uint32_t index_of(const G& position) const {
        const auto number = find(position);
        require(number.has_value(), "play leads to other states than before");
        return *number;
    }

    void each_result(const G& position, Action a, auto f) const {
        if constexpr (Chancy<G>) {
            if (chancy_) {
                for (const Chance chance : position.chances(a)) {
                    G after = position;
                    after.apply(a, chance.result);
                    f(after, chance.probability);
                }
                return;
            }
        }
        G after = position;
        after.apply(a);
        f(after, 1.0);
    }

    // Where the position is in the hash table, or where it would be.
    std::size_t slot(const G& position) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = mix(position.key()) & mask;
        while (slots_[at] != Nobody && !(positions_[slots_[at]] == position)) at = (at + 1) & mask;
        return at;
    }

    std::uint32_t number(const G& position) {
        if (2 * positions_.size() >= slots_.size()) grow();
        std::uint32_t& place = slots_[slot(position)];
        if (place != Nobody) return place;
        require(positions_.size() < limit_,
                "play can reach more than " + std::to_string(limit_) + " states from here");
        players_.resize(positions_.size());  // without what a failure may have left
        players_.push_back(static_cast<std::uint8_t>(position.player()));
        positions_.push_back(position);
        return place = static_cast<std::uint32_t>(positions_.size() - 1);
    }

    void grow() {
        std::vector<std::uint32_t> larger(2 * slots_.size(), Nobody);
        const std::size_t mask = larger.size() - 1;
        for (std::uint32_t i = 0; i < positions_.size(); ++i) {
            std::size_t at = mix(positions_[i].key()) & mask;
            while (larger[at] != Nobody) at = (at + 1) & mask;  // no two positions are equal
            larger[at] = i;
        }
        slots_.swap(larger);
    }

    // Looks at the next state: its end, or its moves.
    void explore() {
        first_choice_.resize(next_ + 1);
        first_choice_[next_] = choices();
        if (next_ == positions_.size()) {
            phase_ = Phase::Link;
            next_ = 0;
            return;
        }
        const G position = positions_[next_];
        const auto outcome = position.outcome();
        scores_.resize(next_ + 1);
        scores_[next_] = outcome ? static_cast<std::int8_t>(*outcome) : Unknown;
        if (!outcome) explore_moves(position);
        ends_ += outcome.has_value();
        ++next_;
    }

    // All moves of a state, or none of them: half a list would be taken for a whole one.
    void explore_moves(const G& position) {
        const std::size_t targets = targets_.size(), choices = choice_ends_.size();
        try {
            for (const Action a : position.legal()) {
                each_result(position, a, [&](const G& after, double probability) {
                    targets_.push_back(number(after));
                    if (chancy_) probabilities_.push_back(probability);
                });
                if (chancy_) choice_ends_.push_back(targets_.size());
            }
        } catch (...) {
            targets_.resize(targets);
            probabilities_.resize(chancy_ ? targets : 0);
            choice_ends_.resize(choices);
            throw;
        }
    }
    // A choice is an action; without chance it has one result, so numbers of both agree.
    std::size_t choices() const { return chancy_ ? choice_ends_.size() : targets_.size(); }

    // Turns the moves round: who leads to each state. Then the ends begin to spread.
    void link() {
        first_source_.assign(states() + 1, 0);
        for (const std::uint32_t target : targets_) ++first_source_[target + 1];
        for (std::size_t i = 0; i < states(); ++i) first_source_[i + 1] += first_source_[i];
        sources_.resize(targets_.size());
        std::vector<std::size_t> at(first_source_.begin(), first_source_.end() - 1);
        left_.clear();
        for (std::uint32_t i = 0; i < states(); ++i) {
            for (std::size_t c = first_choice_[i]; c < first_choice_[i + 1]; ++c) {
                sources_[at[targets_[c]]++] = i;
            }
            left_.push_back(static_cast<std::uint32_t>(first_choice_[i + 1] - first_choice_[i]));
        }
        distances_.assign(states(), 0);
        queue_.clear();
        queue_.reserve(states());  // each is decided once
        for (std::uint32_t i = 0; i < states(); ++i) {
            if (scores_[i] == 1 || scores_[i] == -1) queue_.push_back(i);
        }
        phase_ = Phase::Spread;
    }

    // Takes the next decided state, nearest to the end first, to those that lead to it.
    void spread() {
        if (next_ == queue_.size()) return finish();
        const std::uint32_t decided = queue_[next_++];
        for (std::size_t s = first_source_[decided]; s < first_source_[decided + 1]; ++s) {
            const std::uint32_t before = sources_[s];
            if (scores_[before] != Unknown) continue;
            const bool same = players_[before] == players_[decided];
            const bool wins = (scores_[decided] > 0) == same;
            if (!wins && --left_[before] > 0) continue;
            scores_[before] = wins ? 1 : -1;
            distances_[before] = distances_[decided] + 1;
            queue_.push_back(before);
        }
    }

    void finish() {
        for (std::int8_t& score : scores_) {
            if (score == Unknown) score = 0;
        }
        // Lookups need the positions and the scores only.
        for (auto* numbers : {&first_choice_, &first_source_}) *numbers = {};
        for (auto* numbers : {&targets_, &sources_, &left_, &queue_}) *numbers = {};
        phase_ = Phase::Done;
    }

    void prepare_bounds() {
        lower_.clear();
        upper_.clear();
        for (const std::int8_t score : scores_) {
            lower_.push_back(score == Unknown ? -1 : score);
            upper_.push_back(score == Unknown ? 1 : score);
        }
        next_ = states();
        phase_ = Phase::Narrow;
    }

    // One state of a sweep from the last found to the first: results tend to be found later.
    void narrow() {
        if (next_ == 0) return end_sweep();
        const std::size_t i = --next_;
        if (scores_[i] != Unknown) return;
        double low = -1, high = -1;
        for (std::size_t c = first_choice_[i]; c < first_choice_[i + 1]; ++c) {
            double least = 0, most = 0;
            for (std::size_t r = c ? choice_ends_[c - 1] : 0; r < choice_ends_[c]; ++r) {
                const std::uint32_t to = targets_[r];
                const bool same = players_[to] == players_[i];
                least += probabilities_[r] * (same ? lower_[to] : -upper_[to]);
                most += probabilities_[r] * (same ? upper_[to] : -lower_[to]);
            }
            low = std::max(low, least);
            high = std::max(high, most);
        }
        moved_ |= low != lower_[i] || high != upper_[i];
        lower_[i] = low;
        upper_[i] = high;
        gap_ = std::max(gap_, high - low);
    }

    void end_sweep() {
        if (gap_ <= Precision) {
            phase_ = Phase::Done;
            return;
        }
        require(moved_ && ++sweeps_ < MaxSweeps,
                "the values of this game do not settle: play may go on without end");
        gap_ = 0;
        moved_ = false;
        next_ = states();
    }

    std::size_t limit_;
    bool chancy_;
    Phase phase_ = Phase::Explore;
    std::size_t next_ = 0;  // to look at, in the phase
    std::uint64_t ends_ = 0;

    std::vector<G> positions_;
    std::vector<std::uint8_t> players_;
    std::vector<std::int8_t> scores_;        // of ends; without chance, at last of all
    std::vector<std::uint32_t> slots_;       // hash table of positions
    std::vector<std::size_t> first_choice_;  // [state]
    std::vector<std::size_t> choice_ends_;   // [choice]: after its last result; only with chance
    std::vector<std::uint32_t> targets_;     // [result]
    std::vector<double> probabilities_;      // [result]; only with chance

    std::vector<std::size_t> first_source_;  // [state]
    std::vector<std::uint32_t> sources_;     // who leads there
    std::vector<std::uint32_t> left_;        // moves not yet known to lose
    std::vector<std::uint32_t> queue_;       // decided states, in order of distance
    std::vector<std::int32_t> distances_;

    std::vector<double> lower_, upper_;  // bounds of values
    double gap_ = 1;                     // the widest in this sweep
    bool moved_ = true;
    int sweeps_ = 0;
};

}  // namespace ludus
