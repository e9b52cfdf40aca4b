// The legal actions of Cathedral, counted and picked from without listing them.
#pragma once

#include <compare>
#include <iterator>
#include <utility>

#include "../../bitboard.hpp"
#include "../../game.hpp"
#include "../../list.hpp"

namespace ludus {

// For each building and each way to turn it: the set of its possible lowest cells.
class CathedralPlacements {
  public:
    class Iterator {
      public:
        using value_type = Action;
        using reference = Action;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::random_access_iterator_tag;

        Iterator() = default;
        Iterator(const CathedralPlacements* list, std::size_t index) : list_(list), index_(index) {
            seek();
        }

        Action operator*() const { return list_->group(group_).action(rest_.lowest()); }
        Action operator[](difference_type by) const { return *(*this + by); }
        Iterator& operator++() {
            ++index_;
            rest_.pop_lowest();
            if (rest_.empty()) seek();
            return *this;
        }
        Iterator& operator+=(difference_type by) {
            index_ += static_cast<std::size_t>(by);
            seek();
            return *this;
        }
        Iterator& operator-=(difference_type by) { return *this += -by; }
        Iterator& operator--() { return *this += -1; }
        Iterator operator++(int) { return std::exchange(*this, *this + 1); }
        Iterator operator--(int) { return std::exchange(*this, *this - 1); }
        friend Iterator operator+(Iterator at, difference_type by) { return at += by; }
        friend Iterator operator+(difference_type by, Iterator at) { return at += by; }
        friend Iterator operator-(Iterator at, difference_type by) { return at -= by; }
        friend difference_type operator-(const Iterator& a, const Iterator& b) {
            return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
        }
        bool operator==(const Iterator& other) const { return index_ == other.index_; }
        auto operator<=>(const Iterator& other) const { return index_ <=> other.index_; }

      private:
        void seek() {
            if (index_ >= list_->size_) return;
            group_ = list_->group_of(index_);
            const Group& group = list_->group(group_);
            rest_ = group.cells() & ~Bitboard::first(group.cell(index_));
        }

        const CathedralPlacements* list_ = nullptr;
        std::size_t index_ = 0, group_ = 0;
        Bitboard rest_;  // the cells of the group from here on
    };

    // The placement with a lowest cell among these is action first + rank[cell].
    void add(Bitboard lowest, Action first, const std::uint16_t* rank) {
        groups_.push_back({lowest.low(), lowest.high(), rank, first, size_});
        size_ = static_cast<std::uint16_t>(size_ + lowest.count());
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Action operator[](std::size_t index) const {
        const Group& chosen = group(group_of(index));
        return chosen.action(chosen.cell(index));
    }
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size_}; }

  private:
    struct Group {
        std::uint64_t low, high;  // not a Bitboard, which would be cleared for nothing
        const std::uint16_t* rank;
        Action first;
        std::uint16_t before;  // placements in earlier groups

        Bitboard cells() const { return {low, high}; }
        int cell(std::size_t index) const {
            return cells().select(static_cast<int>(index) - before);
        }
        Action action(int cell) const { return static_cast<Action>(first + rank[cell]); }
    };

    const Group& group(std::size_t i) const { return groups_.begin()[i]; }
    std::size_t group_of(std::size_t index) const {
        std::size_t i = groups_.size() - 1;
        while (group(i).before > index) --i;
        return i;
    }

    std::uint16_t size_ = 0;
    InlineList<Group, 36> groups_;
};

}  // namespace ludus
