// Results for people: what came out, then what is wrong in the manner of a good compiler, then the counters.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/text.h"
#include "lab/gpu_report.h"
#include "lab/paint.h"
#include "lab/places.h"
#include "lab/report.h"
#include "lab/tape_report.h"

namespace warpbook {

namespace {

constexpr uint64_t first_elements = 8;
constexpr size_t most_diagnoses = 20;
/// printf of a kernel that prints a million lines is cut here; --json has what the engine kept.
constexpr size_t most_printf = 4096;

std::string verdict(const RunResult& result, const Paint& paint) {
  if (result.status == "ok") return paint.good("ok");
  if (result.status == "limit") return paint.bad("stopped at its limit, with no cause found");
  if (result.status == "compile-error") return paint.bad("does not compile");
  if (result.status == "launch-error") return paint.bad("the launch was refused");
  if (result.status == "bad-arguments") return paint.bad("not run");
  return paint.bad(result.status);
}

std::string outputs_table(const RunResult& result) {
  size_t widest_name = 0, widest_type = 0;
  std::vector<std::string> types;
  for (const Output& output : result.outputs) {
    types.push_back(fmt::format("{}[{}]", name_of(output.type), output.count));
    widest_name = std::max(widest_name, output.name.size());
    widest_type = std::max(widest_type, types.back().size());
  }
  std::string text;
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const Output& output = result.outputs[i];
    text += fmt::format("{:<{}}  {:<{}} ", output.name, widest_name, types[i], widest_type);
    for (uint64_t k = 0; k < std::min(output.count, first_elements); ++k)
      text.append(1, ' ').append(element_as_text(output.type, output.data.data(), k));
    if (output.count > first_elements) text += " ...";
    if (output.min && output.count > first_elements)
      text += fmt::format("   min {:.7g}  max {:.7g}", *output.min, *output.max);
    if (output.nan_count) text += fmt::format("   {} NaN", output.nan_count);
    text += fmt::format("   checksum {:016x}\n", output.checksum);
  }
  return text;
}

/// Where a name stands in a line, as a word of its own; npos when it does not.
size_t place_of_word(std::string_view line, std::string_view word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (word.empty()) return std::string_view::npos;
  for (size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const bool starts = at == 0 || !is_part(line[at - 1]);
    const bool ends = at + word.size() >= line.size() || !is_part(line[at + word.size()]);
    if (starts && ends) return at;
  }
  return std::string_view::npos;
}

std::string number_text(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15 && value >= 0)
    return with_thousands(uint64_t(value));
  return fmt::format("{:.4g}", value);
}

std::string counters_table(const Counters& counters) {
  struct Line {
    std::string label, value, unit;
  };
  std::vector<Line> lines;
  size_t label = 0, value = 0;
  for (const NamedCounter& row : named_counters()) {
    const double number = row.value(counters);
    if (number == 0 || std::isnan(number)) continue;
    lines.push_back({std::string(row.label),
                     row.unit == "%" ? fmt::format("{:.1f}", number) : number_text(number),
                     std::string(row.unit)});
    label = std::max(label, lines.back().label.size());
    value = std::max(value, lines.back().value.size());
  }
  std::string text;
  for (const Line& line : lines)
    text += fmt::format("  {:<{}}  {:>{}}{}{}\n", line.label, label, line.value, value,
                        line.unit.empty() ? "" : " ", line.unit);
  return text;
}

std::string times_line(const Times& times) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) parts.push_back(fmt::format("{} {:.1f} ms", name, *value));
  };
  add(times.cached ? "compile (cached)" : "compile", times.compile_ms);
  add("load", times.load_ms);
  add("copy in", times.copy_in_ms);
  add("kernel", times.kernel_ms);
  add("emulator", times.emulator_ms);
  add("copy out", times.copy_out_ms);
  return join(parts, ", ");
}

}  // namespace

std::string diagnosis_as_text(const Diagnosis& diagnosis, std::string_view source, const TextStyle& style) {
  const Paint paint{style.colour};
  std::string text;
  if (!diagnosis.file.empty()) {
    text += diagnosis.file;
    if (diagnosis.line) text += fmt::format(":{}", diagnosis.line);
    if (diagnosis.line && diagnosis.column) text += fmt::format(":{}", diagnosis.column);
    text += ": ";
  }
  const std::string head = fmt::format("{}: {}: ", name_of(diagnosis.severity), diagnosis.kind);
  text += diagnosis.severity == Severity::error     ? paint.bad(head)
          : diagnosis.severity == Severity::warning ? paint.warn(head)
                                                    : paint.quiet(head);
  text.append(diagnosis.message).append("\n");
  const auto lines = lines_of(source);
  const auto excerpt = [&](int line, int column) {
    if (line < 1 || size_t(line) > lines.size()) return;
    std::string shown = replace_all(lines[size_t(line) - 1], "\t", " ");
    if (shown.size() > 160) shown = shown.substr(0, 157) + "...";
    text += fmt::format("{:>5} | {}\n", line, shown);
    const size_t statement = shown.find_first_not_of(' ');
    size_t caret = column > 0 ? size_t(column) - 1 : statement;
    // The column is often only the statement's; the array that it is about tells more.
    if (caret == statement) {
      const std::string_view name = diagnosis.buffer;
      if (const size_t at = place_of_word(shown, name.substr(0, name.find('.'))); at != std::string::npos)
        caret = at;
    }
    if (caret == std::string::npos || caret > shown.size()) caret = 0;
    text += fmt::format("      | {}{}\n", std::string(caret, ' '), paint.good("^"));
  };
  excerpt(diagnosis.line, diagnosis.column);
  if (diagnosis.other && diagnosis.other->line && diagnosis.other->line != diagnosis.line) {
    const Diagnosis::Other& other = *diagnosis.other;
    text += fmt::format("      and here ({}{}{}):\n", other.access.empty() ? "the other place" : other.access,
                        other.thread ? fmt::format(", thread {}", text_of(*other.thread)) : "",
                        other.block ? fmt::format(" of block {}", text_of(*other.block)) : "");
    excerpt(other.line, 0);
  }
  if (diagnosis.count > 1) {
    const bool pairs = diagnosis.kind.rfind("race-", 0) == 0 || diagnosis.kind == "same-value-write";
    text += fmt::format("  {} {} in all.\n", with_thousands(diagnosis.count),
                        pairs ? "such pairs of accesses" : "threads");
  }
  if (!diagnosis.hint.empty()) text += fmt::format("  {} {}\n", paint.quiet("hint:"), diagnosis.hint);
  return text;
}

std::string run_as_text(const RunResult& result, std::string_view source, const TextStyle& style) {
  if (result.program) return program_as_text(result, source, style);
  const Paint paint{style.colour};
  std::string text = result.kernel.empty() ? result.file : result.kernel;
  const bool launched = result.status != "compile-error" && result.status != "bad-arguments";
  if (launched) {
    text += fmt::format(" <<<{}, {}", text_of(result.launch.grid), text_of(result.launch.block));
    if (result.launch.shared_bytes) text += fmt::format(", {}", result.launch.shared_bytes);
    text += fmt::format(">>> on the {} (limits of {})", result.engine, result.gpu);
  }
  text.append(": ").append(verdict(result, paint)).append("\n");
  if (launched && result.status != "launch-error" && !result.outputs.empty())
    text.append("\n").append(outputs_table(result));
  if (!result.printf.empty()) {
    std::string printed = result.printf.substr(0, most_printf);
    if (!printed.empty() && printed.back() != '\n') printed += '\n';
    text += fmt::format("\n{}\n{}", paint.quiet("printf:"), printed);
    if (result.printf.size() > most_printf)
      text += fmt::format("... {} more bytes were printed (--json has more of them)\n",
                          with_thousands(result.printf.size() - most_printf));
  }
  for (size_t i = 0; i < result.diagnostics.size() && i < most_diagnoses; ++i)
    text.append("\n").append(diagnosis_as_text(result.diagnostics[i], source, style));
  if (result.diagnostics.size() > most_diagnoses)
    text += fmt::format("\n... and {} more.\n", result.diagnostics.size() - most_diagnoses);
  if (result.counters)
    text += fmt::format("\n{}\n{}", paint.quiet("counted (emulator):"), counters_table(*result.counters));
  if (result.on_gpu)
    text += fmt::format(
        "\n{}\n{}",
        paint.quiet(result.on_gpu->device.empty() ? "GPU:"
                                                  : fmt::format("measured ({}):", result.on_gpu->device)),
        gpu_lines(*result.on_gpu));
  if (result.debug_run && !result.debug_run->missing.empty())
    text += fmt::format("\n{}\n",
                        paint.quiet("diagnosed on the optimised build only: " + result.debug_run->missing));
  if (result.debug_run && result.debug_run->missing.empty() &&
      result.debug_run->blocks < result.debug_run->of)
    text += fmt::format("\n{}\n", paint.quiet(fmt::format("the debug build looked at {} of {} blocks",
                                                          with_thousands(result.debug_run->blocks),
                                                          with_thousands(result.debug_run->of))));
  if (const std::string times = times_line(result.times); !times.empty())
    text += fmt::format("\n{}\n", paint.quiet(times));
  return text;
}

}  // namespace warpbook
