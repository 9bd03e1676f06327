// See settings.h.
#include "cudart/settings.h"

#include <dlfcn.h>
#include <fcntl.h>

#include <cstdlib>

#include "base/text.h"
#include "model/gpus.h"

namespace warpbook::cudart {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Path beside_the_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&beside_the_library), &info) == 0 || !info.dli_fname) return {};
  std::error_code error;
  return std::filesystem::weakly_canonical(Path(info.dli_fname), error).parent_path();
}

Path gpu_table() {
  const Path root = variable("WARPBOOK_ROOT");
  std::vector<Path> places;
  if (!root.empty()) places.push_back(root / "assets" / "gpus.json");
  // Installed as lib/warpbook/libcudart.so.13 with the assets in share/warpbook.
  places.push_back(beside_the_library() / "../../share/warpbook/assets/gpus.json");
  places.push_back(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json");
  for (const Path& place : places) {
    std::error_code error;
    if (std::filesystem::exists(place, error)) return place;
  }
  return places.front();
}

}  // namespace

std::vector<PlannedFailure> planned_failures(std::string_view text) {
  std::vector<PlannedFailure> all;
  for (std::string_view one : split(text, ',')) {
    const auto parts = split(trim(one), ':');
    if (parts.size() != 3 || parts[0].empty()) continue;
    const auto nth = parse_uint(parts[1]), code = parse_uint(parts[2]);
    if (nth && code) all.push_back({std::string(parts[0]), *nth, int(*code)});
  }
  return all;
}

Settings settings_from_environment() {
  Settings s;
  // A descriptor that is not open, or not for writing, is no tape: the program runs without one.
  if (const auto file = parse_int(variable("WARPBOOK_TAPE_FD")); file && *file > 2) {
    const int flags = fcntl(int(*file), F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) s.tape_file = int(*file);
  }
  const std::string level = variable("WARPBOOK_LEVEL");
  s.level = level == "run" ? Level::run : level == "measure" ? Level::measure : Level::check;
  s.gpu = variable("WARPBOOK_GPU");
  if (s.gpu.empty()) s.gpu = default_gpu_name;
  s.gpus = gpu_table();
  s.recorder = variable("WARPBOOK_RECORDER") == "1";
  s.null_kernels = variable("WARPBOOK_NULL_KERNELS") == "1";
  s.memo = variable("WARPBOOK_NO_MEMO") != "1";
  s.max_instructions = parse_uint(variable("WARPBOOK_MAX_INSTRUCTIONS")).value_or(0);
  s.captured_bytes = parse_uint(variable("WARPBOOK_CAPTURE")).value_or(0);
  s.failures = planned_failures(variable("WARPBOOK_FAIL"));
  return s;
}

}  // namespace warpbook::cudart
