#pragma once
// What one worker keeps while it runs blocks: by instruction site the buffer that it reached last, its
// traffic and the pattern of its last access; what went wrong; the recording of one warp.
#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "result/l1_path.h"
#include "simt/access/launch.h"
#include "simt/exec/trace.h"

namespace warpbook::simt {

enum class AccessKind : uint8_t { read, write, atomic };

/// One warp-wide access. Addresses are generic ones, whatever the instruction's own space.
struct Access {
  uint32_t site = 0;
  const Inst* inst = nullptr;
  AccessKind kind = AccessKind::read;
  ptx::Space space = ptx::Space::generic;  ///< as the instruction says
  uint32_t bytes = 4;                      ///< a lane
  uint32_t component_bytes = 4;            ///< of one component of a vector access
  uint32_t mask = 0;                       ///< lanes that take part; never 0
  const Address* address = nullptr;        ///< 32, those of other lanes are rubbish
  Ordering ordering;
  bool asynchronous = false;  ///< cp.async: done some time before its wait
  // Plain stores: where the values are, by component.
  uint32_t components = 0;
  const uint32_t* slots = nullptr;  ///< frame offsets
  const bool* wide = nullptr;       ///< 64-bit slots
};

/// How the lanes' addresses lie; what a handler found out before it asks for more.
enum class Pattern : uint8_t { contiguous, same, scattered };

/// Two rows of 16 lanes, each side by side or all at one place.
struct HalfRows {
  Address first[2];
  bool same[2];
};

struct SiteRecord;

/// The buffer or shared array that a site reached last. bytes = 0: none yet.
struct SiteCache {
  Address base = 0;
  uint64_t bytes = 0;
  std::byte* host = nullptr;         ///< of base, in a global buffer
  Allocation* allocation = nullptr;  ///< global buffers
  uint32_t shared_offset = 0;        ///< shared arrays: of base, in the block's bytes
  bool read_only = false;
  bool shared = false;
  SiteRecord* record = nullptr;  ///< levels measure and check
};

/// What one request costs: sectors and the fewest that would do, lines of 128 bytes and the time on L1's data
/// path in global memory, passes over the banks and the fewest in shared memory.
struct RequestCost {
  uint32_t cost = 0, ideal = 0;
  uint32_t lines = 0;
  uint32_t l1_thousandths = 0;  ///< of a cycle
};

/// The last pattern of a site: equal deltas give equal counts for each place in a line where the first lane
/// may lie (emulator notes 3.3); in shared memory the banks turn with the address.
struct PatternMemo {
  uint32_t mask = 0;
  uint32_t known = 0;  ///< bit i: `global[i]`, for a first address of 4 * i modulo 128
  bool shared_known = false;
  RequestCost shared;
  std::array<RequestCost, 32> global;
  alignas(32) std::array<uint32_t, 32> delta{};  ///< from the first active lane; inactive lanes 0
};

/// Requests of the common forms, counted where they are made; collect() adds them to the rest.
struct QuickTraffic {
  uint64_t requests = 0, lanes = 0, cost = 0, ideal = 0, lines = 0, l1_thousandths = 0;

  void add(uint32_t lane_count, const RequestCost& request) {
    ++requests;
    lanes += lane_count;
    cost += request.cost;
    ideal += request.ideal;
    lines += request.lines;
    l1_thousandths += request.l1_thousandths;
  }
};

struct SiteRecord {
  SiteTraffic traffic;
  PatternMemo memo;
  QuickTraffic global, shared;
  uint32_t bytes = 0;  ///< a lane's, of the quick ones
};

enum class FaultKind : uint8_t {
  out_of_bounds,
  nowhere,
  null_pointer,
  use_after_free,
  misaligned,
  uninitialised,
  read_only,
  wrong_space  ///< an instruction of one space, an address of another
};

/// Something that went wrong at a site, with its first thread; becomes a Diagnosis at the end.
struct Fault {
  FaultKind kind = FaultKind::out_of_bounds;
  AccessKind access = AccessKind::read;
  uint32_t site = 0;
  std::string buffer;
  std::string space;  ///< global shared local const, or empty
  int64_t index = 0;
  bool has_index = false;
  uint64_t elements = 0;  ///< of the buffer
  uint32_t element_bytes = 4;
  uint32_t bytes = 0;  ///< a lane
  Address address = 0;
  uint64_t block = 0;   ///< linear
  uint32_t thread = 0;  ///< linear in the block
  uint64_t count = 0;
  bool heap = false;
  int freed_line = 0;
  std::shared_ptr<const Moment> moment;
};

struct MemoryWorker {
  MemoryLaunch* launch = nullptr;
  std::vector<SiteCache> caches;                     ///< by site
  std::vector<std::unique_ptr<SiteRecord>> records;  ///< by site; measure and check
  std::map<std::tuple<uint32_t, FaultKind, std::string>, Fault> faults;
  std::map<std::string, std::vector<WriteMap::Miss>> misses;
  struct Recorded {
    RecordedAccess access;
    uint32_t site;
  };
  std::vector<Recorded> recorded;
  bool recording_complete = true;
  std::vector<StepAccess> step_accesses;  ///< of a block whose every step is recorded
  uint32_t mark_shift = 2;  ///< the granules of shared memory that blocks of this worker start with
  bool watched = false;     ///< the running slice's accesses are traced or recorded one by one
  TraceKeeper trace;

  SiteRecord& record(uint32_t site) {
    auto& r = records[site];
    if (!r) r = std::make_unique<SiteRecord>();
    return *r;
  }
};

/// Where the lanes' bytes are on the host. Words of a lane in local memory lie `local_stride` apart.
struct Places {
  std::array<std::byte*, 32> host{};
  uint32_t local_lanes = 0;
};
/// Local memory is kept so that the same word of a warp's lanes is contiguous.
inline constexpr uint32_t local_stride = 128;

/// The slow way of every access: finds each lane's bytes, testing window, bounds, alignment, and remembers
/// the buffer of the first lane in the site's cache. False when a lane is at fault: the faults are noted,
/// nothing was accessed.
bool locate(Warp& warp, const Access& access, Places& places);

/// Level measure and check: counts traffic. Level check: what was never written, who met whom, write maps,
/// recording. `cache` is the buffer that holds all lanes, or null when they lie in several (or in local
/// memory).
void account(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern, Level level);

/// The cheap look for races; sets MemoryLaunch::met or `again`. Saves what is written to for the first time.
void suspect(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern);
/// A whole warp stores words side by side from `first` on, in a buffer that is saved: true when that was the
/// whole of one line and is done with. Level check, MemoryLaunch::looking.
bool write_line(Warp& warp, Allocation& a, Address first);
/// Level check's part of account(): what was never written, who met whom, write maps.
void follow(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern);
/// One warp's accesses are kept, this many at most.
inline constexpr size_t most_recorded_accesses = 4096;
void record_access(Warp& warp, const Access& access);
/// For the step that runs now of a block whose every step is recorded.
void record_step_access(Warp& warp, const Access& access);

/// The buffer or array whose window an address lies in, and the address as an index of its elements.
struct ObjectAt {
  std::string name;   ///< empty when no window holds it
  std::string space;  ///< global shared local const, or empty
  int64_t index = 0;
  uint64_t elements = 0;
  uint32_t element_bytes = 4;
  bool freed = false, read_only = false;
  bool heap = false;
  int freed_line = 0;  ///< heap
};
ObjectAt object_at(const Warp& warp, const Access& access, Address address);

/// Finds out what a lane's address is about and notes the fault.
void note_address_fault(Warp& warp, const Access& access, int lane);
/// Write maps show the misses of the lowest threads only.
inline constexpr size_t most_misses = 4096;
void keep_lowest(std::vector<WriteMap::Miss>& misses);
void note_fault(MemoryWorker& worker, Warp& warp, int lane, Fault fault);
/// As a person is told.
Diagnosis describe(const Fault& fault, const MemoryLaunch& launch);

/// Of `bytes` from `first` on, all of them asked for; `requested` over all lanes.
inline RequestCost cost_of_run(Address first, uint32_t bytes, uint32_t requested, uint32_t l1_byte_cost) {
  RequestCost cost;
  cost.cost = uint32_t((first % 32 + bytes + 31) / 32);
  cost.ideal = (bytes + 31) / 32;
  cost.lines = uint32_t((first % 128 + bytes + 127) / 128);
  const uint32_t words = uint32_t((first % 8 + bytes + 7) / 8);
  cost.l1_thousandths = l1_thousandths(requested, (words + 15) / 16, cost.lines, l1_byte_cost);
  return cost;
}

/// Sectors and passes of one access, computed (the memo is the caller's).
void count_sectors(const Access& access, uint32_t& sectors, uint32_t& ideal);
void count_passes(const Access& access, uint32_t& passes, uint32_t& ideal);

/// Linear thread number in the block.
inline uint32_t thread_number(uint32_t warp_index, int lane) { return warp_index * 32 + uint32_t(lane); }

}  // namespace warpbook::simt
