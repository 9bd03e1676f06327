// The comparator itself: it must fail on a bad picture.
#include "golden.h"

#include <cstdlib>
#include <filesystem>

#include "catch.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

Picture plain(int width, int height) {
  return {width, height, std::vector<uint32_t>(size_t(width * height), 0xff808080u)};
}

}  // namespace

TEST_CASE("differences of two counts in a channel are none, of three are one") {
  const Picture recorded = plain(100, 100);
  Picture drawn = recorded;
  for (uint32_t& pixel : drawn.pixels) pixel += 0x020202u;
  CHECK(compare_pictures(recorded, drawn).acceptable());
  for (uint32_t& pixel : drawn.pixels) pixel += 0x000001u;
  CHECK_FALSE(compare_pictures(recorded, drawn).acceptable());
}

TEST_CASE("five pixels of ten thousand are borne, six are not") {
  const Picture recorded = plain(100, 100);
  Picture drawn = recorded;
  for (int i = 0; i < 5; ++i) drawn.pixels[size_t(i) * 7] = 0;
  CHECK(compare_pictures(recorded, drawn).acceptable());
  drawn.pixels[999] = 0;
  const PictureDifference difference = compare_pictures(recorded, drawn);
  CHECK_FALSE(difference.acceptable());
  CHECK(difference.pixels == 6);
}

TEST_CASE("another size is a difference") {
  CHECK_FALSE(compare_pictures(plain(10, 10), plain(10, 11)).acceptable());
}

TEST_CASE("a bad picture fails against its golden, a renderer of another family is skipped") {
  if (std::getenv("WARPBOOK_RECORD")) return;  // recording would overwrite what this test made
  const Path folder = Path(WARPBOOK_BINARY_DIR) / "golden-test";
  std::filesystem::create_directories(folder);
  REQUIRE(write_picture(folder / "p.png", plain(50, 50)).ok());
  REQUIRE(write_file(folder / "renderer.txt", "llvmpipe, Mesa 22\n").ok());
  const std::string renderer = "llvmpipe (LLVM 15.0.6, 256 bits), 4.5 (Core Profile) Mesa 22.3.6";
  CHECK(against_golden(folder, folder, "p", plain(50, 50), renderer).outcome == GoldenOutcome::same);
  Picture bad = plain(50, 50);
  for (int i = 0; i < 100; ++i) bad.pixels[size_t(i)] = 0xff0000ffu;
  const GoldenResult result = against_golden(folder, folder, "p", bad, renderer);
  CHECK(result.outcome == GoldenOutcome::different);
  CHECK(result.message.find("100 pixels") == 0);
  CHECK(std::filesystem::exists(folder / "p.difference.png"));
  CHECK(against_golden(folder, folder, "none", bad, renderer).outcome == GoldenOutcome::different);
  CHECK(against_golden(folder, folder, "p", bad, "NVIDIA H200, 4.6").outcome == GoldenOutcome::skipped);
  CHECK(against_golden(folder, folder, "p", bad, "llvmpipe (LLVM 19), 4.5 Mesa 25.0.7").outcome ==
        GoldenOutcome::skipped);
}
