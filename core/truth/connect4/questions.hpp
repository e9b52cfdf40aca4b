// The scores of many positions, or of all moves in them, found by many threads.
//
// Each thread has a solver of its own and takes the next position when it is done with one. Who
// solves what depends on the clock; the scores do not.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>

#include "../../search/threads.hpp"
#include "openings.hpp"
#include "solver.hpp"

namespace ludus::four {

// Stands where there is no score: a column that is full, or a question still open.
inline constexpr std::int8_t NoScore = -128;

template <class Size>
class Questions {
  public:
    // Each thread's table takes about 2^table_bits bytes at most. If each position starts with an
    // empty table, its nodes do not depend on what came before it.
    Questions(Size size, int threads, int table_bits, bool fresh) : board_(size), fresh_(fresh) {
        for (int i = 0; i < threads; ++i) workers_.emplace_back(size, table_bits);
    }

    const Board<Size>& board() const { return board_; }
    void use(Openings<Size> openings) { openings_ = std::move(openings); }

    // Asks for the score of each position, or for those of its moves, a row of columns each; or
    // only for who wins: then what is answered has the sign of the score.
    void ask(std::span<const Stones> positions, bool moves, bool only_who_wins) {
        Asked asked;
        const auto width = moves ? static_cast<std::size_t>(board_.columns()) : 1;
        asked.answers.assign(positions.size() * width, NoScore);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (!moves) {
                need(positions[i], {i, 1}, asked);
            } else if (!over(positions[i])) {
                each_move(board_, positions[i], [&](Cells move, const Stones& after, auto score) {
                    const std::size_t place =
                        i * width +
                        static_cast<std::size_t>(std::countr_zero(move) / board_.height());
                    if (score) {
                        asked.answers[place] = static_cast<std::int8_t>(*score);
                    } else {
                        need(after, {place, -1}, asked);
                    }
                });
            }
        }
        // Nothing fails from here on: what was asked before stands until all is there.
        only_who_wins_ = only_who_wins;
        answers_ = std::move(asked.answers);
        tasks_ = std::move(asked.tasks);
        next_ = done_ = 0;
        for (Worker& worker : workers_) worker.task = nullptr;
    }

    // Works for about this long; whether everything is answered.
    bool work(double seconds) {
        const auto now = Clock::now();
        const auto end = now + std::chrono::duration<double>(seconds);
        // Most positions take less time than starting a thread.
        work(workers_.front(), std::min<decltype(end)>(end, now + Alone));
        if (busy() && Clock::now() < end) {
            in_threads(static_cast<int>(workers_.size()), workers_.size(),
                       [&](std::size_t i) { work(workers_[i], end); });
        }
        done_ = static_cast<std::size_t>(
            std::ranges::count_if(tasks_, [](const Task& task) { return task.score != NoScore; }));
        for (const Task& task : tasks_) {
            if (task.score == NoScore) continue;
            for (const auto& [place, sign] : task.askers) {
                answers_[place] = static_cast<std::int8_t>(sign * task.score);
            }
        }
        return done_ == tasks_.size();
    }

    std::span<const std::int8_t> answers() const { return answers_; }
    std::size_t done() const { return done_; }
    std::size_t total() const { return tasks_.size(); }
    std::uint64_t nodes() const {
        std::uint64_t nodes = 0;
        for (const Worker& worker : workers_) nodes += worker.solver.nodes();
        return nodes;
    }
    void forget() {
        for (Worker& worker : workers_) worker.solver.forget();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t Slice = 4096;  // nodes between two looks at the clock
    static constexpr std::chrono::milliseconds Alone{1};

    struct Asker {
        std::size_t place;
        int sign;
    };
    struct Task {
        Stones at;
        std::vector<Asker> askers;
        std::int8_t score = NoScore;
    };
    struct Asked {
        std::vector<std::int8_t> answers;
        std::vector<Task> tasks;
        std::unordered_map<std::uint64_t, std::size_t> known;  // which task has this shared key
    };
    struct Worker {
        Worker(Size size, int table_bits) : solver(size, table_bits) {}
        Solver<Size> solver;
        Task* task = nullptr;  // what it is at, also between two calls of work
    };

    // The score of a position in which the game is over.
    std::optional<int> over(const Stones& at) const {
        const int left = board_.cells() - at.count();
        if (board_.has_line(at.theirs())) return -(left + 2) / 2;
        return left ? std::nullopt : std::optional(0);
    }

    void need(const Stones& at, Asker asker, Asked& asked) const {
        std::optional<int> score = over(at);
        if (!score && openings_) score = openings_->score(board_, at);
        if (score) {
            asked.answers[asker.place] = static_cast<std::int8_t>(asker.sign * *score);
            return;
        }
        const auto [found, fresh] =
            asked.known.try_emplace(shared_key(board_, at), asked.tasks.size());
        if (fresh) asked.tasks.push_back({at, {}});
        asked.tasks[found->second].askers.push_back(asker);
    }

    bool busy() const {
        return next_ < tasks_.size() ||
               std::ranges::any_of(workers_, [](const Worker& worker) { return worker.task; });
    }

    // However short the time, a slice of work is done.
    template <class Time>
    void work(Worker& worker, Time end) {
        do {
            if (!worker.task) {
                const std::size_t taken = next_.fetch_add(1);
                if (taken >= tasks_.size()) return;
                worker.task = &tasks_[taken];
                if (fresh_) worker.solver.forget();
                worker.solver.begin(worker.task->at, only_who_wins_);
            }
            if (!worker.solver.run(Slice)) continue;
            worker.task->score = static_cast<std::int8_t>(worker.solver.score());
            worker.task = nullptr;
        } while (Clock::now() < end);
    }

    Board<Size> board_;
    bool fresh_, only_who_wins_ = false;
    std::optional<Openings<Size>> openings_;
    std::deque<Worker> workers_;
    std::vector<Task> tasks_;
    std::vector<std::int8_t> answers_;
    std::atomic<std::size_t> next_{0};
    std::size_t done_ = 0;
};

}  // namespace ludus::four
