// Self-play from Python: one face for the pools of all games.
#pragma once

#include "../play/selfplay.hpp"
#include "search_forest.hpp"

namespace ludus {

// Many games of a network against itself, whatever the game.
struct SelfPlayFace {
    virtual ~SelfPlayFace() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t num_questions() const = 0;
    virtual Shape shape() const = 0;
    virtual std::size_t num_actions() const = 0;
    virtual const SelfPlayCounts& counts() const = 0;
    virtual const Records& finished() const = 0;
    virtual std::size_t gather(std::span<float> features) = 0;
    virtual std::size_t first_bad(std::span<const float> logits,
                                  std::span<const float> values) const = 0;
    virtual void scatter(std::span<const float> logits, std::span<const float> values) = 0;
    virtual void pause() = 0;
    virtual void begin_games(std::size_t games) = 0;
    virtual std::size_t running() const = 0;
    virtual Records take() = 0;
    virtual const Records& record(std::size_t row) const = 0;
    virtual nb::object state(std::size_t row) const = 0;
    virtual std::uint64_t random(std::size_t row) = 0;
    virtual int flags(std::size_t row) const = 0;
    virtual void put(std::size_t row, nb::handle state, std::uint64_t random, int flags,
                     Records record) = 0;

    Busy busy;
};

// G is the game as Python has it, F the form of it that is played.
template <class G, class F>
class SelfPlayOf : public SelfPlayFace {
  public:
    template <class... Rest>
    SelfPlayOf(const Home<G>& home, const State<F>& state, Rest&&... rest)
        : home_(home), pool_(state, std::forward<Rest>(rest)...) {}

    std::size_t size() const override { return pool_.size(); }
    std::size_t num_questions() const override { return pool_.num_questions(); }
    Shape shape() const override { return pool_.shape(); }
    std::size_t num_actions() const override { return pool_.num_actions(); }
    const SelfPlayCounts& counts() const override { return pool_.counts(); }
    const Records& finished() const override { return pool_.finished(); }
    std::size_t gather(std::span<float> features) override {
        [[maybe_unused]] const Freed<G> free{};
        return pool_.gather(features);
    }
    std::size_t first_bad(std::span<const float> logits,
                          std::span<const float> values) const override {
        return pool_.first_bad(logits, values);
    }
    void scatter(std::span<const float> logits, std::span<const float> values) override {
        [[maybe_unused]] const Freed<G> free{};
        pool_.scatter(logits, values);
    }
    void pause() override { pool_.pause(); }
    void begin_games(std::size_t games) override { pool_.begin_games(games); }
    std::size_t running() const override { return pool_.running(); }
    Records take() override { return pool_.take(); }
    const Records& record(std::size_t row) const override { return pool_.record(row); }
    nb::object state(std::size_t row) const override {
        if constexpr (std::is_same_v<G, PythonGame>) {
            return pool_.state(row).position().object();
        } else {
            return new_object(seat_of<G>(pool_.state(row), home_.parameters())).object;
        }
    }
    std::uint64_t random(std::size_t row) override { return pool_.random(row); }
    int flags(std::size_t row) const override { return pool_.flags(row); }
    void put(std::size_t row, nb::handle state, std::uint64_t random, int flags,
             Records record) override {
        pool_.put(row, going_on(home_.template state<F>(state)), random, flags, std::move(record));
    }

  private:
    Home<G> home_;
    SelfPlay<F> pool_;
};

// The options as Python gives them: the search's, and the games'.
struct SelfPlayParameters : ForestParameters {
    int fast_simulations = 20, temperature_plies = 0, random_opening_plies = 0,
        cache_size = 1 << 18;
    double full_search_prob = 1, temperature = 1, resign_threshold = 0,
           resign_playthrough_prob = 0.1, td_lambda = 0;
    double random_move_prob = 1, one_sided_prob = 0, prior_temperature = 1,
           start_positions_prob = 0.5;
    int gumbel_noise_plies = 1'000'000;
    bool fused = false, deblunder = false, symmetric_cache = true, record_positions = false;

    void visit(auto&& field) {
        ForestParameters::visit(field);
        field("fast_simulations", fast_simulations);
        field("full_search_prob", full_search_prob);
        field("temperature", temperature);
        field("temperature_plies", temperature_plies);
        field("gumbel_noise_plies", gumbel_noise_plies);
        field("random_opening_plies", random_opening_plies);
        field("prior_temperature", prior_temperature);
        field("random_move_prob", random_move_prob);
        field("one_sided_prob", one_sided_prob);
        field("start_positions_prob", start_positions_prob);
        field("resign_threshold", resign_threshold);
        field("resign_playthrough_prob", resign_playthrough_prob);
        field("td_lambda", td_lambda);
        field("deblunder", deblunder);
        field("fused", fused);
        field("symmetric_cache", symmetric_cache);
        field("cache_size", cache_size);
        field("record_positions", record_positions);
    }

    SelfPlayOptions checked(Planes planes) const {
        require_between("simulations", simulations, 1, 1e9);
        require_between("fast_simulations", fast_simulations, 1, 1e9);
        require_between("full_search_prob", full_search_prob, 0, 1);
        require_between("temperature", temperature, 0.01, 100);
        require_between("temperature_plies", temperature_plies, 0, 1e9);
        require_between("random_opening_plies", random_opening_plies, 0, 1e6);
        require_between("gumbel_noise_plies", gumbel_noise_plies, 0, 1e9);
        require_between("prior_temperature", prior_temperature, 0.01, 100);
        require_between("random_move_prob", random_move_prob, 0, 1);
        require_between("one_sided_prob", one_sided_prob, 0, 1);
        require_between("start_positions_prob", start_positions_prob, 0, 1);
        require_between("resign_threshold", resign_threshold, 0, 1);
        require_between("resign_playthrough_prob", resign_playthrough_prob, 0, 1);
        require_between("td_lambda", td_lambda, 0, 1);
        require_between("cache_size", cache_size, 0, 1 << 26);
        require(leaves == 1, "a game of self-play asks about one leaf at a time; play more games");
        require(threads == 1, "a pool of self-play has one thread; make several pools");
        GuidedOptions search = ForestParameters::checked(planes);
        search.chance.sample |= fused;  // a playout says something new of a leaf each time
        return {.search = search,
                .prior_temperature = prior_temperature,
                .simulations = simulations,
                .fast_simulations = fast_simulations,
                .full_search_prob = full_search_prob,
                .temperature = temperature,
                .temperature_plies = temperature_plies,
                .gumbel_noise_plies = gumbel_noise_plies,
                .random_opening_plies = random_opening_plies,
                .random_move_prob = random_move_prob,
                .one_sided_prob = one_sided_prob,
                .resign_threshold = resign_threshold,
                .resign_playthrough_prob = resign_playthrough_prob,
                .td_lambda = td_lambda,
                .deblunder = deblunder,
                .record_positions = record_positions,
                .fused = fused,
                .start_positions_prob = start_positions_prob,
                .symmetric_cache = symmetric_cache,
                .cache_size = static_cast<std::size_t>(cache_size)};
    }
};

template <class G>
void bind_selfplay(nb::module_& module) {
    module.def(
        "selfplay",
        [](Given<G> given, std::size_t games, std::uint64_t seed, std::string_view planes,
           nb::list starts, nb::kwargs options) {
            require_between("games", static_cast<double>(games), 1, 1e6);
            auto checked =
                read_parameters<SelfPlayParameters>(options).checked(read_planes(planes));
            if constexpr (std::is_same_v<G, PythonGame>) {
                // Hashes of Python objects may be others the next time, and so would be who is
                // remembered; what is played must not be.
                checked.symmetric_cache = false;
                checked.cache_size = 0;
            }
            return with_form<G>(given, false, [&](const auto& state) {
                using F = typename std::remove_cvref_t<decltype(state)>::Position;
                const Home<G> home(given, state);
                std::vector<State<F>> from;
                for (const nb::handle start : starts) {
                    from.push_back(going_on(home.template state<F>(start)));
                }
                return new_object(std::unique_ptr<SelfPlayFace>(std::make_unique<SelfPlayOf<G, F>>(
                    home, going_on(state), games, seed, checked, std::move(from))));
            });
        },
        nb::arg("state"), nb::arg("games"), nb::arg("seed") = 0, nb::arg("planes") = "full",
        nb::arg("starts") = nb::list(), nb::arg("options"));
}

}  // namespace ludus
