// `.loc`, `.file` and the names in .debug_str.
#include "catch.h"
#include "simt/ptx/module.h"

using namespace warpbook;

namespace {

const char* const inlined = R"(.version 9.0
.target sm_80
.address_size 64
.visible .entry k()
{
	.reg .b32 %r<4>;
	.loc	1 10 0
	mov.u32 %r1, 1;
	.loc	1 12 5
	.loc	2 91 5, function_name $L__info_string0, inlined_at 1 12 5
	.loc	3 7 2, function_name $L__info_string1, inlined_at 2 91 5
	mov.u32 %r1, 2;
	.loc	1 12 5
	mov.u32 %r2, 3;
	.loc	3 7 2, function_name $L__info_string1, inlined_at 2 91 5
	mov.u32 %r3, 3;
	ret;
}
.visible .entry other()
{
	.loc	1 20 0
	.loc	3 7 2, function_name $L__info_string1, inlined_at 1 22 1
	ret;
}
	.file	1 "kernel.cu"
	.file	2 "/usr/include/helper.h", 1234, 56
	.file	3 "deep.h"
	.section	.debug_abbrev
	{
.b8 1
.b8 17
	}
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,51,97,100,100,102,102,0
$L__info_string1:
.b8 95,90,78,51,97,112,112,52
.b8 115,116,101,112,69,118,0

	}
)";

}  // namespace

TEST_CASE("source points form chains of inlined calls") {
  const auto parsed = ptx::parse(inlined);
  REQUIRE(parsed.ok());
  const ptx::Module& m = *parsed;
  const ptx::Function& k = m.functions[0];
  REQUIRE(m.files.size() == 4);
  CHECK(m.files[2] == "/usr/include/helper.h");
  const auto& points = m.points;
  auto at = [&](size_t i) { return points[size_t(k.body[i].point)]; };
  CHECK(at(0).line == 10);
  CHECK(at(0).inlined_at == -1);
  CHECK(k.first_point == k.body[0].point);

  const ptx::SourcePoint deep = at(1);
  CHECK(deep.file == 3);
  CHECK(deep.line == 7);
  CHECK(deep.column == 2);
  CHECK(deep.function == "app::step");
  REQUIRE(deep.inlined_at >= 0);
  const ptx::SourcePoint helper = points[size_t(deep.inlined_at)];
  CHECK(helper.file == 2);
  CHECK(helper.function == "add");
  REQUIRE(helper.inlined_at >= 0);
  const ptx::SourcePoint own = points[size_t(helper.inlined_at)];
  CHECK(own.file == 1);
  CHECK(own.line == 12);
  CHECK(own.inlined_at == -1);
  CHECK(own.function.empty());

  // The same place is the same point; after `.loc 1 12 5` alone we are in the kernel itself.
  CHECK(k.body[3].point == k.body[1].point);
  CHECK(points[size_t(k.body[2].point)] == own);
}

TEST_CASE("a caller's place without a point of its own gets one") {
  const auto parsed = ptx::parse(inlined);
  REQUIRE(parsed.ok());
  const ptx::Function& other = parsed->functions[1];
  const ptx::SourcePoint& p = parsed->points[size_t(other.body[0].point)];
  REQUIRE(p.inlined_at >= 0);
  CHECK(parsed->points[size_t(p.inlined_at)].line == 22);
  CHECK(p.function == "app::step");
}
