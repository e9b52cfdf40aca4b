// The native module: every game under core/games, then games written in Python.
#include "kernels.hpp"
#include "python_game.hpp"
#include "search_alphabeta_python.hpp"

namespace nb = nanobind;

#define GAME(name) void bind_##name(nb::module_&);
#include "games.inc"
#undef GAME

namespace ludus {
void bind_search(nb::module_&);
void bind_versus_face(nb::module_&);
void bind_selfplay_face(nb::module_&);
void bind_python_search(nb::module_&);
void bind_python_selfplay(nb::module_&);
void bind_truth_connect4(nb::module_&);
void bind_truth(nb::module_&);
void bind_endgames(nb::module_&);
void bind_cathedral_endgame(nb::module_&);
void bind_truth_rows(nb::module_&);
void bind_draw(nb::module_&);
}  // namespace ludus

namespace {

std::vector<std::uint64_t> count_lines(nb::object state, nb::handle depth, bool turns) {
    const ludus::PythonGame game(std::move(state));
    ludus::require(!game.chancy(), "perft counts lines of play, and this game has chance");
    const int plies = ludus::integer_between(depth, "depth", 1, ludus::MostPerftDepth);
    return ludus::count_lines(game, plies, turns);
}

// One thread: a Python game holds the interpreter all the time.
ludus::PlayoutCounts play(nb::object state, std::uint64_t seed, std::uint64_t first,
                          std::uint64_t count, int) {
    return ludus::counts(ludus::playouts(ludus::PythonGame(std::move(state)), seed, first, count));
}

}  // namespace

NB_MODULE(_core, module) {
    ludus::prepare_for_exceptions();
#ifdef __AVX2__
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) {
        throw nb::import_error(
            "ludus was built for processors with AVX2 and BMI2, which this one lacks; "
            "build it with LUDUS_ARCH=x86-64");
    }
#endif
    // States may still be held by modules when the interpreter stops; that is no leak.
    nb::set_leak_warnings(false);
    ludus::bind_search(module);
    ludus::bind_versus_face(module);
    ludus::bind_draw(module);
    ludus::bind_selfplay_face(module);
#define GAME(name) bind_##name(module);
#include "games.inc"
#undef GAME
#define GAME(name) games.append(#name);
    nb::list games;
#include "games.inc"
#undef GAME
    module.attr("games") = nb::tuple(games);
    module.attr("build") = LUDUS_BUILD;
    module.def(
        "perft",
        [](nb::object state, nb::handle depth) { return count_lines(state, depth, false); },
        nb::arg("state"), nb::arg("depth"));
    module.def(
        "perft_turns",
        [](nb::object state, nb::handle depth) { return count_lines(state, depth, true); },
        nb::arg("state"), nb::arg("depth"));
    module.def("playouts", &play, nb::arg("state"), nb::arg("seed"), nb::arg("first"),
               nb::arg("count"), nb::arg("threads"));
    ludus::bind_python_alphabeta(module);
    ludus::bind_python_search(module);
    ludus::bind_python_selfplay(module);
    ludus::bind_truth_connect4(module);
    ludus::bind_truth(module);
    ludus::bind_endgames(module);
    ludus::bind_cathedral_endgame(module);
    ludus::bind_truth_rows(module);
}
