// What the objects of a program call before main (crt/host_runtime.h of CUDA 13 has the calls).
#include "cudart/runtime.h"

using namespace warpbook::cudart;

namespace {

RegisteredModule& module_of(void** handle) { return *reinterpret_cast<RegisteredModule*>(handle); }

}  // namespace

WARPBOOK_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  return reinterpret_cast<void**>(&runtime.registry.add_module(wrapper));
}

WARPBOOK_EXPORT void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* symbol, int,
                                            void*, void*, void*, void*, int*) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  runtime.registry.add_kernel(module_of(handle), stub, symbol);
}

WARPBOOK_EXPORT void __cudaRegisterVar(void** handle, char* shadow, char*, const char* symbol, int,
                                       size_t bytes, int constant, int) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  runtime.registry.add_variable(module_of(handle), shadow, symbol, bytes, constant != 0, nullptr);
}

WARPBOOK_EXPORT void __cudaRegisterManagedVar(void** handle, void** place, char*, const char* symbol, int,
                                              size_t bytes, int constant, int) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  runtime.registry.add_variable(module_of(handle), place, symbol, bytes, constant != 0, place);
}

WARPBOOK_EXPORT void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}
WARPBOOK_EXPORT void __cudaRegisterUnifiedTable(void*, void*) {}

WARPBOOK_EXPORT void __cudaRegisterFatBinaryEnd(void** handle) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  RegisteredModule& module = module_of(handle);
  // The host may read a managed variable as the first thing it does.
  for (const RegisteredVariable* variable : module.variables) {
    if (variable->managed && !module.problem) (void)runtime.load(module);
  }
}

WARPBOOK_EXPORT char __cudaInitModule(void**) { return 1; }

// The program's last destructors may still launch: nothing is given back.
WARPBOOK_EXPORT void __cudaUnregisterFatBinary(void**) {}

/// Runs when the program has ended by itself, after its own destructors.
__attribute__((destructor)) static void program_ends() { Runtime::get().end(); }
