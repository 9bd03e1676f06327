#include "program_fixture.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/files.h"
#include "catch.h"

namespace warpbook::cudart_test {
namespace {

constexpr int tape_file = 200;

template <class T>
void put(std::string& to, size_t at, T value) {
  std::memcpy(to.data() + at, &value, sizeof value);
}

std::string text_of(int file) {
  std::string text;
  char part[4096];
  lseek(file, 0, SEEK_SET);
  for (ssize_t got; (got = read(file, part, sizeof part)) > 0;) text.append(part, size_t(got));
  close(file);
  return text;
}

int scratch_file(const char* name) {
  const int file = memfd_create(name, 0);
  REQUIRE(file >= 0);
  return file;
}

}  // namespace

void* Api::find(const char* name) const {
  void* const symbol = dlsym(library_, name);
  if (!symbol) {
    (void)!write(2, name, std::strlen(name));
    _exit(120);
  }
  return symbol;
}

void Api::register_module(const std::string& fatbin) {
  struct Wrapper {
    uint32_t magic = 0x466243B1, version = 1;
    const void* data = nullptr;
    const void* names = nullptr;
  };
  static Wrapper wrapper;
  static std::string kept;
  kept = fatbin;
  wrapper.data = kept.data();
  void** const handle = get<void**>("__cudaRegisterFatBinary", static_cast<void*>(&wrapper));
  const auto kernel = [&](char& stub, const char* symbol) {
    get<void>("__cudaRegisterFunction", handle, static_cast<const char*>(&stub), const_cast<char*>(symbol),
              symbol, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  };
  kernel(stubs().scale, "_Z5scalePffi");
  kernel(stubs().fill, "_Z4fillPii");
  kernel(stubs().add_counter, "_Z11add_counterPi");
  kernel(stubs().unused, "_Z6unusedPi");
  get<void>("__cudaRegisterVar", handle, &stubs().counter, &stubs().counter, "counter", 0, size_t(4), 0, 0);
  get<void>("__cudaRegisterManagedVar", handle, &stubs().managed, &stubs().counter, "limit", 0, size_t(4), 0,
            0);
  get<void>("__cudaRegisterFatBinaryEnd", handle);
}

int launch(Api& api, const void* stub, Sizes grid, Sizes block, std::vector<void*> arguments, size_t shared,
           void* stream) {
  api.get<unsigned>("__cudaPushCallConfiguration", grid, block, shared, stream);
  void* kernel = nullptr;
  api("__cudaGetKernel", &kernel, stub);
  Sizes g, b;
  size_t s = 0;
  void* t = nullptr;
  api("__cudaPopCallConfiguration", &g, &b, &s, static_cast<void*>(&t));
  return api("__cudaLaunchKernel", kernel, g, b, arguments.data(), s, t);
}

Stubs& stubs() {
  static Stubs one;
  return one;
}

std::string module_ptx() {
  return R"(.version 9.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 counter = 3;
.visible .global .attribute(.managed) .align 4 .u32 limit = 7;
.visible .entry _Z5scalePffi(.param .u64 p, .param .f32 by, .param .u32 n)
{
  .reg .pred %q; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [p];
  ld.param.f32 %f1, [by];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %q, %r5, %r1;
  @%q bra END;
  cvta.to.global.u64 %d2, %d1;
  mul.wide.s32 %d3, %r5, 4;
  add.s64 %d2, %d2, %d3;
  ld.global.f32 %f2, [%d2];
  mul.f32 %f3, %f2, %f1;
  st.global.f32 [%d2], %f3;
END:
  ret;
}
.visible .entry _Z4fillPii(.param .u64 p, .param .u32 n)
{
  .reg .pred %q; .reg .b32 %r<6>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %q, %r5, %r1;
  @%q bra END;
  cvta.to.global.u64 %d2, %d1;
  mul.wide.s32 %d3, %r5, 4;
  add.s64 %d2, %d2, %d3;
  st.global.u32 [%d2], %r5;
END:
  ret;
}
.visible .entry _Z11add_counterPi(.param .u64 p)
{
  .reg .b32 %r<4>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [p];
  cvta.to.global.u64 %d2, %d1;
  ld.global.u32 %r1, [counter];
  ld.global.u32 %r2, [limit];
  add.u32 %r3, %r2, 1;
  st.global.u32 [limit], %r3;
  st.global.u32 [%d2], %r1;
  ret;
}
.visible .entry _Z6unusedPi(.param .u64 p)
{
  ret;
}
)";
}

std::string fatbin_of(const std::vector<Image>& images) {
  std::string all(16, '\0');
  for (const Image& image : images) {
    std::string payload = image.bytes;
    payload.resize((payload.size() + 8) / 8 * 8);
    const bool packed = (image.flags & 0xA000) != 0;
    std::string head(0x50, '\0');
    put<uint16_t>(head, 0, image.kind);
    put<uint16_t>(head, 2, 0x0101);
    put<uint32_t>(head, 4, uint32_t(head.size()));
    put<uint64_t>(head, 8, payload.size());
    put<uint32_t>(head, 16, packed ? uint32_t(image.bytes.size()) : 0);
    put<uint32_t>(head, 28, image.architecture);
    put<uint64_t>(head, 40, image.flags);
    put<uint64_t>(head, 56, packed ? image.unpacked : image.bytes.size());
    all += head + payload;
  }
  put<uint32_t>(all, 0, 0xBA55ED50);
  put<uint16_t>(all, 4, 1);
  put<uint16_t>(all, 6, 16);
  put<uint64_t>(all, 8, all.size() - 16);
  return all;
}

std::string plain_fatbin() {
  Image image;
  image.bytes = module_ptx();
  return fatbin_of({image});
}

std::vector<const TapeRow*> Outcome::rows(const std::string& call) const {
  std::vector<const TapeRow*> found;
  for (const TapeRow& row : tape.rows) {
    if (row.call == call) found.push_back(&row);
  }
  return found;
}

Outcome in_program(const std::function<int(Api&)>& body,
                   const std::map<std::string, std::string>& environment) {
  const int tape = scratch_file("tape"), out = scratch_file("out"), err = scratch_file("err");
  std::fflush(nullptr);  // what the test runner has not written yet would be written by the child as well
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(tape, tape_file);
    dup2(out, 1);
    dup2(err, 2);
    setenv("WARPBOOK_TAPE_FD", std::to_string(tape_file).c_str(), 1);
    setenv("WARPBOOK_ROOT", WARPBOOK_SOURCE_DIR, 1);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    // The test's own handlers (Catch's) would report the child's faults as those of the test.
    for (int signal : {SIGSEGV, SIGABRT, SIGBUS}) std::signal(signal, SIG_DFL);
    void* const library = dlopen(WARPBOOK_BINARY_DIR "/cudart/libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      (void)!write(2, dlerror(), 1);
      _exit(121);
    }
    Api api(library);
    api.register_module(plain_fatbin());
    const int code = body(api);
    std::exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = text_of(out);
  outcome.err = text_of(err);
  outcome.tape_bytes = text_of(tape);
  auto read = read_tape(outcome.tape_bytes);
  if (read) outcome.tape = *read;
  return outcome;
}

}  // namespace warpbook::cudart_test
