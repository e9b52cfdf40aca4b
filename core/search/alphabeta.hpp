// Alpha-beta: the best line of play to a depth, then one deeper, as long as one likes.
//
// Principal variation search with fail-soft bounds over an explicit stack: between any two nodes
// the search can stop, be looked at, and go on as if nothing had happened. Where the board has
// chance, nodes of chance average over all results (expectiminimax).
//
// Scores: an evaluation at the horizon is within (-1, 1). A win found on the board is 2 less 1/1024
// for each ply to it, so that of two wins the faster is better and of two losses the slower. With
// chance, where scores are averaged, a win is 1 however far away.
#pragma once

#include <chrono>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "evaluation.hpp"
#include "ordering.hpp"
#include "table.hpp"

namespace ludus {

struct AlphaBetaOptions {
    std::size_t table_bytes = 32u << 20;
    bool quiescence = true;
    bool multi = false;  // an exact score for every root action, not only for the best
};

// How long to go on: until a depth is searched, so many more nodes are seen, or time is up.
struct AlphaBetaBudget {
    int depth = 128;
    std::uint64_t nodes = ~std::uint64_t{0};
    double seconds = 1e9;
};

template <Game G>
class AlphaBeta {
  public:
    static constexpr int MaxDepth = 128;
    using Value = std::conditional_t<Chancy<G>, double, float>;
    using Root = typename Line<G>::Root;

    struct RootScore {
        Action action;
        Value score;
        Bound bound;
    };
    struct Answer {
        Value score;               // for the player to move
        std::vector<Action> line;  // the first of it is the move
        int depth = 0;             // of the last whole iteration
        bool proven = false;       // the score is the result of the game, no evaluation had a part
        std::vector<RootScore> scores;
    };

    // The game must not be over.
    AlphaBeta(const Root& root, Evaluation<G> evaluation, const AlphaBetaOptions& options)
        : line_(root),
          evaluation_(std::move(evaluation)),
          options_(options),
          table_(options.table_bytes),
          ordering_(line_.num_actions()),
          root_plies_(root.plies()) {
        if constexpr (Chancy<G>) chancy_ = line_.root().position.chancy();
        frames_.reserve(2 * (MaxPly + 1));  // with those of chance: frames never move
        const auto legal = line_.legal(line_.root());
        answer_.line = {legal[0]};
        answer_.score = static_cast<Value>(evaluate(line_.root()));
    }

    // Takes what an earlier search of the same game and options found out, and leaves it nothing.
    // Stored values are true of positions, whatever the root; so only the time to find the answer
    // changes, and which of equally good moves is found first.
    void go_on_after(AlphaBeta& earlier) {
        if (line_.num_actions() != earlier.line_.num_actions()) return;
        std::swap(table_, earlier.table_);
        std::swap(ordering_, earlier.ordering_);
        std::swap(known_, earlier.known_);
        age_ = earlier.age_;
        ordering_.go_on(static_cast<std::size_t>(std::max(0, root_plies_ - earlier.root_plies_)));
        const auto* entry = table_.find(line_.root().position.key());
        if (!entry) return;
        for (const Action a : line_.legal(line_.root())) {
            if (a == entry->best) answer_.line = {a};
        }
    }

    std::uint64_t nodes() const { return nodes_; }
    static double value(Value score) { return std::clamp<double>(score, -1, 1) + 0.0; }  // no -0

    // What the last whole iteration found, unless this one has found a better move already.
    Answer answer() const {
        Answer answer = answer_;
        if (size_ == 0 || frames_[0].best == -Unbounded || lines_[0][0] == answer.line[0])
            return answer;
        answer.line = lines_[0];
        answer.score = frames_[0].best;
        answer.proven = is_result(answer.score) && answer.score > 0;
        return answer;
    }

    // Goes on where it stopped, also after something failed (memory, or whoever is asked). Says
    // whether it came to an end: the depth, or a proof.
    bool run(const AlphaBetaBudget& budget) {
        const Watch watch(budget, nodes_, evaluation_.is_asked());
        next_look_ = nodes_;
        while (!answer_.proven && answer_.depth < std::min(budget.depth, MaxDepth)) {
            if (size_ == 0) {
                if (out_of_budget(watch)) return false;
                begin(answer_.depth + 1);
            }
            const std::optional<Value> score = search(watch);
            if (!score) return false;
            conclude(*score);
        }
        return true;
    }

  private:
    static constexpr Value Unbounded = 3, Win = 2, Ply = Value{1} / 1024;
    static constexpr int MaxPly = 2 * MaxDepth;  // with what quiescence adds
    static constexpr std::size_t MostKnown = 1'000'000;

    // A position whose actions are tried, or an action whose results are averaged.
    struct Frame {
        LineNode<G> node;
        Value alpha = 0, beta = 0, floor = 0;  // the window, its lower end rising from the floor
        Value best = -Unbounded;
        Value sum = 0, left = 1;  // chance: the average so far, the probability of what is left
        Value low = 0, high = 0;  // chance: the window of the result being tried
        std::uint64_t key = 0;
        std::uint64_t horizons = 0;                 // before it was entered
        std::size_t first = 0, next = 0, last = 0;  // its candidates, or its results of chance
        int depth = 0, ply = 0;
        Action action = 0, best_action = 0;  // being tried, and the best so far
        bool chance = false, wide = false;   // wide: the window is more than a test
        bool scouting = false, again = false;
        bool turned = false;  // the child's score is the opponent's
    };

    // Looks at the clock now and then, since that takes as long as a node.
    struct Watch {
        using Clock = std::chrono::steady_clock;
        Watch(const AlphaBetaBudget& budget, std::uint64_t nodes, bool slow)
            : deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(budget.seconds))),
              stop(budget.nodes > ~nodes ? ~std::uint64_t{0} : nodes + budget.nodes),
              every(slow || !std::is_trivially_copyable_v<G> ? 1 : 256) {}

        Clock::time_point deadline;
        std::uint64_t stop, every;
    };
    bool out_of_budget(const Watch& watch) {
        if (nodes_ < next_look_) return false;
        next_look_ = std::min(watch.stop, nodes_ + watch.every);
        return nodes_ >= watch.stop || Watch::Clock::now() >= watch.deadline;
    }

    void begin(int depth) {
        depth_ = depth;
        ++age_;
        candidates_.clear();
        chances_.clear();
        scores_.clear();
        make_room(scores_, std::ranges::size(line_.legal(line_.root())));
        ordering_.fade();
        pending_ = enter(line_.root(), depth, 0, -Unbounded, Unbounded, true);
    }

    void conclude(Value score) {
        const bool settled = horizons_ == frames_[0].horizons;
        answer_ = {score, lines_[0], depth_, is_result(score) || settled, std::move(scores_)};
    }

    // The score of the root, or nothing if the budget was spent before.
    std::optional<Value> search(const Watch& watch) {
        while (true) {
            if (pending_) {
                const Value score = *pending_;
                if (size_ == 0) return score;
                pending_.reset();
                absorb(frames_[size_ - 1], score);
            } else if (out_of_budget(watch)) {
                return std::nullopt;
            } else {
                Frame& top = frames_[size_ - 1];
                pending_ = top.next == top.last ? std::optional(leave(top)) : descend(top);
            }
        }
    }

    // The score of a node if that is known at once; else a frame for it lies on the stack.
    std::optional<Value> enter(const LineNode<G>& node, int depth, int ply, Value alpha, Value beta,
                               bool wide) {
        if (wide) {
            const auto p = static_cast<std::size_t>(ply);
            if (p >= lines_.size()) lines_.emplace_back();
            lines_[p].clear();
            lines_[p].reserve(static_cast<std::size_t>(MaxPly - ply + 1));
        }
        if (const auto score = line_.outcome(node)) {
            ++nodes_;
            return result(*score, ply);
        }
        if (depth == 0 && (ply >= MaxPly || !must_go_on(node.position))) {
            const auto value = static_cast<Value>(evaluate(node));
            ++nodes_;
            ++horizons_;
            return value;
        }
        const std::uint64_t key = line_.key(node, depth);
        const auto* entry = is_kept(depth) ? table_.find(key) : nullptr;
        if (entry && entry->depth == depth && ply > 0 && (chancy_ || !wide)) {
            const Value score = from_here(entry->value, ply);
            if (entry->bound == Bound::Exact ||
                (entry->bound == Bound::Lower ? score >= beta : score <= alpha)) {
                ++nodes_;
                horizons_ += !entry->settled;
                return score;
            }
        }
        if (!entry && key != node.position.key()) entry = table_.find(node.position.key());
        const auto legal = line_.legal(node);
        make_room(candidates_, std::ranges::size(legal));
        push(node, depth, ply, alpha, beta);  // from here on nothing fails: the frame is whole
        Frame& top = frames_[size_ - 1];
        top.key = key;
        top.wide = wide;
        list(top, legal, ply == 0 ? &answer_.line[0] : entry ? &entry->best : nullptr);
        ++nodes_;
        return std::nullopt;
    }

    // What whoever is asked about many positions said is kept, by position.
    double evaluate(const LineNode<G>& node) {
        if (!evaluation_.asked_many) return evaluation_(line_, node);
        const std::uint64_t key = line_.key(node, 0);
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        return remember(key, evaluation_(line_, node));
    }

    double remember(std::uint64_t key, double value) {
        if (known_.size() >= MostKnown) known_.clear();
        known_[key] = value;
        return value;
    }

    // Asks about all children at the horizon that are still to be tried, at once. In a test the
    // first is asked about alone, since it mostly refutes.
    void evaluate_together(const Frame& top) {
        if (!evaluation_.asked_many || top.depth > 1) return;
        if (top.next != top.first + !(top.wide || chancy_)) return;
        std::vector<Root> asked;
        std::vector<std::uint64_t> keys;
        std::unordered_set<std::uint64_t> seen;
        const auto add = [&](const LineNode<G>& child) {
            if (line_.outcome(child) || must_go_on(child.position)) return;
            const std::uint64_t key = line_.key(child, 0);
            if (known_.contains(key) || !seen.insert(key).second) return;
            keys.push_back(key);
            asked.push_back(line_.state(child));
        };
        for (std::size_t i = top.next; i < top.last; ++i) {
            const Action a = candidates_[i].action;
            if constexpr (Chancy<G>) {
                if (chancy_) {
                    for (const Chance& chance : top.node.position.chances(a)) {
                        add(line_.after(top.node, a, chance.result));
                    }
                    continue;
                }
            }
            add(line_.after(top.node, a));
        }
        if (asked.size() < 2) return;
        const std::vector<double> values = evaluation_.asked_many(asked);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            remember(keys[i], evaluation_.clamped(values.at(i)));
        }
    }

    bool must_go_on(const G& position) const {
        if constexpr (Forced<G>) return options_.quiescence && position.forced();
        return false;
    }

    void push(const LineNode<G>& node, int depth, int ply, Value alpha, Value beta) {
        if (size_ == frames_.size()) frames_.push_back({.node = node});
        Frame& top = frames_[size_++];
        top = {.node = node,
               .alpha = alpha,
               .beta = beta,
               .floor = alpha,
               .horizons = horizons_,
               .depth = depth,
               .ply = ply};
    }

    template <class Item>
    static void make_room(std::vector<Item>& items, std::size_t more) {
        const std::size_t needed = items.size() + more;
        if (needed > items.capacity()) items.reserve(std::max(needed, 2 * items.capacity()));
    }

    void list(Frame& top, const auto& legal, const Action* best) {
        top.first = top.next = candidates_.size();
        const int player = top.node.position.player();
        for (const Action a : legal) {
            const bool first = best && a == *best;
            candidates_.push_back(
                {first ? Ordering::First : ordering_.merit(top.node.position, player, top.ply, a),
                 a});
        }
        top.last = candidates_.size();
    }

    std::optional<Value> descend(Frame& top) {
        if (top.chance) return descend_chance(top);
        if (!top.again) {
            evaluate_together(top);
            Ordering::advance(std::span(candidates_).subspan(top.next), top.next - top.first);
            top.action = candidates_[top.next].action;
        }
        // All but the first are expected to be worse; a window of no width shows that cheaply.
        const bool every = options_.multi && top.ply == 0;
        top.scouting = top.wide && top.next > top.first && !top.again && !every && !chancy_;
        const Value alpha = every ? -Unbounded : top.alpha;
        const Value beta = top.scouting ? std::nextafter(alpha, Unbounded) : top.beta;
        const bool wide = top.wide && !top.scouting;
        if (chancy_) return average(top, alpha, beta);
        return follow(top, line_.after(top.node, top.action), alpha, beta, wide);
    }

    std::optional<Value> follow(Frame& top, const LineNode<G>& child, Value alpha, Value beta,
                                bool wide) {
        top.turned = child.position.player() != top.node.position.player();
        const int depth = std::max(0, top.depth - 1);
        return top.turned ? enter(child, depth, top.ply + 1, -beta, -alpha, wide)
                          : enter(child, depth, top.ply + 1, alpha, beta, wide);
    }

    // Lays a frame of chance on the stack: the action's results are tried one after the other.
    std::optional<Value> average(const Frame& parent, Value alpha, Value beta) {
        if constexpr (Chancy<G>) {
            const auto results = parent.node.position.chances(parent.action);
            make_room(chances_, std::ranges::size(results));
            push(parent.node, parent.depth, parent.ply, alpha, beta);
            Frame& top = frames_[size_ - 1];
            top.chance = top.wide = true;
            top.action = frames_[size_ - 2].action;
            top.first = top.next = chances_.size();
            for (const Chance& chance : results) chances_.push_back(chance);
            top.last = chances_.size();
        }
        return std::nullopt;
    }

    // The score of a result matters only within the limits where, whatever the results still to
    // come bring (from -1 to 1), the average can fall inside the window.
    std::optional<Value> descend_chance(Frame& top) {
        if constexpr (Chancy<G>) {
            const auto [result, probability] = chances_[top.next];
            const double rest = top.left - probability;
            top.low = std::max(-Unbounded, (top.alpha - top.sum - rest) / probability);
            top.high = std::min(Unbounded, (top.beta - top.sum + rest) / probability);
            const auto child = line_.after(top.node, top.action, result);
            return follow(top, child, top.low, top.high, true);
        }
        return std::nullopt;
    }

    // Nothing fails here either: a score that was found is not lost.
    void absorb(Frame& top, Value score) noexcept {
        if (top.turned) score = -score;
        if (top.chance) return absorb_chance(top, score);
        top.again = top.scouting && score > top.alpha && score < top.beta;
        if (top.again) return;  // better than expected: how much better, tells the whole window
        ++top.next;
        if (top.ply == 0) {
            const bool exact = options_.multi || score > top.alpha;
            scores_.push_back({top.action, score, exact ? Bound::Exact : Bound::Upper});
        }
        if (score <= top.best) return;
        top.best = score;
        top.best_action = top.action;
        if (score <= top.alpha) return;
        top.alpha = score;
        if (score >= top.beta) {
            ordering_.add_refutation(top.node.position.player(), top.ply, top.depth, top.action);
            top.next = top.last;
        } else if (top.wide) {
            const auto ply = static_cast<std::size_t>(top.ply);
            lines_[ply].assign(1, top.action);
            if (!chancy_) {
                lines_[ply].insert(lines_[ply].end(), lines_[ply + 1].begin(),
                                   lines_[ply + 1].end());
            }
        }
    }

    void absorb_chance(Frame& top, Value score) {
        if constexpr (Chancy<G>) {
            const double probability = chances_[top.next++].probability;
            top.sum += probability * score;
            top.left -= probability;
            top.best = top.sum;
            if (score <= top.low) {
                top.best = std::min(top.alpha, top.sum + top.left);
            } else if (score >= top.high) {
                top.best = std::max(top.beta, top.sum - top.left);
            } else {
                return;
            }
            top.next = top.last;
        }
    }

    Value leave(Frame& top) {
        if (top.chance) {
            chances_.resize(top.first);
        } else {
            candidates_.resize(top.first);
            if (is_kept(top.depth)) keep(top);
        }
        --size_;
        return top.best;
    }

    // Just above the horizon looking a position up takes longer than judging a few again, unless
    // there are many, as with chance, or judging is slow.
    bool is_kept(int depth) const { return depth > 1 || chancy_ || evaluation_.is_asked(); }

    void keep(const Frame& top) {
        typename Table<Value>::Entry entry;
        entry.key = top.key;
        entry.value = to_here(top.best, top.ply);
        entry.best = top.best_action;
        entry.depth = static_cast<std::uint8_t>(top.depth);
        entry.bound = top.best <= top.floor  ? Bound::Upper
                      : top.best >= top.beta ? Bound::Lower
                                             : Bound::Exact;
        entry.settled = horizons_ == top.horizons;
        entry.age = age_ & 31;
        table_.store(entry);
    }

    Value result(Score score, int ply) const {
        const Value win = chancy_ ? Value{1} : Win - static_cast<Value>(ply) * Ply;
        return static_cast<Value>(score) * win;
    }
    static bool is_result(Value score) { return std::abs(score) >= 1; }

    // Between plies counted from the root and from a node on the way.
    Value to_here(Value score, int ply) const { return shift_by(score, ply); }
    Value from_here(Value score, int ply) const { return shift_by(score, -ply); }
    Value shift_by(Value score, int plies) const {
        if (chancy_ || !is_result(score)) return score;
        const Value by = static_cast<Value>(plies) * Ply;
        return score > 0 ? score + by : score - by;
    }

    Line<G> line_;
    Evaluation<G> evaluation_;
    AlphaBetaOptions options_;
    bool chancy_ = false;
    Table<Value> table_;
    Ordering ordering_;
    std::unordered_map<std::uint64_t, double> known_;  // evaluations, if many are asked for at once
    unsigned age_ = 0;                                 // iterations, those of earlier searches too
    int root_plies_;

    Answer answer_;
    int depth_ = 0;                // of the iteration under way
    std::uint64_t nodes_ = 0;      // positions entered
    std::uint64_t horizons_ = 0;   // evaluations that had a part in what was found
    std::uint64_t next_look_ = 0;  // at the clock, in nodes

    std::vector<Frame> frames_;  // the first size_ are the stack; the others are kept for later
    std::size_t size_ = 0;
    std::optional<Value> pending_;  // a score that the top frame has yet to take
    std::vector<Candidate> candidates_;
    std::vector<Chance> chances_;
    std::vector<std::vector<Action>> lines_;  // by ply: the best line from there
    std::vector<RootScore> scores_;           // of this iteration
};

}  // namespace ludus
