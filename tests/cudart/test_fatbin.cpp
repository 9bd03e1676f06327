// Fatbins: which image is taken, and what is said of those that cannot be.
#include <string>

#include "base/dynamic_library.h"
#include "catch.h"
#include "cudart/fatbin.h"
#include "program_fixture.h"

using namespace warpbook;
using namespace warpbook::cudart;
using cudart_test::fatbin_of;
using cudart_test::Image;

namespace {

Image ptx(uint32_t architecture, std::string text) {
  Image image;
  image.architecture = architecture;
  image.bytes = std::move(text);
  return image;
}

Result<ChosenPtx> chosen(const std::string& fatbin, int architecture) {
  auto images = read_fatbin(fatbin);
  if (!images) return images.error();
  return choose_ptx(*images, architecture);
}

}  // namespace

TEST_CASE("the highest PTX that the GPU can run is chosen, without its padding") {
  const std::string fatbin = fatbin_of({ptx(75, "seven five"), ptx(90, "nine"), ptx(80, "eight")});
  auto on_80 = chosen(fatbin, 80);
  REQUIRE(on_80.ok());
  CHECK(on_80->text == "eight");
  CHECK(on_80->architecture == 80);
  CHECK(chosen(fatbin, 89)->text == "eight");
  CHECK(chosen(fatbin, 75)->text == "seven five");
  CHECK(chosen(fatbin, 120)->text == "nine");
}

TEST_CASE("a fatbin without a PTX that fits says what it has and how to rebuild") {
  Image cubin;
  cubin.kind = 2;
  cubin.architecture = 86;
  cubin.bytes = "ELF";
  auto machine_code = chosen(fatbin_of({cubin}), 80);
  REQUIRE_FALSE(machine_code.ok());
  CHECK(machine_code.error().message.find("sm_86") != std::string::npos);
  CHECK(machine_code.error().hint.find("--compress-mode=none") != std::string::npos);

  auto newer = chosen(fatbin_of({ptx(90, "nine")}), 80);
  REQUIRE_FALSE(newer.ok());
  CHECK(newer.error().message.find("compute_90") != std::string::npos);
  CHECK(newer.error().hint.find("compute_80") != std::string::npos);

  Image packed = ptx(80, "????");
  packed.flags = 0x2011;
  packed.unpacked = 100;
  auto lz4 = chosen(fatbin_of({packed}), 80);
  REQUIRE_FALSE(lz4.ok());
  CHECK(lz4.error().hint.find("--compress-mode=none") != std::string::npos);

  CHECK_FALSE(chosen(fatbin_of({}), 80).ok());
}

TEST_CASE("PTX packed by zstd is unpacked") {
  auto library = DynamicLibrary::open("libzstd.so.1");
  if (!library) {
    WARN("skipped: no zstd library");
    return;
  }
  const std::string text(10000, 'p');
  using Compress = size_t (*)(void*, size_t, const void*, size_t, int);
  const auto compress = reinterpret_cast<Compress>(library->symbol("ZSTD_compress"));
  REQUIRE(compress);
  std::string packed(20000, '\0');
  packed.resize(compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  REQUIRE(packed.size() < 1000);
  Image image = ptx(80, packed);
  image.flags = 0x8011;
  image.unpacked = text.size();
  auto unpacked = chosen(fatbin_of({image}), 80);
  REQUIRE(unpacked.ok());
  CHECK(unpacked->text == text);

  image.bytes[5] = char(image.bytes[5] ^ 0x55);
  CHECK_FALSE(chosen(fatbin_of({image}), 80).ok());
}

TEST_CASE("an unknown layout is refused and never misread") {
  std::string other = cudart_test::plain_fatbin();
  other[0] = 'X';
  CHECK_FALSE(read_fatbin(other).ok());

  std::string version = cudart_test::plain_fatbin();
  version[4] = 2;
  CHECK_FALSE(read_fatbin(version).ok());

  const std::string whole = cudart_test::plain_fatbin();
  CHECK_FALSE(read_fatbin(whole.substr(0, whole.size() - 1)).ok());
  CHECK_FALSE(read_fatbin(whole.substr(0, 10)).ok());

  std::string too_long = whole;
  too_long[16 + 8 + 5] = 1;  // the image's size
  CHECK_FALSE(read_fatbin(too_long).ok());
  CHECK(read_fatbin(whole).ok());
}
