// All positions of Chinese Checkers as rows of a table.
//
// A position is turned so that the mover is the first player: own pieces, the opponent's pieces.
// There are no captures. So all moves from the positions in which the opponent holds X lead to
// positions in which the mover holds X, turned: one row of a table ordered by the mover's pieces.
// Row X has an entry for each set S of cells outside X, and that entry is two positions:
//
//     as a source:  own S, the opponent's X; the pieces S are about to move
//     as a target:  own X turned, the opponent's S turned; the pieces S have just moved
//
// Of two rows that are mirror images of each other the table has one.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "../../games/chinesecheckers.hpp"
#include "combinations.hpp"
#include "table.hpp"

namespace ludus::rowwise {

template <int Size>
class ChineseCheckersSpace {
  public:
    static constexpr int Cells = Size * Size;
    static constexpr int MaxPieces = 10;
    // Cell (i, j) is bit i * Size + j, so turned by 180 degrees bit b is bit Cells - 1 - b.
    using Set = std::conditional_t<(Cells <= 32), std::uint32_t, std::uint64_t>;

    // The mover's pieces and the opponent's, as the mover sees them.
    struct Position {
        Set own, opponent;
    };

    explicit ChineseCheckersSpace(const ChineseCheckersParameters& p)
        : pieces(p.pieces),
          forward_only(p.forward_only),
          mirrors(p.pieces != 2),
          entries_(Cells - pieces, pieces),
          sets_(Cells, pieces) {
        constexpr std::uint64_t Most = std::uint64_t{1} << 35;
        require(sets_.count() <= Most / entries_.count(),
                "a table of all positions is too large for " + std::to_string(pieces) +
                    " pieces on a board of size " + std::to_string(Size));
        const auto& board = Diamond<Bitboard>::of(Size, pieces);
        home_ = cells_of(board.homes[0]);
        goal_ = cells_of(board.homes[1]);
        tip_ = cells_of(board.tips[0]);
        far_tip_ = cells_of(board.tips[1]);
        gate_ = cells_of(board.gates[0]);
        far_gate_ = cells_of(board.gates[1]);
        number_rows();
        list_entries();
    }

    static constexpr Set cell(int index) { return static_cast<Set>(Set{1} << index); }
    static Set rotate(Set set) {
        Set result = 0;
        for (; set; set &= set - 1) result |= cell(Cells - 1 - std::countr_zero(set));
        return result;
    }
    static constexpr int mirror(int index) { return index % Size * Size + index / Size; }
    static Set image(Set set) {
        Set result = 0;
        for (; set; set &= set - 1) result |= cell(mirror(std::countr_zero(set)));
        return result;
    }

    // A set of the game, which leaves a spare bit after each line of cells.
    template <class Grid>
    static Set cells_of(Grid grid) {
        Set result = 0;
        for (int i = 0; i < Size; ++i) {
            const std::uint64_t line = (grid >> i * (Size + 1)).low() & ((1u << Size) - 1);
            result |= static_cast<Set>(static_cast<Set>(line) << i * Size);
        }
        return result;
    }

    template <class Grid>
    static Position position(const ChineseCheckers<Grid>& game) {
        const Set own = cells_of(game.stones(game.player()));
        const Set opponent = cells_of(game.stones(1 - game.player()));
        return game.player() ? Position{rotate(own), rotate(opponent)} : Position{own, opponent};
    }
    Position start() const { return {home_, goal_}; }

    std::uint32_t rows() const { return static_cast<std::uint32_t>(rows_.size()); }
    std::uint32_t entries() const { return static_cast<std::uint32_t>(codes_.size()); }
    // All positions with one of the players to move.
    std::uint64_t positions() const { return sets_.count() * entries_.count(); }
    Set row_set(std::uint32_t row) const { return rows_[row]; }
    // How many rows of the whole table this one stands for.
    int weight(std::uint32_t row) const {
        return mirrors && image(rows_[row]) != rows_[row] ? 2 : 1;
    }

    // The entries of any row: which of the cells that the row's pieces leave free.
    const std::vector<Set>& codes() const { return codes_; }
    std::uint32_t rank(Set code) const { return entries_.rank(code); }

    // The number of the row of these pieces or of their image, times Flags, with flags.
    static constexpr std::uint32_t Mirrored = 1, OwnImage = 2, Flags = 4;
    std::uint32_t row_number(Set set) const { return numbers_[sets_.rank(set)]; }

    // Where a position is; in a row that is its own image, one of two places.
    Place as_source(const Position& p) const { return place(p.opponent, p.own); }
    Place as_target(const Position& p) const { return place(rotate(p.own), rotate(p.opponent)); }

    // What the rules say when the first player is to move, and when the second is.
    struct Standings {
        Standing first, second;
    };
    Standings standings(Set first, Set second) const {
        const Set all = first | second;
        const bool first_won = (goal_ & ~all) == 0 && (goal_ & first) != 0;
        const bool second_won = (home_ & ~all) == 0 && (home_ & second) != 0;
        const bool shut = gate_ && (((gate_ & ~first) == 0 && !(tip_ & all)) ||
                                    ((far_gate_ & ~second) == 0 && !(far_tip_ & all)));
        const auto to_move = [shut](bool mover_won, bool other_won) {
            if (mover_won || shut) return Standing::Illegal;
            return other_won ? Standing::Over : Standing::Open;
        };
        return {to_move(first_won, second_won), to_move(second_won, first_won)};
    }

    const int pieces;
    const bool forward_only;
    const bool mirrors;  // the two homes are mirror images of themselves

  private:
    Place place(Set row, Set entry) const {
        const std::uint32_t number = row_number(row);
        if (number & Mirrored) {
            row = image(row);
            entry = image(entry);
        }
        Set code = 0;
        for (; entry; entry &= entry - 1) {
            const int index = std::countr_zero(entry);
            code |= cell(index - std::popcount(row & (cell(index) - 1)));
        }
        return {number / Flags, rank(code)};
    }

    void number_rows() {
        numbers_.resize(sets_.count());
        std::uint64_t next = (std::uint64_t{1} << pieces) - 1;
        for (std::uint32_t& number : numbers_) {
            const Set set = static_cast<Set>(next);
            const Set other = mirrors ? image(set) : set;
            if (other < set) {  // has its number already
                number = row_number(other) | Mirrored;
            } else {
                number = rows() * Flags + (mirrors && other == set ? OwnImage : 0);
                rows_.push_back(set);
            }
            next = next_combination(next);
        }
    }

    void list_entries() {
        std::uint64_t next = (std::uint64_t{1} << pieces) - 1;
        for (std::uint64_t i = 0; i < entries_.count(); ++i) {
            codes_.push_back(static_cast<Set>(next));
            next = next_combination(next);
        }
    }

    using Ranks = Combinations<Cells <= 25 ? 2 : 5>;
    Ranks entries_, sets_;
    Set home_, goal_, tip_, far_tip_, gate_, far_gate_;
    std::vector<std::uint32_t> numbers_;  // of all sets
    std::vector<Set> rows_, codes_;
};

}  // namespace ludus::rowwise
