// warpbook sweep: a kernel over block sizes, grids, shared bytes, macros and GPUs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/complaint.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cli/console.h"
#include "cli/lab_target.h"
#include "cli/model_commands.h"
#include "lab/own_gpus.h"
#include "lab/sweep.h"

namespace warpbook::cli {

namespace {

struct SweepGiven {
  std::string target, kernel, gpus, png;
  std::vector<std::string> over, defines, args;
  bool json = false, csv = false, quiet = false;
};

/// One run of a lab with its controls set where they have an axis' name, else with its launch changed.
Result<RunRequest> of_lab(const LabTarget& target, const std::vector<SweepAxis>& axes,
                          const SweepSetting& setting) {
  const auto defaults = default_values(*target.lab);
  if (!defaults) return defaults.error();
  Values values;
  for (const Control& control : target.lab->controls)
    if (const auto found = defaults->find(control.name); found != defaults->end()) values.insert(*found);
  SweepSetting others;
  for (const auto& [name, value] : setting) {
    const std::string with_x = name + ".x";
    if (values.count(name)) {
      values[name] = value;
    } else if (values.count(with_x)) {
      values[with_x] = value;
    } else {
      others.emplace_back(name, value);
    }
  }
  auto request = request_for(*target.lesson, *target.lab, values, target.variant);
  if (!request) return request.error();
  for (const auto& [name, value] : others) {
    const auto axis =
        std::find_if(axes.begin(), axes.end(), [&, n = name](const SweepAxis& a) { return a.name == n; });
    if (axis->define) {
      if (const auto set = define_in_source(request->source, name, value); !set) return set.error();
    } else if (const auto set = apply_to_launch(*request->launch, name, value); !set) {
      return set.error();
    }
  }
  return request;
}

Result<RunRequest> of_file(const RunRequest& file, const std::vector<SweepAxis>& axes,
                           const SweepSetting& setting) {
  RunRequest request = file;
  for (const SweepAxis& axis : axes) {
    const auto found =
        std::find_if(setting.begin(), setting.end(), [&](const auto& s) { return s.first == axis.name; });
    if (axis.define) {
      const auto set = define_in_source(request.source, axis.name, found->second);
      if (!set) return set.error();
    } else if (const auto set = apply_to_launch(*request.launch, axis.name, found->second); !set) {
      return set.error();
    }
  }
  return request;
}

Result<SweepPlan> plan_of(const SweepGiven& given, const Session& session, const GpuTable& table,
                          const Library& library) {
  SweepPlan plan;
  for (const bool define : {false, true})
    for (const std::string& text : define ? given.defines : given.over) {
      auto axis = parse_axis(text, define);
      if (!axis) return axis.error();
      plan.axes.push_back(std::move(*axis));
    }
  if (plan.axes.empty())
    return complaint("nothing is varied", "say --over block=32..1024, or --define TILE=8,16,32");
  for (const auto& name : split(given.gpus.empty() ? session.gpu.name : given.gpus, ',')) {
    auto gpu = gpu_named(table.gpus, std::string(trim(name)));
    if (!gpu) return gpu.error();
    plan.gpus.push_back(std::move(*gpu));
  }
  if (is_source_file(given.target)) {
    auto file = file_request(given.target);
    if (!file) return file.error();
    const auto header = parse_header(file->source, file->file);
    if (!header) return header.error();
    if (!header->launch)
      return complaint("nothing says how the kernel is launched",
                       "a line // launch: grid=(64,1,1) block=(128,1,1) on top of the file does",
                       {given.target, 0, 0});
    file->launch = header->launch;
    file->kernel = given.kernel;
    file->args = given.args;
    plan.request = [file = *file, axes = plan.axes](const SweepSetting& setting) {
      return of_file(file, axes, setting);
    };
    return plan;
  }
  const auto lab = find_lab(library, given.target);
  if (!lab) return lab.error();
  plan.request = [lab = *lab, axes = plan.axes, kernel = given.kernel](const SweepSetting& setting) {
    auto request = of_lab(lab, axes, setting);
    if (request && !kernel.empty()) request->kernel = kernel;
    return request;
  };
  return plan;
}

int perform(const SweepGiven& given, const Invocation& invocation) {
  auto options = session_options(invocation);
  if (!options) return complain(options.error(), given.json);
  // The first GPU's architecture is what is compiled for.
  if (!given.gpus.empty()) options->gpu = std::string(trim(given.gpus.substr(0, given.gpus.find(','))));
  const auto session = open_session(*options);
  if (!session) return complain(session.error(), given.json);
  const Library library = is_source_file(given.target) ? Library{} : open_library(*options);
  std::vector<std::string> names;
  for (const auto& name : split(given.gpus, ',')) names.emplace_back(trim(name));
  const auto table = gpu_table(**session, std::move(names));
  if (!table) return complain(table.error(), given.json);
  const auto plan = plan_of(given, **session, *table, library);
  if (!plan) return complain(plan.error(), given.json);

  RunProgress progress;
  const InterruptGuard guard(progress.stop);
  const auto result = sweep(
      **session, *plan,
      [&](size_t done, size_t all, const SweepSetting& setting) {
        if (!given.quiet) warn(fmt::format("{} of {}: {}", done + 1, all, words_of(setting)));
      },
      &progress);
  if (!result) return complain(result.error(), given.json);
  if (!given.png.empty()) {
    const auto drawn = invocation.draw_sweep ? invocation.draw_sweep(*result, given.png, options->root)
                                             : complaint(Trouble::unsupported, "nothing here can draw");
    if (!drawn) {
      warn(fmt::format("{} was not written: {}", given.png, to_string(drawn.error())));
      return exit_code_of(drawn.error().trouble);
    }
  }
  const int printed = print(given.json  ? sweep_as_json(*result)
                            : given.csv ? sweep_as_csv(*result)
                                        : sweep_as_text(*result, style_for_stdout()));
  if (printed != 0) return printed;
  if (!result->complete) return 3;
  // A setting that cannot run (a block too large) is an answer; a sweep in which none could is a failure.
  const bool any = std::any_of(result->points.begin(), result->points.end(),
                               [](const SweepPoint& point) { return point.time.has_value(); });
  if (any) return 0;
  return !result->points.empty() && result->points.front().status == "compile-error"   ? 2
         : !result->points.empty() && result->points.front().status == "bad-arguments" ? 4
                                                                                       : 1;
}

}  // namespace

void add_sweep(CLI::App& app, Invocation& invocation) {
  auto given = std::make_shared<SweepGiven>();
  app.add_option("target", given->target, "A .cu file with its launch on top, or SLUG[/KERNEL]")
      ->required()
      ->type_name("FILE.cu|SLUG[/KERNEL]");
  app.add_option("--over", given->over, "What is varied: block, grid, shared, or a control of the lab")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  app.add_option("--define", given->defines, "A macro of the source that is varied")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  app.add_option("--gpu", given->gpus, "GPUs that the time is modelled for")->type_name("NAME[,NAME]");
  app.add_option("--kernel", given->kernel, "Which kernel of the file")->type_name("NAME");
  app.add_option("--arg", given->args, "An argument, as for run")->type_name("SPEC")->allow_extra_args(false);
  app.add_flag("--json", given->json, "Prints one JSON object");
  app.add_flag("--csv", given->csv, "Prints a table of comma-separated values");
  app.add_option("--png", given->png, "Draws the times as a curve for each GPU")->type_name("FILE");
  app.add_flag("--quiet", given->quiet, "No progress on the error output");
  app.callback([given, &invocation] {
    invocation.action = [given, &invocation] { return perform(*given, invocation); };
  });
}

}  // namespace warpbook::cli
