// Slots of registers: random programs, with liveness worked out again by brute force, one instruction at a
// time.
#include <fmt/format.h>

#include <map>
#include <random>
#include <set>

#include "catch.h"
#include "decode_table.h"
#include "simt/decode/control_flow.h"
#include "simt/decode/liveness.h"
#include "simt/decode/slots.h"

using namespace warpbook;
using namespace warpbook::simt;

namespace {

struct Analysed {
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function* function = nullptr;
  ControlFlow flow;
  Liveness live;
  Slots slots;
};

Analysed analyse(const std::string& text) {
  Analysed a;
  a.module = test::parsed(text);
  REQUIRE(a.module);
  a.function = &a.module->functions[0];
  std::vector<const Family*> families;
  std::vector<uint8_t> terminators;
  for (const auto& i : a.function->body) {
    const Family* found = nullptr;
    for (const Family& f : test::small_table()) {
      if (f.opcode == i.opcode) found = &f;
    }
    families.push_back(found);
    terminators.push_back(found && found->terminator);
  }
  a.flow = control_flow(*a.function, terminators);
  a.live = liveness(*a.function, a.flow, families);
  a.slots = assign_slots(a.function->registers, a.live);
  return a;
}

/// Registers that are needed after each instruction, by sets and a plain fixpoint over single instructions.
std::vector<std::set<uint32_t>> needed_after(const ptx::Function& f) {
  const size_t size = f.body.size();
  std::vector<std::set<uint32_t>> before(size + 1), after(size + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = size; i-- > 0;) {
      const ptx::Instruction& in = f.body[i];
      std::set<uint32_t> out;
      const bool leaves = (in.opcode == "bra" || in.opcode == "ret") && in.guard < 0;
      if (!leaves) out = before[i + 1];
      if (in.opcode == "bra")
        out.insert(before[in.operands[0].index].begin(), before[in.operands[0].index].end());
      std::set<uint32_t> need = out;
      const bool writes = in.opcode != "bra" && in.opcode != "ret" && in.opcode != "st";
      if (writes && in.guard < 0) need.erase(in.operands[0].index);
      if (in.guard >= 0) need.insert(uint32_t(in.guard));
      for (size_t k = writes ? 1 : 0; k < in.operands.size(); ++k) {
        if (in.operands[k].kind == ptx::Operand::Kind::reg) need.insert(in.operands[k].index);
        if (in.operands[k].kind == ptx::Operand::Kind::address) need.insert(in.operands[k].parts[0].index);
      }
      if (need != before[i] || out != after[i])
        before[i] = std::move(need), after[i] = std::move(out), changed = true;
    }
  }
  return after;
}

std::string random_program(std::mt19937& random, int blocks) {
  std::string text = test::header + ".entry k() { .reg .pred %p<6>; .reg .b32 %r<14>; .reg .b64 %rd<8>;\n";
  auto number = [&](uint32_t n) { return random() % n; };
  for (int b = 0; b < blocks; ++b) {
    text += fmt::format("B{}:\n", b);
    for (uint32_t i = number(7); i > 0; --i) {
      const std::string guard = number(6) == 0 ? fmt::format("@%p{} ", number(6)) : "";
      switch (number(5)) {
        case 0:
          text += guard + fmt::format("add.s32 %r{}, %r{}, %r{};\n", number(14), number(14), number(14));
          break;
        case 1: text += guard + fmt::format("add.s64 %rd{}, %rd{}, 8;\n", number(8), number(8)); break;
        case 2:
          text += guard + fmt::format("setp.lt.s32 %p{}, %r{}, %r{};\n", number(6), number(14), number(14));
          break;
        case 3: text += guard + fmt::format("st.global.u32 [%rd{}], %r{};\n", number(8), number(14)); break;
        default: text += guard + fmt::format("mov.u32 %r{}, {};\n", number(14), number(100)); break;
      }
    }
    switch (number(4)) {
      case 0: text += fmt::format("bra B{};\n", number(uint32_t(blocks))); break;
      case 1: text += "ret;\n"; break;
      case 2: break;
      default: text += fmt::format("@%p{} bra B{};\n", number(6), number(uint32_t(blocks))); break;
    }
  }
  return text + "ret;\n}\n";
}

std::pair<uint32_t, uint32_t> bytes_of_slot(const Analysed& a, uint32_t r) {
  const uint32_t at = a.slots.offset[r];
  switch (pool_of(a.function->registers[r].type)) {
    case Pool::predicate: return {at, at + 4};
    case Pool::wide: return {at, at + 256};
    default: return {at, at + 128};
  }
}

}  // namespace

TEST_CASE("registers needed at the same time never share a slot") {
  std::mt19937 random(3);
  size_t pairs = 0, shared = 0;
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_program(random, 1 + int(random() % 9));
    const Analysed a = analyse(text);
    const auto after = needed_after(*a.function);
    INFO(text);
    auto apart = [&](uint32_t r, uint32_t s) {
      if (r == s) return;
      ++pairs;
      const auto [r0, r1] = bytes_of_slot(a, r);
      const auto [s0, s1] = bytes_of_slot(a, s);
      if (r0 < s1 && s0 < r1) FAIL(a.function->registers[r].name << " and " << a.function->registers[s].name);
    };
    std::set<uint32_t> offsets;
    size_t used = 0;
    for (const FlowBlock& block : a.flow.blocks) {
      for (uint32_t i = block.first; i < block.last; ++i) {
        const auto& in = a.function->body[i];
        // Needed together after it, and what it writes against all that is needed after it and against its
        // sources.
        for (const uint32_t r : after[i]) {
          REQUIRE(a.slots.offset[r] != 0);
          for (const uint32_t s : after[i]) apart(r, s);
        }
        if (in.operands.empty() || in.operands[0].kind != ptx::Operand::Kind::reg) continue;
        for (const uint32_t r : after[i]) apart(r, in.operands[0].index);
        for (const auto& operand : in.operands) {
          if (operand.kind == ptx::Operand::Kind::reg) apart(operand.index, in.operands[0].index);
        }
      }
    }
    for (const uint32_t offset : a.slots.offset) {
      if (offset != 0) offsets.insert(offset), ++used;
    }
    shared += used - offsets.size();
  }
  CHECK(pairs > 10000);
  CHECK(shared > 50);  // else the test would prove nothing
}

TEST_CASE("slots of different width never share memory, and are aligned for vectors") {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    const Analysed a = analyse(random_program(random, 6));
    std::map<uint32_t, Pool> owner;  // by 4-byte word
    for (uint32_t r = 0; r < a.slots.offset.size(); ++r) {
      if (a.slots.offset[r] == 0) continue;
      const Pool pool = pool_of(a.function->registers[r].type);
      if (pool != Pool::predicate) CHECK(a.slots.offset[r] % 64 == 0);
      const auto [first, last] = bytes_of_slot(a, r);
      CHECK(last <= a.slots.end);
      for (uint32_t word = first; word < last; word += 4) {
        const auto [known, is_new] = owner.emplace(word, pool);
        CHECK(known->second == pool);
      }
    }
    CHECK(a.slots.end % 64 == 0);
  }
}

TEST_CASE("short lives reuse few slots") {
  std::string text = test::header + ".entry k() { .reg .b32 %r<400>;\nmov.u32 %r0, 0;\n";
  for (int i = 1; i < 400; ++i) text += fmt::format("add.s32 %r{}, %r{}, 1;\n", i, i - 1);
  const Analysed a = analyse(text + "ret; }\n");
  CHECK(a.slots.narrow == 2);
}

TEST_CASE("a guarded write does not end the life of the old value") {
  const Analysed a = analyse(test::header +
                             ".entry k() { .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
                             "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; st.global.u32 [%rd1], %r3;\n"
                             "@%p1 mov.u32 %r1, %r2; st.global.u32 [%rd1], %r1; ret; }\n");
  const auto slot = [&](uint32_t r) { return a.slots.offset[r]; };
  CHECK(slot(1) != slot(2));
  CHECK(slot(1) != slot(3));
  CHECK(slot(2) != slot(3));
}

TEST_CASE("registers kept over a call are counted once each, its result is not") {
  const auto code = test::decoded(
      test::header +
      ".func (.reg .b32 %out) f() { ret; }\n"
      ".entry k() { .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
      "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u64 %rd1, 3; mov.u64 %rd2, 3; st.global.u32 [%rd2], %r2;\n"
      "call (%r3), f; st.global.u32 [%rd1], %r1; st.global.u32 [%rd1], %r3; ret; }\n");
  REQUIRE(code);
  CHECK(code->function("k")->live_across_calls_bytes == 12);
  CHECK(code->function("f")->live_across_calls_bytes == 0);
}
