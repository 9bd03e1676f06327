#pragma once
// The decode functions of every family, one a line; table.cpp has their rows.
#include "simt/families.h"
#include "simt/ops/lanes.h"

namespace warpbook::simt::WARPBOOK_ISA {

// Arithmetic, logic, conversion (each in the file named in its comment).
bool decode_add(const ptx::Instruction&, Encoder&, Inst&);        // integer_add
bool decode_addc(const ptx::Instruction&, Encoder&, Inst&);       // integer_add
bool decode_sub(const ptx::Instruction&, Encoder&, Inst&);        // integer_add
bool decode_subc(const ptx::Instruction&, Encoder&, Inst&);       // integer_add
bool decode_neg(const ptx::Instruction&, Encoder&, Inst&);        // integer_add
bool decode_abs(const ptx::Instruction&, Encoder&, Inst&);        // integer_add
bool decode_sad(const ptx::Instruction&, Encoder&, Inst&);        // integer_add
bool decode_mul(const ptx::Instruction&, Encoder&, Inst&);        // integer_multiply
bool decode_mul24(const ptx::Instruction&, Encoder&, Inst&);      // integer_multiply
bool decode_mad(const ptx::Instruction&, Encoder&, Inst&);        // integer_multiply
bool decode_mad24(const ptx::Instruction&, Encoder&, Inst&);      // integer_multiply
bool decode_madc(const ptx::Instruction&, Encoder&, Inst&);       // integer_multiply
bool decode_dp2a(const ptx::Instruction&, Encoder&, Inst&);       // dot_product
bool decode_dp4a(const ptx::Instruction&, Encoder&, Inst&);       // dot_product
bool decode_div(const ptx::Instruction&, Encoder&, Inst&);        // integer_divide
bool decode_rem(const ptx::Instruction&, Encoder&, Inst&);        // integer_divide
bool decode_and(const ptx::Instruction&, Encoder&, Inst&);        // bitwise
bool decode_or(const ptx::Instruction&, Encoder&, Inst&);         // bitwise
bool decode_xor(const ptx::Instruction&, Encoder&, Inst&);        // bitwise
bool decode_not(const ptx::Instruction&, Encoder&, Inst&);        // bitwise
bool decode_cnot(const ptx::Instruction&, Encoder&, Inst&);       // bitwise
bool decode_lop3(const ptx::Instruction&, Encoder&, Inst&);       // bitwise
bool decode_shl(const ptx::Instruction&, Encoder&, Inst&);        // shift
bool decode_shr(const ptx::Instruction&, Encoder&, Inst&);        // shift
bool decode_shf(const ptx::Instruction&, Encoder&, Inst&);        // shift
bool decode_bfe(const ptx::Instruction&, Encoder&, Inst&);        // bitfield
bool decode_bfi(const ptx::Instruction&, Encoder&, Inst&);        // bitfield
bool decode_bfind(const ptx::Instruction&, Encoder&, Inst&);      // bitfield
bool decode_bmsk(const ptx::Instruction&, Encoder&, Inst&);       // bitfield
bool decode_brev(const ptx::Instruction&, Encoder&, Inst&);       // bitfield
bool decode_clz(const ptx::Instruction&, Encoder&, Inst&);        // bitfield
bool decode_fns(const ptx::Instruction&, Encoder&, Inst&);        // bitfield
bool decode_popc(const ptx::Instruction&, Encoder&, Inst&);       // bitfield
bool decode_prmt(const ptx::Instruction&, Encoder&, Inst&);       // bitfield
bool decode_szext(const ptx::Instruction&, Encoder&, Inst&);      // bitfield
bool decode_min(const ptx::Instruction&, Encoder&, Inst&);        // min_max
bool decode_max(const ptx::Instruction&, Encoder&, Inst&);        // min_max
bool decode_float_add(const ptx::Instruction&, Encoder&, Inst&);  // float_arithmetic
bool decode_float_sub(const ptx::Instruction&, Encoder&, Inst&);  // float_arithmetic
bool decode_float_mul(const ptx::Instruction&, Encoder&, Inst&);  // float_arithmetic
bool decode_float_neg(const ptx::Instruction&, Encoder&, Inst&);  // float_sign
bool decode_float_abs(const ptx::Instruction&, Encoder&, Inst&);  // float_sign
bool decode_copysign(const ptx::Instruction&, Encoder&, Inst&);   // float_sign
bool decode_testp(const ptx::Instruction&, Encoder&, Inst&);      // float_sign
bool decode_fma(const ptx::Instruction&, Encoder&, Inst&);        // float_fused
bool decode_float_div(const ptx::Instruction&, Encoder&, Inst&);  // float_divide
bool decode_rcp(const ptx::Instruction&, Encoder&, Inst&);        // float_divide
bool decode_sqrt(const ptx::Instruction&, Encoder&, Inst&);       // float_divide
bool decode_rsqrt(const ptx::Instruction&, Encoder&, Inst&);      // float_divide
bool decode_sin(const ptx::Instruction&, Encoder&, Inst&);        // float_special
bool decode_cos(const ptx::Instruction&, Encoder&, Inst&);        // float_special
bool decode_ex2(const ptx::Instruction&, Encoder&, Inst&);        // float_special
bool decode_lg2(const ptx::Instruction&, Encoder&, Inst&);        // float_special
bool decode_tanh(const ptx::Instruction&, Encoder&, Inst&);       // float_special
bool decode_half(const ptx::Instruction&, Encoder&,
                 Inst&);  // half: add sub mul fma min max neg abs of f16, bf16
bool decode_half_special(const ptx::Instruction&, Encoder&, Inst&);  // half: ex2 tanh
bool decode_set(const ptx::Instruction&, Encoder&, Inst&);           // compare
bool decode_setp(const ptx::Instruction&, Encoder&, Inst&);          // compare
bool decode_selp(const ptx::Instruction&, Encoder&, Inst&);          // select
bool decode_slct(const ptx::Instruction&, Encoder&, Inst&);          // select
bool decode_cvt(const ptx::Instruction&, Encoder&, Inst&);           // convert
bool decode_mov(const ptx::Instruction&, Encoder&, Inst&);           // move

// Control flow, barriers, warp-wide exchange.
bool decode_bra(const ptx::Instruction&, Encoder&, Inst&);         // control
bool decode_brx(const ptx::Instruction&, Encoder&, Inst&);         // control
bool decode_ret(const ptx::Instruction&, Encoder&, Inst&);         // control
bool decode_exit(const ptx::Instruction&, Encoder&, Inst&);        // control
bool decode_trap(const ptx::Instruction&, Encoder&, Inst&);        // control
bool decode_brkpt(const ptx::Instruction&, Encoder&, Inst&);       // control
bool decode_call(const ptx::Instruction&, Encoder&, Inst&);        // calls
bool decode_bar(const ptx::Instruction&, Encoder&, Inst&);         // barrier
bool decode_barrier(const ptx::Instruction&, Encoder&, Inst&);     // barrier
bool decode_nanosleep(const ptx::Instruction&, Encoder&, Inst&);   // sleep_fence
bool decode_membar(const ptx::Instruction&, Encoder&, Inst&);      // sleep_fence
bool decode_fence(const ptx::Instruction&, Encoder&, Inst&);       // sleep_fence
bool decode_shfl(const ptx::Instruction&, Encoder&, Inst&);        // warp_exchange
bool decode_vote(const ptx::Instruction&, Encoder&, Inst&);        // warp_exchange
bool decode_match(const ptx::Instruction&, Encoder&, Inst&);       // warp_exchange
bool decode_redux(const ptx::Instruction&, Encoder&, Inst&);       // warp_exchange
bool decode_activemask(const ptx::Instruction&, Encoder&, Inst&);  // warp_exchange

// Memory.
bool decode_ld(const ptx::Instruction&, Encoder&, Inst&);        // load_store
bool decode_st(const ptx::Instruction&, Encoder&, Inst&);        // load_store
bool decode_atom(const ptx::Instruction&, Encoder&, Inst&);      // atomic
bool decode_red(const ptx::Instruction&, Encoder&, Inst&);       // atomic
bool decode_cvta(const ptx::Instruction&, Encoder&, Inst&);      // address
bool decode_isspacep(const ptx::Instruction&, Encoder&, Inst&);  // address
bool decode_prefetch(const ptx::Instruction&, Encoder&, Inst&);  // address
bool decode_cp(const ptx::Instruction&, Encoder&, Inst&);        // async_copy
bool decode_mbarrier(const ptx::Instruction&, Encoder&, Inst&);  // mbarrier

// Matrices.
bool decode_wmma(const ptx::Instruction&, Encoder&, Inst&);             // matrix_memory
bool decode_ldmatrix(const ptx::Instruction&, Encoder&, Inst&);         // matrix_memory
bool decode_stmatrix(const ptx::Instruction&, Encoder&, Inst&);         // matrix_memory
bool decode_movmatrix(const ptx::Instruction&, Encoder&, Inst&);        // matrix_memory
bool decode_mma(const ptx::Instruction&, Encoder&, Inst&);              // matrix_multiply
bool decode_matrix_multiply(const ptx::Instruction&, Encoder&, Inst&);  // matrix_multiply: wmma.mma

// Video.
bool decode_vabsdiff2(const ptx::Instruction&, Encoder&, Inst&);  // video
bool decode_vabsdiff4(const ptx::Instruction&, Encoder&, Inst&);  // video
bool decode_vadd2(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vadd4(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vmax2(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vmax4(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vmin2(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vmin4(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vset2(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vset4(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vsub2(const ptx::Instruction&, Encoder&, Inst&);      // video
bool decode_vsub4(const ptx::Instruction&, Encoder&, Inst&);      // video

}  // namespace warpbook::simt::WARPBOOK_ISA
