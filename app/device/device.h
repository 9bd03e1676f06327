#pragma once
// The two doors to an engine. Device: what every engine does. Inspector: what only the emulator can tell.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "result/gpu_row.h"
#include "result/image_target.h"
#include "result/launch.h"
#include "result/times.h"
#include "simt/emulator.h"

namespace warpbook {

using simt::KernelArgument;
using simt::KernelInfo;
using simt::Level;
using simt::Order;
using simt::RunOptions;
using simt::RunReport;
using simt::RunStatus;

/// An address on the device; 0 = null.
using DeviceAddress = uint64_t;

/// Code from the compiler, ready for any engine.
struct CompiledCode {
  std::string ptx;
  std::string source_file;  ///< as diagnoses name it
  double compile_ms = 0;
  bool cached = false;
  /// Source name ("scale<float>") to name in the PTX.
  std::vector<std::pair<std::string, std::string>> names;
};

struct Capabilities {
  std::string engine;  ///< "emulator" or the GPU's name
  bool emulated = true;
  std::string compute;   ///< "8.0"
  std::string driver;    ///< driver version, empty on the emulator
  bool interop = false;  ///< kernels can write into an OpenGL texture
  bool counters = false;
  std::string why_not;  ///< why interop or counters are missing, in words
};

struct LaunchOutcome {
  RunReport report;  ///< an engine that cannot count leaves counters at zero
  Times times;
};

class Inspector;

class Device {
 public:
  virtual ~Device() = default;
  virtual const Capabilities& capabilities() const = 0;
  /// Makes `code` the current module; the variables of the one before are gone.
  virtual Result<Done> load(const CompiledCode& code) = 0;
  virtual std::vector<KernelInfo> kernels() const = 0;

  virtual Result<DeviceAddress> allocate(uint64_t bytes, const std::string& name, uint32_t element_bytes) = 0;
  virtual Result<Done> free(DeviceAddress address) = 0;
  virtual Result<Done> copy_in(DeviceAddress to, std::span<const std::byte> bytes) = 0;
  virtual Result<Done> copy_out(DeviceAddress from, std::span<std::byte> bytes) = 0;
  /// Frees everything and forgets the module.
  virtual void reset() = 0;

  /// One launch to its end, plainly. Errors are trouble with the engine; what the kernel did wrong is in the
  /// report.
  virtual Result<LaunchOutcome> launch(const std::string& kernel, const Launch& launch,
                                       std::span<const KernelArgument> arguments,
                                       const std::atomic<bool>* stop = nullptr) = 0;
  /// Shows width*height RGBA8 pixels that lie at `from`. The emulator copies through the host.
  virtual Result<Done> write_image(const ImageTarget& target, DeviceAddress from) = 0;

  /// Time of the last load and of the copies since then, summed; a part that did not happen is absent.
  virtual Times times() const { return {}; }

  /// Null on engines that cannot look inside.
  virtual Inspector* inspector() { return nullptr; }
};

class Inspector {
 public:
  virtual ~Inspector() = default;
  /// Whose limits hold: grid, block, shared memory.
  virtual void set_gpu(const GpuRow& gpu) = 0;
  virtual Result<LaunchOutcome> inspect(const std::string& kernel, const Launch& launch,
                                        std::span<const KernelArgument> arguments,
                                        const RunOptions& options) = 0;
  /// "avx2" or "plain".
  virtual std::string instruction_set() const = 0;
};

std::unique_ptr<Device> make_emulated_device(const GpuRow& gpu);

/// What the NVIDIA driver says is in this machine; empty with the reason in `why` when there is none.
struct FoundGpu {
  std::string name, compute, driver;
  uint64_t memory_bytes = 0;
  int sms = 0;
  std::array<uint8_t, 16> uuid{};
};
std::vector<FoundGpu> find_gpus(std::string& why);

}  // namespace warpbook
