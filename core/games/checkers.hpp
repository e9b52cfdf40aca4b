// English draughts: men step and jump forward, kings both ways; who can capture must.
//
// Squares are numbered 1 to 32 as players do; `square` here is one less. Each pair of rows takes
// nine bits of which the last stays empty, so that everywhere a step down is 4 or 5 bits up, and
// a step over the edge ends on such a spare bit:
//
//       0   1   2   3        squares 1 to 4: Black's home, where White's men are crowned
//     4   5   6   7      8*
//       9  10  11  12
//    13  14  15  16     17*
//      18  19  20  21
//    22  23  24  25     26*
//      27  28  29  30
//    31  32  33  34          squares 29 to 32: White's home
//
// An action is square * 8 + direction * 2 + jump; the directions are up-left, up-right, down-left
// and down-right in this picture. A capture of several pieces is several actions of one player.
#pragma once

#include <array>
#include <bit>

#include "../game.hpp"
#include "../random.hpp"
#include "../select.hpp"

namespace ludus {

struct CheckersParameters {
    int no_progress = 100;
    int repetition = 3;

    void visit(auto&& field) {
        field("no_progress", no_progress);
        field("repetition", repetition);
    }
};

class checkers {
  public:
    using Parameters = CheckersParameters;
    static constexpr int MaxPieces = 12;

    // The legal actions as the pieces that can go each way: one of them is found by its rank
    // without listing the others, which is all that a playout asks for.
    struct Picker {
        std::array<std::uint64_t, 4> from;
        bool jump;

        Action operator()(int rank) const {
            // Without branches, which nobody could predict here.
            const std::array<int, 4> before = this->before();
            const int way = (rank >= before[1]) + (rank >= before[2]) + (rank >= before[3]);
            const auto direction = static_cast<std::size_t>(way);
            const int bit = select(from[direction], rank - before[direction]);
            return static_cast<Action>(square_of(bit) * 8 + way * 2 + jump);
        }
        int count() const { return before()[3] + std::popcount(from[3]); }
        bool any() const { return from[0] | from[1] | from[2] | from[3]; }

      private:
        std::array<int, 4> before() const {
            const int first = std::popcount(from[0]), second = first + std::popcount(from[1]);
            return {0, first, second, second + std::popcount(from[2])};
        }
    };
    using Moves = std::ranges::transform_view<std::ranges::iota_view<int, int>, Picker>;

    static checkers start(const Parameters& p) {
        require(p.no_progress >= 0 && p.no_progress <= 10'000,
                "no_progress is a number of turns up to 10000, or 0 for no such rule, not " +
                    std::to_string(p.no_progress));
        require(p.repetition == 0 || (p.repetition >= 2 && p.repetition <= 100),
                "repetition is from 2 to 100, or 0 for no such rule, not " +
                    std::to_string(p.repetition));
        require(p.no_progress || p.repetition,
                "a game of checkers may never end with both no_progress and repetition off");
        return checkers(Black, 0x1eff, 0x7'fbc0'0000, 0);  // squares 1 to 12 and 21 to 32
    }
    static Limits limits(const Parameters& p) { return {0, p.no_progress, p.repetition}; }

    static constexpr int Black = 0, White = 1;
    static constexpr std::uint64_t Board = 0x7'fbfd'feff;  // without the spare bits
    static constexpr std::uint64_t king_row(int player) {
        return std::uint64_t{0xf} << (player == Black ? 31 : 0);
    }

    // These pieces, at the start of a turn.
    checkers(int player, std::uint64_t mine, std::uint64_t theirs, std::uint64_t kings)
        : mine_(mine), theirs_(theirs), kings_(kings), player_(player) {}

    std::uint64_t mine() const { return mine_; }
    std::uint64_t theirs() const { return theirs_; }
    std::uint64_t kings() const { return kings_; }
    // Whether a capture has begun and must go on.
    bool capturing() const { return chain_; }

    // The same pieces, the other to move.
    checkers pass_turn() const { return checkers(1 - player_, theirs_, mine_, kings_); }
    // In how many ways a piece of the player to move can step, were there no captures.
    int mobility() const {
        int count = 0;
        for (const std::uint64_t from : steps().from) count += std::popcount(from);
        return count;
    }
    // Whether the player to move must capture.
    bool forced() const { return jumps(chain_ ? chain_ : mine_).any(); }

    static constexpr int num_actions() { return 256; }
    int player() const { return player_; }

    // By direction, then by square.
    Moves legal() const {
        const Picker picker = moves();
        return Moves({0, picker.count()}, picker);
    }

    bool allows(Action a) const {
        const Picker moves = this->moves();
        return is_jump(a) == moves.jump && moves.from[direction_of(a)] & cell_of(a);
    }

    void apply(Action a) {
        constexpr std::array<int, 4> steps = {-5, -4, 4, 5};
        const int step = steps[direction_of(a)];
        const std::uint64_t from = cell_of(a);
        const std::uint64_t next = std::rotl(from, step);
        const std::uint64_t to = is_jump(a) ? std::rotl(next, step) : next;
        const bool king = kings_ & from;
        const bool crowned = !king && to & king_row(player_);
        mine_ ^= from | to;
        if (king) kings_ ^= from;
        if (king || crowned) kings_ |= to;
        chain_ = 0;
        if (is_jump(a)) {
            theirs_ ^= next;
            kings_ &= ~next;
            if (!crowned && jumps(to).any()) {
                chain_ = to;
                return;
            }
        }
        std::swap(mine_, theirs_);
        player_ = 1 - player_;
    }

    // Men never go back and what is captured never returns.
    bool progress(Action a) const { return is_jump(a) || !(kings_ & cell_of(a)); }

    std::optional<Score> outcome() const {
        if (moves().any()) return std::nullopt;
        return -1;
    }

    std::uint64_t key() const {  // a cell set has 35 bits; the kings fill up the other two words
        const auto rest = static_cast<std::uint64_t>(player_ << 7 | std::countr_zero(chain_));
        return mix(mine_ | kings_ << 35, theirs_ | kings_ >> 29 << 35 | rest << 41);
    }

    // Each player counts the squares from their own home: Black as they are, White turned.
    Action seen(Action a) const { return player_ == Black ? a : a ^ 0b11111110; }

    Shape shape(Planes planes = Planes::Full) const {
        return {planes == Planes::Full ? 5 : 1, 8, 8};
    }

    // In the frame of `seen`: the mover's home is the first row, as Black's is in the picture.
    void features(std::span<float> out, Planes planes = Planes::Full) const {
        std::ranges::fill(out, 0.0f);
        const auto put = [&](int plane, std::uint64_t cells, float value) {
            for (; cells; cells &= cells - 1) {
                const int cell = picture_cell(square_of(std::countr_zero(cells)));
                const int turned = player_ == Black ? cell : 63 - cell;
                out[static_cast<std::size_t>(plane * 64 + turned)] = value;
            }
        };
        const bool full = planes == Planes::Full;
        put(0, mine_ & ~kings_, 1);
        put(full ? 1 : 0, mine_ & kings_, full ? 1 : 3);
        put(full ? 2 : 0, theirs_ & ~kings_, full ? 1 : -1);
        put(full ? 3 : 0, theirs_ & kings_, full ? 1 : -3);
        if (full) put(4, chain_, 1);
    }

    checkers waiting() const {
        checkers other = *this;
        std::swap(other.mine_, other.theirs_);
        other.player_ = 1 - player_;
        return other;
    }

    // "material": what the ply wins, a man being worth 1, a king 1.5 and the game 12. The opponent
    // loses as much.
    static constexpr std::array<const char*, 1> shapings() { return {"material"}; }
    Signal shaping(int, Action, const checkers& after, Stage) const {
        const float won = after.outcome() ? 12 : 0;  // who cannot move has lost: not the mover
        const float gained = after.lead(player_) - lead(player_) + won;
        return {gained, -gained};
    }

    static constexpr int num_symmetries() { return 1; }
    checkers transformed(int) const { return *this; }
    static Action transformed(int, Action a) { return a; }
    static int transformed_cell(int, int cell) { return cell; }

    // As players write it, the side to move first: "B:W22,K30:B1,18". A piece in the middle of a
    // capture follows: "B:W22,K30:B1,18 18x".
    std::string text() const {
        std::string result = player_ == Black ? "B" : "W";
        result += ":W" + square_list(player_ == Black ? theirs_ : mine_);
        result += ":B" + square_list(player_ == Black ? mine_ : theirs_);
        if (chain_) result += " " + square_number(chain_) + "x";
        return result;
    }

    static checkers parse(const Parameters& p, std::string_view text) {
        start(p);  // are the parameters right?
        const bool black = text.starts_with("B:W");
        require(black || text.starts_with("W:W"), Form);
        text.remove_prefix(3);
        const Pieces whites = read_pieces(text);
        require(text.starts_with(":B"), Form);
        text.remove_prefix(2);
        const Pieces blacks = read_pieces(text);
        std::uint64_t chain = 0;
        if (!text.empty()) {
            require(text.starts_with(' '), Form);
            text.remove_prefix(1);
            chain = read_cell(text);
            require(text == "x", Form);
        }
        require(!(whites.all & blacks.all), "two checkers pieces stand on one square");
        require(!(whites.men() & king_row(White)) && !(blacks.men() & king_row(Black)),
                "a man on the far row would have been crowned");
        checkers position(black ? Black : White, black ? blacks.all : whites.all,
                          black ? whites.all : blacks.all, whites.kings | blacks.kings);
        position.chain_ = chain;
        require(position.theirs_, "the side that is not to move has a piece: it has just moved");
        require(!chain || position.is_capturing(chain),
                "the piece before 'x' is the mover's, has just jumped and can jump again");
        return position;
    }

    bool operator==(const checkers&) const = default;

  private:
    static constexpr const char* Form =
        "a checkers position is the side to move and each side's squares in order, like "
        "B:W22,K30:B1,18, and then 18x after a space if that piece is in the middle of a capture";

    static constexpr bool is_jump(Action a) { return a & 1; }
    static constexpr unsigned direction_of(Action a) { return a >> 1 & 3u; }
    static constexpr std::uint64_t cell_of(Action a) { return cell(a >> 3); }
    static constexpr std::uint64_t cell(int square) {
        return std::uint64_t{1} << (square + square / 8);
    }
    static constexpr int square_of(int bit) { return bit - bit / 9; }
    static constexpr int picture_cell(int square) { return square * 2 + (square / 4 % 2 ? 0 : 1); }

    float worth(std::uint64_t pieces) const {
        return static_cast<float>(std::popcount(pieces)) +
               static_cast<float>(std::popcount(pieces & kings_)) / 2;
    }
    float lead(int player) const {
        const float mine = worth(mine_) - worth(theirs_);
        return player == player_ ? mine : -mine;
    }

    std::uint64_t empty() const { return Board & ~(mine_ | theirs_); }
    std::uint64_t going_up() const { return player_ == White ? Board : kings_; }
    std::uint64_t going_down() const { return player_ == Black ? Board : kings_; }

    Picker steps() const {
        const std::uint64_t free = empty();
        const std::uint64_t up = mine_ & going_up(), down = mine_ & going_down();
        return {{up & free << 5, up & free << 4, down & free >> 4, down & free >> 5}, false};
    }

    Picker jumps(std::uint64_t pieces) const {
        const std::uint64_t free = empty();
        const std::uint64_t up = pieces & going_up(), down = pieces & going_down();
        return {{up & theirs_ << 5 & free << 10, up & theirs_ << 4 & free << 8,
                 down & theirs_ >> 4 & free >> 8, down & theirs_ >> 5 & free >> 10},
                true};
    }

    Picker moves() const {
        const Picker captures = jumps(chain_ ? chain_ : mine_);
        return captures.any() ? captures : steps();
    }

    // Whether this piece can be in the middle of a capture: a jump leaves two empty squares behind.
    bool is_capturing(std::uint64_t piece) const {
        const std::uint64_t free = empty();
        const std::uint64_t came_up = (free >> 5 & free >> 10) | (free >> 4 & free >> 8);
        const std::uint64_t came_down = (free << 5 & free << 10) | (free << 4 & free << 8);
        const bool came = piece & ((going_up() & came_up) | (going_down() & came_down));
        return came && jumps(piece & mine_).any() && std::popcount(theirs_) < MaxPieces;
    }

    std::string square_list(std::uint64_t cells) const {
        std::string result;
        for (; cells; cells &= cells - 1) {
            if (!result.empty()) result += ',';
            if (kings_ & cells & -cells) result += 'K';
            result += square_number(cells);
        }
        return result;
    }
    static std::string square_number(std::uint64_t cells) {  // the first of them
        return std::to_string(square_of(std::countr_zero(cells)) + 1);
    }

    struct Pieces {
        std::uint64_t all = 0, kings = 0;

        std::uint64_t men() const { return all & ~kings; }
    };

    // Both take what they read off the text.
    static Pieces read_pieces(std::string_view& text) {
        Pieces pieces;
        if (text.empty() || text.starts_with(':') || text.starts_with(' ')) return pieces;
        while (true) {
            const bool king = text.starts_with('K');
            if (king) text.remove_prefix(1);
            const std::uint64_t piece = read_cell(text);
            require(piece > pieces.all, "a side's squares are in order, each once");
            pieces.all |= piece;
            if (king) pieces.kings |= piece;
            if (!text.starts_with(',')) break;
            text.remove_prefix(1);
        }
        require(std::popcount(pieces.all) <= MaxPieces, "a side has at most 12 pieces");
        return pieces;
    }

    static std::uint64_t read_cell(std::string_view& text) {
        int number = 0;
        std::size_t digits = 0;
        while (digits < std::min<std::size_t>(text.size(), 3) && text[digits] >= '0' &&
               text[digits] <= '9') {
            number = number * 10 + (text[digits++] - '0');
        }
        require(digits > 0 && text[0] != '0', Form);
        require(number <= 32, "checkers squares are 1 to 32, not " + std::to_string(number));
        text.remove_prefix(digits);
        return cell(number - 1);
    }

    std::uint64_t mine_, theirs_;  // of the player to move and of the other
    std::uint64_t kings_;          // of both
    std::uint64_t chain_ = 0;      // the piece in the middle of a capture
    int player_;
};

}  // namespace ludus
