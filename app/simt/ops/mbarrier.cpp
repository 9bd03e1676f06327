// mbarrier (PTX ISA 9.7.13.15): barrier objects in shared memory that count arrivals and bytes of
// asynchronous copies. The object is opaque to programs; here its 64 bits are, from the lowest: 20 of pending
// arrivals, 20 of expected arrivals, 21 of pending bytes (two's complement), and the phase in the highest.
// Lanes take their turns in ascending order. Nobody waits inside an instruction: test_wait and try_wait
// answer at once, and give way to other warps when the answer is no.
#include "simt/ops/mbarrier.h"

#include <algorithm>

#include "simt/exec/diagnose.h"
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"
#include "simt/ops/memory_access.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

constexpr uint64_t count_mask = (1u << 20) - 1;
constexpr int expected_at = 20, bytes_at = 40, phase_at = 63;
constexpr uint64_t bytes_mask = (uint64_t(1) << 21) - 1;

uint64_t pending(uint64_t barrier) { return barrier & count_mask; }
uint64_t expected(uint64_t barrier) { return barrier >> expected_at & count_mask; }
uint64_t pending_bytes(uint64_t barrier) { return barrier >> bytes_at & bytes_mask; }
uint64_t phase(uint64_t barrier) { return barrier >> phase_at; }
uint64_t made(uint64_t pending_count, uint64_t expected_count, uint64_t bytes, uint64_t phase_bit) {
  return (pending_count & count_mask) | (expected_count & count_mask) << expected_at |
         (bytes & bytes_mask) << bytes_at | phase_bit << phase_at;
}

/// A phase is complete when neither arrivals nor bytes are awaited: the next begins.
uint64_t settled(uint64_t barrier) {
  if (pending(barrier) != 0 || pending_bytes(barrier) != 0) return barrier;
  return made(expected(barrier), expected(barrier), 0, phase(barrier) ^ 1);
}

enum class Operation : uint8_t {
  init,
  inval,
  arrive,
  arrive_drop,
  expect_bytes,
  complete_bytes,
  wait_state,
  wait_parity
};

/// b: count, bytes, state or parity; dst: the state, or the predicate of a wait.
struct Plan : Shape {
  Operation operation = Operation::init;
  bool expects = false;     ///< arrive.expect_tx: b is bytes
  bool result = false;      ///< dst is written
  bool of_copies = false;   ///< cp.async.mbarrier.arrive: stands for the thread's copies
  bool settles = true;      ///< .noComplete promises that the phase does not end
  uint32_t count_slot = 0;  ///< arrivals; 0 = one
};

uint64_t changed_by(const Plan& plan, uint64_t before, uint64_t count, uint64_t value) {
  switch (plan.operation) {
    case Operation::init: return made(value, value, 0, 0);
    case Operation::inval: return 0;
    case Operation::arrive:
    case Operation::arrive_drop: {
      const uint64_t bytes = pending_bytes(before) + (plan.expects ? value : 0);
      const uint64_t dropped = plan.operation == Operation::arrive_drop ? count : 0;
      const uint64_t after = made(pending(before) - count, expected(before) - dropped, bytes, phase(before));
      return plan.settles ? settled(after) : after;
    }
    case Operation::expect_bytes:
      return made(pending(before), expected(before), pending_bytes(before) + value, phase(before));
    case Operation::complete_bytes:
      return settled(made(pending(before), expected(before), pending_bytes(before) - value, phase(before)));
    case Operation::wait_state:
    case Operation::wait_parity: return before;
  }
  return before;
}

template <bool Counted>
Step act(Warp& warp, const Inst& inst) {
  const Plan& plan = static_cast<const Plan&>(shape_of(inst));
  Lanes at;
  gather_addresses(warp, inst, plan, at);
  Access access = access_of(warp, inst, plan, at);
  access.slots = nullptr;
  Places places;
  if (!locate(warp, access, places)) return Step::fault;
  if (plan.of_copies) wait_for_copies(warp, warp.mask, 0, true);  // whoever waits for the object may use them
  if constexpr (Counted) account(warp, access, nullptr, Pattern::scattered, plan.level);
  const bool waits = plan.operation == Operation::wait_state || plan.operation == Operation::wait_parity;
  uint32_t complete = 0;
  bool changed = false;
  each_lane<true>(warp, [&](int lane) {
    std::byte* word = places.host[size_t(lane)];
    const bool local = places.local_lanes >> lane & 1;
    const uint64_t before = local ? read_local<uint64_t>(word) : read_component<uint64_t>(word, false);
    const uint64_t value = plan.operation == Operation::wait_state ? slot<uint64_t>(warp, inst.b)[lane]
                                                                   : slot<uint32_t>(warp, inst.b)[lane];
    if (waits) {
      const uint64_t asked = plan.operation == Operation::wait_state ? phase(value) : value & 1;
      if (asked != phase(before)) complete |= 1u << lane;
      return;
    }
    const uint64_t count = plan.count_slot ? slot<uint32_t>(warp, plan.count_slot)[lane] : 1;
    const uint64_t after = changed_by(plan, before, count, value);
    changed |= after != before;
    if (local) {
      write_local<uint64_t>(word, after);
    } else {
      write_component<uint64_t>(word, after, false);
    }
    if (plan.result) slot<uint64_t>(warp, inst.dst)[lane] = before;
  });
  if (changed) ++warp.block->touched;
  if (!waits) return Step::next;
  store_predicate(warp, inst.dst, complete);
  if (complete == warp.mask) return Step::next;
  // Somebody must come first: the loop around it would only count instructions until its slice is used up.
  Fragment& fragment = *warp.active;
  fragment.state = FragmentState::sleeping;
  fragment.inst = index_of(*fragment.frame->function, inst) + 1;
  return Step::wait;
}

struct PendingCount {
  static uint32_t apply(const Inst&, uint64_t state) { return uint32_t(pending(state)); }
};

/// What a modifier asks for.
bool choose(const ptx::Instruction& source, Plan& plan) {
  plan.kind = AccessKind::atomic;
  // Arrivals release and waits acquire, unless they say otherwise (9.7.13.15.8).
  plan.ordering.strength = Strength::atomic;
  plan.ordering.scope = source.has("cluster") ? Scope::device : Scope::block;
  plan.ordering.release = source.has("arrive") || source.has("arrive_drop");
  plan.ordering.acquire = source.has("test_wait") || source.has("try_wait");
  if (source.has("relaxed")) plan.ordering.release = plan.ordering.acquire = false;
  if (source.has("init")) {
    plan.operation = Operation::init;
    plan.kind = AccessKind::write;
    plan.ordering.strength = Strength::plain;
  } else if (source.has("inval")) {
    // Libraries end an object once the last group of lanes has counted itself off, which by the letter orders
    // only that group's leader.
    plan.operation = Operation::inval;
    plan.kind = AccessKind::write;
  } else if (source.has("arrive") || source.has("arrive_drop")) {
    plan.operation = source.has("arrive") ? Operation::arrive : Operation::arrive_drop;
    plan.expects = source.has("expect_tx");
    plan.settles = !source.has("noComplete");
  } else if (source.has("expect_tx")) {
    plan.operation = Operation::expect_bytes;
  } else if (source.has("complete_tx")) {
    plan.operation = Operation::complete_bytes;
  } else if (source.has("test_wait") || source.has("try_wait")) {
    plan.operation = source.has("parity") ? Operation::wait_parity : Operation::wait_state;
  } else {
    return false;
  }
  return true;
}

bool finish(const ptx::Instruction& source, size_t address, Plan& plan, Encoder& encoder, Inst& inst) {
  plan.level = encoder.level();
  plan.space = ptx::Space::generic;
  for (const std::string& m : source.modifiers) {
    if (m.starts_with("shared")) plan.space = ptx::Space::shared;
  }
  if (!fill_address(source.operands[address], encoder, plan, inst.a)) return false;
  finish_shape(plan, ptx::Type::b64, 1);
  inst.imm = reinterpret_cast<uint64_t>(static_cast<Shape*>(&plan));
  use_both(inst, plan.level == Level::run ? &act<false> : &act<true>);
  return true;
}

}  // namespace

bool decode_mbarrier(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const auto& operands = source.operands;
  if (source.has("pending_count")) {
    use_lane_unary<PendingCount, uint32_t, uint64_t>(inst);
    return fill_operands(source, encoder, inst, ptx::Type::u32, {ptx::Type::b64});
  }
  if (!source.has("b64") || operands.empty()) return false;
  auto* plan = make_kept<Plan>(encoder);
  if (!choose(source, *plan)) return false;
  const bool arrives = plan->operation == Operation::arrive || plan->operation == Operation::arrive_drop;
  const bool waits = plan->operation == Operation::wait_state || plan->operation == Operation::wait_parity;
  // The state may be left out, or thrown away with `_`.
  const size_t address = operands[0].kind == ptx::Operand::Kind::address ? 0 : 1;
  const size_t values = operands.size() - std::min(operands.size(), address + 1);
  if (operands.size() <= address) return false;
  if (waits) {
    if (address != 1 || values < 1 || values > 2) return false;  // a time to suspend for may follow
    inst.dst = encoder.target_predicate(operands[0]);
    inst.b = encoder.source(operands[2],
                            plan->operation == Operation::wait_parity ? ptx::Type::u32 : ptx::Type::b64);
  } else if (arrives) {
    if (values > 1 || ((plan->expects || !plan->settles) && values == 0)) return false;
    plan->result = address == 1 && operands[0].kind == ptx::Operand::Kind::reg;
    if (plan->result) inst.dst = encoder.target(operands[0], ptx::Type::b64);
    if (values == 1) {
      const uint32_t value = encoder.source(operands[address + 1], ptx::Type::u32);
      (plan->expects ? inst.b : plan->count_slot) = value;
      if (!plan->expects && value == 0) return false;  // a constant 0 is no count
    }
  } else {
    if (address != 0 || values != (plan->operation == Operation::inval ? 0u : 1u)) return false;
    if (values == 1) inst.b = encoder.source(operands[1], ptx::Type::u32);
  }
  return finish(source, address, *plan, encoder, inst);
}

bool decode_copy_arrive(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.operands.size() != 1 || !source.has("arrive")) return false;
  auto* plan = make_kept<Plan>(encoder);
  plan->kind = AccessKind::atomic;
  plan->ordering = {Strength::atomic, Scope::block, false, true};
  plan->of_copies = true;
  // Copies are complete at once here. Without .noinc the arrival that stands for them is added to those
  // awaited and taken off again: nothing changes, as when no byte more is expected.
  plan->operation = source.has("noinc") ? Operation::arrive : Operation::expect_bytes;
  return finish(source, 0, *plan, encoder, inst);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
