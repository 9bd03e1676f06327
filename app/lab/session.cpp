#include "lab/session.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/complaint.h"
#include "base/process.h"
#include "base/text.h"
#include "device/cuda_child.h"
#include "lab/own_gpus.h"

namespace warpbook {

namespace {

/// All buffers of a learner's kernel on the GPU together.
constexpr uint64_t learner_bytes = 8ull << 30;

bool is_root(const Path& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / "assets" / "gpus.json", ignored);
}

struct OpenedGpu {
  std::unique_ptr<Device> device, child;
  std::string none;  ///< why there is none
};

Result<OpenedGpu> open_gpu(const std::string& asked, const std::vector<std::string>& worker) {
  OpenedGpu opened;
  if (asked == "emulated") {
    opened.none = "Kernels run on the emulator because that is what was chosen.";
    return opened;
  }
  const bool needed = starts_with(asked, "cuda");
  CudaOptions options;
  if (starts_with(asked, "cuda:")) options.gpu = asked.substr(5);
  if (asked != "auto" && asked != "cuda" && options.gpu.empty())
    return complaint(fmt::format("--device {} is not known", asked),
                     "it is auto, emulated, cuda, or cuda:GPU with a number or a name");
  auto device = make_cuda_device(options);
  if (!device && needed) {
    Error error = device.error();
    error.message = asked == "cuda"
                        ? fmt::format("There is no usable GPU. {}", error.message)
                        : fmt::format("There is no usable GPU {}. {}", asked.substr(5), error.message);
    if (error.hint.empty()) error.hint = "without a GPU the emulator runs kernels: --device emulated";
    return error;
  }
  if (!device) {
    opened.none = device.error().message;
    return opened;
  }
  opened.device = std::move(*device);
  CudaChildOptions child;
  const Capabilities& c = opened.device->capabilities();
  child.gpu.name = c.engine;
  child.gpu.compute = c.compute;
  child.gpu.driver = c.driver;
  child.gpu.cuda_version = c.cuda_version;
  child.gpu.memory_bytes = c.memory_bytes;
  child.gpu.uuid = c.uuid;
  child.gpu.attributes = c.attributes;
  child.cuda = options;
  child.cuda.gpu = uuid_text(c.uuid);
  child.cuda.max_bytes = learner_bytes;
  child.worker = worker;
  opened.child = make_cuda_child(std::move(child));
  return opened;
}

}  // namespace

std::string engine_name(const Session& session) {
  if (session.gpu_device) return session.gpu_device->capabilities().engine;
  return session.device ? session.device->capabilities().engine : "none";
}

Result<Path> find_root(const std::string& from_option, const std::string& source_tree) {
  const auto asked_for = [](const std::string& folder, const char* who) -> Result<Path> {
    if (is_root(folder)) return Path(folder);
    return complaint(Trouble::not_found,
                     fmt::format("{} names {}, which has no assets/gpus.json", who, folder),
                     "it must be a folder with lessons/, kernels/, quizzes/ and assets/");
  };
  if (!from_option.empty()) return asked_for(from_option, "--root");
  if (const char* variable = std::getenv("WARPBOOK_ROOT"); variable && *variable)
    return asked_for(variable, "WARPBOOK_ROOT");
  const Path installed = own_executable().parent_path().parent_path() / "share" / "warpbook";
  if (is_root(installed)) return installed;
  if (!source_tree.empty() && is_root(source_tree)) return Path(source_tree);
  return complaint(Trouble::not_found, "the lessons were not found",
                   fmt::format("looked in {} and {}; name their folder with --root DIR or WARPBOOK_ROOT",
                               installed.string(), source_tree));
}

Result<Done> choose_engine(Session& session, const std::string& device) {
  auto opened = open_gpu(device, session.options.gpu_worker);
  if (!opened) return opened.error();
  const std::lock_guard lock(session.busy);
  const GpuUse use(session);
  session.gpu_device = std::move(opened->device);
  session.gpu_child = std::move(opened->child);
  session.no_gpu = std::move(opened->none);
  session.options.device = device;
  return Done{};
}

void prefer_drawing_gpu(Session& session, const std::array<uint8_t, 16>& drawing,
                        const std::vector<FoundGpu>& gpus) {
  const std::string asked = session.options.device;
  if (!session.gpu_device || (asked != "auto" && asked != "cuda") || drawing == decltype(drawing){}) return;
  if (session.gpu_device->capabilities().uuid == drawing) return;
  for (const FoundGpu& gpu : gpus) {
    if (gpu.uuid != drawing) continue;
    // A GPU that draws and does not open leaves the other one in its place.
    static_cast<void>(choose_engine(session, "cuda:" + uuid_text(drawing)).ok());
    session.options.device = asked;
  }
}

int number_of(const Session& session, const std::vector<FoundGpu>& gpus) {
  for (const FoundGpu& gpu : gpus)
    if (session.gpu_device && gpu.uuid == session.gpu_device->capabilities().uuid) return gpu.number;
  return -1;
}

Result<std::unique_ptr<Session>> open_session(const SessionOptions& options) {
  auto session = std::make_unique<Session>();
  session->options = options;
  session->folders = user_folders();
  if (const auto chosen = choose_engine(*session, options.device); !chosen) return chosen.error();
  const auto table = gpu_table(options.root, session->gpu_device.get(), {options.gpu});
  if (!table) return table.error();
  session->gpus.assign(table->gpus.begin(), table->gpus.end());
  auto gpu = gpu_named(session->gpus, options.gpu.empty() ? default_gpu_name : options.gpu);
  if (!gpu) return gpu.error();
  session->gpu = std::move(*gpu);
  session->device = make_emulated_device(session->gpu);
  session->compiler = std::make_unique<Compiler>(session->folders.cache);
  return session;
}

}  // namespace warpbook
