// Connect Four: drop a stone into a column; four in a line win.
//
// Each column holds rows + 1 bits, from the bottom up; the spare top bit stops lines from wrapping:
//
//     6 13 20 27 34 41 48   <- always empty
//     5 12 19 26 33 40 47
//     ...
//     0  7 14 21 28 35 42
#pragma once

#include <array>
#include <bit>

#include "../game.hpp"
#include "../list.hpp"
#include "../random.hpp"

namespace ludus {

struct Connect4Parameters {
    int rows = 6;
    int columns = 7;
    int line = 4;

    void visit(auto&& field) {
        field("rows", rows);
        field("columns", columns);
        field("line", line);
    }
};

// The size of the board, known when the program is compiled or only when it runs.
template <int Rows, int Columns, int Line>
struct FixedSize {
    static constexpr int rows() { return Rows; }
    static constexpr int columns() { return Columns; }
    static constexpr int line() { return Line; }
    bool operator==(const FixedSize&) const = default;
};

struct FreeSize {
    std::uint8_t rows_ = 6, columns_ = 7, line_ = 4;
    int rows() const { return rows_; }
    int columns() const { return columns_; }
    int line() const { return line_; }
    bool operator==(const FreeSize&) const = default;
};

template <class Size>
class Connect : private Size {
  public:
    using Parameters = Connect4Parameters;
    using Fast = Connect<FixedSize<6, 7, 4>>;
    static constexpr int MaxColumns = 32;
    static constexpr bool exact_key = true;

    Connect() = default;
    Connect(Size size, std::uint64_t mine, std::uint64_t all)
        : Size(size), mine_(mine), all_(all) {}

    static Connect start(const Parameters& p) {
        const auto [rows, columns, line] = p;
        require(rows >= 1 && columns >= 1 && rows <= 63 && columns <= MaxColumns &&
                    (rows + 1) * columns <= 64,
                "a connect4 board has at least 1 row and 1 column and (rows + 1) * columns <= 64, "
                "not rows=" +
                    std::to_string(rows) + ", columns=" + std::to_string(columns));
        require(
            line >= 2 && line <= std::max(rows, columns),
            "line must be between 2 and the longer side of the board, not " + std::to_string(line));
        if constexpr (std::is_same_v<Size, FreeSize>) {
            const auto byte = [](int x) { return static_cast<std::uint8_t>(x); };
            return Connect({byte(rows), byte(columns), byte(line)}, 0, 0);
        } else {
            return Connect();
        }
    }
    static Limits limits(const Parameters&) { return {}; }

    std::optional<Fast> fast() const {
        if (rows() != 6 || columns() != 7 || line() != 4) return std::nullopt;
        return Fast({}, mine_, all_);
    }

    using Size::columns, Size::line, Size::rows;
    std::uint64_t mine() const { return mine_; }
    std::uint64_t theirs() const { return mine_ ^ all_; }
    std::uint64_t full() const { return bottoms() * ((std::uint64_t{1} << rows()) - 1); }
    int bit(int row, int column) const { return column * (rows() + 1) + row; }

    int num_actions() const { return columns(); }
    int player() const { return std::popcount(all_) & 1; }

    InlineList<Action, MaxColumns> legal() const {
        InlineList<Action, MaxColumns> columns_open;
        if (has_line(theirs())) return columns_open;
        for (int column = 0; column < columns(); ++column) {
            if (open(column)) columns_open.push_back(static_cast<Action>(column));
        }
        return columns_open;
    }

    bool allows(Action column) const {
        return column < columns() && open(column) && !has_line(theirs());
    }

    void apply(Action column) {
        mine_ ^= all_;                  // the opponent's stones become "mine"
        all_ |= all_ + bottom(column);  // a stone lands on the lowest empty cell
    }

    std::optional<Score> outcome() const {
        if (has_line(theirs())) return -1;  // the player who just moved has won
        if (all_ == full()) return 0;
        return std::nullopt;
    }

    // Injective: in each column the sum marks the height and the mover's stones below it.
    std::uint64_t key() const { return mix(mine_ + all_); }

    Action seen(Action a) const { return a; }

    // The mover's stones, the opponent's; or the opponent's as -1 in one plane.
    Shape shape(Planes planes = Planes::Full) const {
        return {planes == Planes::Signed ? 1 : 2, rows(), columns()};
    }

    void features(std::span<float> out, Planes planes = Planes::Full) const {
        if (planes == Planes::Signed) [[unlikely]]
            return write_signed(out.data());
        write_plane(out.data(), mine_);
        write_plane(out.data() + rows() * columns(), theirs());
    }

    Connect waiting() const { return Connect(*this, theirs(), all_); }

    int num_symmetries() const { return 2; }
    Connect transformed(int symmetry) const {
        if (symmetry == 0) return *this;
        return Connect(*this, mirror(mine_), mirror(all_));
    }
    Action transformed(int symmetry, Action a) const {
        return symmetry ? static_cast<Action>(columns() - 1 - a) : a;
    }
    int transformed_cell(int symmetry, int cell) const {
        return symmetry ? cell + columns() - 1 - 2 * (cell % columns()) : cell;
    }

    // Rows from the top, x for the first player: "......./......./......./......./...o.../..xx..."
    std::string text() const {
        const std::uint64_t first = player() == 0 ? mine_ : theirs();
        std::string result;
        for (int row = rows() - 1; row >= 0; --row) {
            for (int column = 0; column < columns(); ++column) {
                const std::uint64_t cell = std::uint64_t{1} << bit(row, column);
                result += all_ & cell ? (first & cell ? 'x' : 'o') : '.';
            }
            if (row) result += '/';
        }
        return result;
    }

    static Connect parse(const Parameters& p, std::string_view text) {
        Connect position = start(p);
        const std::size_t width = static_cast<std::size_t>(p.columns) + 1;
        require(text.size() == width * static_cast<std::size_t>(p.rows) - 1,
                "a connect4 position here is " + std::to_string(p.rows) + " rows of " +
                    std::to_string(p.columns) + " cells, joined by '/'");
        std::uint64_t stones[2] = {};
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool separator = i % width == width - 1;
            const bool known =
                separator ? text[i] == '/'
                          : std::string_view(".xo").find(text[i]) != std::string_view::npos;
            require(known, "a connect4 position has cells '.', 'x', 'o' and rows joined by '/'");
            if (separator || text[i] == '.') continue;
            const int row = p.rows - 1 - static_cast<int>(i / width);
            stones[text[i] == 'o'] |= std::uint64_t{1}
                                      << position.bit(row, static_cast<int>(i % width));
        }
        return position.with(stones[0], stones[1]);
    }

    bool operator==(const Connect&) const = default;

  private:
    friend class Connect<FreeSize>;

    int height() const { return rows() + 1; }
    std::uint64_t bottom(int column) const { return std::uint64_t{1} << bit(0, column); }
    bool open(int column) const { return !(all_ >> bit(rows() - 1, column) & 1); }

    std::uint64_t bottoms() const {
        std::uint64_t cells = 0;
        for (int column = 0; column < columns(); ++column) cells |= bottom(column);
        return cells;
    }

    void write_plane(float* plane, std::uint64_t stones) const {
        if constexpr (std::is_same_v<Connect, Fast>) {
            // One table of shifts lets the compiler move four cells at a time.
            static constexpr auto Shifts = [] {
                std::array<std::uint64_t, 6 * 7> shifts{};
                for (std::size_t cell = 0; cell < shifts.size(); ++cell) {
                    shifts[cell] = (cell % 7) * 7 + 5 - cell / 7;
                }
                return shifts;
            }();
            for (std::size_t cell = 0; cell < Shifts.size(); ++cell) {
                plane[cell] =
                    static_cast<float>(static_cast<std::int32_t>(stones >> Shifts[cell] & 1));
            }
        } else {
            for (int row = rows() - 1; row >= 0; --row) {
                for (int column = 0; column < columns(); ++column) {
                    *plane++ = stones >> bit(row, column) & 1 ? 1.0F : 0.0F;
                }
            }
        }
    }

    void write_signed(float* plane) const {
        const std::uint64_t others = theirs();
        for (int row = rows() - 1; row >= 0; --row) {
            for (int column = 0; column < columns(); ++column) {
                const int cell = bit(row, column);
                *plane++ = static_cast<float>(static_cast<int>(mine_ >> cell & 1) -
                                              static_cast<int>(others >> cell & 1));
            }
        }
    }

    std::uint64_t mirror(std::uint64_t stones) const {
        const std::uint64_t column_mask = (std::uint64_t{1} << rows()) - 1;
        std::uint64_t result = 0;
        for (int column = 0; column < columns(); ++column) {
            result |= (stones >> bit(0, column) & column_mask) << bit(0, columns() - 1 - column);
        }
        return result;
    }

    static std::uint64_t shifted(std::uint64_t stones, int by) {
        return by < 64 ? stones >> by : 0;
    }

    bool has_line(std::uint64_t stones) const {
        const int directions[] = {1, height() - 1, height(), height() + 1};
        for (const int step : directions) {
            // After each round a bit stands for `length` stones in a row that begin there.
            std::uint64_t runs = stones;
            int length = 1;
            for (; length * 2 <= line(); length *= 2) runs &= shifted(runs, length * step);
            if (length < line()) runs &= shifted(runs, (line() - length) * step);
            if (runs) return true;
        }
        return false;
    }

    Connect with(std::uint64_t first, std::uint64_t second) const {
        const std::uint64_t all = first | second;
        require(((all + bottoms()) & all) == 0, "a connect4 stone has nothing below it to rest on");
        const int lead = std::popcount(first) - std::popcount(second);
        require(lead == 0 || lead == 1, "x moves first, so it has as many stones as o or one more");
        const Connect position(*this, lead ? second : first, all);
        require(!position.has_line(position.mine_), "the player to move already has a line");
        return position;
    }

    std::uint64_t mine_ = 0, all_ = 0;
};

using connect4 = Connect<FreeSize>;

}  // namespace ludus
