// The legal actions of Chinese Checkers: a set of targets for each piece, made into numbers only
// when they are looked at.
#pragma once

#include <compare>
#include <iterator>

#include "../../game.hpp"
#include "chinesecheckers_board.hpp"

namespace ludus {

template <class Cells>
class ChineseCheckersMoves {
  public:
    class Iterator {
      public:
        using iterator_concept = std::random_access_iterator_tag;
        using value_type = Action;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const ChineseCheckersMoves& moves, std::size_t index) : moves_(&moves) {
            seek(index);
        }

        Action operator*() const { return moves_->action(piece_, rest_.lowest()); }
        Action operator[](difference_type n) const { return *(*this + n); }

        Iterator& operator++() {
            ++index_;
            rest_.pop_lowest();
            while (rest_.empty() && ++piece_ < moves_->pieces_) rest_ = moves_->by_id(piece_);
            return *this;
        }
        Iterator& operator+=(difference_type n) {
            seek(index_ + static_cast<std::size_t>(n));
            return *this;
        }
        Iterator& operator--() { return *this -= 1; }
        Iterator& operator-=(difference_type n) { return *this += -n; }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        Iterator operator--(int) {
            const Iterator before = *this;
            --*this;
            return before;
        }

        friend Iterator operator+(Iterator at, difference_type n) { return at += n; }
        friend Iterator operator+(difference_type n, Iterator at) { return at += n; }
        friend Iterator operator-(Iterator at, difference_type n) { return at -= n; }
        friend difference_type operator-(const Iterator& a, const Iterator& b) {
            return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
        }
        friend bool operator==(const Iterator& a, const Iterator& b) {
            return a.index_ == b.index_;
        }
        friend auto operator<=>(const Iterator& a, const Iterator& b) {
            return a.index_ <=> b.index_;
        }

      private:
        void seek(std::size_t index) {
            index_ = index;
            if (index == moves_->size_) return;
            piece_ = moves_->owner(index);
            rest_ = moves_->by_id(piece_);
            for (index -= moves_->starts_[piece_]; index > 0; --index) rest_.pop_lowest();
        }

        const ChineseCheckersMoves* moves_ = nullptr;
        std::size_t index_ = 0, piece_ = 0;
        Cells rest_;  // the piece's targets from this one on
    };

    ChineseCheckersMoves() {}  // none; the arrays stay uninitialised on purpose
    explicit ChineseCheckersMoves(const Diamond<Cells>& board) : board_(&board) {}

    void add(int from, Cells targets) {
        from_[pieces_] = static_cast<std::uint8_t>(from);
        starts_[pieces_] = static_cast<std::uint8_t>(size_);
        targets_[pieces_++] = targets;
        size_ += static_cast<std::size_t>(targets.count());
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Action operator[](std::size_t index) const {
        const std::size_t piece = owner(index);
        return action(piece, by_id(piece).select(static_cast<int>(index - starts_[piece])));
    }
    Iterator begin() const { return Iterator(*this, 0); }
    Iterator end() const { return Iterator(*this, size_); }

  private:
    // The piece whose action this is: the last that starts at or before it.
    std::size_t owner(std::size_t index) const {
        std::size_t piece = 0;
        for (std::size_t other = 1; other < pieces_; ++other) piece += starts_[other] <= index;
        return piece;
    }
    Cells by_id(std::size_t piece) const { return board_->by_id(targets_[piece]); }
    Action action(std::size_t piece, int to) const {
        return static_cast<Action>(from_[piece] * board_->cells + to);
    }

    // Starts fit a byte. Hops keep the parity of both coordinates, and by parity the 9 x 9 cells
    // are of four kinds, 25, 20, 20 and 16 of them: ten pieces that each hop to all free cells of
    // their kind have at most 187 hops between them, and 60 steps.
    static constexpr std::size_t Most = Diamond<Cells>::MaxPieces;

    const Diamond<Cells>* board_ = nullptr;
    std::size_t pieces_ = 0, size_ = 0;
    std::uint8_t from_[Most], starts_[Most];
    Cells targets_[Most];
};

}  // namespace ludus
