// Games of a network against itself, each move thought over by a guided search.
//
// `gather` plays on in every row until each has a leaf that the network has not seen, moves made
// and games begun anew on the way; `scatter` takes back what the leaves are worth. Rows have their
// own generators, and what one row asked all may use: so a pool belongs to one thread, and several
// pools to several.
#pragma once

#include <cmath>
#include <limits>

#include "../search/guided.hpp"
#include "opening.hpp"
#include "questions.hpp"
#include "records.hpp"

namespace ludus {

struct SelfPlayOptions {
    GuidedOptions search;
    double prior_temperature = 1;      // above 1 the search trusts the network's favourites less
    int simulations = 100;             // of a full search
    int fast_simulations = 20;         // of the others, from which no policy is learned
    double full_search_prob = 1;       // of moves that get a full search
    double temperature = 1;            // of moves drawn in proportion to visits^(1/temperature)
    int temperature_plies = 0;         // so many at the beginning of a game; then the best
    int gumbel_noise_plies = 1 << 30;  // with Gumbel's noise in the choice of moves; then without
    int random_opening_plies = 0;  // before which a game is opened by up to so many random moves
    double random_move_prob = 1;  // how probably one of them is random; the others are thought over
    double one_sided_prob = 0;    // of games in which these are one player's; the other one thinks
    double resign_threshold = 0;  // a player gives up below minus this; 0 for never
    double resign_playthrough_prob = 0.1;  // of games in which nobody resigns, as a check
    double td_lambda = 0;                  // how much of a value is what came of it a ply later
    bool deblunder = false;         // what the move played was known to cost is not held against it
    bool record_positions = false;  // with the plies that are learned from
    bool fused = false;  // leaves count half what the network says, half a greedy playout
    double start_positions_prob = 0.5;  // of games that begin from one of the given positions
    bool symmetric_cache = true;        // ask about one of symmetric positions
    std::size_t cache_size = 1 << 18;   // positions remembered; 0 for none
};

struct SelfPlayCounts {
    std::uint64_t games = 0, plies = 0, simulations = 0, evaluations = 0, hits = 0;
    std::uint64_t ended_plies = 0;  // of the games that are over, with all that opened them
    std::uint64_t first_wins = 0, second_wins = 0;       // of players 0 and 1; the rest were drawn
    std::uint64_t resigned = 0, checked = 0, wrong = 0;  // wrong: would have given up, did not lose
};

template <Game G>
class SelfPlay {
  public:
    SelfPlay(const State<G>& start, std::size_t games, std::uint64_t seed,
             const SelfPlayOptions& options, std::vector<State<G>> starts = {})
        : start_(start),
          starts_(std::move(starts)),
          options_(options),
          questions_(options.cache_size, options.symmetric_cache, options.prior_temperature),
          scratch_(static_cast<std::size_t>(start.num_actions())) {
        rows_.reserve(games);
        for (std::size_t row = 0; row < games; ++row) {
            rows_.push_back({{start, options.search, options.simulations,
                              Random(seed, Stream::SelfPlay, row)}});
            begin(rows_.back());
        }
    }

    // From now on so many games begin, one in each row while any are left to begin. Then a row
    // rests until this is called again: all of a number of games are played, and no other is begun.
    void begin_games(std::size_t games) {
        left_ = games;
        for (Row& row : rows_) {
            row.asks = false;
            row.playout.reset();
            begin(row);
        }
    }

    // Rows whose game goes on.
    std::size_t running() const {
        return static_cast<std::size_t>(std::ranges::count(rows_, false, &Row::resting));
    }

    std::size_t size() const { return rows_.size(); }
    std::size_t num_questions() const { return questions_.size(); }
    Shape shape() const { return start_.position().shape(options_.search.planes); }
    std::size_t num_actions() const { return scratch_.size(); }
    const State<G>& state(std::size_t row) const { return rows_[row].search.root(); }
    const SelfPlayCounts& counts() const { return counts_; }
    const Records& finished() const { return finished_; }

    // Writes a row of features for each position that the network is asked about. A row whose game
    // ends waits for the next time: where everything is known, games need no network at all.
    std::size_t gather(std::span<float> features) {
        questions_.clear();
        try {
            return ask(features);
        } catch (...) {  // what nobody saw, nobody can answer
            questions_.clear();
            for (Row& row : rows_) row.asks = false;
            throw;
        }
    }

    std::size_t first_bad(std::span<const float> logits, std::span<const float> values) const {
        return questions_.first_bad(logits, values, num_actions());
    }

    // Takes back logits over actions, of which only the legal ones count, and values.
    void scatter(std::span<const float> logits, std::span<const float> values) {
        questions_.take(logits, values, num_actions());
        for (Row& row : rows_) {
            if (!row.asks) continue;  // or it was answered before another row failed
            take(row, questions_.answer(row.ticket));
            row.asks = false;
        }
        counts_.evaluations += num_questions();
        questions_.clear();
    }

    // The network changes: what it thought is forgotten, and running searches begin anew.
    void pause() {
        questions_.forget();
        for (Row& row : rows_) {
            row.asks = false;
            row.playout.reset();
            row.search.restart(State<G>(row.search.root()));
        }
    }

    // The plies of games that ended, since they were taken last.
    Records take() { return std::exchange(finished_, {}); }

    // A row between two moves, to be stored and put back.
    const Records& record(std::size_t row) const { return rows_[row].record; }
    std::uint64_t random(std::size_t row) { return rows_[row].search.random().state(); }
    int flags(std::size_t row) const {
        const Row& of = rows_[row];
        return of.full | of.checking << 1 | (of.gave_up + 1) << 2 | of.opening.careless << 4 |
               of.opening.careful_from << 6;
    }
    void put(std::size_t row, const State<G>& state, std::uint64_t random, int flags,
             Records record) {
        Row& to = rows_[row];
        to.search.restart(state);  // may fail, and then the row is as it was
        to.asks = to.over = to.resting = false;
        to.search.random() = Random::from_state(random);
        to.record = std::move(record);
        to.full = flags & 1;
        to.checking = flags >> 1 & 1;
        to.gave_up = (flags >> 2 & 3) - 1;
        to.opening = {flags >> 4 & 3, flags >> 6};
        be_noisy(to);
        to.playout.reset();
        allow(to);
    }

  private:
    struct Row {
        Guided<G> search;
        Records record{};
        Ticket ticket{};
        bool asks = false;     // its ticket is among the questions
        bool over = false;     // its game has ended, and the next one has yet to begin
        bool resting = false;  // no game is left to begin
        bool full = true;
        bool checking = false;  // nobody may give up
        int gave_up = -1;       // who would have
        Opening opening{};
        std::optional<State<G>> playout{};  // a greedy one, on its way from the leaf
        float judged = 0;                   // what the network said of that leaf
    };

    std::size_t ask(std::span<float> features) {
        const auto planes = static_cast<std::size_t>(shape().size());
        for (Row& row : rows_) {
            const std::uint64_t games = counts_.games;
            while (!wait(row) && counts_.games == games) {
            }
        }
        for (std::size_t i = 0; i < num_questions(); ++i) {
            questions_.position(i).features(features.subspan(i * planes, planes),
                                            options_.search.planes);
        }
        return num_questions();
    }

    // Takes a row to a position that the network must be asked about: true once it waits.
    bool wait(Row& row) {
        if (row.over) {
            begin(row);
            return false;
        }
        if (row.resting) return true;
        if (!row.playout && !row.search.find_leaves()) {
            move(row);
            return false;
        }
        Answer answer;
        row.asks = !questions_.find_answer(asked_about(row).position(), row.ticket, answer);
        if (row.asks) return true;
        ++counts_.hits;
        take(row, answer);
        return false;
    }

    const State<G>& asked_about(const Row& row) const {
        return row.playout ? *row.playout : row.search.leaf();
    }

    void take(Row& row, const Answer& answer) {
        for (const Prior& prior : answer.priors) scratch_[prior.action] = prior.share;
        const G& position = asked_about(row).position();
        const auto prior = [&](Action a) {
            return scratch_[row.ticket.symmetry ? position.transformed(row.ticket.symmetry, a) : a];
        };
        if (options_.fused && !row.search.at_root()) return play_out(row, prior, answer.value);
        row.search.take(prior, answer.value);
        ++counts_.simulations;
    }

    // The network's favourite is played, until the game ends.
    template <class Prior>
    void play_out(Row& row, Prior prior, float value) {
        const auto legal = asked_about(row).legal();
        const Action favourite = *std::ranges::max_element(legal, {}, prior);
        const float judged = row.playout ? row.judged : value;
        State<G> next = asked_about(row);
        next.play(favourite, row.search.random());
        if (const auto score = next.outcome()) {
            const bool same = next.player() == row.search.leaf().player();
            const auto reached = static_cast<float>(same ? *score : -*score);
            row.search.take([](Action) { return 0.0f; }, (judged + reached) / 2);
            row.playout.reset();
            ++counts_.simulations;
        } else {
            row.playout = std::move(next);
            row.judged = judged;
        }
    }

    void begin(Row& row) {
        row.resting = left_ == 0;
        row.over = row.over && !row.resting;
        if (row.resting) return;
        Random& random = row.search.random();
        const bool given = !starts_.empty() && random.uniform() < options_.start_positions_prob;
        State<G> state =
            given ? starts_[random.below(static_cast<std::uint32_t>(starts_.size()))] : start_;
        if (given) {  // from just there
            row.opening = {};
        } else {
            state.toss(random.uniform());
            row.opening = Opening::sample(state.plies(), options_.random_opening_plies,
                                          options_.one_sided_prob, random);
            row.opening.stray(state, options_.random_move_prob, random);
        }
        row.record = {};
        row.gave_up = -1;
        row.checking =
            options_.resign_threshold > 0 && random.uniform() < options_.resign_playthrough_prob;
        decide_effort(row);
        row.search.restart(state);
        allow(row);
        row.over = false;
        --left_;
    }

    void decide_effort(Row& row) {
        row.full = options_.full_search_prob >= 1 ||
                   row.search.random().uniform() < options_.full_search_prob;
        be_noisy(row);
    }

    // Only a search that is learned from tries what looks bad.
    void be_noisy(Row& row) {
        row.search.be_noisy(row.full && options_.search.gumbel_noise,
                            row.full ? options_.search.dirichlet_fraction : 0);
    }

    void allow(Row& row) {
        const bool forced = std::ranges::size(row.search.root().legal()) == 1;
        row.search.allow(forced ? 1 : row.full ? options_.simulations : options_.fast_simulations);
    }

    void move(Row& row) {
        Guided<G>& search = row.search;
        const double value = search.value();
        Records ply;
        const Action action = record_ply(row, static_cast<float>(value), ply);
        if (options_.resign_threshold > 0 && value < -options_.resign_threshold &&
            row.gave_up < 0) {
            if (!row.checking) {
                finish(row, ply, search.root(), -1);
                ++counts_.resigned;
                return;
            }
            row.gave_up = search.root().player();
        }
        State<G> next = search.root();
        next.play(action, search.random());
        if (options_.deblunder) discount_luck(search, action, next, ply.chosen.back());
        if (const auto score = next.outcome()) return finish(row, ply, next, *score);
        const bool strayed = row.opening.stray(next, options_.random_move_prob, search.random());
        decide_effort(row);
        row.record.make_room(ply);
        search.seek(next);  // if this fails, the ply is thought over again
        ++counts_.plies;
        if (strayed) {
            row.record = {};  // what came of a random move says nothing about the plies before it
        } else {
            row.record.append(ply);
        }
        allow(row);
    }

    // Writes a ply into a record, and chooses what to play.
    Action record_ply(Row& row, float value, Records& record) {
        const State<G>& at = row.search.root();
        const G& position = at.position();
        const std::vector<Look> found = row.search.result();
        const std::vector<double> policy = row.search.policy();
        record.features.resize(static_cast<std::size_t>(shape().size()));
        position.features(record.features, options_.search.planes);
        record.counts.push_back(static_cast<std::uint32_t>(found.size()));
        for (std::size_t i = 0; i < found.size(); ++i) {
            record.actions.push_back(position.seen(found[i].action));
            record.weights.push_back(static_cast<float>(policy[i]));
        }
        record.values.push_back(value);
        record.chosen.push_back(value);
        record.outcomes.push_back(0);
        record.players.push_back(static_cast<std::int8_t>(at.player()));
        record.full.push_back(row.full);
        record.surprises.push_back(surprise(row, found, policy));
        if (options_.record_positions) record.write_down(position.text(), at.plies());
        const Action action = choice(row, found, policy);
        if (options_.deblunder) record.chosen.back() = thought_of(action, found);
        return action;
    }

    // How much the search found out: how far its policy is from the priors, without noise in them.
    float surprise(const Row& row, const std::vector<Look>& found,
                   const std::vector<double>& policy) {
        const auto known = row.search.priors();
        if (known.empty()) return 0;
        for (const auto& [action, prior] : known) scratch_[action] = prior;
        std::vector<float> priors;
        for (const Look& look : found) priors.push_back(scratch_[look.action]);
        return divergence(policy, priors);
    }

    Action choice(Row& row, const std::vector<Look>& found, const std::vector<double>& policy) {
        const int ply = row.search.root().plies();
        if (ply < options_.temperature_plies && row.full) {
            return sample_action(found, policy, row.search.random());
        }
        if (ply < options_.gumbel_noise_plies || !options_.search.gumbel)
            return row.search.decision();
        return found[static_cast<std::size_t>(std::ranges::max_element(policy) - policy.begin())]
            .action;
    }

    // What the search made of a move. Where it knows the position to the end, or nothing of the
    // move, what comes after cannot teach it anything.
    static float thought_of(Action action, const std::vector<Look>& found) {
        const Look& look = *std::ranges::find(found, action, &Look::action);
        const bool teaches =
            proof(found) == Proof::Unknown && (look.visits > 0 || look.proof != Proof::Unknown);
        return teaches ? static_cast<float>(look.value()) : std::numeric_limits<float>::quiet_NaN();
    }

    // What chance made of a move says nothing about the position it was played in: what comes
    // later is held against what the search thought of this result of chance.
    static void discount_luck(const Guided<G>& search, Action action, const State<G>& landing,
                              float& chosen) {
        if constexpr (Chancy<G>) {
            if (!search.root().chancy() || std::isnan(chosen)) return;
            const auto value = search.landing_value(action, landing);
            if (value) chosen = static_cast<float>(*value);
        }
    }

    Action sample_action(const std::vector<Look>& found, const std::vector<double>& policy,
                         Random& random) const {
        double sum = 0;
        std::vector<double> weights;
        for (const double share : policy) {
            weights.push_back(std::pow(share, 1 / options_.temperature));
            sum += weights.back();
        }
        double left = random.uniform() * sum;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (weights[i] > 0 && (left -= weights[i]) < 0) return found[i].action;
        }
        return best(found)->action;  // rounding left a crumb
    }

    void finish(Row& row, const Records& last, const State<G>& end, int score) {
        const int player = end.player();
        const auto plies = static_cast<std::uint64_t>(end.plies());
        Records record = row.record;  // the row's own stays as it is until nothing can fail
        record.append(last);
        for (std::size_t ply = 0; ply < record.size(); ++ply) {
            record.outcomes[ply] =
                static_cast<float>(record.players[ply] == player ? score : -score);
        }
        look_ahead(record, options_.td_lambda);
        record.games = {static_cast<std::uint32_t>(record.size())};
        if (row.checking && row.gave_up >= 0) {
            ++counts_.checked;
            counts_.wrong += (row.gave_up == player ? score : -score) >= 0;
        }
        finished_.append(record);
        ++counts_.games;
        if (score != 0) ++((player == 0) == (score > 0) ? counts_.first_wins : counts_.second_wins);
        ++counts_.plies;
        counts_.ended_plies += plies;
        row.record = {};
        row.over = true;
        begin(row);
    }

    State<G> start_;
    std::vector<State<G>> starts_;  // where games may begin instead
    SelfPlayOptions options_;
    Questions<G> questions_;
    std::vector<float> scratch_;  // priors by action
    std::vector<Row> rows_;
    std::size_t left_ = std::numeric_limits<std::size_t>::max();  // games that may begin
    Records finished_;
    SelfPlayCounts counts_;
};

}  // namespace ludus
