// Chinese Checkers solved backwards, as Python sees it.
#include "truth_rows.hpp"

#include "search_common.hpp"

namespace ludus {

namespace {

nb::dict sizes_dict(const RowSizes& sizes) {
    nb::dict result = new_dict();
    result["states"] = 2 * sizes.positions;
    result["values"] = sizes.values;
    result["distances"] = sizes.distances;
    result["solver_bytes"] = sizes.solver;
    return result;
}

// An array that the caller keeps: never a converted copy.
template <class Array>
Array row_array(nb::handle object, std::uint64_t size, const char* name, const char* type) {
    Array array;
    if (object.is_none() || !nb::try_cast(object, array, false)) {
        throw nb::type_error((std::string(name) + " is a C-contiguous array of " + type + ", not " +
                              short_repr(nb::handle(object.type())))
                                 .c_str());
    }
    require(array.size() == size, std::string(name) + " has " + std::to_string(size) +
                                      " items for this game, not " + std::to_string(array.size()));
    require(reinterpret_cast<std::uintptr_t>(array.data()) % alignof(typename Array::Scalar) == 0,
            std::string(name) + " begins at an odd address");
    return array;
}

template <class Array>
std::optional<Array> distance_array(nb::handle object, const RowSizes& sizes, const char* type) {
    if (object.is_none()) return std::nullopt;
    return row_array<Array>(object, sizes.distances, "distances", type);
}

std::unique_ptr<RowSolverFace> make_solver(const RowSeat& seat, nb::handle distances) {
    return with_row_space(
        seat.parameters,
        [&]<int Size>(rowwise::ChineseCheckersSpace<Size> space) -> std::unique_ptr<RowSolverFace> {
            auto bytes =
                distance_array<RowBytesToWrite>(distances, RowSizes(space), "writable uint8");
            return std::make_unique<RowSolverOf<Size>>(space, std::move(bytes));
        });
}

// A table and the game it is of.
struct RowTable {
    ChineseCheckersParameters parameters;
    std::unique_ptr<RowTableFace> face;

    RowAnswer answer(const RowSeat& seat) const {
        const auto rules = [](const ChineseCheckersParameters& p) {
            return std::tuple(p.size, p.pieces, p.forward_only);
        };
        require(rules(seat.parameters) == rules(parameters),
                "this table is of the game with other parameters");
        return face->answer(seat.position());
    }
};

RowTable make_table(const RowSeat& seat, nb::handle values, nb::handle distances) {
    auto face = with_row_space(
        seat.parameters,
        [&]<int Size>(rowwise::ChineseCheckersSpace<Size> space) -> std::unique_ptr<RowTableFace> {
            const RowSizes sizes(space);
            auto words = row_array<RowWords>(values, sizes.values, "values", "uint64");
            auto bytes = distance_array<RowBytes>(distances, sizes, "uint8");
            return std::make_unique<RowTableOf<Size>>(std::move(space), std::move(words),
                                                      std::move(bytes));
        });
    return {seat.parameters, std::move(face)};
}

// (action, value for the player who takes it, plies from then on)
using RowMove = std::tuple<int, int, std::optional<int>>;

std::vector<RowMove> moves_of(const RowTable& table, const RowSeat& seat) {
    std::vector<RowMove> moves;
    table.answer(seat);  // checks the game
    for (const Action action : seat.position().legal()) {
        chinesecheckers after = seat.position();
        after.apply(action);
        const RowAnswer answer = table.face->answer(after);
        moves.emplace_back(action, -answer.value, answer.distance);
    }
    return moves;
}

template <class Item, class Read>
auto for_states(nb::iterable states, Read read) {
    std::vector<Item> items;
    for (nb::handle state : states) {
        const RowSeat* seat = nullptr;
        require(nb::try_cast(state, seat) && seat, "this table is of another game");
        items.push_back(static_cast<Item>(read(*seat)));
    }
    return array_with(items, {items.size()});
}

// Read strictly: a checkpoint of another table must not be resumed.
rowwise::Progress read_progress(const nb::dict& given, const RowSizes& sizes) {
    const auto field = [&](const char* name) {
        require(given.contains(name), std::string("progress has '") + name + "'");
        return nb::object(given[name]);
    };
    const auto count = [](nb::handle number, const char* name, std::uint64_t most) {
        const auto value = integer(number, name);
        require(value && *value >= 0 && static_cast<std::uint64_t>(*value) <= most,
                std::string(name) + " of this progress does not fit the table");
        return static_cast<std::uint64_t>(*value);
    };
    rowwise::Progress progress;
    require(count(field("rows"), "rows", sizes.rows) == sizes.rows,
            "this progress is of a table with other rows");
    progress.pass = static_cast<std::uint32_t>(count(field("pass"), "pass", 1'000'000'000));
    progress.row = static_cast<std::uint32_t>(count(field("row"), "row", sizes.rows));
    read_field("done", progress.done, field("done"));
    progress.illegal = count(field("illegal"), "illegal", sizes.positions);
    progress.by_distance.clear();
    for (nb::handle number : field("by_distance")) {
        progress.by_distance.push_back(count(number, "by_distance", sizes.positions));
    }
    require(progress.by_distance.size() == progress.pass + !progress.done,
            "by_distance of this progress does not fit its pass");
    if (const nb::object start = field("start"); !start.is_none()) {
        progress.start = static_cast<std::uint32_t>(count(start, "start", progress.pass));
    }
    return progress;
}

nb::dict progress_dict(const RowSolverFace& solver) {
    const rowwise::Progress& progress = solver.progress();
    nb::dict result = new_dict();
    result["rows"] = solver.sizes().rows;
    result["pass"] = progress.pass;
    result["row"] = progress.row;
    result["done"] = progress.done;
    result["illegal"] = progress.illegal;
    result["by_distance"] = progress.by_distance;
    result["start"] = progress.start;
    return result;
}

// With either player to move.
nb::dict counts_dict(const RowSolverFace& solver) {
    const rowwise::Progress& progress = solver.progress();
    require(progress.done, "the counts are known when the solver is done");
    std::uint64_t ends[2] = {0, 0};
    std::vector<std::uint64_t> by_distance;
    for (std::size_t distance = 0; const std::uint64_t count : progress.by_distance) {
        by_distance.push_back(2 * count);
        ends[distance++ % 2] += 2 * count;
    }
    const std::uint64_t states = 2 * solver.sizes().positions;
    nb::dict result = new_dict();
    result["states"] = states;
    result["wins"] = ends[1];
    result["losses"] = ends[0];
    result["draws"] = states - ends[0] - ends[1] - 2 * progress.illegal;
    result["illegal"] = 2 * progress.illegal;
    result["by_distance"] = by_distance;
    result["start"] = progress.start;
    return result;
}

// The solver's own memory: to be written to a checkpoint, and to be filled from one.
nb::dict buffers(nb::handle self) {
    auto& solver = nb::cast<RowSolverFace&>(self);
    const Alone alone(solver.busy);
    nb::dict result = new_dict();
    const auto add = [&](const char* name, std::span<std::uint64_t> words) {
        result[name] =
            nb::ndarray<nb::numpy, std::uint64_t, nb::c_contig>(words.data(), {words.size()}, self);
    };
    add("values", solver.values());
    add("fresh", solver.fresh());
    add("resolved", solver.resolved());
    return result;
}

void bind_solver(nb::module_& module) {
    nb::class_<RowSolverFace> cls(module, "RowSolver", nb::is_final());
    cls.def(
        "work",
        [](RowSolverFace& solver, double seconds, nb::handle threads) {
            const Alone alone(solver.busy);
            require_between("seconds", seconds, 0, 1e9);
            const int workers = integer_between(threads, "threads", 1, 1024);
            solver.work(seconds, workers);
        },
        nb::arg("seconds"), nb::arg("threads") = 1);
    cls.def_prop_ro("done", [](const RowSolverFace& solver) {
        const Alone alone(solver.busy);
        return solver.progress().done;
    });
    cls.def_prop_ro("progress", [](const RowSolverFace& solver) {
        const Alone alone(solver.busy);
        return progress_dict(solver);
    });
    cls.def(
        "resume",
        [](RowSolverFace& solver, const nb::dict& progress) {
            const Alone alone(solver.busy);
            solver.resume(read_progress(progress, solver.sizes()));
        },
        nb::arg("progress"));
    cls.def("counts", [](const RowSolverFace& solver) {
        const Alone alone(solver.busy);
        return counts_dict(solver);
    });
    cls.def("buffers", &buffers);
    module.def(
        "row_solver",
        [](const RowSeat& seat, nb::handle distances) {
            return new_object(make_solver(seat, distances));
        },
        nb::arg("state"), nb::arg("distances").none() = nb::none());
}

void bind_table(nb::module_& module) {
    nb::class_<RowTable> cls(module, "RowTable", nb::is_final());
    cls.def(
        "value",
        [](const RowTable& table, const RowSeat& seat) { return table.answer(seat).value; },
        nb::arg("state"));
    cls.def(
        "distance",
        [](const RowTable& table, const RowSeat& seat) { return table.answer(seat).distance; },
        nb::arg("state"));
    cls.def("moves", &moves_of, nb::arg("state"));
    cls.def(
        "values_of",
        [](const RowTable& table, nb::iterable states) {
            return for_states<std::int8_t>(
                states, [&](const RowSeat& seat) { return table.answer(seat).value; });
        },
        nb::arg("states"));
    cls.def(
        "distances_of",
        [](const RowTable& table, nb::iterable states) {
            return for_states<std::int16_t>(states, [&](const RowSeat& seat) {
                return table.answer(seat).distance.value_or(-1);
            });
        },
        nb::arg("states"));
    module.def(
        "row_table",
        [](const RowSeat& seat, nb::handle values, nb::handle distances) {
            return new_object(make_table(seat, values, distances));
        },
        nb::arg("state"), nb::arg("values").none(), nb::arg("distances").none() = nb::none());
}

}  // namespace

void bind_truth_rows(nb::module_& module) {
    bind_solver(module);
    bind_table(module);
    module.def(
        "row_sizes",
        [](const RowSeat& seat) {
            return with_row_space(seat.parameters,
                                  [](const auto& space) { return sizes_dict(RowSizes(space)); });
        },
        nb::arg("state"));
}

}  // namespace ludus
