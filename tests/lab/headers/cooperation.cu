// kernel: cooperation
// launch: grid=(2,1,1) block=(128,1,1)
// args: wrong=buf:i32[16]:zeros; done=buf:i32[1]:zeros; data=buf:i32[1024]:iota; counter=buf:i32[4]:zeros

// Groups, scans, barriers, pipelines and atomics of the headers, each against a plain sum of its own. A place
// of `wrong` counts the threads that found something else.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

namespace cg = cooperative_groups;

__device__ void expect(bool good, int* wrong) { if (!good) atomicAdd(wrong, 1); }

extern "C" __global__ void cooperation(int* wrong, int* done, const int* data, int* counter)
{
    auto block = cg::this_thread_block();
    const int rank = block.thread_rank(), lane = rank % 32;
    const int value = data[rank] * 3 + 1;

    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(block);
    int sum = 0, most = 0, before = 0;
    for (int i = 0; i < 32; ++i) sum += data[rank - lane + i] * 3 + 1;
    for (int i = 0; i < 8; ++i) most = max(most, data[rank / 8 * 8 + i] * 3 + 1);
    for (int i = 0; i <= lane; ++i) before += data[rank - lane + i] * 3 + 1;
    expect(cg::reduce(warp, value, cg::plus<int>()) == sum, wrong);
    expect(cg::reduce(tile, value, cg::greater<int>()) == most, wrong);
    expect(cg::inclusive_scan(warp, value) == before, wrong + 1);
    expect(cg::exclusive_scan(warp, value) == before - value, wrong + 1);
    expect(warp.shfl_xor(value, 1) == data[rank ^ 1] * 3 + 1, wrong + 2);
    expect(tile.meta_group_rank() == rank / 8 && tile.any(lane == 0) == (rank / 8 % 4 == 0), wrong + 2);
    if (rank % 3 == 0) {
        auto few = cg::coalesced_threads();
        expect(few.shfl(value, 0) == few.shfl(value, few.size() - 1) - (int(few.size()) - 1) * 9, wrong + 3);
    }
    auto parity = cg::labeled_partition(warp, lane % 2);
    expect(parity.size() == 16 && int(parity.thread_rank()) == lane / 2, wrong + 3);

    __shared__ cuda::barrier<cuda::thread_scope_block> meeting;
    __shared__ int turned[128];
    if (rank == 0) init(&meeting, 128);
    block.sync();
    for (int round = 0; round < 3; ++round) {
        turned[rank] = value + round;
        auto token = meeting.arrive();
        meeting.wait(cuda::std::move(token));
        expect(turned[127 - rank] == data[127 - rank] * 3 + 1 + round, wrong + 4);
        meeting.arrive_and_wait();
    }

    __shared__ __align__(16) int stage[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    int got = 0, wanted = 0;
    for (int k = 0; k < 6; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, stage[k & 1], data + k * 128, cuda::aligned_size_t<16>(512), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        got += stage[k & 1][127 - rank];
        pipe.consumer_release();
        wanted += data[k * 128 + 127 - rank];
    }
    expect(got == wanted, wrong + 5);

    cuda::atomic_ref<int, cuda::thread_scope_device> all(counter[0]);
    all.fetch_add(2, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device> least(counter[1]);
    least.fetch_min(-rank, cuda::memory_order_relaxed);
    int expected = counter[2];
    cuda::atomic_ref<int, cuda::thread_scope_device> turns(counter[2]);
    expected = turns.load(cuda::memory_order_relaxed);
    while (!turns.compare_exchange_weak(expected, expected + 3)) {
    }

    cuda::std::array<int, 4> four{1, 2, 3, 4};
    cuda::std::tuple<int, float> both{rank, 0.5f};
    expect(four[rank % 4] == rank % 4 + 1 && cuda::std::get<0>(both) == rank, wrong + 6);
    expect(cuda::std::numeric_limits<int>::max() == 0x7fffffff && cuda::std::is_same<int, int>::value, wrong + 6);
    atomicAdd(done, 1);
}
