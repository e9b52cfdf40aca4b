// The keys of positions along a line of play: a list that grows at its end and is cheap to copy.
//
// The newest keys lie in the list itself, so that short pasts cost no allocation. Full blocks of
// older ones never change and are shared by all lists that grew from there: a state for each ply
// of a long game needs as much memory as the last of them and a little each.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace ludus {

class Keys {
  public:
    Keys() = default;
    Keys(const Keys& other) : size_(other.size_), older_(other.older_) {
        std::copy_n(other.newest_.begin(), other.fresh(), newest_.begin());
        if (older_) older_->users.fetch_add(1, std::memory_order_relaxed);
    }
    Keys(Keys&& other) noexcept
        : size_(std::exchange(other.size_, 0)), older_(std::exchange(other.older_, nullptr)) {
        std::copy_n(other.newest_.begin(), fresh(), newest_.begin());
    }
    Keys& operator=(const Keys& other) {
        if (older_ != other.older_) {
            if (other.older_) other.older_->users.fetch_add(1, std::memory_order_relaxed);
            release(std::exchange(older_, other.older_));
        }
        size_ = other.size_;
        std::copy_n(other.newest_.begin(), fresh(), newest_.begin());
        return *this;
    }
    Keys& operator=(Keys&& other) noexcept {
        if (this == &other) return *this;
        release(std::exchange(older_, std::exchange(other.older_, nullptr)));
        size_ = std::exchange(other.size_, 0);
        std::copy_n(other.newest_.begin(), fresh(), newest_.begin());
        return *this;
    }
    ~Keys() { release(older_); }

    std::size_t size() const { return size_; }
    std::uint64_t back() const { return newest_[fresh() - 1]; }

    void push_back(std::uint64_t key) {
        if (size_ && fresh() == Block) older_ = new Full{newest_, older_, 1};
        newest_[size_ % Block] = key;
        ++size_;
    }

    void clear() {
        release(std::exchange(older_, nullptr));
        size_ = 0;
    }

    // How often the last key occurs before it.
    std::int64_t repeats() const {
        const std::uint64_t key = back();
        // The last key was stored just now: a scan that includes it would wait for it.
        auto count = std::count(newest_.begin(), newest_.begin() + fresh() - 1, key);
        for (const Full* block = older_; block; block = block->older) {
            count += std::count(block->keys.begin(), block->keys.end(), key);
        }
        return count;
    }

    // From the first to the last.
    std::vector<std::uint64_t> list() const {
        std::vector<std::uint64_t> keys(size_);
        auto end = keys.begin() + size_ - fresh();
        std::copy_n(newest_.begin(), fresh(), end);
        for (const Full* block = older_; block; block = block->older) {
            end -= Block;
            std::ranges::copy(block->keys, end);
        }
        return keys;
    }

    bool operator==(const Keys& other) const {
        if (size_ != other.size_) return false;
        if (!std::equal(newest_.begin(), newest_.begin() + fresh(), other.newest_.begin())) {
            return false;
        }
        const Full *mine = older_, *theirs = other.older_;
        for (; mine != theirs; mine = mine->older, theirs = theirs->older) {
            if (mine->keys != theirs->keys) return false;
        }
        return true;
    }

  private:
    static constexpr std::uint32_t Block = 32;

    struct Full {
        std::array<std::uint64_t, Block> keys;
        const Full* older;
        mutable std::atomic<std::uint32_t> users;  // lists and newer blocks, in any thread
    };

    // How many keys lie in the list itself: from 1 to a whole block, or none at all.
    std::uint32_t fresh() const { return size_ ? (size_ - 1) % Block + 1 : 0; }

    // In a loop: a long line of blocks would overflow the stack.
    static void release(const Full* block) {
        while (block && block->users.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete std::exchange(block, block->older);
        }
    }

    std::uint32_t size_ = 0;
    const Full* older_ = nullptr;
    std::array<std::uint64_t, Block> newest_;  // as many as are fresh; the others have no value
};

}  // namespace ludus
