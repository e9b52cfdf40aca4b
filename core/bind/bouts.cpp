// Bouts as Python sees them.
#include "bouts.hpp"

namespace ludus {

namespace {

BoutArrays arrays(HeldArrays& held, const BoutsFace& bouts,
                  const std::array<nb::handle, 8>& given) {
    const auto [features, masks, players, sides, rewards, shaping, ended, others] = given;
    const std::size_t games = bouts.size();
    const auto planes = games * static_cast<std::size_t>(bouts.shape().size());
    const auto actions = games * static_cast<std::size_t>(bouts.num_actions());
    const auto bytes = [](std::span<bool> flags) {
        return std::span(reinterpret_cast<std::uint8_t*>(flags.data()), flags.size());
    };
    return {held.rows<float>(features, planes, "features", "float32"),
            bytes(held.rows<bool>(masks, actions, "masks", "bool")),
            held.rows<std::int8_t>(players, games, "players", "int8"),
            held.rows<std::int8_t>(sides, games, "sides", "int8"),
            held.rows<float>(rewards, games, "rewards", "float32"),
            held.rows<float>(shaping, games, "shaping", "float32"),
            bytes(held.rows<bool>(ended, games, "ended", "bool")),
            held.rows<float>(others, games, "others", "float32")};
}

std::span<std::int32_t> actions_of(HeldArrays& held, const BoutsFace& bouts, nb::handle actions) {
    if (actions.is_none()) throw nb::type_error("actions is an array of int32, not None");
    return held.take<std::int32_t>(actions, bouts.size(), "actions", "int32");
}

}  // namespace

void bind_bouts_face(nb::module_& module) {
    nb::class_<BoutsFace> cls(module, "Bouts", nb::is_final());
    cls.def("__len__", &BoutsFace::size);
    cls.def_prop_ro("num_actions", &BoutsFace::num_actions);
    cls.def_prop_ro("shape", [](const BoutsFace& bouts) {
        const Shape shape = bouts.shape();
        return std::tuple(shape.planes, shape.rows, shape.columns);
    });
    const auto optional = [](const char* array) { return nb::arg(array).none() = nb::none(); };
    cls.def(
        "step",
        [](BoutsFace& bouts, nb::handle actions, nb::handle features, nb::handle masks,
           nb::handle players, nb::handle sides, nb::handle rewards, nb::handle shaping,
           nb::handle ended, nb::handle others) {
            const Alone alone(bouts.busy);
            HeldArrays held;
            const auto given = actions_of(held, bouts, actions);
            // A copy: what was checked must be what is played, whoever writes to the array.
            const std::vector<std::int32_t> chosen(given.begin(), given.end());
            const BoutArrays out = arrays(
                held, bouts, {features, masks, players, sides, rewards, shaping, ended, others});
            const std::size_t row = bouts.first_unknown(chosen);
            if (row < bouts.size()) {
                throw std::invalid_argument(
                    "an action is between 0 and " + std::to_string(bouts.num_actions() - 1) +
                    ", not " + std::to_string(chosen[row]) + " as in row " + std::to_string(row));
            }
            bouts.step(chosen, out);
        },
        nb::arg("actions").none(), optional("features"), optional("masks"), optional("players"),
        optional("sides"), optional("rewards"), optional("shaping"), optional("ended"),
        optional("others"));
    cls.def(
        "restart",
        [](BoutsFace& bouts, nb::handle chosen, nb::handle features, nb::handle masks,
           nb::handle players, nb::handle sides) {
            const Alone alone(bouts.busy);
            HeldArrays held;
            const auto flags = held.rows<bool>(chosen, bouts.size(), "chosen", "bool");
            bouts.restart({reinterpret_cast<const std::uint8_t*>(flags.data()), flags.size()},
                          arrays(held, bouts,
                                 {features, masks, players, sides, nb::none(), nb::none(),
                                  nb::none(), nb::none()}));
        },
        optional("chosen"), optional("features"), optional("masks"), optional("players"),
        optional("sides"));
    cls.def(
        "look",
        [](const BoutsFace& bouts, nb::handle features, nb::handle masks, nb::handle players,
           nb::handle sides) {
            const Alone alone(bouts.busy);
            HeldArrays held;
            bouts.look(arrays(
                held, bouts,
                {features, masks, players, sides, nb::none(), nb::none(), nb::none(), nb::none()}));
        },
        optional("features"), optional("masks"), optional("players"), optional("sides"));
    cls.def(
        "sample",
        [](BoutsFace& bouts, nb::handle actions) {
            const Alone alone(bouts.busy);
            HeldArrays held;
            bouts.sample(actions_of(held, bouts, actions));
        },
        nb::arg("actions").none());
    cls.def(
        "state",
        [](const BoutsFace& bouts, nb::handle row) {
            const Alone alone(bouts.busy);
            return bouts.state(static_cast<std::size_t>(
                integer_between(row, "a row", 0, static_cast<int>(bouts.size()) - 1)));
        },
        nb::arg("row"));
}

}  // namespace ludus
