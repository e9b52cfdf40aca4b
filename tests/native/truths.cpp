// What is solved comes to, in numbers that every processor must print alike.
#include <vector>

#include "core/games/tictactoe.hpp"
#include "core/select.hpp"
#include "core/truth/cathedral_endgame.hpp"
#include "core/truth/checkers_space.hpp"
#include "core/truth/connect4/solver.hpp"
#include "core/truth/kingcourtesan_space.hpp"
#include "core/truth/reachable.hpp"
#include "core/truth/retrograde.hpp"
#include "core/truth/rowwise/chinesecheckers_row.hpp"
#include "core/truth/rowwise/solver.hpp"
#include "tests/native/digest.hpp"

namespace ludus {

constexpr double Enough = 1e6;  // seconds: all of it

void bits() {
    Digest digest;
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t word = random() & random();
        if (!word) continue;
        const auto count = static_cast<std::uint32_t>(std::popcount(word));
        digest << select(word, static_cast<int>(random.below(count)));
    }
    tell("select", digest);
}

template <class Space>
void endgames(const char* name, const Space& space) {
    std::vector<std::uint8_t> table(space.size());
    Retrograde<Space> solver(space, table);
    solver.work(Enough, 2);
    const TruthCounts counts = solver.counts();
    Digest digest;
    digest << table << counts.wins << counts.losses << counts.draws << counts.by_distance;
    std::printf("  %s: %llu states, %llu won\n", name,
                static_cast<unsigned long long>(counts.states()),
                static_cast<unsigned long long>(counts.wins));
    tell(name, digest);
}

void reachable() {
    Reachable<tictactoe> solver(tictactoe::start({}), 100'000);
    solver.work(Enough);
    Digest digest;
    digest << solver.states();
    for (std::uint32_t number = 0; number < solver.states(); ++number)
        digest << solver.value(number) << solver.distance(number).value_or(-1);
    tell("tictactoe", digest);
}

void rows() {
    using Space = rowwise::ChineseCheckersSpace<3>;
    const Space space({.size = 3, .pieces = 3, .max_plies = 0});
    std::vector<std::uint8_t> distances(space.rows() * space.entries());
    rowwise::Solver<Space, rowwise::ChineseCheckersRow<3>> solver(space, distances);
    solver.work(Enough, 2);
    Digest digest;
    digest << solver.values() << solver.progress().by_distance << distances;
    tell("chinesecheckers", digest);
}

// Of a board whose size is known at run time, and of the usual one, in random positions.
template <class Size>
void solver(const char* name, Size size, int first, int last) {
    four::Solver<Size> solver(size, 18);
    const auto& board = solver.board();
    Digest digest;
    Random random(2);
    for (int plies = first; plies < last; ++plies) {
        four::Stones at;
        while (at.count() < plies) {
            std::uint64_t open = board.playable(at.all) & ~board.completions(at.mine);
            if (!open) {
                at = {};
                continue;
            }
            const auto count = static_cast<std::uint32_t>(std::popcount(open));
            at = at.after(std::uint64_t{1} << select(open, static_cast<int>(random.below(count))));
        }
        if (at.count() == board.cells()) continue;
        solver.begin(at);
        solver.run(~0ULL);
        digest << at.key() << solver.score() << solver.nodes();
    }
    tell(name, digest);
}

void last_buildings() {
    Digest digest;
    for (std::uint64_t number = 0; number < 4; ++number) {
        Random random(3, Stream::Other, number);
        std::vector<cathedral> line{cathedral::start({})};
        while (!line.back().outcome()) {
            const auto legal = line.back().legal();
            line.push_back(line.back());
            const auto count = static_cast<std::uint32_t>(std::ranges::size(legal));
            line.back().apply(legal[random.below(count)]);
        }
        CathedralEndgame search(line[line.size() - 4], 1 << 20, true);
        search.run(~0ULL, Enough);
        digest << search.nodes() << search.value().value();
        for (const auto& [action, value] : search.values()) digest << action << value;
    }
    tell("cathedral", digest);
}

}  // namespace ludus

int main() {
    using namespace ludus;
    std::printf("truths\n");
    bits();
    reachable();
    rows();
    endgames("kingcourtesan", KingCourtesanSpace(3));
    endgames("checkers", CheckersSpace(3));
    solver("connect4", FixedSize<6, 7, 4>{}, 20, 42);
    solver("connect4 of another size", FreeSize{5, 4, 4}, 6, 20);
    last_buildings();
    return 0;
}
