// The truth about small games from Python: every state that can be reached, solved in memory.
#include "../truth/reachable.hpp"
#include "all_games.hpp"
#include "search_common.hpp"
#include "truth_common.hpp"

namespace ludus {

namespace {

struct ReachableFace : TruthFace {
    virtual void work(double seconds) = 0;
    virtual bool done() const = 0;
    virtual bool chancy() const = 0;
    virtual std::size_t states() const = 0;
    virtual ReachableCounts counts() const = 0;
    virtual nb::object state(std::size_t number) const = 0;
};

template <class G>
struct ReachableOf final : ReachableFace {
    Home<G> home;
    Reachable<G> native;

    ReachableOf(const Given<G>& given, const State<G>& start, std::size_t limit)
        : home(given, start), native(start.position(), limit) {}

    void work(double seconds) override {
        [[maybe_unused]] const Freed<G> free{};
        native.work(seconds);
    }
    bool done() const override { return native.done(); }
    bool chancy() const override { return native.chancy(); }
    std::size_t states() const override { return native.states(); }
    ReachableCounts counts() const override { return native.counts(); }
    nb::object state(std::size_t number) const override {
        const G& at = native.position(static_cast<std::uint32_t>(number));
        if constexpr (std::is_same_v<G, PythonGame>) {
            return at.object();
        } else {
            const State<G> whole(at, G::limits(home.parameters()));
            return new_object(seat_of<G>(whole, home.parameters())).object;
        }
    }

    std::optional<Truth> look(nb::handle state) const override {
        const auto number = native.find(position(state));
        if (!number) return std::nullopt;
        return Truth{native.value(*number), native.distance(*number)};
    }
    std::vector<ActionTruth> actions(nb::handle state) const override {
        const G at = position(state);
        require(native.find(at).has_value(), "play cannot reach this position");
        std::vector<ActionTruth> found;
        if (at.outcome()) return found;
        for (const Action a : at.legal()) {
            found.emplace_back(a, Truth{native.action_value(at, a), native.action_distance(at, a)});
        }
        return found;
    }
    G position(nb::handle state) const {
        if constexpr (std::is_same_v<G, PythonGame>) {
            return home.template state<G>(state).position();
        } else {
            return position_at_home<G>(state, home.parameters());
        }
    }
};

void bind_face(nb::module_& module) {
    nb::class_<ReachableFace, TruthFace> cls(module, "Reachable", nb::is_final());
    cls.def(
        "work",
        [](ReachableFace& space, double seconds) {
            const Alone alone(space.busy);
            require(seconds >= 0, "seconds is a time that is not negative");
            space.work(seconds);
        },
        nb::arg("seconds"));
    const auto quiet = [](const ReachableFace& space, auto ask) {
        const Alone alone(space.busy);
        return ask(space);
    };
    cls.def_prop_ro("done", [quiet](const ReachableFace& space) {
        return quiet(space, [](const ReachableFace& at) { return at.done(); });
    });
    cls.def_prop_ro("states", [quiet](const ReachableFace& space) {
        return quiet(space, [](const ReachableFace& at) { return at.states(); });
    });
    cls.def_prop_ro("chancy", &ReachableFace::chancy);
    cls.def(
        "state",
        [](const ReachableFace& space, nb::handle number) {
            const Alone alone(space.busy);
            require(space.done(), "this space is not solved yet");
            const int most = static_cast<int>(space.states()) - 1;
            return space.state(
                static_cast<std::size_t>(integer_between(number, "a number", 0, most)));
        },
        nb::arg("number"));
    cls.def("counts", [quiet](const ReachableFace& space) {
        const ReachableCounts counts = quiet(space, [](const ReachableFace& at) {
            require(at.done(), "this space is not solved yet");
            return at.counts();
        });
        nb::dict result = new_dict();
        result["states"] = space.states();
        result["ends"] = counts.ends;
        if (space.chancy()) return result;
        result["wins"] = counts.wins;
        result["losses"] = counts.losses;
        result["draws"] = counts.draws;
        result["longest_win"] = counts.longest_win;
        return result;
    });
}

template <Native G>
void bind_reachable(nb::module_& module) {
    module.def(
        "reachable",
        [](const Seat<G>& seat, std::size_t limit) {
            return new_object(std::unique_ptr<ReachableFace>(
                std::make_unique<ReachableOf<G>>(seat, seat.state, limit)));
        },
        nb::arg("state"), nb::arg("limit"));
}

// A space answers when it is done, and a table always.
void require_settled(const TruthFace& truth) {
    const auto* space = dynamic_cast<const ReachableFace*>(&truth);
    require(!space || space->done(), "this space is not solved yet");
}

}  // namespace

void bind_truth(nb::module_& module) {
    nb::class_<TruthFace> cls(module, "Truth");
    cls.def(
        "look",
        [](const TruthFace& truth, nb::handle state) {
            const Alone alone(truth.busy);
            require_settled(truth);
            return truth.look(state);
        },
        nb::arg("state"));
    cls.def(
        "actions",
        [](const TruthFace& truth, nb::handle state) {
            const Alone alone(truth.busy);
            require_settled(truth);
            return truth.actions(state);
        },
        nb::arg("state"));
    cls.def(
        "values",
        [](const TruthFace& truth, nb::sequence states, nb::handle out) {
            const Alone alone(truth.busy);
            require_settled(truth);
            HeldArrays held;
            const auto values = held.rows<double>(out, nb::len(states), "values", "float64");
            for (std::size_t i = 0; i < values.size(); ++i) {
                const auto found = truth.look(nb::object(states[i]));
                values[i] = found ? std::get<0>(*found) : std::nan("");
            }
        },
        nb::arg("states"), nb::arg("values"));
    bind_face(module);
#define GAME(name) bind_reachable<name>(module);
#include "games.inc"
#undef GAME
    module.def(
        "reachable",
        [](nb::object state, std::size_t limit) {
            const auto start = python_state(PythonGame(state));
            return new_object(std::unique_ptr<ReachableFace>(
                std::make_unique<ReachableOf<PythonGame>>(state, start, limit)));
        },
        nb::arg("state"), nb::arg("limit"));
}

}  // namespace ludus
