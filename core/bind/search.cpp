// The searches as Python sees them, and those of games written in Python.
#include "search_mcts.hpp"

namespace ludus {

namespace {

void bind_mcts_face(nb::module_& module) {
    nb::class_<MctsFace> cls(module, "Mcts", nb::is_final());
    cls.def(
        "run",
        [](MctsFace& search, std::uint64_t simulations, std::optional<double> seconds) {
            const Alone alone(search.busy);
            require(!seconds || *seconds >= 0, "seconds is a time that is not negative");
            return search.run(simulations, seconds);
        },
        nb::arg("simulations"), nb::arg("seconds") = nb::none());
    cls.def(
        "seek",
        [](MctsFace& search, nb::handle state) {
            const Alone alone(search.busy);
            return search.seek(state);
        },
        nb::arg("state"));
    // What is read is read while nobody writes.
    const auto result = [](const MctsFace& search) {
        const Alone alone(search.busy);
        return search.result();
    };
    cls.def("result", [result](const MctsFace& search) { return look_rows(result(search)); });
    cls.def("policy", [result](const MctsFace& search) {
        const std::vector<Look> found = result(search);
        return by_action(found, shares(found));
    });
    cls.def_prop_ro("value", [result](const MctsFace& search) -> std::optional<double> {
        const std::vector<Look> found = result(search);
        if (const Proof known = proof(found); known != Proof::Unknown) return value_of(known);
        const auto look = best(found);
        return look->visits ? std::optional(look->value()) : std::nullopt;
    });
    cls.def_prop_ro(
        "proof", [result](const MctsFace& search) { return proof_number(proof(result(search))); });
    cls.def_prop_ro("line", [](const MctsFace& search) {
        const Alone alone(search.busy);
        return search.line(best(search.result())->action);
    });
    cls.def_prop_ro("nodes", [](const MctsFace& search) {
        const Alone alone(search.busy);
        return search.nodes();
    });
    cls.def_prop_ro("bytes", [](const MctsFace& search) {
        const Alone alone(search.busy);
        return search.bytes();
    });
}

std::size_t row_of(const ForestFace& forest, nb::handle row) {
    return static_cast<std::size_t>(
        integer_between(row, "a row", 0, static_cast<int>(forest.size()) - 1));
}

std::size_t gather(ForestFace& forest, nb::handle features, nb::handle masks) {
    const Alone alone(forest.busy);
    require(forest.waiting() == 0, "the leaves of the last gather still wait for their scatter");
    const auto planes = forest.max_rows() * static_cast<std::size_t>(forest.shape().size());
    HeldArrays held;
    const auto to = held.rows<float>(features, planes, "features", "float32");
    const auto mask =
        held.rows<bool>(masks, forest.max_rows() * forest.num_actions(), "masks", "bool");
    require(!to.empty() && !mask.empty(), "gather writes into features and masks, not into None");
    return forest.gather(to, {reinterpret_cast<std::uint8_t*>(mask.data()), mask.size()});
}

void scatter(ForestFace& forest, nb::handle priors, nb::handle values) {
    const Alone alone(forest.busy);
    HeldArrays held;
    const auto each = held.take<const float>(priors, forest.waiting() * forest.num_actions(),
                                             "priors", "float32");
    const auto worth = held.take<const float>(values, forest.waiting(), "values", "float32");
    const std::size_t bad = forest.first_bad(each, worth);
    require(bad == forest.waiting(), "in row " + std::to_string(bad) +
                                         " the value is not in [-1, 1], or a prior of a legal "
                                         "action is negative or not finite");
    forest.scatter(each, worth);
}

void bind_forest_face(nb::module_& module) {
    nb::class_<ForestFace> cls(module, "Forest", nb::is_final());
    cls.def("__len__", &ForestFace::size);
    cls.def_prop_ro("num_actions", &ForestFace::num_actions);
    cls.def_prop_ro("max_rows", &ForestFace::max_rows);
    cls.def_prop_ro("shape", [](const ForestFace& forest) {
        const Shape shape = forest.shape();
        return std::tuple(shape.planes, shape.rows, shape.columns);
    });
    cls.def_prop_ro("nodes", [](const ForestFace& forest) {
        const Alone alone(forest.busy);
        return forest.nodes();
    });
    cls.def_prop_ro("bytes", [](const ForestFace& forest) {
        const Alone alone(forest.busy);
        return forest.bytes();
    });
    cls.def("gather", &gather, nb::arg("features").none(), nb::arg("masks").none());
    cls.def("scatter", &scatter, nb::arg("priors").none(), nb::arg("values").none());
    // Everything below is about one tree, and no leaf of it may be waiting.
    const auto require_settled = [](const ForestFace& forest) {
        require(forest.waiting() == 0, "leaves wait for their scatter");
    };
    cls.def(
        "allow",
        [require_settled](ForestFace& forest, nb::handle row, nb::handle simulations) {
            const Alone alone(forest.busy);
            require_settled(forest);
            forest.allow(row_of(forest, row),
                         integer_between(simulations, "simulations", 0, 1'000'000'000));
        },
        nb::arg("row"), nb::arg("simulations"));
    cls.def(
        "advance",
        [require_settled](ForestFace& forest, nb::handle row, nb::handle action) {
            const Alone alone(forest.busy);
            require_settled(forest);
            return forest.advance(row_of(forest, row), action);
        },
        nb::arg("row"), nb::arg("action").none());
    cls.def(
        "seek",
        [require_settled](ForestFace& forest, nb::handle row, nb::handle state) {
            const Alone alone(forest.busy);
            require_settled(forest);
            return forest.seek(row_of(forest, row), state);
        },
        nb::arg("row"), nb::arg("state"));
    // From here on a tree draws what such a seed gives, in whichever row it stands.
    cls.def(
        "reseed",
        [require_settled](ForestFace& forest, nb::handle row, std::uint64_t seed) {
            const Alone alone(forest.busy);
            require_settled(forest);
            forest.reseed(row_of(forest, row), seed);
        },
        nb::arg("row"), nb::arg("seed"));
    cls.def(
        "result",
        [](const ForestFace& forest, nb::handle row) {
            const Alone alone(forest.busy);
            return look_rows(forest.result(row_of(forest, row)));
        },
        nb::arg("row"));
    cls.def(
        "policy",
        [](ForestFace& forest, nb::handle row) {
            const Alone alone(forest.busy);
            const std::size_t at = row_of(forest, row);
            return by_action(forest.result(at), forest.policy(at));
        },
        nb::arg("row"));
    cls.def(
        "priors",
        [](const ForestFace& forest, nb::handle row) {
            const Alone alone(forest.busy);
            return forest.priors(row_of(forest, row));
        },
        nb::arg("row"));
    cls.def(
        "line",
        [](ForestFace& forest, nb::handle row) {
            const Alone alone(forest.busy);
            return forest.line(row_of(forest, row));
        },
        nb::arg("row"));
    cls.def(
        "action",
        [](ForestFace& forest, nb::handle row) {
            const Alone alone(forest.busy);
            return static_cast<int>(forest.decision(row_of(forest, row)));
        },
        nb::arg("row"));
}

}  // namespace

void bind_search(nb::module_& module) {
    bind_mcts_face(module);
    bind_forest_face(module);
}

void bind_python_search(nb::module_& module) {
    bind_mcts<PythonGame>(module, "this game");
}

}  // namespace ludus
