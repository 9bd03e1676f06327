// The stand-in's modules and launches: the emulator runs them, and its findings become the codes that a GPU
// gives.
#include <sys/mman.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/text.h"
#include "driver/state.h"
#include "simt/module.h"

using namespace standin;

namespace {

/// The architecture in an ELF header's e_flags (at 0x30), as cuobjdump tells it: the second byte since ABI 8,
/// which is e_ident[8], and the lowest before.
int architecture_of_cubin(const unsigned char* image) { return image[image[8] >= 8 ? 0x31 : 0x30]; }

}  // namespace

STANDIN_ENTRY cuModuleLoadDataEx(Module* module, const void* image, unsigned count, int* options,
                                 void** values) {
  Call call("cuModuleLoadDataEx");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  char* log = nullptr;
  size_t log_bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == jit::error_log) log = static_cast<char*>(values[i]);
    if (options[i] == jit::error_log_bytes) log_bytes = reinterpret_cast<size_t>(values[i]);
  }
  const auto say = [&](const std::string& text) {
    if (log != nullptr && log_bytes > 0) std::snprintf(log, log_bytes, "%s", text.c_str());
  };
  auto made = std::make_unique<ModuleObject>();
  made->context = context;
  made->text = static_cast<const char*>(image);
  // Machine code cannot be emulated: when it is of this GPU's architecture, the PTX that was refused before
  // it runs in its place.
  const bool machine_code = made->text.rfind(
                                "\x7f"
                                "ELF",
                                0) == 0;
  if (machine_code) {
    const int architecture = architecture_of_cubin(static_cast<const unsigned char*>(image));
    if (architecture / 10 != compute_major() || architecture % 10 > compute_minor() ||
        context->refused.empty())
      return code::no_binary_for_gpu;
    made->text = context->refused;
  }
  auto parsed = simt::load_module(made->text);
  if (!parsed) {
    say("ptxas application ptx input, line " + std::to_string(parsed.error().where.line) +
        "; fatal: " + parsed.error().message);
    return code::invalid_ptx;
  }
  const std::string& version = (*parsed)->parsed().version;
  const auto parts = warpbook::split(version, '.');
  const int number = int(warpbook::parse_int(parts[0]).value_or(0) * 10 +
                         (parts.size() > 1 ? warpbook::parse_int(parts[1]).value_or(0) : 0));
  if (!machine_code && number > std::stoi(setting("STANDIN_PTX", "99"))) {
    context->refused = made->text;
    say("ptxas application ptx input; Unsupported .version " + version);
    return code::unsupported_ptx_version;
  }
  const std::string& target = (*parsed)->parsed().target;  // "sm_80"
  const int architecture =
      int(warpbook::parse_int(target.substr(target.find('_') + 1, 3))
              .value_or(warpbook::parse_int(target.substr(target.find('_') + 1, 2)).value_or(0)));
  if (architecture > compute_major() * 10 + compute_minor()) return code::no_binary_for_gpu;
  made->parsed = std::move(*parsed);
  auto instance = simt::instantiate(made->parsed, *context->memory);
  if (!instance) {
    say(instance.error().message);
    return code::out_of_memory;
  }
  made->instance = std::move(*instance);
  for (const simt::KernelInfo& info : simt::kernels_of(*made->parsed)) {
    auto function = std::make_unique<FunctionObject>();
    function->module = made.get();
    function->info = info;
    made->functions[info.name] = std::move(function);
  }
  *module = made.get();
  context->modules[*module] = std::move(made);
  return code::success;
}

STANDIN_ENTRY cuModuleUnload(Module module) {
  Call call("cuModuleUnload");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  return context->modules.erase(module) > 0 ? code::success
                                            : call.wrong("no such module", code::invalid_handle);
}

STANDIN_ENTRY cuModuleGetFunction(Function* function, Module module, const char* name) {
  Call call("cuModuleGetFunction");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (context->modules.count(module) == 0) return call.wrong("no such module", code::invalid_handle);
  const auto found = module->functions.find(name);
  if (found == module->functions.end()) return code::not_found;
  *function = found->second.get();
  return code::success;
}

namespace {

bool is_function(const ContextObject& context, Function function) {
  for (const auto& [handle, module] : context.modules)
    for (const auto& [name, one] : module->functions)
      if (one.get() == function) return true;
  return false;
}

/// What a GPU says of a kernel that ended so.
Code code_of(const simt::RunReport& report) {
  const std::string kind = report.diagnostics.empty() ? "" : report.diagnostics.front().kind;
  if (kind == "assert") return code::assert_failed;
  if (kind == "trap" || kind == "unsupported") return code::illegal_instruction;
  if (kind == "misaligned-read" || kind == "misaligned-write") return code::misaligned_address;
  if (kind == "stack-overflow") return code::hardware_stack_error;
  if (kind.rfind("oob-", 0) == 0 || kind == "null-pointer" || kind == "use-after-free")
    return code::illegal_address;
  return code::launch_failed;
}

/// One bit of each buffer that an argument points to.
void corrupt(ContextObject& context, const std::vector<simt::KernelArgument>& arguments) {
  for (const simt::KernelArgument& argument : arguments) {
    if (argument.bytes.size() != 8) continue;
    uint64_t address = 0;
    std::memcpy(&address, argument.bytes.data(), 8);
    if (context.allocations.count(address) == 0) continue;
    std::byte first[1];
    if (!context.memory->read(address, first)) continue;
    first[0] ^= std::byte(1);
    static_cast<void>(context.memory->write(address, first).ok());
  }
}

Code launch(Call& call, Function function, const warpbook::Launch& launch, Stream stream, void** parameters) {
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (stream != nullptr && context->streams.count(stream) == 0)
    return call.wrong("no such stream", code::invalid_handle);
  if (context->hung) return call.wrong("a launch behind a kernel that never ends", code::unknown);
  if (!is_function(*context, function)) return call.wrong("no such function", code::invalid_handle);
  std::vector<simt::KernelArgument> arguments;
  for (size_t i = 0; i < function->info.parameters.size(); ++i) {
    simt::KernelArgument argument;
    const auto* bytes = static_cast<const std::byte*>(parameters[i]);
    argument.bytes.assign(bytes, bytes + function->info.parameters[i].bytes);
    arguments.push_back(std::move(argument));
  }
  // Dynamic shared memory beyond 48 KiB needs the function's attribute, whatever the launch says.
  warpbook::Launch meant = launch;
  meant.shared_optin = function->dynamic_shared >= int(launch.shared_bytes) && function->dynamic_shared > 0;
  const std::string name = function->info.name;
  if (names_it("STANDIN_KILL", name)) std::raise(SIGKILL);
  if (names_it("STANDIN_HUNGRY", name)) {
    constexpr size_t bytes = size_t{4} << 30;
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return code::out_of_memory;
    ::munmap(memory, bytes);
  }
  if (names_it("STANDIN_HANG", name)) {
    context->hung = true;
    return code::success;
  }
  simt::RunOptions options;
  options.level = simt::Level::run;
  options.max_instructions = 200'000'000;
  options.max_time = std::chrono::seconds(20);
  const simt::RunReport report =
      simt::run(*function->module->instance, name, meant, arguments, limits(), options);
  std::fwrite(report.printf.data(), 1, report.printf.size(), stdout);
  if (report.status == simt::RunStatus::launch_error) {
    call.wrong(report.diagnostics.empty() ? "a launch that no GPU takes" : report.diagnostics.front().message,
               code::invalid_value);
    return code::invalid_value;
  }
  if (report.status == simt::RunStatus::limit || report.status == simt::RunStatus::cancelled) {
    context->hung = true;
    return code::success;
  }
  if (report.status != simt::RunStatus::ok) {
    const std::string kind = report.diagnostics.empty() ? "" : report.diagnostics.front().kind;
    if (kind == "infinite-loop" || kind == "deadlock") {
      context->hung = true;
      return code::success;
    }
    // As on a GPU the launch succeeds and the next call tells.
    context->sticky = code_of(report);
    return code::success;
  }
  if (names_it("STANDIN_CORRUPT", name)) corrupt(*context, arguments);
  return code::success;
}

}  // namespace

STANDIN_ENTRY cuFuncSetAttribute(Function function, int attribute, int value) {
  Call call("cuFuncSetAttribute");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (!is_function(*context, function)) return call.wrong("no such function", code::invalid_handle);
  if (attribute != function_attribute::dynamic_shared_bytes)
    return call.wrong("not settable", code::invalid_value);
  if (value > int(limits().shared_per_block_optin)) return code::invalid_value;
  function->dynamic_shared = value;
  return code::success;
}

STANDIN_ENTRY cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                             Stream stream, void** parameters, void** extra) {
  Call call("cuLaunchKernel");
  if (call.fails()) return call.code();
  if (extra != nullptr) return call.wrong("extra is not used here", code::invalid_value);
  return launch(call, function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, false},
                stream, parameters);
}

STANDIN_ENTRY cuLaunchCooperativeKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                        unsigned block_x, unsigned block_y, unsigned block_z,
                                        unsigned shared_bytes, Stream stream, void** parameters) {
  Call call("cuLaunchCooperativeKernel");
  if (call.fails()) return call.code();
  return launch(call, function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, false},
                stream, parameters);
}
