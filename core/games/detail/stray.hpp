// Games of putting marks on empty cells until a line is made, where a mark may go astray.
//
// The mark lands on the chosen cell with probability `success`, else it strays: to one of the eight
// cells around it, each as likely. Where it cannot stay (off the board, or taken) the ply is
// forfeited: nothing is placed and the turn passes. By option it strays to the open cells around
// only, and is forfeited where there are none; and the marks of one player only may stray. The
// result of chance is the cell, or `Cells` for a forfeit.
#pragma once

#include <array>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

#include "../../game.hpp"
#include "../../random.hpp"

namespace ludus {

// Whose marks may stray.
enum class Strays : std::uint8_t { Both, First, Second };
constexpr std::array<const char*, 3> names(Strays) {
    return {"both", "first", "second"};
}

// Where a stray mark goes.
enum class StrayTo : std::uint8_t { Around, Open };
constexpr std::array<const char*, 2> names(StrayTo) {
    return {"around", "open"};
}

template <class Board>
struct StrayParameters {
    double success = Board::Success;
    int max_plies = 1000;
    Strays strays = Strays::Both;
    StrayTo stray_to = StrayTo::Around;

    static constexpr std::array<std::string_view, 2> Younger{"strays", "stray_to"};

    void visit(auto&& field) {
        field("success", success);
        field("max_plies", max_plies);
        field("strays", strays);
        field("stray_to", stray_to);
    }
};

// A Board is geometry: cells are actions, `at(row, column)` is the cell there, or `Cells` if none,
// inside a square of side `Side`; `Set` is a set of cells; `completes(marks, cell)` asks for a line
// through that mark, `has_line(marks)` for any. Its features are told who moves, and whether it is
// the one whose marks never stray.
template <class Board>
class Stray {
  public:
    using Parameters = StrayParameters<Board>;
    using Set = typename Board::Set;
    static constexpr int Cells = Board::Cells, Side = Board::Side;
    static constexpr bool exact_key = 2 * Cells + 1 <= 64;
    static_assert(Cells <= 80);  // or the key would forget some

    static Stray start(const Parameters& p) {
        require(p.success > 0 && p.success <= 1,
                "success is a probability above 0 and at most 1, not " + std::to_string(p.success));
        require(p.max_plies >= 1 && p.max_plies <= 1'000'000,
                "max_plies is between 1 and 1000000, not " + std::to_string(p.max_plies));
        require(p.success < 1 || (p.strays == Strays::Both && p.stray_to == StrayTo::Around),
                "with success=1 no mark strays, so strays and stray_to have no effect");
        Stray position;
        position.success_ = p.success;
        position.strays_ = p.strays;
        position.stray_to_ = p.stray_to;
        return position;
    }
    static Limits limits(const Parameters& p) { return {.max_plies = p.max_plies}; }

    Set mine() const { return mine_; }
    Set theirs() const { return theirs_; }

    static constexpr int num_actions() { return Cells; }
    int player() const { return player_; }

    // The open cells are picked when asked for: a playout looks at one of them only.
    auto legal() const {
        const Set cells = won_ ? Set() : open();
        return std::views::iota(0, cells.count()) | std::views::transform(Pick{cells});
    }
    bool allows(Action a) const { return !won_ && open().contains(a); }

    bool chancy() const { return success_ < 1; }

    // A result is a cell, or a forfeit: what it leads to does not depend on the cell chosen.
    static constexpr int num_results() { return Cells + 1; }

    // The chosen cell, then the open cells around it, then the forfeit: worked out when asked for.
    auto chances(Action a) const {
        const Set near = Around[a] & open();
        const int count = near.count();
        const bool only_open = stray_to_ == StrayTo::Open && count;
        const int lost = only_open ? 0 : 8 - count;  // of the cells around that it is drawn from
        const double each = only_open ? (1 - success_) / count : (1 - success_) / 8;
        const bool errs = strays(player_);
        const int results = errs ? 1 + count + (lost > 0) : 1;
        return std::views::iota(0, results) |
               std::views::transform(Landing{a, count, errs ? success_ : 1, each, lost, near});
    }

    void apply(Action a) { apply(a, a); }
    void apply(Action, int result) {
        Set marks = mine_;
        if (result != Cells) {
            marks |= Set::cell(result);
            won_ = Board::completes(marks, result);
        }
        mine_ = theirs_;
        theirs_ = marks;
        player_ ^= 1;
    }

    std::optional<Score> outcome() const {
        if (won_) return -1;  // the player who just moved has won
        if (open().empty()) return 0;
        return std::nullopt;
    }

    std::uint64_t key() const {
        if constexpr (exact_key) {
            return mix(mine_.low() | theirs_.low() << Cells |
                       std::uint64_t{player_} << (2 * Cells));
        } else {
            const std::uint64_t rest =
                mine_.high() | theirs_.high() << 16 | std::uint64_t{player_} << 32;
            return mix(mix(mix(mine_.low()), theirs_.low()), rest);
        }
    }

    Action seen(Action a) const { return a; }

    Shape shape(Planes planes = Planes::Full) const { return {Board::planes(planes), Side, Side}; }
    void features(std::span<float> out, Planes planes = Planes::Full) const {
        std::ranges::fill(out, 0.0f);
        const bool steady = strays_ != Strays::Both && !strays(player_);
        Board::features(out, planes, mine_, theirs_, player_, steady);
    }

    Stray waiting() const {
        Stray other = *this;
        std::swap(other.mine_, other.theirs_);
        other.player_ ^= 1;
        return other;
    }

    int num_symmetries() const { return 8; }
    Stray transformed(int symmetry) const {
        Stray image = *this;
        image.mine_ = transformed(symmetry, mine_);
        image.theirs_ = transformed(symmetry, theirs_);
        return image;
    }
    Action transformed(int symmetry, Action a) const {
        const int cell = transformed_cell(symmetry, Board::row(a) * Side + Board::column(a));
        return static_cast<Action>(Board::at(cell / Side, cell % Side));
    }
    // Bit 2 turns rows into columns, then bit 1 reverses the rows and bit 0 the columns.
    int transformed_cell(int symmetry, int cell) const {
        int row = cell / Side, column = cell % Side;
        if (symmetry & 4) std::swap(row, column);
        if (symmetry & 2) row = Side - 1 - row;
        if (symmetry & 1) column = Side - 1 - column;
        return row * Side + column;
    }

    static auto shapings()
        requires requires { Board::shapings(); }
    {
        return Board::shapings();
    }
    // The end pays both players. Any other ply pays who waits, for the marks it has: a player's
    // turn is over when it is answered, and earns this only if the game goes on. The first ply on
    // the empty board answers nothing.
    Signal shaping(int kind, Action, const Stray& after, Stage ply) const
        requires requires { Board::shapings(); }
    {
        if (after.won_) return {1, -1};
        if (ply.last || (ply.first && (mine_ | theirs_).empty())) return {0, 0};
        return {0, Board::shaping(kind, theirs_)};
    }

    // Rows from the top, x for the first player, then who moves: ".../.x./... o"
    std::string text() const {
        const Set marks[] = {mine_, theirs_};
        std::string result;
        each_place([&](int cell) {
            if (cell == Cells) {
                result += '/';
            } else {
                result += marks[player_].contains(cell)       ? 'x'
                          : marks[1 - player_].contains(cell) ? 'o'
                                                              : '.';
            }
        });
        return result + (player_ == 0 ? " x" : " o");
    }

    static Stray parse(const Parameters& p, std::string_view text) {
        Stray position = start(p);
        const std::string blank = position.text();
        const std::string sentence = std::string("a ") + Board::name +
                                     " position has cells '.', 'x', 'o' and then who moves, like " +
                                     blank;
        require(text.size() == blank.size(), sentence);
        Set marks[2];
        each_place([&, i = 0u](int cell) mutable {
            const char mark = text[i++];
            const bool known =
                cell == Cells ? mark == '/' : mark == '.' || mark == 'x' || mark == 'o';
            require(known, sentence);
            if (cell != Cells && mark != '.') marks[mark == 'o'] |= Set::cell(cell);
        });
        const std::string_view mover = text.substr(text.size() - 2);
        require(mover == " x" || mover == " o", sentence);
        position.player_ = mover == " o";
        position.mine_ = marks[position.player_];
        position.theirs_ = marks[1 - position.player_];
        position.won_ = Board::has_line(position.theirs_);
        position.check();
        return position;
    }

    bool operator==(const Stray&) const = default;

  private:
    // The action of an open cell by its rank.
    struct Pick {
        Set cells;
        Action operator()(int rank) const {
            return static_cast<Action>(Board::select(cells, rank));
        }
    };

    // One result of chance by its rank.
    struct Landing {
        Action chosen = 0;
        int count = 0;  // cells around where it can stay
        double success = 1, each = 0;
        int lost = 0;
        Set near;
        Chance operator()(int rank) const {
            if (rank == 0) return {chosen, success};
            if (rank <= count) return {Board::select(near, rank - 1), each};
            return {Cells, lost * each};
        }
    };

    // The cells around each cell: eight inside the board, fewer at its edge.
    static constexpr std::array<Set, Cells> Around = [] {
        std::array<Set, Cells> around{};
        for (int cell = 0; cell < Cells; ++cell) {
            for (int i = 0; i < 9; ++i) {
                const int there =
                    Board::at(Board::row(cell) + i / 3 - 1, Board::column(cell) + i % 3 - 1);
                if (there == cell || there == Cells) continue;
                around[static_cast<std::size_t>(cell)] |= Set::cell(there);
            }
        }
        return around;
    }();

    Set open() const { return ~(mine_ | theirs_) & Set::first(Cells); }

    // Whether a mark of this player may stray.
    bool strays(int player) const {
        return chancy() && strays_ != (player == 0 ? Strays::Second : Strays::First);
    }

    Set transformed(int symmetry, Set marks) const {
        Set image;
        while (!marks.empty()) {
            image |= Set::cell(transformed(symmetry, static_cast<Action>(marks.pop_lowest())));
        }
        return image;
    }

    // Calls f for each cell in reading order, and f(Cells) between two rows.
    static void each_place(auto f) {
        for (int row = 0; row < Side; ++row) {
            if (row) f(Cells);
            for (int column = 0; column < Side; ++column) {
                if (const int cell = Board::at(row, column); cell != Cells) f(cell);
            }
        }
    }

    // Throws unless play can lead here; with strays to open cells only, some positions pass in
    // which a turn was missed too early.
    void check() const {
        require(!Board::has_line(mine_), "the player to move already has a line");
        require(forfeits_tell_who_moves(),
                chancy() ? "x and o alternate, but for turns that were lost: nobody who can lose "
                           "one has lost so many here"
                         : "without forfeits x and o alternate, so the marks say who moves: x with "
                           "as many of both, o with one more x");
        bool possible = !won_;
        for (Set rest = theirs_; !possible && !rest.empty();) {
            possible = !Board::has_line(theirs_ & ~Set::cell(rest.pop_lowest()));
        }
        require(possible, "no single mark can have made all these lines");
    }

    // Whoever never strays has never missed a turn; and where marks stray to open cells a turn is
    // missed only beside a cell without any.
    bool forfeits_tell_who_moves() const {
        const int first = (player_ ? theirs_ : mine_).count();
        const int second = (player_ ? mine_ : theirs_).count();
        const int missing = second + player_ - first;  // by the first player, less the second's
        if (missing > 0 && !strays(0)) return false;
        if (missing < 0 && !strays(1)) return false;
        return missing == 0 || stray_to_ == StrayTo::Around || encloses();
    }
    bool encloses() const {
        const Set free = open();
        return std::ranges::any_of(Around, [&](Set near) { return (near & free).empty(); });
    }

    Set mine_, theirs_;
    double success_ = 1;
    Strays strays_ = Strays::Both;
    StrayTo stray_to_ = StrayTo::Around;
    std::uint8_t player_ = 0;
    bool won_ = false;  // by the player who just moved
};

}  // namespace ludus
