// Damaged PTX: cut off anywhere, or with bytes changed. It may be refused or read, never crash or hang.
#include <random>

#include "catch.h"
#include "decode_table.h"

using namespace warpbook;
using namespace warpbook::simt;

namespace {

const std::string sample = R"(.version 9.0
.target sm_80
.address_size 64
.extern .func  (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.global .align 1 .b8 $str[7] = {104, 105, 32, 37, 100, 10};
.global .align 8 .u64 tab[2] = {helper, generic($str)+2};
.extern .shared .align 16 .b8 dynamic[];
.func  (.param .b32 func_retval0) helper(.param .b32 helper_param_0)
{
	.reg .b32 	%r<3>;
	ld.param.u32 	%r1, [helper_param_0];
	st.param.b32 	[func_retval0+0], %r1;
	ret;
}
.visible .entry kernel(.param .u64 kernel_param_0, .param .align 4 .b8 kernel_param_1[12])
.maxntid 256, 1, 1
{
	.local .align 8 .b8 	__local_depot0[8];
	.shared .align 4 .b8 _ZZ6kernelE4tile[256];
	.reg .pred 	%p<4>;
	.reg .f32 	%f<6>;
	.reg .b32 	%r<8>;
	.reg .b64 	%rd<8>;
	.loc	1 5 3
	ld.param.u64 	%rd1, [kernel_param_0];
	ld.param.u32 	%r1, [kernel_param_1+8];
	mov.u32 	%r2, %tid.x;
	.loc	2 9 1, function_name $L__info_string0, inlined_at 1 5 3
	setp.ge.s32 	%p1, %r2, %r1;
	@%p1 bra 	$L__BB0_3;
$L__BB0_2:
	.pragma "nounroll";
	ld.global.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1+16];
	fma.rn.f32 	%f5, %f1, %f2, 0f3F800000;
	mov.b64 	{%r3, %r4}, %rd1;
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b32 param0;
	st.param.b32 	[param0+0], %r3;
	.param .b32 retval0;
	prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
	call (retval0), %rd1, (param0), prototype_0;
	ld.param.b32 	%r5, [retval0+0];
	}
	ts: .branchtargets $L__BB0_2, $L__BB0_3;
	brx.idx %r5, ts;
	@!%p2 bra 	$L__BB0_2;
$L__BB0_3:
	st.shared.f32 	[_ZZ6kernelE4tile+4], %f5;
	bar.sync 	0;
	ret;
}
	.file	1 "a.cu"
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,49,102,118,0
	}
)";

/// Reads and decodes with the real table and with the small one; returns whether the text was taken.
bool survives(const std::string& text) {
  const auto module = test::parsed(text);
  if (!module) return false;
  const auto plain = decode(module, Level::run, test::small_table());
  const auto real = decode(module, Level::check);
  size_t counted = 0;
  for (const auto& f : real->functions) counted += dump(*f).size();
  return plain->functions.size() == real->functions.size() && counted > 0;
}

}  // namespace

TEST_CASE("the undamaged sample is read") { CHECK(survives(sample)); }

TEST_CASE("PTX cut off anywhere") {
  int taken = 0;
  for (size_t length = 0; length < sample.size(); length += 3) taken += survives(sample.substr(0, length));
  CHECK(taken > 5);
}

TEST_CASE("PTX with changed bytes") {
  std::mt19937 random(1);
  constexpr char likely[] = "{}()[]<>;,.:@!%$|+-_0\"/*\n";
  int taken = 0;
  for (int round = 0; round < 2500; ++round) {
    std::string text = sample;
    for (uint32_t changes = 1 + random() % 3; changes > 0; --changes) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = char(random()); break;
        case 1: text[at] = likely[random() % (sizeof likely - 1)]; break;
        case 2: text.erase(at, 1 + random() % 8); break;
        default: text.insert(at, text.substr(random() % text.size(), random() % 12)); break;
      }
    }
    taken += survives(text);
  }
  CHECK(taken > 100);
  CHECK(taken < 2500);
}

TEST_CASE("sizes that text may claim and memory cannot hold") {
  CHECK_FALSE(survives(".version 9.0\n.entry k() { .reg .b32 %r<4000000000>; ret; }\n"));
  CHECK_FALSE(survives(".version 9.0\n.global .b8 x[99999999999] = {1};\n"));
  CHECK_FALSE(survives(".version 9.0\n.global .b64 x[4294967296][4294967296];\n"));
  CHECK(survives(".version 9.0\n.entry k() { .local .b8 x[99999999999]; ret; }\n"));
  std::string nested(100000, '{');
  CHECK_FALSE(survives(".version 9.0\n.entry k() { .reg .b32 %r<2>; mov.b32 " + nested));
  CHECK_FALSE(survives(".version 9.0\n.entry k() { " + nested));
  CHECK_FALSE(survives(".version 9.0\n.global .b8 x[2] = " + nested));
}
