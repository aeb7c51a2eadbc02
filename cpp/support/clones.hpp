// Functions that are compiled for several instruction sets, of which the best one runs. To have the same digits
// everywhere, such a function makes its sums in the same order on all of them, or of integers.
#pragma once

#if defined(__x86_64__) && defined(__GLIBC__)
#define KIBITZ_CLONES __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define KIBITZ_CLONES
#endif

// What such a function calls has to be compiled into each of its clones.
#define KIBITZ_INLINE __attribute__((always_inline)) inline
