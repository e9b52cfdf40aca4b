// The k-th set bit of a word.
//
// One instruction finds it (BMI2's parallel bit deposit), but AMD's processors before Zen 3 take up
// to hundreds of cycles for that instruction. So the processor is asked once, and where it is slow,
// unknown or of another kind the bit is found in steps: the results are the same.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#ifdef __BMI2__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace ludus {

// The set bit with `rank` set bits below it; there must be more than `rank`.
constexpr int select_in_steps(std::uint64_t word, int rank) {
    int base = 0;
    for (int width = 32; width >= 8; width /= 2) {
        const int below = std::popcount(word & ((std::uint64_t{1} << width) - 1));
        if (rank >= below) {
            rank -= below;
            word >>= width;
            base += width;
        }
    }
    while (rank--) word &= word - 1;
    return base + std::countr_zero(word);
}

// Whether a processor deposits bits fast, by who made it and its family (which for AMD's Zen 3 is
// 0x19). Others that have the instruction are not known to be fast.
constexpr bool deposits_fast(std::string_view maker, unsigned family) {
    return maker == "GenuineIntel" || (maker == "AuthenticAMD" && family >= 0x19);
}

#ifdef __BMI2__

inline bool ask_processor() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(0, &a, &b, &c, &d)) return false;
    char maker[12];
    const unsigned words[] = {b, d, c};
    for (unsigned i = 0; i < 12; ++i) maker[i] = static_cast<char>(words[i / 4] >> 8 * (i % 4));
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    const unsigned family = a >> 8 & 0xf;  // 15 says that there is more to add
    return deposits_fast({maker, sizeof maker}, family == 0xf ? family + (a >> 20 & 0xff) : family);
}

// Known once the program has started; until then the steps do.
inline const bool DepositsFast = ask_processor();

inline bool deposits_fast() {
    return DepositsFast;
}
inline int select_by_deposit(std::uint64_t word, int rank) {
    return std::countr_zero(_pdep_u64(std::uint64_t{1} << rank, word));
}

#else

constexpr bool deposits_fast() {
    return false;
}
constexpr int select_by_deposit(std::uint64_t word, int rank) {
    return select_in_steps(word, rank);
}

#endif

constexpr int select(std::uint64_t word, int rank) {
    if (!std::is_constant_evaluated() && deposits_fast()) return select_by_deposit(word, rank);
    return select_in_steps(word, rank);
}

}  // namespace ludus
