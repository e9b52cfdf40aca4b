// What is known of positions: a lower and an upper bound of the score of each.
//
// An entry is one word: the position's tag, three bits of how much work it was, two bounds of six
// bits. Four entries share a bucket of half a cache line; the least work makes room. The table
// starts small and grows with what is stored, so that a short search stays in the cache and is
// cleared at once, and a long one gets the memory it was allowed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ludus::four {

struct Bounds {
    int low, high;
};

class Table {
  public:
    // Keys have `key_bits` bits; about 2^size_bits bytes are used at most.
    Table(int key_bits, int size_bits)
        : key_bits_(key_bits),
          untagged_(std::max(0, key_bits - TagBits)),
          first_(std::max(8, untagged_)),
          most_(std::max(first_, size_bits - 5)),
          memory_(std::calloc((std::size_t{1} << most_) + 1, sizeof(Bucket))) {
        if (!memory_) throw std::bad_alloc();
        void* start = memory_.get();
        std::size_t space = ((std::size_t{1} << most_) + 1) * sizeof(Bucket);
        buckets_ = static_cast<Bucket*>(std::align(alignof(Bucket), sizeof(Bucket), start, space));
#ifdef MADV_HUGEPAGE
        // Probes go all over a large table: small pages would cost a second miss each.
        const std::size_t page = std::size_t{1} << 21;
        const std::size_t bytes = sizeof(Bucket) << most_;
        if (bytes > 2 * page) {
            const auto from = (reinterpret_cast<std::uintptr_t>(buckets_) + page - 1) & ~(page - 1);
            madvise(reinterpret_cast<void*>(from), bytes - page, MADV_HUGEPAGE);
        }
#endif
        set_size(first_);
    }

    // A one-to-one scramble of the key; its low bits choose the bucket.
    std::uint64_t hash(std::uint64_t key) const {
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - key_bits_);
        const int half = (key_bits_ + 1) / 2;
        key = key * 0x9e3779b97f4a7c15ULL & mask;
        key ^= key >> half;
        key = key * 0xbf58476d1ce4e5b9ULL & mask;
        return key ^ key >> half;
    }

    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&bucket(hash)); }

    // Narrows the bounds by what is known.
    void recall(std::uint64_t hash, Bounds& bounds) const {
        const std::uint64_t tag = hash >> untagged_;
        for (const std::uint64_t entry : bucket(hash).entries) {
            if (entry >> ValueBits != tag || !entry) continue;
            bounds.low = std::max(bounds.low, score(entry >> 6));
            bounds.high = std::min(bounds.high, score(entry));
            return;
        }
    }

    void store(std::uint64_t hash, Bounds bounds, std::uint64_t nodes) {
        const std::uint64_t tag = hash >> untagged_;
        const auto work = std::min<std::uint64_t>(std::bit_width(nodes) / 3, 7);
        std::uint64_t* place = nullptr;
        for (std::uint64_t& entry : bucket(hash).entries) {
            if (!entry || entry >> ValueBits == tag) {
                place = &entry;
                break;
            }
            if (!place || work_of(entry) < work_of(*place)) place = &entry;
        }
        used_ += !*place;
        *place = tag << ValueBits | work << 12 | code(bounds.low) << 6 | code(bounds.high);
        if (used_ > grow_at_) grow();
    }

    void clear() {
        std::fill_n(buckets_, std::size_t{1} << bits_, Bucket{});
        used_ = 0;
        set_size(first_);
    }

  private:
    static constexpr int TagBits = 49, ValueBits = 15;
    static constexpr int Growth = 2;  // bits at a time
    struct alignas(32) Bucket {
        std::array<std::uint64_t, 4> entries{};
    };
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    static int score(std::uint64_t bits) { return static_cast<int>(bits & 63) - 32; }
    static std::uint64_t code(int score) { return static_cast<std::uint64_t>(score + 32); }
    static std::uint64_t work_of(std::uint64_t entry) { return entry >> 12 & 7; }

    Bucket& bucket(std::uint64_t hash) const { return buckets_[hash & mask_]; }

    void set_size(int bits) {
        bits_ = bits;
        mask_ = (std::uint64_t{1} << bits) - 1;
        grow_at_ = bits < most_ ? std::size_t{2} << bits : ~std::size_t{0};
    }

    // Half full: entries of a bucket move to where one more bit of their hashes sends them.
    void grow() {
        const std::uint64_t old = mask_ + 1;
        set_size(std::min(bits_ + Growth, most_));
        const std::uint64_t untagged = (std::uint64_t{1} << untagged_) - 1;
        for (std::uint64_t i = 0; i < old; ++i) {
            const Bucket moving = std::exchange(buckets_[i], Bucket{});
            for (const std::uint64_t entry : moving.entries) {
                if (!entry) continue;
                const std::uint64_t hash = (entry >> ValueBits) << untagged_ | (i & untagged);
                *std::ranges::find(bucket(hash).entries, std::uint64_t{0}) = entry;
            }
        }
    }

    int key_bits_, untagged_, first_, most_;
    std::unique_ptr<void, Free> memory_;
    Bucket* buckets_ = nullptr;
    int bits_ = 0;
    std::uint64_t mask_ = 0;
    std::size_t used_ = 0, grow_at_ = 0;
};

}  // namespace ludus::four
