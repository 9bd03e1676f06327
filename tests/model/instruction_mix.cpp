// What ptxas makes of one instruction runs on the units where its code has it.
#include "model/instruction_mix.h"

#include "catch.h"

using namespace warpbook;

namespace {

double sum_of(const InstructionMix& mix) {
  return mix.imul + mix.convert + mix.sfu + mix.fp32 + mix.fp64 + mix.int32;
}

}  // namespace

TEST_CASE("A remainder keeps the multiplier busy for less than half of its instructions") {
  const InstructionMix mix = mix_of(InstructionKind::imul, 20);
  CHECK(mix.imul == Approx(8));
  CHECK(mix.convert == 2);
  CHECK(mix.sfu == 1);
  CHECK(mix.int32 == Approx(9));
  CHECK(mix_of(InstructionKind::imul, 70).imul == Approx(35));
}

TEST_CASE("A division of floats takes one turn of the special functions, a root too") {
  CHECK(mix_of(InstructionKind::sfu, 9).sfu == 1);
  CHECK(mix_of(InstructionKind::sfu, 9).fp32 == Approx(4.8));
  CHECK(mix_of(InstructionKind::fp64, 15).fp64 == Approx(9));
  CHECK(mix_of(InstructionKind::fp64, 15).sfu == 1);
}

TEST_CASE("A single instruction stands on its own unit, and nothing is lost or made") {
  CHECK(mix_of(InstructionKind::imul, 1).imul == 1);
  CHECK(mix_of(InstructionKind::imul, 3).imul == 3);
  CHECK(mix_of(InstructionKind::sfu, 1).sfu == 1);
  CHECK(mix_of(InstructionKind::fp64, 1).fp64 == 1);
  for (const InstructionKind kind : {InstructionKind::imul, InstructionKind::sfu, InstructionKind::fp64})
    for (const double issues : {1.0, 2.0, 3.0, 8.0, 9.0, 15.0, 20.0, 70.0}) {
      const InstructionMix mix = mix_of(kind, issues);
      CHECK(sum_of(mix) == Approx(issues));
      CHECK(mix.int32 >= -1e-12);
    }
}
