// Work on many things at once; who does which cannot be seen in the result.
#pragma once

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace ludus {

// A thread gets the memory for its exceptions when it first asks about them, and the C library ends
// the process if there is none: so not when memory is what the exception is about.
inline void prepare_for_exceptions() {
    [[maybe_unused]] const volatile int none = std::uncaught_exceptions();
}

// Whether the process may have only so much memory. Where it may not, small allocations fail only
// on a system that promises no more than it has.
inline bool memory_is_limited() {
    const auto is_limited = [](auto resource) {
        rlimit most;
        return getrlimit(resource, &most) != 0 || most.rlim_cur != RLIM_INFINITY;
    };
    return is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA);
}

// Whether there is memory for another thread's stack and, generously, for what it needs at once.
inline bool room_for_a_thread() {
    constexpr std::size_t Spare = 16 << 20;
    std::size_t stack = 0;
    pthread_attr_t defaults;
    if (pthread_attr_init(&defaults) != 0) return false;
    pthread_attr_getstacksize(&defaults, &stack);
    pthread_attr_destroy(&defaults);
    // Mapped and not allocated: an allocator would keep it, or learn from it.
    const std::size_t size = stack + Spare;
    void* room = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, size);
    return true;
}

// How threads start together. Within a limit one is prepared before the next is started, and none
// works until all are: nothing takes the memory that was seen to be there, unless other threads of
// the process do.
class Start {
  public:
    // Called by each thread before it works.
    void join() {
        prepare_for_exceptions();
        if (!limited_) return;
        prepared_.fetch_add(1);
        prepared_.notify_one();
        go_.wait(false);
    }

    bool another() const { return !limited_ || room_for_a_thread(); }

    // Called when one more than so many were started.
    void wait_for_one_more_than(std::size_t prepared) const {
        if (limited_) prepared_.wait(prepared);
    }

    void go() {
        go_ = true;
        go_.notify_all();
    }

  private:
    const bool limited_ = memory_is_limited();
    std::atomic<std::size_t> prepared_{0};
    std::atomic<bool> go_{false};
};

// Starts up to so many threads that do this work; fewer where the system has no more to give.
template <class Work>
std::vector<std::jthread> start_threads(std::size_t threads, const Work& work, Start& start) {
    std::vector<std::jthread> workers;
    try {
        workers.reserve(threads);
        while (workers.size() < threads && start.another()) {
            const std::size_t before = workers.size();
            workers.emplace_back([&] {
                start.join();
                work();
            });
            start.wait_for_one_more_than(before);
        }
    } catch (const std::system_error&) {  // no thread
    } catch (const std::bad_alloc&) {     // no memory for one
    }
    start.go();
    return workers;
}

// Calls f(0) ... f(count - 1), shared among threads; the first exception comes back, and then not
// all calls have been made. This thread is one of them, so the work is done even if it is alone.
template <class F>
void in_threads(int threads, std::size_t count, F f) {
    if (threads <= 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i) f(i);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto work = [&] {
        try {
            for (std::size_t i; (i = next.fetch_add(1)) < count;) f(i);
        } catch (...) {
            const std::lock_guard lock(failing);
            if (!failure) failure = std::current_exception();
            next = count;
        }
    };
    prepare_for_exceptions();
    Start start;
    {
        const auto others =
            start_threads(std::min(static_cast<std::size_t>(threads), count) - 1, work, start);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ludus
