// What the faces of all searches share: states in, looks out, and who may run.
#pragma once

#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "../search/judge.hpp"
#include "../search/result.hpp"
#include "alone.hpp"
#include "kernels.hpp"
#include "python_game.hpp"

namespace ludus {

inline void require_between(const char* name, double value, double low, double high) {
    const auto shown_number = [](double x) { return std::string(nb::str(nb::float_(x)).c_str()); };
    require(value >= low && value <= high, std::string(name) + " is between " + shown_number(low) +
                                               " and " + shown_number(high) + ", not " +
                                               shown_number(value));
}

// (action, visits, value for the player to move, proof: 1 a win, 0 a draw, -1 a loss)
using LookRow = std::tuple<int, std::uint64_t, double, std::optional<int>>;

inline std::optional<int> proof_number(Proof proof) {
    if (proof == Proof::Unknown) return std::nullopt;
    return static_cast<int>(value_of(proof));
}

inline std::vector<LookRow> look_rows(const std::vector<Look>& found) {
    std::vector<LookRow> rows;
    for (const Look& look : found) {
        rows.emplace_back(look.action, look.visits, look.value(), proof_number(look.proof));
    }
    return rows;
}

inline std::vector<std::pair<int, double>> by_action(const std::vector<Look>& found,
                                                     const std::vector<double>& weights) {
    std::vector<std::pair<int, double>> pairs;
    for (std::size_t i = 0; i < found.size(); ++i) pairs.emplace_back(found[i].action, weights[i]);
    return pairs;
}

struct Nothing {};

// Native searches free the interpreter; those of games written in Python need it.
template <class G>
using Freed = std::conditional_t<std::is_same_v<G, PythonGame>, Nothing, nb::gil_scoped_release>;

// The game that an object was made for, parameters included. States that are handed over later are
// checked here: of another size, they would be written beyond the object's memory.
template <class G>
class Home {
  public:
    Home(const Seat<G>& given, const auto&) : parameters_(given.parameters) {}

    const typename G::Parameters& parameters() const { return parameters_; }

    // In the form F of the game.
    template <class F>
    State<F> state(nb::handle object) const {
        return state_in<F>(seat_at_home<G>(object, parameters_));
    }

  private:
    typename G::Parameters parameters_;
};

inline State<PythonGame> python_state(PythonGame game) {
    const PlyCount history{.plies = game.plies()};
    return State<PythonGame>(std::move(game), Limits{}, history);
}

template <>
class Home<PythonGame> {
  public:
    Home(const nb::object&, const State<PythonGame>& state) : first_(state.position()) {}

    template <class F>
    State<F> state(nb::handle object) const {
        return python_state(first_.sibling(nb::borrow(object)));
    }

  private:
    PythonGame first_;
};

template <class F>
const State<F>& going_on(const State<F>& state) {
    require(!state.outcome(), "the game is over: there is nothing to think about");
    return state;
}

// What a function over states is given: a native state, or any Python object.
template <class G>
struct GivenState {
    using Type = const Seat<G>&;
};
template <>
struct GivenState<PythonGame> {
    using Type = nb::object;
};
template <class G>
using Given = typename GivenState<G>::Type;

// Calls f with the fastest form of the state's game, or with the fastest that has a judge.
template <class G, class F>
auto with_form(Given<G> given, bool judged, F f) {
    if constexpr (std::is_same_v<G, PythonGame>) {
        return f(python_state(PythonGame(given)));
    } else {
        if constexpr (Specialised<G>) {
            if (judged && !Judged<typename G::Fast>) return f(given.state);
        }
        return with_fastest(given.state, f);
    }
}

}  // namespace ludus
