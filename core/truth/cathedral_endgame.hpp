// The exact outcome of Cathedral near its end: alpha-beta to the last building.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "../search/stopwatch.hpp"
#include "../search/table.hpp"
#include "cathedral_prospects.hpp"

namespace ludus {

// Runs in slices. First the value of the position is found, then, if asked for, that of each
// action; nothing is known before it is exact.
class CathedralEndgame {
  public:
    CathedralEndgame(const cathedral& root, std::size_t table_bytes, bool every_action)
        : root_(root), table_(table_bytes) {
        if (every_action) {
            for (const Action a : root.legal()) actions_.push_back(a);
        }
        enter(root_, -1, 1);
    }

    // Goes on for at most so many nodes and about so long; says whether all is known.
    bool run(std::uint64_t nodes, double seconds) {
        Stopwatch watch(seconds);
        const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t end = nodes > most - nodes_ ? most : nodes_ + nodes;
        while (!done() && nodes_ < end && watch.goes_on()) step();
        return done();
    }

    bool done() const { return value_ && values_.size() == actions_.size(); }
    std::uint64_t nodes() const { return nodes_; }
    std::optional<Score> value() const { return value_; }
    // Of the first actions, as far as they are known.
    std::vector<std::pair<Action, Score>> values() const {
        std::vector<std::pair<Action, Score>> known;
        for (std::size_t i = 0; i < values_.size(); ++i)
            known.emplace_back(actions_[i], values_[i]);
        return known;
    }

  private:
    struct Frame {
        cathedral at;
        std::uint64_t key;
        int alpha, beta;
        int best, most;  // what is certain, and the most there can be
        std::vector<Action> moves;
        std::size_t next = 0;
        Action chosen = 0;
    };
    static constexpr Action Nothing = 0xffff;

    // One move of the deepest open node, or its end.
    void step() {
        if (stack_.empty()) return enter(after_root(), -1, 1);
        Frame& top = stack_.back();
        if (top.best >= std::min(top.beta, top.most) || top.next == top.moves.size()) {
            return leave();
        }
        cathedral child = top.at;
        child.apply(top.moves[top.next]);
        const int alpha = std::max(top.alpha, top.best), beta = std::min(top.beta, top.most);
        const bool same = child.player() == top.at.player();
        same ? enter(child, alpha, beta) : enter(child, -beta, -alpha);
    }

    cathedral after_root() const {
        cathedral child = root_;
        child.apply(actions_[values_.size()]);
        return child;
    }

    // Answers the position at once, or opens it.
    void enter(const cathedral& at, int alpha, int beta) {
        ++nodes_;
        if (const auto outcome = at.outcome()) return report(*outcome, at.player());
        const std::uint64_t key = at.key();
        Action first = Nothing;
        if (const auto* known = table_.find(key)) {
            const int value = known->value;
            first = known->best;
            if (known->bound == Bound::Exact || (known->bound == Bound::Lower && value >= beta) ||
                (known->bound == Bound::Upper && value <= alpha)) {
                return report(value, at.player());
            }
        }
        const CathedralProspects prospects(at);
        const CathedralBounds bounds = prospects.bounds();
        if (bounds.low >= beta || bounds.low == bounds.high) {
            return report(bounds.low, at.player());
        }
        if (bounds.high <= alpha) return report(bounds.high, at.player());
        stack_.push_back({at, key, alpha, beta, bounds.low, bounds.high,
                          order_actions(at, prospects, first), 0, Nothing});
    }

    // Large buildings first, and those that take room from the opponent.
    static std::vector<Action> order_actions(const cathedral& at,
                                             const CathedralProspects& prospects, Action first) {
        const auto& tables = at.city().tables();
        const Bitboard contested = prospects.reach_of(1 - at.side());
        std::vector<std::pair<int, Action>> ranked;
        for (const Action a : at.legal()) {
            const Bitboard cells = tables.cells(at.side(), a);
            const int worth =
                a == first ? 1000 : 4 * cells.count() + 3 * (cells & contested).count();
            ranked.emplace_back(-worth, a);
        }
        std::ranges::sort(ranked);
        std::vector<Action> moves;
        for (const auto& [worth, a] : ranked) moves.push_back(a);
        return moves;
    }

    // The top node is answered: every move was tried, or enough is certain.
    void leave() {
        const Frame& top = stack_.back();
        int value = top.best;
        Bound bound = Bound::Exact;
        if (value >= top.beta && value < top.most) {
            bound = Bound::Lower;
        } else if (value < top.alpha) {  // moves were only tried down to alpha
            value = top.alpha;
            bound = Bound::Upper;
        }
        const auto depth = static_cast<std::uint8_t>(std::min<std::size_t>(top.moves.size(), 255));
        const Table<std::int8_t>::Entry entry{
            top.key, static_cast<std::int8_t>(value), top.chosen, depth, bound, true, 0};
        table_.store(entry);
        const int player = top.at.player();
        stack_.pop_back();
        report(value, player);
    }

    // Tells the node above what its move is worth to this player.
    void report(int value, int player) {
        if (stack_.empty()) return conclude(value, player);
        Frame& top = stack_.back();
        const int worth = top.at.player() == player ? value : -value;
        if (worth > std::max(top.alpha, top.best)) {  // up to alpha it is only a bound
            top.best = worth;
            top.chosen = top.moves[top.next];
        }
        ++top.next;
    }

    void conclude(int value, int player) {
        const int worth = player == root_.player() ? value : -value;
        if (!value_) {
            value_ = worth;
        } else {
            values_.push_back(worth);
        }
    }

    cathedral root_;
    Table<std::int8_t> table_;
    std::vector<Frame> stack_;
    std::uint64_t nodes_ = 0;
    std::optional<Score> value_;
    std::vector<Action> actions_;
    std::vector<Score> values_;
};

}  // namespace ludus
