// Situations of the table, continued: what was never written, arithmetic, barriers and loops, sizes, the
// heap, races, warps and printf.
#include "explained.h"

namespace warpbook::explained {

#define THREAD "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"

const std::vector<Case> values_and_waiting = {
    // Never written.
    {"sum_without_a_start",
     "uninit-read",
     "1,32",
     {"out=buf:f32[32]:zeros", "a=buf:f32[8]:iota"},
     "uses sum, which nothing has written yet",
     "float sum = 0",
     R"(void sum_without_a_start(float* out, const float* a) {
    float sum{{|> = 0}};
    for (int k = 0; k < 8; ++k)
        sum += a[k];  //!
    out[threadIdx.x] = sum;
})"},
    {"value_only_in_a_branch",
     "uninit-read",
     "1,32",
     {"out=buf:i32[32]:zeros"},
     "uses v, which nothing has written yet",
     "v gets a value only if i & 1",
     R"(void value_only_in_a_branch(int* out) {
    int i = threadIdx.x;
    int v{{|> = 0}};
    if (i & 1) v = 3;
    out[i] = v;  //!
})"},
    {"flag_without_a_start",
     "uninit-read",
     "1,32",
     {"out=buf:i32[32]:zeros", "a=buf:i32[8]:zeros"},
     "uses found, which nothing has written yet",
     "found",
     R"(void flag_without_a_start(int* out, const int* a) {
    bool found{{|> = false}};
    for (int k = 0; k < 8; ++k)
        if (a[k] > 5) found = true;
    if (found)  //!
        out[threadIdx.x] = 1;
})"},
    {"best_never_found",
     "uninit-read",
     "1,32",
     {"out=buf:i32[32]:zeros", "a=buf:i32[8]:iota"},
     "uses best, which nothing has written yet",
     "best gets a value only if a[k] > 50",
     R"(void best_never_found(int* out, const int* a) {
    int best{{|> = 0}};
    for (int k = 0; k < 8; ++k)
        if (a[k] > 50) best = k;
    out[threadIdx.x] = a[best];  //!
})"},
    {"bins_without_zeros",
     "uninit-read",
     "1,4",
     {"out=buf:i32[4]:zeros", "a=buf:i32[32]:mod(5)"},
     "uses bins[0], which nothing has written yet",
     "int bins[8] = {}",
     R"(void bins_without_zeros(int* out, const int* a) {
    int bins[8]{{|> = {}}};
    int t = threadIdx.x;
    for (int k = 0; k < 8; ++k)
        bins[a[8 * t + k] & 7] += 1;  //!
    out[t] = bins[1];
})"},
    {"member_without_a_value",
     "uninit-read",
     "1,32",
     {"out=buf:i32[32]:zeros"},
     "uses total.count, which nothing has written yet",
     "= {}",
     R"(void member_without_a_value(int* out) {
    Tally total{{|> = {}}};
    total.count += threadIdx.x;  //!
    out[threadIdx.x] = total.count;
})"},
    {"copy_then_use",
     "uninit-read",
     "1,32",
     {"out=buf:i32[32]:zeros"},
     "which nothing has written yet",
     "",
     R"(void copy_then_use(int* out) {
    Tally total{{|> = {}}};
    total.sum = 1;
    Tally copy = total;
    out[threadIdx.x] = copy.count + 1;  //!
})"},
    {"passed_without_a_value",
     "uninit-read",
     "1,32",
     {"out=buf:f32[32]:zeros"},
     "which nothing has written yet",
     "",
     R"(void passed_without_a_value(float* out) {
    float x{{|> = 1}};
    if (threadIdx.x > 3) x = 2;
    out[threadIdx.x] = twice_of(x);
})"},
    {"tail_of_a_tile",
     "uninit-read",
     "2,32",
     {"out=buf:f32[2]:zeros", "a=buf:f32[40]:iota", "n=i32:40"},
     "reads tile[8], which nothing has written yet",
     "else branch",
     R"(void tail_of_a_tile(float* out, const float* a, int n) {
    __shared__ float tile[32];
    int t = threadIdx.x;
)" THREAD R"(    if (i < n) tile[t] = a[i];
    {{|>else tile[t] = 0;}}
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += tile[k];  //!
        out[blockIdx.x] = sum;
    }
})"},
    {"counters_without_zeros",
     "uninit-read",
     "1,32",
     {"out=buf:i32[8]:zeros"},
     "counts[0], which nothing has written yet",
     "set counts to zero by all threads together",
     R"(void counters_without_zeros(int* out) {
    __shared__ int counts[8];
    int t = threadIdx.x;
    {{|>if (t < 8) counts[t] = 0;
    __syncthreads();}}
    atomicAdd(&counts[t & 7], 1);  //!
    __syncthreads();
    if (t < 8) out[t] = counts[t];
})"},
    {"adds_to_an_empty_output",
     "uninit-read",
     "1,32",
     {"out=buf:f32[32]:uninit", "a=buf:f32[32]:iota"},
     "reads out[0], which nothing has written yet",
     "cudaMemset",
     R"(void adds_to_an_empty_output(float* out, const float* a) {
    int i = threadIdx.x;
    out[i] {{+=|>=}} a[i];  //!
})"},
    // Arithmetic and calls.
    {"divides_by_a_zero_element",
     "div-by-zero",
     "1,8",
     {"out=buf:i32[8]:zeros", "a=buf:i32[8]:iota", "d=buf:i32[8]:list(1,2,0,1,1,1,1,1)"},
     "divides by d[i], which is 0",
     "d[i] != 0",
     R"(void divides_by_a_zero_element(int* out, const int* a, const int* d) {
    int i = threadIdx.x;
    {{|>if (d[i] != 0) }}out[i] = a[i] / d[i];  //!
})"},
    {"divides_by_a_zero_argument",
     "div-by-zero",
     "1,8",
     {"out=buf:i32[8]:zeros", "parts=i32:0"},
     "divides by parts, which is 0",
     "parts != 0",
     R"(void divides_by_a_zero_argument(int* out, int parts) {
    int i = threadIdx.x;
    out[i] = 100 % {{parts|>(parts + 1)}};  //!
})"},
    {"assertion_does_not_hold",
     "assert",
     "1,64",
     {"out=buf:i32[64]:zeros", "n=i32:50"},
     "i is 50 and n is 50",
     "",
     R"(void assertion_does_not_hold(int* out, int n) {
    int i = threadIdx.x;
    assert(i {{< n|><= 2 * n}});  //!
    out[i] = i;
})"},
    // Barriers and loops.
    {"barrier_in_an_if",
     "divergent-barrier",
     "1,64",
     {"out=buf:i32[64]:zeros"},
     "",
     "put __syncthreads() behind the if",
     R"(void barrier_in_an_if(int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = t;
        {{__syncthreads();|>}}  //!
    }
    __syncthreads();
    if (t < 16) out[t] = s[15 - t];
})"},
    {"barrier_behind_an_exit",
     "divergent-barrier",
     "1,64",
     {"out=buf:i32[64]:zeros", "n=i32:40"},
     "",
     "do not return early",
     R"(void barrier_behind_an_exit(int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    {{if (t >= n) return;|>}}
    __syncthreads();  //!
    if (t < n) out[t] = s[n - 1 - t];
})"},
    {"barrier_in_both_branches",
     "divergent-barrier",
     "1,64",
     {"out=buf:i32[64]:zeros"},
     "",
     "Both branches",
     R"(void barrier_in_both_branches(int* out) {
    int t = threadIdx.x;
    if (t < 32) {
        out[t] = 1;
        {{__syncthreads();|>}}  //!
    } else {
        out[t] = 2;
        {{__syncthreads();|>}}
    }
    __syncthreads();
})"},
    {"counter_stands_still",
     "infinite-loop",
     "1,32",
     {"out=buf:i32[32]:zeros", "n=i32:40"},
     "",
     "Nothing inside the loop changes i",
     R"(void counter_stands_still(int* out, int n) {
    int i = threadIdx.x;
    while (i < n) {
        out[threadIdx.x] = i;  
        {{|>i += 32;}}
    }
})"},
    {"lock_kept",
     "infinite-loop",
     "2,1",
     {"out=buf:i32[1]:zeros", "lock=buf:i32[1]:zeros"},
     "",
     "gives the lock back",
     R"(void lock_kept(int* out, int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {}  //!
    atomicAdd(out, 1);
    {{|>atomicExch(lock, 0);}}
})"},
    // Sizes of accesses.
    {"bytes_behind_the_end",
     "oob-write",
     "2,64",
     {"out=buf:u8[100]:zeros", "n=i32:100"},
     "writes out[100], but out has 100 elements (0 to 99); i is 100",
     "if (i < n)",
     R"(void bytes_behind_the_end(unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {{|>if (i < n) }}out[i] = (unsigned char)i;  //!
})"},
    {"shorts_before_the_start",
     "oob-read",
     "1,32",
     {"out=buf:i16[32]:zeros", "a=buf:i16[32]:iota"},
     "reads a[-2], but a has 32 elements (0 to 31)",
     "",
     R"(void shorts_before_the_start(short* out, const short* a) {
    int i = threadIdx.x;
    {{|>if (i >= 2) }}out[i] = a[i - 2];  //!
})"},
    {"doubles_with_a_stride",
     "oob-read",
     "1,32",
     {"out=buf:f64[32]:zeros", "a=buf:f64[60]:iota"},
     "reads a[60], but a has 60 elements (0 to 59)",
     "",
     R"(void doubles_with_a_stride(double* out, const double* a) {
    int i = threadIdx.x;
    {{|>if (2 * i < 60) }}out[i] = a[2 * i];  //!
})"},
    {"bin_past_the_last",
     "oob-write",
     "1,64",
     {"bins=buf:i32[10]:zeros", "a=buf:i32[64]:mod(11)"},
     "updates bins[10], but bins has 10 elements (0 to 9)",
     "",
     R"(void bin_past_the_last(int* bins, const int* a) {
    int value = a[threadIdx.x];
    {{|>if (value < 10) }}atomicAdd(&bins[value], 1);  //!
})"},
    {"local_index_below_zero",
     "oob-read",
     "1,32",
     {"out=buf:i32[32]:zeros", "first=i32:0"},
     "reads window[-1]",
     "",
     R"(void local_index_below_zero(int* out, int first) {
    int window[4] = {1, 2, 3, 4};
    int sum = 0;
    for (int k = first; k < 4; ++k)
        {{|>if (k > 0) }}sum += window[k - 1];  //!
    out[threadIdx.x] = sum;
})"},
    {"in_a_template",
     "oob-read",
     "1,32",
     {"out=buf:f32[32]:zeros", "a=buf:f32[31]:iota"},
     "reads a[31]",
     "",
     R"(void in_a_template(float* out, const float* a) {
    int i = threadIdx.x;
    out[i] = {{|>i == 31 ? 0.0f : }}nth<float>(a, i);
})"},
    // The heap.
    {"read_behind_free",
     "use-after-free",
     "1,1",
     {"out=buf:i32[1]:zeros"},
     "",
     "",
     R"(void read_behind_free(int* out) {
    int* p = (int*)malloc(16);
    p[0] = 3;
    {{free(p);|>}}
    out[0] = p[0];  //!
    {{|>free(p);}}
})"},
    {"freed_twice",
     "double-free",
     "1,1",
     {"out=buf:i32[1]:zeros"},
     "",
     "",
     R"(void freed_twice(int* out) {
    int* p = (int*)malloc(16);
    out[0] = p != nullptr;
    free(p);
    {{free(p);|>}}  //!
})"},
    // Races.
    {"neighbour_without_a_barrier",
     "race-shared",
     "1,64",
     {"out=buf:i32[64]:zeros"},
     "",
     "Put __syncthreads() between line",
     R"(void neighbour_without_a_barrier(int* out) {
    __shared__ int line[64];
    int t = threadIdx.x;
    line[t] = t;  //!
    {{|>__syncthreads();}}
    out[t] = line[63 - t];
})"},
    {"second_barrier_of_a_loop",
     "race-shared",
     "1,64",
     {"out=buf:f32[64]:zeros", "a=buf:f32[256]:iota"},
     "",
     "The second barrier of the loop is missing",
     R"(void second_barrier_of_a_loop(float* out, const float* a) {
    __shared__ float part[64];
    int t = threadIdx.x;
    float sum = 0;
    for (int round = 0; round < 4; ++round) {
        part[t] = a[64 * round + t];  //!
        __syncthreads();
        for (int k = 0; k < 64; ++k) sum += part[k];
        {{|>__syncthreads();}}
    }
    out[t] = sum;
})"},
    {"all_add_to_one",
     "race-global",
     "2,32",
     {"total=buf:i32[1]:zeros"},
     "",
     "use atomicAdd",
     R"(void all_add_to_one(int* total) {
    {{total[0] += 1|>atomicAdd(&total[0], 1)}};  //!
})"},
    {"block_reads_its_neighbour",
     "race-global",
     "4,32",
     {"out=buf:i32[128]:zeros", "sum=buf:i32[4]:zeros"},
     "",
     "",
     R"(void block_reads_its_neighbour(int* out, int* sum) {
    int b = blockIdx.x;
    if (threadIdx.x == 0) sum[b] = b;
    out[b * 32 + threadIdx.x] = {{b > 0 ? sum[b - 1] : 0|>b}};
})"},
    {"lanes_need_not_run_in_step",
     "race-shared",
     "1,32",
     {"out=buf:i32[32]:zeros"},
     "",
     "",
     R"(void lanes_need_not_run_in_step(int* out) {
    __shared__ int line[32];
    int t = threadIdx.x;
    line[t] = t;  //!
    {{|>__syncwarp();}}
    out[t] = line[t ^ 1];
})"},
    // Warps.
    {"mask_of_all_in_a_branch",
     "shuffle-inactive-lane",
     "1,32",
     {"out=buf:i32[32]:zeros"},
     "",
     "",
     R"(void mask_of_all_in_a_branch(int* out) {
    int t = threadIdx.x;
    int v = t;
    if (t < 16) v = __shfl_down_sync({{0xffffffff|>0x0000ffff}}, v, {{16|>1}}, {{32|>16}});  //!
    out[t] = v;
})"},
    {"mask_without_the_caller",
     "warp-mask",
     "1,32",
     {"out=buf:i32[32]:zeros"},
     "",
     "",
     R"(void mask_without_the_caller(int* out) {
    int t = threadIdx.x;
    out[t] = __shfl_xor_sync({{0x0000ffff|>0xffffffff}}, t, 1);  //!
})"},
    // Waiting.
    {"flag_that_nobody_sets",
     "infinite-loop",
     "1,1",
     {"out=buf:i32[1]:zeros", "flag=buf:i32[1]:zeros"},
     "",
     "",
     R"(void flag_that_nobody_sets(int* out, volatile int* flag) {
    {{|>flag[0] = 1;}}
    while (flag[0] == 0) {}  //!
    out[0] = 1;
})"},
    {"recursion_without_an_end",
     "stack-overflow",
     "1,1",
     {"out=buf:i32[1]:zeros", "n=i32:5"},
     "",
     "",
     R"(void recursion_without_an_end(int* out, int n) {
    out[0] = paths(n, {{-1000000|>0}});
})"},
};

}  // namespace warpbook::explained
