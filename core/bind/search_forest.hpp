// Forests from Python: many trees in step, evaluated by whoever asks.
#pragma once

#include "../search/forest.hpp"
#include "search_common.hpp"

namespace ludus {

// Many trees, whatever their game.
struct ForestFace {
    virtual ~ForestFace() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t waiting() const = 0;
    virtual std::size_t max_rows() const = 0;
    virtual Shape shape() const = 0;
    virtual std::size_t num_actions() const = 0;
    virtual std::size_t nodes() const = 0;
    virtual std::size_t bytes() const = 0;
    virtual void allow(std::size_t row, int simulations) = 0;
    virtual std::size_t gather(std::span<float> features, std::span<std::uint8_t> masks) = 0;
    virtual std::size_t first_bad(std::span<const float> priors,
                                  std::span<const float> values) const = 0;
    virtual void scatter(std::span<const float> priors, std::span<const float> values) = 0;
    virtual std::optional<int> advance(std::size_t row, nb::handle action) = 0;
    virtual bool seek(std::size_t row, nb::handle state) = 0;
    virtual void reseed(std::size_t row, std::uint64_t seed) = 0;
    virtual std::vector<Look> result(std::size_t row) const = 0;
    virtual std::vector<double> policy(std::size_t row) = 0;
    virtual std::vector<std::pair<Action, float>> priors(std::size_t row) const = 0;
    virtual std::vector<Action> line(std::size_t row) = 0;
    virtual Action decision(std::size_t row) = 0;

    Busy busy;
};

// G is the game as Python has it, F the form of it that is searched.
template <class G, class F>
class ForestOf : public ForestFace {
  public:
    template <class... Rest>
    ForestOf(const Given<G>& given, const State<F>& state, Rest&&... rest)
        : home_(given, state), forest_(state, std::forward<Rest>(rest)...) {}

    std::size_t size() const override { return forest_.size(); }
    std::size_t waiting() const override { return forest_.waiting(); }
    std::size_t max_rows() const override { return forest_.max_rows(); }
    Shape shape() const override { return forest_.shape(); }
    std::size_t num_actions() const override { return forest_.num_actions(); }
    std::size_t nodes() const override { return forest_.nodes(); }
    std::size_t bytes() const override { return forest_.bytes(); }
    void allow(std::size_t row, int simulations) override { forest_.tree(row).allow(simulations); }
    std::size_t gather(std::span<float> features, std::span<std::uint8_t> masks) override {
        [[maybe_unused]] const Freed<G> free{};
        return forest_.gather(features, masks);
    }
    std::size_t first_bad(std::span<const float> priors,
                          std::span<const float> values) const override {
        return forest_.first_bad(priors, values);
    }
    void scatter(std::span<const float> priors, std::span<const float> values) override {
        [[maybe_unused]] const Freed<G> free{};
        forest_.scatter(priors, values);
    }
    std::optional<int> advance(std::size_t row, nb::handle action) override {
        forest_.advance(row, legal_action(forest_.state(row), action));
        return forest_.state(row).outcome();
    }
    bool seek(std::size_t row, nb::handle state) override {
        return forest_.tree(row).seek(home_.template state<F>(state));
    }
    void reseed(std::size_t row, std::uint64_t seed) override {
        forest_.tree(row).random() = Random(seed, Stream::Forest, 0);
    }
    std::vector<Look> result(std::size_t row) const override { return forest_.tree(row).result(); }
    std::vector<double> policy(std::size_t row) override { return forest_.tree(row).policy(); }
    std::vector<std::pair<Action, float>> priors(std::size_t row) const override {
        return forest_.tree(row).priors();
    }
    std::vector<Action> line(std::size_t row) override {
        going_on(forest_.state(row));
        return forest_.tree(row).line();
    }
    Action decision(std::size_t row) override {
        going_on(forest_.state(row));
        return forest_.tree(row).decision();
    }

  private:
    Home<G> home_;
    Forest<F> forest_;
};

// The options as Python gives them.
struct ForestParameters {
    int simulations = 100, max_num_considered_actions = 16, max_nodes = 4'000'000, threads = 1;
    double c_puct = 1.25, fpu_reduction = 0.25, dirichlet_alpha = 0.3, dirichlet_fraction = 0;
    double maxvisit_init = 50, value_scale = 1;
    bool gumbel = false, gumbel_noise = true, plain = false, root_only = false;
    bool unvisited_zero = false;
    int leaves = 1, max_collisions = 64;
    ChanceMode chance = ChanceMode::Expectation;

    void visit(auto&& field) {
        field("simulations", simulations);
        field("c_puct", c_puct);
        field("fpu_reduction", fpu_reduction);
        field("unvisited_zero", unvisited_zero);
        field("dirichlet_alpha", dirichlet_alpha);
        field("dirichlet_fraction", dirichlet_fraction);
        field("gumbel", gumbel);
        field("max_num_considered_actions", max_num_considered_actions);
        field("gumbel_noise", gumbel_noise);
        field("maxvisit_init", maxvisit_init);
        field("value_scale", value_scale);
        field("plain", plain);
        field("root_only", root_only);
        field("max_nodes", max_nodes);
        field("threads", threads);
        field("leaves", leaves);
        field("max_collisions", max_collisions);
        field("chance", chance);
    }

    GuidedOptions checked(Planes planes) const {
        require_between("simulations", simulations, 0, 1e9);
        require_between("max_num_considered_actions", max_num_considered_actions, 1, 65536);
        require_between("max_nodes", max_nodes, 1, 1e9);
        require_between("threads", threads, 1, 1024);
        require_between("leaves", leaves, 1, 1024);
        require_between("max_collisions", max_collisions, 0, 4096);
        require_between("c_puct", c_puct, 0, 1000);
        require_between("fpu_reduction", fpu_reduction, -2, 2);
        require_between("dirichlet_alpha", dirichlet_alpha, 1e-3, 1000);
        require_between("dirichlet_fraction", dirichlet_fraction, 0, 1);
        require_between("maxvisit_init", maxvisit_init, 0, 1e6);
        require_between("value_scale", value_scale, 0, 1000);
        return {
            .gumbel = gumbel,
            .puct = {static_cast<float>(c_puct), static_cast<float>(fpu_reduction), unvisited_zero},
            .dirichlet_alpha = dirichlet_alpha,
            .dirichlet_fraction = dirichlet_fraction,
            .max_num_considered_actions = max_num_considered_actions,
            .gumbel_noise = gumbel_noise,
            .maxvisit_init = maxvisit_init,
            .value_scale = value_scale,
            .plain = plain,
            .root_only = root_only,
            .leaves = static_cast<std::size_t>(leaves),
            .max_collisions = static_cast<std::size_t>(max_collisions),
            .chance = {.sample = chance == ChanceMode::Sample},
            .max_nodes = static_cast<std::uint32_t>(max_nodes),
            .planes = planes};
    }
};

template <class G>
void bind_forest(nb::module_& module) {
    module.def(
        "forest",
        [](Given<G> given, std::size_t trees, std::uint64_t seed, std::string_view planes,
           nb::kwargs options) {
            require_between("trees", static_cast<double>(trees), 1, 1e6);
            const auto parameters = read_parameters<ForestParameters>(options);
            const GuidedOptions checked = parameters.checked(read_planes(planes));
            return with_form<G>(given, false, [&](const auto& state) {
                using F = typename std::remove_cvref_t<decltype(state)>::Position;
                // Threads would only wait for each other's turn with the interpreter.
                const int threads = std::is_same_v<G, PythonGame> ? 1 : parameters.threads;
                return new_object(std::unique_ptr<ForestFace>(std::make_unique<ForestOf<G, F>>(
                    given, state, trees, parameters.simulations, seed, checked, threads)));
            });
        },
        nb::arg("state"), nb::arg("trees"), nb::arg("seed") = 0, nb::arg("planes") = "full",
        nb::arg("options"));
}

}  // namespace ludus
