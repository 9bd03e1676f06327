// See debug_run.h. How much of a launch is run is decided by instructions that the optimised run counted and
// never by time, so that every machine covers the same blocks.
#include "lab/debug_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/random.h"
#include "device/debug_names.h"
#include "lab/places.h"

namespace warpbook {

namespace {

/// Warp instructions of the optimised run up to which the debug build runs every block. It takes 2 to 7 times
/// as many (debug notes 1.5), so this is some tenths of a second.
constexpr uint64_t whole_launch = 600'000;
/// The sample of a larger launch has at least this many blocks, and its part of the instructions.
constexpr uint64_t fewest_blocks = 32;
/// The debug build may take this many times the instructions that the optimised one took for the same blocks.
constexpr uint64_t most_times = 40;
constexpr uint64_t spare_instructions = 2'000'000;

CompileRequest compile_request(Session& session, const DebugOrder& order) {
  CompileRequest request;
  request.source = order.compile.source;
  request.file = order.compile.file;
  if (!order.optimised.choice.expression.empty()) request.names.push_back(order.optimised.choice.expression);
  request.compute = session.device->capabilities().compute;
  request.defines = order.compile.defines;
  if (const Path folder = Path(order.compile.file).parent_path(); !folder.empty())
    request.include_folders.push_back(folder);
  request.debug = true;
  return request;
}

}  // namespace

std::vector<uint64_t> sample_blocks(const Dim3& grid, uint64_t most, std::span<const Diagnosis> found) {
  const uint64_t count = grid.count();
  if (most >= count) return {};
  std::set<uint64_t> chosen;
  for (const Diagnosis& d : found) {
    if (!d.block || d.block->x >= grid.x || d.block->y >= grid.y || d.block->z >= grid.z) continue;
    chosen.insert(linear_in(*d.block, grid));
    // A race's other side.
    if (d.other && d.other->block && d.other->block->x < grid.x && d.other->block->y < grid.y &&
        d.other->block->z < grid.z)
      chosen.insert(linear_in(*d.other->block, grid));
  }
  const uint32_t xs[] = {0, grid.x / 2, grid.x - 1}, ys[] = {0, grid.y / 2, grid.y - 1},
                 zs[] = {0, grid.z / 2, grid.z - 1};
  for (const uint32_t z : zs)
    for (const uint32_t y : ys)
      for (const uint32_t x : xs) chosen.insert(linear_in({x, y, z}, grid));
  uint64_t state = count;
  while (chosen.size() < most) chosen.insert(next_random(state) % count);
  return {chosen.begin(), chosen.end()};
}

void name_diagnoses(const CompiledCode& code, const std::string& source,
                    const std::function<std::optional<std::string>(const std::string& text)>& compile,
                    std::vector<Diagnosis>& diagnostics) {
  const bool any = std::any_of(diagnostics.begin(), diagnostics.end(),
                               [](const Diagnosis& d) { return d.moment != nullptr; });
  if (!any) return;
  auto names = DebugNames::read(code);
  if (!names) return;
  const bool shared = std::any_of(diagnostics.begin(), diagnostics.end(),
                                  [](const Diagnosis& d) { return d.space == "shared"; });
  if (shared) {
    if (const auto blanked = without_shared(source)) {
      if (const auto ptx = compile(*blanked)) {
        if (auto info = read_debug_info(*ptx)) names->take_shapes(std::move(*info));
      }
    }
  }
  for (Diagnosis& diagnosis : diagnostics) names->name(diagnosis);
}

DebugLook debug_look(const RunOptions& optimised, const Launch& launch, uint64_t warp_instructions,
                     bool fixed_order, std::span<const Diagnosis> found,
                     std::chrono::milliseconds time_left) {
  DebugLook look;
  uint64_t most = launch.grid.count();
  if (!fixed_order && warp_instructions > whole_launch) {
    most = uint64_t(double(most) * double(whole_launch) / double(warp_instructions));
    most = std::max(most, fewest_blocks);
  }
  look.blocks = sample_blocks(launch.grid, most, found);
  RunOptions& options = look.options = optimised;
  options.level = Level::check;
  options.order = Order::forward;
  options.moments = true;
  options.blocks = look.blocks;
  options.write_maps = options.per_warp = false;
  options.record.reset();
  options.max_instructions =
      std::min<uint64_t>(warp_instructions, uint64_t(1) << 40) * most_times + spare_instructions;
  options.max_time = std::max(time_left, std::chrono::milliseconds(1));
  return look;
}

void take_debug_report(DebugFindings& out, RunReport& report, const std::string& file) {
  out.run.run_ms = report.wall_ms;
  out.run.blocks = report.counters.blocks;
  if (report.status == RunStatus::limit) {
    out.run.missing = "the debug build was stopped at its limit";
  } else if (report.status == RunStatus::unsupported) {
    out.run.missing = "the debug build uses an instruction that the emulator does not know";
  } else if (report.status == RunStatus::launch_error) {
    out.run.missing = "the debug build could not be launched";
    return;
  }
  out.diagnostics = std::move(report.diagnostics);
  // Atomics and the like are functions of a header here, without the line that called them; the optimised
  // build knows that.
  std::erase_if(out.diagnostics, [&](const Diagnosis& d) {
    return d.kind.rfind("race-", 0) == 0 && (d.line <= 0 || !d.other || d.other->line <= 0 || d.file != file);
  });
}

DebugFindings run_debug_build(Session& session, const DebugOrder& order, RunProgress* progress) {
  DebugFindings out;
  const uint64_t blocks = order.launch.grid.count();
  out.run.of = blocks;
  const std::atomic<bool>* stop = progress ? &progress->stop : nullptr;
  const CompileRequest request = compile_request(session, order);
  const auto start = Clock::now();
  auto outcome = session.compiler->compile(request, stop);
  out.run.compile_ms = milliseconds_since(start);
  if (!outcome || !outcome->code) {
    out.run.missing = outcome ? "the debug build does not compile" : outcome.error().message;
    return out;
  }
  LoadedKernel kernel{std::move(*outcome->code), order.optimised.choice, order.optimised.ptx_name,
                      order.optimised.info, 0};
  for (const auto& [source, ptx] : kernel.code.names)
    if (source == kernel.choice.expression) kernel.ptx_name = ptx;

  DebugLook look = debug_look(order.options, order.launch, order.warp_instructions, order.fixed_order,
                              order.found, order.time_left);
  out.blocks = std::move(look.blocks);
  auto step = execute(session, kernel, order.launch, order.arguments, look.options, 1, progress);
  if (!step) {
    out.run.missing = step.error().message;
    return out;
  }
  take_debug_report(out, step->report, request.file);
  const auto compile = [&](const std::string& text) -> std::optional<std::string> {
    CompileRequest shapes = request;
    shapes.source = text;
    auto compiled = session.compiler->compile(shapes, stop);
    if (!compiled || !compiled->code) return std::nullopt;
    return std::move(compiled->code->ptx);
  };
  name_diagnoses(kernel.code, request.source, compile, out.diagnostics);
  return out;
}

RunResult::DebugRun look_closer(Session& session, DebugOrder order, std::vector<Diagnosis>& diagnostics,
                                RunProgress* progress) {
  order.found = diagnostics;
  DebugFindings debug = run_debug_build(session, order, progress);
  const RunResult::DebugRun run = debug.run;
  diagnostics = merge_builds(std::move(diagnostics), std::move(debug), order.launch.grid);
  return run;
}

}  // namespace warpbook
