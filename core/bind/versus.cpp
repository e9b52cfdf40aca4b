// VersusGames as Python sees them.
#include "versus.hpp"

namespace ludus {

namespace {

VersusArrays arrays(HeldArrays& held, const VersusGamesFace& versus,
                    const std::array<nb::handle, 8>& given) {
    const auto [features, masks, players, sides, rewards, shaping, dones, opponent_shaping] = given;
    const std::size_t games = versus.size();
    const auto planes = games * static_cast<std::size_t>(versus.shape().size());
    const auto actions = games * static_cast<std::size_t>(versus.num_actions());
    const auto bytes = [](std::span<bool> flags) {
        return std::span(reinterpret_cast<std::uint8_t*>(flags.data()), flags.size());
    };
    return {held.rows<float>(features, planes, "features", "float32"),
            bytes(held.rows<bool>(masks, actions, "masks", "bool")),
            held.rows<std::int8_t>(players, games, "players", "int8"),
            held.rows<std::int8_t>(sides, games, "sides", "int8"),
            held.rows<float>(rewards, games, "rewards", "float32"),
            held.rows<float>(shaping, games, "shaping", "float32"),
            bytes(held.rows<bool>(dones, games, "dones", "bool")),
            held.rows<float>(opponent_shaping, games, "opponent_shaping", "float32")};
}

std::span<std::int32_t> actions_of(HeldArrays& held, const VersusGamesFace& versus,
                                   nb::handle actions) {
    if (actions.is_none()) throw nb::type_error("actions is an array of int32, not None");
    return held.take<std::int32_t>(actions, versus.size(), "actions", "int32");
}

}  // namespace

void bind_versus_face(nb::module_& module) {
    nb::class_<VersusGamesFace> cls(module, "VersusGames", nb::is_final());
    cls.def("__len__", &VersusGamesFace::size);
    cls.def_prop_ro("num_actions", &VersusGamesFace::num_actions);
    cls.def_prop_ro("shape", [](const VersusGamesFace& versus) {
        const Shape shape = versus.shape();
        return std::tuple(shape.planes, shape.rows, shape.columns);
    });
    const auto optional = [](const char* array) { return nb::arg(array).none() = nb::none(); };
    cls.def(
        "step",
        [](VersusGamesFace& versus, nb::handle actions, nb::handle features, nb::handle masks,
           nb::handle players, nb::handle sides, nb::handle rewards, nb::handle shaping,
           nb::handle dones, nb::handle opponent_shaping) {
            const Alone alone(versus.busy);
            HeldArrays held;
            const auto given = actions_of(held, versus, actions);
            // A copy: what was checked must be what is played, whoever writes to the array.
            const std::vector<std::int32_t> chosen(given.begin(), given.end());
            const VersusArrays out = arrays(
                held, versus,
                {features, masks, players, sides, rewards, shaping, dones, opponent_shaping});
            const std::size_t row = versus.first_unknown(chosen);
            if (row < versus.size()) {
                throw std::invalid_argument(
                    "an action is between 0 and " + std::to_string(versus.num_actions() - 1) +
                    ", not " + std::to_string(chosen[row]) + " as in row " + std::to_string(row));
            }
            versus.step(chosen, out);
        },
        nb::arg("actions").none(), optional("features"), optional("masks"), optional("players"),
        optional("sides"), optional("rewards"), optional("shaping"), optional("dones"),
        optional("opponent_shaping"));
    cls.def(
        "restart",
        [](VersusGamesFace& versus, nb::handle chosen, nb::handle features, nb::handle masks,
           nb::handle players, nb::handle sides) {
            const Alone alone(versus.busy);
            HeldArrays held;
            const auto flags = held.rows<bool>(chosen, versus.size(), "chosen", "bool");
            versus.restart({reinterpret_cast<const std::uint8_t*>(flags.data()), flags.size()},
                           arrays(held, versus,
                                  {features, masks, players, sides, nb::none(), nb::none(),
                                   nb::none(), nb::none()}));
        },
        optional("chosen"), optional("features"), optional("masks"), optional("players"),
        optional("sides"));
    cls.def(
        "look",
        [](const VersusGamesFace& versus, nb::handle features, nb::handle masks, nb::handle players,
           nb::handle sides) {
            const Alone alone(versus.busy);
            HeldArrays held;
            versus.look(arrays(
                held, versus,
                {features, masks, players, sides, nb::none(), nb::none(), nb::none(), nb::none()}));
        },
        optional("features"), optional("masks"), optional("players"), optional("sides"));
    cls.def(
        "sample",
        [](VersusGamesFace& versus, nb::handle actions) {
            const Alone alone(versus.busy);
            HeldArrays held;
            versus.sample(actions_of(held, versus, actions));
        },
        nb::arg("actions").none());
    cls.def(
        "state",
        [](const VersusGamesFace& versus, nb::handle row) {
            const Alone alone(versus.busy);
            return versus.state(static_cast<std::size_t>(
                integer_between(row, "a row", 0, static_cast<int>(versus.size()) - 1)));
        },
        nb::arg("row"));
}

}  // namespace ludus
