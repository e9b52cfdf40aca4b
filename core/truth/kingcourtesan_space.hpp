// All states of King and Courtesan on a small board, numbered.
//
// Each side's pieces are seen in that side's own frame, so who moves does not matter. A move that
// captures nothing raises the progress of the mover's pieces (rows and columns from home, the
// king's counted twice); a capture leaves fewer pieces. So play never goes round, and slices are
// ordered by pieces, then by falling progress of one side, then by who moves:
//
//     pieces of both sides           the larger number is the row side's (with equal ones, either)
//       progress of the row side     falling
//         row side moves             leads to a row of more progress
//         column side moves          leads to the same row, the row side to move
//           row                      pieces and king of the row side
//             column                 pieces and king of the other, among the free cells
//
// Of two rows that are mirror images only one is kept.
#pragma once

#include <map>
#include <vector>

#include "../games/kingcourtesan.hpp"
#include "space.hpp"
#include "subsets.hpp"

namespace ludus {

class KingCourtesanSpace {
  public:
    static constexpr int MaxSize = 4;

    // The pieces of one side in its own frame.
    struct Army {
        std::uint64_t pieces = 0, king = 0;

        int count() const { return std::popcount(pieces); }
        bool operator==(const Army&) const = default;
    };

    explicit KingCourtesanSpace(int size) : size_(size), side_(size, 1) {
        require(size <= MaxSize,
                "kingcourtesan is solved on boards of size 3 and 4, not " + std::to_string(size));
        const int most = std::popcount(side_.start);
        for (std::uint64_t set = 0; set < std::uint64_t{1} << cells(); ++set) {
            mirrored_.push_back(static_cast<std::uint16_t>(mirrored_slowly(set)));
        }
        for (int count = 1; count <= most; ++count) add_armies(count);
        std::uint64_t next = 0;
        first_layer_.resize(static_cast<std::size_t>((most + 1) * (most + 1)));
        for (int pieces = 2; pieces <= 2 * most; ++pieces) {
            for (int few = std::max(1, pieces - most); 2 * few <= pieces; ++few) {
                next = add_layers(pieces - few, few, next);
            }
        }
        size_of_all_ = next;
    }

    std::uint64_t size() const { return size_of_all_; }
    std::size_t slices() const { return layers_.size(); }
    Range slice(std::size_t i) const { return layers_[i].range; }

    class Node {
      public:
        Node(const KingCourtesanSpace& space, Army mine, Army theirs, bool row_moves)
            : space_(space), mine_(mine), theirs_(theirs), row_moves_(row_moves) {}

        Standing standing() const {
            if (mine_.king & space_.goal()) return Standing::Illegal;
            return theirs_.king & space_.goal() ? Standing::Lost : Standing::Open;
        }

        void successors(auto f) const {
            const std::uint64_t enemies = space_.rotate(theirs_.pieces);
            const std::uint64_t enemy_king = space_.rotate(theirs_.king);
            for (std::size_t way = 0; way < Side::Ways; ++way) {
                const bool ahead = way < Side::Ahead;
                const std::uint8_t step = space_.side_.step[way];
                const std::uint64_t onto = std::rotr(ahead ? ~mine_.pieces : enemies, step);
                std::uint64_t movers =
                    mine_.pieces & space_.side_.inside[way] & (ahead ? onto | mine_.king : onto);
                for (; movers; movers &= movers - 1) {
                    const std::uint64_t from = movers & -movers, to = std::rotl(from, step);
                    const bool royal = from == mine_.king;
                    if (to == enemy_king || (royal && to == space_.goal())) {
                        f(Ended);
                        continue;
                    }
                    const Army after{(mine_.pieces & ~from) | to | (mine_.pieces & to ? from : 0),
                                     royal ? to : mine_.king};
                    if (to & enemies) {
                        const std::uint64_t left = theirs_.pieces & ~space_.rotate(to);
                        f(space_.number({left, theirs_.king}, after));
                    } else if (row_moves_) {
                        f(space_.number(after, theirs_, false));
                    } else {
                        f(space_.number(theirs_, after, true));
                    }
                }
            }
        }

        Army mine() const { return mine_; }
        Army theirs() const { return theirs_; }

      private:
        using Side = KingCourtesanSide;

        const KingCourtesanSpace& space_;
        Army mine_, theirs_;
        bool row_moves_;
    };

    Node node(std::size_t slice, std::uint64_t index) const {
        const Layer& layer = layers_[slice];
        const std::uint64_t at = index - layer.range.first;
        const Army row = rows_[layer.first_row + at / layer.columns];
        const std::uint64_t column = at % layer.columns;
        const auto pieces = static_cast<std::uint64_t>(layer.pieces);
        const std::uint64_t set =
            Subsets::unrank(column / pieces, layer.pieces, board() & ~row.pieces);
        const int king = select(set, static_cast<int>(column % pieces));
        const Army other{rotate(set), rotate(std::uint64_t{1} << king)};
        return layer.row_moves ? Node(*this, row, other, true) : Node(*this, other, row, false);
    }

    // The number of the state with these pieces of the side to move and of the other.
    std::uint64_t number(Army mine, Army theirs) const {
        return mine.count() >= theirs.count() ? number(mine, theirs, true)
                                              : number(theirs, mine, false);
    }

    bool covers(const kingcourtesan& at) const { return at.size() == size_; }
    // The number of a position that is covered and not over.
    std::optional<std::uint64_t> find(const kingcourtesan& at) const {
        const auto army = [&](std::uint64_t pieces, int player) {
            const std::uint64_t king = pieces & at.kings();
            return player ? Army{rotate(pieces), rotate(king)} : Army{pieces, king};
        };
        return number(army(at.mine(), at.player()), army(at.theirs(), 1 - at.player()));
    }

    // With equal numbers of pieces both sides' views of a state are kept; one of them counts.
    void weights(std::size_t slice, auto f) const {
        const Layer& layer = layers_[slice];
        if (layer.pieces == rows_[layer.first_row].count() && !layer.row_moves) return;
        std::uint64_t first = layer.range.first;
        for (std::size_t row = layer.first_row; first < layer.range.last; ++row) {
            f(Range{first, first + layer.columns}, mirror(rows_[row]) == rows_[row] ? 1 : 2);
            first += layer.columns;
        }
    }

  private:
    struct Layer {
        Range range;
        std::size_t first_row;
        std::uint64_t columns;
        int pieces;  // of the column side
        bool row_moves;
    };
    // Where an army's row is among those of its size.
    struct Row {
        std::uint32_t row;
        std::uint16_t progress;
        bool mirrored;
    };
    // The rows of armies of one size, ordered by falling progress.
    struct Rows {
        std::size_t first_row = 0;
        std::size_t first_army = 0;
        std::map<int, std::size_t, std::greater<>> first_of_progress;
        std::size_t last_row = 0;
    };

    int cells() const { return size_ * size_; }
    std::uint64_t board() const { return (std::uint64_t{1} << cells()) - 1; }
    std::uint64_t goal() const { return std::uint64_t{1} << (cells() - 1); }
    std::uint64_t rotate(std::uint64_t set) const { return rotate_bits(set, cells()); }
    Army mirror(Army army) const { return {mirrored_[army.pieces], mirrored_[army.king]}; }

    std::uint64_t mirrored_slowly(std::uint64_t set) const {
        std::uint64_t image = 0;
        for (; set; set &= set - 1) {
            const int cell = std::countr_zero(set);
            image |= std::uint64_t{1} << (cell % size_ * size_ + cell / size_);
        }
        return image;
    }

    int progress(Army army) const {
        int sum = 0;
        for (std::uint64_t set : {army.pieces, army.king}) {
            for (; set; set &= set - 1) {
                const int cell = std::countr_zero(set);
                sum += cell / size_ + cell % size_;
            }
        }
        return sum;
    }

    std::size_t army_number(Army army) const {
        const auto count = static_cast<std::size_t>(army.count());
        const auto king = static_cast<std::size_t>(std::popcount(army.pieces & (army.king - 1)));
        return Subsets::rank(army.pieces, board()) * count + king;
    }

    void add_armies(int count) {
        std::vector<Army> armies;
        for (std::uint64_t set = 0; set < Subsets::count(cells(), count); ++set) {
            const std::uint64_t pieces = Subsets::unrank(set, count, board());
            for (std::uint64_t rest = pieces; rest; rest &= rest - 1) {
                armies.push_back({pieces, rest & -rest});
            }
        }
        Rows rows{rows_.size(), row_of_.size(), {}, 0};
        std::vector<Army> kept;
        for (const Army army : armies) {
            if (army_number(army) <= army_number(mirror(army))) kept.push_back(army);
        }
        std::ranges::stable_sort(kept, std::greater{}, [&](Army army) { return progress(army); });
        row_of_.resize(row_of_.size() + armies.size());
        for (std::uint32_t row = 0; row < kept.size(); ++row) {
            const int progress = this->progress(kept[row]);
            rows.first_of_progress.emplace(progress, rows.first_row + row);
            for (const bool image : {true, false}) {
                const Army army = image ? mirror(kept[row]) : kept[row];
                row_of_[rows.first_army + army_number(army)] = {
                    row, static_cast<std::uint16_t>(progress), image};
            }
        }
        rows_.insert(rows_.end(), kept.begin(), kept.end());
        rows.last_row = rows_.size();
        by_count_.push_back(std::move(rows));
    }

    std::uint64_t add_layers(int many, int few, std::uint64_t next) {
        const Rows& rows = by_count_[static_cast<std::size_t>(many - 1)];
        const std::uint64_t columns =
            Subsets::count(cells() - many, few) * static_cast<std::uint64_t>(few);
        const int most_progress = rows.first_of_progress.begin()->first;
        auto& first_layer = first_layer_[static_cast<std::size_t>(many * table_width() + few)];
        first_layer.assign(static_cast<std::size_t>(most_progress + 1), 0);
        for (auto at = rows.first_of_progress.begin(); at != rows.first_of_progress.end();) {
            const auto [progress, first_row] = *at++;
            const std::size_t end = at == rows.first_of_progress.end() ? rows.last_row : at->second;
            first_layer[static_cast<std::size_t>(progress)] = layers_.size();
            for (const bool row_moves : {true, false}) {
                const Range range{next, next + (end - first_row) * columns};
                layers_.push_back({range, first_row, columns, few, row_moves});
                next = range.last;
            }
        }
        return next;
    }
    int table_width() const { return std::popcount(side_.start) + 1; }

    std::uint64_t number(Army row, Army column, bool row_moves) const {
        const Rows& rows = by_count_[static_cast<std::size_t>(row.count() - 1)];
        const Row& found = row_of_[rows.first_army + army_number(row)];
        if (found.mirrored) {
            row = mirror(row);
            column = mirror(column);
        }
        const auto& first_layer =
            first_layer_[static_cast<std::size_t>(row.count() * table_width() + column.count())];
        const Layer& layer = layers_[first_layer[found.progress] + (row_moves ? 0 : 1)];
        const std::uint64_t pieces = rotate(column.pieces), king = rotate(column.king);
        const std::uint64_t set = Subsets::rank(pieces, board() & ~row.pieces);
        return layer.range.first + (rows.first_row + found.row - layer.first_row) * layer.columns +
               set * static_cast<std::uint64_t>(layer.pieces) +
               static_cast<std::uint64_t>(std::popcount(pieces & (king - 1)));
    }

    int size_;
    KingCourtesanSide side_;  // of any player, in the own frame
    std::uint64_t size_of_all_ = 0;
    std::vector<std::uint16_t> mirrored_;  // [set]
    std::vector<Army> rows_;               // those kept, by count and falling progress
    std::vector<Row> row_of_;              // [army]
    std::vector<Rows> by_count_;           // [count - 1]
    std::vector<Layer> layers_;
    std::vector<std::vector<std::size_t>> first_layer_;  // [row count, column count][progress]
};

}  // namespace ludus
