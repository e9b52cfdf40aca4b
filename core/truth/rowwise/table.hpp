// The solved table of a space in rows, read from anywhere: memory, or a mapped file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace ludus::rowwise {

// What the rules say of a position: it goes on, the mover has lost, or it cannot occur.
enum class Standing { Open, Over, Illegal };

// What is true of a position for its mover: bit 0 says won, bit 1 lost, both that it cannot occur.
enum class Truth { Draw, Win, Loss, Illegal };

struct Place {
    std::uint32_t row, entry;
};

// Distances are bytes; the largest ones say why there is none.
inline constexpr std::uint8_t NoDistance = 255, IllegalDistance = 254, LongestDistance = 253;

// How many words hold a bit for each entry of a row.
template <class Space>
std::size_t row_words(const Space& space) {
    return (std::size_t{space.entries()} + 63) / 64;
}

// `values` has for each row the won bits of its entries as targets and then the lost bits, each as
// whole words; `distances`, which may be empty, a byte for each entry of each row as a source.
template <class Space>
class Table {
  public:
    using Position = typename Space::Position;

    Table(const Space& space, std::span<const std::uint64_t> values,
          std::span<const std::uint8_t> distances)
        : space_(&space), width_(row_words(space)), values_(values), distances_(distances) {}

    Truth truth(const Position& position) const {
        const Place place = space_->as_target(position);
        const std::uint64_t* won = values_.data() + 2 * width_ * place.row + place.entry / 64;
        const int bit = static_cast<int>(place.entry % 64);
        return static_cast<Truth>((won[0] >> bit & 1) | (won[width_] >> bit & 1) << 1);
    }

    // In plies; nullopt for a draw, and where there are no distances.
    std::optional<int> distance(const Position& position) const {
        if (distances_.empty()) return std::nullopt;
        const Place place = space_->as_source(position);
        const int found = distances_[std::size_t{place.row} * space_->entries() + place.entry];
        return found <= LongestDistance ? std::optional(found) : std::nullopt;
    }

  private:
    const Space* space_;
    std::size_t width_;
    std::span<const std::uint64_t> values_;
    std::span<const std::uint8_t> distances_;
};

}  // namespace ludus::rowwise
