#pragma once
// The loops of kernels/bench in plain C++, one thread: what the emulator is measured against.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpbook::cli {

/// Iterations until escape of each pixel, row by row; the region of kernels/bench/mandelbrot.cu.
void native_mandelbrot(std::vector<int32_t>& out, int width, int height, int iterations);
/// c = a * b for n x n matrices in row-major order, the inner loop over k.
void native_matmul(std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b, int n);
/// The same product in blocks that stay in the cache; the inner loop runs along the rows of b and c.
void native_blocked_matmul(std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b,
                           int n);
/// c = a + b
void native_vector_add(std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b);
/// The sum of each run of `block` elements.
void native_block_sums(std::vector<float>& sums, const std::vector<float>& in, std::size_t block);

}  // namespace warpbook::cli
