// Alpha-beta and judges from Python: a search is an object that runs in slices.
#pragma once

#include <memory>

#include "../search/alphabeta.hpp"
#include "kernels.hpp"

namespace ludus {

template <class Weights>
Weights read_weights(nb::dict given) {
    Weights weights;
    std::string known;
    nb::dict rest = copy_dict(given);
    weights.visit([&](const char* name, float& weight) {
        known += (known.empty() ? "" : ", ") + std::string(name);
        if (!rest.contains(name)) return;
        double number = 0;
        read_field(name, number, rest[name]);
        require(std::abs(number) <= 1e6, std::string("the weight ") + name +
                                             " is between -1000000 and 1000000, not " +
                                             short_repr(rest[name]));
        weight = static_cast<float>(number);
        nb::del(rest[name]);
    });
    for (auto [name, value] : rest) {
        throw std::invalid_argument("no weight " + short_repr(name) + " in this game; there are " +
                                    (known.empty() ? "none" : known));
    }
    return weights;
}

inline double evaluation_in(nb::handle answer) {
    double value = 0;
    read_field("an evaluation", value, answer);
    require(value >= -1 && value <= 1,
            "an evaluation is between -1 and 1, not " + short_repr(answer));
    return value;
}

inline double call_evaluator(nb::handle function, nb::handle state) {
    return evaluation_in(function(state));
}

inline std::vector<double> call_evaluator_of_many(nb::handle function, const nb::list& states) {
    const nb::object answers = function(states);
    std::vector<double> values;
    for (const nb::handle answer : nb::iter(answers)) values.push_back(evaluation_in(answer));
    require(values.size() == nb::len(states), "there are " + std::to_string(values.size()) +
                                                  " evaluations of " +
                                                  std::to_string(nb::len(states)) + " states");
    return values;
}

// A search that one call at a time may use.
template <Game G>
class AlphaBetaSearch {
  public:
    using Search = AlphaBeta<G>;

    AlphaBetaSearch(const typename Search::Root& root, Evaluation<G> evaluation,
                    const AlphaBetaOptions& options)
        : native_(std::is_trivially_copyable_v<G> && !evaluation.is_asked()),
          search_(root, std::move(evaluation), options) {}

    bool run(int depth, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        const Alone alone(busy_);
        AlphaBetaBudget budget{.depth = depth};
        require(depth >= 0 && depth <= Search::MaxDepth,
                "a depth is between 0 and 128, not " + std::to_string(depth));
        require(!seconds || !std::isnan(*seconds), "seconds is a time, not nan");
        if (nodes) budget.nodes = *nodes;
        if (seconds) budget.seconds = std::clamp(*seconds, 0.0, budget.seconds);
        if (!native_) return search_.run(budget);
        nb::gil_scoped_release free;
        return search_.run(budget);
    }

    void go_on_after(AlphaBetaSearch& earlier) {
        const Alone alone(earlier.busy_);
        search_.go_on_after(earlier.search_);
    }

    std::pair<std::uint64_t, typename Search::Answer> look() {
        const Alone alone(busy_);
        return {search_.nodes(), search_.answer()};
    }

  private:
    bool native_;
    Busy busy_;
    Search search_;
};

template <Game G>
void bind_search(nb::module_& module, const std::string& name) {
    using S = AlphaBetaSearch<G>;
    using Search = typename S::Search;
    nb::class_<S> cls(module, name.c_str(), nb::is_final());
    cls.def("run", &S::run, nb::arg("depth") = Search::MaxDepth,
            nb::arg("nodes").none() = nb::none(), nb::arg("seconds").none() = nb::none());
    cls.def_prop_ro("nodes", [](S& s) { return s.look().first; });
    cls.def_prop_ro("depth", [](S& s) { return s.look().second.depth; });
    cls.def_prop_ro("value", [](S& s) { return Search::value(s.look().second.score); });
    cls.def_prop_ro("score", [](S& s) { return static_cast<double>(s.look().second.score); });
    cls.def_prop_ro("proven", [](S& s) { return s.look().second.proven; });
    cls.def_prop_ro("line", [](S& s) {
        const auto line = s.look().second.line;
        return std::vector<int>(line.begin(), line.end());
    });
    // Of each root action in the last whole iteration: its score, and whether that is exact or
    // only a bound that it does not exceed.
    cls.def("scores", [](S& s) {
        std::vector<std::tuple<int, double, bool>> scores;
        for (const auto& [action, score, bound] : s.look().second.scores)
            scores.emplace_back(action, score, bound == Bound::Exact);
        return scores;
    });
}

inline AlphaBetaOptions alphabeta_options(std::size_t table_bytes, bool quiescence, bool multi) {
    require(table_bytes >> 40 == 0, "a table has less than 2**40 bytes");
    return {table_bytes, quiescence, multi};
}

// A search that knows what an earlier one found out, if there was one.
template <Game G>
nb::object new_search(const typename Line<G>::Root& root, Evaluation<G> evaluation,
                      const AlphaBetaOptions& options, nb::handle after) {
    using S = AlphaBetaSearch<G>;
    auto made = std::make_unique<S>(root, std::move(evaluation), options);
    if (!after.is_none()) {
        require(nb::isinstance<S>(after),
                "a search goes on after one of the same game, not after " + short_repr(after));
        made->go_on_after(*nb::inst_ptr<S>(after));
    }
    return new_object(std::move(made)).object;
}

template <Native G>
void bind_alphabeta(nb::module_& module, const char* name) {
    using Weights = typename WeightsOf<G>::type;
    bind_search<G>(module, name + std::string("_alphabeta"));
    if constexpr (Specialised<G>)
        bind_search<typename G::Fast>(module, name + std::string("_fast_alphabeta"));
    module.def(
        "alphabeta",
        [](const Seat<G>& seat, nb::dict weights, std::size_t table_bytes, bool quiescence,
           bool multi, nb::object evaluate, nb::object evaluate_many,
           nb::object after) -> nb::object {
            require(!seat.state.outcome(), "the game is over: there is nothing to think about");
            const auto options = alphabeta_options(table_bytes, quiescence, multi);
            const auto read = read_weights<Weights>(weights);
            const auto shown = [parameters = seat.parameters](const State<G>& state) {
                return new_object(Seat<G>{state, parameters}).object;
            };
            if (!evaluate_many.is_none()) {
                const auto asked = [=](const std::vector<State<G>>& states) {
                    nb::list many;
                    for (const State<G>& state : states) many.append(shown(state));
                    return call_evaluator_of_many(evaluate_many, many);
                };
                return new_search<G>(seat.state, {read, nullptr, asked}, options, after);
            }
            if (!evaluate.is_none()) {
                const auto asked = [=](const State<G>& state) {
                    return call_evaluator(evaluate, shown(state));
                };
                return new_search<G>(seat.state, {read, asked, nullptr}, options, after);
            }
            return with_fastest(seat.state, [&]<class Form>(const State<Form>& state) {
                return new_search<Form>(state, {read, nullptr, nullptr}, options, after);
            });
        },
        nb::arg("state"), nb::arg("weights") = nb::dict(), nb::arg("table_bytes") = 32u << 20,
        nb::arg("quiescence") = true, nb::arg("multi") = false,
        nb::arg("evaluate").none() = nb::none(), nb::arg("evaluate_many").none() = nb::none(),
        nb::arg("after").none() = nb::none());
    module.def(
        "weights",
        [](const Seat<G>&) {
            nb::dict result = new_dict();
            Weights().visit([&](const char* weight, float value) { result[weight] = value; });
            return result;
        },
        nb::arg("state"));
    module.def(
        "judge",
        [](const Seat<G>& seat, nb::dict weights) -> std::optional<double> {
            const auto read = read_weights<Weights>(weights);
            if constexpr (Judged<G>) return Judge<G>::value(seat.position(), read);
            return std::nullopt;
        },
        nb::arg("state"), nb::arg("weights") = nb::dict());
}

}  // namespace ludus
