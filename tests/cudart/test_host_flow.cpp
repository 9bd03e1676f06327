// The host's story: allocate, copy, launch, copy back, free; and the mistakes that every learner makes once.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/sanitized.h"
#include "catch.h"
#include "program_fixture.h"

using namespace warpbook;
using namespace warpbook::cudart_test;

namespace {

constexpr int to_device = 1, to_host = 2, on_device = 3, by_pointer = 4;

int scale(Api& api, float* p, float by, int n, Sizes grid, Sizes block) {
  return launch(api, &stubs().scale, grid, block, {&p, &by, &n});
}

const TapeRow& only(const Outcome& outcome, const std::string& call) {
  const auto rows = outcome.rows(call);
  REQUIRE(rows.size() == 1);
  return *rows.front();
}

const TapeRow& launch_of(const Outcome& outcome, size_t which = 0) {
  std::vector<const TapeRow*> launches;
  for (const TapeRow& row : outcome.tape.rows) {
    if (row.kind == TapeKind::launch) launches.push_back(&row);
  }
  REQUIRE(launches.size() > which);
  return *launches[which];
}

const TapeEnd& end_of(const Outcome& outcome) {
  REQUIRE(outcome.tape.ended);
  REQUIRE(outcome.tape.rows.back().end);
  return *outcome.tape.rows.back().end;
}

}  // namespace

TEST_CASE("a whole program computes what a GPU computes, and its tape tells every step") {
  const Outcome outcome = in_program([](Api& api) {
    std::vector<float> host(1000);
    std::iota(host.begin(), host.end(), 0.0f);
    float* device = nullptr;
    if (api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(4000)) != 0) return 1;
    if (api("cudaMemcpy", device, host.data(), size_t(4000), to_device) != 0) return 2;
    if (scale(api, device, 3, 1000, {4, 1, 1}, {256, 1, 1}) != 0) return 3;
    if (api("cudaGetLastError") != 0 || api("cudaDeviceSynchronize") != 0) return 4;
    if (api("cudaMemcpy", host.data(), device, size_t(4000), to_host) != 0) return 5;
    if (api("cudaFree", device) != 0) return 6;
    for (int i = 0; i < 1000; ++i) {
      if (host[size_t(i)] != 3.0f * float(i)) return 7;
    }
    return 0;
  });
  CHECK(outcome.err == "");
  CHECK(outcome.out == "");
  REQUIRE(outcome.exit_code == 0);

  const TapeRow& allocation = only(outcome, "cudaMalloc");
  CHECK(allocation.bytes == 4000);
  CHECK(allocation.arguments[1] == TapeArgument{"size", "4000"});
  REQUIRE(allocation.frames.size() > 0);
  CHECK(outcome.tape.objects[allocation.frames[0].object].find("test_cudart") != std::string::npos);

  const auto copies = outcome.rows("cudaMemcpy");
  REQUIRE(copies.size() == 2);
  CHECK(copies[0]->direction == CopyDirection::host_to_device);
  CHECK(copies[1]->direction == CopyDirection::device_to_host);
  REQUIRE(copies[0]->places.size() == 2);
  CHECK(copies[0]->places[0].kind == MemoryKind::device);
  CHECK(copies[0]->places[0].allocation == allocation.sequence);
  CHECK(copies[0]->places[0].size == 4000);
  CHECK(copies[0]->places[1].kind == MemoryKind::host);
  CHECK(copies[1]->never_written == 0);
  float second = 0;
  REQUIRE(copies[1]->sample.size() == 64);
  std::memcpy(&second, copies[1]->sample.data() + 4, 4);
  CHECK(second == 3.0f);
  CHECK(copies[1]->waits);
  CHECK(copies[0]->end_ms > copies[0]->begin_ms);

  const TapeRow& launch = launch_of(outcome);
  CHECK(launch.launch->kernel == "scale");
  CHECK(launch.launch->symbol == "_Z5scalePffi");
  CHECK(launch.launch->launch.grid == Dim3{4, 1, 1});
  CHECK(launch.launch->launch.block == Dim3{256, 1, 1});
  CHECK(launch.launch->status == "ok");
  CHECK(launch.launch->warp_instructions > 100);
  CHECK(launch.launch->diagnostics.empty());
  REQUIRE(launch.arguments.size() == 3);
  CHECK(launch.arguments[1].value == "3");
  CHECK(launch.arguments[2].value == "1000");
  REQUIRE(launch.launch->effects.size() == 1);
  CHECK(launch.launch->effects[0].allocation == allocation.sequence);
  CHECK(launch.launch->effects[0].first ==
        6);  // element 0 stays 0, and 1.0f differs from 3.0f in its upper half
  CHECK(launch.begin_ms >= copies[0]->end_ms);
  CHECK(launch.end_ms > launch.begin_ms);

  const TapeEnd& end = end_of(outcome);
  CHECK(end.allocations.empty());
  CHECK(end.unread.empty());
  CHECK(end.never_launched == std::vector<std::string>{"fill", "add_counter", "unused"});
  bool told = false;
  for (const TapeRow& row : outcome.tape.rows) {
    if (!row.module) continue;
    told = true;
    CHECK(row.module->ptx_bytes == module_ptx().size());
    CHECK(row.module->architecture == 80);
    CHECK(row.module->problem == "");
    CHECK(row.module->kernels.size() == 4);
  }
  CHECK(told);
}

TEST_CASE("without a tape the program runs the same and nothing is said") {
  const Outcome outcome = in_program(
      [](Api& api) {
        float host[4] = {1, 2, 3, 4};
        float* device = nullptr;
        api("cudaMalloc", reinterpret_cast<void**>(&device), sizeof host);
        api("cudaMemcpy", device, host, sizeof host, to_device);
        scale(api, device, 2, 4, {}, {4, 1, 1});
        api("cudaMemcpy", host, device, sizeof host, to_host);
        return host[3] == 8 ? 0 : 1;
      },
      {{"WARPBOOK_TAPE_FD", ""}});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.tape.rows.empty());
  CHECK(outcome.out + outcome.err == "");
}

TEST_CASE("a forgotten launch shows as device memory that nothing wrote") {
  const Outcome outcome = in_program([](Api& api) {
    int host[100];
    int* device = nullptr;
    api("cudaMalloc", reinterpret_cast<void**>(&device), sizeof host);
    api("cudaMemset", device, 0, size_t(40));
    return api("cudaMemcpy", host, device, sizeof host, to_host);
  });
  CHECK(outcome.exit_code == 0);
  const TapeRow& copy = only(outcome, "cudaMemcpy");
  CHECK(copy.never_written == 360);
  CHECK(copy.first_never_written == 40);
  const TapeEnd& end = end_of(outcome);
  CHECK(end.never_launched.size() == 4);
  REQUIRE(end.allocations.size() == 1);  // and it leaks
  CHECK(end.allocations[0].allocation == only(outcome, "cudaMalloc").sequence);
  CHECK(end.allocations[0].bytes == 400);
}

TEST_CASE("copies that cannot be are refused with the reason") {
  const Outcome outcome = in_program([](Api& api) {
    int host[64] = {};
    int* device = nullptr;
    api("cudaMalloc", reinterpret_cast<void**>(&device), sizeof host);
    if (api("cudaMemcpy", device, host, sizeof host, to_host) != 1) return 1;    // swapped
    if (api("cudaMemcpy", host, device, sizeof host, to_device) != 1) return 2;  // swapped
    if (api("cudaMemcpy", device, host, size_t(257), to_device) != 1) return 3;  // one too many
    if (api("cudaMemcpy", device + 32, host, size_t(256), to_device) != 1) return 4;
    if (api("cudaMemcpy", device, host, size_t(4), 9) != 21) return 5;
    if (api("cudaMemcpy", device, static_cast<int*>(nullptr), size_t(4), to_device) != 1) return 6;
    if (api("cudaMemcpy", device, host, sizeof host, by_pointer) != 0) return 7;
    if (api("cudaGetLastError") != 1) return 8;  // kept through the success
    return api("cudaGetLastError");
  });
  CHECK(outcome.exit_code == 0);
  const auto copies = outcome.rows("cudaMemcpy");
  REQUIRE(copies.size() == 7);
  CHECK(copies[0]->note.find("device to host") != std::string::npos);
  CHECK(copies[0]->direction == CopyDirection::device_to_host);
  CHECK(copies[2]->note.find("257 bytes") != std::string::npos);
  CHECK(copies[2]->note.find("256") != std::string::npos);
  CHECK(copies[6]->direction == CopyDirection::host_to_device);
}

TEST_CASE("cudaFree: twice, inside, of host memory, of null") {
  const Outcome outcome = in_program([](Api& api) {
    int host = 0;
    char* device = nullptr;
    api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(64));
    if (api("cudaFree", device + 4) != 1) return 1;
    if (api("cudaFree", &host) != 1) return 2;
    if (api("cudaFree", static_cast<void*>(nullptr)) != 0) return 3;
    if (api("cudaFree", device) != 0) return 4;
    if (api("cudaFree", device) != 1) return 5;
    return 0;
  });
  CHECK(outcome.exit_code == 0);
  const auto frees = outcome.rows("cudaFree");
  REQUIRE(frees.size() == 5);
  CHECK(frees[0]->note.find("4 bytes into") != std::string::npos);
  CHECK(frees[4]->note.find("freed before") != std::string::npos);
  CHECK(frees[4]->places[0].kind == MemoryKind::freed);
}

TEST_CASE("a host pointer in a kernel is an illegal address that the next wait reports, for good") {
  const Outcome outcome = in_program([](Api& api) {
    std::vector<float> host(256);
    if (scale(api, host.data(), 2, 256, {}, {256, 1, 1}) != 0) return 1;
    if (api("cudaGetLastError") != 0) return 2;  // not known yet
    if (api("cudaDeviceSynchronize") != 700) return 3;
    if (api("cudaGetLastError") != 700 || api("cudaGetLastError") != 700) return 4;
    void* p = nullptr;
    if (api("cudaMalloc", &p, size_t(4)) != 700) return 5;
    return std::strcmp(api.get<const char*>("cudaGetErrorString", 700),
                       "an illegal memory access was encountered");
  });
  REQUIRE(outcome.exit_code == 0);
  const TapeRow& launch = launch_of(outcome);
  CHECK(launch.code == 0);
  CHECK(launch.launch->status == "fault");
  CHECK(launch.launch->error == 700);
  REQUIRE(launch.launch->diagnostics.size() > 0);
  REQUIRE(launch.places.size() == 1);
  CHECK(launch.places[0].kind == MemoryKind::host);
  const TapeRow& wait = only(outcome, "cudaDeviceSynchronize");
  CHECK(wait.code == 700);
  CHECK(wait.reports == launch.sequence);
}

TEST_CASE("an index past the end is told with the allocation, and what nobody waits for stays unread") {
  const Outcome outcome = in_program([](Api& api) {
    int* device = nullptr;
    api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(400));
    int n = 200;  // of 100
    return launch(api, &stubs().fill, {1, 1, 1}, {256, 1, 1}, {&device, &n});
  });
  CHECK(outcome.exit_code == 0);
  const TapeRow& launch = launch_of(outcome);
  REQUIRE(launch.launch->diagnostics.size() == 1);
  const Diagnosis& d = launch.launch->diagnostics[0];
  CHECK(d.kind == "oob-write");
  CHECK(d.buffer == "allocation " + std::to_string(only(outcome, "cudaMalloc").sequence));
  CHECK(d.index == 100);
  REQUIRE(end_of(outcome).unread.size() == 1);
  CHECK(end_of(outcome).unread[0].code == 700);
  CHECK(end_of(outcome).unread[0].row == launch.sequence);
}

TEST_CASE("a launch that cannot be is an error that only the next question shows") {
  const Outcome outcome = in_program([](Api& api) {
    int* device = nullptr;
    api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(4000));
    int n = 1000;
    launch(api, &stubs().fill, {1, 1, 1}, {2000, 1, 1}, {&device, &n});
    if (api("cudaDeviceSynchronize") != 0) return 1;  // does not clear it
    if (api("cudaPeekAtLastError") != 9 || api("cudaGetLastError") != 9 || api("cudaGetLastError") != 0)
      return 2;
    launch(api, &stubs().fill, {0, 1, 1}, {1, 1, 1}, {&device, &n});
    return 0;
  });
  CHECK(outcome.exit_code == 0);
  CHECK(launch_of(outcome).code == 9);
  CHECK(launch_of(outcome).launch->status == "launch-error");
  CHECK(launch_of(outcome).note.find("2000 threads") != std::string::npos);
  REQUIRE(end_of(outcome).unread.size() == 1);
  CHECK(end_of(outcome).unread[0].row == launch_of(outcome, 1).sequence);
  CHECK(end_of(outcome).never_launched.size() == 4);  // refused ones reached no GPU
}

TEST_CASE("a device pointer used on the host is named before the program dies of it") {
  const Outcome outcome = in_program([](Api& api) {
    volatile int* device = nullptr;
    api("cudaMalloc", const_cast<void**>(reinterpret_cast<volatile void* volatile*>(&device)), size_t(400));
    device[3] = 1;
    return 0;
  });
  if (sanitized) {
    CHECK((outcome.exit_code != 0 || outcome.signal != 0));  // the sanitizer may have the fault
  } else {
    CHECK(outcome.signal == SIGSEGV);
  }
  REQUIRE(outcome.tape.rows.size() > 0);
  const TapeRow& fault = outcome.tape.rows.back();
  REQUIRE(fault.fault);
  CHECK(fault.fault->kind == "device-pointer-on-host");
  CHECK(fault.fault->writes);
  REQUIRE(fault.places.size() == 1);
  CHECK(fault.places[0].allocation == only(outcome, "cudaMalloc").sequence);
  CHECK(fault.places[0].offset == 12);
  CHECK(fault.frames.size() > 0);
  CHECK_FALSE(outcome.tape.ended);
}

TEST_CASE("a program's own crash is told apart from a device pointer") {
  const Outcome outcome = in_program([](Api& api) {
    int count = 0;
    api("cudaGetDeviceCount", &count);
    volatile int* const nowhere = reinterpret_cast<int*>(uintptr_t(count) * 64);
    return *nowhere;
  });
  REQUIRE(outcome.tape.rows.size() > 0);
  REQUIRE(outcome.tape.rows.back().fault);
  CHECK(outcome.tape.rows.back().fault->kind == "segmentation-fault");
}

TEST_CASE("variables have their initial values, and managed ones are the host's before anything ran") {
  const Outcome outcome = in_program([](Api& api) {
    const int* limit = static_cast<int*>(stubs().managed);
    if (!limit || *limit != 7) return 1;
    int* device = nullptr;
    api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(4));
    launch(api, &stubs().add_counter, {}, {}, {&device});
    int value = 0;
    api("cudaMemcpy", &value, device, size_t(4), to_host);
    if (value != 3) return 2;
    if (*limit != 8) return 3;  // the kernel counted it up where the host sees it
    value = 41;
    if (api("cudaMemcpyToSymbol", static_cast<const void*>(&stubs().counter), &value, size_t(4), size_t(0),
            to_device))
      return 4;
    launch(api, &stubs().add_counter, {}, {}, {&device});
    api("cudaMemcpy", &value, device, size_t(4), to_host);
    if (value != 41) return 5;
    value = 0;
    if (api("cudaMemcpyFromSymbol", &value, static_cast<const void*>(&stubs().counter), size_t(4), size_t(0),
            to_host))
      return 6;
    return value == 41 ? 0 : 7;
  });
  CHECK(outcome.exit_code == 0);
  const TapeRow& copy = only(outcome, "cudaMemcpyToSymbol");
  CHECK(copy.arguments[0] == TapeArgument{"symbol", "counter"});
  CHECK(copy.places.back().variable == "counter");
}

TEST_CASE("memory that the host reaches: managed, pinned, registered") {
  const Outcome outcome = in_program([](Api& api) {
    int n = 100;
    int* managed = nullptr;
    if (api("cudaMallocManaged", reinterpret_cast<void**>(&managed), size_t(400), 1u) != 0) return 1;
    managed[99] = -1;
    launch(api, &stubs().fill, {}, {128, 1, 1}, {&managed, &n});
    api("cudaDeviceSynchronize");
    if (managed[99] != 99) return 2;
    int* pinned = nullptr;
    if (api("cudaMallocHost", reinterpret_cast<void**>(&pinned), size_t(400)) != 0) return 3;
    launch(api, &stubs().fill, {}, {128, 1, 1}, {&pinned, &n});
    api("cudaDeviceSynchronize");
    if (pinned[99] != 99) return 4;
    std::vector<int> own(100);
    if (api("cudaHostRegister", own.data(), size_t(400), 2u) != 0) return 5;
    if (api("cudaHostRegister", own.data(), size_t(400), 2u) != 712) return 6;
    int* alias = nullptr;
    if (api("cudaHostGetDevicePointer", reinterpret_cast<void**>(&alias), own.data(), 0u) != 0) return 7;
    launch(api, &stubs().fill, {}, {128, 1, 1}, {&alias, &n});
    api("cudaDeviceSynchronize");
    if (own[99] != 99) return 8;
    own.assign(100, 0);
    int* direct = own.data();  // with unified addressing its own address will do
    launch(api, &stubs().fill, {}, {128, 1, 1}, {&direct, &n});
    api("cudaDeviceSynchronize");
    if (own[99] != 99) return 9;
    if (api("cudaHostUnregister", own.data()) != 0 || api("cudaHostUnregister", own.data()) != 713) return 10;
    if (api("cudaFree", pinned) != 1) return 11;  // has a function of its own
    if (api("cudaFreeHost", pinned) != 0 || api("cudaFree", managed) != 0) return 12;
    return 0;
  });
  CHECK(outcome.exit_code == 0);
  CHECK(end_of(outcome).allocations.empty());
}

TEST_CASE("device memory ends at two gibibytes") {
  const Outcome outcome = in_program([](Api& api) {
    void* p = nullptr;
    size_t free_bytes = 0, total = 0;
    api("cudaMemGetInfo", &free_bytes, &total);
    if (total != size_t(2) << 30 || free_bytes != total) return 1;
    if (api("cudaMalloc", &p, size_t(3) << 30) != 2) return 2;
    if (api("cudaMalloc", &p, size_t(1) << 30) != 0) return 3;
    if (api("cudaMalloc", &p, (size_t(1) << 30) + 1) != 2) return 4;
    api("cudaMemGetInfo", &free_bytes, &total);
    if (free_bytes != size_t(1) << 30) return 5;
    return api("cudaMalloc", &p, size_t(0)) == 0 && p == nullptr ? 0 : 6;
  });
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("two-dimensional copies keep the pitch") {
  const Outcome outcome = in_program([](Api& api) {
    char* device = nullptr;
    size_t pitch = 0;
    if (api("cudaMallocPitch", reinterpret_cast<void**>(&device), &pitch, size_t(100), size_t(3)) != 0)
      return 1;
    if (pitch < 100 || pitch % 256 != 0) return 2;
    char from[300], to[300];
    for (int i = 0; i < 300; ++i) from[i] = char(i);
    if (api("cudaMemcpy2D", device, pitch, from, size_t(100), size_t(100), size_t(3), to_device) != 0)
      return 3;
    if (api("cudaMemcpy2D", to, size_t(100), device, pitch, size_t(100), size_t(3), to_host) != 0) return 4;
    if (std::memcmp(from, to, 300) != 0) return 5;
    if (api("cudaMemcpy2D", to, size_t(50), device, pitch, size_t(100), size_t(3), to_host) != 12) return 6;
    return 0;
  });
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("device to device copies carry what was never written") {
  const Outcome outcome = in_program([](Api& api) {
    char *a = nullptr, *b = nullptr;
    char host[64];
    api("cudaMalloc", reinterpret_cast<void**>(&a), size_t(64));
    api("cudaMalloc", reinterpret_cast<void**>(&b), size_t(64));
    api("cudaMemset", a, 1, size_t(16));
    api("cudaMemcpy", b, a, size_t(64), on_device);
    api("cudaMemcpy", host, b, size_t(64), to_host);
    return host[15] - 1;
  });
  CHECK(outcome.exit_code == 0);
  const auto copies = outcome.rows("cudaMemcpy");
  REQUIRE(copies.size() == 2);
  CHECK(copies[0]->never_written == 48);
  CHECK(copies[1]->never_written == 48);
  CHECK(copies[1]->first_never_written == 16);
}

TEST_CASE("a copy's direction stands on the tape as the program wrote it") {
  const Outcome outcome = in_program([](Api& api) {
    int* device = nullptr;
    int host = 3;
    api("cudaMalloc", reinterpret_cast<void**>(&device), sizeof host);
    return api("cudaMemcpy", static_cast<void*>(device), static_cast<const void*>(&host), sizeof host,
               to_device);
  });
  REQUIRE(outcome.exit_code == 0);
  const auto copies = outcome.rows("cudaMemcpy");
  REQUIRE(copies.size() == 1);
  const auto kind = std::find_if(copies[0]->arguments.begin(), copies[0]->arguments.end(),
                                 [](const TapeArgument& argument) { return argument.name == "kind"; });
  REQUIRE(kind != copies[0]->arguments.end());
  CHECK(kind->value == "cudaMemcpyHostToDevice");  // regression: it was the address of the text
}
