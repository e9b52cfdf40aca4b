// UCT from Python: one face for the searches of all games.
#pragma once

#include "../search/uct.hpp"
#include "search_forest.hpp"

namespace ludus {

// One search, whatever its game.
struct MctsFace {
    virtual ~MctsFace() = default;
    virtual std::uint64_t run(std::uint64_t simulations, std::optional<double> seconds) = 0;
    virtual bool seek(nb::handle state) = 0;
    virtual std::vector<Look> result() const = 0;
    virtual std::vector<Action> line(Action first) const = 0;
    virtual std::size_t nodes() const = 0;
    virtual std::size_t bytes() const = 0;

    Busy busy;
};

// G is the game as Python has it, F the form of it that is searched.
template <class G, class F>
class MctsOf : public MctsFace {
  public:
    template <class... Rest>
    MctsOf(const Given<G>& given, const State<F>& state, Rest&&... rest)
        : home_(given, state), uct_(going_on(state), std::forward<Rest>(rest)...) {}

    std::uint64_t run(std::uint64_t simulations, std::optional<double> seconds) override {
        [[maybe_unused]] const Freed<G> free{};
        return uct_.run(simulations, seconds);
    }
    bool seek(nb::handle object) override {
        const State<F> state = going_on(home_.template state<F>(object));
        [[maybe_unused]] const Freed<G> free{};
        return uct_.seek(state);
    }
    std::vector<Look> result() const override { return uct_.result(); }
    std::vector<Action> line(Action first) const override { return uct_.line(first); }
    std::size_t nodes() const override { return uct_.nodes(); }
    std::size_t bytes() const override { return uct_.bytes(); }

  private:
    Home<G> home_;
    Uct<F> uct_;
};

// Whether a judge was asked for, by "default" or by its own name; "" asks for rollouts.
template <class G>
bool wants_judge(const std::string& asked, const char* game) {
    if (asked.empty()) return false;
    if constexpr (Judged<G>) {
        std::string there = "default";
        if constexpr (requires { Judge<G>::name; }) there += std::string(", ") + Judge<G>::name;
        if (asked == "default" || there == "default, " + asked) return true;
        throw std::invalid_argument("no judge '" + asked + "' in " + game + "; there are " + there);
    }
    throw std::invalid_argument(std::string("no judge '") + asked + "': " + game +
                                " has none, only rollouts");
}

// The options as Python gives them.
struct UctParameters {
    double c = 1.4, rave = 0, fpu = UctChoice::Always;
    int rollouts = 1, max_nodes = 4'000'000, threads = 1;
    bool plain = false;
    ChanceMode chance = ChanceMode::Expectation;

    void visit(auto&& field) {
        field("c", c);
        field("rave", rave);
        field("fpu", fpu);
        field("rollouts", rollouts);
        field("max_nodes", max_nodes);
        field("threads", threads);
        field("plain", plain);
        field("chance", chance);
    }

    UctOptions checked(bool judge) const {
        require_between("c", c, 0, 1000);
        require_between("rave", rave, 0, 1e9);
        require_between("fpu", fpu, -UctChoice::Always, UctChoice::Always);
        require_between("rollouts", rollouts, 1, 1'000'000);
        require_between("max_nodes", max_nodes, 1, 1e9);
        require_between("threads", threads, 1, 1024);
        require(rave == 0 || !judge, "rave learns from rollouts, and a judge replaces them");
        return {.c = c,
                .rave = rave,
                .rollouts = rollouts,
                .judge = judge,
                .plain = plain,
                .chance = {.sample = plain || chance == ChanceMode::Sample},
                .max_nodes = static_cast<std::uint32_t>(max_nodes),
                .fpu = fpu};
    }
};

template <class G>
void bind_mcts(nb::module_& module, const char* name) {
    module.def(
        "mcts",
        [name](Given<G> given, std::uint64_t seed, const std::string& judge, nb::kwargs options) {
            const bool judged = wants_judge<G>(judge, name);
            const auto parameters = read_parameters<UctParameters>(options);
            const UctOptions checked = parameters.checked(judged);
            return with_form<G>(given, judged, [&](const auto& state) {
                using F = typename std::remove_cvref_t<decltype(state)>::Position;
                // Threads would only wait for each other's turn with the interpreter.
                const int threads = std::is_same_v<G, PythonGame> ? 1 : parameters.threads;
                return new_object(std::unique_ptr<MctsFace>(
                    std::make_unique<MctsOf<G, F>>(given, state, checked, seed, threads)));
            });
        },
        nb::arg("state"), nb::arg("seed") = 0, nb::arg("judge") = "", nb::arg("options"));
    bind_forest<G>(module);
}

}  // namespace ludus
