#include "lab/gpu_faults.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/complaint.h"
#include "lab/execute.h"
#include "lab/gpu_run.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;

/// Compiled for the GPU and run in its own process, and nowhere else.
Result<LaunchStep> run_raw(Session& session, const Path& file) {
  const auto source = read_file(file);
  if (!source) return source.error();
  const auto header = parse_header(*source, file.string());
  if (!header) return header.error();
  const GpuUse use(session);
  auto compiled = compile_kernel(
      session, {*source, file.string(), header->kernel.value_or(""), {}, session.gpu_child.get()}, nullptr);
  if (!compiled) return compiled.error();
  if (!compiled->kernel)
    return complaint(
        compiled->diagnostics.empty() ? "the file does not compile" : compiled->diagnostics.front().message,
        {}, {file.string(), 0, 0});
  std::vector<ArgumentSpec> arguments;
  for (const std::string& spec : header->args) {
    auto argument = parse_argument(spec);
    if (!argument) return argument.error();
    arguments.push_back(std::move(*argument));
  }
  return execute_on(*session.gpu_child, session.gpu, *compiled->kernel, header->launch.value_or(Launch{}),
                    arguments, RunOptions{}, 1, nullptr, nullptr);
}

}  // namespace

Result<std::vector<FaultTrial>> run_gpu_faults(Session& session) {
  if (!has_gpu(session))
    return complaint(Trouble::unsupported, fmt::format("there is no GPU to try: {}", session.no_gpu));
  const Path folder = session.options.root / "kernels" / "bench";
  std::vector<FaultTrial> trials;
  for (const std::string& name : list_folder(folder / "faults")) {
    if (Path(name).extension() != ".cu") continue;
    FaultTrial trial;
    trial.name = Path(name).stem().string();
    const auto step = run_raw(session, folder / "faults" / name);
    if (!step) return step.error();
    trial.status = status_of(step->report);
    if (!step->report.diagnostics.empty()) trial.message = step->report.diagnostics.front().message;
    const auto start = std::chrono::steady_clock::now();
    const auto next = run_raw(session, folder / "vector_add.cu");
    trial.seconds_to_next = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    trial.next_works = next.ok() && status_of(next->report) == "ok";
    if (!next) trial.message += " The next run: " + next.error().message;
    trials.push_back(std::move(trial));
  }
  return trials;
}

std::string faults_as_text(const std::vector<FaultTrial>& trials) {
  std::string text;
  for (const FaultTrial& t : trials)
    text += fmt::format("{:<16}{:<8}{}; the next run {} after {:.2f} s\n", t.name, t.status, t.message,
                        t.next_works ? "worked" : "failed", t.seconds_to_next);
  return text;
}

std::string faults_as_json(const std::vector<FaultTrial>& trials) {
  Json out = Json::array();
  for (const FaultTrial& t : trials)
    out.push_back({{"name", t.name},
                   {"held", t.held()},
                   {"status", t.status},
                   {"message", t.message},
                   {"next_works", t.next_works},
                   {"seconds_to_next", t.seconds_to_next}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpbook
