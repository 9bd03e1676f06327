// Preparing a launch's memory, blocks' own memory, and running a launch twice when blocks met.
#include "simt/access/launch.h"

#include <algorithm>
#include <cstring>

#include "simt/access/marks.h"
#include "simt/access/race.h"
#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {

namespace {

void drop_marks(Allocation& a) {
  a.read_marks = Pages();
  a.write_marks = Pages();
  a.atomic_marks = Pages();
  a.write_lines = Pages();
  a.marked_write = a.marked_atomic = a.read_unmarked = a.saved = false;
  a.race_cells = Pages();
}

}  // namespace

void MemoryLaunchDeleter::operator()(MemoryLaunch* launch) const {
  if (!launch) return;
  // Tags and write maps belong to one launch.
  launch->memory->each_live([](Allocation& a) {
    drop_marks(a);
    a.map_times = Pages();
    a.map_writers = Pages();
  });
  delete launch;
}

void RaceStateDeleter::operator()(RaceState* state) const { delete state; }
void BlockOrderDeleter::operator()(BlockOrder* order) const { delete order; }

void MemoryWorkerDeleter::operator()(MemoryWorker* worker) const { delete worker; }

MemoryLaunchPtr prepare_memory(Instance& instance, const Code& code, const CodeFunction& kernel,
                               const Launch& launch, const RunOptions& options,
                               std::span<const KernelArgument> arguments) {
  MemoryLaunchPtr made(new MemoryLaunch);
  MemoryLaunch& m = *made;
  m.instance = &instance;
  m.memory = &instance.memory().state();
  m.code = &code;
  m.kernel = &kernel;
  m.launch = launch;
  m.level = options.level;
  m.write_maps = options.write_maps && options.level == Level::check;
  if (options.level != Level::run) {
    m.record = options.record;
    m.record_block = options.record_block;
  }
  lay_out_shared(m, *code.module, *kernel.source);

  for (const auto& p : kernel.source->parameters) {
    const uint32_t alignment = std::max<uint32_t>(1, p.alignment);
    const uint32_t offset = (m.parameter_bytes + alignment - 1) / alignment * alignment;
    m.parameters.push_back({p.name, offset, uint32_t(p.bytes)});
    m.parameter_bytes = offset + uint32_t(p.bytes);
  }
  for (const auto& argument : arguments) {
    const bool zero = std::all_of(argument.bytes.begin(), argument.bytes.end(),
                                  [](std::byte b) { return b == std::byte{0}; });
    if (argument.bytes.size() == 8 && zero && m.null_argument.empty()) m.null_argument = argument.name;
  }
  if (m.level == Level::check) {
    // Made here and not by the first store: several workers store at once.
    m.memory->each_live([](Allocation& a) {
      if (!a.all_written.load() && !a.written) a.written = Pages::zeros(a.info.bytes);
    });
  }
  if (m.write_maps) {
    m.memory->each_live([](Allocation& a) {
      if (a.info.read_only) return;
      const uint64_t elements = a.info.bytes / a.info.element_bytes;
      a.map_times = Pages::zeros(elements);
      a.map_writers = Pages::zeros(elements * sizeof(int64_t));
    });
  }
  return made;
}

const std::vector<SharedArray>& shared_arrays(const MemoryLaunch& launch) { return launch.arrays; }
uint32_t shared_bytes(const MemoryLaunch& launch) { return launch.total_bytes; }

std::optional<Address> address_of(const MemoryLaunch& launch, const std::string& symbol, bool as_generic,
                                  const ptx::Function* within) {
  const auto shared = std::find(launch.array_symbols.begin(), launch.array_symbols.end(), symbol);
  if (shared != launch.array_symbols.end()) {
    const Address address = launch.arrays[size_t(shared - launch.array_symbols.begin())].address;
    return as_generic ? address : address - shared_window;
  }
  for (const auto& function : launch.code->functions) {
    if (!within || function->source != within) continue;
    const VariablePlace* place = function->place(symbol);
    if (place && !place->among_parameters) return place->offset + (as_generic ? local_window : 0);
  }
  for (const auto& p : launch.parameters) {
    if (p.name == symbol) return parameter_window + p.offset;
  }
  if (auto variable = launch.instance->variable(symbol)) return variable;
  return launch.instance->function(symbol);
}

MemoryWorkerPtr make_memory_worker(MemoryLaunch& launch) {
  MemoryWorkerPtr worker(new MemoryWorker);
  worker->launch = &launch;
  worker->caches.resize(launch.code->sites.size());
  worker->records.resize(launch.code->sites.size());
  return worker;
}

void start_block(BlockState& state, uint32_t local_bytes_per_thread) {
  MemoryLaunch& launch = *state.worker->memory->launch;
  BlockMemory& block = state.memory;
  // Words are kept whole, and a block's memory starts the same whatever ran before it.
  const uint32_t local = (local_bytes_per_thread + 3) / 4 * 4;
  const size_t warps = (state.threads + 31) / 32;
  const std::byte fill{poison};
  block.shared.assign(launch.total_bytes, fill);
  block.local.assign(warps * 32 * local, fill);
  block.local_bytes_per_thread = local;
  if (launch.level != Level::check) return;
  block.shared_written.assign(launch.total_bytes, 0);
  block.local_written.assign(warps * 32 * local, 0);
  block.warp_base.clear();
  if (launch.looking) {
    const uint32_t shift = state.worker->memory->mark_shift;
    const size_t granules = (launch.total_bytes >> shift) + 1;
    if (block.read_marks.size() != granules || block.mark_shift != shift || block.now >= last_moment / 2) {
      block.read_marks.assign(granules, 0);
      block.write_marks.assign(granules, 0);
      block.now = 0;
    }
    block.mark_shift = shift;
    block.atomic_marks.clear();
  }
  block.block_base = ++block.now;
  start_order(state);
}

void look_for_suspicion(MemoryLaunch& launch, bool concurrent) {
  launch.looking = true;
  launch.again = false;
  launch.concurrent = concurrent;
  launch.memory->each_live([](Allocation& a) {
    if (a.info.read_only) return;
    const uint64_t bytes = ((a.info.bytes >> a.granule_shift) + 1) * sizeof(Mark);
    a.read_marks = a.mark_reads ? Pages::zeros(bytes) : Pages();
    a.write_marks = Pages::zeros(bytes);
    a.atomic_marks = Pages::zeros(bytes);
    a.write_lines = a.granule_shift == 2
                        ? Pages::zeros((a.info.bytes / (4 * line_granules) + 1) * sizeof(Mark))
                        : Pages();
    a.marked_write = a.marked_atomic = a.read_unmarked = a.saved = false;
  });
}

bool suspicious(const MemoryLaunch& launch) {
  return launch.met.load(std::memory_order_relaxed) || launch.again.load(std::memory_order_relaxed);
}
bool wants_marks(const MemoryLaunch& launch) { return launch.again.load() && !launch.met.load(); }

void judge_races(MemoryLaunch& launch) {
  launch.looking = false;
  launch.race.reset(new RaceState(launch.launch.grid.count()));
}

void restore_contents(MemoryLaunch& launch) {
  launch.met = launch.again = false;
  for (auto& s : launch.saved) {
    Allocation& a = *s.allocation;
    if (a.info.bytes) std::memcpy(a.host(), s.bytes.data(), s.bytes.size());
    a.all_written = s.all_written;
    if (!s.written.empty()) {
      std::memcpy(a.written_bytes(), s.written.data(), s.written.size());
    } else {
      a.written = Pages();
    }
  }
  launch.saved.clear();
  launch.memory->each_live([](Allocation& a) {
    drop_marks(a);
    if (a.map_times) std::memset(a.map_times.data(), 0, a.map_times.bytes());
    if (a.map_writers) std::memset(a.map_writers.data(), 0, a.map_writers.bytes());
  });
}

}  // namespace warpbook::simt
