// Alpha-beta for games written in Python: the same search, over Python states.
#pragma once

#include "python_game.hpp"
#include "search_alphabeta.hpp"

namespace ludus {

// A Python state keeps its own history, so a node is that state.
template <>
class Line<PythonGame> {
  public:
    using Root = PythonGame;

    explicit Line(const PythonGame& root) : root_{root, 0, {}} {}

    const LineNode<PythonGame>& root() const { return root_; }
    int num_actions() const { return root_.position.num_actions(); }
    std::vector<Action> legal(const LineNode<PythonGame>& node) const {
        return node.position.legal();
    }
    std::optional<Score> outcome(const LineNode<PythonGame>& node) const {
        return node.position.outcome();
    }
    LineNode<PythonGame> after(LineNode<PythonGame> node, Action a) const {
        node.position.apply(a);
        return {node.position, 0, {}};
    }
    LineNode<PythonGame> after(LineNode<PythonGame> node, Action a, int result) const {
        node.position.apply(a, result);
        return {node.position, 0, {}};
    }
    // Of the text, which tells positions apart where a class's own hash may not, and of the plies.
    std::uint64_t key(const LineNode<PythonGame>& node, int) const {
        const std::string text = node.position.text();
        auto key = static_cast<std::uint64_t>(node.position.plies());
        for (const char letter : text) key = mix(key, static_cast<unsigned char>(letter));
        return key;
    }
    const PythonGame& state(const LineNode<PythonGame>& node) const { return node.position; }

  private:
    LineNode<PythonGame> root_;
};

inline void bind_python_alphabeta(nb::module_& module) {
    bind_search<PythonGame>(module, "python_alphabeta");
    module.def(
        "alphabeta",
        [](nb::object state, nb::dict weights, std::size_t table_bytes, bool quiescence, bool multi,
           nb::object evaluate, nb::object evaluate_many, nb::object after) {
            const PythonGame game(state);
            require(!game.outcome(), "the game is over: there is nothing to think about");
            read_weights<NoWeights>(weights);
            Evaluation<PythonGame> evaluation;
            if (evaluate.is_none() && evaluate_many.is_none()) {
                const nb::object judge = attribute(state, "judge");
                if (judge.is_valid() && !judge().is_none()) {
                    evaluate = nb::module_::import_("operator").attr("methodcaller")("judge");
                }
            }
            if (!evaluate_many.is_none()) {
                evaluation.asked_many = [evaluate_many](const std::vector<PythonGame>& states) {
                    nb::list many;
                    for (const PythonGame& at : states) many.append(at.object());
                    return call_evaluator_of_many(evaluate_many, many);
                };
            } else if (!evaluate.is_none()) {
                evaluation.asked = [evaluate](const PythonGame& at) {
                    return call_evaluator(evaluate, at.object());
                };
            }
            return new_search<PythonGame>(game, std::move(evaluation),
                                          alphabeta_options(table_bytes, quiescence, multi), after);
        },
        nb::arg("state"), nb::arg("weights") = nb::dict(), nb::arg("table_bytes") = 32u << 20,
        nb::arg("quiescence") = true, nb::arg("multi") = false,
        nb::arg("evaluate").none() = nb::none(), nb::arg("evaluate_many").none() = nb::none(),
        nb::arg("after").none() = nb::none());
    module.def("weights", [](nb::object) { return new_dict(); }, nb::arg("state"));
    module.def(
        "judge",
        [](nb::object state, nb::dict weights) -> nb::object {
            read_weights<NoWeights>(weights);
            const nb::object judge = attribute(state, "judge");
            const nb::object said = judge.is_valid() ? judge() : nb::none();
            return said.is_none() ? said : nb::float_(evaluation(said));
        },
        nb::arg("state"), nb::arg("weights") = nb::dict());
}

}  // namespace ludus
