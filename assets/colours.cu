// Numbers to colours on the GPU: what the app's image, heat-map and matrix-diff views do on the host (app/view),
// to the same bits, so that a picture need not leave the GPU. Every operation that could be fused or
// approximated is written with its rounding.

// Element types, in the order of ElementType (app/result/element.h).
enum Type { I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

struct Ramp {
  unsigned anchors[9];
  unsigned no_number, top, cyclic;
};

// What all threads find out together. Doubles are kept as integers of the same order.
struct Facts {
  unsigned long long low, high, unwritten, scale, largest, worst, differing;
};

typedef unsigned long long Word;

__device__ double power_of_two(int exponent) {
  return __longlong_as_double((long long)(exponent + 1023) << 52);
}

__device__ double half_value(unsigned bits) {
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return fraction ? __longlong_as_double(0x7ff8000000000000ll)
                                      : sign * __longlong_as_double(0x7ff0000000000000ll);
  if (exponent == 0) return sign * fraction * power_of_two(-24);
  return sign * (1024 + fraction) * power_of_two(exponent - 25);
}

__device__ double value_of(const void* data, int type, Word i) {
  switch (type) {
    case I8: return ((const signed char*)data)[i];
    case U8: return ((const unsigned char*)data)[i];
    case I16: return ((const short*)data)[i];
    case U16: return ((const unsigned short*)data)[i];
    case I32: return ((const int*)data)[i];
    case U32: return ((const unsigned*)data)[i];
    case I64: return (double)((const long long*)data)[i];
    case U64: return (double)((const Word*)data)[i];
    case F16: return half_value(((const unsigned short*)data)[i]);
    case BF16: return __uint_as_float((unsigned)((const unsigned short*)data)[i] << 16);
    case F32: return ((const float*)data)[i];
    default: return ((const double*)data)[i];
  }
}

// Memory holds 0xCD until a kernel writes it; a single byte may hold that by right.
__device__ bool is_unwritten(const void* data, int type, Word i) {
  switch (type) {
    case I8: case U8: return false;
    case I16: case U16: case F16: case BF16: return ((const unsigned short*)data)[i] == 0xcdcdu;
    case I32: case U32: case F32: return ((const unsigned*)data)[i] == 0xcdcdcdcdu;
    default: return ((const Word*)data)[i] == 0xcdcdcdcdcdcdcdcdull;
  }
}

__device__ Word ordered(double value) {
  const long long bits = __double_as_longlong(value);
  return bits < 0 ? ~(Word)bits : (Word)bits ^ 0x8000000000000000ull;
}

__device__ double unordered(Word word) {
  return __longlong_as_double((long long)(word >> 63 ? word ^ 0x8000000000000000ull : ~word));
}

__device__ bool is_finite(double value) { return fabs(value) <= 1.7976931348623157e308; }

__device__ Word most_in_warp(Word value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const Word other = __shfl_xor_sync(0xffffffffu, value, distance);
    value = other > value ? other : value;
  }
  return value;
}

// One atomic a warp. All lanes come here.
__device__ void raise(Word* to, Word value) {
  const Word most = most_in_warp(value);
  if (threadIdx.x % 32 == 0 && most > 0) atomicMax(to, most);
}

__device__ void lower(Word* to, Word value) {
  const Word most = most_in_warp(~value);
  if (threadIdx.x % 32 == 0 && most > 0) atomicMin(to, ~most);
}

__device__ void count(Word* to, bool mine) {
  const unsigned lanes = __ballot_sync(0xffffffffu, mine);
  if (threadIdx.x % 32 == 0 && lanes) atomicAdd(to, (Word)__popc(lanes));
}

__device__ unsigned mixed(unsigned a, unsigned b, float share) {
  unsigned out = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const float from = (float)(a >> shift & 255), to = (float)(b >> shift & 255);
    out |= (unsigned)roundf(__fadd_rn(from, __fmul_rn(__fsub_rn(to, from), share))) << shift;
  }
  return out;
}

__device__ unsigned along(const Ramp& ramp, double at) {
  const double place = __dmul_rn(at, 8.0);
  const int below = place >= 7.0 ? 7 : (int)place;
  unsigned a = ramp.anchors[0], b = ramp.anchors[1];
  for (int i = 1; i < 8; ++i)
    if (i == below) a = ramp.anchors[i], b = ramp.anchors[i + 1];
  return mixed(a, b, (float)(place - below));
}

__device__ unsigned colour_of(const Ramp& ramp, double at) {
  if (at != at) return ramp.no_number;
  at = at < 0 ? 0 : at > 1 ? 1 : at;
  if (!ramp.cyclic) return along(ramp, at);
  if (at >= 1) return ramp.top;
  const double root = __dmul_rn(__dsqrt_rn(at), 4.0);
  const double turn = root >= 2 ? root - 2 : root;
  return along(ramp, turn < 1 ? turn : 2 - turn);
}

__device__ Word here() { return (Word)blockIdx.x * blockDim.x + threadIdx.x; }

// The ends of the scale, and how many elements nobody wrote.
extern "C" __global__ void find_range(const void* data, int type, Word elements, Facts* facts) {
  const Word i = here();
  const bool inside = i < elements;
  const bool blank = inside && is_unwritten(data, type, i);
  const double value = inside ? value_of(data, type, i) : 0;
  const bool counts = inside && !blank && is_finite(value);
  raise(&facts->high, counts ? ordered(value) : 0);
  lower(&facts->low, counts ? ordered(value) : ~0ull);
  count(&facts->unwritten, blank);
}

// `given`: 1 = low is given, 2 = high is.
extern "C" __global__ void colour_scale(const void* data, int type, Word elements, double low, double high,
                                        int given, Ramp ramp, const Facts* facts, unsigned* pixels) {
  const Word i = here();
  if (i >= elements) return;
  if (is_unwritten(data, type, i)) {
    pixels[i] = 0;  // the paper shows
    return;
  }
  const bool any = facts->low <= facts->high;
  if (!(given & 1)) low = any ? unordered(facts->low) : 0;
  if (!(given & 2)) high = any ? unordered(facts->high) : 0;
  const double span = high > low ? __dsub_rn(high, low) : 1;
  pixels[i] = colour_of(ramp, __ddiv_rn(__dsub_rn(value_of(data, type, i), low), span));
}

extern "C" __global__ void expect_reference(const void* data, int type, Word elements, double* expected,
                                            Facts* facts) {
  const Word i = here();
  double value = 0;
  if (i < elements) expected[i] = value = value_of(data, type, i);
  const double size = fabs(value);
  raise(&facts->scale, size > 0 ? (Word)__double_as_longlong(size) : 0);
}

// The sum runs in the order of the columns, as on the host.
extern "C" __global__ void expect_product(const void* left, int left_type, const void* right, int right_type,
                                          Word elements, Word columns, Word inner, double* expected,
                                          Facts* facts) {
  const Word i = here();
  double sum = 0;
  if (i < elements) {
    const Word row = i / columns, column = i % columns;
    for (Word k = 0; k < inner; ++k)
      sum = __dadd_rn(sum, __dmul_rn(value_of(left, left_type, row * inner + k),
                                     value_of(right, right_type, k * columns + column)));
    expected[i] = sum;
  }
  const double size = fabs(sum);
  raise(&facts->scale, size > 0 ? (Word)__double_as_longlong(size) : 0);
}

__device__ double tolerance_of(double share, const Facts* facts) {
  const double scale = __longlong_as_double((long long)facts->scale);
  return __dmul_rn(share, scale > 1e-30 ? scale : 1e-30);
}

// How far each element is off takes the place of what was expected of it.
extern "C" __global__ void find_difference(const void* data, int type, Word elements, double share,
                                           double* expected, Facts* facts) {
  const Word i = here();
  double off = 0;
  if (i < elements) expected[i] = off = fabs(__dsub_rn(value_of(data, type, i), expected[i]));
  raise(&facts->largest, off > 0 ? (Word)__double_as_longlong(off) : 0);
  count(&facts->differing, off != off || off > tolerance_of(share, facts));
}

// Rounding alone stays dark: the scale begins at the tolerance.
extern "C" __global__ void colour_difference(const double* off_by, Word elements, double share, Ramp ramp,
                                             Facts* facts, unsigned* pixels) {
  const Word i = here();
  const double largest = __longlong_as_double((long long)facts->largest);
  bool worst = false;
  if (i < elements) {
    const double off = off_by[i], tolerance = tolerance_of(share, facts);
    const double ten = __dmul_rn(tolerance, 10.0), top = largest > ten ? largest : ten;
    pixels[i] = colour_of(
        ramp, off <= tolerance ? 0 : __dadd_rn(0.25, __ddiv_rn(__dmul_rn(0.75, off), top)));
    worst = off == largest && largest > 0;
  }
  lower(&facts->worst, worst ? i : ~0ull);
}
