// What the faces of all searches share: states in, looks out, and who may run.
#pragma once

#include <nanobind/stl/unique_ptr.h>

#include <atomic>
#include <memory>

#include "../search/judge.hpp"
#include "../search/result.hpp"
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

// While the interpreter is free, another thread must not touch the same search.
class Alone {
  public:
    explicit Alone(std::atomic_flag& busy) : busy_(busy) {
        require(!busy_.test_and_set(), "this search is at work in another thread");
    }
    ~Alone() { busy_.clear(); }
    Alone(const Alone&) = delete;

  private:
    std::atomic_flag& busy_;
};

// Arrays of a row for each waiting leaf.
inline std::span<const float> evaluations(nb::handle array, std::size_t size, const char* name) {
    nb::ndarray<const float, nb::c_contig, nb::device::cpu> items;
    if (array.is_none() || !nb::try_cast(array, items, false)) {
        throw nb::type_error((std::string(name) + " is a C-contiguous array of float32, not " +
                              shown(nb::handle(array.type())))
                                 .c_str());
    }
    require(items.size() == size, std::string(name) + " has " + std::to_string(size) +
                                      " items, not " + std::to_string(items.size()));
    return {items.data(), size};
}

struct Nothing {};

// Native searches free the interpreter; those of games written in Python need it.
template <class G>
using Freed = std::conditional_t<std::is_same_v<G, PythonGame>, Nothing, nb::gil_scoped_release>;

// A Python state as the state of one form of its game.
template <class G, class F>
State<F> state_of(nb::handle object) {
    if constexpr (std::is_same_v<G, PythonGame>) {
        PythonGame game(nb::borrow(object));
        const PlyCount history{.plies = game.plies()};
        return State<G>(std::move(game), Limits{}, history);
    } else {
        const Seat<G>* seat = nullptr;
        require(nb::try_cast(object, seat) && seat, "this search is of another game");
        if constexpr (std::is_same_v<G, F>) {
            return seat->state;
        } else {
            const auto fast = seat->position().fast();
            require(fast.has_value(), "this search is of the game with other parameters");
            return State<F>(*fast, seat->state.limits(), seat->state.history());
        }
    }
}

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
        return f(state_of<G, G>(given));
    } else {
        if constexpr (Specialised<G>) {
            if (judged && !Judged<typename G::Fast>) return f(given.state);
        }
        return with_fastest(given.state, f);
    }
}

}  // namespace ludus
