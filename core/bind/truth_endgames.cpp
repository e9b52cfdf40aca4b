// Tables of endgames from Python: made in slices of work, looked up in memory the caller keeps.
#include "../truth/checkers_space.hpp"
#include "../truth/endgame_table.hpp"
#include "../truth/kingcourtesan_space.hpp"
#include "../truth/retrograde.hpp"
#include "search_common.hpp"
#include "truth_common.hpp"

namespace ludus {

namespace {

// (where work stands: slice, pass, next)
using CursorTuple = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

struct EndgameSolver {
    Busy busy;

    virtual ~EndgameSolver() = default;
    virtual void work(double seconds, int threads) = 0;
    virtual bool done() const = 0;
    virtual std::uint64_t finished() const = 0;
    virtual std::uint64_t size() const = 0;
    virtual Cursor cursor() const = 0;
    virtual TruthCounts counts() const = 0;
};

struct Endgames {
    virtual ~Endgames() = default;
    virtual std::uint64_t size() const = 0;
    virtual std::unique_ptr<EndgameSolver> solver(nb::object table, Cursor from) const = 0;
    virtual std::unique_ptr<TruthFace> oracle(nb::object table) const = 0;
};

template <class S>
struct SolverOf final : EndgameSolver {
    std::shared_ptr<const S> space;
    HeldArrays held;
    Retrograde<S> native;

    SolverOf(std::shared_ptr<const S> all, nb::handle table, Cursor from)
        : space(std::move(all)),
          native(*space, held.take<std::uint8_t>(table, space->size(), "the table", "uint8"),
                 from) {}

    void work(double seconds, int threads) override {
        nb::gil_scoped_release free;
        native.work(seconds, threads);
    }
    bool done() const override { return native.done(); }
    std::uint64_t finished() const override { return native.finished(); }
    std::uint64_t size() const override { return space->size(); }
    Cursor cursor() const override { return native.cursor(); }
    TruthCounts counts() const override {
        nb::gil_scoped_release free;
        return native.counts();
    }
};

template <class S, Native G>
struct OracleOf final : TruthFace {
    std::shared_ptr<const S> space;
    typename G::Parameters home;
    ReadOnly table;
    EndgameTable<S, G> native;

    OracleOf(std::shared_ptr<const S> all, const typename G::Parameters& parameters,
             nb::object given)
        : space(std::move(all)), home(parameters), table(given), native(*space, table.bytes()) {}

    std::optional<Truth> look(nb::handle state) const override {
        const G& at = position_at_home<G>(state, home);
        return native.knows(at) ? std::optional(truth(native.verdict(at))) : std::nullopt;
    }
    std::vector<ActionTruth> actions(nb::handle state) const override {
        const G& at = position_at_home<G>(state, home);
        require(native.knows(at), "this table does not cover the position");
        std::vector<ActionTruth> found;
        for (const Action a : at.legal()) found.emplace_back(a, truth(native.after(at, a)));
        return found;
    }
    static Truth truth(Verdict verdict) { return {verdict.value(), verdict.distance()}; }
};

template <class S, Native G>
struct EndgamesOf final : Endgames {
    std::shared_ptr<const S> space;
    typename G::Parameters home;

    EndgamesOf(const Seat<G>& seat, int size)
        : space(std::make_shared<const S>(size)), home(seat.parameters) {}
    std::uint64_t size() const override { return space->size(); }
    std::unique_ptr<EndgameSolver> solver(nb::object table, Cursor from) const override {
        return std::make_unique<SolverOf<S>>(space, table, from);
    }
    std::unique_ptr<TruthFace> oracle(nb::object table) const override {
        return std::make_unique<OracleOf<S, G>>(space, home, std::move(table));
    }
};

nb::dict counts_dict(const TruthCounts& counts) {
    nb::dict result = new_dict();
    result["states"] = counts.states();
    result["wins"] = counts.wins;
    result["losses"] = counts.losses;
    result["draws"] = counts.draws;
    result["illegal"] = counts.illegal;
    const int longest = std::max(counts.longest_win(), counts.longest_loss());
    result["longest_win"] = counts.longest_win();
    result["longest_loss"] = counts.longest_loss();
    result["by_distance"] = std::vector<std::uint64_t>(counts.by_distance.begin(),
                                                       counts.by_distance.begin() + longest + 1);
    return result;
}

void bind_solver(nb::module_& module) {
    nb::class_<EndgameSolver> cls(module, "EndgameSolver", nb::is_final());
    cls.def(
        "work",
        [](EndgameSolver& solver, double seconds, nb::handle threads) {
            const Alone alone(solver.busy);
            require(seconds >= 0, "seconds is a time that is not negative");
            const int workers = integer_between(threads, "threads", 1, 1024);
            solver.work(seconds, workers);
        },
        nb::arg("seconds"), nb::arg("threads") = 1);
    cls.def_prop_ro("size", &EndgameSolver::size);
    cls.def_prop_ro("done", [](const EndgameSolver& solver) {
        const Alone alone(solver.busy);
        return solver.done();
    });
    cls.def_prop_ro("finished", [](const EndgameSolver& solver) {
        const Alone alone(solver.busy);
        return solver.finished();
    });
    cls.def_prop_ro("cursor", [](const EndgameSolver& solver) {
        const Alone alone(solver.busy);
        const Cursor at = solver.cursor();
        return CursorTuple(at.slice, at.pass, at.next);
    });
    cls.def("counts", [](const EndgameSolver& solver) {
        const Alone alone(solver.busy);
        return counts_dict(solver.counts());
    });
}

}  // namespace

void bind_endgames(nb::module_& module) {
    bind_solver(module);
    nb::class_<Endgames> cls(module, "Endgames", nb::is_final());
    cls.def_prop_ro("size", &Endgames::size);
    cls.def(
        "solver",
        [](const Endgames& endgames, nb::object table, CursorTuple from) {
            const auto [slice, pass, next] = from;
            return new_object(endgames.solver(std::move(table), {slice, pass, next}));
        },
        nb::arg("table"), nb::arg("cursor") = CursorTuple(0, 0, 0));
    cls.def(
        "oracle",
        [](const Endgames& endgames, nb::object table) {
            return new_object(endgames.oracle(std::move(table)));
        },
        nb::arg("table"));
    module.def(
        "endgames",
        [](const Seat<kingcourtesan>& seat) {
            using Of = EndgamesOf<KingCourtesanSpace, kingcourtesan>;
            return new_object(
                std::unique_ptr<Endgames>(std::make_unique<Of>(seat, seat.position().size())));
        },
        nb::arg("state"));
    module.def(
        "endgames",
        [](const Seat<checkers>& seat, nb::handle pieces) {
            using Of = EndgamesOf<CheckersSpace, checkers>;
            return new_object(std::unique_ptr<Endgames>(std::make_unique<Of>(
                seat, integer_between(pieces, "pieces", 2, CheckersSpace::MaxPieces))));
        },
        nb::arg("state"), nb::arg("pieces"));
}

}  // namespace ludus
