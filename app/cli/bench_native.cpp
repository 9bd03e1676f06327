// Mandelbrot and the plain matrix product are scalar by nature: an escape loop of data-dependent length, and
// a float sum whose order the compiler must keep. The others are what a compiler makes vectors of.
#include "cli/bench_native.h"

#include <algorithm>

namespace warpbook::cli {

void native_mandelbrot(std::vector<int32_t>& out, int width, int height, int iterations) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float cx = -2.0f + 3.0f * float(x) / float(width);
      const float cy = -1.5f + 3.0f * float(y) / float(height);
      float zx = 0, zy = 0;
      int count = 0;
      while (count < iterations && zx * zx + zy * zy < 4.0f) {
        const float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        ++count;
      }
      out[std::size_t(y) * std::size_t(width) + std::size_t(x)] = count;
    }
  }
}

void native_matmul(std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b, int n) {
  const auto size = std::size_t(n);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < size; ++k) sum += a[row * size + k] * b[k * size + column];
      c[row * size + column] = sum;
    }
  }
}

void native_blocked_matmul(std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b,
                           int n) {
  constexpr std::size_t block = 64;
  const auto size = std::size_t(n);
  std::fill(c.begin(), c.end(), 0.0f);
  for (std::size_t first = 0; first < size; first += block) {
    const std::size_t last = std::min(size, first + block);
    for (std::size_t row = 0; row < size; ++row) {
      float* to = c.data() + row * size;
      for (std::size_t k = first; k < last; ++k) {
        const float factor = a[row * size + k];
        const float* from = b.data() + k * size;
        for (std::size_t column = 0; column < size; ++column) to[column] += factor * from[column];
      }
    }
  }
}

void native_vector_add(std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i];
}

void native_block_sums(std::vector<float>& sums, const std::vector<float>& in, std::size_t block) {
  for (std::size_t s = 0; s < sums.size(); ++s) {
    float sum = 0;
    for (std::size_t i = s * block; i < (s + 1) * block; ++i) sum += in[i];
    sums[s] = sum;
  }
}

}  // namespace warpbook::cli
