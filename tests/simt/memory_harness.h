#pragma once
// Runs a small PTX kernel on buffers and gives back what it did: for tests of what kernels do to memory.
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "simt/emulator.h"

namespace warpbook::simt::memory_tests {

inline std::string ptx_file(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + body;
}

/// A kernel `k` whose parameters are the buffers p0, p1, ... (as %rd0, %rd1 ...), with %r0 = thread and %r1 =
/// block. Registers: %r0-39, %rd0-39, %f0-39, %fd0-9, %rs0-9, %p0-9. `head` stands before the entry, `code`
/// is its body.
inline std::string kernel(int buffers, const std::string& code, const std::string& head = "") {
  std::string parameters, loads;
  for (int i = 0; i < buffers; ++i) {
    parameters += std::string(i ? ", " : "") + ".param .u64 p" + std::to_string(i);
    loads += "ld.param.u64 %rd" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  }
  return ptx_file(head + "\n.visible .entry k(" + parameters + ")\n{\n" +
                  ".reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n.reg .f32 %f<40>;\n.reg .f64 %fd<10>;\n" +
                  ".reg .b16 %rs<10>;\n.reg .pred %p<10>;\n" + loads +
                  "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n" + code + "\nret;\n}\n");
}

class Bench {
 public:
  explicit Bench(const std::string& ptx) {
    auto module = load_module(ptx);
    REQUIRE(module.ok());
    auto placed = instantiate(*module, memory);
    REQUIRE(placed.ok());
    instance = *placed;
    gpu.max_warps_per_sm = 64;
    gpu.max_blocks_per_sm = 32;
    gpu.sms = 108;
    gpu.shared_per_sm = 164 * 1024;
    gpu.shared_per_block_optin = 163 * 1024;
    gpu.memory_bytes = 40ull << 30;
    gpu.name = "test";
    gpu.compute = "8.0";
  }

  template <class T>
  Address buffer(const std::string& name, const std::vector<T>& values) {
    const Address address = empty_buffer(name, values.size() * sizeof(T), sizeof(T));
    REQUIRE(memory.write(address, std::as_bytes(std::span(values))).ok());
    return address;
  }
  /// Never written.
  Address empty_buffer(const std::string& name, uint64_t bytes, uint32_t element_bytes) {
    auto address = memory.allocate(bytes, name, element_bytes);
    REQUIRE(address.ok());
    argument(name, *address);
    return *address;
  }
  void argument(const std::string& name, Address address) {
    KernelArgument a;
    a.name = name;
    a.bytes.resize(8);
    std::memcpy(a.bytes.data(), &address, 8);
    arguments.push_back(a);
  }

  RunReport run(uint32_t grid, uint32_t block) { return run("k", grid, block); }
  RunReport run(const std::string& kernel, uint32_t grid, uint32_t block) {
    Launch launch;
    launch.grid = {grid, 1, 1};
    launch.block = {block, 1, 1};
    launch.shared_bytes = shared_bytes;
    return simt::run(*instance, kernel, launch, arguments, gpu, options);
  }

  template <class T>
  std::vector<T> read(Address address, size_t count) {
    std::vector<T> values(count);
    REQUIRE(memory.read(address, std::as_writable_bytes(std::span(values))).ok());
    return values;
  }

  Memory memory;
  std::shared_ptr<Instance> instance;
  GpuRow gpu;
  RunOptions options;
  uint32_t shared_bytes = 0;
  std::vector<KernelArgument> arguments;
};

template <class T>
std::vector<T> iota(size_t count) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = T(i);
  return values;
}

inline constexpr Level all_levels[] = {Level::run, Level::measure, Level::check};

}  // namespace warpbook::simt::memory_tests
