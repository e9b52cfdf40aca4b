// What a network said of positions, so that it is asked once about each.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "../game.hpp"

namespace ludus {

struct Prior {
    Action action;
    float share;
};

// A table of so many entries, in which a newcomer takes the place of whoever stood there. It
// forgets everything when its priors fill their memory, and when the network changes.
class Evaluations {
  public:
    explicit Evaluations(std::size_t entries)
        : entries_(std::bit_ceil(entries)), most_priors_(32 * std::bit_ceil(entries)) {}

    std::uint64_t hits() const { return hits_; }

    // The priors of a position that was asked about, else nothing; then `value` is its value.
    std::span<const Prior> find(std::uint64_t key, float& value) {
        const Entry& entry = entries_[key & (entries_.size() - 1)];
        if (entry.key != key || entry.count == 0) return {};
        ++hits_;
        value = entry.value;
        return {priors_.data() + entry.first, entry.count};
    }

    void put(std::uint64_t key, std::span<const Prior> priors, float value) {
        if (priors_.size() + priors.size() > most_priors_) clear();
        const std::size_t first = priors_.size();
        priors_.insert(priors_.end(), priors.begin(), priors.end());  // may fail
        entries_[key & (entries_.size() - 1)] = {key, first,
                                                 static_cast<std::uint32_t>(priors.size()), value};
    }

    void clear() {
        if (priors_.empty()) return;
        std::ranges::fill(entries_, Entry{});
        priors_.clear();
    }

  private:
    struct Entry {
        std::uint64_t key = 0;
        std::size_t first = 0;
        std::uint32_t count = 0;
        float value = 0;
    };

    std::vector<Entry> entries_;
    std::size_t most_priors_;
    std::vector<Prior> priors_;
    std::uint64_t hits_ = 0;
};

}  // namespace ludus
