// The exact search of Cathedral's endgames from Python, in slices.
#include "../games/cathedral.hpp"
#include "../truth/cathedral_endgame.hpp"
#include "search_common.hpp"

namespace ludus {

namespace {

struct EndgameSearch {
    Busy busy;
    CathedralEndgame native;

    EndgameSearch(const cathedral& root, std::size_t table_bytes, bool every_action)
        : native(root, table_bytes, every_action) {}
};

}  // namespace

void bind_cathedral_endgame(nb::module_& module) {
    nb::class_<EndgameSearch> cls(module, "CathedralEndgame", nb::is_final());
    cls.def(
        "run",
        [](EndgameSearch& search, std::uint64_t nodes, std::optional<double> seconds) {
            const Alone alone(search.busy);
            require(!seconds || *seconds >= 0, "seconds is a time that is not negative");
            nb::gil_scoped_release free;
            return search.native.run(nodes, seconds.value_or(1e9));
        },
        nb::arg("nodes"), nb::arg("seconds") = nb::none());
    cls.def_prop_ro("nodes", [](const EndgameSearch& search) {
        const Alone alone(search.busy);
        return search.native.nodes();
    });
    cls.def_prop_ro("done", [](const EndgameSearch& search) {
        const Alone alone(search.busy);
        return search.native.done();
    });
    cls.def_prop_ro("value", [](const EndgameSearch& search) {
        const Alone alone(search.busy);
        return search.native.value();
    });
    cls.def("values", [](const EndgameSearch& search) {
        const Alone alone(search.busy);
        std::vector<std::pair<int, int>> values;
        for (const auto& [action, value] : search.native.values())
            values.emplace_back(action, value);
        return values;
    });
    module.def(
        "cathedral_endgame",
        [](const Seat<cathedral>& seat, std::size_t table_bytes, bool every_action) {
            require(!seat.state.outcome(), "the game is over: there is nothing to think about");
            require(table_bytes >> 40 == 0, "a table has less than 2**40 bytes");
            return new_object(
                std::make_unique<EndgameSearch>(seat.position(), table_bytes, every_action));
        },
        nb::arg("state"), nb::arg("table_bytes") = 64u << 20, nb::arg("every_action") = false);
}

}  // namespace ludus
