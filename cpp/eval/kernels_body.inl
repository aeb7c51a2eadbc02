// The kernels, included by one translation unit per instruction set. It may include nothing that has inline functions:
// the linker keeps one copy of those, and it might be the one for another processor.
#include <cstddef>

#include "eval/features.hpp"
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

// There are at least as many rows to add as to remove.
template <int kWide>
inline void accumulate_columns(const std::int16_t* base, const std::int16_t* const* added, int added_count,
                               const std::int16_t* const* removed, int removed_count, std::int16_t* out, bool clip,
                               int start) {
  Shorts sums[kWide];
  for (int c = 0; c < kWide; ++c) sums[c] = shorts(base + start + c * kShorts);
  // Both in one loop as far as they go: where a loop ends is hard to foresee.
  int row = 0;
  for (; row < removed_count; ++row)
    for (int c = 0; c < kWide; ++c)
      sums[c] += shorts(added[row] + start + c * kShorts) - shorts(removed[row] + start + c * kShorts);
  for (; row < added_count; ++row)
    for (int c = 0; c < kWide; ++c) sums[c] += shorts(added[row] + start + c * kShorts);
  if (clip) {
    const Shorts zero = {};
    const Shorts most = zero + static_cast<std::int16_t>(kActivationMax);
    for (int c = 0; c < kWide; ++c) {
      sums[c] = sums[c] > zero ? sums[c] : zero;
      sums[c] = sums[c] < most ? sums[c] : most;
    }
  }
  for (int c = 0; c < kWide; ++c) *reinterpret_cast<Shorts*>(out + start + c * kShorts) = sums[c];
}

inline void accumulate_all(const std::int16_t* base, const std::int16_t* const* added, int added_count,
                           const std::int16_t* const* removed, int removed_count, std::int16_t* out, int width,
                           bool clip) {
  int start = 0;
  for (; width - start >= 4 * kShorts; start += 4 * kShorts)
    accumulate_columns<4>(base, added, added_count, removed, removed_count, out, clip, start);
  for (; start < width; start += kShorts)
    accumulate_columns<1>(base, added, added_count, removed, removed_count, out, clip, start);
}

void accumulate(const std::int16_t* base, const std::int16_t* const* rows, int count, std::int16_t* out, int width,
                bool clip) {
  accumulate_all(base, rows, count, nullptr, 0, out, width, clip);
}

// The slots in which a position has more checkers than another, in which it has fewer, and where the difference is more
// than one: sets of bits.
struct Changes {
  std::uint64_t more = 0, fewer = 0, far = 0;
};

inline Changes changes(const std::uint8_t* before, const std::uint8_t* now) {
  Changes found;
#if defined(__AVX512BW__)
  constexpr __mmask64 kOnBoard = (std::uint64_t{1} << kSlotsOnBoard) - 1;
  const __m512i had = _mm512_maskz_loadu_epi8(kOnBoard, before);
  const __m512i has = _mm512_maskz_loadu_epi8(kOnBoard, now);
  const __m512i distance = _mm512_or_si512(_mm512_subs_epu8(has, had), _mm512_subs_epu8(had, has));
  found.more = _mm512_cmpgt_epi8_mask(has, had);
  found.fewer = _mm512_cmpgt_epi8_mask(had, has);
  found.far = _mm512_cmpgt_epi8_mask(distance, _mm512_set1_epi8(1));
#elif defined(__SSE2__)
  const auto bits = [](__m128i flags, int at) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(flags))) << at;
  };
  const auto compare = [&](int at) {
    const __m128i had = _mm_loadu_si128(reinterpret_cast<const __m128i*>(before + at));
    const __m128i has = _mm_loadu_si128(reinterpret_cast<const __m128i*>(now + at));
    const __m128i distance = _mm_or_si128(_mm_subs_epu8(has, had), _mm_subs_epu8(had, has));
    found.more |= bits(_mm_cmpgt_epi8(has, had), at);
    found.fewer |= bits(_mm_cmpgt_epi8(had, has), at);
    found.far |= bits(_mm_cmpgt_epi8(distance, _mm_set1_epi8(1)), at);
  };
  constexpr int kStep = 16;
  for (int at = 0; at + kStep <= kSlotsOnBoard; at += kStep) compare(at);
  compare(kSlotsOnBoard - kStep);  // the last step overlaps the one before it
#else
  for (int at = 0; at < kSlotsOnBoard; ++at) {
    found.more |= static_cast<std::uint64_t>(now[at] > before[at]) << at;
    found.fewer |= static_cast<std::uint64_t>(now[at] < before[at]) << at;
    found.far |= static_cast<std::uint64_t>(now[at] > before[at] + 1 || before[at] > now[at] + 1) << at;
  }
#endif
  return found;
}

inline void neighbour(const std::uint8_t* before, const std::uint8_t* now, const std::int16_t* units,
                      const std::int16_t* sums, const std::uint16_t* more, int more_count, std::int16_t* out,
                      int width) {
  const std::int16_t* added[4 * kCheckersOfSide + kMostFeatures];
  const std::int16_t* removed[4 * kCheckersOfSide];
  int added_count = 0;
  int removed_count = 0;
  const auto step = [&](int slot, int count) {
    const int unit = count < kUnitsOfSlot ? count : kUnitsOfSlot - 1;
    return units + static_cast<std::ptrdiff_t>(slot * kUnitsOfSlot + unit) * width;
  };
  // Most counts change by one, and mostly as many go up as go down.
  const Changes slots = changes(before, now);
  std::uint64_t up = slots.more;
  std::uint64_t down = slots.fewer;
  const auto add = [&] {
    const int slot = __builtin_ctzll(up);
    added[added_count++] = step(slot, before[slot]);
    up &= up - 1;
  };
  const auto remove = [&] {
    const int slot = __builtin_ctzll(down);
    removed[removed_count++] = step(slot, now[slot]);
    down &= down - 1;
  };
  while (up && down) add(), remove();
  while (up) add();
  while (down) remove();
  std::uint64_t far = slots.far;
  for (int steps = 1; far; ++steps) {
    for (std::uint64_t left = far; left; left &= left - 1) {
      const int slot = __builtin_ctzll(left);
      const int had = before[slot];
      const int has = now[slot];
      if (has > had) {
        added[added_count++] = step(slot, had + steps);
      } else {
        removed[removed_count++] = step(slot, has + steps);
      }
      if (had + steps + 1 == has || has + steps + 1 == had) far &= ~(std::uint64_t{1} << slot);
    }
  }
  // What is missing from the board has been borne off.
  if (added_count != removed_count) {
    for (int side = 0; side < 2; ++side) {
      int had = kCheckersOfSide;
      int has = kCheckersOfSide;
      for (int slot = side * kSlotsOfSide; slot < (side + 1) * kSlotsOfSide; ++slot) {
        had -= before[slot];
        has -= now[slot];
      }
      for (int count = had; count < has; ++count) added[added_count++] = step(kSlotsOnBoard + side, count);
      for (int count = had; count > has; --count) removed[removed_count++] = step(kSlotsOnBoard + side, count - 1);
    }
  }
  const std::int16_t* feature_units = units + static_cast<std::ptrdiff_t>(kUnitsOfCounts) * width;
  for (int i = 0; i < more_count; ++i)
    added[added_count++] = feature_units + static_cast<std::ptrdiff_t>(more[i]) * width;
  accumulate_all(sums, added, added_count, removed, removed_count, out, width, true);
}

void neighbours(const std::uint8_t* before, const std::uint8_t* positions, int count, const std::int16_t* units,
                const std::int16_t* sums, const std::uint16_t* more, const int* more_counts, const std::uint8_t* rows,
                std::int16_t* out, int width) {
  for (int i = 0; i < count; ++i)
    neighbour(before, positions + i * kSlotsOnBoard, units, sums, more + i * kMostFeatures, more_counts[i],
              out + static_cast<std::ptrdiff_t>(rows[i]) * width, width);
}

#include "eval/features_body.inl"

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

// Adds the products of some pairs to `kGroup` registers of outputs. Pairs go in turn to `kChains` independent sums: a
// multiplication takes several cycles to arrive, and a single sum would wait for each of them.
template <int kGroup, int kChains>
void add_products(const std::int32_t* in, const std::uint16_t* pairs, int pair_count, const std::int16_t* weights,
                  std::ptrdiff_t stride, std::int32_t* out) {
  Lanes sums[kChains][kGroup];
  for (int g = 0; g < kGroup; ++g) sums[0][g] = load(out + g * kLanes);
  for (int c = 1; c < kChains; ++c)
    for (int g = 0; g < kGroup; ++g) sums[c][g] = broadcast(0);
  int p = 0;
  for (; p + kChains <= pair_count; p += kChains) {
    for (int c = 0; c < kChains; ++c) {
      const Lanes pair = broadcast(in[pairs[p + c]]);
      const std::int16_t* row = weights + pairs[p + c] * stride;
      for (int g = 0; g < kGroup; ++g) sums[c][g] = multiply_add(sums[c][g], pair, load(row + g * kLanes * 2));
    }
  }
  for (; p < pair_count; ++p) {
    const Lanes pair = broadcast(in[pairs[p]]);
    const std::int16_t* row = weights + pairs[p] * stride;
    for (int g = 0; g < kGroup; ++g) sums[0][g] = multiply_add(sums[0][g], pair, load(row + g * kLanes * 2));
  }
  for (int g = 0; g < kGroup; ++g) {
    for (int c = 1; c < kChains; ++c) sums[0][g] = add(sums[0][g], sums[c][g]);
    store(out + g * kLanes, sums[0][g]);
  }
}

// A strip of outputs for `kRows` rows and some pairs, of which `pair_at` tells the indices: each weight is loaded once
// for all rows.
template <int kRows, int kGroup, typename PairAt>
void multiply_pairs(const std::int16_t* in, int inputs, PairAt pair_at, int pair_count, const std::int16_t* weights,
                    std::ptrdiff_t stride, const std::int32_t* bias, int outputs, std::int32_t* out) {
  Lanes sums[kRows][kGroup];
  for (int row = 0; row < kRows; ++row)
    for (int g = 0; g < kGroup; ++g) sums[row][g] = load(bias + g * kLanes);
  for (int p = 0; p < pair_count; ++p) {
    const int pair = pair_at(p);
    const std::int16_t* from = weights + pair * stride;
    Lanes values[kGroup];
    for (int g = 0; g < kGroup; ++g) values[g] = load(from + g * kLanes * 2);
    for (int row = 0; row < kRows; ++row) {
      const auto* words = reinterpret_cast<const std::int32_t*>(in + static_cast<std::ptrdiff_t>(row) * inputs);
      const Lanes input = broadcast(words[pair]);
      for (int g = 0; g < kGroup; ++g) sums[row][g] = multiply_add(sums[row][g], input, values[g]);
    }
  }
  for (int row = 0; row < kRows; ++row)
    for (int g = 0; g < kGroup; ++g) store(out + static_cast<std::ptrdiff_t>(row) * outputs + g * kLanes, sums[row][g]);
}

template <int kGroup>
void multiply_rows(const std::int16_t* in, int count, int inputs, const std::int16_t* weights, std::ptrdiff_t stride,
                   const std::int32_t* bias, int outputs, std::int32_t* out) {
  constexpr int kRows = kGroup == 1 ? 8 : 4;
  int row = 0;
  const auto all = [](int pair) { return pair; };
  const auto multiply = [&](auto multiply_some, int rows) {
    multiply_some(in + static_cast<std::ptrdiff_t>(row) * inputs, inputs, all, inputs / 2, weights, stride, bias,
                  outputs, out + static_cast<std::ptrdiff_t>(row) * outputs);
    row += rows;
  };
  while (count - row >= kRows) multiply(multiply_pairs<kRows, kGroup, decltype(all)>, kRows);
  while (count - row >= 2) multiply(multiply_pairs<2, kGroup, decltype(all)>, 2);
  if (row < count) multiply(multiply_pairs<1, kGroup, decltype(all)>, 1);
}

void dense_without_zeros(const std::int16_t* in, int count, int inputs, const std::int16_t* weights,
                         const std::int32_t* bias, int outputs, std::int32_t* out) {
  const std::ptrdiff_t stride = outputs * 2;
  int o = 0;
  for (; outputs - o >= 2 * kLanes; o += 2 * kLanes)
    multiply_rows<2>(in, count, inputs, weights + o * 2, stride, bias + o, outputs, out + o);
  if (o < outputs) multiply_rows<1>(in, count, inputs, weights + o * 2, stride, bias + o, outputs, out + o);
}

// Rows that belong to one roll are alike: what is zero in one of them is mostly zero in the others, so a few of them
// share the pairs that are not zero in all.
template <int kRows>
void dense_together(const std::int16_t* in, int inputs, const std::int16_t* weights, const std::int32_t* bias,
                    int outputs, std::int32_t* out) {
  std::int16_t any[kMaxWidth];
  for (int i = 0; i < inputs; i += kShorts) {
    Shorts some = shorts(in + i);
    for (int row = 1; row < kRows; ++row) some |= shorts(in + static_cast<std::ptrdiff_t>(row) * inputs + i);
    *reinterpret_cast<Shorts*>(any + i) = some;
  }
  std::uint16_t pairs[kMaxWidth / 2 + 16];
  const int pair_count = nonzero_pairs(any, inputs / 2, pairs);
  const auto nonzero = [&pairs](int p) { return int{pairs[p]}; };
  using Nonzero = decltype(nonzero);
  int done = 0;
  const auto strip = [&](auto multiply_strip, int width) {
    multiply_strip(in, inputs, nonzero, pair_count, weights + done * 2, outputs * 2, bias + done, outputs, out + done);
    done += width * kLanes;
  };
  const auto rest = [&] { return (outputs - done) / kLanes; };
  if constexpr (kLanes >= 16)  // there are as many registers as four strips of four rows need
    while (rest() >= 4) strip(multiply_pairs<kRows, 4, Nonzero>, 4);
  while (rest() >= 2) strip(multiply_pairs<kRows, 2, Nonzero>, 2);
  if (rest()) strip(multiply_pairs<kRows, 1, Nonzero>, 1);
}

void dense_alone(const std::int16_t* in, int inputs, const std::int16_t* weights, const std::int32_t* bias, int outputs,
                 std::int32_t* out) {
  std::uint16_t pairs[kMaxWidth / 2 + 16];
  const int pair_count = nonzero_pairs(in, inputs / 2, pairs);
  const auto* words = reinterpret_cast<const std::int32_t*>(in);
  for (int o = 0; o < outputs; ++o) out[o] = bias[o];
  int done = 0;
  const auto strip = [&](auto add_strip, int width) {
    add_strip(words, pairs, pair_count, weights + done * 2, outputs * 2, out + done);
    done += width * kLanes;
  };
  const auto rest = [&] { return (outputs - done) / kLanes; };
  while (rest() >= 8) strip(add_products<8, 1>, 8);
  while (rest() >= 4) strip(add_products<4, 2>, 4);
  while (rest() >= 2) strip(add_products<2, 4>, 2);
  if (rest()) strip(add_products<1, 4>, 1);
}

void dense(const std::int16_t* in, int count, int inputs, const std::int16_t* weights, const std::int32_t* bias,
           int outputs, std::int32_t* out) {
  if (inputs < kManyInputs) return dense_without_zeros(in, count, inputs, weights, bias, outputs, out);
  int row = 0;
  const auto from = [&] { return in + static_cast<std::ptrdiff_t>(row) * inputs; };
  const auto to = [&] { return out + static_cast<std::ptrdiff_t>(row) * outputs; };
  for (; count - row >= 4; row += 4) dense_together<4>(from(), inputs, weights, bias, outputs, to());
  if (count - row == 3) return dense_together<3>(from(), inputs, weights, bias, outputs, to());
  if (count - row == 2) return dense_together<2>(from(), inputs, weights, bias, outputs, to());
  if (row < count) dense_alone(from(), inputs, weights, bias, outputs, to());
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
