// cudaGetLastError and its kin.
#include "cudart/runtime.h"

using namespace warpbook::cudart;

namespace {

int last_error(const char* name, bool reset) {
  Call call(name, Call::any_time);
  ThreadState& thread = call.thread;
  int code = call.runtime.forked ? int(initialization_error) : thread.last_error;
  call.row.reports = thread.last_error_row;
  if (call.runtime.sticky.code != success) {
    code = call.runtime.sticky.code;
    call.row.reports = call.runtime.sticky.row;
  }
  if (reset) {
    thread.last_error = success;
    thread.last_error_row = 0;
    thread.last_error_from_launch = false;
  }
  return call.finish(code);
}

}  // namespace

WARPBOOK_EXPORT int cudaGetLastError() { return last_error("cudaGetLastError", true); }
WARPBOOK_EXPORT int cudaPeekAtLastError() { return last_error("cudaPeekAtLastError", false); }

WARPBOOK_EXPORT const char* cudaGetErrorName(int code) {
  const char* name = error_name(code);
  return name ? name : "unrecognized error code";
}
WARPBOOK_EXPORT const char* cudaGetErrorString(int code) { return error_text(code); }
