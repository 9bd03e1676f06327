#pragma once
// How a matrix lies in the registers of a warp (PTX ISA 9.7.14: the figures of mma.m16n8k16 and its
// relatives). One rule covers them all: lane l belongs to group l / 4 and is the (l % 4)-th of it. A
// register of A or B holds a run of elements along k, one of C or D one or two of a row.
//
// The layout of wmma fragments is left open by PTX (9.7.14.4); the same rule serves for them, so that what is
// loaded, multiplied and stored fits together. Fragments of f16 have more registers than elements: the
// surplus repeats the first.
#include <charconv>
#include <optional>
#include <string_view>

#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

enum class Element : uint8_t { f16, bf16, tf32, e4m3, e5m2, f64, s8, u8, s4, u4, b1, f32, s32 };

struct ElementName {
  std::string_view name;
  Element element;
  int bits;
};
constexpr ElementName element_names[] = {
    {"f16", Element::f16, 16},  {"bf16", Element::bf16, 16}, {"tf32", Element::tf32, 32},
    {"e4m3", Element::e4m3, 8}, {"e5m2", Element::e5m2, 8},  {"f64", Element::f64, 64},
    {"s8", Element::s8, 8},     {"u8", Element::u8, 8},      {"s4", Element::s4, 4},
    {"u4", Element::u4, 4},     {"b1", Element::b1, 1},      {"f32", Element::f32, 32},
    {"s32", Element::s32, 32},
};
inline const ElementName* element_named(std::string_view name) {
  for (const ElementName& known : element_names) {
    if (known.name == name) return &known;
  }
  return nullptr;
}
inline int bits_of_element(Element element) { return element_names[size_t(element)].bits; }

struct MatrixShape {
  int m = 0, n = 0, k = 0;
  bool operator==(const MatrixShape&) const = default;
};

/// "m16n8k16"
inline std::optional<MatrixShape> shape_named(std::string_view text) {
  MatrixShape shape;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (const auto& [letter, value] : {std::pair{'m', &shape.m}, {'n', &shape.n}, {'k', &shape.k}}) {
    if (at == end || *at != letter) return std::nullopt;
    const auto [after, error] = std::from_chars(at + 1, end, *value);
    if (error != std::errc{} || *value <= 0) return std::nullopt;
    at = after;
  }
  return at == end ? std::optional(shape) : std::nullopt;
}

/// Shape and element types of an instruction, in the order in which it names them.
struct MatrixNames {
  MatrixShape shape;
  Element elements[4] = {};
  int count = 0;
};
inline std::optional<MatrixNames> matrix_names(const ptx::Instruction& source) {
  MatrixNames names;
  for (const std::string& modifier : source.modifiers) {
    if (const auto shape = shape_named(modifier)) names.shape = *shape;
    if (const ElementName* element = element_named(modifier)) {
      if (names.count == 4) return std::nullopt;
      names.elements[names.count++] = element->element;
    }
  }
  return names.shape.m && names.count ? std::optional(names) : std::nullopt;
}

/// The shapes that PTX has for elements of A and B (9.7.14.4 wmma, 9.7.14.5 mma).
struct KnownShape {
  MatrixShape shape;
  Element element;
  bool wmma;
};
constexpr KnownShape known_shapes[] = {
    {{16, 16, 16}, Element::f16, true},  {{32, 8, 16}, Element::f16, true},
    {{8, 32, 16}, Element::f16, true},   {{16, 16, 16}, Element::bf16, true},
    {{32, 8, 16}, Element::bf16, true},  {{8, 32, 16}, Element::bf16, true},
    {{16, 16, 16}, Element::s8, true},   {{32, 8, 16}, Element::s8, true},
    {{8, 32, 16}, Element::s8, true},    {{16, 16, 16}, Element::u8, true},
    {{32, 8, 16}, Element::u8, true},    {{8, 32, 16}, Element::u8, true},
    {{16, 16, 8}, Element::tf32, true},  {{8, 8, 4}, Element::f64, true},
    {{8, 8, 32}, Element::s4, true},     {{8, 8, 32}, Element::u4, true},
    {{8, 8, 128}, Element::b1, true},    {{16, 8, 8}, Element::f16, false},
    {{16, 8, 16}, Element::f16, false},  {{16, 8, 8}, Element::bf16, false},
    {{16, 8, 16}, Element::bf16, false}, {{16, 8, 4}, Element::tf32, false},
    {{16, 8, 8}, Element::tf32, false},  {{8, 8, 4}, Element::f64, false},
    {{16, 8, 4}, Element::f64, false},   {{16, 8, 8}, Element::f64, false},
    {{16, 8, 16}, Element::f64, false},  {{8, 8, 16}, Element::s8, false},
    {{16, 8, 16}, Element::s8, false},   {{16, 8, 32}, Element::s8, false},
    {{8, 8, 16}, Element::u8, false},    {{16, 8, 16}, Element::u8, false},
    {{16, 8, 32}, Element::u8, false},   {{8, 8, 32}, Element::s4, false},
    {{16, 8, 32}, Element::s4, false},   {{16, 8, 64}, Element::s4, false},
    {{8, 8, 32}, Element::u4, false},    {{16, 8, 32}, Element::u4, false},
    {{16, 8, 64}, Element::u4, false},   {{8, 8, 128}, Element::b1, false},
    {{16, 8, 128}, Element::b1, false},  {{16, 8, 256}, Element::b1, false},
    {{16, 8, 16}, Element::e4m3, false}, {{16, 8, 32}, Element::e4m3, false},
    {{16, 8, 16}, Element::e5m2, false}, {{16, 8, 32}, Element::e5m2, false},
};
inline bool shape_is_known(const MatrixShape& shape, Element element, bool wmma) {
  for (const KnownShape& known : known_shapes) {
    if (known.shape == shape && known.element == element && known.wmma == wmma) return true;
  }
  return false;
}

/// A or B: its outer extent is m or n, the inner one k.
struct FactorLayout {
  int outer = 0;  ///< rows of A, columns of B
  int k = 0;
  int run = 1;  ///< elements in a register, side by side along k
  int registers() const { return outer * k / (32 * run); }
  int outer_of(int reg, int lane) const { return lane / 4 + 8 * (reg % (outer / 8)); }
  int k_of(int reg, int lane) const { return (lane % 4 + 4 * (reg / (outer / 8))) * run; }
};
inline FactorLayout factor_layout(int outer, int k, Element element) {
  const int bits = bits_of_element(element);
  return {outer, k, bits == 64 ? 1 : 32 / bits};
}
/// Registers of the PTX operand; wmma has 8 for f16 whatever the shape.
inline int factor_registers(const FactorLayout& layout, Element element, bool wmma) {
  return wmma && element == Element::f16 ? 8 : layout.registers();
}

/// C or D: element e of a lane.
struct SumLayout {
  int m = 0, n = 0;
  int elements() const { return m * n / 32; }
  int row_of(int e, int lane) const { return lane / 4 + 8 * (e / 2 % (m / 8)); }
  int column_of(int e, int lane) const { return lane % 4 * 2 + e % 2 + 8 * (e / 2 / (m / 8)); }
};
inline int sum_registers(const SumLayout& layout, Element element) {
  return element == Element::f16 ? layout.elements() / 2 : layout.elements();
}

constexpr int most_matrix_registers = 16;

/// Fills the frame offsets of a vector of `count` registers (or of one); false when it is another number or
/// the registers are of another width.
inline bool fill_registers(const ptx::Operand& operand, int count, bool wide, bool target, Encoder& encoder,
                           uint32_t* to) {
  const bool vector = operand.kind == ptx::Operand::Kind::vector;
  if ((vector ? int(operand.parts.size()) : 1) != count || count > most_matrix_registers) return false;
  for (int i = 0; i < count; ++i) {
    const ptx::Operand& part = vector ? operand.parts[size_t(i)] : operand;
    if (part.kind == ptx::Operand::Kind::reg) {
      const int bits = ptx::bits_of(encoder.function().registers[part.index].type);
      if (bits != (wide ? 64 : 32)) return false;
    }
    const ptx::Type type = wide ? ptx::Type::b64 : ptx::Type::b32;
    to[i] = target ? encoder.target(part, type) : encoder.source(part, type);
  }
  return true;
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
