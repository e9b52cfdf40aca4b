// Work on many things at once; who does which cannot be seen in the result.
#pragma once

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

// A thread gets the memory for its exceptions when it first asks about them, and ends the process
// if there is none: so not when memory is what the exception is about.
inline void prepare_for_exceptions() {
    [[maybe_unused]] const volatile int none = std::uncaught_exceptions();
}

// Starts up to so many threads that do this work; fewer where the system has no more to give.
template <class Work>
std::vector<std::jthread> started(std::size_t threads, const Work& work) {
    constexpr std::size_t Spare = 1 << 16;  // what a thread needs at once, and more
    std::vector<std::jthread> workers;
    try {
        workers.reserve(threads);
        while (workers.size() < threads) {
            ::operator delete(::operator new(Spare));
            workers.emplace_back(std::cref(work));
        }
    } catch (const std::system_error&) {  // no thread
    } catch (const std::bad_alloc&) {     // no memory for one
    }
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
        prepare_for_exceptions();
        try {
            for (std::size_t i; (i = next.fetch_add(1)) < count;) f(i);
        } catch (...) {
            const std::lock_guard lock(failing);
            if (!failure) failure = std::current_exception();
            next = count;
        }
    };
    {
        const auto others = started(std::min(static_cast<std::size_t>(threads), count) - 1, work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ludus
