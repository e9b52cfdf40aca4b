// A list of at most Capacity items that lives where it is declared: no allocation.
#pragma once

#include <cassert>
#include <cstddef>
#include <type_traits>

namespace ludus {

template <class T, std::size_t Capacity>
    requires std::is_trivially_copyable_v<T>
class InlineList {
  public:
    InlineList() {}  // items stay uninitialised on purpose: most are never looked at
    InlineList(const InlineList& other) { *this = other; }
    InlineList& operator=(const InlineList& other) {
        size_ = other.size_;
        for (std::size_t i = 0; i < size_; ++i) items_[i] = other.items_[i];
        return *this;
    }

    void push_back(T item) {
        assert(size_ < Capacity);
        items_[size_++] = item;
    }
    void clear() { size_ = 0; }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T operator[](std::size_t i) const { return items_[i]; }
    const T* begin() const { return items_; }
    const T* end() const { return items_ + size_; }

  private:
    std::size_t size_ = 0;
    T items_[Capacity];
};

}  // namespace ludus
