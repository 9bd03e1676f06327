// kernel: blocks
// launch: grid=(2,1,1) block=(128,1,1)
// args: wrong=buf:i32[8]:zeros; done=buf:i32[1]:zeros

// cub's algorithms on a block and cuRAND's generators.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <curand_kernel.h>

__device__ void expect(bool good, int* wrong) { if (!good) atomicAdd(wrong, 1); }

extern "C" __global__ void blocks(int* wrong, int* done)
{
    using Reduce = cub::BlockReduce<int, 128>;
    using Scan = cub::BlockScan<int, 128>;
    using Sort = cub::BlockRadixSort<int, 128, 2>;
    using Exchange = cub::BlockExchange<int, 128, 2>;
    __shared__ union {
        Reduce::TempStorage reduce;
        Scan::TempStorage scan;
        Sort::TempStorage sort;
        Exchange::TempStorage exchange;
    } room;
    __shared__ int keys[256];
    const int t = threadIdx.x, value = (t * 37 + 11) % 101 - 50;
    int all = 0, before = 0;
    for (int i = 0; i < 128; ++i) {
        const int v = (i * 37 + 11) % 101 - 50;
        all += v;
        before += i < t ? v : 0;
    }
    const int sum = Reduce(room.reduce).Sum(value);
    expect(t != 0 || sum == all, wrong);
    __syncthreads();
    int exclusive, total;
    Scan(room.scan).ExclusiveSum(value, exclusive, total);
    expect(exclusive == before && total == all, wrong + 1);
    __syncthreads();
    int two[2] = {(t * 73 + 5) % 256, ((t + 128) * 73 + 5) % 256};  // 0 to 255 in another order
    Sort(room.sort).Sort(two);
    expect(two[0] == 2 * t && two[1] == 2 * t + 1, wrong + 2);
    __syncthreads();
    Exchange(room.exchange).BlockedToStriped(two, two);
    expect(two[0] == t && two[1] == t + 128, wrong + 3);
    keys[t] = two[0];

    // A generator that skips ahead agrees with one that is drawn from.
    curandStatePhilox4_32_10_t here, ahead;
    curand_init(1234, t, 0, &here);
    curand_init(1234, t, 40, &ahead);
    float mean = 0;
    for (int i = 0; i < 40; ++i) mean += curand_uniform(&here);
    expect(curand(&here) == curand(&ahead), wrong + 4);
    using Mean = cub::BlockReduce<float, 128>;
    __shared__ Mean::TempStorage mean_room;
    const float drawn = Mean(mean_room).Sum(mean);
    expect(t != 0 || (drawn > 128 * 40 * 0.49f && drawn < 128 * 40 * 0.51f), wrong + 5);
    curandStateXORWOW_t xorwow;
    curand_init(7, 0, t, &xorwow);
    const float normal = curand_normal(&xorwow);
    expect(normal > -6 && normal < 6, wrong + 6);
    atomicAdd(done, 1);
}
