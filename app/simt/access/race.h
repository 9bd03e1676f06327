#pragma once
// The full rules of what orders two accesses (emulator notes 10), for a launch that one worker runs in a
// fixed order: who last wrote and who read each granule, and what each lane knows of all others.
//
// Time is counted in events (barriers, syncs, fences). A thread's stamp is its own last event; an access
// carries the stamp of its moment, and is ordered before a thread that knows of a later one.
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "simt/access/clock.h"
#include "simt/access/worker.h"

namespace warpbook::simt {

/// A warp at an instruction, between two events of its lanes: all that a race report needs of an access.
struct AccessRecord {
  uint64_t block = 0;
  uint32_t warp = 0;
  uint32_t site = 0;
  AccessKind kind = AccessKind::read;
  Ordering ordering;
  Tick stamp = 0;                           ///< of all lanes, unless `stamps`
  int32_t stamps = -1;                      ///< index into History::stamps
  uint32_t fenced = 0, fenced_for_all = 0;  ///< lanes that a fence, one of device scope, stood before
  uint32_t pending = 0;                     ///< asynchronous copies: lanes that have not waited for theirs
  bool asynchronous = false;
};

/// One granule. A number is 0 or a record (from bit 5 on) and a lane; with the top bit set it is a group.
struct Cell {
  uint32_t write = 0;   ///< the last plain one
  uint32_t reads = 0;   ///< since then
  uint32_t strong = 0;  ///< since then: atomic and volatile writes
};

/// Records, and groups of several accesses to one granule, of a block's shared memory or of all global
/// memory.
struct History {
  struct Member {
    uint32_t record = 0, lanes = 0;
  };
  std::vector<AccessRecord> records;
  std::vector<std::array<Tick, 32>> stamps;
  std::vector<std::vector<Member>> groups;
  /// By site: the record that was made last, and for whom.
  struct Latest {
    uint64_t block = ~0ull;
    uint32_t warp = 0, version = 0;
    uint32_t record = 0;
  };
  std::unordered_map<uint32_t, Latest> latest;
  bool block_scoped = false;  ///< an atomic of block scope is among the records

  History() { clear(); }
  void clear();
};

/// What a strong write left for those that read it: to whom it is visible.
struct Location {
  Clock device;
  uint64_t block = 0;
  Clock in_block;
  Clock narrow;  ///< released to one block only, by this write or by those that it goes on from
};

/// An asynchronous copy that its thread has not waited for.
struct AsyncCopy {
  uint32_t lanes = 0;
  uint32_t site = 0;
  uint32_t bytes = 0;
  uint32_t record = 0;
  std::array<uint32_t, 32> group{};  ///< commits before it, by lane
  std::array<uint32_t, 32> at{};     ///< in the block's shared bytes
};

/// What only some warps need: fences, flags, partial syncs, asynchronous copies.
struct WarpExtras {
  struct Fence {
    bool any = false;
    Clock known;
    Tick block_base = 0, warp_base = 0, own = 0;
  };
  std::array<Clock, 32> known;                       ///< beyond what the bases say
  std::array<Fence, 32> device_fence, block_fence;   ///< the last of each lane
  std::array<Clock, 32> read_device, read_in_block;  ///< known once a fence follows
  std::array<Clock, 32> narrow;                      ///< would be known, had fences and flags a wider scope
  std::array<uint32_t, 32> commits{};
  std::vector<AsyncCopy> copies;
};

struct WarpOrder {
  std::array<Tick, 32> stamp{};
  Tick base = 0;         ///< the last sync of the whole warp
  uint32_t version = 0;  ///< grows with every event of a lane
  std::unique_ptr<WarpExtras> extras;

  WarpExtras& more() {
    if (!extras) extras = std::make_unique<WarpExtras>();
    return *extras;
  }
};

struct BlockOrder {
  uint64_t number = 0;
  Tick base = 0;  ///< the last barrier of the whole block
  Clock known;    ///< of other blocks, by all of its threads
  Clock narrow;   ///< likewise, had fences and flags a wider scope
  std::vector<WarpOrder> warps;
  std::vector<Cell> cells;  ///< of shared memory
  uint32_t shift = 2;       ///< granules have 2^shift bytes
  History history;
  std::unordered_map<Address, Location> flags;
  std::array<Clock, 16> arrived;  ///< bar.arrive: what those who do not wait have left
};

/// A pair of accesses that nothing orders; becomes a Diagnosis at the end.
struct Race {
  struct Side {
    uint32_t site = 0;
    AccessKind kind = AccessKind::read;
    bool asynchronous = false;
    uint64_t block = 0;
    uint32_t thread = 0;
  };
  Side first, other;  ///< `first` writes
  bool same_value = false;
  const void* object = nullptr;  ///< the buffer or array
  std::string buffer, space;
  int64_t index = 0;
  uint32_t bytes = 0;
  Strength first_strength = Strength::plain, other_strength = Strength::plain;
  /// Block scope stood where device scope is needed: of a fence, of the access to a flag.
  bool short_fence = false, short_flag = false;
  uint64_t count = 0;
};
/// Sites of both, the buffer or array, same_value.
using RaceKey = std::tuple<uint32_t, uint32_t, const void*, bool>;

struct RaceState {
  explicit RaceState(uint64_t blocks) : shape(blocks) {}
  ClockShape shape;
  Tick now = 0;
  History history;                 ///< of global memory
  size_t most_records = 1u << 22;  ///< then those that no cell names are dropped
  std::unordered_map<Address, Location> flags;
  bool narrow_fences = false, narrow_flags = false;  ///< some have handed over within a block only
  std::map<RaceKey, Race> found;
  /// Volatile reads that a fence may still make fine, by block and thread.
  std::map<std::pair<uint64_t, uint32_t>, std::vector<Race>> waiting;
  /// Plain reads beside atomics, which the reader's own compare-and-swap may still confirm: likewise.
  std::map<std::pair<uint64_t, uint32_t>, std::vector<Race>> unconfirmed;
};

/// One access by the full rules.
void judge(Warp& warp, const Access& access, const SiteCache* cache);
/// The lane's release or acquire by a strong access, after it was judged.
void exchange_order(Warp& warp, const Access& access, int lane);
/// Beyond the clocks: volatile accesses stay in order behind an atomic that has read what another thread
/// released, so between two of them its fence is not asked for; and who has acquired what a fence and the
/// atomic behind it released comes after that atomic, too (the last block sets the counter back). `any_scope`
/// asks what would be ordered if all scopes were wide.
enum class Trust : uint8_t { nothing, both_volatile, handed_over, any_scope };
/// What is ordered before lane `lane` of the warp.
bool is_before(const AccessRecord& record, int record_lane, const History& history, Warp& warp, int lane,
               Trust trust = Trust::nothing);
/// Keeps the lowest pair of its kind.
void note_race(RaceState& state, Race race);
/// Gives the place of records that no cell names any more back, once there are very many.
void forget_unnamed(RaceState& state, Memory::State& memory);
/// Copies that no wait has covered stay visible behind a barrier.
void keep_pending_copies(BlockState& block);
void start_order(BlockState& block);
Diagnosis describe(const Race& race, const MemoryLaunch& launch);

}  // namespace warpbook::simt
