// One row of the space of Chinese Checkers: X is fixed, the pieces S move.
#pragma once

#include "chinesecheckers_hops.hpp"
#include "chinesecheckers_space.hpp"

namespace ludus::rowwise {

// Entries are given by their codes: which of the cells outside X, in order, hold the pieces S.
template <int Size>
class ChineseCheckersRow {
  public:
    using Space = ChineseCheckersSpace<Size>;
    using Set = typename Space::Set;

    ChineseCheckersRow(const Space& space, std::uint32_t row)
        : space_(&space), fixed_(space.row_set(row)) {
        int position = 0;
        for (int index = 0; index < Cells; ++index) {
            if (fixed_ >> index & 1) continue;
            cells_[at(position)] = index;
            starts_[at(position)] = Space::cell(index);
            near_[at(position)] = Hops::near(index);
            ahead_[at(position)] = Hops::ahead(index);
            behind_[at(position)] = Hops::behind(index);
            codes_[at(index)] = Space::cell(position++);
        }
        const Set turned = Space::rotate(fixed_);
        std::size_t piece = 0;
        for (Set rest : {turned, Space::image(turned)}) {
            for (; rest; rest &= rest - 1) turned_[piece++] = std::countr_zero(rest);
        }
    }

    // What the rules say of the entry as a source, and as a target.
    auto standings(Set code) const {
        Set set = 0;
        for (; code; code &= code - 1) set |= starts_[first(code)];
        return space_->standings(set, fixed_);
    }

    // Whether check(code) holds for all that the pieces can move to. Steps are looked at first:
    // they are found at once, and mostly one of them fails.
    template <class F>
    bool all_successors(Set code, F check) const {
        Movers movers = steps(code);
        limit(code, movers, ahead_);
        if (!each_target(code, movers, check)) return false;
        movers.targets = {};
        Hops::add(movers.occupied, movers.starts.data(), movers.targets.data(), movers.count);
        limit(code, movers, ahead_);
        return each_target(code, movers, check);
    }

    // Calls each(code) for where the pieces can come from: moves can be taken back.
    template <class F>
    void predecessors(Set code, F each) const {
        Movers movers = steps(code);
        Hops::add(movers.occupied, movers.starts.data(), movers.targets.data(), movers.count);
        limit(code, movers, behind_);
        each_target(code, movers, [&](Set from) {
            each(from);
            return true;
        });
    }

    // Calls each(row, entry) for the places as a target of the position that is a source here.
    template <class F>
    void places(Set code, F each) const {
        Set row = 0, image = 0;
        for (; code; code &= code - 1) {
            const int index = Cells - 1 - cells_[first(code)];
            row |= Space::cell(index);
            image |= Space::cell(Space::mirror(index));
        }
        const std::uint32_t number = space_->row_number(row);
        const bool mirrored = number & Space::Mirrored;
        each(number / Space::Flags, turned_entry(mirrored ? image : row, mirrored));
        if (number & Space::OwnImage) each(number / Space::Flags, turned_entry(row, true));
    }

  private:
    using Hops = ChineseCheckersHops<Size, Set>;
    static constexpr int Cells = Space::Cells;
    static constexpr std::size_t MaxMovers = 2 * Hops::Lanes;
    static_assert(Space::MaxPieces <= MaxMovers);

    struct Movers {
        Set occupied;
        std::size_t count = 0;
        alignas(32) std::array<Set, MaxMovers> starts{}, targets{};
    };

    static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }
    static std::size_t first(Set code) { return at(std::countr_zero(code)); }

    // The pieces with the cells to which they can step.
    Movers steps(Set code) const {
        Movers movers{.occupied = fixed_};
        for (Set rest = code; rest; rest &= rest - 1) {
            movers.occupied |= movers.starts[movers.count++] = starts_[first(rest)];
        }
        std::size_t piece = 0;
        for (Set rest = code; rest; rest &= rest - 1) {
            movers.targets[piece++] = near_[first(rest)] & ~movers.occupied;
        }
        return movers;
    }

    void limit(Set code, Movers& movers, const std::array<Set, Cells>& allowed) const {
        if (!space_->forward_only) return;
        std::size_t piece = 0;
        for (; code; code &= code - 1) movers.targets[piece++] &= allowed[first(code)];
    }

    template <class F>
    bool each_target(Set code, const Movers& movers, F each) const {
        const Set* targets = movers.targets.data();
        for (Set rest = code; rest; rest &= rest - 1) {
            const Set others = code ^ (rest & -rest);
            for (Set to = *targets++; to; to &= to - 1) {
                if (!each(others | codes_[first(to)])) return false;
            }
        }
        return true;
    }

    // The entry of X turned in this row, or of its image.
    std::uint32_t turned_entry(Set row, bool mirrored) const {
        const int* piece = turned_.data() + (mirrored ? space_->pieces : 0);
        Set code = 0;
        for (int i = 0; i < space_->pieces; ++i) {
            const int index = piece[i];
            code |= Space::cell(index - std::popcount(row & (Space::cell(index) - 1)));
        }
        return space_->rank(code);
    }

    const Space* space_;
    Set fixed_;
    // By the position of a cell among those outside X:
    std::array<int, Cells> cells_{};
    std::array<Set, Cells> starts_{}, near_{}, ahead_{}, behind_{};
    std::array<Set, Cells> codes_{};                  // by cell: its position, as a code
    std::array<int, 2 * Space::MaxPieces> turned_{};  // the cells of X turned, and of its image
};

}  // namespace ludus::rowwise
