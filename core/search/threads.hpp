// Work on many things at once; who does which cannot be seen in the result.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "workers.hpp"

namespace ludus {

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
    Workers& all = Workers::all();
    Worker* const others = all.borrow(std::min(static_cast<std::size_t>(threads), count) - 1);
    const auto run = [](const void* on) { (*static_cast<decltype(&work)>(on))(); };
    for (Worker* each = others; each; each = each->next) each->call({run, &work});
    work();
    for (Worker* each = others; each; each = each->next) each->call_back();
    all.give_back(others);
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ludus
