// What is true of a state, in one byte.
#pragma once

#include <cstdint>
#include <optional>

#include "../game.hpp"

namespace ludus {

// A turn changes the player to move, so a loss is an even number of turns away and a win an odd
// one: the distance tells the value. A table of these bytes is all that an oracle needs.
class Verdict {
  public:
    static constexpr int MaxDistance = 253;

    constexpr Verdict() = default;  // a draw; while a table is being made, also what is not known
    constexpr explicit Verdict(std::uint8_t code) : code_(code) {}
    static constexpr Verdict illegal() { return Verdict(255); }
    // The game ends so many turns from here, if both play well.
    static constexpr Verdict ends_in(int distance) {
        return Verdict(static_cast<std::uint8_t>(distance + 1));
    }

    constexpr std::uint8_t code() const { return code_; }
    constexpr bool open() const { return code_ == 0; }
    constexpr bool won() const { return value() > 0; }
    constexpr bool lost() const { return value() < 0; }
    constexpr Score value() const {
        if (code_ == 0 || code_ == 255) return 0;
        return code_ % 2 ? -1 : 1;
    }
    constexpr std::optional<int> distance() const {
        if (value() == 0) return std::nullopt;
        return code_ - 1;
    }
    // Whether the player to move would rather have this: a quick win, a draw, a slow loss.
    constexpr bool better_than(Verdict other) const {
        if (value() != other.value()) return value() > other.value();
        return won() ? code_ < other.code_ : code_ > other.code_;
    }
    bool operator==(const Verdict&) const = default;

  private:
    std::uint8_t code_ = 0;
};

// The verdict of a state from those of its successors, given one by one.
class Choice {
  public:
    void consider(Verdict successor) {
        if (successor.lost()) {
            if (!fastest_ || successor.code() < fastest_) fastest_ = successor.code();
        } else if (successor.won()) {
            if (successor.code() > slowest_) slowest_ = successor.code();
        } else {
            drawn_ = true;
        }
    }
    // A successor about which nothing is known yet.
    void leave_open() { drawn_ = true; }

    bool can_win() const { return fastest_ != 0; }
    // A code is one more than a distance, so the next distance is the code itself.
    Verdict verdict() const {
        if (fastest_) return Verdict::ends_in(fastest_);
        return drawn_ ? Verdict() : Verdict::ends_in(slowest_);
    }

  private:
    std::uint8_t fastest_ = 0, slowest_ = 0;  // codes of lost and won successors
    bool drawn_ = false;
};

}  // namespace ludus
