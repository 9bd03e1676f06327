#include "golden.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.h"

namespace warpbook::ui {

PictureDifference compare_pictures(const Picture& expected, const Picture& actual) {
  PictureDifference difference;
  difference.same_size = expected.width == actual.width && expected.height == actual.height;
  if (!difference.same_size) return difference;
  difference.picture = actual;
  for (size_t i = 0; i < expected.pixels.size(); ++i) {
    bool off = false;
    for (int shift = 0; shift < 32; shift += 8) {
      const int a = int(expected.pixels[i] >> shift & 255), b = int(actual.pixels[i] >> shift & 255);
      off = off || std::abs(a - b) > 2;
    }
    difference.pixels += off;
    const uint32_t faint = 0xff000000u | ((actual.pixels[i] >> 2 & 0x3f3f3fu) + 0xc0c0c0u);
    difference.picture.pixels[i] = off ? 0xff0000ffu : faint;
  }
  if (!expected.pixels.empty()) difference.share = double(difference.pixels) / double(expected.pixels.size());
  return difference;
}

std::string renderer_family(const std::string& renderer) {
  std::string family = renderer.substr(0, renderer.find_first_of(" ,("));
  const size_t mesa = renderer.find("Mesa ");
  if (mesa != std::string::npos) family += ", " + renderer.substr(mesa, renderer.find('.', mesa) - mesa);
  return family;
}

GoldenResult against_golden(const Path& folder, const Path& beside, const std::string& name,
                            const Picture& picture, const std::string& renderer) {
  const Path file = folder / (name + ".png"), family_file = folder / "renderer.txt";
  const std::string family = renderer_family(renderer);
  const char* record = std::getenv("WARPBOOK_RECORD");
  if (record && std::string_view(record) == "1") {
    const Result<Done> saved = write_picture(file, picture);
    const Result<Done> noted = write_file(family_file, family + "\n");
    if (!saved || !noted) return {GoldenOutcome::different, to_string(saved ? noted.error() : saved.error())};
    return {GoldenOutcome::recorded, "recorded " + file.string()};
  }
  const Result<std::string> recorded_family = read_file(family_file);
  if (!recorded_family) return {GoldenOutcome::different, "nothing is recorded: WARPBOOK_RECORD=1 records"};
  if (trim(*recorded_family) != family) {
    return {GoldenOutcome::skipped,
            fmt::format("recorded with {}, drawn with {}: not compared", trim(*recorded_family), family)};
  }
  const Result<Picture> expected = read_picture(file);
  if (!expected) return {GoldenOutcome::different, to_string(expected.error())};
  const PictureDifference difference = compare_pictures(*expected, picture);
  if (difference.acceptable()) return {GoldenOutcome::same, {}};
  std::string message =
      difference.same_size
          ? fmt::format("{} pixels differ ({:.3f} %)", difference.pixels, 100 * difference.share)
          : fmt::format("the size differs: {} x {} recorded, {} x {} drawn", expected->width,
                        expected->height, picture.width, picture.height);
  const Path actual = beside / (name + ".actual.png");
  (void)write_picture(actual, picture).ok();
  if (difference.same_size) (void)write_picture(beside / (name + ".difference.png"), difference.picture).ok();
  return {GoldenOutcome::different, message + "; see " + actual.string()};
}

}  // namespace warpbook::ui
