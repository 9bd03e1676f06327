// Which blocks are sampled is fixed by the launch alone, so that the trace does not depend on the workers:
// all when there are few, else groups of neighbours spread evenly over the grid (neighbours share cache
// lines, and different parts of a grid may have different work).
#include "simt/exec/trace.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "simt/access/instance.h"
#include "simt/access/worker.h"
#include "simt/decode/register_use.h"
#include "simt/exec/diagnose.h"
#include "simt/families.h"
#include "simt/trace.h"

namespace warpbook::simt {
namespace {

constexpr uint64_t neighbours = 4;
/// About so many blocks are sampled.
constexpr uint64_t sampled_blocks = 16;
/// Words that all of them may keep together: 16 MiB.
constexpr uint64_t most_words = 4u << 20;
static_assert(traced_shared_begin == shared_window && traced_local_begin == local_window);

TracedSpace space_of(const ptx::Instruction& instruction) {
  for (const std::string& m : instruction.modifiers) {
    if (m.rfind("shared", 0) == 0) return TracedSpace::shared;
    if (m == "global") return TracedSpace::global;
    if (m == "local") return TracedSpace::local;
    if (m == "const" || m.rfind("param", 0) == 0) return TracedSpace::constant;
  }
  return TracedSpace::global;  // generic: the replay goes by the addresses
}

uint32_t components_of(const ptx::Instruction& instruction) {
  return instruction.has("v4") ? 4 : instruction.has("v2") ? 2 : 1;
}

/// Multiply-adds of one mma of a warp: "m16n8k16" gives 16 * 8 * 16.
uint32_t tensor_flop(const ptx::Instruction& instruction) {
  for (const std::string& m : instruction.modifiers) {
    unsigned rows = 0, columns = 0, depth = 0;
    if (std::sscanf(m.c_str(), "m%un%uk%u", &rows, &columns, &depth) == 3) return 2 * rows * columns * depth;
  }
  return 0;
}

/// What ptxas makes of operations that are no single instruction: about as many instructions as sm_80 code
/// has for them, the common path only.
uint8_t expansion_of(const ptx::Instruction& i) {
  using ptx::Type;
  const Type type = i.type();
  const bool wide = ptx::bits_of(type) == 64;
  if (i.opcode == "div" || i.opcode == "rem") {
    if (type == Type::f32) return i.has("full") || i.has("approx") ? 3 : 9;
    if (type == Type::f64) return 15;
    return wide ? 70 : 20;
  }
  if (i.opcode == "sqrt" || i.opcode == "rcp") {
    if (type == Type::f64) return 15;
    return i.has("approx") ? 2 : 8;
  }
  if (i.opcode == "sin" || i.opcode == "cos") return 2;
  if (wide && (i.opcode == "mul" || i.opcode == "mad") && i.has("lo")) return 3;
  return 1;
}

void classify_arithmetic(const ptx::Instruction& i, TracedInstruction& out) {
  using ptx::Type;
  const std::string& op = i.opcode;
  const Type type = i.type();
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), op) != names.end();
  };
  const uint32_t work = is({"fma", "mad"}) ? 2 : is({"add", "sub", "mul", "div"}) ? 1 : 0;
  out.issues = expansion_of(i);
  if (is({"mov", "cvta", "pragma"})) {
    out.kind = InstructionKind::free;
  } else if (is({"bra", "brx", "ret", "exit", "call", "trap"})) {
    out.kind = InstructionKind::branch;
  } else if (is({"bar", "barrier"}) && !i.has("warp")) {
    out.kind = InstructionKind::barrier;
  } else if (is({"shfl", "vote", "match", "redux", "activemask"})) {
    out.kind = InstructionKind::shuffle;
  } else if (is({"mma", "wmma"})) {
    out.flop = tensor_flop(i);
    out.kind = i.has("load") || i.has("store") ? InstructionKind::other : InstructionKind::tensor;
  } else if (is({"rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"}) ||
             (op == "div" && is_float(type))) {
    out.kind = type == Type::f64 ? InstructionKind::fp64 : InstructionKind::sfu;
    out.flop = 1;
  } else if (op == "cvt") {
    // Between integers a conversion is a move, or part of the instruction that uses it.
    const bool floats = is_float(i.type(0)) || is_float(i.type(1));
    out.kind = floats ? InstructionKind::convert : InstructionKind::free;
  } else if (type == Type::f64) {
    out.kind = InstructionKind::fp64;
    out.flop = work;
  } else if (type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2) {
    out.kind = is({"mov", "selp"}) ? InstructionKind::int32 : InstructionKind::fp16;
    out.flop = type == Type::f16x2 || type == Type::bf16x2 ? 2 * work : work;
  } else if (type == Type::f32 && !is({"mov", "selp", "setp", "abs", "neg", "copysign"})) {
    out.kind = InstructionKind::fp32;
    out.flop = work;
  } else if (is({"mul", "mad", "mul24", "mad24", "dp4a", "dp2a", "popc", "clz", "bfind", "brev"})) {
    out.kind = InstructionKind::imul;
  } else if (is({"div", "rem"})) {
    out.kind = InstructionKind::imul;
  } else if (is({"membar", "fence", "nanosleep", "pragma", "griddepcontrol"})) {
    out.kind = InstructionKind::other;
  } else {
    out.kind = InstructionKind::int32;
  }
}

void classify(const ptx::Instruction& i, TracedInstruction& out) {
  const std::string& op = i.opcode;
  const bool loads = op == "ld" || op == "ldu" || op == "ldmatrix";
  const bool stores = op == "st" || op == "stmatrix";
  const bool copies =
      op == "cp" && i.has("async") && !i.has("commit_group") && !i.has("wait_group") && !i.has("wait_all");
  if (!loads && !stores && !copies && op != "atom" && op != "red") return classify_arithmetic(i, out);
  out.kind = stores            ? InstructionKind::store
             : loads || copies ? InstructionKind::load
                               : InstructionKind::atomic;
  out.space = copies ? TracedSpace::global : space_of(i);
  if (loads && out.space == TracedSpace::constant) {
    // Parameters and constants are operands of the instructions that use them.
    out.kind = InstructionKind::free;
    return;
  }
  out.bytes = uint8_t(std::max(1, ptx::bits_of(i.type()) / 8) * int(components_of(i)));
  for (const ptx::Operand& operand : i.operands) {
    if (operand.kind != ptx::Operand::Kind::address || operand.parts.empty()) continue;
    const ptx::Operand& base = operand.parts[0];
    if (base.kind == ptx::Operand::Kind::reg) out.base = int32_t(base.index);
    out.offset = operand.offset;
    break;
  }
}

const Family* family_of(const std::string& opcode) {
  for (const Family& family : families_for_this_machine())
    if (family.opcode == opcode) return &family;
  return nullptr;
}

/// Where a function's instructions, basic blocks and registers start among all.
struct Place {
  uint32_t instruction = 0, block = 0, registers = 0;
};

std::vector<Place> places_of(const Code& code) {
  std::vector<Place> places;
  Place next;
  for (const auto& function : code.functions) {
    places.push_back(next);
    next.instruction += uint32_t(function->instructions.size());
    next.block += uint32_t(function->blocks.size());
    next.registers += uint32_t(function->source->registers.size());
  }
  places.push_back(next);
  return places;
}

void describe_function(const Code& code, const CodeFunction& function, const Place& place,
                       KernelTrace& trace) {
  std::map<std::string, const Family*> known;
  for (size_t k = 0; k < function.instructions.size(); ++k) {
    TracedInstruction out;
    out.reads_first = out.reads_end = out.writes_end = uint32_t(trace.operands.size());
    const uint32_t at = function.source_index[k];
    if (at != ~0u) {
      const ptx::Instruction& source = function.source->body[at];
      classify(source, out);
      if (out.base >= 0) out.base += int32_t(place.registers);
      out.line = learner_line(code, source.point).line;
      const auto [entry, is_new] = known.try_emplace(source.opcode, nullptr);
      if (is_new) entry->second = family_of(source.opcode);
      std::vector<uint16_t> reads, writes;
      visit_registers(source, entry->second, [&](uint32_t index, bool written) {
        (written ? writes : reads).push_back(uint16_t(place.registers + index));
      });
      trace.operands.insert(trace.operands.end(), reads.begin(), reads.end());
      out.reads_end = uint32_t(trace.operands.size());
      trace.operands.insert(trace.operands.end(), writes.begin(), writes.end());
      out.writes_end = uint32_t(trace.operands.size());
    }
    trace.instructions.push_back(out);
  }
  for (const BasicBlock& block : function.blocks)
    trace.basic_blocks.push_back({place.instruction + block.first, block.counted});
}

/// Words that one warp may keep.
size_t most_words_of_a_warp(const LaunchContext& context) {
  const uint64_t blocks = std::min<uint64_t>(context.launch.grid.count(), sampled_blocks);
  const uint64_t warps = (context.launch.block.count() + 31) / 32;
  return size_t(most_words / std::max<uint64_t>(1, blocks * warps));
}

// Numbers of functions come before the sums are known: 11 bits of function, the rest of the number within it.
// collect_trace() turns them into numbers through all functions.
constexpr uint32_t within_bits = 20;
constexpr uint32_t within_mask = (1u << within_bits) - 1;

bool has_room(TraceKeeper& keeper) {
  if (keeper.running->words.size() < keeper.most_words) return true;
  keeper.running->complete = false;
  keeper.running = nullptr;
  return false;
}

}  // namespace

InstructionKind kind_of(const ptx::Instruction& instruction) {
  TracedInstruction traced;
  classify(instruction, traced);
  return traced.kind;
}

bool is_sampled(const LaunchContext& context, uint64_t block) {
  const uint64_t count = context.launch.grid.count();
  const uint64_t wanted = sampled_blocks;
  if (count <= wanted) return true;
  const uint64_t groups = std::max<uint64_t>(1, wanted / neighbours);
  const uint64_t group = block / neighbours * groups * neighbours / count;
  // The group's first block: the first multiple of `neighbours` that falls into it.
  const uint64_t first = ((group * count + groups * neighbours - 1) / (groups * neighbours)) * neighbours;
  return block >= first && block < first + neighbours;
}

bool trace_slice(Warp& warp) {
  TraceKeeper& keeper = warp.worker->memory->trace;
  keeper.running = nullptr;
  if (!warp.block->traced) return false;
  const LaunchContext& context = *warp.worker->launch;
  if (keeper.most_words == 0) keeper.most_words = most_words_of_a_warp(context);
  auto& block = keeper.blocks[warp.block->number];
  if (!block) {
    block = std::make_unique<BlockTrace>();
    block->block = warp.block->number;
    block->warps.resize(warp.block->warps.size());
  }
  WarpTrace& own = block->warps[warp.index];
  if (own.complete) keeper.running = &own;
  return own.complete;
}

void trace_basic_block(Warp& warp, const CodeFunction& function, uint32_t block, uint32_t lanes) {
  TraceKeeper& keeper = warp.worker->memory->trace;
  if (keeper.running && has_room(keeper))
    write_block(keeper.running->words, function.index << within_bits | block, lanes);
}

void trace_access(Warp& warp, const Inst& inst, uint32_t lanes, const Address* addresses) {
  TraceKeeper& keeper = warp.worker->memory->trace;
  if (!has_room(keeper)) return;
  const CodeFunction& function = *warp.current().frame->function;
  const auto index = uint32_t(&inst - function.instructions.data());
  write_access(keeper.running->words, function.index << within_bits | index, lanes, addresses);
}

std::shared_ptr<const KernelTrace> collect_trace(const LaunchContext& context,
                                                 std::vector<std::unique_ptr<Worker>>& workers) {
  if (context.options.level == Level::run) return nullptr;
  const Code& code = *context.code;
  const std::vector<Place> places = places_of(code);
  // A module too large for the words' fields has no trace.
  if (places.back().registers > 0xffff || code.functions.size() >= 1u << (31 - within_bits)) return nullptr;
  auto trace = std::make_shared<KernelTrace>();
  for (const auto& function : code.functions) {
    if (function->instructions.size() > within_mask) return nullptr;
    describe_function(code, *function, places[function->index], *trace);
  }
  trace->registers = places.back().registers;
  trace->grid_blocks = context.launch.grid.count();
  trace->complete = true;
  for (auto& worker : workers) {
    for (auto& [number, block] : worker->memory->trace.blocks) trace->blocks.push_back(std::move(*block));
    worker->memory->trace = TraceKeeper{};
  }
  std::sort(trace->blocks.begin(), trace->blocks.end(),
            [](const BlockTrace& a, const BlockTrace& b) { return a.block < b.block; });
  for (BlockTrace& block : trace->blocks) {
    for (WarpTrace& warp : block.warps) {
      trace->complete = trace->complete && warp.complete;
      for (TraceReader reader{warp.words}; reader.more();) {
        uint32_t& word = warp.words[reader.at];
        const uint32_t number = word >> 1;
        const Place& place = places[number >> within_bits];
        const bool access = reader.at_access();
        word =
            ((access ? place.instruction : place.block) + (number & within_mask)) << 1 | (access ? 1u : 0u);
        if (access) {
          std::array<uint64_t, 32> addresses;
          reader.read_access(addresses);
        } else {
          reader.skip_block();
        }
      }
    }
  }
  trace->complete = trace->complete && trace->blocks.size() == trace->grid_blocks;
  return trace;
}

std::shared_ptr<const KernelTrace> last_trace(const Instance& instance) { return instance.trace; }

}  // namespace warpbook::simt
