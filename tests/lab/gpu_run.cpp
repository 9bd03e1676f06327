// Runs on a GPU, with the stand-in driver: what runs where, what is measured, and what a learner is told when
// the GPU or the kernel fails.
#include "lab/gpu_run.h"

#include <algorithm>
#include <ctime>

#include "base/hash.h"
#include "base/temporary_folder.h"
#include "device/standin.h"
#include "lab/conform.h"
#include "lab/gpu_bench.h"
#include "lab/gpu_faults.h"
#include "lab/gpu_report.h"
#include "lab/report.h"
#include "lab/session.h"

using namespace warpbook;

namespace {

const std::string worker = std::string(WARPBOOK_BINARY_DIR) + "/tests/";

struct Ready {
  Setting driver{"WARPBOOK_CUDA_DRIVER", standin_path()};
  TemporaryFolder cache;
  std::unique_ptr<Session> session;
  explicit Ready(const std::string& device = "cuda") {
    SessionOptions options;
    options.root = WARPBOOK_SOURCE_DIR;
    options.device = device;
    options.gpu_worker = {worker + "cuda_worker"};
    auto opened = open_session(options);
    INFO((opened ? "" : opened.error().message));
    REQUIRE(opened.ok());
    session = std::move(*opened);
    session->compiler = std::make_unique<Compiler>(cache.path(), 1u << 20,
                                                   std::vector<std::string>{worker + "compile_worker"});
  }
  bool has_compiler() const {
    const bool there = session->compiler->place().missing.empty();
    if (!there) WARN("no NVRTC here");
    return there;
  }
};

RunRequest twice() {
  RunRequest request;
  request.source =
      "// kernel: twice\n// launch: grid=(4,1,1) block=(64,1,1)\n"
      "// args: out=buf:f32[256]:zeros; in=buf:f32[256]:iota; n=i32:256\n"
      "extern \"C\" __global__ void twice(float* out, const float* in, int n)\n{\n"
      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = 2.0f * in[i];\n}\n";
  request.file = "twice.cu";
  request.measure = {1, 3, 1, false};
  return request;
}

const Diagnosis* find(const RunResult& result, const std::string& kind) {
  for (const Diagnosis& d : result.diagnostics)
    if (d.kind == kind) return &d;
  return nullptr;
}

}  // namespace

TEST_CASE("code of ours runs on the GPU in this process, a learner's in its own, with equal results") {
  Ready ready;
  CHECK(engine_name(*ready.session) == "Stand-in GPU 0");
  if (!ready.has_compiler()) return;
  RunRequest request = twice();
  const auto learner = run(*ready.session, request);
  REQUIRE(learner.ok());
  CHECK(learner->status == "ok");
  CHECK(learner->engine == "Stand-in GPU 0");
  REQUIRE(learner->on_gpu);
  CHECK(learner->on_gpu->own_process);
  CHECK(learner->on_gpu->compared);
  CHECK(learner->on_gpu->difference == "");
  CHECK(learner->on_gpu->bits_promised);
  CHECK(learner->counters);  // counted on the emulator, beside the time of the GPU
  REQUIRE(learner->times.measured);
  CHECK(learner->times.measured->repeats == 3);
  CHECK(learner->times.stamp == "measured (Stand-in GPU 0)");
  CHECK(learner->times.emulator_ms);
  CHECK(element_as_double(ElementType::f32, learner->outputs[0].data.data(), 100) == 200);
  CHECK(run_as_json(*learner).find("\"same_as_emulator\": true") != std::string::npos);
  const std::string text = run_as_text(*learner, request.source, {});
  CHECK(text.find("measured (Stand-in GPU 0):") != std::string::npos);
  CHECK(text.find("bit for bit") != std::string::npos);

  request.ours = content_hash(request.source);
  request.level = Level::run;
  const auto ours = run(*ready.session, request);
  REQUIRE(ours.ok());
  REQUIRE(ours->on_gpu);
  CHECK_FALSE(ours->on_gpu->own_process);
  CHECK_FALSE(ours->on_gpu->compared);  // nothing to hold it against: only to be run
  CHECK_FALSE(ours->times.emulator_ms);
  REQUIRE(ours->on_gpu->buffers.size() == 2);
  std::vector<std::byte> there(16);
  CHECK(ready.session->gpu_device->copy_out(ours->on_gpu->buffers[0].second, there).ok());
  CHECK(element_as_double(ElementType::f32, ours->outputs[0].data.data(), 3) == 6);

  request.source += "// changed\n";  // no longer ours
  const auto changed = run(*ready.session, request);
  REQUIRE(changed.ok());
  CHECK(changed->on_gpu->own_process);
}

TEST_CASE("what the emulator finds does not reach the GPU") {
  Ready ready;
  if (!ready.has_compiler()) return;
  RunRequest request = twice();
  request.grid = Dim3{5, 1, 1};
  const size_t guard = request.source.find("if (i < n) ");
  request.source.erase(guard, 11);
  const auto result = run(*ready.session, request);
  REQUIRE(result.ok());
  CHECK(result->status == "fault");
  CHECK(result->engine == "emulator");
  REQUIRE(result->on_gpu);
  CHECK(result->on_gpu->device == "");
  CHECK_FALSE(result->on_gpu->note.empty());
  CHECK(find(*result, "gpu-fault") == nullptr);
}

TEST_CASE("a killed process on the GPU is a diagnosis at the kernel, and the next run works") {
  Ready ready;
  if (!ready.has_compiler()) return;
  {
    const Setting kill("STANDIN_KILL", "twice");
    const auto result = run(*ready.session, twice());
    REQUIRE(result.ok());
    CHECK(result->status == "fault");
    CHECK(result->exit_code == 1);
    REQUIRE(find(*result, "gpu-fault"));
    CHECK(find(*result, "gpu-fault")->line == 4);
  }
  // The child that was started meanwhile has the setting; the one after it does not.
  static_cast<void>(run(*ready.session, twice()).ok());
  const auto next = run(*ready.session, twice());
  REQUIRE(next.ok());
  CHECK(next->status == "ok");
  CHECK(next->engine == "Stand-in GPU 0");
}

TEST_CASE("a GPU that cannot be used leaves the emulator's result and says why") {
  Ready ready;
  if (!ready.has_compiler()) return;
  const Setting fails("STANDIN_FAIL", "cuMemAlloc_v2:0:999");
  const auto result = run(*ready.session, twice());
  REQUIRE(result.ok());
  CHECK(result->status == "ok");
  CHECK(result->engine == "emulator");
  REQUIRE(result->on_gpu);
  CHECK(result->on_gpu->note.find("The emulator ran it instead.") != std::string::npos);
  CHECK(element_as_double(ElementType::f32, result->outputs[0].data.data(), 100) == 200);
}

TEST_CASE("a wrong number from the GPU is told as a difference") {
  Ready ready;
  if (!ready.has_compiler()) return;
  const Setting corrupt("STANDIN_CORRUPT", "twice");
  const auto result = run(*ready.session, twice());
  REQUIRE(result.ok());
  REQUIRE(result->on_gpu);
  CHECK(result->on_gpu->difference.find("out[0]") != std::string::npos);
}

TEST_CASE("looking for a driver that is not there costs a start less than 5 ms") {
  const Setting none("WARPBOOK_CUDA_DRIVER", "libcuda-that-is-not-there.so.1");
  // Time of the processor, in turns: a machine that does other things meanwhile must not decide.
  const auto opening = [](const char* device) {
    SessionOptions options;
    options.root = WARPBOOK_SOURCE_DIR;
    options.device = device;
    const std::clock_t start = std::clock();
    REQUIRE(open_session(options).ok());
    return 1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC;
  };
  double with = 1e9, without = 1e9;
  for (int i = 0; i < 9; ++i) {
    with = std::min(with, opening("auto"));
    without = std::min(without, opening("emulated"));
  }
  INFO(with << " ms and " << without << " ms");
  CHECK(with - without < 5);
}

TEST_CASE("without a driver auto does without a GPU and cuda says why not") {
  const Setting none("WARPBOOK_CUDA_DRIVER", "/nowhere/libcuda.so.1");
  SessionOptions options;
  options.root = WARPBOOK_SOURCE_DIR;
  options.device = "auto";
  const auto session = open_session(options);
  REQUIRE(session.ok());
  CHECK_FALSE(has_gpu(**session));
  CHECK(engine_name(**session) == "emulator");
  CHECK((*session)->no_gpu.find("No NVIDIA driver") != std::string::npos);
  CHECK_FALSE(conform(**session, {}, {}).ok());
  CHECK(conform(**session, {}, {}).error().trouble == Trouble::unsupported);
  options.device = "cuda";
  const auto refused = open_session(options);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("There is no usable GPU. No NVIDIA driver") == 0);
  options.device = "opencl";
  CHECK_FALSE(open_session(options).ok());
}

TEST_CASE("a driver older than the compiler gets machine code of its GPU, said in words") {
  const Setting ptx("STANDIN_PTX", "84"), cuda("STANDIN_CUDA", "12040"), compute("STANDIN_COMPUTE", "8.6");
  Ready ready;
  if (!ready.has_compiler()) return;
  for (int again = 0; again < 2; ++again) {  // compiled, and out of the cache
    const auto result = run(*ready.session, twice());
    REQUIRE(result.ok());
    CHECK(result->status == "ok");
    REQUIRE(result->on_gpu);
    INFO(result->on_gpu->note);
    if (result->on_gpu->note.empty()) {
      WARN("this NVRTC's PTX is no newer than 8.4");
      return;
    }
    CHECK(result->on_gpu->note.find("serves CUDA 12.4") != std::string::npos);
    CHECK(result->on_gpu->note.find("machine code for this GPU") != std::string::npos);
    CHECK(result->on_gpu->difference == "");
    CHECK(element_as_double(ElementType::f32, result->outputs[0].data.data(), 100) == 200);
  }
  const Setting new_enough("STANDIN_CUDA", "13000");
  const auto device = make_cuda_device();
  REQUIRE(device.ok());
  CHECK_FALSE(newer_than_driver(".version 9.0\n", (*device)->capabilities()));
  CHECK(newer_than_driver(".version 9.1\n", (*device)->capabilities()));
}

TEST_CASE("the engine can be another one between two runs, and an unknown one changes nothing") {
  const Setting two("STANDIN_DEVICES", "2");
  Ready ready("emulated");
  Session& session = *ready.session;
  CHECK(engine_name(session) == "emulator");
  for (const auto& [asked, name] :
       {std::pair("cuda:1", "Stand-in GPU 1"), std::pair("cuda:GPU 0", "Stand-in GPU 0"),
        std::pair("auto", "Stand-in GPU 0"), std::pair("emulated", "emulator"),
        std::pair("cuda:1", "Stand-in GPU 1")}) {
    REQUIRE(choose_engine(session, asked).ok());
    CHECK(engine_name(session) == name);
    CHECK(session.options.device == asked);
  }
  const auto refused = choose_engine(session, "cuda:7");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("There is no usable GPU 7.") == 0);
  CHECK(refused.error().hint.find("0 (Stand-in GPU 0), 1 (Stand-in GPU 1)") != std::string::npos);
  CHECK(engine_name(session) == "Stand-in GPU 1");
  if (!ready.has_compiler()) return;
  const auto result = run(session, twice());
  REQUIRE(result.ok());
  CHECK(result->engine == "Stand-in GPU 1");
  CHECK(result->times.stamp == "measured (Stand-in GPU 1)");
}

TEST_CASE("the GPU that draws is taken, by its UUID, where nobody chose one") {
  const Setting two("STANDIN_DEVICES", "2");
  Ready ready("auto");
  Session& session = *ready.session;
  std::string why;
  const auto gpus = find_gpus(why);
  REQUIRE(gpus.size() == 2);
  CHECK(number_of(session, gpus) == 0);
  prefer_drawing_gpu(session, {}, gpus);  // what draws is not known
  CHECK(engine_name(session) == "Stand-in GPU 0");
  std::array<uint8_t, 16> others{};
  others.fill(0xee);
  prefer_drawing_gpu(session, others, gpus);  // not NVIDIA's
  CHECK(engine_name(session) == "Stand-in GPU 0");
  prefer_drawing_gpu(session, gpus[1].uuid, gpus);
  CHECK(engine_name(session) == "Stand-in GPU 1");
  CHECK(number_of(session, gpus) == 1);
  CHECK(session.options.device == "auto");
  REQUIRE(choose_engine(session, "cuda:0").ok());
  prefer_drawing_gpu(session, gpus[1].uuid, gpus);  // somebody chose
  CHECK(engine_name(session) == "Stand-in GPU 0");
  REQUIRE(choose_engine(session, "emulated").ok());
  prefer_drawing_gpu(session, gpus[1].uuid, gpus);
  CHECK(number_of(session, gpus) == -1);
}

TEST_CASE("the emulator conforms to a GPU that is the emulator, and one wrong bit is found") {
  {
    Ready ready;
    ConformOptions options;
    options.generated = 20;
    options.lessons = false;
    const auto report = conform(*ready.session, {}, options);
    INFO((report ? "" : report.error().message));
    REQUIRE(report.ok());
    CHECK(report->rows.size() == instruction_cases().size() + 20);
    for (const ConformRow& row : report->rows) {
      INFO(row.family << " " << row.name << ": " << row.detail);
      CHECK(row.status == ConformRow::Status::same);
    }
    CHECK(report->passed());
    CHECK(conform_as_text(*report, false).find("0 different, 0 not run") != std::string::npos);
  }
  const Setting corrupt("STANDIN_CORRUPT", "k");
  Ready ready;
  ConformOptions options;
  options.generated = 2;
  options.instructions = options.lessons = false;
  const auto report = conform(*ready.session, {}, options);
  REQUIRE(report.ok());
  CHECK_FALSE(report->passed());
  CHECK(report->rows[0].detail.find("results[0]") == 0);
  CHECK(conform_as_json(*report).find("\"passed\": false") != std::string::npos);
}

TEST_CASE("the lessons' kernels conform as well, as far as they run on the emulator") {
  Ready ready;
  if (!ready.has_compiler()) return;
  Library library = load_library({WARPBOOK_SOURCE_DIR});
  library.lessons.resize(2);
  ConformOptions options;
  options.generated = 0;
  options.instructions = false;
  const auto report = conform(*ready.session, library, options);
  REQUIRE(report.ok());
  CHECK_FALSE(report->rows.empty());
  CHECK(report->passed());

  // Where no kernel of ours compiles, nothing was compared, and that is no success.
  const TemporaryFolder nothing_cached;
  ready.session->compiler = std::make_unique<Compiler>(nothing_cached.path(), 1u << 20,
                                                       std::vector<std::string>{worker + "no-worker"});
  const auto nothing = conform(*ready.session, library, options);
  REQUIRE(nothing.ok());
  CHECK_FALSE(nothing->passed());
}

TEST_CASE("the GPU's benchmarks give right results at small sizes") {
  Ready ready;
  if (!ready.has_compiler()) return;
  GpuBenchOptions options;
  options.small = true;
  options.group = "sgemm";
  const auto results = run_gpu_bench(*ready.session, options, {});
  INFO((results ? "" : results.error().message));
  REQUIRE(results.ok());
  REQUIRE(results->size() == 7);
  for (size_t i = 0; i < 6; ++i) {
    INFO((*results)[i].name << ": " << (*results)[i].trouble);
    CHECK((*results)[i].trouble == "");
    CHECK((*results)[i].checked);
    CHECK((*results)[i].tflops);
  }
  CHECK((*results)[6].name == "sgemm, cuBLAS");
}

TEST_CASE("kernels that fail on purpose are told by the GPU's process, and it works again after each") {
  Ready ready;
  if (!ready.has_compiler()) return;
  const auto trials = run_gpu_faults(*ready.session);
  INFO((trials ? "" : trials.error().message));
  REQUIRE(trials.ok());
  REQUIRE(trials->size() == 4);
  for (const FaultTrial& trial : *trials) {
    INFO(trial.name << " " << trial.status << " " << trial.message);
    CHECK(trial.held());
    CHECK(trial.seconds_to_next < 20);
  }
}
