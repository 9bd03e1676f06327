// The content hash against published values of FNV-1a 128.
#include "base/hash.h"
#include "catch.h"

using namespace warpbook;

TEST_CASE("the content hash is FNV-1a with 128 bits") {
  CHECK(content_hash("") == "6c62272e07bb014262b821756295c58d");
  CHECK(content_hash("a") == "d228cb696f1a8caf78912b704e4a8964");
  CHECK(content_hash("foobar") == "343e1662793c64bf6f0d3597ba446f18");
}

TEST_CASE("one changed byte changes the hash") {
  CHECK(content_hash("kernel A") != content_hash("kernel B"));
  CHECK(content_hash(std::string("a\0b", 3)) != content_hash("ab"));
}
