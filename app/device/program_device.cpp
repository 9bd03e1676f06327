// See program_device.h.
#include "device/program_device.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "base/complaint.h"
#include "base/text.h"
#include "device/launch_memo.h"
#include "device/memory_capture.h"
#include "simt/access/allocation.h"
#include "simt/access/instance.h"
#include "simt/decode/call_graph.h"
#include "simt/trace.h"

namespace warpbook {
namespace {

/// Registers that ptxas uses, from what is alive at once in the PTX: wide values take two, and some are
/// always needed. ptxas rounds up to a multiple of 8 and has at least 16 (CUDA C++ Programming Guide,
/// "Register file"; 255 is the instruction set's limit).
int estimated_registers(const simt::CodeFunction& function) {
  const uint32_t live = function.narrow_slots + 2 * function.wide_slots + 4;
  return int(std::clamp<uint32_t>((live + 7) / 8 * 8, 16, 255));
}

/// What makes a kernel's result depend on more than its arguments and memory, or do more than change memory.
struct Reach {
  bool repeatable = true, meets_whole_grid = false;
  void look_at(const ptx::Operand& operand) {
    if (operand.kind == ptx::Operand::Kind::special) {
      const std::string_view name = operand.name;
      if (name.starts_with("%clock") || name.starts_with("%globaltimer")) repeatable = false;
      if (name.starts_with("%envreg")) meets_whole_grid = true;
    }
    for (const ptx::Operand& part : operand.parts) look_at(part);
  }
};

Reach reach_of(const ptx::Module& module, const std::vector<uint32_t>& functions) {
  static const std::unordered_set<std::string_view> with_effects = {"vprintf", "malloc", "free"};
  Reach reach;
  for (const uint32_t f : functions) {
    for (const ptx::Instruction& instruction : module.functions[f].body) {
      for (const ptx::Operand& operand : instruction.operands) {
        reach.look_at(operand);
        simt::visit_symbols(operand, [&](std::string_view name) {
          if (with_effects.contains(name)) reach.repeatable = false;
        });
      }
    }
  }
  // The words in which a grid meets change with every launch.
  if (reach.meets_whole_grid) reach.repeatable = false;
  return reach;
}

std::vector<MemoryChange> changes_since(const simt::Memory& memory,
                                        const std::vector<CapturedMemory>& before) {
  std::vector<MemoryChange> changes;
  for (const CapturedMemory& b : before) {
    const simt::Allocation* a = memory.state().window_of(b.address);
    if (!a || !a->live || a->info.read_only || !a->stored || a->info.bytes != b.bytes.size()) continue;
    const auto* const now = reinterpret_cast<const char*>(a->host());
    uint64_t first = 0, end = b.bytes.size();
    while (first < end && now[first] == b.bytes[first]) ++first;
    while (end > first && now[end - 1] == b.bytes[end - 1]) --end;
    if (end > first) changes.push_back({b.address, first, end - first});
  }
  return changes;
}

}  // namespace

ProgramDevice::ProgramDevice(const GpuRow& gpu, uint64_t memory_bytes)
    : gpu_(gpu), memory_(memory_bytes), memo_(std::make_unique<LaunchMemo>(memory_)) {}

ProgramDevice::~ProgramDevice() = default;

Result<uint32_t> ProgramDevice::load(const std::string& ptx, std::span<const std::string> visible) {
  auto loaded = simt::load_module(ptx);
  if (!loaded) return loaded.error();
  auto instance = simt::instantiate(*loaded, memory_, visible);
  if (!instance) return instance.error();
  Module module;
  module.instance = *instance;
  const ptx::Module& parsed = (*loaded)->parsed();
  for (const ptx::Variable& v : parsed.variables) {
    const auto address = module.instance->variable(v.name);
    if (!address) continue;
    module.variables.push_back(
        {v.name, v.display.empty() ? v.name : v.display, *address, v.bytes, v.space == ptx::Space::constant});
  }
  const simt::CallGraph calls(parsed);
  for (KernelInfo& info : simt::kernels_of(**loaded)) {
    ProgramKernel kernel;
    const auto function =
        std::find_if(parsed.functions.begin(), parsed.functions.end(),
                     [&](const ptx::Function& f) { return f.name == info.name && !f.declared_only; });
    const Reach reach = reach_of(parsed, calls.reachable(uint32_t(function - parsed.functions.begin())));
    kernel.max_threads = function->max_threads;
    kernel.repeatable = reach.repeatable;
    kernel.meets_whole_grid = reach.meets_whole_grid;
    kernel.info = std::move(info);
    module.kernels.push_back(std::move(kernel));
  }
  modules_.push_back(std::move(module));
  return uint32_t(modules_.size() - 1);
}

const std::vector<ProgramVariable>& ProgramDevice::variables(uint32_t module) const {
  return modules_[module].variables;
}

const ProgramKernel* ProgramDevice::kernel(uint32_t module, const std::string& name) const {
  for (const ProgramKernel& kernel : modules_[module].kernels) {
    if (kernel.info.name == name) return &kernel;
  }
  return nullptr;
}

ProgramResources ProgramDevice::resources(uint32_t module, const std::string& kernel) const {
  const auto code = modules_[module].instance->module().code(Level::run);
  const simt::CodeFunction* function = code->function(kernel);
  if (!function) return {};
  return {estimated_registers(*function), function->depot_bytes};
}

std::vector<std::string> ProgramDevice::kernels(uint32_t module) const {
  std::vector<std::string> names;
  for (const ProgramKernel& kernel : modules_[module].kernels) names.push_back(kernel.info.name);
  return names;
}

Result<DeviceAddress> ProgramDevice::allocate(uint64_t bytes, const std::string& name) {
  return memory_.allocate(bytes, name, 4);
}

Result<DeviceAddress> ProgramDevice::allocate_visible(uint64_t bytes, const std::string& name) {
  return memory_.allocate_visible(bytes, name, 4);
}

Result<DeviceAddress> ProgramDevice::adopt(std::byte* host, uint64_t bytes, const std::string& name) {
  return memory_.adopt(host, bytes, name, 4);
}

Result<Done> ProgramDevice::free(DeviceAddress address) {
  memo_->forget(address);
  return memory_.free(address);
}

Result<Done> ProgramDevice::write(DeviceAddress to, std::span<const std::byte> bytes) {
  if (const simt::AllocationInfo* a = memory_.find(to)) memo_->changed(a->address);
  return memory_.write(to, bytes);
}

Result<Done> ProgramDevice::read(DeviceAddress from, std::span<std::byte> bytes) const {
  return memory_.read(from, bytes);
}

Result<Done> ProgramDevice::copy(DeviceAddress to, DeviceAddress from, uint64_t bytes) {
  if (const simt::AllocationInfo* a = memory_.find(to)) memo_->changed(a->address);
  return memory_.copy(to, from, bytes);
}

Result<Done> ProgramDevice::fill(DeviceAddress to, std::byte value, uint64_t bytes) {
  if (const simt::AllocationInfo* a = memory_.find(to)) memo_->changed(a->address);
  return memory_.fill(to, value, bytes);
}

simt::Memory::Unwritten ProgramDevice::never_written(DeviceAddress from, uint64_t bytes) const {
  return memory_.never_written(from, bytes);
}

uint64_t ProgramDevice::bytes_in_use() const { return memory_.bytes_in_use(); }

void ProgramDevice::describe(DeviceAddress allocation, uint32_t element_bytes) {
  simt::Allocation* a = memory_.state().window_of(allocation);
  if (!a || !a->live || element_bytes == 0) return;
  a->info.element_bytes = element_bytes;
  a->granule_shift = element_bytes % 4 == 0 ? 2 : element_bytes % 2 == 0 ? 1 : 0;
}

void ProgramDevice::name_variables(uint32_t module, std::vector<CapturedMemory>& memory) const {
  for (CapturedMemory& one : memory)
    for (const ProgramVariable& variable : modules_[module].variables)
      if (variable.address == one.address) one.variable = variable.name;
}

Result<uint32_t> ProgramDevice::restore(const CapturedLaunch& captured, const std::string& ptx,
                                        std::vector<KernelArgument>& arguments) {
  assert(modules_.empty());
  // Allocations first: the module's variables take windows that are left.
  for (const CapturedMemory& one : captured.memory) {
    if (!one.variable.empty()) continue;
    if (auto placed = place_captured(one, memory_); !placed) return placed.error();
  }
  auto number = load(ptx, {});
  if (!number) return number;
  for (const CapturedMemory& one : captured.memory) {
    const auto& variables = modules_[*number].variables;
    const auto now = std::find_if(variables.begin(), variables.end(), [&](const ProgramVariable& v) {
      return !one.variable.empty() && v.name == one.variable && v.bytes == one.bytes.size();
    });
    if (now == variables.end()) continue;
    // Strings are the compiler's, and another build numbers them anew.
    if (!starts_with(one.variable, "$")) fill_captured(one, *memory_.state().window_of(now->address));
    for (KernelArgument& argument : arguments) {
      for (size_t at = 0; at + 8 <= argument.bytes.size(); at += 8) {
        uint64_t value = 0;
        std::memcpy(&value, argument.bytes.data() + at, sizeof value);
        if (value - one.address >= std::max<uint64_t>(1, one.bytes.size())) continue;
        value = value - one.address + now->address;
        std::memcpy(argument.bytes.data() + at, &value, sizeof value);
      }
    }
  }
  return number;
}

ProgramLaunch ProgramDevice::launch(uint32_t module, const std::string& kernel, const Launch& launch,
                                    std::span<const KernelArgument> arguments, const RunOptions& options,
                                    uint64_t ticket, bool memo, uint64_t most_captured) {
  ProgramLaunch result;
  simt::Instance& instance = *modules_[module].instance;
  const ProgramKernel* known = this->kernel(module, kernel);
  const bool keep = memo && known && known->repeatable;
  std::string key;
  if (keep) {
    key = LaunchMemo::key_of(module, kernel, launch, arguments, options.level);
    if (const RememberedLaunch* earlier = memo_->repeat(key)) {
      result.report = earlier->report;
      result.trace = earlier->trace;
      result.repeats = earlier->ticket;
      return result;
    }
  }
  const uint64_t bytes = live_bytes(memory_);
  const bool capture = most_captured > 0 && bytes <= most_captured;
  std::vector<CapturedMemory> before;
  if (capture || bytes <= most_compared) before = keep_memory(memory_, capture);
  if (capture) name_variables(module, before);
  memo_->begin();
  result.report = simt::run(instance, kernel, launch, arguments, gpu_, options);
  result.trace = simt::last_trace(instance);
  result.changes = changes_since(memory_, before);
  if (capture) result.found = std::move(before);
  // What is wrong with a kernel is the same each time as well: a program whose kernels race goes on, in a
  // loop.
  const bool ended = result.report.status == RunStatus::ok || result.report.status == RunStatus::fault;
  memo_->end(keep && ended ? &key : nullptr, {ticket, result.report, result.trace});
  return result;
}

}  // namespace warpbook
