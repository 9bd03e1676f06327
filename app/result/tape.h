#pragma once
// The tape: what a whole program asked of the CUDA runtime, row by row, with the facts that findings are made
// from. Our runtime library writes it into a pipe while the program runs; whoever started the program reads
// it. Each row is written whole, so that a program that dies keeps all rows before its end.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/diagnosis.h"
#include "result/launch.h"

namespace warpbook {

/// A place in the program's code: an ELF object and the address in it, as debug information counts. Of a
/// caller it lies inside the call instruction, so that a line can be looked up as it is.
struct TapeFrame {
  uint32_t object = 0;  ///< index into Tape::objects
  uint64_t address = 0;
  bool operator==(const TapeFrame&) const = default;
};

/// "count" and "4000".
struct TapeArgument {
  std::string name, value;
  bool operator==(const TapeArgument&) const = default;
};

enum class CopyDirection : uint8_t { none, host_to_host, host_to_device, device_to_host, device_to_device };
/// "host to device"; empty for none.
std::string_view name_of(CopyDirection direction);

/// What memory a pointer leads to.
enum class MemoryKind : uint8_t {
  none,        ///< null
  host,        ///< the program's own, unknown to CUDA
  pinned,      ///< cudaMallocHost, cudaHostAlloc, cudaHostRegister
  managed,     ///< cudaMallocManaged, __managed__
  device,      ///< a live allocation or a __device__ variable
  freed,       ///< a device allocation that was freed
  no_buffer,   ///< in the range of device addresses, but far from every allocation
  not_mapped,  ///< neither device memory nor anything that the host could read
};
std::string_view name_of(MemoryKind kind);

/// A pointer that a call was given (or returned), and where it leads.
struct TapePlace {
  std::string argument;  ///< its name, as in TapeRow::arguments
  MemoryKind kind = MemoryKind::none;
  uint64_t address = 0;
  uint64_t allocation = 0;  ///< sequence of the row that made it; 0 = none (host memory, variables)
  std::string variable;     ///< of a __device__, __constant__ or __managed__ variable
  int64_t offset = 0;       ///< bytes from the start of the allocation; negative before it
  uint64_t size = 0;        ///< of the allocation
  bool operator==(const TapePlace&) const = default;
};

/// What a launch did to one allocation.
struct TapeEffect {
  uint64_t allocation = 0;        ///< as in TapePlace
  std::string variable;           ///< likewise
  uint64_t first = 0, bytes = 0;  ///< the range in which it changed something
  std::string sample;             ///< the range's first bytes afterwards, at most 64
  bool operator==(const TapeEffect&) const = default;
};

struct TapeLaunch {
  std::string kernel;  ///< as the learner wrote it, without the parameters' types: "add<float>"
  std::string symbol;  ///< its name in the PTX
  uint32_t module = 0;
  Launch launch;
  bool cooperative = false;
  /// ok fault launch-error limit unsupported cancelled; "null" when the test switch for empty kernels is on.
  std::string status = "ok";
  uint64_t warp_instructions = 0;
  std::optional<double> active_lane_share;  ///< these four: levels measure and check
  uint64_t global_load_sectors = 0, global_store_sectors = 0, divergent_branches = 0;
  std::vector<Diagnosis> diagnostics;
  std::vector<TapeEffect> effects;  ///< not kept for a launch that repeats another, nor for very large memory
  /// An equal launch on unchanged memory was not executed again: the sequence of the one that was. 0 =
  /// executed.
  uint64_t repeats = 0;
  uint64_t repetition = 1;  ///< this launch is the n-th of its kind: "repeated x300"
  int32_t error = 0;        ///< what a GPU would come to report for it, at once or later; 0 = none
};

struct TapeModule {
  uint32_t index = 0;
  uint64_t ptx_bytes = 0;
  int architecture = 0;                       ///< 80
  std::vector<std::string> kernels, symbols;  ///< in the same order: as written, and in the PTX
  std::vector<std::string> variables;         ///< the learner's
  std::string problem;  ///< why nothing of it can run, and what to do; empty when all is well
};

/// The host touched memory that only the device can reach, and dies of it.
struct TapeFault {
  std::string kind;  ///< device-pointer-on-host, or segmentation-fault
  bool writes = false;
  int signal = 0;
};

/// What was left when the program ended.
struct TapeEnd {
  struct Allocation {
    uint64_t allocation = 0;  ///< sequence of the row that made it
    MemoryKind kind = MemoryKind::device;
    uint64_t address = 0, bytes = 0;
  };
  std::vector<Allocation> allocations;
  std::vector<std::string> never_launched;  ///< kernels as written: defined, but no launch reached them
  struct Unread {
    uint32_t thread = 0;
    int32_t code = 0;
    std::string name;
    uint64_t row = 0;  ///< that it comes from
  };
  std::vector<Unread> unread;  ///< errors that no later call was asked for or returned
};

enum class TapeKind : uint8_t { call, launch, module, fault, end };

struct TapeRow {
  uint64_t sequence = 0;  ///< from 1, in the order in which calls began
  TapeKind kind = TapeKind::call;
  bool in_progress = false;       ///< the call has begun and had not returned when the tape ended
  bool modelled = true;           ///< false: the library does not know this call and returned 801
  bool injected = false;          ///< made to fail on purpose (WARPBOOK_FAIL)
  bool waits = false;             ///< the host waits here for work on the device
  std::string call;               ///< "cudaMemcpy"
  uint32_t thread = 0;            ///< 0 = the first that called, then 1, 2, ...
  std::vector<TapeFrame> frames;  ///< callers outside the library, innermost first
  std::vector<TapeArgument> arguments;
  int64_t stream = -1;  ///< 0 = the default stream, then in the order of creation; -1 = none takes part
  uint64_t bytes = 0;
  CopyDirection direction = CopyDirection::none;
  int32_t code = 0;  ///< cudaError_t; of a launch, what the launch itself returned
  std::string code_name = "cudaSuccess";
  uint64_t reports = 0;  ///< `code` is the error of earlier work: the sequence of that row
  std::vector<TapePlace> places;
  std::string note;  ///< why it failed, in one plain sentence; may be empty
  /// Of a copy's source: bytes on the device that nothing had written, and the offset of the first of them.
  uint64_t never_written = 0, first_never_written = 0;
  std::string sample;  ///< the first bytes moved or set, at most 64
  /// Modelled time since the program's first call: when the host called, and when the device began and ended
  /// its part (equal when it has none).
  double host_ms = 0, begin_ms = 0, end_ms = 0;
  std::optional<TapeLaunch> launch;
  std::optional<TapeModule> module;
  std::optional<TapeFault> fault;
  std::optional<TapeEnd> end;
};

struct Tape {
  std::vector<std::string> objects;  ///< paths of the program and its libraries
  std::vector<TapeRow> rows;         ///< by sequence
  bool truncated = false;            ///< it stops in the middle of a row
  bool ended = false;                ///< the program came to its end: the last row says what was left
  /// The row with this sequence; null when there is none.
  const TapeRow* row(uint64_t sequence) const;
};

/// The start of every tape.
std::string tape_head();
/// Length-prefixed, ready to be written in one piece. Objects are numbered in the order of their records.
std::string tape_record_of_object(std::string_view path);
std::string tape_record(const TapeRow& row);

/// Reads a tape while it is being written. A row that was in progress is replaced when it is complete.
class TapeReader {
 public:
  /// Error: not a tape, or of another version. What comes after a broken record is not looked at.
  Result<Done> take(std::string_view more);
  /// What came so far; `truncated` is about the bytes taken until now.
  const Tape& tape() const { return tape_; }

 private:
  Result<Done> take_record(std::string_view record);
  Tape tape_;
  std::string rest_;
  bool headed_ = false;
  bool broken_ = false;
};

/// The whole tape.
Result<Tape> read_tape(std::string_view bytes);

}  // namespace warpbook
