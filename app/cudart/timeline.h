#pragma once
// Modelled time of a program: one clock of the host, one of each stream, and the engines that streams share
// (a copy engine each way, the multiprocessors). Nothing is measured: the emulator's own speed says nothing
// about a GPU's.
#include <cstdint>
#include <memory>
#include <string>

#include "result/counters.h"
#include "result/gpu_spec.h"
#include "result/kernel_trace.h"
#include "result/launch.h"
#include "result/tape.h"

namespace warpbook::cudart {

struct Stream {
  uint64_t number = 0;  ///< on the tape; 0 = the default stream
  unsigned flags = 0;   ///< 1 = does not wait for the default stream, nor that for it
  int priority = 0;
  double ready_ms = 0;  ///< when its last work ends
};

struct Span {
  double begin_ms = 0, end_ms = 0;
};

class Timeline {
 public:
  double host_ms() const { return host_ms_; }
  /// The host is busy with a call for about so long.
  void host_calls();
  /// Work of `ms` on a stream, on the multiprocessors or on the copy engine of its direction.
  Span kernel(Stream& stream, double ms);
  Span copy(Stream& stream, CopyDirection direction, double ms);
  /// The host waits until then.
  void wait_until(double ms);
  /// The default stream's work begins after all blocking streams', and theirs after its.
  double starts_at(const Stream& stream) const;
  void ended(Stream& stream, double ms);
  double all_done_ms() const { return all_done_ms_; }

 private:
  /// When the stream and the engine are both free; both are busy until its end.
  Span occupy(Stream& stream, double& engine, double ms);

  double host_ms_ = 0;
  double multiprocessors_ms_ = 0, to_device_ms_ = 0, to_host_ms_ = 0;
  double default_done_ms_ = 0, blocking_done_ms_ = 0, all_done_ms_ = 0;
};

/// By the link to the host, or the GPU's own memory for copies on the device.
double copy_ms(const GpuSpec& gpu, CopyDirection direction, uint64_t bytes, bool pinned);
/// By the timing model where there is a trace (levels measure and check); else from the number of
/// instructions alone, which knows nothing of memory.
struct KernelCost {
  Launch launch;
  const KernelTrace* trace = nullptr;
  uint64_t warp_instructions = 0;
  int registers = 0;
  uint32_t static_shared_bytes = 0;
  double footprint_bytes = 0;
};
double kernel_ms(const GpuSpec& gpu, const KernelCost& cost);

}  // namespace warpbook::cudart
