// The endgames of English draughts with a few pieces, numbered.
//
// The side to move is seen as Black, going down the board. A block has all positions with so many
// men and kings of each side; men never stand on the row where they would be crowned. A slice is a
// block and the block with the sides exchanged. A capture leaves fewer pieces and a man that is
// crowned fewer men, so slices are ordered by pieces, then by men.
//
// A move is a whole turn: a capture of several pieces is one. Positions in the middle of a capture
// have no number.
#pragma once

#include <algorithm>
#include <vector>

#include "../games/checkers.hpp"
#include "space.hpp"
#include "subsets.hpp"

namespace ludus {

class CheckersSpace {
  public:
    static constexpr int MaxPieces = 5;

    explicit CheckersSpace(int pieces) : pieces_(pieces) {
        require(pieces >= 2 && pieces <= MaxPieces,
                "checkers endgames are solved up to 2, 3, 4 or 5 pieces, not " +
                    std::to_string(pieces));
        const auto width = static_cast<std::size_t>(MaxPieces);
        block_of_.resize(width * width * width * width);
        for (int total = 2; total <= pieces; ++total) {
            for (int men = 0; men <= total; ++men) add_slices(total, men);
        }
    }

    int pieces() const { return pieces_; }
    std::uint64_t size() const { return slices_.back().last; }
    std::size_t slices() const { return slices_.size(); }
    Range slice(std::size_t i) const { return slices_[i]; }
    void weights(std::size_t slice, auto f) const { f(slices_[slice], 1); }

    class Node {
      public:
        Node(const CheckersSpace& space, const checkers& at) : space_(space), at_(at) {}

        const checkers& position() const { return at_; }
        Standing standing() const { return at_.outcome() ? Standing::Lost : Standing::Open; }

        void successors(auto f) const {
            turns(at_,
                  [&](const checkers& after) { f(after.mine() ? space_.number(after) : Ended); });
        }

        // Steps that the other side can have taken last, neither capturing nor crowning.
        void predecessors(auto f) const {
            constexpr std::array<int, 4> Back = {4, 5, -4, -5};
            const std::uint64_t empty = checkers::Board & ~(at_.mine() | at_.theirs());
            for (std::size_t way = 0; way < 4; ++way) {
                const std::uint64_t movers = way < 2 ? at_.theirs() : at_.theirs() & at_.kings();
                std::uint64_t from = std::rotl(movers, Back[way]) & empty;
                for (; from; from &= from - 1) {
                    const std::uint64_t there = from & -from, here = std::rotr(there, Back[way]);
                    const std::uint64_t kings =
                        at_.kings() & here ? at_.kings() ^ here ^ there : at_.kings();
                    const checkers before(checkers::White, at_.theirs() ^ here ^ there, at_.mine(),
                                          kings);
                    if (!before.forced()) f(space_.number(before));
                }
            }
        }

      private:
        // Calls f with the position at the end of each turn, as deep as pieces can be captured.
        static void turns(const checkers& at, auto f) {
            for (const Action a : at.legal()) {
                checkers after = at;
                after.apply(a);
                after.capturing() ? turns(after, f) : f(after);
            }
        }

        const CheckersSpace& space_;
        checkers at_;
    };

    Node node(std::size_t slice, std::uint64_t index) const {
        const Block* block = &blocks_[first_block_[slice]];
        if (index >= block->range.last) ++block;
        return Node(*this, block->position(index - block->range.first));
    }

    bool covers(const checkers& at) const {
        return std::popcount(at.mine() | at.theirs()) <= pieces_;
    }
    // The number of a position that is covered and not over; none in the middle of a capture.
    std::optional<std::uint64_t> find(const checkers& at) const {
        return at.capturing() ? std::nullopt : std::optional(number(at));
    }

    // A position of at most so many pieces at the start of a turn, both sides having some.
    std::uint64_t number(const checkers& at) const {
        const bool black = at.player() == checkers::Black;
        const auto seen = [&](std::uint64_t set) { return black ? set : rotate_bits(set, 35); };
        const std::uint64_t kings = seen(at.kings());
        const std::uint64_t mine = seen(at.mine()), theirs = seen(at.theirs());
        const Block& block = blocks_[block_of_[place(
            {std::popcount(mine & ~kings), std::popcount(mine & kings),
             std::popcount(theirs & ~kings), std::popcount(theirs & kings)})]];
        return block.range.first +
               block.number(mine & ~kings, mine & kings, theirs & ~kings, theirs & kings);
    }

  private:
    struct Material {
        int my_men, my_kings, their_men, their_kings;

        Material swap_sides() const { return {their_men, their_kings, my_men, my_kings}; }
        bool operator==(const Material&) const = default;
    };

    // The positions with one material: the mover's men, the other's men on what they leave free,
    // the mover's kings, the other's kings.
    struct Block {
        static constexpr std::uint64_t MyMen =
            checkers::Board & ~checkers::king_row(checkers::Black);
        static constexpr std::uint64_t TheirMen =
            checkers::Board & ~checkers::king_row(checkers::White);

        Material material;
        Range range;
        std::vector<std::uint64_t> first_men;  // [the mover's men]: pairs with lower ones of these
        std::uint64_t my_kings, their_kings;   // choices, each for given other pieces

        Block(const Material& m, std::uint64_t first) : material(m) {
            std::uint64_t pairs = 0;
            for (std::uint64_t i = 0; i < Subsets::count(28, m.my_men); ++i) {
                first_men.push_back(pairs);
                const std::uint64_t men = Subsets::unrank(i, m.my_men, MyMen);
                pairs += Subsets::count(std::popcount(TheirMen & ~men), m.their_men);
            }
            const int free = 32 - m.my_men - m.their_men;
            my_kings = Subsets::count(free, m.my_kings);
            their_kings = Subsets::count(free - m.my_kings, m.their_kings);
            range = {first, first + pairs * my_kings * their_kings};
        }

        std::uint64_t number(std::uint64_t men, std::uint64_t kings, std::uint64_t other_men,
                             std::uint64_t other_kings) const {
            const std::uint64_t pair =
                first_men[Subsets::rank(men, MyMen)] + Subsets::rank(other_men, TheirMen & ~men);
            const std::uint64_t free = checkers::Board & ~(men | other_men);
            return (pair * my_kings + Subsets::rank(kings, free)) * their_kings +
                   Subsets::rank(other_kings, free & ~kings);
        }

        checkers position(std::uint64_t number) const {
            const std::uint64_t pair = number / their_kings / my_kings;
            const auto found = std::ranges::upper_bound(first_men, pair) - 1;
            const auto men_number = static_cast<std::uint64_t>(found - first_men.begin());
            const std::uint64_t men = Subsets::unrank(men_number, material.my_men, MyMen);
            const std::uint64_t other_men =
                Subsets::unrank(pair - *found, material.their_men, TheirMen & ~men);
            const std::uint64_t free = checkers::Board & ~(men | other_men);
            const std::uint64_t kings =
                Subsets::unrank(number / their_kings % my_kings, material.my_kings, free);
            const std::uint64_t other_kings =
                Subsets::unrank(number % their_kings, material.their_kings, free & ~kings);
            return {checkers::Black, men | kings, other_men | other_kings, kings | other_kings};
        }
    };

    static std::size_t place(const Material& m) {
        const int width = MaxPieces;  // each side has a piece, so no count of one kind exceeds 4
        return static_cast<std::size_t>(
            ((m.my_men * width + m.my_kings) * width + m.their_men) * width + m.their_kings);
    }

    void add_slices(int total, int men) {
        for (int mine = 1; 2 * mine <= total; ++mine) {
            for (int my_men = std::max(0, men - (total - mine)); my_men <= std::min(mine, men);
                 ++my_men) {
                const Material material{my_men, mine - my_men, men - my_men,
                                        total - mine - (men - my_men)};
                const bool equal = 2 * mine == total;
                if (equal && my_men > material.their_men) continue;  // the other order of sides
                add_slice(material);
            }
        }
    }

    void add_slice(const Material& material) {
        const std::uint64_t first = slices_.empty() ? 0 : slices_.back().last;
        first_block_.push_back(blocks_.size());
        add_block(material, first);
        if (material.swap_sides() != material) {
            add_block(material.swap_sides(), blocks_.back().range.last);
        }
        slices_.push_back({first, blocks_.back().range.last});
    }

    void add_block(const Material& material, std::uint64_t first) {
        block_of_[place(material)] = static_cast<std::uint32_t>(blocks_.size());
        blocks_.emplace_back(material, first);
    }

    int pieces_;
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> block_of_;   // [material]
    std::vector<std::size_t> first_block_;  // [slice]
    std::vector<Range> slices_;
};

}  // namespace ludus
