// A game written in Python, seen from C++: its states are immutable objects, so copying one is
// taking a reference, and every template over Game accepts it.
//
// A state comes bare, as its class made it, or in the wrapper of `src/ludus/written.py`. A wrapped
// one is played on bare, because what the wrapper would check is checked here, once a state: native
// code trusts a game to keep its contract.
#pragma once

#include <memory>

#include "../play/perft.hpp"
#include "../play/playout.hpp"
#include "python_claims.hpp"

namespace ludus {

class PythonGame {
  public:
    explicit PythonGame(nb::object state) : PythonGame(std::move(state), nullptr) {}

    // A state that is handed over later, of the same game.
    PythonGame sibling(nb::object state) const { return {std::move(state), rules_}; }

    int num_actions() const { return rules_->num_actions; }
    int player() const { return said_->player; }

    std::vector<Action> legal() const {
        if (!said_->legal) {
            said_->legal = read_legal();
            agree();
        }
        return *said_->legal;
    }
    std::optional<Score> outcome() const {
        if (!said_->outcome) {
            said_->outcome = read_outcome();
            if (*said_->outcome || said_->legal) agree();
        }
        return *said_->outcome;
    }
    void apply(Action a) {
        const nb::object action = take_answer(PyLong_FromLong(a));
        move_to(call_method(state_, Names::all().play, action));
    }
    std::uint64_t key() const { return static_cast<std::uint64_t>(nb::hash(state_)); }
    std::string text() const { return text_of(nb::str(state_)); }
    Action seen(Action a) const {
        return action(object().attr("seen")(static_cast<int>(a)), "seen(action)");
    }
    Shape shape(Planes = Planes::Full) const {
        if (!rules_->shape) rules_->shape = read_shape(object().attr("shape")());
        return *rules_->shape;
    }
    void features(std::span<float> out, Planes = Planes::Full) const {
        const nb::object given = object().attr("features")();
        nb::ndarray<const float, nb::c_contig, nb::device::cpu> planes;
        require(nb::try_cast(given, planes, false) && planes.size() == out.size(),
                "features() is a C-contiguous array of float32 with the shape that shape() says");
        std::copy_n(planes.data(), out.size(), out.data());
    }
    int num_symmetries() const {
        return number(object().attr("num_symmetries"), "num_symmetries", 1, 1'000'000);
    }
    PythonGame transformed(int symmetry) const {
        return sibling(object().attr("transformed")(symmetry));
    }
    Action transformed(int symmetry, Action a) const {
        return action(object().attr("transformed_action")(symmetry, static_cast<int>(a)),
                      "transformed_action(symmetry, action)");
    }
    int transformed_cell(int symmetry, int cell) const {
        return number(object().attr("transformed_cell")(symmetry, cell),
                      "transformed_cell(symmetry, cell)", 0, shape().cells() - 1);
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
        return read_chances(state_.attr("chances")(static_cast<int>(a)));
    }
    void apply(Action a, int result) {
        const nb::object play = state_.attr("play");
        const int action = a;
        move_to(
            (wrapper_ ? play(action, result) : play(action, nb::none(), result)).release().ptr());
    }
    bool chancy() const {
        if (!rules_->chancy) {
            bool chancy = false;
            if (const nb::object said = attribute(object(), "chancy"); said.is_valid()) {
                read_field("chancy", chancy, said);
            }
            rules_->chancy = chancy;
        }
        return *rules_->chancy;
    }

    int plies() const {
        if (wrapper_) return said_->plies;
        const nb::object said = attribute(state_, "plies");
        return said.is_valid() ? number(said, "plies", 0, MostPlies) : 0;
    }
    // The state as Python shall see it, wrapped if the first one was.
    const nb::object& object() const {
        if (!said_->face.is_valid()) {
            said_->face = wrapper_->first.attr("sibling")(state_, said_->plies);
        }
        return said_->face;
    }

  private:
    static constexpr int MostPlies = 1'000'000'000;

    // What is the same in every state of a game; what the first one says holds.
    struct Rules {
        int num_actions;
        std::optional<Shape> shape{};
        std::optional<bool> chancy{};
    };
    // The wrapped state that others were played from, and after how many plies a game is drawn.
    struct Wrapper {
        nb::object first;
        double most_plies = 0;
    };
    // What a state says of itself; asked once, so that it cannot say two things.
    struct Said {
        int player = 0;
        int plies = 0;      // of a wrapped state
        nb::object face{};  // the state as it was handed over, or none yet
        std::optional<std::vector<Action>> legal{};
        std::optional<std::optional<Score>> outcome{};
    };

    PythonGame(nb::object state, std::shared_ptr<Rules> rules)
        : state_(state), rules_(std::move(rules)), said_(std::make_shared<Said>()) {
        said_->face = std::move(state);
        unwrap();
        greet();
    }

    void unwrap() {
        const nb::object bare = attribute(state_, "written_inner");
        if (!bare.is_valid()) return;
        Wrapper wrapper{state_};
        wrapper.most_plies = real(wrapper.first.attr("most_plies"));
        said_->plies = number(wrapper.first.attr("plies"), "plies", 0, MostPlies);
        state_ = bare;
        wrapper_ = std::make_shared<const Wrapper>(std::move(wrapper));
    }
    // Takes the state that was played to.
    void move_to(PyObject* next) {
        PythonGame after = *this;
        after.state_ = take_answer(next);
        after.said_ = std::make_shared<Said>();
        after.said_->plies = said_->plies + 1;
        if (!wrapper_) after.said_->face = after.state_;
        after.greet();
        *this = std::move(after);
    }
    // Reads what is needed of every state.
    void greet() {
        const int actions = number(required_attribute(source(), Names::all().num_actions),
                                   "num_actions", 1, MostActions);
        if (!rules_) rules_ = std::make_shared<Rules>(Rules{actions});
        if (actions != rules_->num_actions) {
            refuse("num_actions is the same in every state of a game: " +
                   std::to_string(rules_->num_actions) + " before, now " + std::to_string(actions));
        }
        const nb::object player = required_attribute(source(), Names::all().player);
        const auto side = one_of(player, 0, 1);
        if (!side) refuse("a player is 0 or 1, not " + short_repr(player));
        said_->player = *side;
    }

    // Who is asked: a wrapped state that was handed over may have answered others already.
    nb::handle source() const { return said_->face.is_valid() ? said_->face : state_; }
    bool too_long() const { return wrapper_ && said_->plies >= wrapper_->most_plies; }
    Action action(nb::handle object, const char* what) const {
        return static_cast<Action>(number(object, what, 0, num_actions() - 1));
    }
    std::vector<Action> read_legal() const {
        if (too_long()) return {};
        const nb::object given = take_answer(call_method(source(), Names::all().legal));
        return read_actions(given, num_actions());
    }
    std::optional<Score> read_outcome() const {
        const nb::object given = required_attribute(source(), Names::all().outcome);
        if (given.is_none()) return too_long() ? std::optional<Score>(0) : std::nullopt;
        const auto outcome = one_of(given, -1, 1);
        if (!outcome) refuse("an outcome is -1, 0, 1 or None, not " + short_repr(given));
        return static_cast<Score>(*outcome);
    }
    void agree() const {
        if (legal().empty() == outcome().has_value()) return;
        said_->legal.reset();  // nobody shall take the half of it that was read
        said_->outcome.reset();
        refuse("a state has legal actions exactly while its outcome is None");
    }

    nb::object state_;  // bare
    std::shared_ptr<Rules> rules_;
    std::shared_ptr<const Wrapper> wrapper_{};  // none if the first state was bare
    std::shared_ptr<Said> said_;
};

static_assert(Game<PythonGame> && Chancy<PythonGame>);

}  // namespace ludus
