// King and Courtesan: bring your king to the enemy's home corner, or capture the enemy's king.
//
// Cells count row by row from Red's home a1, where the first player's king starts; the last one is
// Blue's home. The board of size 6 as it is drawn, with the bit of each cell:
//
//     6   30 31 32 33 34 35   <- Blue's home
//     5   24 25 26 27 28 29
//     ...
//     1    0  1  2  3  4  5
//          a  b  c  d  e  f
#pragma once

#include <array>
#include <bit>

#include "../game.hpp"
#include "../list.hpp"
#include "../random.hpp"

namespace ludus {

struct KingCourtesanParameters {
    int size = 6;

    void visit(auto&& field) { field("size", size); }
};

// What depends on the size of the board alone.
struct KingCourtesanBoard {
    using Cells = std::array<std::uint64_t, 64>;

    std::array<std::uint64_t, 2> start{};  // each side's pieces, its king included
    std::array<std::uint64_t, 2> home{};
    std::array<Cells, 2> ahead{};  // the neighbours forward, for each side
    Cells around{};                // all neighbours

    explicit constexpr KingCourtesanBoard(int size) {
        const auto set = [size](int row, int column) {
            const bool inside = row >= 0 && row < size && column >= 0 && column < size;
            return inside ? std::uint64_t{1} << (row * size + column) : 0;
        };
        home = {set(0, 0), set(size - 1, size - 1)};
        for (int row = 0; row < size; ++row) {
            for (int column = 0; column < size; ++column) {
                const auto cell = static_cast<std::size_t>(row * size + column);
                if (row + column < size - 1) start[0] |= set(row, column);
                if (row + column > size - 1) start[1] |= set(row, column);
                ahead[0][cell] =
                    set(row + 1, column) | set(row, column + 1) | set(row + 1, column + 1);
                ahead[1][cell] =
                    set(row - 1, column) | set(row, column - 1) | set(row - 1, column - 1);
                around[cell] = ahead[0][cell] | ahead[1][cell] | set(row + 1, column - 1) |
                               set(row - 1, column + 1);
            }
        }
    }
};

class kingcourtesan {
  public:
    using Parameters = KingCourtesanParameters;
    static constexpr int MinSize = 3, MaxSize = 8;
    static constexpr std::size_t MaxPieces = MaxSize * (MaxSize - 1) / 2;
    using Moves = InlineList<Action, MaxPieces * 8>;

    static kingcourtesan start(const Parameters& p) {
        require(
            p.size >= MinSize && p.size <= MaxSize,
            "the size of a kingcourtesan board is between 3 and 8, not " + std::to_string(p.size));
        kingcourtesan position;
        position.size_ = static_cast<std::uint8_t>(p.size);
        const KingCourtesanBoard& board = position.board();
        position.mine_ = board.start[0];
        position.theirs_ = board.start[1];
        position.kings_ = board.home[0] | board.home[1];
        return position;
    }
    // Captures are few and every other move brings a piece forward, so no limit is needed.
    static Limits limits(const Parameters&) { return {}; }

    int num_actions() const { return cells() * cells(); }
    int player() const { return player_; }

    Moves legal() const {
        Moves moves;
        if (lost()) return moves;
        for (std::uint64_t pieces = mine_; pieces; pieces &= pieces - 1) {
            const int from = std::countr_zero(pieces);
            for (std::uint64_t ends = targets(from); ends; ends &= ends - 1) {
                moves.push_back(action(from, std::countr_zero(ends)));
            }
        }
        return moves;
    }

    bool allows(Action a) const {
        const int from = a / cells(), to = a % cells();
        return !lost() && mine_ >> from & 1 && targets(from) >> to & 1;
    }

    void apply(Action a) {
        const std::uint64_t from = std::uint64_t{1} << a / cells();
        const std::uint64_t to = std::uint64_t{1} << a % cells();
        const bool exchange = mine_ & to, royal = kings_ & from;
        const std::uint64_t moved = exchange ? mine_ : mine_ ^ from ^ to;
        kings_ = (kings_ & ~(from | to)) | (royal ? to : 0);
        mine_ = theirs_ & ~to;
        theirs_ = moved;
        player_ ^= 1;
    }

    // Only the player who just moved can have won.
    std::optional<Score> outcome() const { return lost() ? std::optional(-1) : std::nullopt; }

    std::uint64_t key() const { return mixed(mixed(mixed(player_, mine_), theirs_), kings_); }

    // The second player sees the board turned by 180 degrees: cells count from the other end.
    Action seen(Action a) const { return player_ ? static_cast<Action>(num_actions() - 1 - a) : a; }

    Shape shape(Planes = Planes::Full) const { return {6, size_, size_}; }

    void features(std::span<float> out, Planes = Planes::Full) const {
        const std::uint64_t everywhere = ~std::uint64_t{0};
        const std::uint64_t sets[] = {mine_ & kings_,     mine_ & ~kings_,
                                      theirs_ & kings_,   theirs_ & ~kings_,
                                      ~(mine_ | theirs_), player_ ? everywhere : 0};
        float* next = out.data();
        for (const std::uint64_t set : sets) {
            for (int i = 0; i < cells(); ++i) {
                const int cell = player_ ? cells() - 1 - i : i;
                *next++ = static_cast<float>(set >> cell & 1);
            }
        }
    }

    // The homes lie on a diagonal; the board may be mirrored in it.
    int num_symmetries() const { return 2; }
    kingcourtesan transformed(int symmetry) const {
        kingcourtesan position = *this;
        for (std::uint64_t* set : {&position.mine_, &position.theirs_, &position.kings_}) {
            std::uint64_t image = 0;
            for (; *set; *set &= *set - 1) {
                image |= std::uint64_t{1} << transformed_cell(symmetry, std::countr_zero(*set));
            }
            *set = image;
        }
        return position;
    }
    Action transformed(int symmetry, Action a) const {
        return action(transformed_cell(symmetry, a / cells()),
                      transformed_cell(symmetry, a % cells()));
    }
    int transformed_cell(int symmetry, int cell) const {
        return symmetry ? cell % size_ * size_ + cell / size_ : cell;
    }

    // Rows from the top, kings in capitals, then who moves: ".bB/r.b/Rr. r" (size 3).
    std::string text() const {
        std::string result;
        for (int row = size_ - 1; row >= 0; --row) {
            for (int column = 0; column < size_; ++column) {
                result += letter(row * size_ + column);
            }
            result += row ? '/' : ' ';
        }
        return result + (player_ ? 'b' : 'r');
    }

    static kingcourtesan parse(const Parameters& p, std::string_view text) {
        kingcourtesan position = start(p);
        const std::size_t width = static_cast<std::size_t>(p.size) + 1;
        const std::size_t end = width * static_cast<std::size_t>(p.size);
        require(text.size() == end + 1 && (text.ends_with(" r") || text.ends_with(" b")),
                "a kingcourtesan position here is " + std::to_string(p.size) + " rows of " +
                    std::to_string(p.size) +
                    " cells, joined by '/', then ' r' or ' b' for the side to move");
        std::uint64_t red = 0, blue = 0, kings = 0;
        for (std::size_t i = 0; i + 1 < end; ++i) {
            const bool separator = i % width == width - 1;
            const std::string_view allowed = separator ? "/" : ".RrBb";
            require(allowed.find(text[i]) != std::string_view::npos,
                    "a kingcourtesan position has cells '.', 'R', 'r', 'B', 'b' and rows joined "
                    "by '/'");
            if (separator || text[i] == '.') continue;
            const int row = p.size - 1 - static_cast<int>(i / width);
            const std::uint64_t cell = std::uint64_t{1}
                                       << (row * p.size + static_cast<int>(i % width));
            (text[i] == 'R' || text[i] == 'r' ? red : blue) |= cell;
            if (text[i] == 'R' || text[i] == 'B') kings |= cell;
        }
        position.player_ = text.back() == 'b';
        position.mine_ = position.player_ ? blue : red;
        position.theirs_ = position.player_ ? red : blue;
        position.kings_ = kings;
        position.check();
        return position;
    }

    bool operator==(const kingcourtesan&) const = default;

  private:
    static constexpr std::array<KingCourtesanBoard, MaxSize - MinSize + 1> boards{
        KingCourtesanBoard(3), KingCourtesanBoard(4), KingCourtesanBoard(5),
        KingCourtesanBoard(6), KingCourtesanBoard(7), KingCourtesanBoard(8)};

    const KingCourtesanBoard& board() const {
        return boards[static_cast<std::size_t>(size_ - MinSize)];
    }
    int cells() const { return size_ * size_; }
    Action action(int from, int to) const { return static_cast<Action>(from * cells() + to); }

    bool lost() const { return !(mine_ & kings_) || (theirs_ & kings_ & board().home[player_]); }

    // Where a piece of the mover may go: ahead, but only a king onto a friend, by exchanging
    // places; and onto any enemy around.
    std::uint64_t targets(int from) const {
        const auto at = static_cast<std::size_t>(from);
        const std::uint64_t blocked = kings_ >> from & 1 ? 0 : mine_;
        return (board().ahead[player_][at] & ~blocked) | (board().around[at] & theirs_);
    }

    char letter(int cell) const {
        const auto in = [cell](std::uint64_t set) { return set >> cell & 1; };
        if (!in(mine_ | theirs_)) return '.';
        const bool red = in(player_ ? theirs_ : mine_);
        return in(kings_) ? (red ? 'R' : 'B') : (red ? 'r' : 'b');
    }

    // A game is over as soon as a king is captured or has arrived, so only the player to move
    // can be without a king, and only the other's can have arrived.
    void check() const {
        const int pieces = std::popcount(board().start[0]);
        const int my_kings = std::popcount(mine_ & kings_);
        require(std::popcount(theirs_ & kings_) == 1 && my_kings <= 1,
                "each side has one king, or the side to move none if it was just captured");
        require(
            std::popcount(mine_) <= pieces - 1 + my_kings && std::popcount(theirs_) <= pieces,
            "on this board each side has at most " + std::to_string(pieces - 1) + " courtesans");
        require(!(mine_ & kings_ & board().home[1 - player_]),
                "the king of the side to move already stands on the enemy's home");
    }

    std::uint64_t mine_ = 0, theirs_ = 0;  // all pieces, kings included
    std::uint64_t kings_ = 0;              // of both sides
    std::uint8_t player_ = 0, size_ = 6;
};

}  // namespace ludus
