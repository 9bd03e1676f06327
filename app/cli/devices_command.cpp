// warpbook devices: what this machine can run kernels on, and which compiler was found.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "lab/own_gpus.h"

namespace warpbook::cli {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const FoundGpu& gpu) {
  const Capabilities c = capabilities_of(gpu);
  const auto available = [](bool there, const std::string& why_not) {
    return Json{{"available", there}, {"why_not", there ? Json(nullptr) : Json(why_not)}};
  };
  Json out;
  out["number"] = gpu.number;
  out["name"] = gpu.name;
  out["uuid"] = uuid_text(gpu.uuid);
  out["compute"] = gpu.compute;
  out["driver"] = gpu.driver;
  out["cuda"] = gpu.cuda_version;
  out["memory_bytes"] = gpu.memory_bytes;
  out["sms"] = gpu.sms;
  out["interop"] = available(c.interop, c.why_no_interop);
  out["counters"] = available(c.counters, c.why_no_counters);
  out["debugging"] = available(c.debugging, c.why_no_debugging);
  out["attributes"] = Json::object();
  for (const GpuAttribute& one : gpu.attributes) out["attributes"][one.name] = one.value;
  return out;
}

std::string as_json(Session& session, const std::vector<GpuSpec>& rows, const std::vector<FoundGpu>& gpus,
                    const std::string& why) {
  Json out;
  Inspector* inspector = session.device->inspector();
  out["emulator"] = {{"instruction_set", inspector ? inspector->instruction_set() : ""},
                     {"cores", available_cores()},
                     {"compute", session.device->capabilities().compute}};
  out["gpus"] = Json::array();
  for (const FoundGpu& gpu : gpus) out["gpus"].push_back(json_of(gpu));
  out["no_gpu"] = gpus.empty() ? Json(why) : Json(nullptr);
  const CompilerPlace& place = session.compiler->place();
  Json compiler;
  compiler["library"] = place.library.empty() ? Json(nullptr) : Json(place.library);
  compiler["version"] = place.version.empty() ? Json(nullptr) : Json(place.version);
  compiler["missing"] = place.missing.empty() ? Json(nullptr) : Json(place.missing);
  out["compiler"] = std::move(compiler);
  out["rows"] = Json::array();
  for (const GpuRow& row : rows) out["rows"].push_back({{"name", row.name}, {"compute", row.compute}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_text(Session& session, const std::vector<GpuSpec>& rows, const std::vector<FoundGpu>& gpus,
                    const std::string& why) {
  Inspector* inspector = session.device->inspector();
  std::string text = fmt::format("Emulator   compute {}, {} instructions, {} cores\n",
                                 session.device->capabilities().compute,
                                 inspector ? inspector->instruction_set() : "plain", available_cores());
  for (const FoundGpu& gpu : gpus) {
    const Capabilities c = capabilities_of(gpu);
    text += fmt::format("GPU {}      {} (compute {}, {} SMs, {} MiB, driver {}, CUDA {})\n", gpu.number,
                        gpu.name, gpu.compute, gpu.sms, gpu.memory_bytes >> 20, gpu.driver, gpu.cuda_version);
    text += fmt::format("           {}\n", uuid_text(gpu.uuid));
    const auto line = [&](const char* what, bool there, const std::string& why_not) {
      text += fmt::format("           {}: {}\n", what, there ? "yes" : "no. " + why_not);
    };
    line("pictures without a copy", c.interop, c.why_no_interop);
    line("counters", c.counters, c.why_no_counters);
    line("debugging", c.debugging, c.why_no_debugging);
  }
  if (gpus.empty()) text += fmt::format("GPU        none: {}\n", why);
  const CompilerPlace& place = session.compiler->place();
  text += place.library.empty() ? fmt::format("Compiler   none: {}\n", place.missing)
                                : fmt::format("Compiler   NVRTC {} ({})\n", place.version, place.library);
  text += "Limits of  ";
  for (size_t i = 0; i < rows.size(); ++i) text += (i ? ", " : "") + rows[i].name;
  return text + "\n";
}

int perform(bool json, const Invocation& invocation) {
  const auto options = session_options(invocation);
  if (!options) return complain(options.error(), json);
  const auto session = open_session(*options);
  if (!session) return complain(session.error(), json);
  std::string why;
  const auto gpus = find_gpus(why);
  auto table = gpu_table(**session);
  if (!table) return complain(table.error(), json);
  for (const FoundGpu& gpu : gpus) add_own_gpu(*table, told_by(capabilities_of(gpu)));
  return print(json ? as_json(**session, table->gpus, gpus, why)
                    : as_text(**session, table->gpus, gpus, why));
}

}  // namespace

void add_devices(CLI::App& app, Invocation& invocation) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Prints one JSON object");
  app.callback([json, &invocation] {
    invocation.action = [json, &invocation] { return perform(*json, invocation); };
  });
}

}  // namespace warpbook::cli
