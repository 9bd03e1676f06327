// Which of two builds' findings are one and the same (emulator notes, section 9). The optimised build saw
// every block; the debug build knows names and lines, and what the optimiser took away.
#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "lab/debug_run.h"

namespace warpbook {

namespace {

bool is_one_of(std::string_view kind, std::initializer_list<std::string_view> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Stops the thread's block: what its thread did afterwards was never run.
bool is_access_fault(const Diagnosis& d) {
  return is_one_of(d.kind, {"oob-read", "oob-write", "null-pointer", "use-after-free", "misaligned-read",
                            "misaligned-write"});
}
bool is_access(const Diagnosis& d) { return is_access_fault(d) || d.kind == "uninit-read"; }
bool is_race(const Diagnosis& d) { return d.kind == "race-shared" || d.kind == "race-global"; }
/// Depends on how loops and flags were compiled, and on all blocks being there.
bool is_hang(const Diagnosis& d) {
  return is_one_of(d.kind,
                   {"divergent-barrier", "deadlock", "infinite-loop", "long-loop", "warp-mask",
                    "shuffle-inactive-lane", "stack-overflow", "out-of-memory", "unsupported", "trap"});
}

bool same_buffer(const Diagnosis& optimised, const Diagnosis& debug) {
  if (optimised.buffer == debug.buffer) return true;
  // Local arrays have no names in optimised code, and members are only known with their types.
  return optimised.space == debug.space &&
         (optimised.buffer.empty() || debug.buffer.rfind(optimised.buffer + ".", 0) == 0);
}

bool same_place(const Diagnosis& a, const Diagnosis& b) { return a.block == b.block && a.thread == b.thread; }

auto where(const Diagnosis& d) {
  const Dim3 b = d.block.value_or(Dim3{0, 0, 0}), t = d.thread.value_or(Dim3{0, 0, 0});
  return std::make_tuple(b.z, b.y, b.x, t.z, t.y, t.x);
}

/// An index that no program means: computed from memory that was never written, or from a wild pointer.
bool is_wild(const Diagnosis& d) {
  constexpr int64_t far = int64_t(1) << 24;
  return d.index && (*d.index > far || *d.index < -far);
}

/// Two builds' words for one thing. The place is the lower one's, the count the larger.
Diagnosis combine(Diagnosis optimised, Diagnosis debug) {
  const uint64_t count = std::max(optimised.count, debug.count);
  if (where(optimised) < where(debug)) {
    // The sample did not reach the lowest thread: its place, under the debug build's name.
    if (!debug.buffer.empty()) optimised.buffer = debug.buffer;
    optimised.element.clear();
    optimised.line = debug.line;
    optimised.column = debug.column;
    optimised.count = count;
    return optimised;
  }
  debug.count = count;
  const bool inside = optimised.index && debug.index && *debug.index >= *optimised.index &&
                      *debug.index < *optimised.index + int64_t(optimised.bytes);
  if (optimised.bytes > debug.bytes && inside && same_place(optimised, debug)) {
    // A vector goes member by member in debug builds: told as the access that a GPU makes.
    debug.bytes = optimised.bytes;
    debug.index = optimised.index;
    const size_t member = debug.element.rfind('.');
    if (member != std::string::npos && member > debug.element.rfind(']')) debug.element.resize(member);
  }
  return debug;
}

}  // namespace

bool may_be_read_ahead(const Diagnosis& d) { return d.kind == "uninit-read" && d.space == "local"; }

std::vector<Diagnosis> merge_builds(std::vector<Diagnosis> optimised, DebugFindings debug, const Dim3& grid) {
  const bool whole = debug.blocks.empty();
  const std::set<uint64_t> ran(debug.blocks.begin(), debug.blocks.end());
  const auto covered = [&](const Diagnosis& d) {
    if (!debug.run.missing.empty() || !d.block) return false;
    return whole ||
           ran.count(d.block->x + uint64_t(grid.x) * (d.block->y + uint64_t(grid.y) * d.block->z)) > 0;
  };
  std::vector<Diagnosis> found;
  std::vector<bool> used(debug.diagnostics.size(), false);
  std::set<std::string> racing;  // buffers that the optimised build found races on

  for (Diagnosis& o : optimised) {
    if (is_race(o)) racing.insert(o.kind + o.buffer);
    const auto match = [&](auto&& same) {
      for (size_t i = 0; i < debug.diagnostics.size(); ++i) {
        const Diagnosis& d = debug.diagnostics[i];
        if (!used[i] && d.kind == o.kind && same(d)) return int(i);
      }
      return -1;
    };
    int at = match([&](const Diagnosis& d) { return d.line == o.line && same_buffer(o, d); });
    // Merged, hoisted and sunk accesses: the same element by the same thread, at the line that the learner
    // wrote.
    if (at < 0 && is_access(o)) {
      at = match(
          [&](const Diagnosis& d) { return same_place(o, d) && d.index == o.index && same_buffer(o, d); });
    }
    if (at >= 0) {
      used[size_t(at)] = true;
      Diagnosis& d = debug.diagnostics[size_t(at)];
      if (is_hang(o) || is_race(o)) {
        o.variables = same_place(o, d) ? std::move(d.variables) : std::vector<Diagnosis::Variable>{};
        found.push_back(std::move(o));
      } else {
        found.push_back(combine(std::move(o), std::move(d)));
      }
      continue;
    }
    // The debug build reports a thread's unwritten values where they are used ...
    if (may_be_read_ahead(o)) continue;
    if (covered(o) && is_access(o)) {  // ... and a thread's first fault.
      const bool other_first =
          is_access_fault(o) &&
          std::any_of(debug.diagnostics.begin(), debug.diagnostics.end(),
                      [&](const Diagnosis& d) { return is_access(d) && same_place(o, d); });
      if (other_first) continue;
    }
    found.push_back(std::move(o));
  }
  for (size_t i = 0; i < debug.diagnostics.size(); ++i) {
    Diagnosis& d = debug.diagnostics[i];
    if (used[i] || is_hang(d)) continue;
    if (is_race(d) && racing.count(d.kind + d.buffer)) continue;
    found.push_back(std::move(d));
  }
  // What a thread did with a value that it was told about already.
  std::set<decltype(where(Diagnosis{}))> unwritten;
  for (const Diagnosis& d : found) {
    if (d.kind == "uninit-read") unwritten.insert(where(d));
  }
  std::erase_if(found, [&](const Diagnosis& d) {
    return is_access_fault(d) && is_wild(d) && unwritten.count(where(d)) > 0;
  });
  return merge(std::move(found));
}

}  // namespace warpbook
