#pragma once
// The recorder stands between a program and NVIDIA's runtime on a machine with a GPU: it is loaded before
// that library (LD_PRELOAD), notes each call for the tape and hands it on. Whatever it does not name goes
// straight there.
#include <string>
#include <type_traits>

#include "cudart/runtime.h"

namespace warpbook::cudart {

/// The function of this name in the libraries behind this one; null when there is none.
void* next_function(const char* name);

/// Hands a call on. The lock is not held meanwhile: it may wait, and call back into the program.
template <class... Parameters>
int forward(Call& call, const char* name, std::type_identity_t<Parameters>... arguments) {
  auto* const real = reinterpret_cast<int (*)(Parameters...)>(next_function(name));
  if (!real) {
    call.row.note = "NVIDIA's runtime library was not found behind the recorder.";
    return initialization_error;
  }
  call.unlock();
  const int code = real(arguments...);
  call.lock();
  return code;
}

/// A stream or event that the program names: known ones get their number on the tape.
void note_stream(Call& call, Handle handle);
void note_event(Call& call, const char* argument, Handle handle);

/// A call that waits for the device: a fault that it returns is that of the last launch, as far as one can
/// know.
int finish_waiting(Call& call, int code);

}  // namespace warpbook::cudart
