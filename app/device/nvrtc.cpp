// One compile through NVRTC's C interface.
#include "device/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/cubin.h"
#include "device/nvrtc_place.h"

namespace warpbook {

namespace {

constexpr int success = 0;
constexpr int invalid_option = 5;
constexpr int compilation_error = 6;

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

template <class Function>
bool fill(const DynamicLibrary& library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(library.symbol(name));
  return function != nullptr;
}

}  // namespace

/// Destroys the program on every way out.
struct Nvrtc::Program {
  const Nvrtc& nvrtc;
  Handle handle = nullptr;
  explicit Program(const Nvrtc& owner) : nvrtc(owner) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (handle != nullptr) nvrtc.destroy_(&handle);
  }
};

Result<Nvrtc> Nvrtc::load(const std::string& path) {
  auto opened = DynamicLibrary::open(path);
  if (!opened) return opened.error();
  Nvrtc nvrtc(std::move(*opened));
  // NVRTC opens its builtins by their bare name, and in NVIDIA's wheels it does not look beside itself: the
  // loader finds them when they are open already. One of another version is not taken.
  for (const Path& beside : builtins_beside(path)) {
    if (auto builtins = DynamicLibrary::open(beside.string()))
      nvrtc.builtins_.push_back(std::move(*builtins));
  }
  const DynamicLibrary& library = nvrtc.library_;
  const bool complete =
      fill(library, "nvrtcCreateProgram", nvrtc.create_) &&
      fill(library, "nvrtcDestroyProgram", nvrtc.destroy_) &&
      fill(library, "nvrtcCompileProgram", nvrtc.compile_) &&
      fill(library, "nvrtcGetProgramLogSize", nvrtc.log_size_) &&
      fill(library, "nvrtcGetProgramLog", nvrtc.log_) && fill(library, "nvrtcGetPTXSize", nvrtc.ptx_size_) &&
      fill(library, "nvrtcGetPTX", nvrtc.ptx_) && fill(library, "nvrtcAddNameExpression", nvrtc.add_name_) &&
      fill(library, "nvrtcGetLoweredName", nvrtc.lowered_name_) &&
      fill(library, "nvrtcGetErrorString", nvrtc.error_text_);
  if (!complete) {
    return Error{fmt::format("The library {} is no NVRTC: it lacks some of NVRTC's functions.", path),
                 Trouble::not_found,
                 {},
                 {}};
  }
  fill(library, "nvrtcGetCUBINSize", nvrtc.cubin_size_);
  fill(library, "nvrtcGetCUBIN", nvrtc.cubin_);
  fill(library, "nvrtcGetNumSupportedArchs", nvrtc.count_architectures_);
  fill(library, "nvrtcGetSupportedArchs", nvrtc.architectures_);
  return nvrtc;
}

Error Nvrtc::trouble(const char* doing, Code code) const {
  const char* text = error_text_(code);
  return Error{fmt::format("NVRTC could not {}: {}.", doing, text != nullptr ? text : "unknown error"),
               Trouble::unsupported,
               {},
               {}};
}

int Nvrtc::nearest_architecture(int wanted) const {
  int count = 0;
  if (count_architectures_ == nullptr || architectures_ == nullptr) return wanted;
  if (count_architectures_(&count) != success || count <= 0) return wanted;
  std::vector<int> known(size_t(count), 0);
  if (architectures_(known.data()) != success) return wanted;
  std::sort(known.begin(), known.end());
  // PTX runs on every GPU at least as new, so the newest that is not newer than wanted; else the oldest there
  // is.
  const auto above = std::upper_bound(known.begin(), known.end(), wanted);
  return above == known.begin() ? known.front() : *(above - 1);
}

/// Trouble with the cubin is no trouble with the compile: then there is none.
std::string Nvrtc::machine_code(Handle program) const {
  size_t size = 0;
  if (cubin_size_(program, &size) != success || size == 0) return {};
  std::string bytes(size, '\0');
  if (cubin_(program, bytes.data()) != success) return {};
  return bytes;
}

std::vector<KernelResources> Nvrtc::resources(const std::string& cubin, NvrtcAnswer& answer) const {
  if (cubin.empty()) return {};
  auto kernels = read_cubin(cubin);
  if (!kernels) return {};
  for (KernelResources& kernel : *kernels) kernel.architecture = fmt::format("sm_{}", answer.architecture);
  read_ptxas_log(answer.log, *kernels);
  answer.log = without_ptxas_reports(answer.log);
  return std::move(*kernels);
}

Result<NvrtcAnswer> Nvrtc::compile(const NvrtcJob& job) const {
  NvrtcAnswer answer;
  answer.architecture = nearest_architecture(job.architecture);
  // A real architecture (sm_80) gives PTX and, from ptxas, a cubin; a virtual one gives PTX only.
  const bool cubin = job.cubin && cubin_size_ != nullptr && cubin_ != nullptr;
  std::vector<std::string> options{
      fmt::format("--gpu-architecture={}_{}", cubin ? "sm" : "compute", answer.architecture)};
  if (cubin) options.emplace_back("--ptxas-options=-v");
  options.insert(options.end(), job.options.begin(), job.options.end());
  std::vector<const char*> header_names, header_texts;
  for (const auto& [name, text] : job.headers) {
    header_names.push_back(name.c_str());
    header_texts.push_back(text.c_str());
  }

  for (bool with_optional : {true, false}) {
    Program program(*this);
    Code code = create_(&program.handle, job.source.c_str(), job.file.c_str(), int(job.headers.size()),
                        header_texts.data(), header_names.data());
    if (code != success) return trouble("take the source", code);
    for (const std::string& name : job.names) {
      code = add_name_(program.handle, name.c_str());
      if (code != success) return trouble("take a kernel's name", code);
    }
    std::vector<const char*> given = pointers(options);
    if (with_optional) {
      for (const std::string& option : job.optional_options) given.push_back(option.c_str());
    }
    code = compile_(program.handle, int(given.size()), given.data());
    size_t size = 0;
    if (log_size_(program.handle, &size) == success && size > 1) {
      answer.log.assign(size, '\0');
      log_(program.handle, answer.log.data());
      answer.log.resize(size - 1);  // the size counts the NUL at the end
    }
    if (code == invalid_option && with_optional && !job.optional_options.empty()) continue;
    if (code == compilation_error) return answer;
    if (code != success) {
      Error error = trouble("compile", code);
      if (!answer.log.empty()) error.message += fmt::format(" It said: {}", answer.log);
      return error;
    }
    if ((code = ptx_size_(program.handle, &size)) != success) return trouble("give the PTX", code);
    answer.ptx.assign(size, '\0');
    if ((code = ptx_(program.handle, answer.ptx.data())) != success) return trouble("give the PTX", code);
    while (!answer.ptx.empty() && answer.ptx.back() == '\0') answer.ptx.pop_back();
    for (const std::string& name : job.names) {
      const char* lowered = nullptr;
      code = lowered_name_(program.handle, name.c_str(), &lowered);
      if (code != success || lowered == nullptr) return trouble("name a kernel", code);
      answer.names.emplace_back(name, lowered);
    }
    if (cubin) {
      std::string machine = machine_code(program.handle);
      answer.resources = resources(machine, answer);
      if (job.keep_cubin) answer.cubin = std::move(machine);
    }
    answer.compiled = true;
    return answer;
  }
  return answer;
}

}  // namespace warpbook
