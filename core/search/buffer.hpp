// Items side by side in memory that grows where it lies.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace ludus {

// A vector whose growth does not copy what is in it where the system can avoid that: realloc moves
// a large block by its page table. Copying a hundred megabytes would break a time budget.
template <class T>
    requires std::is_trivially_copyable_v<T>
class Buffer {
  public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() { std::free(items_); }

    T* data() { return items_; }
    const T* data() const { return items_; }
    T& operator[](std::size_t i) { return items_[i]; }
    const T& operator[](std::size_t i) const { return items_[i]; }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    void clear() { size_ = 0; }

    // Makes room for more items and returns the first of them; all are as new.
    T* append(std::size_t count) {
        if (size_ + count > capacity_) reserve(std::max(size_ + count, 2 * capacity_));
        T* first = items_ + size_;
        for (std::size_t i = 0; i < count; ++i) new (first + i) T();
        size_ += count;
        return first;
    }

  private:
    void reserve(std::size_t capacity) {
        void* moved = std::realloc(static_cast<void*>(items_), capacity * sizeof(T));
        if (!moved) throw std::bad_alloc();
        items_ = static_cast<T*>(moved);
        capacity_ = capacity;
    }

    void swap(Buffer& other) noexcept {
        std::swap(items_, other.items_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    T* items_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace ludus
