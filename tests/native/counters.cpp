// What no test in Python can bring about: counters that are full, all streams of numbers, and ways
// to select a bit that the processor at hand is too good, or not good enough, for.
//
// usage: counters
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/games/connect4.hpp"
#include "core/games/supertictactoe.hpp"
#include "core/keys.hpp"
#include "core/search/guided.hpp"
#include "core/search/uct.hpp"

namespace ludus {

void hold(bool condition, const char* law) {
    std::printf("%s: %s\n", law, condition ? "holds" : "BROKEN");
    if (!condition) std::exit(1);
}

// Calls f and says whether it was refused because the tree is full.
template <class F>
bool refused(F f) {
    try {
        f();
    } catch (const std::invalid_argument& error) {
        return std::string_view(error.what()).find("begin a new search") != std::string_view::npos;
    }
    return false;
}

void set_visits(const Tree& tree, std::uint32_t visits) {
    const_cast<Node&>(tree.root()).visits = visits;  // the trees here are no constants
}

void counters() {
    const State<connect4> start(connect4::start({}), connect4::limits({}));
    UctTree<connect4> uct(start, {}, Random(1));
    uct.run(100, std::nullopt);
    set_visits(uct.tree(), Tree::MostVisits - 10);
    hold(refused([&] { uct.run(100, std::nullopt); }), "a full tree of rollouts refuses more");
    hold(uct.tree().root().visits == Tree::MostVisits, "what there was room for was done");

    Guided<connect4> guided(start, {}, 100, Random(1));
    guided.find_leaves();
    guided.take([](Action) { return 1.0; }, 0);
    set_visits(guided.tree(), Tree::MostVisits);
    hold(refused([&] { guided.find_leaves(); }), "a full tree of evaluations refuses more");
    hold(!guided.seek(State<connect4>(start)) || guided.tree().root().visits == Tree::MostVisits,
         "and stays full for the same root");
    guided.restart(start);
    hold(guided.find_leaves() == 1, "a new one does not");
}

// All generators walk one circle of 2^64 states: streams repeat or shift into each other exactly
// where numbers of two of them are the same.
void streams() {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        for (std::uint64_t purpose = 0; purpose < 7; ++purpose) {
            for (std::uint64_t index = 0; index < 40; ++index) {
                Random random(seed, static_cast<Stream>(purpose), index);
                for (int i = 0; i < 64; ++i) numbers.push_back(random());
            }
        }
    }
    std::ranges::sort(numbers);
    hold(std::ranges::adjacent_find(numbers) == numbers.end(), "no two streams share a number");
}

// Lists of keys and lists that grew from them, against plain ones.
void keys() {
    Random random(1);
    std::vector<Keys> lists(1);
    std::vector<std::vector<std::uint64_t>> plain(1);
    bool same = true;
    for (int step = 0; step < 20'000; ++step) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(lists.size()));
        const std::uint64_t key = random.below(50);
        switch (random.below(step % 1000 ? 6 : 8)) {
            case 0:
                if (lists.size() < 50) {
                    lists.push_back(lists[at]);
                    plain.push_back(plain[at]);
                }
                break;
            case 1:
                lists[at] = lists.back();
                plain[at] = plain.back();
                break;
            case 7:
                lists[at].clear();
                plain[at].clear();
                break;
            default:
                for (int i = 0; i < 5; ++i) {
                    lists[at].push_back(key + static_cast<std::uint64_t>(i));
                    plain[at].push_back(key + static_cast<std::uint64_t>(i));
                }
                same = same &&
                       lists[at].repeats() ==
                           std::count(plain[at].begin(), plain[at].end() - 1, plain[at].back());
        }
        same = same && lists[at].size() == plain[at].size();
        if (step % 10 == 0) same = same && lists[at].list() == plain[at];
        if (step % 10 == 0) {
            same = same && (lists[at] == lists.front()) == (plain[at] == plain.front());
        }
    }
    hold(same, "keys are a list");
}

// The bits of words of all densities, by their ranks, against a loop over the cells.
void selections() {
    Random random(2);
    bool words = true, boards = true;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t low = i % 3 ? random() & random() : random() | random();
        const std::uint64_t high = i % 5 ? random() & 0xffff : 0;
        const Bitboard cells(low, high);
        int rank = 0;
        for (int cell = 0; cell < 128; ++cell) {
            if (!cells.contains(cell)) continue;
            if (cell < 64) {
                words = words && select_in_steps(low, rank) == cell;
                words = words && select_by_deposit(low, rank) == cell && select(low, rank) == cell;
            }
            boards = boards && cells.select(rank) == cell;
            boards = boards && (cell >= 80 || CrossBoard::select(cells, rank) == cell);
            boards = boards && (cell >= 80 || CrossBoard::select_in_steps(cells, rank) == cell);
            ++rank;
        }
    }
    hold(words, "a bit of a word has its rank, by an instruction and in steps");
    hold(boards, "a cell of a board has its rank, by an instruction and in steps");
    hold(deposits_fast("AuthenticAMD", 0x19) && deposits_fast("GenuineIntel", 6),
         "Zen 3 and Intel's processors deposit bits fast");
    hold(!deposits_fast("AuthenticAMD", 0x17) && !deposits_fast("AuthenticAMD", 0x15) &&
             !deposits_fast("HygonGenuine", 0x18),
         "AMD's before Zen 3, and Hygon's, do not");
}

}  // namespace ludus

int main() {
    ludus::counters();
    ludus::streams();
    ludus::keys();
    ludus::selections();
    return 0;
}
