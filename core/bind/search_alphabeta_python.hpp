// Alpha-beta for games written in Python: the same search, over Python states.
#pragma once

#include "python_game.hpp"
#include "search_alphabeta.hpp"

namespace ludus {

// A Python state keeps its own history, so a node is that state; what it says is checked.
template <>
class Line<PythonGame> {
  public:
    using Root = PythonGame;

    explicit Line(const PythonGame& root) : root_{checked(root), 0, {}} {}

    const Node<PythonGame>& root() const { return root_; }
    int num_actions() const { return 1 << 16; }
    std::vector<Action> legal(const Node<PythonGame>& node) const {
        auto actions = node.position.legal();
        require(!actions.empty(), "a state has legal actions exactly while its outcome is None");
        return actions;
    }
    std::optional<Score> outcome(const Node<PythonGame>& node) const {
        const auto score = node.position.outcome();
        require(!score || (*score >= -1 && *score <= 1), "an outcome is -1, 0, 1 or None");
        return score;
    }
    Node<PythonGame> after(Node<PythonGame> node, Action a) const {
        node.position.apply(a);
        return {checked(node.position), 0, {}};
    }
    Node<PythonGame> after(Node<PythonGame> node, Action a, int result) const {
        node.position.apply(a, result);
        return {checked(node.position), 0, {}};
    }
    // Of the text, which tells positions apart where a class's own hash may not, and of the plies.
    std::uint64_t key(const Node<PythonGame>& node, int) const {
        const std::string text = nb::str(node.position.object()).c_str();
        auto key = static_cast<std::uint64_t>(node.position.plies());
        for (const char letter : text) key = mixed(key, static_cast<unsigned char>(letter));
        return key;
    }
    const PythonGame& state(const Node<PythonGame>& node) const { return node.position; }

  private:
    static const PythonGame& checked(const PythonGame& game) {
        const int player = game.player();
        require(player == 0 || player == 1, "a player is 0 or 1, not " + std::to_string(player));
        return game;
    }

    Node<PythonGame> root_;
};

inline void bind_python_alphabeta(nb::module_& module) {
    bind_search<PythonGame>(module, "python_alphabeta");
    module.def(
        "alphabeta",
        [](nb::object state, nb::dict weights, std::size_t table_bytes, bool quiescence, bool multi,
           nb::object evaluate) {
            const PythonGame game(state);
            require(!game.outcome(), "the game is over: there is nothing to think about");
            read_weights<NoWeights>(weights);
            Evaluation<PythonGame> evaluation;
            if (evaluate.is_none()) {
                nb::object judge = nb::getattr(state, "judge", nb::none());
                if (!judge.is_none() && !judge().is_none()) {
                    evaluate = nb::module_::import_("operator").attr("methodcaller")("judge");
                }
            }
            if (!evaluate.is_none()) {
                evaluation.asked = [evaluate](const PythonGame& at) {
                    return evaluated(evaluate, at.object());
                };
            }
            return owned(new AlphaBetaSearch<PythonGame>(
                game, std::move(evaluation), alphabeta_options(table_bytes, quiescence, multi)));
        },
        nb::arg("state"), nb::arg("weights") = nb::dict(), nb::arg("table_bytes") = 32u << 20,
        nb::arg("quiescence") = true, nb::arg("multi") = false,
        nb::arg("evaluate").none() = nb::none());
    module.def("weights", [](nb::object) { return nb::dict(); }, nb::arg("state"));
    module.def(
        "judge",
        [](nb::object state, nb::dict weights) -> nb::object {
            read_weights<NoWeights>(weights);
            nb::object judge = nb::getattr(state, "judge", nb::none());
            return judge.is_none() ? judge : judge();
        },
        nb::arg("state"), nb::arg("weights") = nb::dict());
}

}  // namespace ludus
