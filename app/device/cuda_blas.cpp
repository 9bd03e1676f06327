// cuBLAS by dlopen, in the context that the device already has: a third of a page of declarations from
// cublas_api.h (CUDA 13.0).
#include "device/cuda_blas.h"

#include <fmt/format.h>

#include <optional>

#include "device/cuda_inside.h"
#include "device/cuda_timer.h"

namespace warpbook {

namespace {

using namespace cuda;

struct Blas {
  using Handle = void*;
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*set_stream)(Handle, Stream) = nullptr;
  int (*sgemm)(Handle, int, int, int, int, int, const float*, const float*, int, const float*, int,
               const float*, float*, int) = nullptr;
};
constexpr int no_transposition = 0;  // CUBLAS_OP_N

template <class F>
bool fill(const DynamicLibrary& library, const char* name, F& function) {
  function = reinterpret_cast<F>(library.symbol(name));
  return function != nullptr;
}

Error no_blas(const std::string& what) {
  return Error{fmt::format("cuBLAS was not measured: {}.", what), Trouble::unsupported, {}, {}};
}

/// Gives back what it took, whatever happens between.
struct Setting {
  GpuContext& context;
  const Blas& blas;
  Blas::Handle handle = nullptr;
  Pointer memory = 0;
  ~Setting() {
    if (handle != nullptr) blas.destroy(handle);
    if (memory != 0) context.note(context.driver().free(memory));
  }
};

}  // namespace

Result<Measured> measure_cublas_sgemm(Device& device, int n, const MeasureRequest& request) {
  GpuContext* context = context_of(device);
  if (context == nullptr) return no_blas("the device has no context in this process");
  std::optional<DynamicLibrary> library;
  for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}) {
    auto opened = DynamicLibrary::open(name);
    if (!opened) continue;
    library.emplace(std::move(*opened));
    break;
  }
  if (!library) return no_blas("its library is not installed, or not in the loader's path");
  Blas blas;
  if (!fill(*library, "cublasCreate_v2", blas.create) || !fill(*library, "cublasDestroy_v2", blas.destroy) ||
      !fill(*library, "cublasSetStream_v2", blas.set_stream) || !fill(*library, "cublasSgemm_v2", blas.sgemm))
    return no_blas("its library lacks functions");

  const GpuContext::Current here(*context);
  if (!here.entered()) return here.entered().error();
  const Driver& driver = context->driver();
  Setting setting{*context, blas, nullptr, 0};
  if (const int code = blas.create(&setting.handle); code != 0) {
    setting.handle = nullptr;
    return no_blas(fmt::format("it did not start (status {})", code));
  }
  blas.set_stream(setting.handle, context->stream());
  const size_t matrix = size_t(n) * size_t(n) * sizeof(float);
  if (const auto done = context->check("get memory for cuBLAS", driver.allocate(&setting.memory, 3 * matrix));
      !done) {
    setting.memory = 0;
    return done.error();
  }
  if (const auto done = context->check("fill the memory for cuBLAS",
                                       driver.fill(setting.memory, 0x3f, 3 * matrix, context->stream()));
      !done)
    return done.error();
  auto timer = Timer::make(*context);
  if (!timer) return timer.error();
  auto* const a = reinterpret_cast<float*>(setting.memory);
  float* const b = a + size_t(n) * size_t(n);
  float* const c = b + size_t(n) * size_t(n);
  const float one = 1, zero = 0;
  std::vector<double> times;
  for (int i = 0; i < request.warm_ups + request.repeats; ++i) {
    if (const auto done = context->check("record an event", (*timer)->start()); !done) return done.error();
    const int code = blas.sgemm(setting.handle, no_transposition, no_transposition, n, n, n, &one, a, n, b, n,
                                &zero, c, n);
    if (code != 0) return no_blas(fmt::format("the product failed (status {})", code));
    if (const auto done = context->check("record an event", (*timer)->stop()); !done) return done.error();
    if (const auto done = context->check("run cuBLAS", context->wait(std::chrono::seconds(30))); !done)
      return done.error();
    const auto time = (*timer)->milliseconds();
    if (!time) return time.error();
    if (i >= request.warm_ups) times.push_back(*time);
  }
  Measured measured = summary_of(std::move(times));
  measured.warm_ups = request.warm_ups;
  return measured;
}

}  // namespace warpbook
