// A game written in Python, seen from C++: its states are immutable objects, so copying one is
// taking a reference, and every template over Game accepts it.
//
// What a class says is checked here, once a state: native code trusts a game to keep its contract.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "../play/perft.hpp"
#include "../play/playout.hpp"
#include "arguments.hpp"

namespace ludus {

// An attribute, or nothing if there is none. What fails while it is read is no lack of it.
inline nb::object attribute(nb::handle object, const char* name) {
    nb::object found = nb::steal(PyObject_GetAttrString(object.ptr(), name));
    if (!found.is_valid()) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
        PyErr_Clear();
    }
    return found;
}

class PythonGame {
  public:
    static constexpr int MostActions = 65535;  // that a node of a tree can count

    explicit PythonGame(nb::object state) : PythonGame(std::move(state), nullptr) {}

    // A state that is handed over later, of the same game.
    PythonGame sibling(nb::object state) const { return {std::move(state), rules_}; }

    int num_actions() const { return rules_->num_actions; }
    int player() const { return said_->player; }

    std::vector<Action> legal() const {
        if (!said_->legal) {
            said_->legal = read_legal();
            if (said_->legal->empty() || said_->outcome) agree();
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
    void apply(Action a) { *this = sibling(state_.attr("play")(static_cast<int>(a))); }
    std::uint64_t key() const { return static_cast<std::uint64_t>(nb::hash(state_)); }
    Action seen(Action a) const {
        return action(state_.attr("seen")(static_cast<int>(a)), "seen(action)");
    }
    Shape shape(Planes = Planes::Full) const {
        if (!rules_->shape) rules_->shape = read_shape();
        return *rules_->shape;
    }
    void features(std::span<float> out, Planes = Planes::Full) const {
        const nb::object given = state_.attr("features")();
        nb::ndarray<const float, nb::c_contig, nb::device::cpu> planes;
        require(nb::try_cast(given, planes, false) && planes.size() == out.size(),
                "features() is a C-contiguous array of float32 with the shape that shape() says");
        std::copy_n(planes.data(), out.size(), out.data());
    }
    int num_symmetries() const {
        return number(state_.attr("num_symmetries"), "num_symmetries", 1, 1'000'000);
    }
    PythonGame transformed(int symmetry) const {
        return sibling(state_.attr("transformed")(symmetry));
    }
    Action transformed(int symmetry, Action a) const {
        return action(state_.attr("transformed_action")(symmetry, static_cast<int>(a)),
                      "transformed_action(symmetry, action)");
    }
    int transformed_cell(int symmetry, int cell) const {
        return number(state_.attr("transformed_cell")(symmetry, cell),
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
        std::vector<Chance> results;
        double sum = 0;
        for (const nb::handle pair : state_.attr("chances")(static_cast<int>(a))) {
            require(
                PySequence_Check(pair.ptr()) && nb::len(pair) == 2,
                "chances(action) are pairs of a result and its probability, unlike " + shown(pair));
            const nb::object result(pair[0]), share(pair[1]);
            Chance chance{number(result, "a result of chance", 0, 1'000'000), 0};
            read_field("a probability", chance.probability, share);
            require(chance.probability > 0 && chance.probability <= 1,
                    "a probability is above 0 and at most 1, not " + shown(share));
            sum += chance.probability;
            results.push_back(chance);
        }
        require(std::abs(sum - 1) < 1e-6 && results.size() <= MostActions,
                "the probabilities of chances(action) add up to 1, not to " + std::to_string(sum));
        const auto twice = repeated(results, &Chance::result);
        require(!twice,
                "chances(action) has each result once, and " + shown_number(twice) + " twice");
        return results;
    }
    void apply(Action a, int result) {
        *this = sibling(state_.attr("play")(static_cast<int>(a), nb::none(), result));
    }
    bool chancy() const {
        if (!rules_->chancy) {
            bool chancy = false;
            if (const nb::object said = attribute(state_, "chancy"); said.is_valid()) {
                read_field("chancy", chancy, said);
            }
            rules_->chancy = chancy;
        }
        return *rules_->chancy;
    }

    int plies() const {
        const nb::object said = attribute(state_, "plies");
        return said.is_valid() ? number(said, "plies", 0, 1'000'000'000) : 0;
    }
    const nb::object& object() const { return state_; }

  private:
    // What is the same in every state of a game; what the first one says holds.
    struct Rules {
        int num_actions;
        std::optional<Shape> shape{};
        std::optional<bool> chancy{};
    };
    // What a state says of itself; asked once, so that it cannot say two things.
    struct Said {
        int player;
        std::optional<std::vector<Action>> legal{};
        std::optional<std::optional<Score>> outcome{};
    };

    PythonGame(nb::object state, std::shared_ptr<Rules> rules) : state_(std::move(state)) {
        const int actions = number(asked("num_actions"), "num_actions", 1, MostActions);
        rules_ = rules ? std::move(rules) : std::make_shared<Rules>(Rules{actions});
        require(actions == rules_->num_actions,
                "num_actions is the same in every state of a game: " +
                    std::to_string(rules_->num_actions) + " before, now " +
                    std::to_string(actions));
        const nb::object player = asked("player");
        require(is_one_of(player, 0, 1), "a player is 0 or 1, not " + shown(player));
        said_ = std::make_shared<Said>(Said{nb::cast<int>(nb::int_(player))});
    }

    nb::object asked(const char* noun) const {
        nb::object found = attribute(state_, noun);
        require(found.is_valid(),
                std::string("a state has ") + noun + "; " + shown(state_) + " has none");
        return found;
    }

    static int number(nb::handle object, const char* what, int low, int high) {
        // True counts as 1 in Python, but whoever says it means something else.
        require(!PyBool_Check(object.ptr()),
                std::string(what) + " is an integer, not " + shown(object));
        return integer_between(object, what, low, high);
    }
    static bool is_one_of(nb::handle object, int low, int high) {
        if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr())) return false;
        const auto value = integer(object, "a number");
        return value && *value >= low && *value <= high;
    }
    Action action(nb::handle object, const char* what = "an action") const {
        return static_cast<Action>(number(object, what, 0, num_actions() - 1));
    }

    std::vector<Action> read_legal() const {
        std::vector<Action> actions;
        for (const nb::handle a : state_.attr("legal")()) actions.push_back(action(a));
        const auto twice = repeated(actions, std::identity{});
        require(!twice, "legal() has each action once, and " + shown_number(twice) + " twice");
        return actions;
    }
    // A number that comes twice, if there is one.
    template <class Items, class Number>
    static std::optional<int> repeated(const Items& items, Number number_of) {
        std::vector<int> numbers;
        for (const auto& item : items) numbers.push_back(std::invoke(number_of, item));
        std::ranges::sort(numbers);
        const auto twice = std::ranges::adjacent_find(numbers);
        return twice == numbers.end() ? std::nullopt : std::optional(*twice);
    }
    static std::string shown_number(std::optional<int> number) {
        return number ? std::to_string(*number) : "none";
    }
    std::optional<Score> read_outcome() const {
        const nb::object given = state_.attr("outcome");
        if (given.is_none()) return std::nullopt;
        require(is_one_of(given, -1, 1), "an outcome is -1, 0, 1 or None, not " + shown(given));
        return nb::cast<int>(nb::int_(given));
    }
    void agree() const {
        if (legal().empty() == outcome().has_value()) return;
        *said_ = {said_->player};  // nobody shall take the half of it that was read
        require(false, "a state has legal actions exactly while its outcome is None");
    }
    Shape read_shape() const {
        const nb::object given = state_.attr("shape")();
        require(PySequence_Check(given.ptr()) && nb::len(given) == 3,
                "shape is planes, rows and columns, not " + shown(given));
        const auto extent = [&](int i) {
            return number(nb::object(given[i]), "an extent of shape", 1, 1000);
        };
        return {extent(0), extent(1), extent(2)};
    }

    nb::object state_;
    std::shared_ptr<Rules> rules_;
    std::shared_ptr<Said> said_;
};

static_assert(Game<PythonGame> && Chancy<PythonGame>);

}  // namespace ludus
