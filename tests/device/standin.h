#pragma once
// Tests with the stand-in driver: its file, its settings, and what it has to say afterwards.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/dynamic_library.h"
#include "catch.h"
#include "device/cuda_child.h"
#include "device/cuda_device.h"

namespace warpbook {

/// An environment variable for as long as it lives.
class Setting {
 public:
  Setting(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before, had_ = true;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Setting() { had_ ? ::setenv(name_.c_str(), before_.c_str(), 1) : ::unsetenv(name_.c_str()); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  std::string name_, before_;
  bool had_ = false;
};

inline std::string standin_path() { return std::string(WARPBOOK_BINARY_DIR) + "/tests/driver/libcuda.so.1"; }

/// The stand-in in this process, cleared; the program's own driver while it lives.
class StandIn {
 public:
  StandIn() : driver_("WARPBOOK_CUDA_DRIVER", standin_path()) {
    auto opened = DynamicLibrary::open(standin_path());
    REQUIRE(opened.ok());
    library_ = std::make_unique<DynamicLibrary>(std::move(*opened));
    call<void()>("standin_forget")();
  }
  ~StandIn() { call<void()>("standin_forget")(); }
  int calls(const char* entry) const { return call<int(const char*)>("standin_calls")(entry); }
  std::string misuse() const { return call<const char*()>("standin_misuse")(); }
  std::string leaks() const { return call<const char*()>("standin_leaks")(); }
  void forget() { call<void()>("standin_forget")(); }
  std::vector<uint32_t> texture(unsigned handle, size_t pixels) const {
    std::vector<uint32_t> got(pixels);
    if (!call<int(unsigned, uint32_t*, size_t)>("standin_texture")(handle, got.data(), pixels)) got.clear();
    return got;
  }

 private:
  template <class F>
  F* call(const char* name) const {
    void* symbol = library_->symbol(name);
    REQUIRE(symbol != nullptr);
    return reinterpret_cast<F*>(symbol);
  }
  Setting driver_;
  std::unique_ptr<DynamicLibrary> library_;
};

namespace gpu_code {

/// add: out[i] = in[i] + addend; count: a variable of the module; wide: writes out[i] far past the end;
/// odd: a misaligned store; trap; spin: never ends; shared: 60,000 bytes of dynamic shared memory; print.
inline const std::string ptx = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .shared .align 4 .b8 dynamic[];
.global .align 1 .b8 $str[7] = {104, 101, 108, 108, 111, 10, 0};
.visible .entry add(.param .u64 p_in, .param .u64 p_out, .param .u32 p_addend)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p_in];
  ld.param.u64 %rd2, [p_out];
  ld.param.u32 %r1, [p_addend];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd1, %rd5;
  add.s64 %rd7, %rd2, %rd5;
  ld.global.u32 %r3, [%rd6];
  add.s32 %r4, %r3, %r1;
  st.global.u32 [%rd7], %r4;
  ret;
}
.visible .entry grow(.param .u64 p_out)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p_out];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd1, %rd5;
  ld.global.u32 %r3, [%rd6];
  add.s32 %r4, %r3, 1;
  st.global.u32 [%rd6], %r4;
  ret;
}
.visible .entry wide(.param .u64 p_out)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p_out];
  mov.u32 %r1, 5;
  st.global.u32 [%rd1+1048576], %r1;
  ret;
}
.visible .entry odd(.param .u64 p_out)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p_out];
  mov.u32 %r1, 5;
  st.global.u32 [%rd1+1], %r1;
  ret;
}
.visible .entry trap(.param .u64 p_out)
{
  trap;
  ret;
}
.visible .entry spin(.param .u64 p_out)
{
AGAIN:
  bra.uni AGAIN;
}
.visible .entry shared(.param .u64 p_out)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p_out];
  mov.u32 %r1, 77;
  mov.u32 %r2, dynamic;
  st.shared.u32 [%r2+59996], %r1;
  ld.shared.u32 %r3, [%r2+59996];
  st.global.u32 [%rd1], %r3;
  ret;
}
.visible .entry print(.param .u64 p_out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  mov.u64 %rd1, $str;
  cvta.global.u64 %rd2, %rd1;
  mov.u64 %rd3, 0;
  {
    .param .b64 a;
    .param .b64 b;
    .param .b32 r;
    st.param.b64 [a], %rd2;
    st.param.b64 [b], %rd3;
    call.uni (r), vprintf, (a, b);
    ld.param.b32 %r1, [r];
  }
  ret;
}
)";

inline CompiledCode compiled() {
  CompiledCode code;
  code.ptx = ptx;
  code.source_file = "kernel.cu";
  return code;
}

template <class T>
KernelArgument argument(std::string name, T value) {
  KernelArgument made;
  made.name = std::move(name);
  made.bytes.resize(sizeof value);
  std::memcpy(made.bytes.data(), &value, sizeof value);
  return made;
}

inline const Launch one_warp{{1, 1, 1}, {32, 1, 1}};

/// Loads, runs add on 32 numbers and checks them: the plain use of a device, as a sentence when it fails.
inline Result<Done> add_once(Device& device, uint32_t addend) {
  device.reset();
  if (auto loaded = device.load(compiled()); !loaded) return loaded;
  std::vector<uint32_t> in(32), out(32);
  for (uint32_t i = 0; i < 32; ++i) in[i] = i * i;
  const auto a = device.allocate(128, "in", 4);
  if (!a) return a.error();
  const auto b = device.allocate(128, "out", 4);
  if (!b) return b.error();
  if (auto copied = device.copy_in(*a, std::as_bytes(std::span(in))); !copied) return copied;
  const std::vector<KernelArgument> arguments{argument("in", *a), argument("out", *b),
                                              argument("addend", addend)};
  const auto outcome = device.launch("add", one_warp, arguments);
  if (!outcome) return outcome.error();
  if (outcome->report.status != RunStatus::ok)
    return Error{
        outcome->report.diagnostics.empty() ? "No diagnosis." : outcome->report.diagnostics[0].message,
        Trouble::bad_input,
        {},
        {}};
  if (auto copied = device.copy_out(*b, std::as_writable_bytes(std::span(out))); !copied) return copied;
  for (uint32_t i = 0; i < 32; ++i)
    if (out[i] != i * i + addend) return Error{"Wrong numbers came out.", Trouble::bad_input, {}, {}};
  return Done{};
}

/// Launches a kernel of one buffer of 32 numbers.
inline Result<LaunchOutcome> run_one(Device& device, const std::string& kernel, Launch launch = one_warp) {
  device.reset();
  if (auto loaded = device.load(compiled()); !loaded) return loaded.error();
  const auto a = device.allocate(128, "out", 4);
  if (!a) return a.error();
  const std::vector<KernelArgument> arguments{argument("out", *a)};
  return device.launch(kernel, launch, arguments);
}

}  // namespace gpu_code
}  // namespace warpbook
