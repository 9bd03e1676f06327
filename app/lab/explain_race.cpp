// Two accesses that nothing orders: where the barrier belongs, or that an atomic is wanted.
#include <fmt/format.h>

#include <algorithm>

#include "lab/explain.h"

namespace warpbook {

namespace {

bool has_barrier(const SourceStructure& source, const Statement& within, int after, int before) {
  for (const Statement* s : source.plain_statements(within)) {
    const bool inside = s->first_line >= after && s->last_line <= before;
    if (inside && source.text(*s).find("__syncthreads") != std::string::npos) return true;
  }
  return false;
}

/// The innermost loop around both lines.
const Statement* common_loop(const SourceStructure& source, int a, int b) {
  const Statement* here = source.at(a);
  if (!here) return nullptr;
  for (const Statement* around : source.around(*here)) {
    if (around->kind == Statement::Kind::loop && b >= around->first_line && b <= around->last_line)
      return around;
  }
  return nullptr;
}

}  // namespace

void explain_race(Diagnosis& d, const Situation& situation) {
  if (!d.other || d.other->line <= 0) return;
  const SourceStructure& source = situation.source;
  const bool shared = d.space == "shared" || d.kind == "race-shared";
  const bool same_block = !d.block || !d.other->block || *d.block == *d.other->block;
  const int first = std::min(d.line, d.other->line), last = std::max(d.line, d.other->line);
  bool updated = false;
  for (const Subscript& s : source.subscripts_on(d.line)) updated |= s.base == d.buffer && s.updated;
  if (first == last && updated) {
    d.hint = fmt::format(
        "Several threads add to the same element of {}, and one's addition may overwrite another's: "
        "use atomicAdd.",
        d.buffer);
    return;
  }
  if (!same_block) {
    d.hint = fmt::format(
        "Nothing orders two blocks within a launch: give each block elements of {} of its own, use an "
        "atomic, or split the work into two launches.",
        d.buffer);
    return;
  }
  const Statement* body = source.function_at(d.line);
  if (!body) return;
  const Statement* loop = common_loop(source, d.line, d.other->line);
  if (loop && first != last) {
    const bool between = has_barrier(source, *loop, first, last);
    const bool behind = has_barrier(source, *loop, last + 1, loop->last_line);
    const bool ahead = has_barrier(source, *loop, loop->first_line, first - 1);
    if (between && !behind && !ahead) {
      d.hint = fmt::format(
          "The second barrier of the loop is missing: one round's line {} still runs while the next "
          "round's line {} begins. Add __syncthreads() at the end of the loop's body, behind line {}.",
          last, first, last);
      return;
    }
    if (!between) {
      d.hint = fmt::format(
          "Put __syncthreads() between line {} and line {}, so that all threads have {} before the "
          "others {}.",
          first, last, d.line == first && d.access == "read" ? "read" : "written",
          d.line == last && d.access == "write" ? "write" : "read");
      return;
    }
  }
  if (loop && first == last && !has_barrier(source, *loop, loop->first_line, loop->last_line)) {
    d.hint = fmt::format(
        "In every round threads touch what others wrote in the round before: put __syncthreads() "
        "into the loop of line {}{}.",
        loop->first_line,
        shared ? ", and read into a variable first where one line both reads and writes" : "");
    return;
  }
  if (first == last) {
    d.hint = fmt::format(
        "One line reads and writes {} while other threads do the same: read into a variable, "
        "__syncthreads(), then write.",
        d.buffer);
    return;
  }
  if (!has_barrier(source, *body, first, last))
    d.hint = fmt::format(
        "Put __syncthreads() between line {} and line {}: without it nothing makes a thread wait for "
        "the others.",
        first, last);
}

}  // namespace warpbook
