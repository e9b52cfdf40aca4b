// The transposition table: what a search found out about positions it may meet again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "../game.hpp"

namespace ludus {

// What a stored value says of the true one.
enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

template <class Value>
struct TableEntry {
    std::uint64_t key;
    Value value;
    Action best;
    std::uint8_t depth;
    Bound bound : 2;           // None: nothing is stored here
    bool settled : 1;          // no evaluation at the horizon had a part in the value
    std::uint8_t age : 5;      // of the iteration that stored it
};

// Whole keys are kept, so different keys never mix; a lost entry costs time, never truth.
template <class Value>
class Table {
  public:
    using Entry = TableEntry<Value>;

    // As many entries as fit, in a power of two of buckets; none at all if not one bucket fits.
    explicit Table(std::size_t bytes) : buckets_(std::bit_floor(bytes / sizeof(Bucket))) {
        if (buckets_ == 0) return;
        // Zeroed pages come from the system when they are touched: a short search pays for few.
        static_assert(std::is_trivially_default_constructible_v<Bucket>);
        memory_.reset(static_cast<Bucket*>(std::calloc(buckets_, sizeof(Bucket))));
        if (!memory_) throw std::bad_alloc();
    }

    const Entry* find(std::uint64_t key) const {
        if (buckets_ == 0) return nullptr;
        for (const Entry& entry : bucket(key)) {
            if (entry.key == key && entry.bound != Bound::None) return &entry;
        }
        return nullptr;
    }

    // Takes the place of the same key, else of the oldest and shallowest in its bucket.
    void store(const Entry& entry) {
        if (buckets_ == 0) return;
        const auto worth = [&](const Entry& held) {
            if (held.bound == Bound::None) return -1;
            if (held.key == entry.key) return -2;
            return held.depth + (held.age == entry.age ? 256 : 0);
        };
        *std::ranges::min_element(bucket(entry.key), {}, worth) = entry;
    }

  private:
    using Bucket = std::array<Entry, 4>;
    struct Free {
        void operator()(Bucket* memory) const { std::free(memory); }
    };

    Bucket& bucket(std::uint64_t key) const { return memory_.get()[key & (buckets_ - 1)]; }

    std::size_t buckets_;
    std::unique_ptr<Bucket[], Free> memory_;
};

}  // namespace ludus
