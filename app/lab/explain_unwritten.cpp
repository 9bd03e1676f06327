// Values that nothing has written: which variable, and where it should have got one.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lab/explain.h"

namespace warpbook {

namespace {

/// The first word of the declaration, and the rest.
std::string with_value(const std::string& declared) {
  const bool array = declared.find('[') != std::string::npos;
  return array ? declared + " = {}" : declared + " = 0";
}

bool is_plain_name(const std::string& text) {
  return text.find('[') == std::string::npos && text.find('.') == std::string::npos;
}

/// Whether a statement gives `name` a value.
bool assigns(const std::string& text, const std::string& name) {
  const std::vector<Token> tokens = tokens_of(text);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text == name && tokens[i + 1].text == "=") return true;
  }
  return false;
}

std::string hint_for_variable(const Diagnosis& d, const Situation& situation) {
  const std::string base = d.buffer.substr(0, d.buffer.find('.'));
  const std::string declared = situation.source.declaration(base, d.line);
  const Statement* body = situation.source.function_at(d.line);
  const Statement* here = situation.source.at(d.line);
  if (is_plain_name(d.buffer) && d.element == d.buffer && body) {
    for (const Statement* s : situation.source.plain_statements(*body)) {
      if (s->first_line > d.line || !assigns(situation.source.text(*s), d.buffer)) continue;
      const auto around = situation.source.around(*s);
      if (!around.empty() && !around.front()->condition.empty() && s != here) {
        const bool loop = around.front()->kind == Statement::Kind::loop;
        return fmt::format("{} gets a value only {} {} (line {}): give it one where it is declared{}.",
                           d.buffer, loop ? "inside the loop that runs while" : "if",
                           around.front()->condition, s->first_line,
                           declared.empty() ? "" : ", as in " + with_value(declared));
      }
    }
  }
  if (declared.empty()) return "Give it a value before it is used.";
  const bool structure = d.buffer.find('.') != std::string::npos || d.element.find('.') != std::string::npos;
  return fmt::format("A local variable starts with whatever was there before: write {}.",
                     structure ? declared + " = {}" : with_value(declared));
}

std::string hint_for_shared(const Diagnosis& d, const Situation& situation) {
  const SourceStructure& source = situation.source;
  const Statement* body = source.function_at(d.line);
  const Statement* here = source.at(d.line);
  if (!body || !here) return d.hint;
  const Statement* writer = nullptr;
  Subscript written;
  bool barrier_between = false;
  for (const Statement* s : source.plain_statements(*body)) {
    if (s->first_line > d.line || s == here) break;
    const std::string text = source.text(*s);
    for (const Subscript& subscript : source.subscripts(s->first, s->last)) {
      if (subscript.base == d.buffer && subscript.stored) {
        writer = s;
        written = subscript;
        barrier_between = false;
      }
    }
    if (text.find("__syncthreads") != std::string::npos) barrier_between = true;
  }
  if (!writer) {
    const bool update = d.access == "atomic" || source.text(*here).find("+=") != std::string::npos;
    return fmt::format(
        "Shared memory starts with whatever was there before: {} and then __syncthreads() before "
        "this line.",
        update ? fmt::format("set {} to zero by all threads together", d.buffer)
               : fmt::format("fill {} first", d.buffer));
  }
  if (!barrier_between)
    return fmt::format(
        "{} is filled in line {}, but no __syncthreads() stands between there and here: other threads "
        "may not have written yet.",
        d.buffer, writer->first_line);
  for (const Statement* around : source.around(*writer)) {
    if (around->kind != Statement::Kind::condition || around->has_else) continue;
    return fmt::format(
        "Line {} fills {} only if {}, and the others leave a gap that is read here: let them write 0 "
        "in an else branch.",
        writer->first_line, d.buffer, around->condition);
  }
  for (const Statement* exit : source.exits_before(*writer)) {
    return fmt::format(
        "Threads with {} leave in line {} and never fill their element of {}: let them write 0 "
        "instead of returning.",
        exit->condition, exit->first_line, d.buffer);
  }
  return fmt::format("Line {} does not fill every element of {} that is read here: compare the two indices.",
                     writer->first_line, d.buffer);
}

std::string hint_for_global(const Diagnosis& d, const Situation& situation) {
  bool updated = d.access == "atomic";
  for (const Subscript& s : situation.source.subscripts_on(d.line))
    updated |= s.base == d.buffer && s.updated;
  if (updated)
    return fmt::format(
        "The kernel adds to {}, which was never filled: set it to zero before the launch (cudaMemset), "
        "or write = instead of +=.",
        d.buffer);
  return fmt::format(
      "Copy data into {} before the launch (cudaMemcpy), or let the kernel write the element first.",
      d.buffer);
}

}  // namespace

void explain_unwritten(Diagnosis& d, const Situation& situation) {
  if (!d.thread || !d.block) return;
  const std::string thread = fmt::format("Thread ({},{},{}) of block ({},{},{})", d.thread->x, d.thread->y,
                                         d.thread->z, d.block->x, d.block->y, d.block->z);
  const KnownValues values = values_of(d, situation);
  if (d.space == "local") {
    const std::string what = !d.element.empty() ? d.element
                             : d.buffer.empty() ? std::string("a value")
                                                : fmt::format("{}[{}]", d.buffer, d.index.value_or(0));
    d.message = fmt::format("{} uses {}, which nothing has written yet.", thread, what);
    d.hint = hint_for_variable(d, situation);
    return;
  }
  if (d.buffer.empty() || !d.index) return;
  const std::string element = element_of(d, situation);
  const std::vector<Subscript> subscripts = situation.source.subscripts_on(d.line);
  const Subscript* subscript = find_subscript(subscripts, d, values);
  const std::string why = subscript
                              ? values_text(SourceStructure::names_in(join(subscript->indices, " ")), values)
                              : std::string();
  d.message = fmt::format("{} reads {}, which nothing has written yet{}.", thread, element,
                          why.empty() ? "" : "; " + why);
  if (d.space == "shared") d.hint = hint_for_shared(d, situation);
  if (d.space == "global") d.hint = hint_for_global(d, situation);
}

}  // namespace warpbook
