// The reference page on speed says what was measured, and shows a picture only where one was drawn.
#include "cli/bench_page.h"

#include "catch.h"

using namespace warpbook;
using namespace warpbook::cli;

namespace {

GrowthTables grown() {
  GrowthTables growth;
  growth.work.push_back({"64 iterations", 64, 60'000'000, 12, 0});
  growth.registers.push_back({"4 steps", 4, 400'000'000, 80, 0});
  growth.shadow.push_back({"1024 KiB", 1024, 0, 14, 1020});
  return growth;
}

}  // namespace

TEST_CASE("the page on speed has a row for each work and each step of growth") {
  const std::vector<BenchRow> rows{{"matmul", 250, 400'000'000, {{"run", 260, 1.04, 2.85e9}}}};
  const GrowthTables growth = grown();
  const std::string text = as_page({rows, growth, 9, 512, "AVX2", "speed.png"});
  CHECK(text.find("| matmul | 250.00 | 1.04 x | 2.85 G |") != std::string::npos);
  CHECK(text.find("| 64 iterations | 60 M | 12.0 | 0.20 |") != std::string::npos);
  CHECK(text.find("| 4 steps | 400 M | 80.0 | 0.20 |") != std::string::npos);
  CHECK(text.find("| 1024 KiB | 14.00 | 1020 KiB |") != std::string::npos);
  CHECK(text.find("instruction set AVX2") != std::string::npos);
  CHECK(text.find("medians of 9 rounds") != std::string::npos);
  CHECK(text.find("](speed.png)") != std::string::npos);
}

TEST_CASE("without a picture the page on speed points at none") {
  const GrowthTables growth = grown();
  CHECK(as_page({{}, growth, 1, 512, "plain", ""}).find("![") == std::string::npos);
}
