// A state as bytes: its parameters, its position's text, its history. Read back strictly.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "../state.hpp"

namespace ludus {

static_assert(std::endian::native == std::endian::little, "snapshots are little-endian");

inline constexpr std::string_view SnapshotMagic = "ludus-state-1\n";

class Writer {
  public:
    void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), 8); }
    void text(std::string_view value) {
        number(value.size());
        bytes_ += value;
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_{SnapshotMagic};
};

class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {
        require(rest_.starts_with(SnapshotMagic), "these bytes are not a snapshot of a state");
        rest_.remove_prefix(SnapshotMagic.size());
    }
    std::uint64_t number() {
        const std::string_view bytes = take(8);
        std::uint64_t value;
        std::memcpy(&value, bytes.data(), 8);
        return value;
    }
    int count(int most) {
        const std::uint64_t value = number();
        require(value <= static_cast<std::uint64_t>(most), Damaged);
        return static_cast<int>(value);
    }
    std::string_view text() { return take(number()); }
    void finish() const { require(rest_.empty(), Damaged); }

    static constexpr const char* Damaged = "this snapshot of a state is damaged";

  private:
    std::string_view take(std::uint64_t size) {
        require(size <= rest_.size(), Damaged);
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }
    std::string_view rest_;
};

template <Native G>
std::string snapshot(const State<G>& state, std::string_view spelling) {
    Writer out;
    out.text(spelling);
    out.text(state.position().text());
    const auto& history = state.history();
    out.number(static_cast<std::uint64_t>(history.plies));
    if constexpr (Repeating<G>) {
        out.number(static_cast<std::uint64_t>(history.clock));
        out.number(history.seen.size());
        for (const std::uint64_t key : history.seen.list()) out.number(key);
    }
    return out.take();
}

// Foreign text fit to be shown in a sentence.
inline std::string printable(std::string_view text) {
    std::string result(text.substr(0, 200));
    for (char& c : result) {
        if (c < ' ' || c > '~') c = '?';
    }
    return result;
}

template <Native G>
State<G> restore_state(const typename G::Parameters& parameters, std::string_view spelling,
                       std::string_view bytes) {
    Reader in(bytes);
    const std::string_view of = in.text();
    require(of == spelling,
            "this snapshot is of " + printable(of) + ", not of " + std::string(spelling));
    const G position = G::parse(parameters, in.text());
    const Limits limits = G::limits(parameters);
    constexpr int Most = 1'000'000'000;
    History<G> history;
    history.plies = in.count(Most);
    if constexpr (Repeating<G>) {
        history.clock = in.count(history.plies);
        const int most = limits.repetition ? history.plies + 1 : 0;
        for (int keys = in.count(most); keys > 0; --keys) history.seen.push_back(in.number());
    }
    in.finish();
    return State<G>(position, limits, std::move(history));
}

}  // namespace ludus
