// Loads of WORDS 4-byte words a lane from shared memory, WAYS lanes to a bank; WAYS 0: all lanes the same
// address.
#if WORDS == 1
typedef float Item;
__device__ float first_of(Item v) { return v; }
#elif WORDS == 2
typedef float2 Item;
__device__ float first_of(Item v) { return v.x + v.y; }
#else
typedef float4 Item;
__device__ float first_of(Item v) { return v.x + v.y + v.z + v.w; }
#endif

extern "C" __global__ void shared_conflict(float* out, int rounds)
{
    __shared__ __align__(16) float words[8192];
    for (int i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = i;
    __syncthreads();
    const volatile Item* items = (const volatile Item*)words;
    // Lanes WAYS apart in pieces of 128 bytes fall into the same banks.
    int lane = threadIdx.x % 32, per_row = 32 / WORDS;
    int mine = WAYS == 0 ? 0 : (lane % WAYS) * per_row + (lane / (WAYS == 0 ? 1 : WAYS)) % per_row;
    mine %= 8192 / WORDS - 4;
    float sum = 0.0f;
    for (int r = 0; r < rounds; ++r) {
        Item value;
#if WORDS == 1
        value = items[mine];
#elif WORDS == 2
        value.x = items[mine].x, value.y = items[mine].y;
#else
        value.x = items[mine].x, value.y = items[mine].y, value.z = items[mine].z, value.w = items[mine].w;
#endif
        sum += first_of(value);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
