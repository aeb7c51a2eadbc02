// Inputs beyond the counts: what the 36 rolls do to blots, and how freely the rearmost checkers run.
//
// A net learns such things from counts alone, but slowly: they hang on many points at once. Counted out for it, they
// took a quarter off the distance to its targets. Each is a unit that is on or off, so that it costs one row of the
// first layer. What is most common has no unit: no roll hits, no roll reaches a blot, a runner is free. This header has
// no functions, so that the kernels can include it.
#pragma once

#include <cstdint>

namespace kibitz {

inline constexpr int kFeatureSides = 2;  // mine first, then theirs
inline constexpr int kFeaturePoints = 24;
inline constexpr int kRollNumbers = 37;  // 0 to 36 of all rolls
inline constexpr int kShotLevels = 8;    // how many rolls reach a checker, roughly
inline constexpr int kRunnerFirst = 12;  // slots from which a checker still has to run: own points 13 to 24 and the bar
inline constexpr int kRunnerSlots = 13;
inline constexpr int kRunnerCounts = 3;  // one, two, three checkers and more
inline constexpr int kEscapeLevels = 8;
inline constexpr int kFreeRunner = kEscapeLevels - 1;  // the level without a unit
inline constexpr int kDoubleHitLevels = 10;

// Where the units of each kind start; each kind has a block for each side.
inline constexpr int kHitUnits = 0;                                                             // rolls that hit
inline constexpr int kShotUnits = kHitUnits + kFeatureSides * kRollNumbers;                     // at each enemy blot
inline constexpr int kRunnerUnits = kShotUnits + kFeatureSides * kFeaturePoints * kShotLevels;  // rolls that let it run
inline constexpr int kCoverUnits =
    kRunnerUnits + kFeatureSides * kRunnerSlots * kRunnerCounts * kEscapeLevels;  // own blots
inline constexpr int kDoubleHitUnits =
    kCoverUnits + kFeatureSides * kFeaturePoints * kShotLevels;  // rolls at two blots
inline constexpr int kFeatureUnits = kDoubleHitUnits + kFeatureSides * kDoubleHitLevels;

// A side has at most 15 blots, which are shot at and covered, and 15 runners.
inline constexpr int kMostFeatures = kFeatureSides * (2 + 3 * 15);
inline constexpr int kFeatureBatch = 16;  // positions that may be asked about at once

}  // namespace kibitz
