// Asking the driver: a list, or the reason in words.
#include "catch.h"
#include "device/device.h"

using namespace warpbook;

TEST_CASE("without a usable GPU the reason is told, with one its facts") {
  std::string why = "old";
  const auto gpus = find_gpus(why);
  if (gpus.empty()) {
    CHECK_FALSE(why.empty());
    CHECK(why != "old");
    CHECK(why.back() == '.');
    return;
  }
  CHECK(why.empty());
  for (const FoundGpu& gpu : gpus) {
    CHECK_FALSE(gpu.name.empty());
    CHECK(gpu.compute.find('.') != std::string::npos);
    CHECK(gpu.memory_bytes > 0);
    CHECK(gpu.sms > 0);
    CHECK_FALSE(gpu.driver.empty());
  }
}
