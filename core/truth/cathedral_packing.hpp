// How many squares one side can still fill when nobody disturbs it.
#pragma once

#include <algorithm>
#include <array>

#include "../games/cathedral.hpp"

namespace ludus {

// The buildings that a side has left, by kind.
class CathedralStock {
  public:
    static constexpr int All = 47;  // squares of all buildings of a side

    CathedralStock(const CathedralCity& city, int side) : tables_(&city.tables()), side_(side) {
        for (int building = 0; building < CathedralCity::Own; ++building) {
            const int kind = CathedralTables::KindOf[building];
            building_[kind] = building;
            if (!city.placed(side, building)) put_back(kind);
        }
    }

    int squares() const { return squares_; }
    bool has(int kind) const { return left_[static_cast<std::size_t>(kind)] > 0; }
    const std::vector<CathedralTables::Shape>& shapes(int kind) const {
        return tables_->shapes(side_, building_[kind]);
    }
    void take(int kind) { add(kind, -1); }
    void put_back(int kind) { add(kind, 1); }

  private:
    void add(int kind, int count) {
        left_[static_cast<std::size_t>(kind)] += count;
        squares_ += count * shapes(kind)[0].size;
    }

    const CathedralTables* tables_;
    int side_;
    int squares_ = 0;
    std::array<int, CathedralCity::OwnKinds> left_{}, building_{};
};

// The most squares of a region that a stock can cover, or bounds of it if that is hard to tell.
//
// The lowest cell is covered by some building that has it as its own lowest cell, or stays empty.
class CathedralPacking {
  public:
    CathedralPacking(const CathedralStock& stock, Bitboard region, int nodes)
        : stock_(stock), nodes_(nodes), most_(std::min(region.count(), stock.squares())) {
        fill(region, 0);
        if (nodes_ > 0) most_ = least_;
    }

    int least() const { return least_; }
    int most() const { return most_; }

  private:
    // As deep as the region has cells.
    void fill(Bitboard region, int covered) {
        least_ = std::max(least_, covered);
        while (!region.empty() && --nodes_ > 0) {
            const int room = std::min(region.count(), stock_.squares());
            if (covered + room <= least_ || least_ == most_) return;
            const Bitboard lowest = Bitboard::cell(region.lowest());
            for (int kind = CathedralCity::OwnKinds - 1; kind >= 0; --kind) {
                if (!stock_.has(kind)) continue;
                for (const auto& shape : stock_.shapes(kind)) {
                    const Bitboard cells = shape.mask << lowest.lowest();
                    // What is shifted out of the word is lost, not outside the region.
                    if (cells.touches(~region) || cells.count() < shape.size) continue;
                    stock_.take(kind);
                    fill(region & ~cells, covered + shape.size);
                    stock_.put_back(kind);
                }
            }
            region &= ~lowest;
        }
    }

    CathedralStock stock_;
    int nodes_;
    int least_ = 0, most_;
};

}  // namespace ludus
