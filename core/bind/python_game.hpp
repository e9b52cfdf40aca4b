// A game written in Python, seen from C++: its states are immutable objects, so copying one is
// taking a reference, and every template over Game accepts it.
#pragma once

#include <algorithm>

#include "../play/perft.hpp"
#include "../play/playout.hpp"
#include "arguments.hpp"

namespace ludus {

class PythonGame {
  public:
    explicit PythonGame(nb::object state) : state_(std::move(state)) {}

    int num_actions() const { return nb::cast<int>(state_.attr("num_actions")); }
    int player() const { return nb::cast<int>(state_.attr("player")); }
    std::vector<Action> legal() const {
        std::vector<Action> actions;
        for (const nb::handle a : state_.attr("legal")()) {
            actions.push_back(static_cast<Action>(integer_between(a, "an action", 0, 65535)));
        }
        return actions;
    }
    void apply(Action a) { state_ = state_.attr("play")(static_cast<int>(a)); }
    std::optional<Score> outcome() const {
        return nb::cast<std::optional<Score>>(state_.attr("outcome"));
    }
    std::uint64_t key() const { return static_cast<std::uint64_t>(nb::hash(state_)); }
    Action seen(Action a) const {
        return nb::cast<Action>(state_.attr("seen")(static_cast<int>(a)));
    }
    Shape shape(Planes = Planes::Full) const {
        const auto [planes, rows, columns] =
            nb::cast<std::tuple<int, int, int>>(state_.attr("shape")());
        return {planes, rows, columns};
    }
    void features(std::span<float> out, Planes = Planes::Full) const {
        const auto planes = nb::cast<nb::ndarray<const float, nb::c_contig, nb::device::cpu>>(
            state_.attr("features")());
        require(planes.size() == out.size(), "features() has the size that shape() says");
        std::copy_n(planes.data(), out.size(), out.data());
    }
    int num_symmetries() const { return nb::cast<int>(state_.attr("num_symmetries")); }
    PythonGame transformed(int symmetry) const {
        return PythonGame(state_.attr("transformed")(symmetry));
    }
    Action transformed(int symmetry, Action a) const {
        return nb::cast<Action>(state_.attr("transformed_action")(symmetry, static_cast<int>(a)));
    }
    int transformed_cell(int symmetry, int cell) const {
        return nb::cast<int>(state_.attr("transformed_cell")(symmetry, cell));
    }
    bool operator==(const PythonGame& other) const { return state_.equal(other.state_); }

    // Python states keep their own history, so they are played as they are.
    void play(Action a, Random& random) {
        if (!chancy()) return apply(a);
        const auto results = chances(a);
        double uniform = random.uniform();
        int drawn = results.back().result;
        for (const auto& [result, probability] : results) {
            if (uniform < probability) {
                drawn = result;
                break;
            }
            uniform -= probability;
        }
        apply(a, drawn);
    }
    std::vector<Chance> chances(Action a) const {
        std::vector<Chance> results;
        for (const auto& [result, probability] : nb::cast<std::vector<std::pair<int, double>>>(
                 state_.attr("chances")(static_cast<int>(a)))) {
            results.push_back({result, probability});
        }
        require(!results.empty(), "chances(action) of a game of chance has at least one result");
        return results;
    }
    void apply(Action a, int result) {
        state_ = state_.attr("play")(static_cast<int>(a), nb::none(), result);
    }
    bool chancy() const { return nb::cast<bool>(nb::getattr(state_, "chancy", nb::bool_(false))); }

    int plies() const { return nb::cast<int>(nb::getattr(state_, "plies", nb::int_(0))); }
    const nb::object& object() const { return state_; }

  private:
    nb::object state_;
};

static_assert(Game<PythonGame> && Chancy<PythonGame>);

}  // namespace ludus
