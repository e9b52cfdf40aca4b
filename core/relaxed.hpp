// Words of plain memory that threads share, in no order: what std::atomic_ref does, which the
// standard library of clang has from its version 19 on only. GCC and clang both know these.
#pragma once

#include <concepts>

namespace ludus::relaxed {

template <std::unsigned_integral Word>
Word load(const Word& word) {
    return __atomic_load_n(&word, __ATOMIC_RELAXED);
}
template <std::unsigned_integral Word>
void store(Word& word, Word value) {
    __atomic_store_n(&word, value, __ATOMIC_RELAXED);
}
template <std::unsigned_integral Word>
void set(Word& word, Word bits) {
    __atomic_fetch_or(&word, bits, __ATOMIC_RELAXED);
}
template <std::unsigned_integral Word>
void clear(Word& word, Word bits) {
    __atomic_fetch_and(&word, static_cast<Word>(~bits), __ATOMIC_RELAXED);
}

}  // namespace ludus::relaxed
