// Seeded faults that author checks put into solutions.
#include "lab/mutate.h"

#include "catch.h"

using namespace warpbook;

TEST_CASE("Barriers are taken out and guards widened, one at a time") {
  const std::string source =
      "__global__ void k(int* a, int n) {\n"
      "  for (int i = 0; i < n; ++i) a[i] = 1 << 2;\n"
      "  __syncthreads();\n"
      "  if (n < 3 && n <= 7) a[0] = 2; // if (n < 4)\n"
      "  a[1] = n < 5 ? a[2] : 0;\n"
      "  __syncthreads ( ) ;\n"
      "}\n";
  const auto mutants = mutants_of(source);
  REQUIRE(mutants.size() == 4);
  CHECK(mutants[0].what == "without the __syncthreads() of line 3");
  CHECK(mutants[0].source.find("  ;\n  if (n < 3") != std::string::npos);
  CHECK(mutants[1].what == "with <= in the guard of line 4");
  CHECK(mutants[1].source.find("if (n <= 3 && n <= 7)") != std::string::npos);
  CHECK(mutants[2].source.find("n <= 5 ? a[2]") != std::string::npos);
  CHECK(mutants[3].what == "without the __syncthreads() of line 6");
  for (const Mutant& mutant : mutants) CHECK(mutant.source.find("i < n; ++i") != std::string::npos);
}

TEST_CASE("Guards that leave early are moved, too") {
  const auto mutants = mutants_of("if (x >= w || y >= h) return;\nfor (; x >= 0; --x) {}\n");
  REQUIRE(mutants.size() == 2);
  CHECK(mutants[0].source.find("if (x > w || y >= h)") == 0);
  CHECK(mutants[1].source.find("if (x >= w || y > h)") == 0);
}
