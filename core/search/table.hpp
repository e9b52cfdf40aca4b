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
#include <utility>

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
    Bound bound : 2;       // None: nothing is stored here
    bool settled : 1;      // no evaluation at the horizon had a part in the value
    std::uint8_t age : 5;  // of the iteration that stored it
};

// Whole keys are kept, so different keys never mix; a lost entry costs time, never truth.
//
// A table begins small and grows as it fills: a short search stays in the processor's cache and
// does not pay for memory that it never needs.
template <class Value>
class Table {
  public:
    using Entry = TableEntry<Value>;

    // At most so many bytes, in a power of two of buckets; no table if not one bucket fits.
    explicit Table(std::size_t bytes) : most_(std::bit_floor(bytes / sizeof(Bucket))) {
        if (!most_) return;
        buckets_ = std::min(most_, First);
        memory_ = allocate_zeroed(buckets_);
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
        if (used_ > 3 * buckets_ && buckets_ < most_) grow();
        const auto worth = [&](const Entry& held) {
            if (held.bound == Bound::None) return -1;
            if (held.key == entry.key) return -2;
            return held.depth + (held.age == entry.age ? 256 : 0);
        };
        Entry& place = *std::ranges::min_element(bucket(entry.key), {}, worth);
        used_ += place.bound == Bound::None;
        place = entry;
    }

  private:
    using Bucket = std::array<Entry, 4>;
    struct Free {
        void operator()(Bucket* memory) const { std::free(memory); }
    };
    using Memory = std::unique_ptr<Bucket[], Free>;
    static constexpr std::size_t First = 1 << 10;  // buckets to begin with
    static constexpr std::size_t Last = 1 << 18;  // most to move: then it grows to the full at once

    Bucket& bucket(std::uint64_t key) const { return memory_.get()[key & (buckets_ - 1)]; }

    // The system gives out zeroed pages when they are touched; zeroed entries are empty.
    static Memory allocate_zeroed(std::size_t buckets) {
        static_assert(std::is_trivially_default_constructible_v<Bucket>);
        return Memory(static_cast<Bucket*>(std::calloc(buckets, sizeof(Bucket))));
    }

    // Where there is no memory for a larger table this one does.
    void grow() {
        const std::size_t size = buckets_;
        const std::size_t larger = size < Last ? std::min(most_, 4 * size) : most_;
        Memory memory = allocate_zeroed(larger);
        if (!memory) {
            most_ = buckets_;
            return;
        }
        memory.swap(memory_);
        buckets_ = larger;
        used_ = 0;
        for (const Bucket& full : std::span(memory.get(), size)) {
            for (const Entry& entry : full) {
                if (entry.bound != Bound::None) store(entry);
            }
        }
    }

    std::size_t most_, buckets_ = 0;
    std::size_t used_ = 0;  // entries
    Memory memory_;
};

}  // namespace ludus
