#include "cli/child_check.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/complaint.h"
#include "base/sanitized.h"
#include "base/text.h"

namespace warpbook::cli {

namespace {

using Json = nlohmann::json;

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int64_t number_at(const Json& object, const char* key, int64_t fallback) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<int64_t>() : fallback;
}

Diagnosis diagnosis_from(const Json& json) {
  Diagnosis diagnosis;
  const std::string severity = text_at(json, "severity");
  diagnosis.severity = severity == "error"     ? Severity::error
                       : severity == "warning" ? Severity::warning
                                               : Severity::note;
  diagnosis.kind = text_at(json, "kind");
  diagnosis.message = text_at(json, "message");
  diagnosis.hint = text_at(json, "hint");
  diagnosis.file = text_at(json, "file");
  diagnosis.line = int(number_at(json, "line", 0));
  diagnosis.column = int(number_at(json, "column", 0));
  return diagnosis;
}

}  // namespace

Result<CheckReport> report_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("checks") || !json["checks"].is_array())
    return complaint("the child's report is no report");
  CheckReport report;
  report.lesson = text_at(json, "lesson");
  report.exercise = text_at(json, "exercise");
  report.file = text_at(json, "file");
  report.seed = uint64_t(number_at(json, "seed", 0));
  report.passed = json.value("passed", false);
  report.exit_code = int(number_at(json, "exit_code", 1));
  report.seconds = json.value("seconds", 0.0);
  for (const Json& one : json["checks"]) {
    if (!one.is_object()) return complaint("a check of the child's report is no object");
    CheckRow row;
    row.check = text_at(one, "check");
    row.name = text_at(one, "name");
    const std::string status = text_at(one, "status");
    row.passed = status == "passed";
    row.skipped = status == "skipped";
    row.message = text_at(one, "message");
    if (const auto list = one.find("diagnostics"); list != one.end() && list->is_array())
      for (const Json& diagnosis : *list) row.diagnostics.push_back(diagnosis_from(diagnosis));
    report.rows.push_back(std::move(row));
  }
  // A report without checks would pass whatever it was about.
  if (report.rows.empty()) return complaint("the child's report has no checks");
  return report;
}

CheckReport report_of_lost_child(const ChildCheck& order, const ChildOutput& output) {
  CheckReport report;
  report.lesson = order.lesson;
  report.exercise = order.exercise;
  report.file = order.file.string();
  report.seed = order.seed;
  report.exit_code = 3;
  CheckRow row;
  row.check = "finishes";
  row.message =
      output.timed_out
          ? fmt::format("Stopped after {} s: the answer takes too long.", order.time.count())
          : fmt::format("The check came to no end: {}. Its process may use {} GiB of memory.",
                        output.signal ? fmt::format("its process was ended by signal {}", output.signal)
                                      : fmt::format("its process ended with exit code {}", output.exit_code),
                        order.memory_bytes >> 30);
  report.rows.push_back(std::move(row));
  return report;
}

Result<CheckReport> check_in_child(const ChildCheck& order) {
  if (const auto source = read_file(order.file, 8u << 20); !source) {
    CheckReport report = report_of_lost_child(order, {});
    report.exit_code = 4;
    report.rows.front().message = to_string(source.error());
    return report;
  }
  std::vector<std::string> argv = {
      order.program, "check",  order.lesson + "/" + order.exercise, order.file.string(), "--format",
      "json",        "--seed", std::to_string(order.seed)};
  argv.insert(argv.end(), order.options.begin(), order.options.end());
  ChildLimits limits;
  if (!sanitized) limits.memory_bytes = order.memory_bytes;
  limits.cpu_seconds = uint64_t(order.time.count()) * 4;  // several cores may work on one answer
  auto output = run_child(argv, {}, order.time, limits);
  if (!output) return output.error();
  if (!output->timed_out && output->signal == 0) {
    // Exit code 4 is a file that cannot be read, a compiler that is not there: no answer's fault.
    if (output->exit_code == 4)
      return complaint(std::string(trim(output->err.empty() ? output->out : output->err)));
    if (auto report = report_from_json(output->out)) return report;
  }
  return report_of_lost_child(order, *output);
}

}  // namespace warpbook::cli
