// Opening the driver's library, and its error codes in words.
#include "device/cuda_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace warpbook::cuda {

namespace {

constexpr EntryName names[] = {
#define ENTRY(member, newest, before, must, parameters) {newest, before == nullptr ? "" : before, must},
#include "device/cuda_entries.h"
#undef ENTRY
};

struct CodeWords {
  Code code;
  std::string_view words, advice;
};

// Meanings from the comments on CUresult in cuda.h, in our words.
constexpr CodeWords table[] = {
    {code::invalid_value, "the driver did not accept a value", ""},
    {code::out_of_memory, "the GPU has too little free memory",
     "Use fewer elements, or close other programs."},
    {code::not_initialized, "the driver was not started", ""},
    {code::stub_library, "the library is the toolkit's stub and no driver",
     "Take the folder with the stubs out of the library path."},
    {code::device_unavailable, "the GPU is busy with another program or in exclusive mode",
     "nvidia-smi shows what uses it."},
    {code::no_device, "the driver sees no GPU", "Look at nvidia-smi and at CUDA_VISIBLE_DEVICES."},
    {code::invalid_device, "there is no GPU of that number", ""},
    {code::invalid_image, "the code is neither PTX nor machine code for a GPU", ""},
    {code::invalid_context, "the context of the GPU is not usable any more", ""},
    {code::already_mapped, "the picture is mapped already", ""},
    {code::no_binary_for_gpu, "the code is for another GPU architecture", ""},
    {code::not_mapped, "the picture is not mapped", ""},
    {code::not_mapped_as_array, "the picture is not mapped as a texture", ""},
    {code::not_mapped_as_pointer, "the picture is not mapped as a buffer", ""},
    {code::ecc_uncorrectable, "the GPU's memory had an error that could not be corrected",
     "nvidia-smi -q shows the errors; the GPU may need a restart or repair."},
    {code::unsupported_limit, "this GPU does not have that limit", ""},
    {code::invalid_ptx, "the driver's compiler did not accept the PTX", ""},
    {code::invalid_graphics_context, "OpenGL is drawn by something that this GPU cannot share a texture with",
     "The page on getting interop to work says what is needed on each platform."},
    {code::jit_compiler_not_found, "the driver's PTX compiler is not installed",
     "The package libnvidia-ptxjitcompiler of the same driver version is missing."},
    {code::unsupported_ptx_version, "the PTX is newer than the driver", "Update the NVIDIA driver."},
    {code::operating_system, "the operating system refused", "The files /dev/nvidia* may lack permission."},
    {code::invalid_handle, "the driver does not know the object", ""},
    {code::not_found, "the driver does not find it", ""},
    {code::not_ready, "the GPU has not finished yet", ""},
    {code::illegal_address, "the kernel used an address that belongs to no buffer", ""},
    {code::launch_out_of_resources, "the launch needs more registers or shared memory than a block can have",
     "Use fewer threads a block or less shared memory."},
    {code::launch_timeout, "the kernel took longer than the system allows on a GPU that also draws",
     "Give it less work, or use a GPU without a display."},
    {code::context_is_destroyed, "the context of the GPU is gone", ""},
    {code::assert_failed, "an assert in the kernel failed", ""},
    {code::hardware_stack_error, "the kernel's call stack overflowed or was damaged", ""},
    {code::illegal_instruction, "the kernel came to a trap or an instruction that the GPU does not have", ""},
    {code::misaligned_address, "the kernel used an address that is not a multiple of the access's size", ""},
    {code::invalid_address_space, "the kernel used an address of the wrong memory space", ""},
    {code::invalid_pc, "the kernel jumped to where no code is", ""},
    {code::launch_failed, "the kernel failed", ""},
    {code::not_permitted, "the driver does not permit it", ""},
    {code::not_supported, "this GPU or driver cannot do it", ""},
    {code::system_not_ready, "the GPU system is still starting",
     "On NVSwitch machines the fabric manager must run."},
    {code::system_driver_mismatch, "the driver's parts have different versions",
     "Restart the machine after a driver update."},
    {code::unknown, "the driver tells no reason", "Restarting the program, then the machine, often helps."},
};

const CodeWords* find(Code wanted) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const CodeWords& row) { return row.code == wanted; });
  return found == std::end(table) ? nullptr : found;
}

void* find_symbol(const DynamicLibrary& library, const EntryName& entry) {
  void* symbol = library.symbol(std::string(entry.symbol).c_str());
  if (symbol == nullptr && !entry.older.empty()) symbol = library.symbol(std::string(entry.older).c_str());
  return symbol;
}

}  // namespace

std::span<const EntryName> entry_names() { return names; }

bool is_sticky(Code code) {
  switch (code) {
    case code::ecc_uncorrectable:
    case code::illegal_address:
    case code::launch_timeout:
    case code::context_is_destroyed:
    case code::assert_failed:
    case code::hardware_stack_error:
    case code::illegal_instruction:
    case code::misaligned_address:
    case code::invalid_address_space:
    case code::invalid_pc:
    case code::launch_failed: return true;
    default: return false;
  }
}

std::string_view words_of(Code code) {
  const CodeWords* row = find(code);
  return row ? row->words : std::string_view();
}

std::string_view advice_on(Code code) {
  const CodeWords* row = find(code);
  return row ? row->advice : std::string_view();
}

std::string version_text(int cuda_version) {
  return fmt::format("{}.{}", cuda_version / 1000, cuda_version % 1000 / 10);
}

Error Driver::trouble(std::string_view doing, Code code) const {
  std::string what(words_of(code));
  if (what.empty()) {
    const char* text = nullptr;
    what = error_text != nullptr && error_text(code, &text) == code::success && text != nullptr
               ? std::string(text)
               : "for a reason that is not known here";
  }
  const char* name = nullptr;
  const bool named = error_name != nullptr && error_name(code, &name) == code::success && name != nullptr;
  return Error{fmt::format("The GPU could not {}: {} ({}).", doing, what,
                           named ? std::string(name) : fmt::format("error {}", code)),
               code == code::out_of_memory ? Trouble::limit : Trouble::unsupported,
               {},
               std::string(advice_on(code))};
}

Result<Done> Driver::check(std::string_view doing, Code code) const {
  if (code == code::success) return Done{};
  return trouble(doing, code);
}

bool Driver::has_graphics() const {
  return register_image && register_buffer && unregister && map && unmap && mapped_array && mapped_pointer;
}

Result<std::shared_ptr<const Driver>> Driver::open() {
  if (const char* named = std::getenv("WARPBOOK_CUDA_DRIVER"); named != nullptr && *named != '\0')
    return open(std::string(named));
  auto driver = open(std::string("libcuda.so.1"));
  // Under WSL2 the driver's library lies outside of the loader's folders on some distributions.
  if (!driver && driver.error().trouble == Trouble::not_found)
    if (auto other = open(std::string("/usr/lib/wsl/lib/libcuda.so.1"));
        other || other.error().trouble != Trouble::not_found)
      return other;
  return driver;
}

Result<std::shared_ptr<const Driver>> Driver::open(const std::string& library) {
  auto opened = DynamicLibrary::open(library);
  if (!opened)
    return Error{fmt::format("No NVIDIA driver is installed ({} was not found).", library),
                 Trouble::not_found,
                 {},
                 {}};
  std::shared_ptr<Driver> driver(new Driver(std::move(*opened)));
  size_t row = 0;
  std::string missing;
#define ENTRY(member, newest, before, must, parameters)                                                   \
  driver->member = reinterpret_cast<decltype(driver->member)>(find_symbol(driver->library_, names[row])); \
  if (driver->member == nullptr && names[row].needed && missing.empty()) missing = names[row].symbol;     \
  ++row;
#include "device/cuda_entries.h"
#undef ENTRY
  if (!missing.empty())
    return Error{fmt::format("The NVIDIA driver is too old: its library lacks {}.", missing),
                 Trouble::unsupported,
                 {},
                 "Update the NVIDIA driver; CUDA 11.4 or newer is needed."};
  if (const Code code = driver->init(0); code != code::success) {
    if (code == code::no_device)
      return Error{"The NVIDIA driver sees no GPU in this machine.",
                   Trouble::unsupported,
                   {},
                   std::string(advice_on(code))};
    return driver->trouble("be started", code);
  }
  int version = 0;
  if (driver->driver_version(&version) == code::success) driver->cuda_version_ = version;
  return std::shared_ptr<const Driver>(std::move(driver));
}

}  // namespace warpbook::cuda
