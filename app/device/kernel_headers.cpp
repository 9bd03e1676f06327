// The texts of the small headers. NVRTC knows printf, assert, malloc, memcpy, the mathematical functions,
// dim3 and the vector types without any header; what is added here are the names that the C and C++ headers
// add: fixed-width integers, limits, constants, and the functions again in namespace std.
//
// Where CUDA's C++ library (cuda/std/...) defines the same name or macro, the spelling here gives the same
// type and value, so that a file may include both. 64-bit integers are `long long` there and so they are
// here.
#include "device/kernel_headers.h"

#include <string_view>

namespace warpbook {

namespace {

struct Header {
  std::string_view name, text;
};

constexpr std::string_view nothing = "#pragma once\n";

constexpr std::string_view stdint_text = R"(#pragma once
#include "limits.h"
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int8_t int_least8_t;
typedef int16_t int_least16_t;
typedef int32_t int_least32_t;
typedef int64_t int_least64_t;
typedef uint8_t uint_least8_t;
typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_least64_t;
typedef int8_t int_fast8_t;
typedef int16_t int_fast16_t;
typedef int32_t int_fast32_t;
typedef int64_t int_fast64_t;
typedef uint8_t uint_fast8_t;
typedef uint16_t uint_fast16_t;
typedef uint32_t uint_fast32_t;
typedef uint64_t uint_fast64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
#ifndef INT8_MIN
#define INT8_MIN SCHAR_MIN
#define INT16_MIN SHRT_MIN
#define INT32_MIN INT_MIN
#define INT64_MIN LLONG_MIN
#define INT8_MAX SCHAR_MAX
#define INT16_MAX SHRT_MAX
#define INT32_MAX INT_MAX
#define INT64_MAX LLONG_MAX
#define UINT8_MAX UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULLONG_MAX
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define PTRDIFF_MAX INT64_MAX
#define SIZE_MAX UINT64_MAX
#endif
)";

constexpr std::string_view cstdint_text = R"(#pragma once
#include "stdint.h"
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
using ::int_fast8_t; using ::int_fast16_t; using ::int_fast32_t; using ::int_fast64_t;
using ::uint_fast8_t; using ::uint_fast16_t; using ::uint_fast32_t; using ::uint_fast64_t;
using ::int_least8_t; using ::int_least16_t; using ::int_least32_t; using ::int_least64_t;
using ::uint_least8_t; using ::uint_least16_t; using ::uint_least32_t; using ::uint_least64_t;
}
)";

constexpr std::string_view limits_text = R"(#pragma once
#ifndef CHAR_BIT
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-SHRT_MAX - 1)
#define SHRT_MAX 0x7fff
#define USHRT_MAX 0xffff
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 0x7fffffff
#define UINT_MAX 0xffffffff
#define LONG_MIN (-LONG_MAX - 1)
#define LONG_MAX LLONG_MAX
#define ULONG_MAX ULLONG_MAX
#define LLONG_MIN (-LLONG_MAX - 1)
#define LLONG_MAX 0x7fffffffffffffffLL
#define ULLONG_MAX 0xffffffffffffffffUL
#endif
)";

constexpr std::string_view float_text = R"(#pragma once
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_10_EXP 38
#define FLT_MAX 0x1.fffffep+127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define FLT_TRUE_MIN 0x1p-149f
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_10_EXP 308
#define DBL_MAX 0x1.fffffffffffffp+1023
#define DBL_MIN 0x1p-1022
#define DBL_EPSILON 0x1p-52
#define DBL_TRUE_MIN 0x0.0000000000001p-1022
#endif
)";

constexpr std::string_view math_text = R"(#pragma once
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
#ifndef HUGE_VALF
#define HUGE_VALF (__int_as_float(0x7f800000))
#endif
#ifndef HUGE_VAL
#define HUGE_VAL (__longlong_as_double(0x7ff0000000000000LL))
#endif
)";

constexpr std::string_view cmath_text = R"(#pragma once
#include "math.h"
namespace std {
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2; using ::atanh;
using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp;
using ::exp2; using ::expm1; using ::fabs; using ::fdim; using ::floor; using ::fma; using ::fmax; using ::fmin;
using ::fmod; using ::frexp; using ::hypot; using ::ilogb; using ::isfinite; using ::isinf; using ::isnan;
using ::ldexp; using ::lgamma; using ::llrint; using ::llround; using ::log; using ::log10; using ::log1p;
using ::log2; using ::logb; using ::lrint; using ::lround; using ::modf; using ::nearbyint; using ::nextafter;
using ::pow; using ::remainder; using ::remquo; using ::rint; using ::round; using ::scalbn; using ::signbit;
using ::sin; using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma; using ::trunc;
using ::acosf; using ::asinf; using ::atanf; using ::atan2f; using ::cbrtf; using ::ceilf; using ::copysignf;
using ::cosf; using ::erff; using ::exp2f; using ::expf; using ::fabsf; using ::floorf; using ::fmaf; using ::fmaxf;
using ::fminf; using ::fmodf; using ::hypotf; using ::log10f; using ::log2f; using ::logf; using ::powf;
using ::rintf; using ::roundf; using ::sinf; using ::sqrtf; using ::tanf; using ::tanhf; using ::truncf;
}
)";

constexpr std::string_view stddef_text = R"(#pragma once
#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) ((size_t)&(((type*)0)->member))
#endif
)";

constexpr std::string_view cstddef_text = R"(#pragma once
#include "stddef.h"
namespace std {
using ::size_t; using ::ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
}
)";

constexpr std::string_view cstdlib_text = R"(#pragma once
#include "stdlib.h"
namespace std {
using ::size_t; using ::malloc; using ::free; using ::abs;
}
)";

constexpr std::string_view cstring_text = R"(#pragma once
#include "string.h"
namespace std {
using ::size_t; using ::memcpy; using ::memset;
}
)";

constexpr std::string_view cstdio_text = R"(#pragma once
#include "stdio.h"
namespace std {
using ::printf; using ::size_t;
}
)";

constexpr Header headers[] = {
    {"stdio.h", nothing},
    {"cstdio", cstdio_text},
    {"assert.h", nothing},
    {"cassert", nothing},
    {"stdlib.h", stddef_text},
    {"cstdlib", cstdlib_text},
    {"string.h", stddef_text},
    {"cstring", cstring_text},
    {"stddef.h", stddef_text},
    {"cstddef", cstddef_text},
    {"stdbool.h", nothing},
    {"stdint.h", stdint_text},
    {"cstdint", cstdint_text},
    {"limits.h", limits_text},
    {"climits", limits_text},
    {"float.h", float_text},
    {"cfloat", float_text},
    {"math.h", math_text},
    {"cmath", cmath_text},
    {"cuda_runtime.h", nothing},
    {"cuda_runtime_api.h", nothing},
    {"device_launch_parameters.h", nothing},
    {"vector_types.h", nothing},
};

}  // namespace

std::vector<std::pair<std::string, std::string>> kernel_headers(const std::vector<Path>& folders) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const Header& header : headers) {
    bool found = false;
    for (const Path& folder : folders) {
      std::error_code ignored;
      found = found || std::filesystem::exists(folder / header.name, ignored);
    }
    if (!found) result.emplace_back(header.name, header.text);
  }
  return result;
}

}  // namespace warpbook
