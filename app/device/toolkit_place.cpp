// The search for nvcc. Its version stands in a file of toolkits and in the compiler's own header of wheels.
#include "device/toolkit_place.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "device/nvrtc_place.h"

namespace warpbook {

namespace {

constexpr int runtime_major = 13;
constexpr std::string_view how_to_get_it =
    "Install NVIDIA's CUDA Toolkit 13, or run app/start --programs, which fetches its compiler alone.";

Path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? Path(value) : Path();
}

bool is_program(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

Path on_path(std::string_view name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path != nullptr ? path : "", ':')) {
    if (!folder.empty() && is_program(Path(folder) / name)) return Path(folder) / name;
  }
  return {};
}

/// The text between quotes after `key` in version.json of a toolkit: {"cuda_nvcc": {.. "version":
/// "13.0.88"}}.
std::string version_in_json(const Path& root) {
  const auto text = read_file(root / "version.json", 1u << 20);
  if (!text) return {};
  const size_t entry = text->find("\"cuda_nvcc\"");
  const size_t key = text->find("\"version\"", entry == std::string::npos ? 0 : entry);
  if (key == std::string::npos) return {};
  const size_t open = text->find('"', text->find(':', key)), close = text->find('"', open + 1);
  return close == std::string::npos ? std::string{} : text->substr(open + 1, close - open - 1);
}

/// CUDART_VERSION of the runtime's header: 13000 is 13.0.
std::string version_in_header(const Path& include_folder) {
  const auto text = read_file(include_folder / "cuda_runtime_api.h", 8u << 20);
  if (!text) return {};
  constexpr std::string_view define = "#define CUDART_VERSION";
  const size_t at = text->find(define);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(*text).substr(at + define.size());
  const auto number = parse_int(trim(rest.substr(0, rest.find('\n'))));
  return number ? fmt::format("{}.{}", *number / 1000, *number % 1000 / 10) : std::string{};
}

Path headers_of(const Path& root) {
  for (const char* folder : {"include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"}) {
    std::error_code ignored;
    if (std::filesystem::exists(root / folder / "cuda_runtime.h", ignored)) return root / folder;
  }
  return {};
}

ToolkitPlace place_of(const Path& nvcc) {
  ToolkitPlace place;
  std::error_code code;
  const Path real = std::filesystem::canonical(nvcc, code);
  place.nvcc = (code ? nvcc : real).string();
  const Path root = Path(place.nvcc).parent_path().parent_path();
  place.include_folder = headers_of(root);
  place.version = version_in_json(root);
  if (place.version.empty()) place.version = version_in_header(place.include_folder);
  return place;
}

int major_of(const ToolkitPlace& place) { return int(parse_int(split(place.version, '.')[0]).value_or(0)); }

/// nvcc of a toolkit, or of NVIDIA's wheels.
Path nvcc_below(const Path& root) {
  if (root.empty()) return {};
  for (const char* folder : {"bin", "nvidia/cu13/bin", "cu13/bin"}) {
    if (is_program(root / folder / "nvcc")) return root / folder / "nvcc";
  }
  return {};
}

void find_host_compiler(ToolkitPlace& place) {
  for (const char* name : {"g++", "c++"}) {
    if (const Path found = on_path(name); !found.empty()) {
      place.host_compiler = found.string();
      return;
    }
  }
  place.missing =
      "Whole programs need the host's C++ compiler beside nvcc, and there is no g++ here. Install the "
      "package g++.";
}

}  // namespace

ToolkitPlace find_toolkit() {
  ToolkitPlace nowhere;
  if (const Path given = from_environment("NVCC"); !given.empty()) {
    const Path program = given.has_parent_path() ? given : on_path(given.string());
    if (!is_program(program)) {
      nowhere.missing = fmt::format(
          "NVCC is set to {}, but that is no program, so whole programs cannot be compiled. Correct or unset "
          "it. {}",
          given.string(), how_to_get_it);
      return nowhere;
    }
    ToolkitPlace place = place_of(program);
    find_host_compiler(place);
    return place;
  }
  std::vector<Path> candidates{nvcc_below(from_environment("CUDA_HOME")),
                               nvcc_below(from_environment("CUDA_PATH")), on_path("nvcc")};
  for (const Path& root : usual_toolkit_folders()) candidates.push_back(nvcc_below(root));
  candidates.push_back(nvcc_below(from_environment("WARPBOOK_PROGRAM_DEPS")));
  candidates.push_back(nvcc_below(user_folders().data / "nvcc"));
  std::string passed_over;
  for (const Path& nvcc : candidates) {
    if (nvcc.empty()) continue;
    ToolkitPlace place = place_of(nvcc);
    if (major_of(place) == runtime_major) {
      find_host_compiler(place);
      return place;
    }
    if (passed_over.empty())
      passed_over = fmt::format(" ({} is version {}, and programs here run on the runtime of CUDA {})",
                                place.nvcc, place.version.empty() ? "unknown" : place.version, runtime_major);
  }
  nowhere.missing =
      fmt::format("The CUDA compiler nvcc was not found, so whole programs cannot be built{}. {}",
                  passed_over, how_to_get_it);
  return nowhere;
}

}  // namespace warpbook
