#include "lab/session.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/complaint.h"
#include "base/process.h"
#include "base/text.h"

namespace warpbook {

namespace {

bool is_root(const Path& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / "assets" / "gpus.json", ignored);
}

}  // namespace

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

Result<std::unique_ptr<Session>> open_session(const SessionOptions& options) {
  auto session = std::make_unique<Session>();
  session->options = options;
  session->folders = user_folders();
  auto gpus = load_gpus(options.root / "assets" / "gpus.json");
  if (!gpus) return gpus.error();
  session->gpus = std::move(*gpus);
  auto gpu = gpu_named(session->gpus, options.gpu.empty() ? default_gpu_name : options.gpu);
  if (!gpu) return gpu.error();
  session->gpu = std::move(*gpu);

  if (options.device == "cuda") {
    std::string why;
    const auto found = find_gpus(why);
    if (found.empty())
      return complaint(Trouble::unsupported, fmt::format("--device cuda: there is no usable GPU: {}", why),
                       "--device emulated runs everything on the processor");
    return complaint(
        Trouble::unsupported,
        fmt::format("--device cuda: {} was found, but this version runs kernels on the emulator only",
                    found[0].name),
        "use --device auto or --device emulated");
  }
  if (options.device != "auto" && options.device != "emulated")
    return complaint(fmt::format("--device {} is not known", options.device), "it is auto, emulated or cuda");
  session->device = make_emulated_device(session->gpu);
  session->compiler = std::make_unique<Compiler>(session->folders.cache);
  return session;
}

}  // namespace warpbook
