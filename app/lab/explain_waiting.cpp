// Barriers, loops and masks: which branch, exit or loop keeps threads apart.
#include <fmt/format.h>

#include <algorithm>

#include "lab/explain.h"

namespace warpbook {

namespace {

/// The innermost condition or loop that holds `line` and not `other`.
const Statement* what_parts(const SourceStructure& source, int line, int other) {
  const Statement* here = source.at(line);
  if (!here) return nullptr;
  for (const Statement* around : source.around(*here)) {
    const bool holds_other = other >= around->first_line && other <= around->last_line;
    // Branches of one if hold both lines, and still part them.
    if (!holds_other || (around->kind == Statement::Kind::condition && around->has_else)) return around;
  }
  return nullptr;
}

std::string barrier_hint(const Diagnosis& d, const Situation& situation) {
  const SourceStructure& source = situation.source;
  const int other = d.other ? d.other->line : 0;
  if (d.other && d.other->access == "exit") {
    const Statement* here = source.at(d.line);
    if (!here) return d.hint;
    const auto leaves = [](const Statement& exit) {
      return fmt::format(
          "The threads that leave in line {} ({}) never come to this barrier: do not return early, but guard "
          "only the "
          "work, and let everybody reach __syncthreads().",
          exit.first_line, exit.condition);
    };
    const auto exits = source.exits_before(*here);
    for (const Statement* exit : exits) {
      if (other >= exit->first_line && other <= exit->last_line) return leaves(*exit);
    }
    if (const Statement* parts = what_parts(source, d.line, other)) {
      if (parts->kind == Statement::Kind::condition)
        return fmt::format(
            "This barrier stands inside if ({}), where not all threads of the block go: put "
            "__syncthreads() behind the if.",
            parts->condition);
      return fmt::format(
          "This barrier stands inside the loop of line {}, which threads leave after different numbers "
          "of rounds: let all threads do the same rounds, and guard the work inside.",
          parts->first_line);
    }
    // Optimised code often leaves at the function's end, whatever sent the threads there.
    return exits.empty() ? d.hint : leaves(*exits.back());
  }
  if (const Statement* parts = what_parts(source, d.line, other)) {
    if (parts->kind == Statement::Kind::condition && parts->has_else)
      return fmt::format(
          "Both branches of if ({}) have a barrier of their own, and those are two different barriers: "
          "put one __syncthreads() behind the if.",
          parts->condition);
    if (parts->kind == Statement::Kind::condition)
      return fmt::format(
          "This barrier stands inside if ({}), where not all threads of the block go: put "
          "__syncthreads() behind the if.",
          parts->condition);
    return fmt::format(
        "This barrier stands inside the loop of line {}, which threads leave after different numbers of "
        "rounds: let all threads do the same rounds.",
        parts->first_line);
  }
  return d.hint;
}

std::string loop_hint(const Diagnosis& d, const Situation& situation) {
  const SourceStructure& source = situation.source;
  const Statement* here = source.at(d.line);
  const Statement* loop = nullptr;
  if (here) {
    for (const Statement* around : source.around(*here)) {
      if (around->kind == Statement::Kind::loop) {
        loop = around;
        break;
      }
    }
  }
  if (!loop) return d.hint;
  const std::string body = source.text(*loop);
  if (body.find("atomicCAS") != std::string::npos || body.find("atomicExch") != std::string::npos) {
    const Statement* function = source.function_at(d.line);
    bool released = false, leaves = false;
    int leaving_line = 0;
    for (const Statement* s : source.plain_statements(*function)) {
      if (s->first <= loop->last) continue;
      if (source.text(*s).find("atomicExch") != std::string::npos) released = true;
      if (s->kind == Statement::Kind::leave && !released && !leaves) {
        leaves = true;
        leaving_line = s->first_line;
      }
    }
    if (leaves)
      return fmt::format(
          "The thread that took the lock leaves in line {} without giving it back: call atomicExch(lock, "
          "0) on every way out.",
          leaving_line);
    if (!released)
      return "Nobody gives the lock back: call atomicExch(lock, 0) when the work under it is done.";
    return d.hint;
  }
  const auto names = SourceStructure::names_in(loop->condition);
  bool changed = false, subscripted = loop->condition.find('[') != std::string::npos ||
                                      loop->condition.find('*') != std::string::npos;
  for (const Statement* s : source.plain_statements(*loop)) {
    const std::string text = source.text(*s);
    for (const std::string& name : names) {
      const size_t at = text.find(name);
      if (at != std::string::npos &&
          (text.find('=', at) != std::string::npos || text.find("++") != std::string::npos ||
           text.find("--") != std::string::npos))
        changed = true;
    }
  }
  for (const std::string& name : names) changed |= loop->step.find(name) != std::string::npos;
  if (!names.empty() && !changed && !subscripted)
    return fmt::format("Nothing inside the loop changes {}, so {} stays as it is: count it in every round.",
                       names[0], loop->condition);
  if (subscripted)
    return fmt::format(
        "The loop waits for {} to change: another thread must write it (as volatile or by an atomic, "
        "with __threadfence() before), and that thread must be able to run.",
        loop->condition);
  return fmt::format("Look at {}: what should make it false does not happen in this thread.",
                     loop->condition);
}

}  // namespace

void explain_waiting(Diagnosis& d, const Situation& situation) {
  if (d.kind == "divergent-barrier") d.hint = barrier_hint(d, situation);
  if (d.kind == "infinite-loop") d.hint = loop_hint(d, situation);
}

}  // namespace warpbook
