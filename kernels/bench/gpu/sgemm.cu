// c = a * b for n x n floats in row-major order, n a multiple of 128: the rungs from one thread an element to
// register tiles fed through two halves of shared memory.
extern "C" __global__ void sgemm_naive(float* c, const float* a, const float* b, int n)
{
    // Neighbouring threads walk down a column: every load of a and store of c lies n floats apart.
    int row = blockIdx.x * 32 + threadIdx.x % 32, column = blockIdx.y * 32 + threadIdx.x / 32;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[(size_t)row * n + k] * b[(size_t)k * n + column];
    c[(size_t)row * n + column] = sum;
}

extern "C" __global__ void sgemm_coalesced(float* c, const float* a, const float* b, int n)
{
    int row = blockIdx.y * 32 + threadIdx.x / 32, column = blockIdx.x * 32 + threadIdx.x % 32;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[(size_t)row * n + k] * b[(size_t)k * n + column];
    c[(size_t)row * n + column] = sum;
}

extern "C" __global__ void sgemm_shared(float* c, const float* a, const float* b, int n)
{
    __shared__ float tile_a[32][32], tile_b[32][32];
    int y = threadIdx.x / 32, x = threadIdx.x % 32;
    int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 32) {
        tile_a[y][x] = a[(size_t)row * n + k0 + x];
        tile_b[y][x] = b[(size_t)(k0 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    c[(size_t)row * n + column] = sum;
}

// 64 x 64 a block of 512 threads, each a column of 8.
extern "C" __global__ void sgemm_column(float* c, const float* a, const float* b, int n)
{
    __shared__ float tile_a[64][8], tile_b[8][64];
    int t = threadIdx.x, x = t % 64, y = t / 64;
    const float* from_a = a + (size_t)(blockIdx.y * 64 + t / 8) * n + t % 8;
    const float* from_b = b + (size_t)y * n + blockIdx.x * 64 + x;
    float sums[8] = {};
    for (int k0 = 0; k0 < n; k0 += 8) {
        tile_a[t / 8][t % 8] = from_a[k0];
        tile_b[y][x] = from_b[(size_t)k0 * n];
        __syncthreads();
        for (int k = 0; k < 8; ++k) {
            float right = tile_b[k][x];
            for (int i = 0; i < 8; ++i) sums[i] += tile_a[y * 8 + i][k] * right;
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) c[(size_t)(blockIdx.y * 64 + y * 8 + i) * n + blockIdx.x * 64 + x] = sums[i];
}

// 128 x 128 a block of 256 threads, each 8 x 8 in registers; a lies transposed in shared memory, so that both
// operands are read 16 bytes at a time.
extern "C" __global__ void __launch_bounds__(256) sgemm_tile(float* c, const float* a, const float* b, int n)
{
    __shared__ __align__(16) float tile_a[8][128], tile_b[8][128];
    int t = threadIdx.x, x = t % 16, y = t / 16;
    const float* from_a = a + (size_t)(blockIdx.y * 128 + t / 2) * n + t % 2 * 4;
    const float* from_b = b + (size_t)(t / 32) * n + blockIdx.x * 128 + t % 32 * 4;
    float sums[8][8] = {};
    for (int k0 = 0; k0 < n; k0 += 8) {
        float4 piece = *(const float4*)(from_a + k0);
        tile_a[t % 2 * 4 + 0][t / 2] = piece.x;
        tile_a[t % 2 * 4 + 1][t / 2] = piece.y;
        tile_a[t % 2 * 4 + 2][t / 2] = piece.z;
        tile_a[t % 2 * 4 + 3][t / 2] = piece.w;
        *(float4*)&tile_b[t / 32][t % 32 * 4] = *(const float4*)(from_b + (size_t)k0 * n);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            float left[8], right[8];
            *(float4*)&left[0] = *(const float4*)&tile_a[k][y * 8];
            *(float4*)&left[4] = *(const float4*)&tile_a[k][y * 8 + 4];
            *(float4*)&right[0] = *(const float4*)&tile_b[k][x * 4];
            *(float4*)&right[4] = *(const float4*)&tile_b[k][64 + x * 4];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sums[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    float* to = c + (size_t)(blockIdx.y * 128 + y * 8) * n + blockIdx.x * 128 + x * 4;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        *(float4*)(to + (size_t)i * n) = *(float4*)&sums[i][0];
        *(float4*)(to + (size_t)i * n + 64) = *(float4*)&sums[i][4];
    }
}

// The last rung: warps of 64 x 32 in a block of 128 x 128, steps of 16 in k, two buffers. While one half of
// shared memory is multiplied, the next pieces travel from global memory into registers and go into the
// other half; one barrier a step. Lanes of a warp read 4-wide pieces that lie side by side, so that no two
// meet in a bank.
extern "C" __global__ void __launch_bounds__(256, 2) sgemm_two_buffers(float* c, const float* a, const float* b, int n)
{
    constexpr int tile = 128, depth = 16, pitch = tile + 4;
    __shared__ __align__(16) float tile_a[2][depth][pitch], tile_b[2][depth][pitch];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int warp_y = warp / 4 * 64, warp_x = warp % 4 * 32;  // 2 x 4 warps
    int y = warp_y + lane / 4 * 4, x = warp_x + lane % 4 * 4;  // rows y and y + 32, columns x and x + 16
    const float* from_a = a + (size_t)(blockIdx.y * tile + t / 4) * n + t % 4 * 4;
    const float* from_b = b + (size_t)(t / 32) * n + blockIdx.x * tile + t % 32 * 4;
    float4 piece_a[2], piece_b[2];
    float sums[8][8] = {};

    auto fetch = [&](int k0) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            piece_a[i] = *(const float4*)(from_a + (size_t)i * 64 * n + k0);
            piece_b[i] = *(const float4*)(from_b + (size_t)(k0 + i * 8) * n);
        }
    };
    auto lay = [&](int half) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            int row = t / 4 + i * 64, k = t % 4 * 4;
            tile_a[half][k + 0][row] = piece_a[i].x;
            tile_a[half][k + 1][row] = piece_a[i].y;
            tile_a[half][k + 2][row] = piece_a[i].z;
            tile_a[half][k + 3][row] = piece_a[i].w;
            *(float4*)&tile_b[half][t / 32 + i * 8][t % 32 * 4] = piece_b[i];
        }
    };

    fetch(0);
    lay(0);
    __syncthreads();
    int half = 0;
    for (int k0 = 0; k0 < n; k0 += depth) {
        bool more = k0 + depth < n;
        if (more) fetch(k0 + depth);
#pragma unroll
        for (int k = 0; k < depth; ++k) {
            float left[8], right[8];
            *(float4*)&left[0] = *(const float4*)&tile_a[half][k][y];
            *(float4*)&left[4] = *(const float4*)&tile_a[half][k][y + 32];
            *(float4*)&right[0] = *(const float4*)&tile_b[half][k][x];
            *(float4*)&right[4] = *(const float4*)&tile_b[half][k][x + 16];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sums[i][j] += left[i] * right[j];
        }
        if (more) lay(half ^ 1);
        __syncthreads();
        half ^= 1;
    }
    float* to = c + (size_t)(blockIdx.y * tile + y) * n + blockIdx.x * tile + x;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        float* row = to + (size_t)(i / 4 * 32 + i % 4) * n;
        *(float4*)row = *(float4*)&sums[i][0];
        *(float4*)(row + 16) = *(float4*)&sums[i][4];
    }
}
