// Scores of early positions: all those of one ply are stored, without keys, in the order of their
// keys; those before follow from them.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "board.hpp"

namespace ludus::four {

// One number for a position and its mirror image: the smaller of their keys.
template <class Size>
std::uint64_t shared_key(const Board<Size>& board, const Stones& at) {
    return std::min(at.key(), Stones{board.mirror(at.mine), board.mirror(at.all)}.key());
}

// The position with this key.
template <class Size>
Stones with_key(const Board<Size>& board, std::uint64_t key) {
    Stones at;
    for (int column = 0; column < board.columns(); ++column) {
        const int shift = column * board.height();
        // All stones of a column are 2^h - 1 and the mover's among them are no more than that.
        const Cells sum = key >> shift & ((Cells{2} << board.rows()) - 1);
        const Cells all = std::bit_floor(sum + 1) - 1;
        at.all |= all << shift;
        at.mine |= (sum - all) << shift;
    }
    return at;
}

// Calls f(move, after, over) for each move; `over` is the score of a move that ends the game.
template <class Size, class F>
void each_move(const Board<Size>& board, const Stones& at, F f) {
    const int left = board.cells() - at.count();
    for (Cells moves = board.playable(at.all); moves; moves &= moves - 1) {
        const Cells move = moves & -moves;
        std::optional<int> over;
        if (board.has_line(at.mine | move)) {
            over = (left + 1) / 2;
        } else if (left == 1) {
            over = 0;
        }
        f(move, at.after(move), over);
    }
}

// The shared keys of all positions of a ply in which the game goes on, in order.
template <class Size>
std::vector<std::uint64_t> opening_keys(const Board<Size>& board, int ply) {
    std::vector<std::uint64_t> keys{0};
    for (int i = 0; i < ply; ++i) {
        std::vector<std::uint64_t> next;
        for (const std::uint64_t key : keys) {
            each_move(board, with_key(board, key), [&](Cells, const Stones& after, auto over) {
                if (!over) next.push_back(shared_key(board, after));
            });
        }
        std::ranges::sort(next);
        next.erase(std::unique(next.begin(), next.end()), next.end());
        keys = std::move(next);
    }
    return keys;
}

template <class Size>
class Openings {
  public:
    // The scores are those of opening_keys(board, ply), one each.
    Openings(const Board<Size>& board, int ply, std::span<const std::int8_t> scores) {
        const auto keys = opening_keys(board, ply);
        for (std::size_t i = 0; i < keys.size(); ++i) scores_[keys[i]] = scores[i];
        for (int before = ply - 1; before >= 0; --before) {
            for (const std::uint64_t key : opening_keys(board, before)) {
                int best = -board.cells();
                each_move(board, with_key(board, key), [&](Cells, const Stones& after, auto over) {
                    best = std::max(best, over ? *over : -scores_.at(shared_key(board, after)));
                });
                scores_[key] = static_cast<std::int8_t>(best);
            }
        }
    }

    std::optional<int> score(const Board<Size>& board, const Stones& at) const {
        const auto found = scores_.find(shared_key(board, at));
        return found == scores_.end() ? std::nullopt : std::optional<int>(found->second);
    }

    std::size_t size() const { return scores_.size(); }

  private:
    std::unordered_map<std::uint64_t, std::int8_t> scores_;
};

}  // namespace ludus::four
