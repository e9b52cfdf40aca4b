// Whether there is memory for another thread.
#pragma once

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>

namespace ludus {

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

}  // namespace ludus
