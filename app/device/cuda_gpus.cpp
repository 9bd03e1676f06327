// Asking the driver about its GPUs.
#include "device/cuda_gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/files.h"
#include "base/text.h"

namespace warpbook::cuda {

namespace {

struct AttributeName {
  int number;
  const char* name;
};

constexpr AttributeName attribute_names[] = {
    {attribute::multiprocessors, "multiprocessors"},
    {attribute::warp_size, "warp_size"},
    {attribute::max_threads_per_block, "max_threads_per_block"},
    {attribute::threads_per_multiprocessor, "max_threads_per_multiprocessor"},
    {attribute::blocks_per_multiprocessor, "max_blocks_per_multiprocessor"},
    {attribute::max_block_x, "max_block_x"},
    {attribute::max_block_y, "max_block_y"},
    {attribute::max_block_z, "max_block_z"},
    {attribute::max_grid_x, "max_grid_x"},
    {attribute::max_grid_y, "max_grid_y"},
    {attribute::max_grid_z, "max_grid_z"},
    {attribute::registers_per_block, "registers_per_block"},
    {attribute::registers_per_multiprocessor, "registers_per_multiprocessor"},
    {attribute::shared_per_block, "shared_bytes_per_block"},
    {attribute::shared_per_block_optin, "shared_bytes_per_block_optin"},
    {attribute::shared_per_multiprocessor, "shared_bytes_per_multiprocessor"},
    {attribute::shared_reserved_per_block, "shared_bytes_reserved_per_block"},
    {attribute::constant_memory, "constant_bytes"},
    {attribute::l2_bytes, "l2_bytes"},
    {attribute::persisting_l2_bytes, "persisting_l2_bytes"},
    {attribute::clock_khz, "clock_khz"},
    {attribute::memory_clock_khz, "memory_clock_khz"},
    {attribute::memory_bus_bits, "memory_bus_bits"},
    {attribute::async_engines, "copy_engines"},
    {attribute::concurrent_kernels, "concurrent_kernels"},
    {attribute::cooperative_launch, "cooperative_launch"},
    {attribute::cluster_launch, "cluster_launch"},
    {attribute::compute_preemption, "compute_preemption"},
    {attribute::single_to_double_ratio, "single_to_double_ratio"},
    {attribute::managed_memory, "managed_memory"},
    {attribute::memory_pools, "memory_pools"},
    {attribute::unified_addressing, "unified_addressing"},
    {attribute::can_map_host_memory, "can_map_host_memory"},
    {attribute::integrated, "integrated"},
    {attribute::ecc, "ecc"},
    {attribute::kernel_timeout, "kernel_timeout"},
    {attribute::compute_mode, "compute_mode"},
    {attribute::pci_domain, "pci_domain"},
    {attribute::pci_bus, "pci_bus"},
    {attribute::pci_device, "pci_device"},
};

/// The kernel module tells the driver's version as people know it; the API only tells the CUDA version it
/// serves.
std::string driver_version_text(const Driver& driver) {
  if (const auto text = read_file("/sys/module/nvidia/version"); text.ok()) return std::string(trim(*text));
  return driver.cuda_version() == 0 ? "unknown" : "CUDA " + version_text(driver.cuda_version());
}

Result<FoundGpu> ask(const Driver& driver, int ordinal) {
  FoundGpu gpu;
  gpu.number = ordinal;
  DeviceNumber device = 0;
  if (const Code code = driver.device_get(&device, ordinal); code != code::success)
    return driver.trouble(fmt::format("be found under number {}", ordinal), code);
  char name[256] = {};
  if (const Code code = driver.device_name(name, int(sizeof name) - 1, device); code != code::success)
    return driver.trouble("tell its name", code);
  gpu.name = name;
  int major = 0, minor = 0;
  for (const auto& [value, number] :
       {std::pair(&major, +attribute::compute_major), std::pair(&minor, +attribute::compute_minor)}) {
    if (const Code code = driver.device_attribute(value, number, device); code != code::success)
      return driver.trouble("tell its compute capability", code);
  }
  gpu.compute = fmt::format("{}.{}", major, minor);
  size_t bytes = 0;
  if (const Code code = driver.device_memory(&bytes, device); code != code::success)
    return driver.trouble("tell its memory", code);
  gpu.memory_bytes = bytes;
  Uuid uuid{};
  if (const Code code = driver.device_uuid(&uuid, device); code != code::success)
    return driver.trouble("tell its UUID", code);
  std::memcpy(gpu.uuid.data(), uuid.bytes, sizeof uuid.bytes);
  // A driver that does not know an attribute is no reason to do without the GPU.
  for (const AttributeName& row : attribute_names) {
    int value = 0;
    if (driver.device_attribute(&value, row.number, device) == code::success)
      gpu.attributes.push_back({row.name, value});
  }
  gpu.shares_pictures = driver.has_graphics();
  gpu.sms = int(attribute_of(gpu.attributes, "multiprocessors", 0));
  gpu.driver = driver_version_text(driver);
  gpu.cuda_version = version_text(driver.cuda_version());
  return gpu;
}

std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

Result<std::vector<FoundGpu>> gpus_of(const Driver& driver) {
  int count = 0;
  if (const Code code = driver.device_count(&count); code != code::success)
    return driver.trouble("be counted", code);
  std::vector<FoundGpu> found;
  std::optional<Error> first;
  for (int i = 0; i < count; ++i) {
    auto gpu = ask(driver, i);
    if (gpu) {
      found.push_back(std::move(*gpu));
    } else if (!first) {
      first = gpu.error();
    }
  }
  if (found.empty() && first) return *first;
  if (found.empty())
    return Error{"The NVIDIA driver sees no GPU in this machine.",
                 Trouble::unsupported,
                 {},
                 std::string(advice_on(code::no_device))};
  return found;
}

Result<FoundGpu> choose_gpu(const std::vector<FoundGpu>& gpus, const std::string& wanted) {
  if (wanted.empty() && !gpus.empty()) return gpus.front();
  if (const auto number = parse_uint(wanted)) {
    for (const FoundGpu& gpu : gpus)
      if (uint64_t(gpu.number) == *number) return gpu;
  } else {
    const std::string name = lower(wanted);
    for (const FoundGpu& gpu : gpus) {
      const std::string uuid = lower(uuid_text(gpu.uuid));
      if (name.size() >= 12 && starts_with(uuid, name)) return gpu;
    }
    for (const FoundGpu& gpu : gpus)
      if (lower(gpu.name) == name) return gpu;
    for (const FoundGpu& gpu : gpus)
      if (lower(gpu.name).find(name) != std::string::npos) return gpu;
  }
  std::vector<std::string> known;
  for (const FoundGpu& gpu : gpus) known.push_back(fmt::format("{} ({})", gpu.number, gpu.name));
  return Error{fmt::format("There is no GPU {} in this machine.", wanted),
               Trouble::bad_input,
               {},
               "it has: " + join(known, ", ")};
}

int gpu_with(const std::vector<FoundGpu>& gpus, const std::array<uint8_t, 16>& uuid) {
  for (size_t i = 0; i < gpus.size(); ++i)
    if (gpus[i].uuid == uuid) return int(i);
  return -1;
}

int64_t attribute_of(const std::vector<GpuAttribute>& attributes, std::string_view name, int64_t otherwise) {
  for (const GpuAttribute& one : attributes)
    if (one.name == name) return one.value;
  return otherwise;
}

GpuRow limits_of(const FoundGpu& gpu) {
  const auto value = [&](const char* name, int64_t otherwise) {
    return attribute_of(gpu.attributes, name, otherwise);
  };
  GpuRow row;
  row.name = gpu.name;
  row.compute = gpu.compute;
  row.sms = gpu.sms;
  row.memory_bytes = gpu.memory_bytes;
  row.max_threads_per_block = int(value("max_threads_per_block", row.max_threads_per_block));
  row.max_block_x = int(value("max_block_x", row.max_block_x));
  row.max_block_y = int(value("max_block_y", row.max_block_y));
  row.max_block_z = int(value("max_block_z", row.max_block_z));
  row.max_grid_x = uint64_t(value("max_grid_x", int64_t(row.max_grid_x)));
  row.max_grid_y = uint64_t(value("max_grid_y", int64_t(row.max_grid_y)));
  row.max_grid_z = uint64_t(value("max_grid_z", int64_t(row.max_grid_z)));
  row.max_warps_per_sm = int(value("max_threads_per_multiprocessor", 2048) / 32);
  row.max_blocks_per_sm = int(value("max_blocks_per_multiprocessor", 16));
  row.registers_per_sm = int(value("registers_per_multiprocessor", row.registers_per_sm));
  row.shared_per_sm = uint32_t(value("shared_bytes_per_multiprocessor", 65536));
  row.shared_per_block = uint32_t(value("shared_bytes_per_block", row.shared_per_block));
  row.shared_per_block_optin = uint32_t(value("shared_bytes_per_block_optin", row.shared_per_block));
  row.shared_reserved = uint32_t(value("shared_bytes_reserved_per_block", 0));
  row.boost_mhz = double(value("clock_khz", 0)) / 1000;
  row.l2_mb = double(value("l2_bytes", 0)) / (1 << 20);
  return row;
}

}  // namespace warpbook::cuda

namespace warpbook {

std::string uuid_text(const std::array<uint8_t, 16>& uuid) {
  std::string text = "GPU-";
  for (size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid[i]);
  }
  return text;
}

Capabilities capabilities_of(const FoundGpu& gpu) {
  Capabilities c;
  c.engine = gpu.name;
  c.emulated = false;
  c.compute = gpu.compute;
  c.driver = gpu.driver;
  c.cuda_version = gpu.cuda_version;
  c.memory_bytes = gpu.memory_bytes;
  c.uuid = gpu.uuid;
  c.attributes = gpu.attributes;
  c.interop = gpu.shares_pictures;
  if (!c.interop) c.why_no_interop = "This driver has no functions for sharing pictures with OpenGL.";
  c.why_no_counters = "Drivers keep a GPU's counters to administrators; the emulator counts the same code.";
  c.why_no_debugging = "A GPU cannot be stepped from here; the emulator steps the same code.";
  return c;
}

std::vector<FoundGpu> find_gpus(std::string& why) {
  why.clear();
  const auto driver = cuda::Driver::open();
  if (!driver) {
    why = driver.error().message;
    return {};
  }
  auto gpus = cuda::gpus_of(**driver);
  if (gpus) return std::move(*gpus);
  why = gpus.error().message;
  return {};
}

}  // namespace warpbook
