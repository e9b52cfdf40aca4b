// One rule for every bound object that can change: one call at a time.
//
// Native work frees the interpreter, and games written in Python are called in the middle of it, so
// a second call can come from another thread or out of the first one. It gets a sentence and does
// not wait: nothing can lock up, and nothing is seen half done.
#pragma once

#include <atomic>

#include "../game.hpp"
#include "../search/threads.hpp"

namespace ludus {

// Whether a bound object is at work; a copy is an object of its own.
class Busy {
  public:
    Busy() = default;
    Busy(const Busy&) noexcept {}
    Busy& operator=(const Busy&) noexcept { return *this; }

  private:
    friend class Alone;
    mutable std::atomic_flag flag_;
};

// Held by every method of such an object, from before its arguments are read: reading them may call
// Python, too.
class Alone {
  public:
    explicit Alone(const Busy& busy) : flag_(busy.flag_) {
        prepare_for_exceptions();  // this may be a thread of Python's that never threw any
        if (flag_.test_and_set(std::memory_order_acquire)) {
            throw std::invalid_argument(
                "this object is at work in another thread or call; only one at a time may use it");
        }
    }
    ~Alone() { flag_.clear(std::memory_order_release); }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

  private:
    std::atomic_flag& flag_;
};

}  // namespace ludus
