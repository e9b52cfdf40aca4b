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
#include "../random.hpp"
#include "../select.hpp"

namespace ludus {

struct KingCourtesanParameters {
    int size = 6;

    void visit(auto&& field) { field("size", size); }
};

// What depends on the size of the board alone, for one side.
struct KingCourtesanSide {
    static constexpr std::size_t Ways = 8, Ahead = 3;  // the ways that lead ahead come first

    std::uint64_t start = 0;  // where its pieces begin, the king included
    std::uint64_t home = 0;
    std::array<std::uint8_t, Ways> step{};     // from a cell to its neighbour, modulo 64
    std::array<std::uint64_t, Ways> inside{};  // cells that have a neighbour this way

    constexpr KingCourtesanSide(int size, int forward) {
        const int last = size - 1;
        const int rows[] = {0, 1, 1, 1, -1, -1, -1, 0}, columns[] = {1, 0, 1, -1, 1, -1, 0, -1};
        for (int row = 0; row < size; ++row) {
            for (int column = 0; column < size; ++column) {
                const std::uint64_t cell = std::uint64_t{1} << (row * size + column);
                const int progress = forward > 0 ? row + column : 2 * last - row - column;
                if (progress < last) start |= cell;
                if (progress == 0) home = cell;
                for (std::size_t way = 0; way < Ways; ++way) {
                    const int r = row + forward * rows[way], c = column + forward * columns[way];
                    if (r >= 0 && r < size && c >= 0 && c < size) inside[way] |= cell;
                }
            }
        }
        for (std::size_t way = 0; way < Ways; ++way) {
            const int cells = forward * (rows[way] * size + columns[way]);
            step[way] = static_cast<std::uint8_t>(cells & 63);
        }
    }
};

class kingcourtesan {
  public:
    using Parameters = KingCourtesanParameters;
    static constexpr int MinSize = 3, MaxSize = 8;
    using Side = KingCourtesanSide;

    // The legal actions as the pieces that can go each way: one of them is found by its rank
    // without listing the others, which is all that a playout asks for.
    struct Picker {
        std::array<std::uint64_t, Side::Ways> movers;
        const Side* side;
        int cells;

        Action operator()(int rank) const {
            std::size_t way = 0;
            for (int count; rank >= (count = std::popcount(movers[way])); ++way) rank -= count;
            const int from = select(movers[way], rank);
            return static_cast<Action>(from * cells + (from + side->step[way]) % 64);
        }
    };
    using Moves = std::ranges::transform_view<std::ranges::iota_view<int, int>, Picker>;

    static kingcourtesan start(const Parameters& p) {
        require(
            p.size >= MinSize && p.size <= MaxSize,
            "the size of a kingcourtesan board is between 3 and 8, not " + std::to_string(p.size));
        kingcourtesan position;
        position.size_ = static_cast<std::uint8_t>(p.size);
        position.mine_ = position.side(0).start;
        position.theirs_ = position.side(1).start;
        position.kings_ = position.side(0).home | position.side(1).home;
        return position;
    }
    // Every game ends: captures are few, and any other move adds to the progress of all pieces,
    // the king's counted twice.
    static Limits limits(const Parameters&) { return {}; }

    int size() const { return size_; }
    std::uint64_t mine() const { return mine_; }
    std::uint64_t theirs() const { return theirs_; }
    std::uint64_t kings() const { return kings_; }
    const Side& side(int player) const { return sides[size_ - MinSize][player]; }

    // The same pieces, the other to move.
    kingcourtesan pass_turn() const {
        kingcourtesan other = *this;
        std::swap(other.mine_, other.theirs_);
        other.player_ ^= 1;
        return other;
    }
    // How many moves the player to move has.
    int mobility() const {
        int count = 0;
        for (std::size_t way = 0; way < Side::Ways; ++way) {
            count += std::popcount(movers(side(player_), way));
        }
        return count;
    }
    // The enemies that the player to move can capture.
    std::uint64_t attacked() const {
        std::uint64_t cells = 0;
        const Side& mover = side(player_);
        for (std::size_t way = 0; way < Side::Ways; ++way) {
            cells |= std::rotl(mine_ & mover.inside[way], mover.step[way]);
        }
        return cells & theirs_;
    }
    // Captures look good.
    int promise(Action a) const { return static_cast<int>(theirs_ >> a % cells() & 1); }

    int num_actions() const { return cells() * cells(); }
    int player() const { return player_; }

    Moves legal() const {
        const Side& mover = side(player_);
        Picker picker{{}, &mover, cells()};
        if (lost()) return Moves({0, 0}, picker);
        int count = 0;
        for (std::size_t way = 0; way < Side::Ways; ++way) {
            picker.movers[way] = movers(mover, way);
            count += std::popcount(picker.movers[way]);
        }
        return Moves({0, count}, picker);
    }

    bool allows(Action a) const {
        const int from = a / cells(), to = a % cells();
        const Side& mover = side(player_);
        for (std::size_t way = 0; way < Side::Ways && !lost(); ++way) {
            if ((from + mover.step[way]) % 64 == to) return movers(mover, way) >> from & 1;
        }
        return false;
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

    std::uint64_t key() const { return mix(mix(mix(player_, mine_), theirs_), kings_); }

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

    kingcourtesan waiting() const {
        kingcourtesan other = *this;
        std::swap(other.mine_, other.theirs_);
        other.player_ ^= 1;
        return other;
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
    static constexpr Side sides[][2] = {{{3, 1}, {3, -1}}, {{4, 1}, {4, -1}}, {{5, 1}, {5, -1}},
                                        {{6, 1}, {6, -1}}, {{7, 1}, {7, -1}}, {{8, 1}, {8, -1}}};

    int cells() const { return size_ * size_; }
    Action action(int from, int to) const { return static_cast<Action>(from * cells() + to); }

    bool lost() const { return !(mine_ & kings_) || (theirs_ & kings_ & side(player_).home); }

    // The mover's pieces that may go this way: ahead onto anything but a friend, where only the
    // king may go (they exchange); in other ways onto an enemy. Rotating the whole word looks one
    // step further; what comes round its ends is not inside.
    std::uint64_t movers(const Side& mover, std::size_t way) const {
        const bool ahead = way < Side::Ahead;
        const std::uint64_t ends = std::rotr(ahead ? ~mine_ : theirs_, mover.step[way]);
        return mine_ & mover.inside[way] & (ahead ? ends | kings_ : ends);
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
        const int pieces = std::popcount(side(0).start);
        const int my_kings = std::popcount(mine_ & kings_);
        require(std::popcount(theirs_ & kings_) == 1 && my_kings <= 1,
                "each side has one king, or the side to move none if it was just captured");
        require(
            std::popcount(mine_) <= pieces - 1 + my_kings && std::popcount(theirs_) <= pieces,
            "on this board each side has at most " + std::to_string(pieces - 1) + " courtesans");
        require(!(mine_ & kings_ & side(1 - player_).home),
                "the king of the side to move already stands on the enemy's home");
    }

    std::uint64_t mine_ = 0, theirs_ = 0;  // all pieces, kings included
    std::uint64_t kings_ = 0;              // of both sides
    std::uint8_t player_ = 0, size_ = 6;
};

}  // namespace ludus
