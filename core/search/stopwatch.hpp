// Keeps a time budget while hardly looking at the clock.
#pragma once

#include <algorithm>
#include <chrono>

namespace ludus {

class Stopwatch {
  public:
    explicit Stopwatch(double seconds) : looked_(now()), end_(looked_ + seconds) {}

    // Asked before each piece of work: whether there is time for it. The clock is looked at after
    // every 32 pieces, more often if they are slow or the end is near.
    bool goes_on() {
        if (--left_ > 0) return true;
        const double time = now();
        const double each = pieces_ ? std::max((time - looked_) / pieces_, 1e-9) : 0;
        looked_ = time;
        if (time + each >= end_) return false;
        const double most = std::min(end_ - time, 0.0002) / std::max(each, 1e-9);
        pieces_ = pieces_ ? static_cast<int>(std::clamp(most, 1.0, 32.0)) : 1;
        left_ = pieces_;
        return true;
    }

    static double now() {
        const auto since = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration<double>(since).count();
    }

  private:
    double looked_, end_;
    int pieces_ = 0, left_ = 0;
};

}  // namespace ludus
