// What an author must hold: checks that refuse what they must refuse, and pages whose labs and answer keys
// are true.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.h"
#include "lab/check.h"
#include "lab/checker.h"
#include "lab/mutate.h"
#include "lab/program_check.h"

namespace warpbook {

namespace {

struct Author {
  Session& session;
  const Lesson& lesson;
  CheckProgress* progress;
  std::vector<AuthorRow> rows;

  void add(std::string what, bool passed, std::string message) {
    rows.push_back({std::move(what), passed, std::move(message)});
  }
  void add(std::string what, const Error& error) { add(std::move(what), false, to_string(error)); }

  /// The first row that did not pass, in words.
  static std::string reason(const CheckReport& report) {
    for (const CheckRow& row : report.rows) {
      if (row.passed || row.skipped) continue;
      std::string text = row.name.empty() ? row.check : row.check + " " + row.name;
      if (!row.diagnostics.empty()) text += " (" + row.diagnostics.front().kind + ")";
      return text + ": " + row.message;
    }
    return "it passes";
  }

  /// Does a report fail for `wanted`: a check's name, a diagnosis kind, or "counter NAME"?
  static bool fails_for(const CheckReport& report, std::string_view wanted) {
    const std::string_view counter =
        starts_with(wanted, "counter ") ? trim(wanted.substr(8)) : std::string_view{};
    for (const CheckRow& row : report.rows) {
      if (row.passed || row.skipped) continue;
      if (!counter.empty()) {
        if (row.check == "counter" && row.name == counter) return true;
        continue;
      }
      if (row.check == wanted) return true;
      for (const Diagnosis& diagnosis : row.diagnostics)
        if (diagnosis.severity != Severity::note && diagnosis.kind == wanted) return true;
    }
    return false;
  }

  /// How one answer is checked: source, its file, and whether the first failure is enough.
  using CheckOne = std::function<Result<CheckReport>(const std::string&, const std::string&, bool)>;

  Result<Done> starter(const CheckOne& check_one, const Path& folder, const std::string& name) {
    const Path path = folder / "exercise.cu";
    const auto source = read_file(path, 8u << 20);
    if (!source) {
      add(name + ": starter fails", source.error());
      return Done{};
    }
    const auto report = check_one(*source, path.string(), false);
    if (!report) return report.error();
    add(name + ": starter fails", report->exit_code == 1,
        fmt::format("exit code {}, {}", report->exit_code, reason(*report)));
    return Done{};
  }

  Result<Done> solution(Checker& checker, const Exercise& exercise, const Path& folder,
                        const std::string& name) {
    const Path path = folder / "solution.cu";
    const auto source = read_file(path, 8u << 20);
    if (!source) return source.error();
    const auto report = checker.check(*source, path.string(), false);
    if (!report) return report.error();
    add(name + ": solution passes", report->passed,
        report->passed ? fmt::format("{:.1f} s", report->seconds) : reason(*report));
    if (!report->passed) return Done{};
    for (const Mutant& mutant : mutants_of(*source)) {
      const auto refused = checker.check(mutant.source, path.string(), true);
      if (!refused) return refused.error();
      // Another barrier may do the work of the one taken out, and so may a guard; then the text needs another
      // look.
      add(fmt::format("{}: solution {} is refused", name, mutant.what), !refused->passed, reason(*refused));
    }
    for (const Exercise::Expect& expect : exercise.expect) {
      const auto held = expectation(checker, exercise, expect, name);
      if (!held) return held.error();
    }
    return Done{};
  }

  Result<Done> expectation(Checker& checker, const Exercise& exercise, const Exercise::Expect& expect,
                           const std::string& name) {
    const std::vector<int64_t> block =
        exercise.blocks.empty() ? std::vector<int64_t>{1} : exercise.blocks.front();
    const auto one = case_for(exercise, expect.sizes, block, lesson.kernels.string(), 0);
    if (!one) return one.error();
    const auto outputs = checker.solve(*one);
    if (!outputs) return outputs.error();
    Check tolerances;
    for (const Check& check : exercise.checks)
      if (check.check == "results") tolerances = check;
    const std::string what = fmt::format("{}: expected values of {} hold", name, expect.buffer);
    const auto same_name = [&](const Output& output) { return output.name == expect.buffer; };
    const auto output = std::find_if(outputs->begin(), outputs->end(), same_name);
    if (output == outputs->end()) {
      add(what, false, "there is no such buffer");
      return Done{};
    }
    for (size_t i = 0; i < expect.values.size(); ++i) {
      if (i >= output->count) {
        add(what, false, fmt::format("the buffer has only {} elements", output->count));
        return Done{};
      }
      const double got = element_as_double(output->type, output->data.data(), i);
      if (std::fabs(got - expect.values[i]) <= tolerances.abs + tolerances.rel * std::fabs(expect.values[i]))
        continue;
      add(what, false,
          fmt::format("{}[{}] is {}, but the lesson says {} ({})", expect.buffer, i, got, expect.values[i],
                      one->label));
      return Done{};
    }
    add(what, true, one->label);
    return Done{};
  }

  Result<Done> wrong_answers(const CheckOne& check_one, const Path& folder, const std::string& name) {
    int found = 0;
    for (const std::string& entry : list_folder(folder / "wrong")) {
      if (Path(entry).extension() != ".cu") continue;
      ++found;
      const Path path = folder / "wrong" / entry;
      const std::string what = fmt::format("{}: wrong/{} is refused", name, entry);
      const auto source = read_file(path, 8u << 20);
      if (!source) {
        add(what, source.error());
        continue;
      }
      const std::string_view text = *source;
      const std::string_view first = trim(text.substr(0, text.find('\n')));
      constexpr std::string_view prefix = "// fails:";
      if (!starts_with(first, prefix)) {
        add(what, false, "its first line does not say // fails: REASON");
        continue;
      }
      const std::string wanted(trim(first.substr(prefix.size())));
      const auto report = check_one(*source, path.string(), false);
      if (!report) return report.error();
      const bool held = !report->passed && fails_for(*report, wanted);
      add(what, held, held ? wanted : fmt::format("it must fail for {}, but: {}", wanted, reason(*report)));
    }
    if (found == 0) add(name + ": has wrong answers", false, "there is no file in wrong/");
    return Done{};
  }

  Result<Done> exercise(const Exercise& one) {
    const std::lock_guard lock(session.busy);
    Checker checker(session, lesson, one, 0, progress);
    const std::string name = "exercise " + one.name;
    if (const auto ready = checker.prepare(); !ready) {
      if (ready.error().trouble == Trouble::cancelled || ready.error().trouble == Trouble::not_found)
        return ready.error();
      add(name + ": can be checked", ready.error());
      return Done{};
    }
    const Path folder = exercise_folder(lesson, one);
    const CheckOne check_one = [&](const std::string& source, const std::string& file, bool early) {
      return checker.check(source, file, early);
    };
    if (const auto done = starter(check_one, folder, name); !done) return done;
    if (const auto done = solution(checker, one, folder, name); !done) return done;
    return wrong_answers(check_one, folder, name);
  }

  /// Without nvcc a lesson still reads and quizzes: what could not be tried is said and does not fail.
  bool skipped_program(const std::string& what) {
    const std::string missing = programs_missing(session);
    if (missing.empty()) return false;
    add(what + ": skipped", true, missing);
    return true;
  }

  Result<Done> program_exercise(const Exercise& one) {
    const std::lock_guard lock(session.busy);
    const std::string name = "exercise " + one.name;
    if (skipped_program(name)) return Done{};
    ProgramChecker checker(session, lesson, one, progress);
    if (const auto ready = checker.prepare(); !ready) {
      if (ready.error().trouble == Trouble::cancelled) return ready.error();
      add(name + ": can be checked", ready.error());
      return Done{};
    }
    const Path folder = exercise_folder(lesson, one);
    const CheckOne check_one = [&](const std::string& source, const std::string& file, bool) {
      return checker.check(source, file);
    };
    if (const auto done = starter(check_one, folder, name); !done) return done;
    const auto source = read_file(folder / "solution.cu", 8u << 20);
    if (!source) return source.error();
    const auto report = checker.check(*source, (folder / "solution.cu").string());
    if (!report) return report.error();
    add(name + ": solution passes", report->passed,
        report->passed ? fmt::format("{:.1f} s", report->seconds) : reason(*report));
    return wrong_answers(check_one, folder, name);
  }

  Result<Done> lab(const Lab& one, const std::string& variant) {
    const std::string what =
        fmt::format("lab {}{}: runs", one.name, variant.empty() ? std::string{} : " (" + variant + ")");
    if (one.program && skipped_program(what)) return Done{};
    const auto values = default_values(one);
    if (!values) {
      add(what, values.error());
      return Done{};
    }
    const auto request = request_for(lesson, one, *values, variant);
    if (!request) {
      add(what, request.error());
      return Done{};
    }
    const auto result = warpbook::run(session, *request, progress ? &progress->run : nullptr);
    if (!result) return result.error();
    std::string message = result->status;
    for (const Diagnosis& diagnosis : result->diagnostics)
      if (diagnosis.severity == Severity::error)
        message += fmt::format(", {} in line {}", diagnosis.kind, diagnosis.line);
    // A variant may be there to show a fault; the lab as the page opens it must run.
    const bool shown_fault =
        !variant.empty() && (result->status == "fault" || result->status == "launch-error");
    add(what, result->status == "ok" || shown_fault, message);
    return Done{};
  }

  Result<Done> question(const Question& one) {
    if (!one.verify) return Done{};
    const std::string what = fmt::format("question {}: the answer is what a run counts", one.name);
    const Lab* lab = lesson.lab(one.verify->lab);
    if (!lab) {
      add(what, false, fmt::format("there is no lab {}", one.verify->lab));
      return Done{};
    }
    auto values = default_values(*lab);
    if (!values) {
      add(what, values.error());
      return Done{};
    }
    for (const auto& [name, expression] : one.verify->set) {
      const auto value = evaluate(expression, *values);
      if (!value) {
        add(what, value.error());
        return Done{};
      }
      (*values)[name] = *value;
    }
    const auto complete = complete_values(*lab, *values);
    const auto answer = complete ? evaluate(one.answer, *complete) : Result<int64_t>(complete.error());
    auto request = request_for(lesson, *lab, *values, one.verify->variant);
    if (!answer || !request) {
      add(what, !answer ? answer.error() : request.error());
      return Done{};
    }
    request->level = Level::measure;
    const auto result = warpbook::run(session, *request, progress ? &progress->run : nullptr);
    if (!result) return result.error();
    const auto counted =
        result->counters ? counter_value(*result->counters, one.verify->counter) : std::nullopt;
    if (!counted) {
      add(what, false,
          fmt::format("the run ends with {} and has no counter {}", result->status, one.verify->counter));
      return Done{};
    }
    const bool same = std::fabs(*counted - double(*answer)) <= one.abs + one.rel * std::fabs(double(*answer));
    add(what, same, fmt::format("{} is {}, the answer {}", one.verify->counter, *counted, *answer));
    return Done{};
  }

  Result<Done> all() {
    for (const Lab& one : lesson.labs) {
      if (const auto done = lab(one, {}); !done) return done;
      for (const auto& [label, file] : one.variants)
        if (const auto done = lab(one, label); !done) return done;
    }
    for (const Exercise& one : lesson.exercises)
      if (const auto done = one.program ? program_exercise(one) : exercise(one); !done) return done;
    for (const Question& one : lesson.quiz.questions)
      if (const auto done = question(one); !done) return done;
    return Done{};
  }
};

}  // namespace

Result<std::vector<AuthorRow>> check_author(Session& session, const Lesson& lesson, CheckProgress* progress) {
  Author author{session, lesson, progress, {}};
  if (const auto done = author.all(); !done) return done.error();
  return std::move(author.rows);
}

}  // namespace warpbook
