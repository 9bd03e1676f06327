#pragma once
// Runs one instruction of the table on a made-up frame and compares each lane with a scalar reference, on
// every instruction set of this machine, with all lanes, some lanes and one lane active, and with the result
// in a source's place. No parser and no interpreter take part.
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 sees overlap in text + std::string where there is none (its bug 105651).
#pragma GCC diagnostic ignored "-Wrestrict"
#endif

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <memory_resource>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "simt/families.h"
#include "simt/warp.h"

namespace warpbook::simt::ops_test {

using ptx::Type;

/// Instruction sets to test: the portable one always, and the one that this machine would use.
inline std::vector<std::span<const Family>> instruction_sets() {
  std::vector<std::span<const Family>> all{isa_plain::families()};
  if (instruction_set_name() != "plain") all.push_back(families_for_this_machine());
  return all;
}

inline const Family* find(std::span<const Family> families, std::string_view opcode) {
  for (const Family& family : families) {
    if (family.opcode == opcode) return &family;
  }
  return nullptr;
}

/// "add.sat.s32" with operands still to come.
inline ptx::Instruction instruction(std::string_view name) {
  ptx::Instruction result;
  size_t from = 0;
  bool first = true;
  while (from <= name.size()) {
    const size_t dot = std::min(name.find('.', from), name.size());
    const std::string part(name.substr(from, dot - from));
    if (first) {
      result.opcode = part;
    } else {
      result.modifiers.push_back(part);
    }
    first = false;
    from = dot + 1;
  }
  return result;
}

/// A register file in the emulator's layout: the slot at 0 is nobody's.
class Frame : public Encoder {
 public:
  Frame() : bytes_(64 * 1024) {
    void* at = bytes_.data();
    size_t room = bytes_.size();
    base_ = static_cast<std::byte*>(std::align(256, 32 * 1024, at, room));
    next_ = 256;
  }
  std::byte* base() { return base_; }

  uint32_t add_register(Type type) {
    const uint32_t offset = next_;
    next_ += type == Type::pred ? 64 : ptx::bits_of(type) == 64 ? 256 : 128;
    function_.registers.push_back({"r" + std::to_string(offsets_.size()), type});
    offsets_.push_back(offset);
    return uint32_t(offsets_.size() - 1);
  }
  static ptx::Operand operand(uint32_t index) {
    ptx::Operand result;
    result.kind = ptx::Operand::Kind::reg;
    result.index = index;
    return result;
  }

  uint64_t get(uint32_t index, int lane) const {
    const std::byte* slot = base_ + offsets_[index];
    const Type type = function_.registers[index].type;
    if (type == Type::pred) {
      uint32_t bits;
      std::memcpy(&bits, slot, 4);
      return bits >> lane & 1;
    }
    uint64_t value = 0;
    const size_t width = ptx::bits_of(type) == 64 ? 8 : 4;
    std::memcpy(&value, slot + width * size_t(lane), width);
    return value;
  }
  void set(uint32_t index, int lane, uint64_t value) {
    std::byte* slot = base_ + offsets_[index];
    const Type type = function_.registers[index].type;
    if (type == Type::pred) {
      uint32_t bits;
      std::memcpy(&bits, slot, 4);
      bits = (bits & ~(1u << lane)) | uint32_t(value & 1) << lane;
      std::memcpy(slot, &bits, 4);
      return;
    }
    const size_t width = ptx::bits_of(type) == 64 ? 8 : 4;
    std::memcpy(slot + width * size_t(lane), &value, width);
  }

  Level level() const override { return Level::run; }
  const ptx::Module& module() const override { return module_; }
  const ptx::Function& function() const override { return function_; }
  uint32_t source(const ptx::Operand& operand, Type type) override {
    if (operand.kind == ptx::Operand::Kind::reg) return offsets_[operand.index];
    const uint32_t index = add_register(type);
    for (int lane = 0; lane < 32; ++lane) set(index, lane, operand.bits);
    return offsets_[index];
  }
  uint32_t target(const ptx::Operand& operand, Type type) override {
    if (operand.kind == ptx::Operand::Kind::discard) return offsets_[add_register(type)];
    return offsets_[operand.index];
  }
  uint32_t source_predicate(const ptx::Operand& operand) override {
    if (operand.kind == ptx::Operand::Kind::reg) return offsets_[operand.index];
    const uint32_t index = add_register(Type::pred);
    for (int lane = 0; lane < 32; ++lane) set(index, lane, operand.bits);
    return offsets_[index];
  }
  uint32_t target_predicate(const ptx::Operand& operand) override { return offsets_[operand.index]; }
  uint32_t block_of_label(const ptx::Operand&) override { return 0; }
  uint32_t next_block() override { return 0; }
  uint32_t constant(uint64_t bits, Type type) override {
    const uint32_t index = add_register(type);
    for (int lane = 0; lane < 32; ++lane) set(index, lane, bits);
    return offsets_[index];
  }
  uint32_t block_at(uint32_t) override { return 0; }
  void* room(size_t bytes) override { return rooms_.allocate(bytes, 64); }
  void keep(std::shared_ptr<void> data) override { kept_.push_back(std::move(data)); }

 private:
  std::vector<std::byte> bytes_;
  std::byte* base_ = nullptr;
  uint32_t next_ = 0;
  std::vector<uint32_t> offsets_;
  std::vector<std::shared_ptr<void>> kept_;
  std::pmr::monotonic_buffer_resource rooms_;
  ptx::Module module_;
  ptx::Function function_;
};

inline void activate(Warp& warp, uint32_t mask) {
  warp.mask = warp.fragment_mask = mask;
  for (size_t lane = 0; lane < 32; ++lane) warp.lane_mask[lane] = mask >> lane & 1 ? ~0u : 0u;
}

/// Operand values: the type's awkward ones in a third of the cases, small integers, and random bits. 16-bit
/// values come with rubbish above them.
class Values {
 public:
  explicit Values(uint64_t seed) : random_(seed) {}
  uint64_t bits() { return random_(); }
  uint64_t of(Type type) {
    const uint64_t kind = random_() % 6;
    const uint64_t pick = random_(), rubbish = random_() << 16;
    switch (type) {
      case Type::pred: return pick & 1;
      case Type::f32:
        if (kind < 2) return single_edges[pick % std::size(single_edges)];
        if (kind == 2) return near_one(pick, 127, 23);
        if (kind == 3) return (pick & 0x80ffffffu);  // subnormals and the smallest normals
        return pick & 0xffffffffu;
      case Type::f64:
        if (kind < 2) return double_edges[pick % std::size(double_edges)];
        if (kind == 2) return near_one(pick, 1023, 52);
        if (kind == 3) return pick & 0x801fffffffffffffu;
        return pick;
      case Type::f16:
      case Type::bf16:
        if (kind < 1) return (half_edges[pick % std::size(half_edges)]) | rubbish;
        return (pick & 0xffff) | rubbish;
      default: break;
    }
    const int width = ptx::bits_of(type);
    uint64_t value = pick;
    if (kind < 2) {
      const uint64_t top = uint64_t(1) << (width - 1);
      const uint64_t edges[] = {0,  1,  2,  top, top - 1, top + 1, ~uint64_t(0), ~uint64_t(1),
                                31, 32, 33, 63,  64,      0xff};
      value = edges[pick % std::size(edges)];
    } else if (kind == 2) {
      value = pick % 201 - 100;
    } else if (kind == 3) {
      value = pick >> (random_() % 64);
    }
    return width < 32 ? (value & 0xffff) | rubbish : value;
  }

 private:
  /// Random floats whose exponents lie close together, so that sums cancel and round.
  static uint64_t near_one(uint64_t pick, uint64_t bias, int fraction_bits) {
    const uint64_t fraction = pick & ((uint64_t(1) << fraction_bits) - 1);
    const uint64_t exponent = bias + (pick >> 56) % 40 - 20;
    return fraction | exponent << fraction_bits | (pick >> 55 & 1) << (fraction_bits == 23 ? 31 : 63);
  }
  static constexpr uint32_t single_edges[] = {
      0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
      0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
      0x7f800001, 0x3f000000, 0x3effffff, 0x4b000000, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000,
      0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x5f800000, 0xdf000000, 0x3fc00000,
      0x40200000, 0xc0200000, 0x42800000, 0x7e800000, 0x7f000000};
  static constexpr uint64_t double_edges[] = {0,
                                              0x8000000000000000,
                                              1,
                                              0x8000000000000001,
                                              0x000fffffffffffff,
                                              0x0010000000000000,
                                              0x8010000000000000,
                                              0x3ff0000000000000,
                                              0xbff0000000000000,
                                              0x7fefffffffffffff,
                                              0xffefffffffffffff,
                                              0x7ff0000000000000,
                                              0xfff0000000000000,
                                              0x7ff8000000000000,
                                              0xfff8000000000001,
                                              0x3fe0000000000000,
                                              0x3fdfffffffffffff,
                                              0x41dfffffffc00000,
                                              0x41e0000000000000,
                                              0xc1e0000000000000,
                                              0xc1e0000000200000,
                                              0x41efffffffe00000,
                                              0x41f0000000000000,
                                              0x43e0000000000000,
                                              0xc3e0000000000000,
                                              0x43f0000000000000,
                                              0x3ff8000000000000,
                                              0x4004000000000000,
                                              0x36a0000000000000,
                                              0x3690000000000000,
                                              0x36a0000000000001,
                                              0x47efffffe0000000,
                                              0x47efffffefffffff,
                                              0x47effffff0000000,
                                              0x47f0000000000000,
                                              0x0360000000000000,
                                              0x1a00000000000000};
  static constexpr uint32_t half_edges[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400,
                                            0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                                            0x7e00, 0x7c01, 0x3f80, 0x7f80, 0x7fc0};
  std::mt19937_64 random_;
};

/// Sources of one lane.
using Sources = std::span<const uint64_t>;
/// Result of one lane, from its sources.
using Reference = std::function<uint64_t(Sources)>;
/// Whether a result is right; by default equal in the bits of the type.
using Accept = bool (*)(uint64_t got, uint64_t wanted);

inline uint64_t low_bits(uint64_t value, Type type) {
  const int bits = type == Type::pred ? 1 : ptx::bits_of(type);
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

struct Check {
  std::string name;  ///< "add.sat.s32"
  Type result = Type::none;
  std::vector<Type> sources;
  Reference reference;
  Accept accept = nullptr;
  std::vector<ptx::Operand> literals = {};  ///< behind the sources: immediates of the instruction
  std::vector<size_t> negated = {};         ///< sources written as !p
  int rounds = 24;
  bool in_place = true;               ///< also with the result in the first source's register
  Type result_register = Type::none;  ///< when it is wider than the result (cvt)
};

/// One instruction with fresh operands under one mask.
inline bool run_round(const Check& check, std::span<const Family> families, Values& values, uint32_t mask,
                      bool in_place) {
  const Family* family = find(families, check.name.substr(0, check.name.find('.')));
  if (!family) return false;
  Frame frame;
  ptx::Instruction source = instruction(check.name);
  std::vector<uint32_t> registers;
  for (const Type type : check.sources) registers.push_back(frame.add_register(type));
  const Type kept = check.result_register == Type::none ? check.result : check.result_register;
  const uint32_t to = in_place ? registers[0] : frame.add_register(kept);
  source.operands.push_back(Frame::operand(to));
  for (const uint32_t index : registers) source.operands.push_back(Frame::operand(index));
  for (const size_t index : check.negated) source.operands[index + 1].negated = true;
  for (const ptx::Operand& literal : check.literals) source.operands.push_back(literal);

  std::array<std::vector<uint64_t>, 32> given;
  std::array<uint64_t, 32> before{};
  for (int lane = 0; lane < 32; ++lane) {
    if (!in_place) frame.set(to, lane, values.bits());
    for (size_t k = 0; k < registers.size(); ++k) {
      frame.set(registers[k], lane, values.of(check.sources[k]));
      given[size_t(lane)].push_back(frame.get(registers[k], lane));
    }
    before[size_t(lane)] = frame.get(to, lane);
  }
  Inst inst;
  if (!family->decode(source, frame, inst) || !inst.full || !inst.masked) {
    UNSCOPED_INFO(check.name << " does not decode");
    return false;
  }
  Warp warp;
  warp.frame = frame.base();
  activate(warp, mask);
  const Step step = mask == ~0u ? inst.full(warp, inst) : inst.masked(warp, inst);
  if (step != Step::next) return false;
  for (int lane = 0; lane < 32; ++lane) {
    const uint64_t got = frame.get(to, lane);
    if (!(mask >> lane & 1)) {
      if (got != before[size_t(lane)]) {
        UNSCOPED_INFO(check.name << ": inactive lane " << lane << " was written");
        return false;
      }
      continue;
    }
    const uint64_t wanted = check.reference(given[size_t(lane)]);
    const bool right =
        check.accept ? check.accept(got, wanted) : low_bits(got, kept) == low_bits(wanted, kept);
    if (!right) {
      std::string text;
      for (const uint64_t value : given[size_t(lane)]) {
        char word[32];
        std::snprintf(word, sizeof word, " %llx", static_cast<unsigned long long>(value));
        text += word;
      }
      char words[80];
      std::snprintf(words, sizeof words, " gave %llx, not %llx", static_cast<unsigned long long>(got),
                    static_cast<unsigned long long>(wanted));
      UNSCOPED_INFO(check.name << " of" << text << words << ", lane " << lane);
      return false;
    }
  }
  return true;
}

/// Every instruction set, every kind of mask.
inline void verify(const Check& check) {
  uint64_t seed = 1469598103934665603u;
  for (const char c : check.name) seed = (seed ^ uint64_t(uint8_t(c))) * 1099511628211u;
  const bool same_slot = !check.sources.empty() && check.in_place && check.result_register == Type::none &&
                         (check.result == Type::pred) == (check.sources[0] == Type::pred) &&
                         (ptx::bits_of(check.result) == 64) == (ptx::bits_of(check.sources[0]) == 64) &&
                         check.result == check.sources[0];
  for (const std::span<const Family> families : instruction_sets()) {
    Values values(seed);
    for (int round = 0; round < check.rounds; ++round) {
      const uint32_t masks[] = {~0u, uint32_t(values.bits()), 1u << (values.bits() % 32)};
      for (const uint32_t mask : masks) {
        const bool right = run_round(check, families, values, mask, false);
        REQUIRE(right);
      }
      if (same_slot) {
        const bool right = run_round(check, families, values, masks[round % 3], true);
        REQUIRE(right);
      }
    }
  }
}

inline void verify(std::string name, Type result, std::vector<Type> sources, Reference reference,
                   Accept accept = nullptr) {
  Check check;
  check.name = std::move(name);
  check.result = result;
  check.sources = std::move(sources);
  check.reference = std::move(reference);
  check.accept = accept;
  verify(check);
}

inline ptx::Operand literal(uint64_t bits) {
  ptx::Operand result;
  result.kind = ptx::Operand::Kind::immediate;
  result.literal = Type::s64;
  result.bits = bits;
  return result;
}

/// Whether any instruction set takes this form.
inline bool decodes(std::string_view name, Type result, const std::vector<Type>& sources) {
  for (const std::span<const Family> families : instruction_sets()) {
    Frame frame;
    ptx::Instruction source = instruction(name);
    source.operands.push_back(Frame::operand(frame.add_register(result)));
    for (const Type type : sources) source.operands.push_back(Frame::operand(frame.add_register(type)));
    const Family* family = find(families, source.opcode);
    Inst inst;
    if (family && family->decode(source, frame, inst)) return true;
  }
  return false;
}

inline float as_float(uint64_t bits) {
  const uint32_t low = uint32_t(bits);
  float value;
  std::memcpy(&value, &low, 4);
  return value;
}
inline double as_double(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}
inline uint64_t bits_of_float(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return value != value ? 0x7fffffffu : bits;  // PTX's canonical NaN
}
inline uint64_t bits_of_double(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}
inline bool subnormal(float value) { return value != 0 && value > -0x1p-126f && value < 0x1p-126f; }
inline float flushed(float value) { return subnormal(value) ? (value < 0 ? -0.0f : 0.0f) : value; }
/// Doubles agree when both are NaN, whatever their payload.
inline bool same_double(uint64_t got, uint64_t wanted) {
  const double a = as_double(got), b = as_double(wanted);
  return got == wanted || (a != a && b != b);
}

}  // namespace warpbook::simt::ops_test
