// The kernels, included by one translation unit per instruction set. It may include nothing that has inline functions:
// the linker keeps one copy of those, and it might be the one for another processor.
#include "eval/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kibitz {
namespace {

void accumulate(const std::int16_t* base, const std::int16_t* const* added, int added_count,
                const std::int16_t* const* removed, int removed_count, std::int16_t* out, int width, bool clip) {
  constexpr int kBlock = 64;
  for (int start = 0; start < width; start += kBlock) {
    const int size = width - start < kBlock ? width - start : kBlock;
    std::int16_t sum[kBlock];
    for (int i = 0; i < size; ++i) sum[i] = base[start + i];
    for (int row = 0; row < added_count; ++row) {
      const std::int16_t* values = added[row] + start;
      if (size == kBlock) {
        for (int i = 0; i < kBlock; ++i) sum[i] = static_cast<std::int16_t>(sum[i] + values[i]);
      } else {
        for (int i = 0; i < size; ++i) sum[i] = static_cast<std::int16_t>(sum[i] + values[i]);
      }
    }
    for (int row = 0; row < removed_count; ++row) {
      const std::int16_t* values = removed[row] + start;
      if (size == kBlock) {
        for (int i = 0; i < kBlock; ++i) sum[i] = static_cast<std::int16_t>(sum[i] - values[i]);
      } else {
        for (int i = 0; i < size; ++i) sum[i] = static_cast<std::int16_t>(sum[i] - values[i]);
      }
    }
    if (clip) {
      for (int i = 0; i < size; ++i) {
        std::int16_t value = sum[i] < 0 ? std::int16_t{0} : sum[i];
        out[start + i] = value > kActivationMax ? std::int16_t{kActivationMax} : value;
      }
    } else {
      for (int i = 0; i < size; ++i) out[start + i] = sum[i];
    }
  }
}

// The pairs of inputs that are not both zero, as indices; returns how many.
int nonzero_pairs(const std::int16_t* in, int pairs, std::uint16_t* indices) {
  const auto* words = reinterpret_cast<const std::int32_t*>(in);
  int count = 0;
#if defined(__AVX512F__)
  __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i step = _mm512_set1_epi32(16);
  int pair = 0;
  for (; pair + 16 <= pairs; pair += 16) {
    const __m512i values = _mm512_loadu_si512(words + pair);
    const __mmask16 mask = _mm512_test_epi32_mask(values, values);
    const __m512i packed = _mm512_maskz_compress_epi32(mask, index);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(indices + count), _mm512_cvtepi32_epi16(packed));
    count += __builtin_popcount(mask);
    index = _mm512_add_epi32(index, step);
  }
  for (; pair < pairs; ++pair) {
    indices[count] = static_cast<std::uint16_t>(pair);
    count += words[pair] != 0;
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
inline Lanes multiply_add(Lanes sum, Lanes pair, Lanes weights) { return _mm512_dpwssd_epi32(sum, pair, weights); }
#elif defined(__AVX2__)
using Lanes = __m256i;
constexpr int kLanes = 8;
inline Lanes load(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
inline void store(void* at, Lanes value) { _mm256_storeu_si256(static_cast<__m256i*>(at), value); }
inline Lanes broadcast(std::int32_t pair) { return _mm256_set1_epi32(pair); }
inline Lanes multiply_add(Lanes sum, Lanes pair, Lanes weights) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(pair, weights));
}
#elif defined(__SSE2__)
using Lanes = __m128i;
constexpr int kLanes = 4;
inline Lanes load(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }
inline void store(void* at, Lanes value) { _mm_storeu_si128(static_cast<__m128i*>(at), value); }
inline Lanes broadcast(std::int32_t pair) { return _mm_set1_epi32(pair); }
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
inline Lanes multiply_add(Lanes sum, Lanes pair, Lanes weights) {
  const auto low = [](std::int32_t word) { return std::int32_t{static_cast<std::int16_t>(word)}; };
  const auto high = [](std::int32_t word) { return std::int32_t{static_cast<std::int16_t>(word >> 16)}; };
  return {sum.value + low(pair.value) * low(weights.value) + high(pair.value) * high(weights.value)};
}
#endif

// `kGroup` registers of outputs at a time stay in registers over all pairs.
template <int kGroup>
void dense_group(const std::int16_t* in, const std::uint16_t* pairs, int pair_count, const std::int16_t* weights,
                 const std::int32_t* bias, int outputs, std::int32_t* out) {
  const auto* words = reinterpret_cast<const std::int32_t*>(in);
  Lanes sums[kGroup];
  for (int g = 0; g < kGroup; ++g) sums[g] = load(bias + g * kLanes);
  for (int p = 0; p < pair_count; ++p) {
    const Lanes pair = broadcast(words[pairs[p]]);
    const std::int16_t* row = weights + static_cast<std::ptrdiff_t>(pairs[p]) * outputs * 2;
    for (int g = 0; g < kGroup; ++g) sums[g] = multiply_add(sums[g], pair, load(row + g * kLanes * 2));
  }
  for (int g = 0; g < kGroup; ++g) store(out + g * kLanes, sums[g]);
}

void dense(const std::int16_t* in, int inputs, const std::int16_t* weights, const std::int32_t* bias, int outputs,
           std::int32_t* out) {
  std::uint16_t pairs[kMaxWidth / 2 + 32];
  const int pair_count = nonzero_pairs(in, inputs / 2, pairs);
  int done = 0;
  while (outputs - done >= 4 * kLanes) {
    dense_group<4>(in, pairs, pair_count, weights + done * 2, bias + done, outputs, out + done);
    done += 4 * kLanes;
  }
  while (outputs - done >= kLanes) {
    dense_group<1>(in, pairs, pair_count, weights + done * 2, bias + done, outputs, out + done);
    done += kLanes;
  }
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
