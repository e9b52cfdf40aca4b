// Chinese Checkers for two on a diamond: step and hop across to where the opponent began.
//
// The board and its numbering are drawn in detail/chinesecheckers_board.hpp.
#pragma once

#include "../game.hpp"
#include "../random.hpp"
#include "detail/chinesecheckers_moves.hpp"

namespace ludus {

struct ChineseCheckersParameters {
    int size = 5;
    int pieces = 6;
    bool forward_only = false;
    int repetition = 3;
    std::optional<int> max_plies;

    void visit(auto&& field) {
        field("size", size);
        field("pieces", pieces);
        field("forward_only", forward_only);
        field("repetition", repetition);
        field("max_plies", max_plies);
    }
};

template <class Cells>
class ChineseCheckers {
  public:
    using Parameters = ChineseCheckersParameters;
    using Board = Diamond<Cells>;
    using Fast = ChineseCheckers<SmallBitboard>;
    using Moves = ChineseCheckersMoves<Cells>;

    ChineseCheckers(const Board& board, bool forward_only, Cells first, Cells second, int player)
        : stones_{first, second},
          board_(&board),
          forward_only_(forward_only),
          player_(static_cast<std::uint8_t>(player)) {}

    static ChineseCheckers start(const Parameters& p) {
        check(p);
        const Board& board = Board::of(p.size, p.pieces);
        return ChineseCheckers(board, p.forward_only, board.homes[0], board.homes[1], 0);
    }

    static Limits limits(const Parameters& p) {
        check(p);
        return {.max_plies = p.max_plies.value_or(100 * p.size), .repetition = p.repetition};
    }

    std::optional<Fast> fast() const {
        if (size() > Fast::Board::MaxSize) return std::nullopt;
        const auto small = [](Cells cells) { return SmallBitboard(cells.low()); };
        return Fast(Fast::Board::of(size(), board_->pieces), forward_only_, small(stones_[0]),
                    small(stones_[1]), player_);
    }

    const Board& board() const { return *board_; }
    Cells mine() const { return stones_[player_]; }
    Cells theirs() const { return stones_[1 - player_]; }
    // Leaps ahead look good.
    int promise(Action a) const {
        const int rows = board_->row(board_->to(a)) - board_->row(board_->from(a));
        return std::clamp(7 + (player_ ? -rows : rows), 0, 15);
    }

    int num_actions() const { return cells() * cells(); }
    int player() const { return player_; }
    Cells stones(int player) const { return stones_[static_cast<std::size_t>(player)]; }

    Moves legal() const {
        Moves moves(*board_);
        if (has_won(1 - player_)) return moves;
        reach(mine(), [&](int from, Cells targets) { moves.add(from, targets); });
        return moves;
    }

    bool allows(Action a) const {
        const Cells piece = board_->cell(board_->from(a)), to = board_->cell(board_->to(a));
        bool allowed = false;
        reach(mine() & piece, [&](int, Cells targets) { allowed = targets.touches(to); });
        return allowed && !has_won(1 - player_);
    }

    void apply(Action a) {
        stones_[player_] ^= board_->cell(board_->from(a)) | board_->cell(board_->to(a));
        player_ ^= 1;
    }

    std::optional<Score> outcome() const {
        if (has_won(1 - player_) || is_stuck()) return -1;
        return std::nullopt;
    }

    // How many rows the player's pieces are away from the tip of their goal, all together.
    int distance(int player) const {
        Cells pieces = stones(player);
        int rows = 0;
        while (!pieces.empty()) rows += board_->row(board_->id(pieces.pop_lowest()));
        return player ? rows : 2 * (size() - 1) * board_->pieces - rows;
    }

    // Rows gained are never given back where all moves go forward.
    bool progress(Action a) const {
        return forward_only_ && board_->row(board_->from(a)) != board_->row(board_->to(a));
    }

    // One long product, its halves folded: states remember a key at every ply, so it is hot.
    std::uint64_t key() const {
        const std::uint64_t rest = stones_[0].high() << 32 | stones_[1].high() << 1 | player_;
        return fold(stones_[0].low() ^ 0x9e3779b97f4a7c15ULL,
                    stones_[1].low() ^ 0xbf58476d1ce4e5b9ULL ^ rest * 0x94d049bb133111ebULL);
    }

    // The second player sees the board turned by 180 degrees.
    Action seen(Action a) const { return static_cast<Action>(player_ ? num_actions() - 1 - a : a); }

    Shape shape(Planes = Planes::Full) const { return {2, size(), size()}; }

    // Own pieces, then the opponent's; row i, column j, the mover's tip at (0, 0).
    void features(std::span<float> out, Planes = Planes::Full) const {
        std::ranges::fill(out, 0.0f);
        float* plane = out.data();
        for (Cells stones : {mine(), theirs()}) {
            while (!stones.empty()) {
                const int id = board_->id(stones.pop_lowest());
                const int turned = player_ ? cells() - 1 - id : id;
                plane[board_->i(turned) * size() + board_->j(turned)] = 1;
            }
            plane += cells();
        }
    }

    ChineseCheckers waiting() const {
        ChineseCheckers other = *this;
        other.player_ ^= 1;
        return other;
    }

    // The diamond's mirror image, where the homes are mirror images of themselves.
    int num_symmetries() const { return board_->pieces == 2 ? 1 : 2; }
    ChineseCheckers transformed(int symmetry) const {
        if (symmetry == 0) return *this;
        return ChineseCheckers(*board_, forward_only_, mirror(stones_[0]), mirror(stones_[1]),
                               player_);
    }
    Action transformed(int symmetry, Action a) const {
        if (symmetry == 0) return a;
        return static_cast<Action>(board_->mirror(board_->from(a)) * cells() +
                                   board_->mirror(board_->to(a)));
    }
    int transformed_cell(int symmetry, int cell) const {
        return symmetry ? cell % size() * size() + cell / size() : cell;
    }

    // The cells by id, then who moves: "111..........222 1" is a start.
    std::string text() const {
        std::string result;
        for (int id = 0; id < cells(); ++id) {
            const int bit = board_->bit(id);
            result += stones_[0].contains(bit) ? '1' : stones_[1].contains(bit) ? '2' : '.';
        }
        return result + (player_ ? " 2" : " 1");
    }

    static ChineseCheckers parse(const Parameters& p, std::string_view text) {
        ChineseCheckers position = start(p);
        const auto count = static_cast<std::size_t>(position.cells());
        require(text.size() == count + 2 && text[count] == ' ' &&
                    (text[count + 1] == '1' || text[count + 1] == '2') &&
                    text.substr(0, count).find_first_not_of(".12") == text.npos,
                "a chinesecheckers position here is " + std::to_string(count) +
                    " cells '.', '1' or '2', a space, and '1' or '2' for the player to move");
        position.stones_ = {};
        for (std::size_t id = 0; id < count; ++id) {
            if (text[id] == '.') continue;
            position.stones_[text[id] == '2'] |= position.board_->cell(static_cast<int>(id));
        }
        position.player_ = text[count + 1] == '2';
        require(position.stones_[0].count() == p.pieces && position.stones_[1].count() == p.pieces,
                "each player has " + std::to_string(p.pieces) + " pieces here");
        require(!position.has_won(position.player_),
                "the goal of the player to move is already full with a piece of that player on it");
        require(!position.shuts(0) && !position.shuts(1),
                "a player may not shut the opponent out of the empty tip of a goal");
        return position;
    }

    bool operator==(const ChineseCheckers&) const = default;

  private:
    // Pieces on `from` may not go to `to`.
    struct Taboo {
        Cells from, to;
    };

    static void check(const Parameters& p) {
        require(p.size >= 3 && p.size <= 9,
                "size is between 3 and 9, not " + std::to_string(p.size));
        // How many pieces, and from which size on the two homes share no cell.
        constexpr std::pair<int, int> Fits[] = {{1, 3}, {2, 3}, {3, 3}, {4, 4}, {6, 4}, {10, 5}};
        const auto fit = std::ranges::find(Fits, p.pieces, &std::pair<int, int>::first);
        require(fit != std::end(Fits),
                "pieces is 1, 2, 3, 4, 6 or 10, not " + std::to_string(p.pieces));
        require(p.size >= fit->second,
                std::to_string(p.pieces) + " pieces fit from size " + std::to_string(fit->second) +
                    " on, where the two homes share no cell, not size " + std::to_string(p.size));
        require(p.repetition == 0 || (p.repetition >= 2 && p.repetition <= 100),
                "repetition is from 2 to 100, or 0 for no such rule, not " +
                    std::to_string(p.repetition));
        // A state remembers a key for each ply, and looks through them.
        require(
            !p.max_plies || (*p.max_plies >= 1 && *p.max_plies <= 100'000),
            "max_plies is between 1 and 100000, not " + std::to_string(p.max_plies.value_or(0)));
    }

    static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
        __extension__ using Wide = unsigned __int128;
        const Wide product = Wide{a} * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }

    int size() const { return board_->size; }
    int cells() const { return board_->cells; }
    Cells occupied() const { return stones_[0] | stones_[1]; }

    // The goal, which is the other's home, is full, and not only of pieces that never left.
    bool has_won(int player) const {
        const Cells goal = board_->homes[static_cast<std::size_t>(1 - player)];
        return (goal & ~occupied()).empty() && goal.touches(stones(player));
    }

    // The player's pieces stand around the empty tip of their home, so that nobody gets in.
    bool shuts(int player) const {
        const auto side = static_cast<std::size_t>(player);
        const Cells gate = board_->gates[side];
        return !gate.empty() && (gate & ~stones_[side]).empty() &&
               !occupied().touches(board_->tips[side]);
    }

    // A move into an illegal position does not exist: neither the one that completes the
    // opponent's goal, nor the one that shuts its tip in. Both fill a gap in the mover's home, and
    // where both threaten it is the same gap.
    Taboo taboo() const {
        Taboo result;
        const Cells home = board_->homes[player_];
        const Cells gaps = home & ~occupied();
        if (gaps.count() == 1 && home.touches(theirs())) result = {~home, gaps};
        const Cells gate = board_->gates[player_];
        const Cells tip = board_->tips[player_];
        const Cells open = gate & ~mine();
        if (open.count() == 1 && !theirs().touches(tip | open)) {
            result.from |= mine().touches(tip) ? tip : ~gate;
            result.to = open;
        }
        return result;
    }

    // Calls each(from, targets) for these pieces of the mover with what is legal for them.
    void reach(Cells pieces, auto each) const {
        const Taboo taboo = this->taboo();
        board_->reach(pieces, occupied(), [&](int from, Cells targets) {
            if (forward_only_) targets &= board_->ahead(player_, from);
            if (taboo.from.contains(board_->bit(from))) targets &= ~taboo.to;
            each(from, targets);
        });
    }

    bool is_stuck() const {
        const Cells steps = board_->advance(player_, mine()) & ~occupied() & ~taboo().to;
        if (!steps.empty()) return false;  // as nearly always
        bool stuck = true;
        reach(mine(), [&](int, Cells targets) { stuck &= targets.empty(); });
        return stuck;
    }

    Cells mirror(Cells stones) const {
        Cells result;
        while (!stones.empty()) {
            result |= board_->cell(board_->mirror(board_->id(stones.pop_lowest())));
        }
        return result;
    }

    std::array<Cells, 2> stones_;
    const Board* board_;
    bool forward_only_;
    std::uint8_t player_;
};

using chinesecheckers = ChineseCheckers<Bitboard>;

}  // namespace ludus
