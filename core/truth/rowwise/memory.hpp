// Zeroed words in large pages, shared by threads that set bits anywhere in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ludus::rowwise {

class Memory {
  public:
    explicit Memory(std::size_t words) : size_(words) {
        constexpr std::size_t Page = 1 << 21;
        const std::size_t bytes = std::max((words * 8 + Page - 1) / Page, std::size_t{1}) * Page;
        words_.reset(static_cast<std::uint64_t*>(std::aligned_alloc(Page, bytes)));
        if (!words_) throw std::bad_alloc();
#ifdef __linux__
        // Bits are set all over the place: small pages would cost a walk through the page tables
        // each time. Where there are no large ones the small ones do.
        madvise(words_.get(), bytes, MADV_HUGEPAGE);
#endif
        std::fill_n(words_.get(), bytes / 8, 0);
    }

    std::span<std::uint64_t> words() { return {words_.get(), size_}; }
    std::span<const std::uint64_t> words() const { return {words_.get(), size_}; }

  private:
    struct Free {
        void operator()(std::uint64_t* words) const { std::free(words); }
    };
    std::unique_ptr<std::uint64_t, Free> words_;
    std::size_t size_;
};

}  // namespace ludus::rowwise
