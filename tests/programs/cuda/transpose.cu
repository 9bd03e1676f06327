// A matrix and its transpose in pitched memory, copied row by row.
#include <vector>

#include "ask.h"

__global__ void transpose(const float* in, size_t in_pitch, float* out, size_t out_pitch, int width, int height) {
  __shared__ float part[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) part[threadIdx.y][threadIdx.x] = in[y * (in_pitch / sizeof(float)) + x];
  __syncthreads();
  const int to_x = blockIdx.y * 16 + threadIdx.x, to_y = blockIdx.x * 16 + threadIdx.y;
  if (to_x < height && to_y < width) out[to_y * (out_pitch / sizeof(float)) + to_x] = part[threadIdx.x][threadIdx.y];
}

int main() {
  const int width = 50, height = 35;
  std::vector<float> in(width * height), out(width * height);
  for (int i = 0; i < width * height; ++i) in[i] = float(i);
  float *d_in, *d_out;
  size_t in_pitch, out_pitch;
  ASK(cudaMallocPitch(&d_in, &in_pitch, width * sizeof(float), height));
  ASK(cudaMallocPitch(&d_out, &out_pitch, height * sizeof(float), width));
  ASK(cudaMemcpy2D(d_in, in_pitch, in.data(), width * sizeof(float), width * sizeof(float), height,
                   cudaMemcpyHostToDevice));
  transpose<<<dim3(4, 3), dim3(16, 16)>>>(d_in, in_pitch, d_out, out_pitch, width, height);
  ASK(cudaGetLastError());
  ASK(cudaMemcpy2D(out.data(), height * sizeof(float), d_out, out_pitch, height * sizeof(float), width,
                   cudaMemcpyDeviceToHost));
  ASK(cudaFree(d_in));
  ASK(cudaFree(d_out));
  bool right = true;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) right = right && out[x * height + y] == in[y * width + x];
  return verdict(right);
}
