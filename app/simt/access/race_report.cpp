// What is said of a race: both accesses in the learner's names, and what to do about it, by where the two
// threads stand to each other.
#include <fmt/format.h>

#include "result/hint.h"
#include "simt/access/race.h"
#include "simt/exec/diagnose.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

Dim3 split(uint64_t number, const Dim3& in) {
  return {uint32_t(number % in.x), uint32_t(number / in.x % in.y), uint32_t(number / in.x / in.y)};
}

std::string text_of(const Dim3& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); }

const char* verb_of(AccessKind kind) {
  return kind == AccessKind::read ? "reads" : kind == AccessKind::write ? "writes" : "updates";
}
const char* name_of(AccessKind kind) {
  return kind == AccessKind::read ? "read" : kind == AccessKind::write ? "write" : "atomic";
}

std::string hint_of(const Race& race, bool same_line) {
  const bool across = race.first.block != race.other.block;
  if (race.first.asynchronous || race.other.asynchronous) {
    return "The copy runs on by itself: wait for it (__pipeline_wait_prior, cp.async.wait_group) and let the "
           "block meet at __syncthreads() before the data is used.";
  }
  if (race.short_flag) {
    return std::string(race.short_fence ? "A fence or an atomic there" : "The release or acquire there") +
           " has block scope, which orders within one block only: between blocks use device scope "
           "(__threadfence(), thread_scope_device).";
  }
  if (race.short_fence) {
    return std::string(hints::narrow_fence);
  }
  const bool first_atomic = race.first_strength == Strength::atomic;
  const bool other_atomic = race.other_strength == Strength::atomic;
  if (first_atomic && other_atomic) {
    return "An atomic of block scope is none to other blocks: use one of device scope.";
  }
  if (first_atomic != other_atomic) {
    if (!across) return std::string(hints::race_with_an_atomic_in_a_block);
    return "One of the two is a plain access: use an atomic on both sides, or look at the value in a later "
           "launch.";
  }
  if (race.first_strength == Strength::is_volatile && race.other_strength == Strength::is_volatile) {
    return across ? "volatile orders nothing by itself: put __threadfence() before the flag is set and after "
                    "it is seen."
                  : "volatile orders nothing by itself: put __syncwarp() or __syncthreads() between the two.";
  }
  if (across) return std::string(hints::race_between_blocks);
  if (race.other.kind != AccessKind::read) return std::string(hints::race_of_writers);
  if (same_line) return std::string(hints::race_in_one_line);
  const bool one_warp = race.first.thread / 32 == race.other.thread / 32;
  return std::string(one_warp ? hints::race_in_a_warp : hints::race_in_a_block);
}

}  // namespace

Diagnosis describe(const Race& race, const MemoryLaunch& launch) {
  Diagnosis d;
  Diagnosis there;
  place(d, *launch.code, race.first.site);
  place(there, *launch.code, race.other.site);
  d.kind = race.space == "shared" ? "race-shared" : "race-global";
  d.access = name_of(race.first.kind);
  d.space = race.space;
  d.buffer = race.buffer;
  d.index = race.index;
  d.bytes = race.bytes;
  d.block = split(race.first.block, launch.launch.grid);
  d.thread = split(race.first.thread, launch.launch.block);
  d.count = race.count;
  const Dim3 other_block = split(race.other.block, launch.launch.grid);
  const Dim3 other_thread = split(race.other.thread, launch.launch.block);
  d.other = Diagnosis::Other{there.line, name_of(race.other.kind), other_block, other_thread};
  // A function of a header that was not inlined has no line of the learner's.
  if (!learner_line(*launch.code, launch.code->sites[race.other.site].point).own)
    there.line = d.other->line = 0;
  const bool across = race.first.block != race.other.block;
  const std::string element = race.buffer.empty() ? fmt::format("the same element of {} memory", race.space)
                                                  : fmt::format("{}[{}]", race.buffer, race.index);
  const std::string who = across ? fmt::format("Thread {} of block {}", text_of(*d.thread), text_of(*d.block))
                                 : fmt::format("Thread {}", text_of(*d.thread));
  const std::string other_who =
      across ? fmt::format("thread {} of block {}", text_of(other_thread), text_of(other_block))
             : fmt::format("thread {}", text_of(other_thread));
  const bool same_line = there.line == d.line && there.line != 0;
  const std::string where = same_line         ? "in the same line"
                            : there.line == 0 ? "elsewhere"
                                              : fmt::format("in line {}", there.line);
  if (race.same_value) {
    d.severity = Severity::note;
    d.kind = "same-value-write";
    d.message =
        fmt::format("{} and {} both write {} without an order, but the same value.", who, other_who, element);
    d.hint =
        "This works as long as all of them write the same; an atomic, or a condition that lets one thread "
        "write, says so clearly.";
    return d;
  }
  d.message = fmt::format("{} {} {} and {} {} it {}; nothing orders the two{}.", who,
                          race.first.asynchronous ? "copies into" : verb_of(race.first.kind), element,
                          other_who, race.other.asynchronous ? "copies into" : verb_of(race.other.kind),
                          where, across ? ", since they are in different blocks" : "");
  if (race.first.block == race.other.block && race.first.thread == race.other.thread) {
    // An asynchronous copy and its own thread.
    const bool copies_first = race.first.asynchronous;
    d.message = fmt::format("{} {} {} {} before its own asynchronous copy {} is known to be done.", who,
                            verb_of(copies_first ? race.other.kind : race.first.kind), element,
                            copies_first ? where : "here", copies_first ? "here" : where);
  }
  d.hint = hint_of(race, same_line);
  return d;
}

}  // namespace warpbook::simt
