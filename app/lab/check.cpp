// Checking an answer: every case against the oracle, then the rows that the exercise asks for.
#include "lab/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/complaint.h"
#include "base/text.h"
#include "lab/checker.h"
#include "lab/debug_run.h"
#include "lab/explain.h"
#include "lab/gpu_run.h"
#include "lab/places.h"
#include "lab/program_check.h"

namespace warpbook {

namespace {

/// An answer may take this many times the oracle's instructions before it counts as running away.
constexpr uint64_t slack_factor = 64;
constexpr uint64_t slack_floor = 500'000;
/// Warp instructions that all further schedules of one check may cost together: about two seconds at level
/// check.
constexpr uint64_t schedule_budget = 8'000'000;
constexpr uint64_t oracle_limit = 2'000'000'000;
/// For the debug build of one case.
constexpr std::chrono::milliseconds debug_time{5000};

std::vector<std::pair<std::string, std::string>> defines_of(const Exercise& exercise) {
  std::vector<std::pair<std::string, std::string>> defines;
  for (const auto& [name, value] : exercise.defines) defines.emplace_back(name, std::to_string(value));
  return defines;
}

}  // namespace

Checker::Checker(Session& session, const Lesson& lesson, const Exercise& exercise, uint64_t seed,
                 CheckProgress* progress)
    : session_(session), lesson_(lesson), exercise_(exercise), seed_(seed), progress_(progress) {}

void Checker::count_run() {
  if (progress_) ++progress_->done;
}

RunOptions Checker::options_for(size_t index) const {
  RunOptions options;
  options.level = Level::check;
  options.max_instructions = oracle_[index].warp_instructions * slack_factor + slack_floor;
  options.max_time = std::chrono::seconds(15);
  options.stop = progress_ ? &progress_->run.stop : nullptr;
  return options;
}

Result<Done> Checker::prepare() {
  auto cases = cases_of(exercise_, lesson_.kernels.string(), seed_);
  if (!cases) return cases.error();
  cases_ = std::move(*cases);
  const Path path = exercise_folder(lesson_, exercise_) / "solution.cu";
  const auto source = read_file(path, 8u << 20);
  if (!source) return source.error();
  if (progress_) progress_->total = int(2 * cases_.size());
  auto compiled = compile_kernel(session_, {*source, path.string(), exercise_.kernel, defines_of(exercise_)},
                                 run_progress());
  if (!compiled) return compiled.error();
  const auto broken = [&](const Diagnosis& diagnosis) {
    return complaint(
        fmt::format("the exercise's own solution.cu is broken: {}", diagnosis.message), {},
        {diagnosis.file.empty() ? path.string() : diagnosis.file, diagnosis.line, diagnosis.column});
  };
  if (!compiled->kernel)
    return broken(compiled->diagnostics.empty() ? Diagnosis{} : compiled->diagnostics.front());
  for (const CheckCase& one : cases_) {
    for (const Diagnosis& diagnosis :
         check_arguments(compiled->kernel->choice, compiled->kernel->info, one.arguments, path.string()))
      return broken(diagnosis);
    RunOptions options;
    options.level = Level::check;
    options.max_instructions = oracle_limit;
    options.stop = progress_ ? &progress_->run.stop : nullptr;
    auto step = execute(session_, *compiled->kernel, one.launch, one.arguments, options, 1, run_progress());
    if (!step) return step.error();
    if (const std::string status = status_of(step->report); status != "ok")
      return broken(
          step->report.diagnostics.empty()
              ? as_diagnosis(complaint(fmt::format("it ends with status {} ({})", status, one.label)), "")
              : step->report.diagnostics.front());
    oracle_.push_back(
        {std::move(step->outputs), step->report.warp_instructions, step->report.counters.warps});
    count_run();
  }
  solution_ = std::move(compiled->kernel);
  return Done{};
}

Result<std::vector<Output>> Checker::solve(const CheckCase& one) {
  RunOptions options;
  options.max_instructions = oracle_limit;
  auto step = execute(session_, *solution_, one.launch, one.arguments, options, 1, run_progress());
  if (!step) return step.error();
  return std::move(step->outputs);
}

Result<Done> Checker::name_writer(const Attempt& attempt, size_t index, Mismatch& mismatch) {
  const CheckCase& one = cases_[index];
  RunOptions options = options_for(index);
  options.write_maps = true;
  const auto step = execute(session_, attempt.kernel, one.launch, one.arguments, options, 1, run_progress());
  if (!step) return step.error();
  for (const WriteMap& map : step->report.write_maps) {
    if (map.buffer != mismatch.buffer || mismatch.index >= map.writer.size()) continue;
    const int64_t writer = map.writer[mismatch.index];
    if (writer < 0) continue;
    const uint64_t threads = one.launch.block.count();
    mismatch.block = place_in(uint64_t(writer) / threads, one.launch.grid);
    mismatch.thread = place_in(uint64_t(writer) % threads, one.launch.block);
  }
  // What nobody wrote holds the emulator's poison, which is no number to show.
  if (!mismatch.thread) {
    for (const ArgumentSpec& argument : one.arguments)
      if (argument.name == mismatch.buffer && argument.uninitialised) mismatch.got = "not written";
  }
  return Done{};
}

void Checker::explain_case(const Attempt& attempt, size_t index, const RunReport& report,
                           std::vector<Diagnosis>& diagnostics, bool closer) {
  const CheckCase& one = cases_[index];
  if (closer) {
    const DebugOrder order{attempt.order,      attempt.kernel,           one.launch,         one.arguments,
                           options_for(index), report.warp_instructions, report.fixed_order, debug_time};
    look_closer(session_, order, diagnostics, run_progress());
  }
  explain(diagnostics, {attempt.structure, attempt.kernel.choice, one.launch, one.arguments});
}

namespace {

/// Adds a case's diagnoses to those of the cases before it. Where one of those was named by the debug build
/// and this one was not, it is the same by kind and line.
void add_case(std::vector<Diagnosis> found, std::vector<Diagnosis>& all) {
  for (Diagnosis& d : found) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const Diagnosis& k) {
      return d.buffer.empty() && k.kind == d.kind && k.line == d.line && k.space == d.space;
    });
    if (known == all.end()) {
      all.push_back(std::move(d));
    } else {
      known->count += d.count;
    }
  }
}

}  // namespace

Result<Done> Checker::run_cases(Attempt& attempt) {
  bool looked_closer = false;
  size_t cheapest = 0;
  for (size_t i = 1; i < cases_.size(); ++i)
    if (oracle_[i].warp_instructions < oracle_[cheapest].warp_instructions) cheapest = i;
  RunReport of_cheapest;
  for (size_t i = 0; i < cases_.size(); ++i) {
    auto step = execute(session_, attempt.kernel, cases_[i].launch, cases_[i].arguments, options_for(i), 1,
                        run_progress());
    if (!step) return step.error();
    count_run();
    Attempt::CaseRun run{i, status_of(step->report), step->report.counters, {}};
    if (run.status == "ok") {
      for (const Check& check : exercise_.checks) {
        if (check.check != "results" || run.mismatch) continue;
        run.mismatch = compare_outputs(check, oracle_[i].outputs, step->outputs, cases_[i].label);
      }
      const bool first = std::none_of(attempt.runs.begin(), attempt.runs.end(),
                                      [](const auto& r) { return r.mismatch.has_value(); });
      if (run.mismatch && first)
        if (const auto named = name_writer(attempt, i, *run.mismatch); !named) return named.error();
    }
    const bool failed = run.status != "ok" || run.mismatch;
    // One case is enough for names; the others' diagnoses are told at the same places.
    std::vector<Diagnosis> found = std::move(step->report.diagnostics);
    explain_case(attempt, i, step->report, found, failed && !looked_closer);
    looked_closer |= failed;
    if (i == cheapest) of_cheapest = std::move(step->report);
    const bool slow =
        run.status == "limit" || std::any_of(found.begin(), found.end(), [](const Diagnosis& d) {
          return d.kind == "infinite-loop" || d.kind == "deadlock";
        });
    if (run.status == "limit") attempt.limit = true;
    add_case(std::move(found), attempt.diagnostics);
    attempt.runs.push_back(std::move(run));
    if (slow || (failed && attempt.stop_early)) {
      break;
    }
  }
  // Of a right answer one case is looked at.
  if (!looked_closer && !cases_.empty()) {
    std::vector<Diagnosis> found;
    explain_case(attempt, cheapest, of_cheapest, found, true);
    add_case(std::move(found), attempt.diagnostics);
  }
  attempt.diagnostics = merge(std::move(attempt.diagnostics));
  return Done{};
}

Result<Done> Checker::run_schedules(Attempt& attempt, const Check& check, CheckRow& row) {
  // Cases with one warp have few orders, those of lanes that parted; cheap cases come first, so that many
  // orders fit into the budget.
  std::vector<size_t> order;
  for (size_t i = 0; i < cases_.size(); ++i)
    if (oracle_[i].warps > 1) order.push_back(i);
  if (order.empty())
    for (size_t i = 0; i < cases_.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return oracle_[a].warp_instructions < oracle_[b].warp_instructions;
  });
  Check tolerances;
  for (const Check& other : exercise_.checks)
    if (other.check == "results") tolerances = other;

  const int wanted = std::max(check.count, 2);
  uint64_t left = schedule_budget;
  int done = 1;  // the forward order of run_cases
  row.orders.push_back({Order::forward, 0, order.front(), cases_[order.front()].label, true, {}, 0});
  std::vector<int> tried(cases_.size(), 0);
  for (bool any = true; any && done < wanted;) {
    any = false;
    for (const size_t i : order) {
      if (done >= wanted) break;
      const uint64_t cost = oracle_[i].warp_instructions + 2000;  // setting a launch up is not free
      if (cost > left && done > 2) continue;
      left -= std::min(left, cost);
      any = true;
      RunOptions options = options_for(i);
      options.order = tried[i] == 0 ? Order::reverse : Order::shuffled;
      options.seed = seed_ + uint64_t(done);
      ++tried[i];
      ++done;
      auto step = execute(session_, attempt.kernel, cases_[i].launch, cases_[i].arguments, options, 1,
                          run_progress());
      if (!step) return step.error();
      count_run();
      const char* name = options.order == Order::reverse ? "reverse" : "shuffled";
      row.orders.push_back({options.order, options.seed, i, cases_[i].label, false, {}, 0});
      if (status_of(step->report) != "ok") {
        row.message = fmt::format("In {} order the kernel fails ({}).", name, cases_[i].label);
        row.diagnostics = std::move(step->report.diagnostics);
        explain_case(attempt, i, step->report, row.diagnostics, false);
        return Done{};
      }
      row.mismatch = compare_outputs(tolerances, oracle_[i].outputs, step->outputs, cases_[i].label);
      if (!row.mismatch) {
        row.orders.back().same = true;
        continue;
      }
      row.orders.back().buffer = row.mismatch->buffer;
      row.orders.back().index = row.mismatch->index;
      Diagnosis diagnosis;
      diagnosis.kind = "schedule-dependent";
      diagnosis.file = attempt.file;
      diagnosis.line = attempt.kernel.choice.source.line;
      diagnosis.buffer = row.mismatch->buffer;
      diagnosis.index = int64_t(row.mismatch->index);
      diagnosis.message = fmt::format("With blocks and warps in {} order, {}[{}] is {} in place of {} ({}).",
                                      name, row.mismatch->buffer, row.mismatch->index, row.mismatch->got,
                                      row.mismatch->expected, cases_[i].label);
      diagnosis.hint = "Nothing orders blocks, and within a block only barriers order warps.";
      row.message = diagnosis.message;
      row.diagnostics.push_back(std::move(diagnosis));
      return Done{};
    }
  }
  row.passed = true;
  row.message =
      done < wanted
          ? fmt::format("The same result in {} of {} orders; the others would cost too much in large cases.",
                        done, wanted)
          : fmt::format("The same result in {} of {} orders.", done, wanted);
  return Done{};
}

Result<CheckReport> Checker::check(const std::string& source, const std::string& file, bool stop_early) {
  const Clock::time_point start = Clock::now();
  CheckReport report = report_of(lesson_, exercise_, source, file);
  report.seed = seed_;

  CheckRow compiles;
  compiles.check = "compiles";
  const CompileOrder order{source, file, exercise_.kernel, defines_of(exercise_)};
  auto compiled = compile_kernel(session_, order, run_progress());
  if (!compiled) return compiled.error();
  compiles.diagnostics = std::move(compiled->diagnostics);
  compiles.passed = compiled->kernel.has_value();
  std::vector<Diagnosis> warnings;
  if (compiled->kernel) {
    for (Diagnosis& diagnosis :
         check_arguments(compiled->kernel->choice, compiled->kernel->info, cases_[0].arguments, file)) {
      if (diagnosis.severity == Severity::error) {
        compiles.passed = false;
        compiles.diagnostics.push_back(std::move(diagnosis));
      } else {
        warnings.push_back(std::move(diagnosis));
      }
    }
  }
  if (!compiles.passed) {
    report.exit_code = compiled->status == "compile-error" ? 2 : 1;
    compiles.message = compiled->status == "compile-error" ? "The code does not compile."
                                                           : "The kernel does not fit the exercise.";
    report.rows.push_back(std::move(compiles));
    skip_checks(report, exercise_);
    return finished(std::move(report), start);
  }
  compiles.message = "The code compiles.";
  report.rows.push_back(std::move(compiles));

  const SourceStructure structure(source);
  Attempt attempt{*compiled->kernel, order, structure, file, stop_early, {}, std::move(warnings), false};
  if (const auto ran = run_cases(attempt); !ran) return ran.error();
  const bool found_error = has_errors(attempt.diagnostics);
  if (attempt.limit && !found_error) report.exit_code = 3;
  const bool results_asked = std::any_of(exercise_.checks.begin(), exercise_.checks.end(),
                                         [](const Check& c) { return c.check == "results"; });
  // A kernel that faults fails, whatever the exercise asks for.
  if (!results_asked && (found_error || attempt.limit)) report.rows.push_back(results_row(attempt, {}));
  for (const Check& check : exercise_.checks) {
    if (check.check == "results") {
      report.rows.push_back(results_row(attempt, check));
    } else if (check.check == "no-diagnoses") {
      report.rows.push_back(diagnoses_row(attempt));
    } else if (check.check == "counter") {
      auto row = counter_row(attempt, check);
      if (!row) return row.error();
      report.rows.push_back(std::move(*row));
    } else if (check.check == "schedules") {
      CheckRow row;
      row.check = "schedules";
      const bool pointless = std::any_of(attempt.runs.begin(), attempt.runs.end(),
                                         [](const auto& run) { return run.status != "ok" || run.mismatch; });
      if (pointless) {
        row.skipped = true;
        row.message = "Not tried: the first order fails already.";
      } else if (const auto ran = run_schedules(attempt, check, row); !ran) {
        return ran.error();
      }
      report.rows.push_back(std::move(row));
    } else {
      return complaint(fmt::format("exercise {}: there is no check called {}", exercise_.name, check.check),
                       "the checks are results, no-diagnoses, schedules and counter");
    }
  }
  // Right results by luck: the exercise need not ask for it.
  const bool told =
      std::any_of(report.rows.begin(), report.rows.end(), [](const CheckRow& row) { return !row.passed; });
  if (found_error && !told) report.rows.push_back(diagnoses_row(attempt));
  if (has_gpu(session_) && !stop_early) {
    auto row = gpu_row(attempt);
    if (!row) return row.error();
    // A GPU that cannot be used is no fault of the answer's.
    if (row->skipped) row->passed = true;
    report.rows.push_back(std::move(*row));
  }
  return finished(std::move(report), start);
}

Result<CheckReport> check(Session& session, const Lesson& lesson, const Exercise& exercise,
                          const std::string& source, const std::string& file, uint64_t seed,
                          CheckProgress* progress) {
  const std::lock_guard lock(session.busy);
  if (exercise.program) {
    ProgramChecker checker(session, lesson, exercise, progress);
    if (const auto ready = checker.prepare(); !ready) return ready.error();
    return checker.check(source, file);
  }
  Checker checker(session, lesson, exercise, seed, progress);
  if (const auto ready = checker.prepare(); !ready) return ready.error();
  return checker.check(source, file, false);
}

}  // namespace warpbook
