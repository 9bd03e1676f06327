#pragma once
// What a cvt asks for, shared by its two files.
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {

/// Rounding to an integral value: .rni .rzi .rmi .rpi.
enum class Integral : uint8_t { none, nearest, zero, down, up };

struct Conversion {
  ptx::Type from = ptx::Type::none, to = ptx::Type::none;
  Rounding rounding = Rounding::nearest;
  Integral integral = Integral::none;
  bool saturate = false, ftz = false, relu = false;
  bool wide_source = false, wide_result = false;  ///< in a 64-bit slot
};

/// Lane by lane, any pair of types.
bool use_general_conversion(Inst& inst, const Conversion& how);
/// Two f32 into f16x2 or bf16x2.
bool decode_cvt_packed(const ptx::Instruction&, Encoder&, Inst&, const Conversion& how);

/// To and from tf32 and the 8-bit floats: convert_narrow.
bool is_narrow_conversion(const ptx::Instruction& source);
bool decode_cvt_narrow(const ptx::Instruction& source, Encoder& encoder, Inst& inst);

}  // namespace warpbook::simt::WARPBOOK_ISA
