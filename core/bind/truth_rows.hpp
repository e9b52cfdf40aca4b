// Tables in rows from Python: one face for the solvers of all board sizes, one for their tables.
#pragma once

#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "../truth/rowwise/chinesecheckers_row.hpp"
#include "../truth/rowwise/solver.hpp"
#include "alone.hpp"
#include "state.hpp"

namespace ludus {

using RowSeat = Seat<chinesecheckers>;
using RowWords = nb::ndarray<const std::uint64_t, nb::c_contig, nb::device::cpu>;
using RowBytes = nb::ndarray<const std::uint8_t, nb::c_contig, nb::device::cpu>;
using RowBytesToWrite = nb::ndarray<std::uint8_t, nb::c_contig, nb::device::cpu>;

// How much there is, in positions with one player to move, rows, words and bytes.
struct RowSizes {
    std::uint64_t positions, rows, values, distances, solver;

    template <class Space>
    explicit RowSizes(const Space& space)
        : positions(space.positions()),
          rows(space.rows()),
          values(2 * rows * rowwise::row_words(space)),
          distances(rows * space.entries()),
          solver(2 * values * 8) {}
};

struct RowSolverFace {
    virtual ~RowSolverFace() = default;
    virtual void work(double seconds, int threads) = 0;
    virtual const rowwise::Progress& progress() const = 0;
    virtual void resume(rowwise::Progress progress) = 0;
    virtual RowSizes sizes() const = 0;
    virtual std::span<std::uint64_t> values() = 0;
    virtual std::span<std::uint64_t> fresh() = 0;
    virtual std::span<std::uint64_t> resolved() = 0;

    Busy busy;
};

template <int Size>
class RowSolverOf : public RowSolverFace {
  public:
    RowSolverOf(const rowwise::ChineseCheckersSpace<Size>& space,
                std::optional<RowBytesToWrite> distances)
        : distances_(std::move(distances)),
          solver_(space, distances_ ? std::span(distances_->data(), distances_->size())
                                    : std::span<std::uint8_t>()) {}

    void work(double seconds, int threads) override {
        const nb::gil_scoped_release free;
        solver_.work(seconds, threads);
    }
    const rowwise::Progress& progress() const override { return solver_.progress(); }
    void resume(rowwise::Progress progress) override { solver_.resume(std::move(progress)); }
    RowSizes sizes() const override { return RowSizes(solver_.space()); }
    std::span<std::uint64_t> values() override { return solver_.values(); }
    std::span<std::uint64_t> fresh() override { return solver_.fresh(); }
    std::span<std::uint64_t> resolved() override { return solver_.resolved(); }

  private:
    std::optional<RowBytesToWrite> distances_;  // the caller's, kept alive
    rowwise::Solver<rowwise::ChineseCheckersSpace<Size>, rowwise::ChineseCheckersRow<Size>> solver_;
};

// What is true of a position for its mover; in plies, where distances are known.
struct RowAnswer {
    int value;
    std::optional<int> distance;
};

struct RowTableFace {
    virtual ~RowTableFace() = default;
    virtual RowAnswer answer(const chinesecheckers& position) const = 0;
};

template <int Size>
class RowTableOf : public RowTableFace {
  public:
    RowTableOf(rowwise::ChineseCheckersSpace<Size> space, RowWords values,
               std::optional<RowBytes> distances)
        : space_(std::move(space)),
          values_(std::move(values)),
          distances_(std::move(distances)),
          table_(space_, {values_.data(), values_.size()},
                 distances_ ? std::span(distances_->data(), distances_->size())
                            : std::span<const std::uint8_t>()) {}

    RowAnswer answer(const chinesecheckers& position) const override {
        const auto at = space_.position(position);
        const rowwise::Truth truth = table_.truth(at);
        require(truth != rowwise::Truth::Illegal,
                "this table calls a legal position illegal: it is damaged");
        if (truth == rowwise::Truth::Draw) return {0, std::nullopt};
        return {truth == rowwise::Truth::Win ? 1 : -1, table_.distance(at)};
    }

  private:
    rowwise::ChineseCheckersSpace<Size> space_;
    RowWords values_;
    std::optional<RowBytes> distances_;
    rowwise::Table<rowwise::ChineseCheckersSpace<Size>> table_;
};

// Calls f with the space of this game.
template <class F>
auto with_row_space(const ChineseCheckersParameters& parameters, F f) {
    switch (parameters.size) {
        case 3:
            return f(rowwise::ChineseCheckersSpace<3>(parameters));
        case 4:
            return f(rowwise::ChineseCheckersSpace<4>(parameters));
        case 5:
            return f(rowwise::ChineseCheckersSpace<5>(parameters));
        case 6:
            return f(rowwise::ChineseCheckersSpace<6>(parameters));
        case 7:
            return f(rowwise::ChineseCheckersSpace<7>(parameters));
    }
    throw std::invalid_argument("tables of all positions are for boards of size 3 to 7, not " +
                                std::to_string(parameters.size));
}

}  // namespace ludus
