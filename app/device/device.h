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
  std::string cubin;  ///< machine code of one architecture, for drivers older than the PTX; may be empty
  std::string source_file;  ///< as diagnoses name it
  double compile_ms = 0;
  bool cached = false;
  /// Source name ("scale<float>") to name in the PTX.
  std::vector<std::pair<std::string, std::string>> names;
};

/// One number that the driver tells of a GPU.
struct GpuAttribute {
  std::string name;  ///< "multiprocessors"
  int64_t value = 0;
};

struct Capabilities {
  std::string engine;  ///< "emulator" or the GPU's name
  bool emulated = true;
  std::string compute;       ///< "8.0"
  std::string driver;        ///< driver version, empty on the emulator
  std::string cuda_version;  ///< that the driver serves, "13.0"
  uint64_t memory_bytes = 0;
  std::array<uint8_t, 16> uuid{};
  std::vector<GpuAttribute> attributes;
  bool interop = false;    ///< kernels can write into an OpenGL texture
  bool counters = false;   ///< the engine counts what kernels do
  bool debugging = false;  ///< kernels can be stepped
  /// Why one of them is missing, in words; empty where it is there.
  std::string why_no_interop, why_no_counters, why_no_debugging;
};

struct LaunchOutcome {
  RunReport report;  ///< an engine that cannot count leaves counters at zero
  Times times;
};

struct MeasureRequest {
  int warm_ups = 3, repeats = 20;
  double max_seconds = 1;  ///< fewer repeats rather than more time
  bool cold_l2 = false;
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
  /// Shows width*height RGBA8 pixels that lie at `from`, in the order that image_target.h tells. The emulator
  /// copies through the host. Where the way without a copy is refused, the host copy serves and the outcome
  /// says why; only ImageWay::without_copy makes the refusal an error.
  virtual Result<ImageOutcome> write_image(const ImageTarget& target, DeviceAddress from,
                                           ImageWay way = ImageWay::automatic) = 0;
  /// Before the target's texture is deleted or made anew.
  virtual void forget_image(const ImageTarget&) {}

  /// Launches again and again on what the buffers held at the first of them. Errors: the engine has no time
  /// of its own, or the launch fails.
  virtual Result<Measured> measure(const std::string& kernel, const Launch& launch,
                                   std::span<const KernelArgument> arguments, const MeasureRequest& request,
                                   const std::atomic<bool>* stop = nullptr);

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
  bool shares_pictures = false;  ///< the driver has functions for sharing pictures with OpenGL
  std::string name, compute, driver, cuda_version;
  int number = 0;  ///< as the driver counts
  uint64_t memory_bytes = 0;
  int sms = 0;
  std::array<uint8_t, 16> uuid{};
  std::vector<GpuAttribute> attributes;
};
std::vector<FoundGpu> find_gpus(std::string& why);
/// What the engine on that GPU can do, and why not more.
Capabilities capabilities_of(const FoundGpu& gpu);
/// "GPU-01234567-89ab-...", as nvidia-smi writes it.
std::string uuid_text(const std::array<uint8_t, 16>& uuid);

}  // namespace warpbook
