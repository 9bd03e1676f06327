// The search for NVRTC. A root may be a toolkit, an unpacked wheel of CUDA 12 or 13, or the library's own
// folder.
#include "device/nvrtc_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/dynamic_library.h"
#include "base/text.h"

namespace warpbook {

namespace {

constexpr std::string_view library_prefix = "libnvrtc.so";
constexpr std::string_view how_to_get_it =
    "Install NVIDIA's CUDA Toolkit, or run app/start, which fetches the compiler alone.";

/// Below a root, where the library may lie: toolkits, then wheels of CUDA 13, then wheels of CUDA 12.
constexpr std::string_view library_folders[] = {"",
                                                "lib64",
                                                "lib",
                                                "targets/x86_64-linux/lib",
                                                "targets/sbsa-linux/lib",
                                                "nvidia/cu13/lib",
                                                "cu13/lib",
                                                "nvidia/cuda_nvrtc/lib",
                                                "cuda_nvrtc/lib"};

/// Beside the library's folder, where the headers that kernels include may lie. In the wheels of CUDA 12 each
/// package has a folder of its own.
constexpr std::string_view header_folders[] = {"../include",
                                               "../targets/x86_64-linux/include",
                                               "../targets/sbsa-linux/include",
                                               "../../cuda_runtime/include",
                                               "../../cuda_cccl/include",
                                               "../../cuda_nvcc/include",
                                               "../../curand/include"};

Path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? Path(value) : Path();
}

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// "13.0" -> 1300, for "newest first"; text that is no version comes last.
int version_number(std::string_view text) {
  const auto parts = split(text, '.');
  const auto major = parse_int(parts[0]);
  const auto minor = parts.size() > 1 ? parse_int(parts[1]) : std::optional<int64_t>(0);
  return major && minor ? int(*major * 100 + *minor) : -1;
}

/// The newest libnvrtc.so.N of a folder; the name without a number when there is no other.
Path library_in(const Path& folder) {
  std::string best;
  int best_version = -2;
  for (const std::string& name : list_folder(folder)) {
    if (!starts_with(name, library_prefix)) continue;
    const bool numbered = name.size() > library_prefix.size() && name[library_prefix.size()] == '.';
    if (!numbered && name.size() > library_prefix.size()) continue;
    const int version = numbered ? version_number(name.substr(library_prefix.size() + 1)) : -1;
    if (version > best_version) {
      best_version = version;
      best = name;
    }
  }
  return best.empty() ? Path() : folder / best;
}

Path library_below(const Path& root) {
  if (root.empty()) return {};
  for (const std::string_view folder : library_folders) {
    if (const Path library = library_in(root / folder); !library.empty()) return library;
  }
  return {};
}

constexpr std::string_view builtins_prefix = "libnvrtc-builtins.so.";

/// The builtins beside the library carry both numbers of the version in their name; the library itself may
/// not.
std::string version_of(const Path& library) {
  std::string version;
  for (const Path& builtins : builtins_beside(library)) {
    const std::string name = builtins.filename().string();
    const auto parts = split(std::string_view(name).substr(builtins_prefix.size()), '.');
    std::string found(parts[0]);
    if (parts.size() > 1) found += fmt::format(".{}", parts[1]);
    if (version_number(found) > version_number(version)) version = found;
  }
  if (!version.empty()) return version;
  const std::string name = library.filename().string();
  return name.size() > library_prefix.size() + 1 ? name.substr(library_prefix.size() + 1) : "unknown";
}

std::vector<Path> headers_beside(const Path& library) {
  std::vector<Path> found;
  for (const std::string_view beside : header_folders) {
    const Path folder = (library.parent_path() / beside).lexically_normal();
    // A distribution's package puts the headers into /usr/include, and NVRTC cannot read the host's headers
    // there.
    if (folder == "/usr/include" || !is_there(folder)) continue;
    if (!is_there(folder / "cuda_fp16.h") && !is_there(folder / "cuda") && !is_there(folder / "crt") &&
        !is_there(folder / "curand_kernel.h")) {
      continue;
    }
    // A toolkit has one folder by several names.
    std::error_code ignored;
    const Path real = std::filesystem::canonical(folder, ignored);
    if (std::any_of(found.begin(), found.end(),
                    [&](const Path& known) { return std::filesystem::equivalent(known, real, ignored); }))
      continue;
    found.push_back(folder);
    // CUDA 13 moved the C++ library one folder down.
    if (is_there(folder / "cccl")) found.push_back(folder / "cccl");
  }
  return found;
}

std::vector<Path> toolkit_roots() {
  std::vector<Path> roots{from_environment("CUDA_HOME"), from_environment("CUDA_PATH")};
  const std::vector<Path> usual = usual_toolkit_folders();
  roots.insert(roots.end(), usual.begin(), usual.end());
  roots.push_back(from_environment("WARPBOOK_DEPS"));
  roots.push_back(user_folders().data / "nvrtc");
  return roots;
}

Path library_of_the_loader() {
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
    if (const auto library = DynamicLibrary::open(name); library.ok()) return library->path();
  }
  return {};
}

CompilerPlace place_of(const Path& library) {
  CompilerPlace place;
  std::error_code ignored;
  const Path real = std::filesystem::canonical(library, ignored);
  place.library = ignored ? library.string() : real.string();
  place.version = version_of(place.library);
  // The headers may lie beside the link or beside what it points to.
  place.include_folders = headers_beside(library);
  if (place.include_folders.empty()) place.include_folders = headers_beside(place.library);
  return place;
}

}  // namespace

std::vector<Path> usual_toolkit_folders() {
  std::vector<std::string> numbered;
  for (const std::string& name : list_folder("/usr/local")) {
    if (starts_with(name, "cuda-")) numbered.push_back(name);
  }
  std::stable_sort(numbered.begin(), numbered.end(), [](const std::string& a, const std::string& b) {
    return version_number(std::string_view(a).substr(5)) > version_number(std::string_view(b).substr(5));
  });
  std::vector<Path> folders{"/usr/local/cuda"};
  for (const std::string& name : numbered) folders.push_back(Path("/usr/local") / name);
  folders.push_back("/opt/cuda");
  return folders;
}

std::vector<Path> builtins_beside(const Path& library) {
  std::vector<Path> found;
  for (const std::string& name : list_folder(library.parent_path()))
    if (starts_with(name, builtins_prefix)) found.push_back(library.parent_path() / name);
  return found;
}

CompilerPlace find_compiler_place() {
  CompilerPlace nowhere;
  if (const Path given = from_environment("WARPBOOK_NVRTC"); !given.empty()) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(given, ignored)) return place_of(given);
    if (const Path library = library_below(given); !library.empty()) return place_of(library);
    nowhere.missing = fmt::format(
        "WARPBOOK_NVRTC is set to {}, but there is no NVRTC library, so kernels cannot be compiled. Correct "
        "or unset "
        "it. {}",
        given.string(), how_to_get_it);
    return nowhere;
  }
  for (const Path& root : toolkit_roots()) {
    if (const Path library = library_below(root); !library.empty()) return place_of(library);
  }
  if (const Path library = library_of_the_loader(); !library.empty()) return place_of(library);
  nowhere.missing = fmt::format(
      "NVIDIA's run-time compiler (NVRTC) was not found, so kernels cannot be compiled. {}", how_to_get_it);
  return nowhere;
}

}  // namespace warpbook
