// kernel: grid_rounds
// launch: grid=(6,1,1) block=(64,1,1)
// args: data=buf:i32[384]:iota; wrong=buf:i32[1]:zeros

// Every round reads what another block wrote in the round before: right only when the whole grid waits.
#include <cooperative_groups.h>
extern "C" __global__ void grid_rounds(int* data, int* wrong)
{
    auto grid = cooperative_groups::this_grid();
    const int n = grid.size(), i = grid.thread_rank();
    for (int round = 0; round < 4; ++round) {
        const int other = data[(i + 64) % n];
        grid.sync();
        data[i] = other + 1;
        grid.sync();
    }
    if (data[i] != (i + 4 * 64) % n + 4) atomicAdd(wrong, 1);
}
