// kernel: narrow
// launch: grid=(1,1,1) block=(64,1,1)
// args: wrong=buf:i32[8]:zeros; done=buf:i32[1]:zeros; product=buf:f32[256]:zeros; counts=buf:i32[256]:zeros; room=buf:f16[512]:zeros

// Half precision, bfloat16 and matrix fragments, with numbers that are exact in them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__device__ void expect(bool good, int* wrong) { if (!good) atomicAdd(wrong, 1); }

extern "C" __global__ void narrow(int* wrong, int* done, float* product, int* counts, __half* room)
{
    const int t = threadIdx.x;
    const float x = t - 30, y = (t % 7) * 0.25f;
    const __half a = __float2half(x), b = __float2half(y);
    expect(__half2float(a + b) == x + y && __half2float(a * b) == x * y, wrong);
    expect(__half2float(__hfma(a, b, a)) == x * y + x, wrong);
    expect(__half2int_rz(a) == int(x) && __hgt(a, b) == (x > y), wrong);
    expect(__half2float(__hmax(a, b)) == fmaxf(x, y), wrong);
    const __half2 pair = __floats2half2_rn(x, y);
    const float2 sum = __half22float2(__hadd2(pair, __half2half2(b)));
    expect(sum.x == x + y && sum.y == y + y, wrong + 1);
    atomicAdd(reinterpret_cast<__half2*>(room), __floats2half2_rn(1.0f, 2.0f));
    const __nv_bfloat16 c = __float2bfloat16(x), d = __float2bfloat16(y);
    expect(__bfloat162float(c * d) == __bfloat162float(__float2bfloat16(x * y)), wrong + 2);
    expect(__bfloat162float(__hfma(c, d, c)) == __bfloat162float(__float2bfloat16(x * y + x)), wrong + 2);

    __shared__ __align__(32) __half ma[256], mb[256];
    __shared__ __align__(32) signed char ia[256], ib[256];
    for (int i = t; i < 256; i += 64) {
        ma[i] = __float2half(float(i * 5 % 11 - 5));
        mb[i] = __float2half(float(i * 3 % 7 - 3));
        ia[i] = (signed char)(i * 29 % 251 - 125);
        ib[i] = (signed char)(i * 31 % 241 - 120);
    }
    __syncthreads();
    if (t < 32) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
        wmma::fill_fragment(fc, 1.0f);
        wmma::load_matrix_sync(fa, ma, 16);
        wmma::load_matrix_sync(fb, mb, 16);
        wmma::mma_sync(fc, fa, fb, fc);
        for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2;
        wmma::store_matrix_sync(product, fc, 16, wmma::mem_row_major);
        wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::col_major> ga;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> gb;
        wmma::fragment<wmma::accumulator, 16, 16, 16, int> gc;
        wmma::fill_fragment(gc, -5);
        wmma::load_matrix_sync(ga, ia, 16);
        wmma::load_matrix_sync(gb, ib, 16);
        wmma::mma_sync(gc, ga, gb, gc);
        wmma::store_matrix_sync(counts, gc, 16, wmma::mem_col_major);
    }
    __syncthreads();
    for (int i = t; i < 256; i += 64) {
        const int row = i / 16, column = i % 16;
        float wanted = 1;
        int number = -5;
        for (int k = 0; k < 16; ++k) {
            wanted += __half2float(ma[row * 16 + k]) * __half2float(mb[column * 16 + k]);
            number += ia[k * 16 + row] * ib[k * 16 + column];
        }
        expect(product[i] == 2 * wanted, wrong + 3);
        expect(counts[column * 16 + row] == number, wrong + 4);
    }
    if (t == 0) expect(__low2float(reinterpret_cast<__half2*>(room)[0]) == 64 && __high2float(reinterpret_cast<__half2*>(room)[0]) == 128, wrong + 5);
    atomicAdd(done, 1);
}
