// Two accesses that nothing orders: where the barrier or the fence belongs, or that an atomic is wanted.
#include <fmt/format.h>

#include <algorithm>

#include "lab/explain.h"
#include "result/hint.h"

namespace warpbook {

namespace {

/// The first line between two, those excluded, on which `fits` a word; 0 = none.
template <class Fits>
int line_between(const SourceStructure& source, const Statement& within, int after, int before, Fits fits) {
  for (size_t i = within.first; i <= within.last && i < source.tokens().size(); ++i) {
    const Token& token = source.tokens()[i];
    if (token.line > after && token.line < before && fits(token.text)) return token.line;
  }
  return 0;
}

bool has_barrier(const SourceStructure& source, const Statement& within, int after, int before) {
  return line_between(source, within, after - 1, before + 1, [](std::string_view word) {
           return word.substr(0, 13) == "__syncthreads";  // and its _count, _and, _or
         }) != 0;
}

/// Orders what stands before it for other blocks, too.
bool is_wide_fence(std::string_view word) {
  return word == "__threadfence" || word == "__threadfence_system";
}

/// The innermost statement of a kind around both lines.
const Statement* common(const SourceStructure& source, Statement::Kind kind, int a, int b) {
  const Statement* here = source.at(a);
  if (!here) return nullptr;
  for (const Statement* around : source.around(*here)) {
    if (around->kind == kind && b >= around->first_line && b <= around->last_line) return around;
  }
  return nullptr;
}

/// Every access on the line to the buffer is one update: `total[0] += x`, and not `a[i] += a[i - 1]`.
bool only_updates(const SourceStructure& source, int line, const std::string& buffer) {
  bool updates = false;
  for (const Subscript& s : source.subscripts_on(line)) {
    if (s.base != buffer) continue;
    if (!s.updated) return false;
    updates = true;
  }
  return updates;
}

/// Blocks hand data over by an atomic, and a fence is missing or too narrow; empty when that is not so.
std::string missing_fence(const Diagnosis& d, const SourceStructure& source, const Statement& body) {
  if (d.access != "write" || d.other->access != "read" || d.line >= d.other->line) return {};
  const int first = d.line, last = d.other->line;
  const int atomic = line_between(source, body, first, last,
                                  [](std::string_view word) { return word.substr(0, 6) == "atomic"; });
  if (!atomic) return {};
  const int narrow = line_between(source, body, first, last,
                                  [](std::string_view word) { return word == "__threadfence_block"; });
  const bool before = line_between(source, body, first, atomic, is_wide_fence) != 0;
  const bool behind = line_between(source, body, atomic, last, is_wide_fence) != 0;
  if (before && behind) return {};
  if (narrow)
    return fmt::format(
        "The fence of line {} is __threadfence_block(), which orders within one block only: use "
        "__threadfence() between blocks.",
        narrow);
  const std::string where =
      !before && !behind
          ? fmt::format("one before it, behind line {}, and one behind it, before line {}", first, last)
      : !before ? fmt::format("one is missing before it, behind line {}", first)
                : fmt::format("one is missing behind it, before line {}", last);
  return fmt::format(
      "If the atomic of line {} is to tell other blocks that {} is ready, it needs a __threadfence() on both "
      "sides: {}.",
      atomic, d.buffer, where);
}

/// The line of the only fence of block scope in a function; 0 = none, or several.
int narrow_fence_in(const SourceStructure& source, const Statement& body) {
  const auto narrow = [](std::string_view word) { return word == "__threadfence_block"; };
  const int line = line_between(source, body, body.first_line - 1, body.last_line + 1, narrow);
  return line && !line_between(source, body, line, body.last_line + 1, narrow) ? line : 0;
}

void explain_across_blocks(Diagnosis& d, const Situation& situation) {
  const Statement* body = situation.source.function_at(d.line);
  if (d.hint == hints::narrow_fence) {
    // The emulator has seen it; the source knows where it stands.
    const int line = body ? narrow_fence_in(situation.source, *body) : 0;
    if (line)
      d.hint = fmt::format("The fence of line {}{}", line,
                           hints::narrow_fence.substr(hints::narrow_fence_begins.size()));
    return;
  }
  if (std::string hint = body ? missing_fence(d, situation.source, *body) : std::string(); !hint.empty()) {
    suggest(d, HintKnows::place, std::move(hint));
    return;
  }
  suggest(d, HintKnows::relation,
          fmt::format("Nothing orders two blocks within a launch: give each block elements of {} of its own, "
                      "use an atomic, or split the work into two launches.",
                      d.buffer));
}

/// What makes the threads wait: in a block of one warp, and where not all threads of the block come, a
/// barrier of the warp.
struct Meeting {
  std::string call, why;
};

Meeting meeting_for(const Diagnosis& d, const Situation& situation) {
  const SourceStructure& source = situation.source;
  if (situation.launch.block.count() <= 32) return {"__syncwarp() (or __syncthreads())", ""};
  const bool one_warp = d.thread && d.other->thread && d.thread->y == d.other->thread->y &&
                        d.thread->z == d.other->thread->z && d.thread->x / 32 == d.other->thread->x / 32 &&
                        situation.launch.block.x % 32 == 0;
  const Statement* branch = common(source, Statement::Kind::condition, d.line, d.other->line);
  if (one_warp && branch &&
      depends_on_thread(SourceStructure::names_in(branch->condition), situation, branch->first_line)) {
    return {"__syncwarp()",
            fmt::format(" Not all threads of the block come into if ({}), so __syncthreads() must not stand "
                        "there.",
                        branch->condition)};
  }
  return {"__syncthreads()", ""};
}

}  // namespace

void explain_race(Diagnosis& d, const Situation& situation) {
  if (!d.other || d.other->line <= 0) return;
  const SourceStructure& source = situation.source;
  const bool shared = d.space == "shared" || d.kind == "race-shared";
  const bool same_block = !d.block || !d.other->block || *d.block == *d.other->block;
  const int first = std::min(d.line, d.other->line), last = std::max(d.line, d.other->line);
  if (first == last && only_updates(source, d.line, d.buffer)) {
    suggest(d, HintKnows::place,
            fmt::format("Several threads add to the same element of {}, and one's addition may overwrite "
                        "another's: use atomicAdd.",
                        d.buffer));
    return;
  }
  if (!same_block) {
    explain_across_blocks(d, situation);
    return;
  }
  const Statement* body = source.function_at(d.line);
  if (!body) return;
  const Meeting meeting = meeting_for(d, situation);
  const Statement* loop = common(source, Statement::Kind::loop, d.line, d.other->line);
  if (loop && first != last) {
    const bool between = has_barrier(source, *loop, first, last);
    const bool behind = has_barrier(source, *loop, last + 1, loop->last_line);
    const bool ahead = has_barrier(source, *loop, loop->first_line, first - 1);
    if (between && !behind && !ahead) {
      suggest(d, HintKnows::place,
              fmt::format("The second barrier of the loop is missing: one round's line {} still runs while "
                          "the next round's line {} begins. Add __syncthreads() at the end of the loop's "
                          "body, behind line {}.",
                          last, first, last));
      return;
    }
    if (!between) {
      suggest(
          d, HintKnows::place,
          fmt::format("Put {} between line {} and line {}, so that all threads have {} before the "
                      "others {}.{}",
                      meeting.call, first, last, d.line == first && d.access == "read" ? "read" : "written",
                      d.line == last && d.access == "write" ? "write" : "read", meeting.why));
      return;
    }
  }
  if (loop && first == last && !has_barrier(source, *loop, loop->first_line, loop->last_line)) {
    suggest(
        d, HintKnows::place,
        fmt::format("In every round threads touch what others wrote in the round before: put "
                    "__syncthreads() into the loop of line {}{}.",
                    loop->first_line,
                    shared ? ", and read into a variable first where one line both reads and writes" : ""));
    return;
  }
  if (first == last) {
    const bool both_write = d.access == "write" && d.other->access == "write";
    if (both_write) return;  // one writer or an atomic: the emulator's own words
    suggest(d, HintKnows::place,
            fmt::format("One line reads and writes {} while other threads do the same: read into a "
                        "variable, {}, then write.{}",
                        d.buffer, meeting.call, meeting.why));
    return;
  }
  if (!has_barrier(source, *body, first, last))
    suggest(d, HintKnows::place,
            fmt::format("Put {} between line {} and line {}: without it nothing makes a thread wait for the "
                        "others.{}",
                        meeting.call, first, last, meeting.why));
}

}  // namespace warpbook
