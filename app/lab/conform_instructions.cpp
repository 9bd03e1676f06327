// One row an instruction. What stands in a row reads a, b, c of each type from random bits (%r10 %r11 %r12,
// %rd.., %f.., %fd.., %rs..), floats in (-3, 3) from %f20 %f21, positive ones from %f22, and leaves its
// result in %r30, %rd30, %f30, %fd30, %rs30 or %p30. %r0 is the thread in its block, %r1 its lane. `s` is 4
// KiB of shared memory, %rd1 4 KiB of global memory of the block's own.
#include "lab/conform.h"

namespace warpbook {

namespace {

constexpr Bound bits{};
// Bounds of PTX ISA 9.0, "Floating Point Instructions"; one unit in the last place of f32 is 2^-23.
constexpr Bound rcp_bound{Bound::Kind::f32, 1.2e-7, 1e-38};    // 1 unit
constexpr Bound sqrt_bound{Bound::Kind::f32, 2.4e-7, 1e-38};   // 2^-23 relative, here and there
constexpr Bound rsqrt_bound{Bound::Kind::f32, 3.6e-7, 1e-38};  // 2^-22.9
constexpr Bound div_bound{Bound::Kind::f32, 4.8e-7, 1e-38};    // 2 units
constexpr Bound ex2_bound{Bound::Kind::f32, 4.8e-7, 1e-38};    // 2 + units
constexpr Bound lg2_bound{Bound::Kind::f32, 2.4e-7, 6e-7};     // 2^-22 absolute near 1
constexpr Bound sin_bound{Bound::Kind::f32, 0, 1e-6};          // 2^-20.5 absolute in [-pi, pi]
constexpr Bound tanh_bound{Bound::Kind::f32, 9.8e-4, 1e-6};    // 2^-11 relative
constexpr Bound half_exact{};

const std::vector<InstructionCase> table = {
    // Integer arithmetic
    {"add", "add.s32 %r30, %r10, %r11;", 'r', bits},
    {"add", "add.sat.s32 %r30, %r10, %r11;", 'r', bits},
    {"add", "add.u64 %rd30, %rd10, %rd11;", 'l', bits},
    {"add", "add.u16 %rs30, %rs10, %rs11;", 'h', bits},
    {"addc", "add.cc.u32 %r31, %r10, %r11;\naddc.u32 %r30, %r12, 0;", 'r', bits},
    {"sub", "sub.s32 %r30, %r10, %r11;", 'r', bits},
    {"sub", "sub.sat.s32 %r30, %r10, %r11;", 'r', bits},
    {"sub", "sub.s64 %rd30, %rd10, %rd11;", 'l', bits},
    {"subc", "sub.cc.u32 %r31, %r10, %r11;\nsubc.u32 %r30, %r12, 7;", 'r', bits},
    {"mul", "mul.lo.s32 %r30, %r10, %r11;", 'r', bits},
    {"mul", "mul.hi.s32 %r30, %r10, %r11;", 'r', bits},
    {"mul", "mul.hi.u32 %r30, %r10, %r11;", 'r', bits},
    {"mul", "mul.wide.s32 %rd30, %r10, %r11;", 'l', bits},
    {"mul", "mul.wide.u16 %r30, %rs10, %rs11;", 'r', bits},
    {"mul", "mul.lo.u64 %rd30, %rd10, %rd11;", 'l', bits},
    {"mul", "mul.hi.s64 %rd30, %rd10, %rd11;", 'l', bits},
    {"mul24", "mul24.lo.s32 %r30, %r10, %r11;", 'r', bits},
    {"mul24", "mul24.hi.u32 %r30, %r10, %r11;", 'r', bits},
    {"mad", "mad.lo.s32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"mad", "mad.hi.sat.s32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"mad", "mad.wide.u32 %rd30, %r10, %r11, %rd12;", 'l', bits},
    {"mad24", "mad24.lo.u32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"madc", "mad.lo.cc.u32 %r31, %r10, %r11, %r12;\nmadc.hi.u32 %r30, %r10, %r11, 0;", 'r', bits},
    {"div", "or.b32 %r31, %r11, 1;\ndiv.s32 %r30, %r10, %r31;", 'r', bits},
    {"div", "or.b32 %r31, %r11, 1;\ndiv.u32 %r30, %r10, %r31;", 'r', bits},
    {"div", "or.b64 %rd31, %rd11, 1;\ndiv.s64 %rd30, %rd10, %rd31;", 'l', bits},
    {"rem", "or.b32 %r31, %r11, 1;\nrem.s32 %r30, %r10, %r31;", 'r', bits},
    {"rem", "or.b64 %rd31, %rd11, 1;\nrem.u64 %rd30, %rd10, %rd31;", 'l', bits},
    {"abs", "abs.s32 %r30, %r10;", 'r', bits},
    {"neg", "neg.s64 %rd30, %rd10;", 'l', bits},
    {"min", "min.s32 %r30, %r10, %r11;", 'r', bits},
    {"min", "min.u64 %rd30, %rd10, %rd11;", 'l', bits},
    {"max", "max.u32 %r30, %r10, %r11;", 'r', bits},
    {"max", "max.s16 %rs30, %rs10, %rs11;", 'h', bits},
    {"sad", "sad.s32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"sad", "sad.u32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"dp4a", "dp4a.s32.s32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"dp4a", "dp4a.u32.u32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"dp2a", "dp2a.lo.s32.u32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"dp2a", "dp2a.hi.u32.s32 %r30, %r10, %r11, %r12;", 'r', bits},
    // Bits
    {"and", "and.b32 %r30, %r10, %r11;", 'r', bits},
    {"or", "or.b64 %rd30, %rd10, %rd11;", 'l', bits},
    {"xor", "xor.b32 %r30, %r10, %r11;", 'r', bits},
    {"not", "not.b32 %r30, %r10;", 'r', bits},
    {"cnot", "and.b32 %r31, %r10, 3;\ncnot.b32 %r30, %r31;", 'r', bits},
    {"lop3", "lop3.b32 %r30, %r10, %r11, %r12, 0x96;", 'r', bits},
    {"lop3", "lop3.b32 %r30, %r10, %r11, %r12, 0xCA;", 'r', bits},
    {"shl", "and.b32 %r31, %r11, 63;\nshl.b32 %r30, %r10, %r31;", 'r', bits},
    {"shl", "and.b32 %r31, %r11, 127;\nshl.b64 %rd30, %rd10, %r31;", 'l', bits},
    {"shr", "and.b32 %r31, %r11, 63;\nshr.s32 %r30, %r10, %r31;", 'r', bits},
    {"shr", "and.b32 %r31, %r11, 127;\nshr.u64 %rd30, %rd10, %r31;", 'l', bits},
    {"shf", "shf.l.wrap.b32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"shf", "shf.r.clamp.b32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"popc", "popc.b32 %r30, %r10;", 'r', bits},
    {"popc", "popc.b64 %r30, %rd10;", 'r', bits},
    {"clz", "clz.b32 %r30, %r10;", 'r', bits},
    {"clz", "clz.b64 %r30, %rd10;", 'r', bits},
    {"brev", "brev.b32 %r30, %r10;", 'r', bits},
    {"brev", "brev.b64 %rd30, %rd10;", 'l', bits},
    {"bfind", "bfind.u32 %r30, %r10;", 'r', bits},
    {"bfind", "bfind.shiftamt.s64 %r30, %rd10;", 'r', bits},
    {"bfe", "and.b32 %r31, %r11, 63;\nand.b32 %r32, %r12, 63;\nbfe.s32 %r30, %r10, %r31, %r32;", 'r', bits},
    {"bfe", "and.b32 %r31, %r11, 63;\nand.b32 %r32, %r12, 63;\nbfe.u64 %rd30, %rd10, %r31, %r32;", 'l', bits},
    {"bfi", "and.b32 %r31, %r11, 31;\nand.b32 %r32, %r12, 31;\nbfi.b32 %r30, %r10, %r11, %r31, %r32;", 'r',
     bits},
    {"bmsk", "and.b32 %r31, %r11, 31;\nand.b32 %r32, %r12, 31;\nbmsk.clamp.b32 %r30, %r31, %r32;", 'r', bits},
    {"szext", "and.b32 %r31, %r11, 31;\nszext.wrap.s32 %r30, %r10, %r31;", 'r', bits},
    {"fns", "and.b32 %r31, %r11, 31;\nfns.b32 %r30, %r10, %r31, 2;", 'r', bits},
    {"prmt", "prmt.b32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"prmt", "prmt.b32.f4e %r30, %r10, %r11, %r12;", 'r', bits},
    {"prmt", "prmt.b32.rc16 %r30, %r10, %r11, %r12;", 'r', bits},
    // Comparison and choice
    {"setp", "setp.lt.s32 %p30, %r10, %r11;", 'p', bits},
    {"setp", "setp.hs.u64 %p30, %rd10, %rd11;", 'p', bits},
    {"setp", "setp.leu.f32 %p30, %f10, %f11;", 'p', bits},
    {"setp", "setp.ne.f64 %p30, %fd10, %fd11;", 'p', bits},
    {"setp", "setp.nan.f32 %p30, %f10, %f11;", 'p', bits},
    {"set", "set.gt.u32.f32 %r30, %f10, %f11;", 'r', bits},
    {"set", "set.eq.f32.s32 %f30, %r10, %r11;", 'f', bits},
    {"selp", "setp.lt.s32 %p1, %r10, %r11;\nselp.b32 %r30, %r11, %r12, %p1;", 'r', bits},
    {"slct", "slct.s32.f32 %r30, %r10, %r11, %f12;", 'r', bits},
    {"testp", "testp.subnormal.f32 %p30, %f10;", 'p', bits},
    {"testp", "testp.finite.f64 %p30, %fd10;", 'p', bits},
    // Video
    {"vadd2", "vadd2.s32.s32.s32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"vmax4", "vmax4.u32.u32.u32 %r30, %r10, %r11, %r12;", 'r', bits},
    {"vabsdiff4", "vabsdiff4.u32.u32.u32.add %r30, %r10, %r11, %r12;", 'r', bits},
    {"vset4", "vset4.s32.s32.lt %r30, %r10, %r11, %r12;", 'r', bits},
    // Floating point, exact
    {"add.f", "add.f32 %f30, %f10, %f11;", 'f', bits},
    {"add.f", "add.rz.ftz.f32 %f30, %f10, %f11;", 'f', bits},
    {"add.f", "add.rm.f64 %fd30, %fd10, %fd11;", 'd', bits},
    {"add.f", "add.sat.f32 %f30, %f20, %f21;", 'f', bits},
    {"sub.f", "sub.rp.f32 %f30, %f10, %f11;", 'f', bits},
    {"mul.f", "mul.f32 %f30, %f10, %f11;", 'f', bits},
    {"mul.f", "mul.rm.f64 %fd30, %fd10, %fd11;", 'd', bits},
    {"fma", "fma.rn.f32 %f30, %f10, %f11, %f12;", 'f', bits},
    {"fma", "fma.rn.ftz.f32 %f30, %f20, %f21, %f12;", 'f', bits},
    {"fma", "fma.rz.f64 %fd30, %fd10, %fd11, %fd12;", 'd', bits},
    {"div.f", "div.rn.f32 %f30, %f10, %f11;", 'f', bits},
    {"div.f", "div.rn.f64 %fd30, %fd10, %fd11;", 'd', bits},
    {"rcp.f", "rcp.rn.f32 %f30, %f10;", 'f', bits},
    {"rcp.f", "rcp.rn.f64 %fd30, %fd10;", 'd', bits},
    {"sqrt.f", "sqrt.rn.f32 %f30, %f10;", 'f', bits},
    {"sqrt.f", "sqrt.rn.f64 %fd30, %fd10;", 'd', bits},
    {"abs.f", "abs.ftz.f32 %f30, %f10;", 'f', bits},
    {"neg.f", "neg.f64 %fd30, %fd10;", 'd', bits},
    {"min.f", "min.f32 %f30, %f10, %f11;", 'f', bits},
    {"max.f", "max.NaN.f32 %f30, %f10, %f11;", 'f', bits},
    {"max.f", "max.f64 %fd30, %fd10, %fd11;", 'd', bits},
    {"copysign", "copysign.f32 %f30, %f10, %f11;", 'f', bits},
    // Half precision
    {"half", "add.rn.f16 %rs30, %rs10, %rs11;", 'h', half_exact},
    {"half", "mul.rn.f16 %rs30, %rs10, %rs11;", 'h', half_exact},
    {"half", "fma.rn.f16x2 %r30, %r10, %r11, %r12;", 'r', half_exact},
    {"half", "fma.rn.relu.bf16x2 %r30, %r10, %r11, %r12;", 'r', half_exact},
    {"half", "max.f16x2 %r30, %r10, %r11;", 'r', half_exact},
    {"half", "neg.f16 %rs30, %rs10;", 'h', half_exact},
    {"half", "setp.lt.f16 %p30, %rs10, %rs11;", 'p', half_exact},
    // Conversions
    {"cvt", "cvt.rn.f32.s32 %f30, %r10;", 'f', bits},
    {"cvt", "cvt.rp.f32.u64 %f30, %rd10;", 'f', bits},
    {"cvt", "cvt.rzi.s32.f32 %r30, %f10;", 'r', bits},
    {"cvt", "cvt.rni.s64.f64 %rd30, %fd10;", 'l', bits},
    {"cvt", "cvt.rmi.f32.f32 %f30, %f10;", 'f', bits},
    {"cvt", "cvt.rn.f32.f64 %f30, %fd10;", 'f', bits},
    {"cvt", "cvt.f64.f32 %fd30, %f10;", 'd', bits},
    {"cvt", "cvt.rn.f16.f32 %rs30, %f10;", 'h', bits},
    {"cvt", "cvt.f32.f16 %f30, %rs10;", 'f', bits},
    {"cvt", "cvt.rn.bf16x2.f32 %r30, %f10, %f11;", 'r', bits},
    {"cvt", "cvt.s32.s8 %r30, %r10;", 'r', bits},
    {"cvt", "cvt.sat.u8.s32 %r30, %r10;", 'r', bits},
    // Approximate functions
    {"rcp.approx", "rcp.approx.f32 %f30, %f21;", 'f', rcp_bound},
    {"sqrt.approx", "sqrt.approx.f32 %f30, %f22;", 'f', sqrt_bound},
    {"rsqrt.approx", "rsqrt.approx.f32 %f30, %f22;", 'f', rsqrt_bound},
    {"div.approx", "div.approx.f32 %f30, %f20, %f22;", 'f', div_bound},
    {"div.full", "div.full.f32 %f30, %f20, %f22;", 'f', div_bound},
    {"ex2.approx", "ex2.approx.f32 %f30, %f20;", 'f', ex2_bound},
    {"lg2.approx", "lg2.approx.f32 %f30, %f22;", 'f', lg2_bound},
    {"sin.approx", "sin.approx.f32 %f30, %f20;", 'f', sin_bound},
    {"cos.approx", "cos.approx.f32 %f30, %f20;", 'f', sin_bound},
    {"tanh.approx", "tanh.approx.f32 %f30, %f20;", 'f', tanh_bound},
    // Lanes
    {"shfl", "shfl.sync.bfly.b32 %r30, %r10, 5, 31, 0xffffffff;", 'r', bits},
    {"shfl", "shfl.sync.up.b32 %r30|%p1, %r10, 3, 0, 0xffffffff;\n@!%p1 mov.u32 %r30, 9;", 'r', bits},
    {"shfl", "shfl.sync.down.b32 %r30, %r10, 7, 0x101f, 0xffffffff;", 'r', bits},
    {"shfl", "shfl.sync.idx.b32 %r30, %r10, %r11, 31, 0xffffffff;", 'r', bits},
    {"vote", "setp.lt.s32 %p1, %r10, %r11;\nvote.sync.ballot.b32 %r30, %p1, 0xffffffff;", 'r', bits},
    {"vote", "setp.lt.u32 %p1, %r10, 0xe0000000;\nvote.sync.any.pred %p30, %p1, 0xffffffff;", 'p', bits},
    {"vote", "setp.lt.u32 %p1, %r10, 0xe0000000;\nvote.sync.all.pred %p30, %p1, 0xffffffff;", 'p', bits},
    {"match", "and.b32 %r31, %r10, 3;\nmatch.any.sync.b32 %r30, %r31, 0xffffffff;", 'r', bits},
    {"redux", "redux.sync.add.s32 %r30, %r10, 0xffffffff;", 'r', bits},
    {"redux", "redux.sync.min.u32 %r30, %r10, 0xffffffff;", 'r', bits},
    {"redux", "redux.sync.xor.b32 %r30, %r10, 0xffffffff;", 'r', bits},
    {"activemask",
     "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra LOW;\nmov.u32 %r30, 1;\nbra DONE;\nLOW:\n"
     "activemask.b32 %r30;\nDONE:",
     'r', bits},
    // Memory
    {"ld st",
     "mul.wide.u32 %rd31, %r0, 16;\nadd.u64 %rd31, %rd31, %rd1;\n"
     "st.global.v4.u32 [%rd31], {%r10, %r11, %r12, %r0};\nld.global.v2.u64 {%rd30, %rd32}, [%rd31];\n"
     "xor.b64 %rd30, %rd30, %rd32;",
     'l', bits},
    {"ld st",
     "mul.wide.u32 %rd31, %r0, 4;\nadd.u64 %rd31, %rd31, %rd1;\nst.global.u32 [%rd31], %r10;\n"
     "ld.global.s8 %r30, [%rd31+1];",
     'r', bits},
    {"ld st",
     "shl.b32 %r31, %r0, 2;\nmov.u32 %r32, s;\nadd.u32 %r31, %r31, %r32;\nst.shared.u32 [%r31], %r10;\n"
     "bar.sync 0;\nxor.b32 %r33, %r0, 33;\nshl.b32 %r33, %r33, 2;\nadd.u32 %r33, %r33, %r32;\n"
     "ld.shared.u32 %r30, [%r33];",
     'r', bits},
    {"ld st",
     "mov.u64 %rd31, l;\ncvta.local.u64 %rd32, %rd31;\nst.u64 [%rd32+8], %rd10;\n"
     "ld.local.u64 %rd30, [l+8];",
     'l', bits},
    {"ld const",
     "and.b32 %r31, %r10, 3;\nmul.wide.u32 %rd31, %r31, 4;\nmov.u64 %rd32, c;\n"
     "add.u64 %rd32, %rd32, %rd31;\nld.const.u32 %r30, [%rd32];",
     'r', bits},
    {"cvta",
     "mov.u32 %r31, s;\ncvt.u64.u32 %rd31, %r31;\ncvta.shared.u64 %rd32, %rd31;\n"
     "isspacep.shared %p30, %rd32;",
     'p', bits},
    {"atom",
     "mov.u32 %r31, s;\nsetp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [%r31], 5;\nbar.sync 0;\n"
     "atom.shared.add.u32 %r32, [%r31], %r10;\nbar.sync 0;\nld.shared.u32 %r30, [%r31];",
     'r', bits},
    {"atom", "atom.global.max.s32 %r31, [%rd1], %r10;\nbar.sync 0;\nld.volatile.global.u32 %r30, [%rd1];",
     'r', bits},
    {"atom",
     "mul.wide.u32 %rd31, %r0, 8;\nadd.u64 %rd31, %rd31, %rd1;\nst.global.u64 [%rd31], %rd10;\n"
     "atom.global.cas.b64 %rd32, [%rd31], %rd10, %rd11;\nld.global.u64 %rd30, [%rd31];",
     'l', bits},
    {"atom",
     "mul.wide.u32 %rd31, %r0, 4;\nadd.u64 %rd31, %rd31, %rd1;\nst.global.f32 [%rd31], %f20;\n"
     "atom.global.add.f32 %f31, [%rd31], %f21;\nld.global.f32 %f30, [%rd31];",
     'f', bits},
    {"red", "red.global.xor.b32 [%rd1+64], %r10;\nbar.sync 0;\nld.volatile.global.u32 %r30, [%rd1+64];", 'r',
     bits},
    {"bar", "setp.lt.s32 %p1, %r10, 0;\nbar.red.popc.u32 %r30, 0, %p1;", 'r', bits},
    {"bar", "setp.lt.s32 %p1, %r10, 0;\nbar.red.or.pred %p30, 0, %p1;", 'p', bits},
    {"cp.async",
     "mul.wide.u32 %rd31, %r0, 16;\nadd.u64 %rd31, %rd31, %rd1;\n"
     "st.global.v4.u32 [%rd31], {%r10, %r11, %r12, %r0};\nshl.b32 %r31, %r0, 4;\nmov.u32 %r32, s;\n"
     "add.u32 %r31, %r31, %r32;\ncp.async.cg.shared.global [%r31], [%rd31], 16;\n"
     "cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.u32 %r30, [%r31+8];",
     'r', bits},
    // Control flow
    {"bra",
     "and.b32 %r31, %r10, 15;\nmov.u32 %r30, %r11;\nAGAIN:\nsetp.eq.u32 %p1, %r31, 0;\n@%p1 bra OUT;\n"
     "mad.lo.u32 %r30, %r30, 1664525, 1013904223;\nsub.u32 %r31, %r31, 1;\nbra.uni AGAIN;\nOUT:",
     'r', bits},
    {"brx",
     "and.b32 %r31, %r10, 1;\ntable: .branchtargets ONE, TWO;\nbrx.idx %r31, table;\nONE:\n"
     "mov.u32 %r30, %r11;\nbra.uni END;\nTWO:\nmov.u32 %r30, %r12;\nEND:",
     'r', bits},
    {"call",
     "{\n.param .b32 x;\n.param .b32 y;\nst.param.b32 [x], %r10;\ncall.uni (y), twice, (x);\n"
     "ld.param.b32 %r30, [y];\n}",
     'r', bits},
    // Matrices: whole numbers, whose sums are exact on every GPU
    {"mma",
     "and.b32 %r31, %r1, 3;\ncvt.rn.f32.u32 %f31, %r31;\ncvt.rn.f16x2.f32 %r32, %f31, %f31;\n"
     "mov.f32 %f32, 0f00000000;\nmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
     "{%f30, %f33, %f34, %f35}, {%r32, %r32, %r32, %r32}, {%r32, %r32}, {%f32, %f32, %f32, %f32};\n"
     "add.f32 %f30, %f30, %f35;",
     'f', bits},
    {"mma",
     "mov.u32 %r31, 0;\nmma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r30, %r32, %r33, %r34}, "
     "{%r10, %r11, %r12, %r10}, {%r11, %r12}, {%r31, %r31, %r31, %r31};\nxor.b32 %r30, %r30, %r34;",
     'r', bits},
    {"ldmatrix",
     "shl.b32 %r31, %r0, 4;\nand.b32 %r31, %r31, 511;\nmov.u32 %r32, s;\nadd.u32 %r31, %r31, %r32;\n"
     "st.shared.v4.u32 [%r31], {%r0, %r0, %r1, 7};\nbar.sync 0;\n"
     "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r30, %r33, %r34, %r35}, [%r31];\n"
     "xor.b32 %r30, %r30, %r34;",
     'r', bits},
};

}  // namespace

const std::vector<InstructionCase>& instruction_cases() { return table; }

std::string ptx_of(const InstructionCase& one) {
  std::string code =
      ".version 7.8\n.target sm_80\n.address_size 64\n"
      ".const .align 4 .u32 c[4] = {11, 22, 33, 44};\n"
      ".func (.param .b32 y) twice(.param .b32 x)\n{\n.reg .b32 %a<3>;\nld.param.b32 %a1, [x];\n"
      "mul.lo.u32 %a2, %a1, 2;\nst.param.b32 [y], %a2;\nret;\n}\n"
      ".visible .entry k(.param .u64 results, .param .u64 words, .param .u64 moderate, .param .u64 "
      "scratch)\n{\n"
      ".reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n.reg .f32 %f<40>;\n.reg .f64 %fd<40>;\n.reg .b16 %rs<40>;\n"
      ".reg .pred %p<40>;\n.shared .align 16 .b8 s[4096];\n.local .align 8 .b8 l[16];\n"
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %laneid;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 64, %r0;\n"
      "ld.param.u64 %rd0, [results];\nmul.wide.u32 %rd3, %r3, 8;\nadd.u64 %rd0, %rd0, %rd3;\n"
      "ld.param.u64 %rd1, [scratch];\nmul.wide.u32 %rd4, %r2, 4096;\nadd.u64 %rd1, %rd1, %rd4;\n"
      "ld.param.u64 %rd2, [words];\nmul.wide.u32 %rd5, %r3, 24;\nadd.u64 %rd2, %rd2, %rd5;\n"
      "ld.global.u64 %rd10, [%rd2];\nld.global.u64 %rd11, [%rd2+8];\nld.global.u64 %rd12, [%rd2+16];\n"
      "ld.param.u64 %rd6, [moderate];\nmul.wide.u32 %rd7, %r3, 12;\nadd.u64 %rd6, %rd6, %rd7;\n"
      "ld.global.f32 %f20, [%rd6];\nld.global.f32 %f21, [%rd6+4];\nld.global.f32 %f22, [%rd6+8];\n";
  for (const char* n : {"10", "11", "12"}) {
    const std::string i = n;
    code += "cvt.u32.u64 %r" + i + ", %rd" + i + ";\nmov.b64 %fd" + i + ", %rd" + i + ";\nmov.b32 %f" + i +
            ", %r" + i + ";\ncvt.u16.u32 %rs" + i + ", %r" + i + ";\n";
  }
  code += one.text;
  code += "\n";
  switch (one.result) {
    case 'r': code += "cvt.u64.u32 %rd38, %r30;\n"; break;
    case 'l': code += "mov.u64 %rd38, %rd30;\n"; break;
    case 'f': code += "mov.b32 %r38, %f30;\ncvt.u64.u32 %rd38, %r38;\n"; break;
    case 'd': code += "mov.b64 %rd38, %fd30;\n"; break;
    case 'h': code += "cvt.u64.u16 %rd38, %rs30;\n"; break;
    default: code += "selp.u32 %r38, 1, 0, %p30;\ncvt.u64.u32 %rd38, %r38;\n"; break;
  }
  return code + "st.global.u64 [%rd0], %rd38;\nret;\n}\n";
}

}  // namespace warpbook
