// Loading PTX, with the driver's log when it refuses.
#include "device/cuda_module.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "simt/exec/launch_checks.h"

namespace warpbook::cuda {

namespace {

struct VersionRow {
  int cuda, ptx;
};
// PTX ISA 9.0, "Release Notes": the PTX version that came with each CUDA version.
constexpr VersionRow versions[] = {{13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85},
                                   {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80},
                                   {11080, 78}, {11070, 77}, {11060, 76}, {11050, 75}, {11040, 74},
                                   {11030, 73}, {11020, 72}, {11010, 71}, {11000, 70}};

constexpr std::string_view version_directive = ".version";
/// The log of a refusal is a few lines; ptxas repeats itself beyond.
constexpr size_t log_bytes = 16384;

/// Where the digits of `.version 9.0` are; empty when the text has none.
std::pair<size_t, size_t> version_digits(std::string_view ptx) {
  const size_t at = ptx.find(version_directive);
  if (at == std::string_view::npos) return {0, 0};
  const size_t first = ptx.find_first_of("0123456789", at + version_directive.size());
  if (first == std::string_view::npos) return {0, 0};
  return {first, std::min(ptx.find_first_not_of("0123456789.", first), ptx.size())};
}

struct LoadAnswer {
  Code code = code::success;
  Module module = nullptr;
  std::string log;
};

LoadAnswer load_image(const Driver& driver, const std::string& image) {
  LoadAnswer answer;
  std::string log(log_bytes, '\0');
  int options[] = {jit::error_log, jit::error_log_bytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  answer.code = driver.module_load(&answer.module, image.c_str(), 2, options, values);
  answer.log = std::string(trim(log.substr(0, log.find('\0'))));
  return answer;
}

}  // namespace

int ptx_version_of(int cuda_version) {
  for (const VersionRow& row : versions)
    if (cuda_version >= row.cuda) return row.ptx;
  return 0;
}

int ptx_version_in(std::string_view ptx) {
  const auto [first, end] = version_digits(ptx);
  return version_number(ptx.substr(first, end - first));
}

std::string with_ptx_version(std::string_view ptx, int version) {
  const auto [first, end] = version_digits(ptx);
  return fmt::format("{}{}.{}{}", ptx.substr(0, first), version / 10, version % 10, ptx.substr(end));
}

Result<std::unique_ptr<LoadedModule>> LoadedModule::load(GpuContext& context, ModuleCache& parsed,
                                                         const CompiledCode& code) {
  std::unique_ptr<LoadedModule> loaded(new LoadedModule(context));
  auto module = parsed.load(code.ptx);
  if (!module) return module.error();
  loaded->parsed_ = std::move(*module);
  loaded->infos_ = simt::kernels_of(*loaded->parsed_);
  loaded->names_ = code.names;
  // "$str" are the texts of printf and assert, which nothing changes.
  for (const ptx::Variable& variable : loaded->parsed_->parsed().variables)
    loaded->keeps_state_ =
        loaded->keeps_state_ || (variable.space == ptx::Space::global && !starts_with(variable.name, "$"));
  // The grid's workspace of cooperative_groups is reached through these two (cooperative_groups/details).
  loaded->uses_grid_workspace_ =
      code.ptx.find("%envreg1") != std::string::npos || code.ptx.find("%envreg2") != std::string::npos;

  const Driver& driver = context.driver();
  LoadAnswer answer = load_image(driver, code.ptx);
  const int here = ptx_version_of(driver.cuda_version()), there = ptx_version_in(code.ptx);
  if (answer.code == code::unsupported_ptx_version && !code.cubin.empty()) {
    LoadAnswer again = load_image(driver, code.cubin);
    if (again.code == code::success) {
      answer = again;
      loaded->note_ = fmt::format(
          "The driver serves CUDA {}, which is older than the compiler; machine code for this GPU runs in "
          "place of PTX.",
          version_text(driver.cuda_version()));
    }
  }
  if (answer.code == code::unsupported_ptx_version && here > 0 && here < there) {
    LoadAnswer again = load_image(driver, with_ptx_version(code.ptx, here));
    if (again.code == code::success)
      loaded->note_ = fmt::format(
          "The driver serves CUDA {}, which is older than the compiler; the PTX was lowered from version "
          "{}.{} to {}.{}.",
          version_text(driver.cuda_version()), there / 10, there % 10, here / 10, here % 10);
    answer = again;
  }
  if (const auto done = context.check("load the kernel's code", answer.code); !done) {
    Error error = done.error();
    if (!answer.log.empty()) error.message += fmt::format(" The driver's compiler said: {}", answer.log);
    if (answer.code == code::unsupported_ptx_version || (here > 0 && here < there))
      error.hint = fmt::format(
          "The driver serves CUDA {} and the code needs CUDA {}: update the NVIDIA driver, or point "
          "WARPBOOK_NVRTC to an NVRTC of CUDA {}.",
          version_text(driver.cuda_version()),
          there == 90 ? "13.0" : fmt::format("PTX {}.{}", there / 10, there % 10),
          version_text(driver.cuda_version()));
    return error;
  }
  loaded->module_ = answer.module;
  return loaded;
}

LoadedModule::~LoadedModule() {
  if (module_ == nullptr || context_.stuck()) return;
  const GpuContext::Current here(context_);
  if (here.entered()) context_.note(context_.driver().module_unload(module_));
}

Result<std::string> LoadedModule::name_in_ptx(const std::string& name) const {
  for (const auto& [source, ptx] : names_)
    if (source == name) return ptx;
  std::vector<std::string> known;
  for (const KernelInfo& info : infos_) {
    if (info.name == name) return name;
    known.push_back(info.name);
  }
  Error error{fmt::format("There is no kernel {} in the loaded code.", name), Trouble::not_found, {}, {}};
  if (!known.empty()) error.hint = "it has: " + join(known, ", ");
  return error;
}

Result<LoadedModule::Kernel> LoadedModule::kernel(const std::string& name) {
  const auto ptx_name = name_in_ptx(name);
  if (!ptx_name) return ptx_name.error();
  Kernel kernel;
  for (const KernelInfo& info : infos_)
    if (info.name == *ptx_name) kernel.info = info;
  kernel.cooperative = uses_grid_workspace_;
  const Code code = context_.driver().module_function(&kernel.function, module_, ptx_name->c_str());
  if (const auto done = context_.check(fmt::format("find the kernel {}", name), code); !done)
    return done.error();
  return kernel;
}

std::optional<Diagnosis> LoadedModule::refuse(const std::string& kernel, const Launch& launch,
                                              const GpuRow& limits) const {
  const auto name = name_in_ptx(kernel);
  if (!name) return std::nullopt;
  const auto code = parsed_->code(simt::Level::run);
  const simt::CodeFunction* function = code->function(*name);
  if (function == nullptr) return std::nullopt;
  uint64_t static_shared = 0;
  for (const KernelInfo& info : infos_)
    if (info.name == *name) static_shared = info.static_shared_bytes;
  return simt::refuse_launch(launch, limits, *code, *function, static_shared);
}

}  // namespace warpbook::cuda
