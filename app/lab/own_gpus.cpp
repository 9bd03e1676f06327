#include "lab/own_gpus.h"

#include <algorithm>

#include "lab/session.h"

namespace warpbook {

ToldGpu told_by(const Capabilities& capabilities) {
  ToldGpu told;
  told.name = capabilities.engine;
  told.compute = capabilities.compute;
  told.memory_bytes = capabilities.memory_bytes;
  for (const GpuAttribute& one : capabilities.attributes) told.attributes.emplace_back(one.name, one.value);
  return told;
}

Result<GpuTable> gpu_table(const Path& root, const Device* open_gpu, const std::vector<std::string>& asked) {
  auto table = load_gpu_table(root / "assets" / "gpus.json");
  if (!table) return table;
  if (open_gpu) add_own_gpu(*table, told_by(open_gpu->capabilities()));
  const bool missing = std::any_of(asked.begin(), asked.end(), [&](const std::string& name) {
    return !name.empty() && !gpu_named(table->gpus, name);
  });
  if (!missing) return table;
  std::string why;
  for (const FoundGpu& gpu : find_gpus(why)) add_own_gpu(*table, told_by(capabilities_of(gpu)));
  return table;
}

Result<GpuTable> gpu_table(const Session& session, std::vector<std::string> asked) {
  asked.push_back(session.gpu.name);
  return gpu_table(session.options.root, session.gpu_device.get(), asked);
}

}  // namespace warpbook
