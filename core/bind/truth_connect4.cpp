// The Connect Four solver from Python: questions are asked, worked at in slices, then answered.
#include "../games/connect4.hpp"
#include "../truth/connect4/questions.hpp"
#include "truth_common.hpp"

namespace ludus {

namespace {

using Scores = New<NumpyArray<std::int8_t>>;
using Keys = New<NumpyArray<std::uint64_t>>;
using GivenScores = nb::ndarray<const std::int8_t, nb::c_contig, nb::device::cpu, nb::ndim<1>>;
using GivenKeys = nb::ndarray<const std::uint64_t, nb::c_contig, nb::device::cpu, nb::ndim<1>>;

constexpr int MostOpening = 10;  // later plies have too many positions to list

// One solver, whatever the size of its board.
struct SolverFace {
    virtual ~SolverFace() = default;
    virtual void ask(nb::list states, bool moves, bool only_who_wins) = 0;
    virtual void ask_keys(GivenKeys keys) = 0;
    virtual Keys opening_keys(int ply) const = 0;
    virtual std::size_t use_openings(int ply, GivenScores scores) = 0;
    virtual bool work(double seconds) = 0;
    virtual Scores answers() const = 0;
    virtual std::size_t done() const = 0;
    virtual std::size_t total() const = 0;
    virtual std::uint64_t nodes() const = 0;
    virtual void forget() = 0;

    Busy busy;
};

template <class Size>
class SolverOf : public SolverFace {
  public:
    SolverOf(const Connect4Parameters& home, Size size, int threads, int table_bits, bool fresh)
        : home_(home), questions_(size, threads, table_bits, fresh) {}

    void ask(nb::list states, bool moves, bool only_who_wins) override {
        std::vector<four::Stones> positions;
        for (const nb::handle state : states) {
            const connect4& at = position_at_home<connect4>(state, home_);
            positions.push_back({at.mine(), at.mine() | at.theirs()});
        }
        begin(positions, moves, only_who_wins);
    }

    void ask_keys(GivenKeys keys) override {
        std::vector<four::Stones> positions;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto at = four::with_key(board(), keys.data()[i]);
            require(at.key() == keys.data()[i] && !(at.all & ~board().full()) &&
                        std::popcount(at.mine) == at.count() / 2,
                    "no position has the key " + std::to_string(keys.data()[i]));
            positions.push_back(at);
        }
        begin(positions, false, false);
    }

    Keys opening_keys(int ply) const override {
        std::vector<std::uint64_t> found;
        {
            const nb::gil_scoped_release free;
            found = four::opening_keys(board(), ply);
        }
        return array_with(found, {found.size()});
    }

    std::size_t use_openings(int ply, GivenScores scores) override {
        const std::span all(scores.data(), scores.size());
        const nb::gil_scoped_release free;
        const std::size_t count = four::opening_keys(board(), ply).size();
        require(all.size() == count, "ply " + std::to_string(ply) + " has " +
                                         std::to_string(count) + " positions, not " +
                                         std::to_string(all.size()));
        const int most = (board().cells() + 1 - ply) / 2;
        require(std::ranges::all_of(all, [&](int s) { return s >= -most && s <= most; }),
                "a score of ply " + std::to_string(ply) + " is between " + std::to_string(-most) +
                    " and " + std::to_string(most));
        four::Openings<Size> openings(board(), ply, all);
        const std::size_t known = openings.size();
        questions_.use(std::move(openings));
        return known;
    }

    bool work(double seconds) override {
        const nb::gil_scoped_release free;
        return questions_.work(seconds);
    }

    Scores answers() const override {
        const auto found = questions_.answers();
        const std::size_t width = moves_ ? static_cast<std::size_t>(board().columns()) : 1;
        return moves_ ? array_with(found, {found.size() / width, width})
                      : array_with(found, {found.size()});
    }

    std::size_t done() const override { return questions_.done(); }
    std::size_t total() const override { return questions_.total(); }
    std::uint64_t nodes() const override { return questions_.nodes(); }
    void forget() override { questions_.forget(); }

  private:
    const four::Board<Size>& board() const { return questions_.board(); }

    void begin(const std::vector<four::Stones>& positions, bool moves, bool only_who_wins) {
        const nb::gil_scoped_release free;
        questions_.ask(positions, moves, only_who_wins);
        moves_ = moves;
    }

    Connect4Parameters home_;
    four::Questions<Size> questions_;
    bool moves_ = false;
};

New<SolverFace> made_solver(nb::handle state, nb::handle threads, nb::handle table_bits,
                            bool fresh) {
    const Seat<connect4>* seat = nullptr;
    require(nb::try_cast(state, seat) && seat, "this state is of another game");
    const connect4& at = seat->position();
    const int workers = integer_between(threads, "threads", 1, 1024);
    const int bits = integer_between(table_bits, "table_bits", 10, 36);
    if (at.fast()) {
        return new_object(
            std::unique_ptr<SolverFace>(std::make_unique<SolverOf<FixedSize<6, 7, 4>>>(
                seat->parameters, FixedSize<6, 7, 4>{}, workers, bits, fresh)));
    }
    const auto byte = [](int x) { return static_cast<std::uint8_t>(x); };
    return new_object(std::unique_ptr<SolverFace>(std::make_unique<SolverOf<FreeSize>>(
        seat->parameters, FreeSize{byte(at.rows()), byte(at.columns()), byte(at.line())}, workers,
        bits, fresh)));
}

}  // namespace

void bind_truth_connect4(nb::module_& module) {
    nb::class_<SolverFace> cls(module, "Connect4Solver", nb::is_final());
    module.def("connect4_solver", &made_solver, nb::arg("state"), nb::arg("threads") = 1,
               nb::arg("table_bits") = 26, nb::arg("fresh") = false);
    cls.def(
        "ask",
        [](SolverFace& solver, nb::list states, bool moves, bool only_who_wins) {
            const Alone alone(solver.busy);
            solver.ask(states, moves, only_who_wins);
        },
        nb::arg("states"), nb::arg("moves") = false, nb::arg("only_who_wins") = false);
    cls.def(
        "ask_keys",
        [](SolverFace& solver, GivenKeys keys) {
            const Alone alone(solver.busy);
            solver.ask_keys(keys);
        },
        nb::arg("keys"));
    cls.def(
        "opening_keys",
        [](const SolverFace& solver, nb::handle ply) {
            const Alone alone(solver.busy);
            return solver.opening_keys(integer_between(ply, "ply", 0, MostOpening));
        },
        nb::arg("ply"));
    cls.def(
        "use_openings",
        [](SolverFace& solver, nb::handle ply, GivenScores scores) {
            const Alone alone(solver.busy);
            return solver.use_openings(integer_between(ply, "ply", 0, MostOpening), scores);
        },
        nb::arg("ply"), nb::arg("scores"));
    cls.def(
        "work",
        [](SolverFace& solver, double seconds) {
            const Alone alone(solver.busy);
            require(seconds >= 0 && seconds <= 1e6, "seconds is between 0 and 1000000");
            return solver.work(seconds);
        },
        nb::arg("seconds"));
    cls.def("answers", [](const SolverFace& solver) {
        const Alone alone(solver.busy);
        return solver.answers();
    });
    cls.def("forget", [](SolverFace& solver) {
        const Alone alone(solver.busy);
        solver.forget();
    });
    cls.def_prop_ro("done", [](const SolverFace& solver) {
        const Alone alone(solver.busy);
        return solver.done();
    });
    cls.def_prop_ro("total", [](const SolverFace& solver) {
        const Alone alone(solver.busy);
        return solver.total();
    });
    cls.def_prop_ro("nodes", [](const SolverFace& solver) {
        const Alone alone(solver.busy);
        return solver.nodes();
    });
}

}  // namespace ludus
