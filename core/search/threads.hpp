// Work on many things at once; who does which cannot be seen in the result.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ludus {

// Calls f(0) ... f(count - 1), shared among threads; the first exception comes back.
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
            failure = std::current_exception();
            next = count;
        }
    };
    {
        std::vector<std::jthread> workers;
        const auto others = std::min(static_cast<std::size_t>(threads), count) - 1;
        for (std::size_t i = 0; i < others; ++i) workers.emplace_back(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ludus
