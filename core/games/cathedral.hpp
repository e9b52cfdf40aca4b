// Cathedral: two sides build inside one city wall; who encloses ground owns it, and who has the
// fewest squares left over at the end wins.
//
// Light opens with the Cathedral, then the sides build in turn, Dark first. Actions number the
// placements of each building; where Dark's building is the mirror image of Light's (Abbey and
// Academy under official rules) Dark's placements of it are numbered by the same procedure.
//
// Play ends, so no limit of plies is needed. Ground that two or more buildings enclose is never
// lost: whoever surrounds one of them surrounds the others with it, and can take one at most. A
// single building encloses with the wall one pocket of 3 cells at most (a Tower across a corner),
// too few to take inside it a building that has a pocket; so taking such a building wins lasting
// ground, of which there is a boardful, and in between each building takes one other at most. (The
// only building of a side may also enclose all the rest; then the other side has no room left.)
#pragma once

#include "../list.hpp"
#include "../random.hpp"
#include "detail/cathedral_city.hpp"
#include "detail/cathedral_placements.hpp"

namespace ludus {

enum class CathedralRules { Official, Seed };
constexpr std::array<const char*, 2> names(CathedralRules) {
    return {"official", "seed"};
}

struct CathedralParameters {
    int size = 10;
    CathedralRules rules = CathedralRules::Official;
    bool fair_start = false;
    std::optional<int> claim_limit;  // cells of a part; by default none, 4 * size under seed rules

    void visit(auto&& field) {
        field("size", size);
        field("rules", rules);
        field("fair_start", fair_start);
        field("claim_limit", claim_limit);
    }
};

class cathedral {
  public:
    using Parameters = CathedralParameters;

    static cathedral start(const Parameters& p) {
        require(p.size == 8 || p.size == 10,
                "a cathedral board has size 8 or 10, not " + std::to_string(p.size));
        const int cells = p.size * p.size;
        const bool official = p.rules == CathedralRules::Official;
        const int limit = p.claim_limit.value_or(official ? cells : 4 * p.size);
        require(limit >= 0 && limit <= cells, "claim_limit is between 0 and " +
                                                  std::to_string(cells) + " cells, not " +
                                                  std::to_string(limit));
        return {CathedralCity(CathedralTables::of(p.size, official), limit), p.fair_start};
    }
    static Limits limits(const Parameters&) { return {}; }

    cathedral tossed(double uniform) const {
        cathedral result = *this;
        if (fair_start_ && city_.empty()) result.light_ = uniform >= 0.5;
        return result;
    }

    const CathedralCity& city() const { return city_; }
    int side() const { return side_; }
    // Large buildings look good: they find room no more when the small ones still do.
    int promise(Action a) const { return tables().shape(side_, a).size; }

    int num_actions() const { return tables().num_actions(); }
    int player() const { return side_ == Light ? light_ : 1 - light_; }

    CathedralPlacements legal() const {
        CathedralPlacements list;
        if (over_) return list;
        const Bitboard free = city_.free(side_);
        for (int building = 0; building < CathedralTables::Buildings; ++building) {
            if (!city_.offers(side_, building)) continue;
            for (const auto& shape : tables().shapes(side_, building)) {
                const Bitboard fits = shape.fits(free);
                if (!fits.empty()) {
                    list.add(fits, tables().first_action(building), shape.rank.data());
                }
            }
        }
        return list;
    }

    bool allows(Action a) const {
        return a < num_actions() && !over_ &&
               city_.offers(side_, tables().placement(side_, a).building) &&
               !tables().cells(side_, a).touches(~city_.free(side_));
    }

    void apply(Action a) {
        const bool opens = city_.empty();
        city_.place(side_, a);
        if (!opens) {
            if (claimers_ & 1 << side_) city_.claim(side_);
            claimers_ |= static_cast<std::uint8_t>(1 << side_);
        }
        pass();
    }

    std::optional<Score> outcome() const {
        if (!over_) return std::nullopt;
        return (margin() > 0) - (margin() < 0);
    }

    // How many squares more than the player to move the opponent has left to place.
    int margin() const { return city_.built(side_).count() - city_.built(1 - side_).count(); }

    std::uint64_t key() const {
        return mix(city_.key(), std::uint64_t{side_} | std::uint64_t{light_} << 1 |
                                    std::uint64_t{claimers_} << 2);
    }

    Action seen(Action a) const { return a; }

    // Own, opponent, Cathedral, own ground, opponent's ground. Full adds constant planes: for each
    // of the 11 kinds what share of it is left to place, the mover's, then the opponent's; then
    // whether the mover is Light, whose Abbey and Academy are not Dark's.
    Shape shape(Planes planes = Planes::Full) const {
        return {planes == Planes::Full ? 6 + 2 * CathedralCity::OwnKinds : 5, size(), size()};
    }

    void features(std::span<float> out, Planes planes = Planes::Full) const {
        const int other = 1 - side_;
        const Bitboard boards[] = {city_.built(side_), city_.built(other), city_.cathedral(),
                                   city_.ground(side_), city_.ground(other)};
        float* plane = out.data();
        for (const Bitboard board : boards) {
            for (int row = 0; row < size(); ++row) {
                for (int column = 0; column < size(); ++column) {
                    *plane++ = board.contains(tables().bit(row, column)) ? 1.0f : 0.0f;
                }
            }
        }
        if (planes != Planes::Full) return;
        for (const int side : {int{side_}, other}) {
            std::array<int, CathedralCity::OwnKinds> left{};
            for (int building = 0; building < CathedralCity::Own; ++building) {
                left[CathedralTables::KindOf[building]] += !city_.placed(side, building);
            }
            for (int kind = 0; kind < CathedralCity::OwnKinds; ++kind) {
                const int copies = CathedralKinds[kind].copies;
                plane = std::fill_n(plane, size() * size(),
                                    static_cast<float>(left[kind]) / static_cast<float>(copies));
            }
        }
        std::fill_n(plane, size() * size(), side_ == Light ? 1.0f : 0.0f);
    }

    cathedral waiting() const {
        cathedral other = *this;
        other.side_ ^= 1;
        return other;
    }

    // Turned clockwise by so many quarters.
    int num_symmetries() const { return 4; }
    cathedral transformed(int symmetry) const {
        cathedral result = *this;
        while (symmetry--) result.city_.turn();
        return result;
    }
    Action transformed(int symmetry, Action a) const {
        while (symmetry--) a = tables().rotate(side_, a);
        return a;
    }
    int transformed_cell(int symmetry, int cell) const {
        while (symmetry--) cell = cell % size() * size() + size() - 1 - cell / size();
        return cell;
    }

    // The cells, row * size + column, that the action covers for the player to move: first the one
    // that its notation names, then the one that tells how the building is turned.
    InlineList<int, 6> footprint(Action a) const {
        InlineList<int, 6> cells;
        const auto& shape = tables().shape(side_, a);
        for (int i = 0; i < shape.size; ++i) {
            const int bit = tables().placement(side_, a).lowest + shape.listed[i];
            cells.push_back(bit / tables().stride() * size() + bit % tables().stride());
        }
        return cells;
    }

    // "dense": cells claimed, plus the building's size less that of the largest that had room, plus
    // the size of the opponent's buildings taken (which the opponent loses), plus 10 for winning.
    static constexpr std::array<const char*, 1> shapings() { return {"dense"}; }
    Signal shaping(int, Action a, const cathedral& after, Stage) const {
        const int other = 1 - side_;
        const int claimed = (after.city_.ground(side_) & ~city_.ground(side_)).count();
        const int lacking = city_.largest(side_) - tables().shape(side_, a).size;
        const int taken = city_.built(other).count() - after.city_.built(other).count();
        const int score = after.outcome().value_or(0);
        const int end = after.side_ == side_ ? 10 * score : -10 * score;
        return {static_cast<float>(claimed - lacking + taken + end),
                static_cast<float>(-taken - end)};
    }

    // The city, then the side to move, the player who is Light, the sides that may claim:
    // "......../..aa.-../... d 0 ld".
    std::string text() const {
        return city_.text() + ' ' + "ld"[side_] + ' ' + "01"[light_] + ' ' + Claimers[claimers_];
    }

    static cathedral parse(const Parameters& p, std::string_view text) {
        cathedral position = start(p);
        const auto length = static_cast<std::size_t>(position.city_.text_length());
        require(text.size() > length, Form);
        position.city_.read(text);
        position.read_turn(text.substr(length));
        position.check();
        return position;
    }

    bool operator==(const cathedral&) const = default;

  private:
    static constexpr int Light = 0, Dark = 1;
    static constexpr std::array<const char*, 4> Claimers{"-", "l", "d", "ld"};
    static constexpr const char* Form =
        "a cathedral position is the board, 'l' or 'd' to move, the player 0 or 1 who is Light, "
        "and "
        "'-', 'l', 'd' or 'ld' for the sides that may claim, with a space between";

    cathedral(const CathedralCity& city, bool fair_start)
        : city_(city), claimers_(city.tables().official() ? 0 : 3), fair_start_(fair_start) {}

    const CathedralTables& tables() const { return city_.tables(); }
    int size() const { return tables().size(); }

    // Who has no room is skipped; when nobody has, the game is over.
    void pass() {
        const int other = 1 - side_;
        if (!city_.has_room(other)) {
            if (city_.has_room(side_)) return;
            over_ = true;
        }
        side_ = static_cast<std::uint8_t>(other);
    }

    void read_turn(std::string_view turn) {
        require(turn.size() > 5 && turn[0] == ' ' && turn[2] == ' ' && turn[4] == ' ', Form);
        const auto claimers = std::ranges::find_if(
            Claimers, [&](std::string_view sides) { return sides == turn.substr(5); });
        require((turn[1] == 'l' || turn[1] == 'd') && (turn[3] == '0' || turn[3] == '1') &&
                    claimers != Claimers.end(),
                Form);
        side_ = turn[1] == 'd';
        light_ = turn[3] == '1';
        claimers_ = static_cast<std::uint8_t>(claimers - Claimers.begin());
        require(light_ == 0 || fair_start_, "player 0 is Light unless fair_start is true");
    }

    void check() {
        const Bitboard built = city_.built(Light) | city_.built(Dark);
        const bool ground = !(city_.ground(Light) | city_.ground(Dark)).empty();
        if (built.empty()) {
            require(side_ == (city_.empty() ? Light : Dark) && !ground,
                    "Light begins with the Cathedral, then Dark builds, and nobody has ground");
        }
        if (!tables().official()) {
            require(claimers_ == 3, "under seed rules both sides may always claim");
        } else if (claimers_ != 3) {
            // Three positions have this: the opening, the Cathedral alone, one building beside it.
            require(!ground && city_.built(Light).empty() && claimers_ == (built.empty() ? 0 : 2) &&
                        (built.empty() ||
                         (side_ == Light && buildings(Dark) == 1 && !city_.cathedral().empty())),
                    "a side may claim once it has built, and Dark builds first");
        } else {
            require(!built.empty(), "a side may claim once it has built");
        }
        if (city_.empty()) return;
        over_ = !city_.has_room(Light) && !city_.has_room(Dark);
        require(over_ || city_.has_room(side_), "the side to move has no room, so it is skipped");
    }

    int buildings(int side) const {
        int count = 0;
        for (int building = 0; building < CathedralCity::Own; ++building) {
            count += city_.placed(side, building);
        }
        return count;
    }

    CathedralCity city_;
    std::uint8_t side_ = Light;  // to move
    std::uint8_t light_ = 0;     // the player who is Light
    // Bits of the sides whose next building may claim. Under official rules the first may not,
    // also if it stands no more when the second comes.
    std::uint8_t claimers_;
    bool over_ = false;
    bool fair_start_;
};

}  // namespace ludus
