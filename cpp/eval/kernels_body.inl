// The kernels, included by one translation unit per instruction set. It may include nothing that has inline functions:
// the linker keeps one copy of those, and it might be the one for another processor.
#include "eval/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kibitz {
namespace {

// 32 values at a time: one AVX-512 register, or as many smaller ones as the processor needs.
typedef std::int16_t Shorts __attribute__((vector_size(64), aligned(2)));
constexpr int kShorts = 32;

inline const Shorts& shorts(const std::int16_t* at) { return *reinterpret_cast<const Shorts*>(at); }

void accumulate(const std::int16_t* base, const std::int16_t* const* added, int added_count,
                const std::int16_t* const* removed, int removed_count, std::int16_t* out, int width, bool clip) {
  for (int start = 0; start < width; start += 2 * kShorts) {
    Shorts low = shorts(base + start);
    Shorts high = shorts(base + start + kShorts);
    for (int row = 0; row < added_count; ++row) {
      low += shorts(added[row] + start);
      high += shorts(added[row] + start + kShorts);
    }
    for (int row = 0; row < removed_count; ++row) {
      low -= shorts(removed[row] + start);
      high -= shorts(removed[row] + start + kShorts);
    }
    if (clip) {
      const Shorts zero = {};
      const Shorts most = zero + static_cast<std::int16_t>(kActivationMax);
      low = low > zero ? low : zero;
      high = high > zero ? high : zero;
      low = low < most ? low : most;
      high = high < most ? high : most;
    }
    *reinterpret_cast<Shorts*>(out + start) = low;
    *reinterpret_cast<Shorts*>(out + start + kShorts) = high;
  }
}

// Below this many inputs it takes longer to look for zeros than to multiply by them.
constexpr int kFewInputs = 64;

int all_pairs(int pairs, std::uint16_t* indices) {
  for (int pair = 0; pair < pairs; ++pair) indices[pair] = static_cast<std::uint16_t>(pair);
  return pairs;
}

// The pairs of inputs that are not both zero, as indices; returns how many. `pairs` is a multiple of 16.
int nonzero_pairs(const std::int16_t* in, int pairs, std::uint16_t* indices) {
  const auto* words = reinterpret_cast<const std::int32_t*>(in);
  int count = 0;
#if defined(__AVX512F__)
  __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i step = _mm512_set1_epi32(16);
  for (int pair = 0; pair < pairs; pair += 16) {
    const __m512i values = _mm512_loadu_si512(words + pair);
    const __mmask16 mask = _mm512_test_epi32_mask(values, values);
    const __m512i packed = _mm512_maskz_compress_epi32(mask, index);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(indices + count), _mm512_cvtepi32_epi16(packed));
    count += __builtin_popcount(mask);
    index = _mm512_add_epi32(index, step);
  }
#else
  for (int pair = 0; pair < pairs; ++pair) {
    indices[count] = static_cast<std::uint16_t>(pair);
    count += words[pair] != 0;
  }
#endif
  return count;
}

#if defined(__AVX512VNNI__)
using Lanes = __m512i;
constexpr int kLanes = 16;
inline Lanes load(const void* at) { return _mm512_loadu_si512(at); }
inline void store(void* at, Lanes value) { _mm512_storeu_si512(at, value); }
inline Lanes broadcast(std::int32_t pair) { return _mm512_set1_epi32(pair); }
inline Lanes add(Lanes a, Lanes b) { return _mm512_add_epi32(a, b); }
inline Lanes multiply_add(Lanes sum, Lanes pair, Lanes weights) { return _mm512_dpwssd_epi32(sum, pair, weights); }
#elif defined(__AVX2__)
using Lanes = __m256i;
constexpr int kLanes = 8;
inline Lanes load(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
inline void store(void* at, Lanes value) { _mm256_storeu_si256(static_cast<__m256i*>(at), value); }
inline Lanes broadcast(std::int32_t pair) { return _mm256_set1_epi32(pair); }
inline Lanes add(Lanes a, Lanes b) { return _mm256_add_epi32(a, b); }
inline Lanes multiply_add(Lanes sum, Lanes pair, Lanes weights) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(pair, weights));
}
#elif defined(__SSE2__)
using Lanes = __m128i;
constexpr int kLanes = 4;
inline Lanes load(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }
inline void store(void* at, Lanes value) { _mm_storeu_si128(static_cast<__m128i*>(at), value); }
inline Lanes broadcast(std::int32_t pair) { return _mm_set1_epi32(pair); }
inline Lanes add(Lanes a, Lanes b) { return _mm_add_epi32(a, b); }
inline Lanes multiply_add(Lanes sum, Lanes pair, Lanes weights) {
  return _mm_add_epi32(sum, _mm_madd_epi16(pair, weights));
}
#else
struct Lanes {
  std::int32_t value;
};
constexpr int kLanes = 1;
inline Lanes load(const void* at) { return *static_cast<const Lanes*>(at); }
inline void store(void* at, Lanes value) { *static_cast<Lanes*>(at) = value; }
inline Lanes broadcast(std::int32_t pair) { return {pair}; }
inline Lanes add(Lanes a, Lanes b) { return {a.value + b.value}; }
inline Lanes multiply_add(Lanes sum, Lanes pair, Lanes weights) {
  const auto low = [](std::int32_t word) { return std::int32_t{static_cast<std::int16_t>(word)}; };
  const auto high = [](std::int32_t word) { return std::int32_t{static_cast<std::int16_t>(word >> 16)}; };
  return {sum.value + low(pair.value) * low(weights.value) + high(pair.value) * high(weights.value)};
}
#endif

// `kGroup` registers of outputs stay in registers over all pairs. Pairs go in turn to `kChains` independent sums: a
// multiplication takes several cycles to arrive, and a single sum would wait for each of them.
template <int kGroup, int kChains>
void dense_group(const std::int16_t* in, const std::uint16_t* pairs, int pair_count, const std::int16_t* weights,
                 const std::int32_t* bias, int outputs, std::int32_t* out) {
  const auto* words = reinterpret_cast<const std::int32_t*>(in);
  const std::ptrdiff_t stride = outputs * 2;
  Lanes sums[kChains][kGroup];
  for (int g = 0; g < kGroup; ++g) sums[0][g] = load(bias + g * kLanes);
  for (int c = 1; c < kChains; ++c)
    for (int g = 0; g < kGroup; ++g) sums[c][g] = broadcast(0);
  int p = 0;
  for (; p + kChains <= pair_count; p += kChains) {
    for (int c = 0; c < kChains; ++c) {
      const Lanes pair = broadcast(words[pairs[p + c]]);
      const std::int16_t* row = weights + pairs[p + c] * stride;
      for (int g = 0; g < kGroup; ++g) sums[c][g] = multiply_add(sums[c][g], pair, load(row + g * kLanes * 2));
    }
  }
  for (; p < pair_count; ++p) {
    const Lanes pair = broadcast(words[pairs[p]]);
    const std::int16_t* row = weights + pairs[p] * stride;
    for (int g = 0; g < kGroup; ++g) sums[0][g] = multiply_add(sums[0][g], pair, load(row + g * kLanes * 2));
  }
  for (int g = 0; g < kGroup; ++g) {
    for (int c = 1; c < kChains; ++c) sums[0][g] = add(sums[0][g], sums[c][g]);
    store(out + g * kLanes, sums[0][g]);
  }
}

void dense(const std::int16_t* in, int inputs, const std::int16_t* weights, const std::int32_t* bias, int outputs,
           std::int32_t* out) {
  std::uint16_t pairs[kMaxWidth / 2 + 32];
  const int pair_count = inputs <= kFewInputs ? all_pairs(inputs / 2, pairs) : nonzero_pairs(in, inputs / 2, pairs);
  int done = 0;
  const auto rest = [&] { return (outputs - done) / kLanes; };
  while (rest() >= 4) {
    dense_group<4, 2>(in, pairs, pair_count, weights + done * 2, bias + done, outputs, out + done);
    done += 4 * kLanes;
  }
  while (rest() >= 2) {
    dense_group<2, 4>(in, pairs, pair_count, weights + done * 2, bias + done, outputs, out + done);
    done += 2 * kLanes;
  }
  if (rest()) dense_group<1, 4>(in, pairs, pair_count, weights + done * 2, bias + done, outputs, out + done);
}

void activate(const std::int32_t* in, int count, int shift, std::int16_t* out) {
  for (int i = 0; i < count; ++i) {
    std::int32_t value = in[i] >> shift;
    value = value < 0 ? 0 : value;
    out[i] = static_cast<std::int16_t>(value > kActivationMax ? kActivationMax : value);
  }
}

}  // namespace
}  // namespace kibitz
