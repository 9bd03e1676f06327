// .npy files against bytes written out by hand after NumPy's format description.
#include "lab/npy.h"

#include <cstring>

#include "catch.h"

using namespace warpbook;

namespace {

std::string handmade(const std::string& dictionary, const std::string& data) {
  std::string header = dictionary;
  while ((10 + header.size() + 1) % 64) header += ' ';
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += char(header.size() & 255);
  out += char(header.size() >> 8);
  return out + header + data;
}

template <class T>
std::string bytes_of_values(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

TEST_CASE("An array that NumPy would write is read") {
  const std::string data = bytes_of_values<float>({1.5f, -2, 3, 4, 5, 6});
  const auto read = parse_npy(handmade("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", data),
                              ElementType::f32, "x.npy");
  REQUIRE(read.ok());
  CHECK(std::memcmp(read->data(), data.data(), data.size()) == 0);
  CHECK(read->size() == data.size());
}

TEST_CASE("What is written can be read, for every type") {
  for (const ElementType type : {ElementType::i8, ElementType::u8, ElementType::i16, ElementType::u16,
                                 ElementType::i32, ElementType::u32, ElementType::i64, ElementType::u64,
                                 ElementType::f16, ElementType::bf16, ElementType::f32, ElementType::f64}) {
    std::vector<std::byte> data(3 * bytes_of(type));
    for (size_t i = 0; i < data.size(); ++i) data[i] = std::byte(i + 1);
    const std::string file = write_npy(type, 3, data.data());
    const auto read = parse_npy(file, type, "x.npy");
    REQUIRE(read.ok());
    CHECK(*read == data);
    CHECK((file.size() - data.size()) % 64 == 0);
  }
  const int32_t one = 1;
  const std::string file = write_npy(ElementType::i32, 1, reinterpret_cast<const std::byte*>(&one));
  CHECK(file ==
        handmade("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", std::string("\x01\0\0\0", 4)));
}

TEST_CASE("Broken arrays are refused") {
  const std::string data = bytes_of_values<float>({1, 2});
  const auto refused = [&](const std::string& content) {
    return !parse_npy(content, ElementType::f32, "x.npy").ok();
  };
  CHECK(refused(""));
  CHECK(refused("not an array at all"));
  CHECK(refused(handmade("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", data)));
  CHECK(refused(handmade("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", data)));
  CHECK(refused(handmade("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }", data)));
  CHECK(refused(handmade("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", data)));
  CHECK(refused(
      handmade("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2), }", data)));
  CHECK(refused(handmade("{'descr': '<f4'}", data)));
  const std::string whole = handmade("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", data);
  CHECK_FALSE(refused(whole));
  CHECK(refused(whole.substr(0, 40)));
}
