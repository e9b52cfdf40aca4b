// Agents that answer in many games at once, remembering nothing: a policy for each game.
#pragma once

#include "../search/alphabeta.hpp"
#include "../search/uct.hpp"
#include "batch.hpp"

namespace ludus {

// Which rows of a batch are thought about, and where their policies go.
struct PolicyRows {
    std::span<const std::int64_t> rows;
    std::span<double> policies;  // [rows, num_actions], the batch's frame
    int threads = 1;             // who thinks about which row cannot be seen in the result
};

// Calls policy(state, place among the rows, write), which calls write(action, share).
template <Native G, class Policy>
void write_policies(const Batch<G>& batch, const PolicyRows& at, Policy policy) {
    const auto actions = static_cast<std::size_t>(batch.num_actions());
    std::ranges::fill(at.policies, 0.0);
    in_threads(at.threads, at.rows.size(), [&](std::size_t place) {
        const State<G>& state = batch.state(static_cast<std::size_t>(at.rows[place]));
        const auto out = at.policies.subspan(place * actions, actions);
        policy(state, place,
               [&](Action a, double share) { out[batch.to_frame(state, a)] = share; });
    });
}

// As the agent of the same options thinks, with a seed for each row.
template <Native G>
void think_uct(const Batch<G>& batch, const PolicyRows& at, std::span<const std::uint64_t> seeds,
               std::uint64_t simulations, const UctOptions& options) {
    write_policies(batch, at, [&](const State<G>& state, std::size_t place, auto write) {
        UctTree<G> tree(state, options, Random(seeds[place], Stream::Tree));
        tree.run(simulations, std::nullopt);
        const std::vector<Look> found = tree.result();
        const std::vector<double> policy = shares(found);
        for (std::size_t i = 0; i < found.size(); ++i) write(found[i].action, policy[i]);
    });
}

// All on the best action, or shared by those that are exactly as good.
template <Native G>
void think_alphabeta(const Batch<G>& batch, const PolicyRows& at, const Evaluation<G>& evaluation,
                     const AlphaBetaOptions& options, const AlphaBetaBudget& budget) {
    write_policies(batch, at, [&](const State<G>& state, std::size_t, auto write) {
        AlphaBeta<G> search(state, evaluation, options);
        search.run(budget);
        const auto answer = search.answer();
        std::vector<Action> best;
        for (const auto& [action, score, bound] : answer.scores) {
            if (bound == Bound::Exact && score == answer.score) best.push_back(action);
        }
        if (std::ranges::find(best, answer.line[0]) == best.end()) best = {answer.line[0]};
        for (const Action a : best) write(a, 1.0 / static_cast<double>(best.size()));
    });
}

}  // namespace ludus
