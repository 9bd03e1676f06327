// What the NVIDIA driver says about this machine, asked through the driver's own library when there is one.
// The few functions and numbers used are declared here (CUDA driver API documentation: device management,
// version), so that no CUDA header is needed.
#include <fmt/format.h>

#include <cstring>

#include "base/dynamic_library.h"
#include "base/files.h"
#include "base/text.h"
#include "device/device.h"

namespace warpbook {

namespace {

using Code = int;
using DeviceNumber = int;

constexpr Code success = 0;
constexpr Code no_device = 100;
constexpr int multiprocessor_count = 16;  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
constexpr int compute_major = 75;         // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int compute_minor = 76;

struct Uuid {
  unsigned char bytes[16];
};

struct Driver {
  Code (*init)(unsigned) = nullptr;
  Code (*version)(int*) = nullptr;
  Code (*count)(int*) = nullptr;
  Code (*get)(DeviceNumber*, int) = nullptr;
  Code (*name)(char*, int, DeviceNumber) = nullptr;
  Code (*attribute)(int*, int, DeviceNumber) = nullptr;
  Code (*memory)(size_t*, DeviceNumber) = nullptr;
  Code (*uuid)(Uuid*, DeviceNumber) = nullptr;
  Code (*error_text)(Code, const char**) = nullptr;
};

template <class Function>
bool fill(const DynamicLibrary& library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(library.symbol(symbol));
  return function != nullptr;
}

std::string words_of(const Driver& driver, Code code) {
  const char* text = nullptr;
  if (driver.error_text != nullptr && driver.error_text(code, &text) == success && text != nullptr)
    return text;
  return fmt::format("error {}", code);
}

/// The kernel module tells the driver's version as people know it; the API only tells the CUDA version it
/// serves.
std::string driver_version(const Driver& driver) {
  if (const auto text = read_file("/sys/module/nvidia/version"); text.ok()) return std::string(trim(*text));
  int version = 0;
  if (driver.version == nullptr || driver.version(&version) != success) return {};
  return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

std::vector<FoundGpu> find_gpus(std::string& why) {
  why.clear();
  const auto library = DynamicLibrary::open("libcuda.so.1");
  if (!library) {
    why = "No NVIDIA driver is installed (libcuda.so.1 was not found).";
    return {};
  }
  Driver driver;
  const bool complete =
      fill(*library, "cuInit", driver.init) && fill(*library, "cuDeviceGetCount", driver.count) &&
      fill(*library, "cuDeviceGet", driver.get) && fill(*library, "cuDeviceGetName", driver.name) &&
      fill(*library, "cuDeviceGetAttribute", driver.attribute) &&
      fill(*library, "cuDeviceTotalMem_v2", driver.memory);
  if (!complete) {
    why = "The NVIDIA driver is too old: its library lacks functions of CUDA.";
    return {};
  }
  fill(*library, "cuDriverGetVersion", driver.version);
  fill(*library, "cuGetErrorString", driver.error_text);
  if (!fill(*library, "cuDeviceGetUuid_v2", driver.uuid)) fill(*library, "cuDeviceGetUuid", driver.uuid);

  if (const Code code = driver.init(0); code != success) {
    why = code == no_device ? std::string("The NVIDIA driver sees no GPU in this machine.")
                            : fmt::format("The NVIDIA driver does not start: {}.", words_of(driver, code));
    return {};
  }
  int count = 0;
  if (const Code code = driver.count(&count); code != success || count == 0) {
    why = "The NVIDIA driver sees no GPU in this machine.";
    return {};
  }
  std::vector<FoundGpu> found;
  for (int i = 0; i < count; ++i) {
    DeviceNumber device = 0;
    if (driver.get(&device, i) != success) continue;
    FoundGpu gpu;
    char name[256] = {};
    if (driver.name(name, int(sizeof name) - 1, device) == success) gpu.name = name;
    int major = 0, minor = 0;
    driver.attribute(&major, compute_major, device);
    driver.attribute(&minor, compute_minor, device);
    gpu.compute = fmt::format("{}.{}", major, minor);
    driver.attribute(&gpu.sms, multiprocessor_count, device);
    size_t bytes = 0;
    if (driver.memory(&bytes, device) == success) gpu.memory_bytes = bytes;
    Uuid uuid{};
    if (driver.uuid != nullptr && driver.uuid(&uuid, device) == success)
      std::memcpy(gpu.uuid.data(), uuid.bytes, 16);
    gpu.driver = driver_version(driver);
    found.push_back(std::move(gpu));
  }
  return found;
}

}  // namespace warpbook
