// Which build of the instruction handlers runs here. Asked of the processor each time: two instructions, no
// state.
#include <cstdlib>
#include <string_view>

#include "simt/families.h"

namespace warpbook::simt {
namespace {

bool use_avx2() {
#if defined(WARPBOOK_HAVE_AVX2) && (defined(__x86_64__) || defined(__i386__))
  const char* wanted = std::getenv("WARPBOOK_ISA");
  if (wanted && std::string_view(wanted) == "plain") return false;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace

std::span<const Family> families_for_this_machine() {
#ifdef WARPBOOK_HAVE_AVX2
  if (use_avx2()) return isa_avx2::families();
#endif
  return isa_plain::families();
}

std::string_view instruction_set_name() { return use_avx2() ? "avx2" : "plain"; }

}  // namespace warpbook::simt
