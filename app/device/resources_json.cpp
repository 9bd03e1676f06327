#include "device/resources_json.h"

#include <nlohmann/json.hpp>

#include "device/resources.h"

namespace warpbook {

using nlohmann::json;

json json_of(const std::vector<KernelResources>& kernels) {
  json out = json::array();
  for (const KernelResources& kernel : kernels)
    out.push_back({{"name", kernel.name},
                   {"architecture", kernel.architecture},
                   {"registers", kernel.registers},
                   {"static_shared", kernel.static_shared_bytes},
                   {"stack", kernel.stack_bytes},
                   {"spill_stores", kernel.spill_store_bytes},
                   {"spill_loads", kernel.spill_load_bytes},
                   {"barriers", kernel.barriers}});
  return out;
}

std::vector<KernelResources> resources_from(const json& value) {
  std::vector<KernelResources> kernels;
  for (const json& one : value) {
    KernelResources& kernel = kernels.emplace_back();
    one.at("name").get_to(kernel.name);
    one.at("architecture").get_to(kernel.architecture);
    one.at("registers").get_to(kernel.registers);
    one.at("static_shared").get_to(kernel.static_shared_bytes);
    one.at("stack").get_to(kernel.stack_bytes);
    one.at("spill_stores").get_to(kernel.spill_store_bytes);
    one.at("spill_loads").get_to(kernel.spill_load_bytes);
    one.at("barriers").get_to(kernel.barriers);
  }
  return kernels;
}

namespace {
constexpr std::string_view comment = "// ptxas: ";
}

void append_resources(std::string& ptx, const std::vector<KernelResources>& kernels) {
  if (kernels.empty()) return;
  if (!ptx.empty() && ptx.back() != '\n') ptx += '\n';
  ptx.append(comment).append(json_of(kernels).dump()).append("\n");
}

std::vector<KernelResources> resources_in(std::string_view ptx) {
  const size_t at = ptx.rfind(comment);
  if (at == std::string_view::npos || (at > 0 && ptx[at - 1] != '\n')) return {};
  std::string_view line = ptx.substr(at + comment.size());
  line = line.substr(0, line.find('\n'));
  try {
    return resources_from(json::parse(line));
  } catch (const json::exception&) {
    return {};
  }
}

std::vector<KernelResources> resources_of(const CompiledCode& code) { return resources_in(code.ptx); }

}  // namespace warpbook
