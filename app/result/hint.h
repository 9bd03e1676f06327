#pragma once
// How much of the situation a hint knows. The emulator gives every diagnosis a hint and often knows no more
// than its kind; explanations that have read the source replace such a hint, and never one that names the
// cause.
#include <string>
#include <string_view>

#include "result/diagnosis.h"

namespace warpbook {

enum class HintKnows {
  kind,      ///< what is always said of the kind
  relation,  ///< how the threads stand to each other: in one warp, in two blocks
  place,     ///< the learner's own lines and conditions
  cause,     ///< what exactly is wrong: a fence of too narrow a scope, a copy that nobody waits for
};

namespace hints {

// Races whose cause is not known.
inline constexpr std::string_view race_between_blocks =
    "Blocks run in any order: use an atomic (atomicAdd), give each block an element of its own, or do the "
    "second step in another launch.";
inline constexpr std::string_view race_of_writers =
    "Let one thread write it, or use an atomic such as atomicAdd.";
inline constexpr std::string_view race_in_one_line =
    "Read into a variable, __syncthreads(), then write (and __syncthreads() again before the next read); or "
    "use an atomic where many threads add to one place.";
inline constexpr std::string_view race_in_a_warp =
    "Put __syncthreads() between the two, or __syncwarp() where only one warp is concerned: lanes of a warp "
    "need not run in step.";
inline constexpr std::string_view race_in_a_block =
    "Put __syncthreads() between the two, where every thread of the block reaches it.";
inline constexpr std::string_view race_with_an_atomic_in_a_block =
    "One of the two is a plain access: put __syncthreads() between it and the atomics.";

/// Knows the cause; explanations put its line into the first words.
inline constexpr std::string_view narrow_fence_begins = "The fence there";
inline constexpr std::string_view narrow_fence =
    "The fence there is __threadfence_block(), which orders within one block only: use __threadfence() "
    "between blocks.";

// Addresses out of range.
inline constexpr std::string_view index_below_zero =
    "The index is negative: check what is subtracted, and guard the access with if (i >= 0).";
inline constexpr std::string_view index_past_shared =
    "Make the shared array as large as the largest index needs, or let only threads with a valid index "
    "touch it.";
inline constexpr std::string_view guard_the_access = "Guard the access";  ///< begins so

}  // namespace hints

/// Of a hint that the emulator gave. By its words, since a diagnosis of a whole program comes over the tape.
HintKnows knowledge_of(std::string_view hint);

/// Puts `hint` in the place of one that knows less, or as much.
void suggest(Diagnosis& diagnosis, HintKnows knows, std::string hint);

}  // namespace warpbook
