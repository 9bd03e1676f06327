// Streams, events, callbacks; the device's figures; and what the environment can ask for.
#include <cstring>
#include <thread>
#include <vector>

#include "catch.h"
#include "cudart/abi.h"
#include "program_fixture.h"

using namespace warpbook;
using namespace warpbook::cudart_test;

namespace {

constexpr int to_device = 1, to_host = 2;

std::vector<const TapeRow*> launches_of(const Outcome& outcome) {
  std::vector<const TapeRow*> launches;
  for (const TapeRow& row : outcome.tape.rows) {
    if (row.kind == TapeKind::launch) launches.push_back(&row);
  }
  return launches;
}

}  // namespace

TEST_CASE("events give modelled time, more for more work, and never zero") {
  const Outcome outcome = in_program([](Api& api) {
    void *start = nullptr, *stop = nullptr, *never = nullptr;
    api("cudaEventCreate", &start);
    api("cudaEventCreate", &stop);
    api("cudaEventCreate", &never);
    int* device = nullptr;
    api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(1) << 22);
    float empty = 0, small = 0, large = 0;
    void* none = nullptr;
    api("cudaEventRecord", start, none);
    api("cudaEventRecord", stop, none);
    api("cudaEventSynchronize", stop);
    if (api("cudaEventElapsedTime", &empty, start, stop) != 0 || empty <= 0) return 1;
    for (float* ms : {&small, &large}) {
      int n = ms == &small ? 1024 : 1 << 20;
      api("cudaEventRecord", start, none);
      launch(api, &stubs().fill, {unsigned(n) / 256, 1, 1}, {256, 1, 1}, {&device, &n});
      api("cudaEventRecord", stop, none);
      if (api("cudaEventElapsedTime", ms, start, stop) != 600) return 2;  // nobody has waited
      api("cudaEventSynchronize", stop);
      if (api("cudaEventElapsedTime", ms, start, stop) != 0) return 3;
    }
    if (!(small > empty && large > small)) return 4;
    if (api("cudaEventElapsedTime", &empty, start, never) != 400) return 5;
    if (api("cudaGetLastError") != 400) return 6;  // 600 is no error to keep
    api("cudaEventRecord", stop, none);
    int asked = 0;
    while (api("cudaEventQuery", stop) == 600 && asked < 10000) ++asked;
    api("cudaEventDestroy", stop);
    return asked < 10000 && api("cudaEventRecord", stop, none) == 400 ? 0 : 7;
  });
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("work in two streams overlaps in modelled time, and the default stream waits for both") {
  const Outcome outcome = in_program([](Api& api) {
    void *one = nullptr, *two = nullptr;
    api("cudaStreamCreate", &one);
    api("cudaStreamCreate", &two);
    char *a = nullptr, *b = nullptr, *host = nullptr;
    api("cudaMalloc", reinterpret_cast<void**>(&a), size_t(1) << 20);
    api("cudaMalloc", reinterpret_cast<void**>(&b), size_t(1) << 20);
    api("cudaMallocHost", reinterpret_cast<void**>(&host), size_t(1) << 20);
    api("cudaMemset", b, 0, size_t(1) << 20);
    api("cudaMemcpyAsync", a, host, size_t(1) << 20, to_device, one);
    api("cudaMemcpyAsync", host, b, size_t(1) << 20, to_host, two);
    int n = 1;
    launch(api, &stubs().fill, {}, {}, {&a, &n});
    if (api("cudaStreamSynchronize", one) != 0 || api("cudaStreamDestroy", one) != 0) return 1;
    return api("cudaStreamSynchronize", one) == 400 ? 0 : 2;
  });
  CHECK(outcome.exit_code == 0);
  const auto copies = outcome.rows("cudaMemcpyAsync");
  REQUIRE(copies.size() == 2);
  CHECK(copies[0]->stream == 1);
  CHECK(copies[1]->stream == 2);
  CHECK(copies[1]->begin_ms < copies[0]->end_ms);
  REQUIRE(launches_of(outcome).size() == 1);
  CHECK(launches_of(outcome)[0]->stream == 0);
  CHECK(launches_of(outcome)[0]->begin_ms >= copies[0]->end_ms);
  CHECK(launches_of(outcome)[0]->begin_ms >= copies[1]->end_ms);
}

TEST_CASE("a callback runs once and may not call CUDA, but may wait for a thread that does") {
  const Outcome outcome = in_program([](Api& api) {
    static Api* used = nullptr;
    static int calls = 0, inside = 0, elsewhere = 0;
    used = &api;
    const auto function = +[](void*) {
      ++calls;
      void* p = nullptr;
      inside = (*used)("cudaMalloc", &p, size_t(4));
      std::thread([] {
        void* q = nullptr;
        elsewhere = (*used)("cudaMalloc", &q, size_t(4));
      }).join();
    };
    void* none = nullptr;
    if (api("cudaLaunchHostFunc", none, function, none) != 0) return 1;
    return calls == 1 && inside == 800 && elsewhere == 0 ? 0 : 2;
  });
  CHECK(outcome.exit_code == 0);
  const auto rows = outcome.rows("cudaMalloc");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]->thread == 0);
  CHECK(rows[1]->thread == 1);
}

TEST_CASE("each thread has a last error of its own") {
  const Outcome outcome = in_program([](Api& api) {
    int other = -1;
    if (api("cudaMemcpy", static_cast<void*>(nullptr), static_cast<void*>(nullptr), size_t(4), to_device) !=
        1)
      return 1;
    std::thread([&] { other = api("cudaGetLastError"); }).join();
    return other == 0 && api("cudaGetLastError") == 1 ? 0 : 2;
  });
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("planned failures strike the call that was named and no other") {
  const Outcome outcome = in_program(
      [](Api& api) {
        void* p = nullptr;
        if (api("cudaMalloc", &p, size_t(4)) != 0) return 1;
        void* const first = p;
        if (api("cudaMalloc", &p, size_t(4)) != 2 || p != first) return 2;
        if (api("cudaMalloc", &p, size_t(4)) != 0) return 3;
        if (api("cudaGetLastError") != 2) return 4;
        return api("cudaFree", p) == 46 ? 0 : 5;
      },
      {{"WARPBOOK_FAIL", "cudaMalloc:2:2, cudaFree:1:46,nonsense"}});
  CHECK(outcome.exit_code == 0);
  const auto rows = outcome.rows("cudaMalloc");
  REQUIRE(rows.size() == 3);
  CHECK_FALSE(rows[0]->injected);
  CHECK(rows[1]->injected);
}

TEST_CASE("with empty kernels launches succeed, nothing happens, and stderr says so once") {
  const Outcome outcome = in_program(
      [](Api& api) {
        int* device = nullptr;
        int host[4] = {5, 5, 5, 5}, n = 4;
        api("cudaMalloc", reinterpret_cast<void**>(&device), sizeof host);
        api("cudaMemcpy", device, host, sizeof host, to_device);
        for (int i = 0; i < 2; ++i) launch(api, &stubs().fill, {}, {4, 1, 1}, {&device, &n});
        api("cudaMemcpy", host, device, sizeof host, to_host);
        return host[0] == 5 && host[3] == 5 ? 0 : 1;
      },
      {{"WARPBOOK_NULL_KERNELS", "1"}});
  CHECK(outcome.exit_code == 0);
  const size_t said = outcome.err.find("WARPBOOK_NULL_KERNELS");
  REQUIRE(said != std::string::npos);
  CHECK(outcome.err.find("WARPBOOK_NULL_KERNELS", said + 1) == std::string::npos);
  REQUIRE(launches_of(outcome).size() == 2);
  CHECK(launches_of(outcome)[0]->launch->status == "null");
}

TEST_CASE("equal launches on unchanged memory are executed once; a changed byte executes again") {
  const auto program = [](Api& api) {
    int* device = nullptr;
    int host[256], n = 256;
    api("cudaMalloc", reinterpret_cast<void**>(&device), sizeof host);
    for (int i = 0; i < 5; ++i) launch(api, &stubs().fill, {}, {256, 1, 1}, {&device, &n});
    api("cudaMemset", device, 0, size_t(4));
    api("cudaMemset", device + 5, 0, size_t(4));
    launch(api, &stubs().fill, {}, {256, 1, 1}, {&device, &n});
    api("cudaMemcpy", host, device, sizeof host, to_host);
    if (host[5] != 5) return 1;
    // In place: each changes what the next reads.
    float* p = reinterpret_cast<float*>(device);
    float by = 2, values[256];
    std::fill(values, values + 256, 1.0f);
    api("cudaMemcpy", p, values, sizeof values, to_device);
    for (int i = 0; i < 3; ++i) launch(api, &stubs().scale, {}, {256, 1, 1}, {&p, &by, &n});
    api("cudaMemcpy", values, p, sizeof values, to_host);
    return values[255] == 8 ? 0 : 2;
  };
  const Outcome memo = in_program(program);
  CHECK(memo.exit_code == 0);
  const auto launches = launches_of(memo);
  REQUIRE(launches.size() == 9);
  CHECK(launches[0]->launch->repeats == 0);
  CHECK(launches[4]->launch->repeats == launches[0]->sequence);
  CHECK(launches[4]->launch->repetition == 5);
  CHECK(launches[4]->end_ms > launches[4]->begin_ms);
  for (size_t i = 5; i < 9; ++i) CHECK(launches[i]->launch->repeats == 0);

  const Outcome plain = in_program(program, {{"WARPBOOK_NO_MEMO", "1"}});
  CHECK(plain.exit_code == 0);
  for (const TapeRow* row : launches_of(plain)) CHECK(row->launch->repeats == 0);
}

TEST_CASE("an endless or too long kernel ends at the limit of instructions") {
  const Outcome outcome = in_program(
      [](Api& api) {
        int* device = nullptr;
        int n = 1 << 20;
        api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(4) << 20);
        launch(api, &stubs().fill, {4096, 1, 1}, {256, 1, 1}, {&device, &n});
        return api("cudaDeviceSynchronize") == 702 ? 0 : 1;
      },
      {{"WARPBOOK_MAX_INSTRUCTIONS", "1000"}, {"WARPBOOK_LEVEL", "run"}});
  CHECK(outcome.exit_code == 0);
  REQUIRE(launches_of(outcome).size() == 1);
  CHECK(launches_of(outcome)[0]->launch->status == "limit");
}

TEST_CASE("the device has the figures of its row of the table") {
  const Outcome outcome = in_program(
      [](Api& api) {
        cudart::DeviceProperties p;
        std::memset(&p, 0xFF, sizeof p);
        if (api("cudaGetDeviceProperties", &p, 0) != 0) return 1;
        if (std::strstr(p.name, "T4") != p.name) return 2;
        if (p.major != 7 || p.minor != 5 || p.warp_size != 32 || p.max_threads_per_block != 1024) return 3;
        if (p.total_global_mem != size_t(2) << 30 || p.multi_processor_count > 8) return 4;
        int value = 0;
        if (api("cudaDeviceGetAttribute", &value, 75, 0) != 0 || value != 7) return 5;
        if (api("cudaGetDeviceProperties", &p, 1) != 101 || api("cudaSetDevice", 1) != 101) return 6;
        // The module's PTX is for sm_80, which this GPU is not.
        int* none = nullptr;
        int n = 0;
        if (launch(api, &stubs().fill, {}, {}, {&none, &n}) != 209) return 7;
        return api("cudaGetLastError") == 209 ? 0 : 8;
      },
      {{"WARPBOOK_GPU", "T4"}});
  CHECK(outcome.exit_code == 0);
  for (const TapeRow& row : outcome.tape.rows) {
    if (row.module) CHECK(row.module->problem.find("compute_80") != std::string::npos);
  }
}

TEST_CASE("an unknown GPU fails every call in words and not by chance") {
  const Outcome outcome = in_program(
      [](Api& api) {
        void* p = nullptr;
        return api("cudaMalloc", &p, size_t(4)) == 3 ? 0 : 1;
      },
      {{"WARPBOOK_GPU", "GeForce 9999"}});
  CHECK(outcome.exit_code == 0);
  REQUIRE(outcome.rows("cudaMalloc").size() == 1);
  CHECK(outcome.rows("cudaMalloc")[0]->note.find("9999") != std::string::npos);
}

TEST_CASE("occupancy and attributes of a kernel") {
  const Outcome outcome = in_program([](Api& api) {
    int blocks = 0;
    const void* const fill = &stubs().fill;
    if (api("cudaOccupancyMaxActiveBlocksPerMultiprocessor", &blocks, fill, 256, size_t(0)) != 0) return 1;
    if (blocks != 8) return 2;  // 64 warps of 8
    if (api("cudaOccupancyMaxActiveBlocksPerMultiprocessor", &blocks, fill, 256, size_t(40000)) != 0)
      return 3;
    if (blocks < 1 || blocks > 4) return 4;
    cudart::FunctionAttributes a;
    if (api("cudaFuncGetAttributes", &a, fill) != 0) return 5;
    if (a.num_regs < 8 || a.num_regs > 64 || a.max_threads_per_block != 1024) return 6;
    int* device = nullptr;
    int n = 4;
    api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(16));
    if (launch(api, fill, {}, {4, 1, 1}, {&device, &n}, 60000) != 1)
      return 7;  // more than 48 KiB, not asked for
    if (api("cudaFuncSetAttribute", fill, 8, 60000) != 0) return 8;
    if (launch(api, fill, {}, {4, 1, 1}, {&device, &n}, 60000) != 0) return 9;
    if (api("cudaFuncSetAttribute", fill, 8, 1000000) != 1) return 10;
    if (api("cudaFuncGetAttributes", &a, static_cast<const void*>(&blocks)) != 98) return 11;
    // All blocks of a cooperative launch must fit at once.
    void* arguments[] = {&device, &n};
    void* const none = nullptr;
    if (api("cudaLaunchCooperativeKernel", fill, Sizes{100000, 1, 1}, Sizes{256, 1, 1},
            static_cast<void**>(arguments), size_t(0), none) != 720)
      return 12;
    return 0;
  });
  CHECK(outcome.exit_code == 0);
}
