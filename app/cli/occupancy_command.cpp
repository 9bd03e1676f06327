// warpbook occupancy: how many blocks an SM holds, which limit holds them, and what would change it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/complaint.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/model_commands.h"
#include "lab/occupancy_report.h"
#include "lab/own_gpus.h"

namespace warpbook::cli {

namespace {

struct OccupancyGiven {
  std::string gpu, compute;
  OccupancyQuestion question;
  bool json = false;
};

Result<GpuSpec> row_of(const OccupancyGiven& given, const GpuTable& table) {
  if (!given.gpu.empty() && !given.compute.empty())
    return complaint("--gpu and --cc say the same thing twice", "give one of them");
  if (!given.compute.empty()) return capability_named(table, given.compute);
  return gpu_named(table.gpus, given.gpu.empty() ? default_gpu_name : given.gpu);
}

int perform(const OccupancyGiven& given, const Invocation& invocation) {
  const auto options = session_options(invocation);
  if (!options) return complain(options.error(), given.json);
  const auto table = gpu_table(options->root, nullptr, {given.gpu});
  if (!table) return complain(table.error(), given.json);
  const auto gpu = row_of(given, *table);
  if (!gpu) return complain(gpu.error(), given.json);
  const auto report = occupancy_report(*gpu, given.question);
  if (!report) return complain(report.error(), given.json);
  return print(given.json ? occupancy_as_json(*report) : occupancy_as_text(*report, style_for_stdout()));
}

}  // namespace

void add_occupancy(CLI::App& app, Invocation& invocation) {
  auto given = std::make_shared<OccupancyGiven>();
  OccupancyQuestion& question = given->question;
  app.add_option("--gpu", given->gpu, "GPU whose limits hold")->type_name("NAME");
  app.add_option("--cc", given->compute, "Compute capability instead of a GPU, such as 8.6")
      ->type_name("X.Y");
  app.add_option("--block", question.block_size, "Threads a block")->required()->type_name("N");
  app.add_option("--regs", question.registers, "Registers a thread")->required()->type_name("N");
  app.add_option("--static", question.static_bytes, "Static shared memory a block")->type_name("BYTES");
  app.add_option("--dynamic", question.dynamic_bytes, "Dynamic shared memory a block")->type_name("BYTES");
  app.add_option("--carveout", question.carveout,
                 "Percent of the SM's memory that is to be shared memory; -1 = the driver's choice")
      ->type_name("P");
  app.add_flag("--json", given->json, "Prints one JSON object");
  app.callback([given, &invocation] {
    invocation.action = [given, &invocation] { return perform(*given, invocation); };
  });
}

}  // namespace warpbook::cli
