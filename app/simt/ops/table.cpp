// The instruction table: one row an opcode, sorted, so that the decoder can search it by halves.
#include "simt/ops/all_families.h"

namespace warpbook::simt::WARPBOOK_ISA {

bool decode_shadow(const ptx::Instruction&, Encoder&, Inst&);  // shadow: no instruction of PTX

namespace {

// clang-format off
// opcode, decode, leading operands written, ends a basic block, what is covered
constexpr Family rows[] = {
    {"%shadow", decode_shadow, 0, false, "decode adds it to debug builds: values that nothing has written"},
    {"abs", decode_abs, 1, false, "s16 s32 s64; f32 f64 f16 f16x2 bf16 bf16x2, .ftz"},
    {"activemask", decode_activemask, 1, false, "b32"},
    {"add", decode_add, 1, false, "16, 16x2, 32 and 64 bits, .sat.s32, .cc; f32 f64 (rn rz rm rp) f16 bf16, .ftz .sat"},
    {"addc", decode_addc, 1, false, "32 and 64 bits, .cc"},
    {"and", decode_and, 1, false, "b16 b32 b64 pred"},
    {"applypriority", decode_prefetch, 0, false, "a hint; nothing to do"},
    {"atom", decode_atom, 1, false, "global shared local generic: add min max inc dec and or xor exch cas; u32 s32 u64 s64 b16 (cas) b32 b64 f32 f64, .noftz f16 f16x2 bf16 bf16x2; vectors of those and of f32"},
    {"bar", decode_bar, 0, false, "sync, arrive, red.popc red.and red.or, with number and threads; warp.sync"},
    {"barrier", decode_barrier, 0, false, "as bar, .cta and .aligned allowed; no clusters"},
    {"bfe", decode_bfe, 1, false, "u32 s32 u64 s64"},
    {"bfi", decode_bfi, 1, false, "b32 b64"},
    {"bfind", decode_bfind, 1, false, "u32 s32 u64 s64, .shiftamt"},
    {"bmsk", decode_bmsk, 1, false, "clamp and wrap, b32"},
    {"bra", decode_bra, 0, true, "with and without .uni"},
    {"brev", decode_brev, 1, false, "b32 b64"},
    {"brkpt", decode_brkpt, 0, true, "stops the kernel, as without a debugger"},
    {"brx", decode_brx, 0, true, "idx, unguarded"},
    {"call", decode_call, 0, true, "direct, through pointers, recursive; vprintf and __assertfail"},
    {"clz", decode_clz, 1, false, "b32 b64"},
    {"cnot", decode_cnot, 1, false, "b16 b32 b64"},
    {"copysign", decode_copysign, 1, false, "f32 f64"},
    {"cos", decode_cos, 1, false, ".approx.f32, .ftz"},
    {"cp", decode_cp, 0, false, "async.ca and .cg of 4, 8 and 16 bytes with bytes to take or ignore-src, commit_group, wait_group, wait_all, async.mbarrier.arrive; no bulk copies"},
    {"cvt", decode_cvt, 1, false, "between integers, f16, bf16, f32 and f64; all roundings, .sat .ftz; packed f16x2 and bf16x2 from f32; tf32, e4m3x2 and e5m2x2"},
    {"cvta", decode_cvta, 1, false, "global shared local const param, both ways"},
    {"discard", decode_prefetch, 0, false, "a hint; nothing to do"},
    {"div", decode_div, 1, false, "16, 32 and 64 bits; f32 (approx, full, rn rz rm rp) f64, .ftz"},
    {"dp2a", decode_dp2a, 1, false, "lo and hi, signed and unsigned"},
    {"dp4a", decode_dp4a, 1, false, "signed and unsigned"},
    {"ex2", decode_ex2, 1, false, ".approx: f32 f16 f16x2 bf16 bf16x2, .ftz"},
    {"exit", decode_exit, 0, true, "all forms"},
    {"fence", decode_fence, 0, false, "all forms; memory is always in order here"},
    {"fma", decode_fma, 1, false, "f32 f64 (rn rz rm rp) f16 f16x2 bf16 bf16x2, .ftz .sat .relu"},
    {"fns", decode_fns, 1, false, "b32"},
    {"isspacep", decode_isspacep, 1, false, "global const shared local param"},
    {"ld", decode_ld, 1, false, "every space; 8 to 64 bits, .v2 .v4 .v8; volatile, relaxed, acquire; cache hints are taken"},
    {"ldmatrix", decode_ldmatrix, 1, false, "m8n8 x1 x2 x4, .trans, b16"},
    {"ldu", decode_ld, 1, false, "as ld"},
    {"lg2", decode_lg2, 1, false, ".approx.f32, .ftz"},
    {"lop3", decode_lop3, 1, false, "b32, with .and and .or to a predicate"},
    {"mad", decode_mad, 1, false, "lo hi wide, .sat, .cc; f32 f64"},
    {"mad24", decode_mad24, 1, false, "lo hi, .sat"},
    {"madc", decode_madc, 1, false, "lo hi, 32 and 64 bits, .cc"},
    {"match", decode_match, 1, false, "any.sync and all.sync, b32 b64"},
    {"max", decode_max, 1, false, "16, 16x2, 32 and 64 bits; f32 f64 f16 f16x2 bf16 bf16x2, .ftz .NaN .xorsign.abs; .relu of s16x2 and s32"},
    {"mbarrier", decode_mbarrier, 1, false, "init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait pending_count, .parity .noComplete"},
    {"membar", decode_membar, 0, false, "all forms; memory is always in order here"},
    {"min", decode_min, 1, false, "16, 16x2, 32 and 64 bits; f32 f64 f16 f16x2 bf16 bf16x2, .ftz .NaN .xorsign.abs; .relu of s16x2 and s32"},
    {"mma", decode_mma, 1, false, "f16 bf16 tf32 e4m3 e5m2 f64 s8 u8 s4 u4 b1 (xor and), every dense shape from m8n8k16 to m16n8k256; f16 m8n8k4, sparse and block-scaled forms are not known"},
    {"mov", decode_mov, 1, false, "16, 32 and 64 bits, pred, packing and unpacking of vectors, addresses, special registers"},
    {"movmatrix", decode_movmatrix, 1, false, "m8n8.trans.b16"},
    {"mul", decode_mul, 1, false, "lo hi wide of 16, 32 and 64 bits; f32 f64 (rn rz rm rp) f16 bf16, .ftz .sat"},
    {"mul24", decode_mul24, 1, false, "lo hi"},
    {"nanosleep", decode_nanosleep, 0, false, "gives way to other warps; the time is not kept"},
    {"neg", decode_neg, 1, false, "s16 s32 s64; f32 f64 f16 f16x2 bf16 bf16x2, .ftz"},
    {"not", decode_not, 1, false, "b16 b32 b64 pred"},
    {"or", decode_or, 1, false, "b16 b32 b64 pred"},
    {"popc", decode_popc, 1, false, "b32 b64"},
    {"prefetch", decode_prefetch, 0, false, "a hint; nothing to do"},
    {"prefetchu", decode_prefetch, 0, false, "a hint; nothing to do"},
    {"prmt", decode_prmt, 1, false, "b32, all modes"},
    {"rcp", decode_rcp, 1, false, "f32 (approx, rn rz rm rp) f64 (approx.ftz, rn rz rm rp), .ftz"},
    {"red", decode_red, 0, false, "as atom"},
    {"redux", decode_redux, 1, false, "sync: add min max u32 s32, and or xor b32"},
    {"rem", decode_rem, 1, false, "16, 32 and 64 bits"},
    {"ret", decode_ret, 0, true, "with and without .uni"},
    {"rsqrt", decode_rsqrt, 1, false, ".approx: f32 f64, .ftz"},
    {"sad", decode_sad, 1, false, "16, 32 and 64 bits"},
    {"selp", decode_selp, 1, false, "16, 32 and 64 bits"},
    {"set", decode_set, 1, false, "every comparison of setp, to u32 s32 f32 f16 u16"},
    {"setp", decode_setp, 1, false, "every comparison; 16, 32 and 64 bits, f32 f64 f16 f16x2 bf16 bf16x2, .ftz; with .and .or .xor, and to two predicates"},
    {"shf", decode_shf, 1, false, "l and r, wrap and clamp, b32"},
    {"shfl", decode_shfl, 1, false, "sync: up down bfly idx, b32, with and without the predicate"},
    {"shl", decode_shl, 1, false, "b16 b32 b64"},
    {"shr", decode_shr, 1, false, "16, 32 and 64 bits"},
    {"sin", decode_sin, 1, false, ".approx.f32, .ftz"},
    {"slct", decode_slct, 1, false, "16, 32 and 64 bits, chosen by s32 or f32, .ftz"},
    {"sqrt", decode_sqrt, 1, false, "f32 (approx, rn rz rm rp) f64, .ftz"},
    {"st", decode_st, 0, false, "every space but const; 8 to 64 bits, .v2 .v4 .v8; volatile, relaxed, release"},
    {"stmatrix", decode_stmatrix, 0, false, "m8n8 x1 x2 x4, .trans, b16"},
    {"sub", decode_sub, 1, false, "16, 32 and 64 bits, .sat.s32, .cc; f32 f64 (rn rz rm rp) f16 bf16, .ftz .sat"},
    {"subc", decode_subc, 1, false, "32 and 64 bits, .cc"},
    {"szext", decode_szext, 1, false, "clamp and wrap, u32 s32"},
    {"tanh", decode_tanh, 1, false, ".approx: f32 f16 f16x2 bf16 bf16x2"},
    {"testp", decode_testp, 1, false, "f32 f64"},
    {"trap", decode_trap, 0, true, "all forms"},
    {"vabsdiff2", decode_vabsdiff2, 1, false, "absolute differences of 16-bit halves, .sat .add; whole registers"},
    {"vabsdiff4", decode_vabsdiff4, 1, false, "absolute differences of bytes, .sat .add; whole registers"},
    {"vadd2", decode_vadd2, 1, false, "sums of 16-bit halves, .sat .add; whole registers"},
    {"vadd4", decode_vadd4, 1, false, "sums of bytes, .sat .add; whole registers"},
    {"vmax2", decode_vmax2, 1, false, "maxima of 16-bit halves, .sat .add; whole registers"},
    {"vmax4", decode_vmax4, 1, false, "maxima of bytes, .sat .add; whole registers"},
    {"vmin2", decode_vmin2, 1, false, "minima of 16-bit halves, .sat .add; whole registers"},
    {"vmin4", decode_vmin4, 1, false, "minima of bytes, .sat .add; whole registers"},
    {"vote", decode_vote, 1, false, "all any uni ballot, with .sync and without"},
    {"vset2", decode_vset2, 1, false, "comparisons of 16-bit halves, .add; whole registers"},
    {"vset4", decode_vset4, 1, false, "comparisons of bytes, .add; whole registers"},
    {"vsub2", decode_vsub2, 1, false, "differences of 16-bit halves, .sat .add; whole registers"},
    {"vsub4", decode_vsub4, 1, false, "differences of bytes, .sat .add; whole registers"},
    {"wmma", decode_wmma, 1, false, "load, mma and store of f16 bf16 tf32 f64 s8 u8 s4 u4 b1 in all shapes, row and col"},
    {"xor", decode_xor, 1, false, "b16 b32 b64 pred"},
};
// clang-format on

constexpr bool sorted() {
  for (size_t i = 1; i < sizeof rows / sizeof rows[0]; ++i) {
    if (!(rows[i - 1].opcode < rows[i].opcode)) return false;
  }
  return true;
}
static_assert(sorted(), "the rows must stay in the order of their opcodes");

}  // namespace

std::span<const Family> families() { return rows; }

}  // namespace warpbook::simt::WARPBOOK_ISA
