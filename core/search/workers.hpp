// Threads that wait for work: to wake one costs a fraction of what it costs to start it.
//
// They belong to the process and wait between the calls that need them. Only whoever borrowed a
// worker speaks to it. Before a fork those that wait are ended, so that a child misses none and a
// process is seen to have no threads when it forks; also before the process ends.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "room.hpp"

namespace ludus {

// A thread gets the memory for its exceptions when it first asks about them, and the C library ends
// the process if there is none: so not when memory is what the exception is about.
inline void prepare_for_exceptions() {
    [[maybe_unused]] const volatile int none = std::uncaught_exceptions();
}

struct Work {
    void (*run)(const void*);
    const void* on;
};

class Worker {
  public:
    // Throws where there is no thread to be had, or no memory for one.
    explicit Worker(Worker* next) : next(next), thread_([this] { live(); }) {}
    // It must not be at work.
    ~Worker() {
        become(Phase::Leaves);
        thread_.join();
    }
    Worker(const Worker&) = delete;

    void wait_until_prepared() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return phase_ != Phase::Starts; });
    }

    // The work must not throw, and be there until the worker was called back.
    void call(const Work& work) {
        work_ = work;  // nobody reads it yet
        become(Phase::Called);
    }

    // Comes back when the worker is done; if it has not begun it does not begin any more.
    void call_back() {
        std::unique_lock lock(mutex_);
        if (phase_ == Phase::Called) phase_ = Phase::Waits;
        changed_.wait(lock, [&] { return phase_ == Phase::Waits; });
    }

    Worker* next;  // in a list of its borrower's, or of those that wait

  private:
    enum class Phase { Starts, Waits, Called, Works, Leaves };

    void become(Phase phase) {
        {
            const std::lock_guard lock(mutex_);
            phase_ = phase;
        }
        changed_.notify_all();
    }

    void live() {
        prepare_for_exceptions();
        std::unique_lock lock(mutex_);
        if (phase_ == Phase::Starts) phase_ = Phase::Waits;
        changed_.notify_all();
        while (true) {
            changed_.wait(lock, [&] { return phase_ == Phase::Called || phase_ == Phase::Leaves; });
            if (phase_ == Phase::Leaves) return;
            phase_ = Phase::Works;
            lock.unlock();
            work_.run(work_.on);
            lock.lock();
            phase_ = Phase::Waits;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    Phase phase_ = Phase::Starts;
    Work work_{};
    std::thread thread_;  // the last member: it uses the others
};

// The workers of this process.
class Workers {
  public:
    static Workers& all() {
        static Workers workers;
        return workers;
    }

    // A list of up to so many: of those that wait, and new ones as long as the system has more to
    // give. Within a limit of memory one is prepared before the next is started, and all are before
    // any works: nothing takes the memory that was seen to be there, unless other threads do.
    Worker* borrow(std::size_t count) {
        Worker* borrowed = nullptr;
        {
            const std::lock_guard lock(mutex_);
            for (; count > 0 && waiting_; --count, --num_waiting_) {
                Worker* const next = std::exchange(waiting_, waiting_->next);
                next->next = std::exchange(borrowed, next);
            }
        }
        if (count == 0) return borrowed;
        const bool limited = memory_is_limited();
        const WithoutSignals without_signals;
        try {
            for (; count > 0 && (!limited || room_for_a_thread()); --count) {
                borrowed = new Worker(borrowed);
                if (limited) borrowed->wait_until_prepared();
            }
        } catch (const std::system_error&) {  // no thread
        } catch (const std::bad_alloc&) {     // no memory for one
        }
        return borrowed;
    }

    void give_back(Worker* borrowed) {
        Worker* surplus = nullptr;
        {
            const std::lock_guard lock(mutex_);
            while (borrowed) {
                const bool keeps = num_waiting_ < most_waiting_;
                Worker* const worker = std::exchange(borrowed, borrowed->next);
                worker->next = std::exchange(keeps ? waiting_ : surplus, worker);
                num_waiting_ += keeps;
            }
        }
        end(surplus);
    }

  private:
    // Without the hooks a child would miss those that wait: then none does.
    Workers() : most_waiting_(pthread_atfork(before_fork, after_fork, after_fork) ? 0 : 64) {
        std::atexit([] { all().end_waiting(); });
    }

    // What this thread starts meanwhile takes no signals: these are for the threads of others.
    class WithoutSignals {
      public:
        WithoutSignals() {
            sigset_t every;
            sigfillset(&every);
            pthread_sigmask(SIG_SETMASK, &every, &before_);
        }
        ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
        WithoutSignals(const WithoutSignals&) = delete;

      private:
        sigset_t before_;
    };

    static void end(Worker* list) {
        while (list) delete std::exchange(list, list->next);
    }

    void end_waiting() {
        const std::lock_guard lock(mutex_);
        end(std::exchange(waiting_, nullptr));
        num_waiting_ = 0;
    }

    // Nobody borrows or gives back while the process forks. Workers that others of its threads have
    // borrowed are not in the child, and nobody there knows of them.
    static void before_fork() {
        all().mutex_.lock();
        end(std::exchange(all().waiting_, nullptr));
        all().num_waiting_ = 0;
    }
    static void after_fork() { all().mutex_.unlock(); }

    std::mutex mutex_;
    Worker* waiting_ = nullptr;
    std::size_t num_waiting_ = 0;
    const std::size_t most_waiting_;
};

}  // namespace ludus
