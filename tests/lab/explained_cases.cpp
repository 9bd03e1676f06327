// The table. One row a situation; see explained.h.
#include "explained.h"

namespace warpbook::explained {

#define THREAD "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"

const std::vector<Case> accesses = {
    // Guards and bounds.
    {"guard_lets_n_through",
     "oob-read",
     "4,32",
     {"out=buf:f32[128]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100], but a has 100 elements (0 to 99); i is 100",
     "write i < n",
     R"(void guard_lets_n_through(float* out, const float* a, int n) {
)" THREAD R"(    if (i {{<=|><}} n) out[i] = a[i];  //!
})"},
    {"guard_missing",
     "oob-read",
     "4,32",
     {"out=buf:f32[128]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100], but a has 100 elements (0 to 99); i is 100",
     "if (i < n)",
     R"(void guard_missing(float* out, const float* a, int n) {
)" THREAD R"(    {{|>if (i < n) }}out[i] = 2.0f * a[i];  //!
})"},
    {"guard_missing_on_store",
     "oob-write",
     "4,32",
     {"out=buf:f32[100]:zeros", "n=i32:100"},
     "writes out[100], but out has 100 elements (0 to 99); i is 100",
     "if (i < n)",
     R"(void guard_missing_on_store(float* out, int n) {
)" THREAD R"(    {{|>if (i < n) }}out[i] = 1.0f;  //!
})"},
    {"early_exit_one_late",
     "oob-write",
     "4,32",
     {"out=buf:f32[100]:zeros", "n=i32:100"},
     "writes out[100]",
     "write i >= n",
     R"(void early_exit_one_late(float* out, int n) {
)" THREAD R"(    if (i {{>|>>=}} n) return;
    out[i] = 1.0f;  //!
})"},
    {"loop_runs_to_n",
     "oob-read",
     "1,32",
     {"out=buf:f32[32]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100], but a has 100 elements (0 to 99); k is 100",
     "write k < n",
     R"(void loop_runs_to_n(float* out, const float* a, int n) {
    float sum = 0;
    for (int k = 0; k {{<=|><}} n; ++k)
        sum += a[k];  //!
    out[threadIdx.x] = sum;
})"},
    {"stride_loop_runs_to_n",
     "oob-write",
     "2,16",
     {"out=buf:i32[100]:zeros", "n=i32:100"},
     "writes out[100]",
     "write i < n",
     R"(void stride_loop_runs_to_n(int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i {{<=|><}} n; i += gridDim.x * blockDim.x)
        out[i] = i;  //!
})"},
    {"right_neighbour",
     "oob-read",
     "4,32",
     {"out=buf:f32[100]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100], but a has 100 elements (0 to 99); i is 99",
     "i + 1 < n",
     R"(void right_neighbour(float* out, const float* a, int n) {
)" THREAD R"(    if (i {{|>+ 1 }}< n) out[i] = a[i + 1];  //!
})"},
    {"left_neighbour",
     "oob-read",
     "4,32",
     {"out=buf:f32[100]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[-1], but a has 100 elements (0 to 99); i is 0",
     "i - 1 >= 0",
     R"(void left_neighbour(float* out, const float* a, int n) {
)" THREAD R"(    if ({{|>i > 0 && }}i < n) out[i] = a[i - 1];  //!
})"},
    {"unsigned_wraps",
     "oob-read",
     "1,32",
     {"out=buf:f32[32]:zeros", "a=buf:f32[32]:iota"},
     "reads a[4294967295]",
     "wraps around",
     R"(void unsigned_wraps(float* out, const float* a) {
    unsigned i = threadIdx.x;
    {{|>if (i > 0) }}out[i] = a[i - 1u];  //!
})"},
    {"rows_and_columns_swapped",
     "oob-read",
     "3,2,16,16",
     {"out=buf:f32[800]:zeros", "a=buf:f32[800]:iota", "width=i32:40", "height=i32:20"},
     "reads a[800]",
     "x and y look swapped",
     R"(void rows_and_columns_swapped(float* out, const float* a, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = a[{{x * width + y|>y * width + x}}];  //!
})"},
    {"height_taken_for_the_pitch",
     "oob-read",
     "2,3,16,16",
     {"out=buf:f32[800]:zeros", "a=buf:f32[800]:iota", "width=i32:20", "height=i32:40"},
     "reads a[800]",
     "A row has width elements, not height",
     R"(void height_taken_for_the_pitch(float* out, const float* a, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = a[y * {{height|>width}} + x];  //!
})"},
    {"only_one_direction_guarded",
     "oob-write",
     "3,2,16,16",
     {"out=buf:f32[800]:zeros", "width=i32:40", "height=i32:20"},
     "writes out[800]",
     "y",
     R"(void only_one_direction_guarded(float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width{{|> && y < height}})
        out[y * width + x] = 1.0f;  //!
})"},
    {"guard_with_the_wrong_length",
     "oob-write",
     "4,32",
     {"out=buf:f32[100]:zeros", "n=i32:100", "padded=i32:128"},
     "writes out[100]",
     "The guard lets i up to padded - 1 (127), but out has only 100 elements",
     R"(void guard_with_the_wrong_length(float* out, int n, int padded) {
)" THREAD R"(    if (i < {{padded|>n}}) out[i] = 1.0f;  //!
})"},
    {"reversed_from_n",
     "oob-read",
     "1,64",
     {"out=buf:f32[64]:zeros", "a=buf:f32[64]:iota", "n=i32:64"},
     "reads a[64], but a has 64 elements (0 to 63); n is 64 and i is 0",
     "n - 1 - i",
     R"(void reversed_from_n(float* out, const float* a, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = a[n - {{|>1 - }}i];  //!
})"},
    {"twice_the_index",
     "oob-read",
     "1,64",
     {"out=buf:f32[64]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100]",
     "2 * i",
     R"(void twice_the_index(float* out, const float* a, int n) {
    int i = threadIdx.x;
    {{|>if (2 * i < n) }}out[i] = a[2 * i];  //!
})"},
    {"constant_table_too_short",
     "oob-read",
     "1,32",
     {"out=buf:f32[32]:zeros"},
     "reads smoothing_taps[5], but smoothing_taps has 5 elements (0 to 4); k is 5",
     "write k < 5",
     R"(void constant_table_too_short(float* out) {
    float sum = 0;
    for (int k = 0; k {{<=|><}} 5; ++k)
        sum += smoothing_taps[k];  //!
    out[threadIdx.x] = sum;
})"},
    {"in_a_device_function",
     "oob-read",
     "4,32",
     {"out=buf:f32[128]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100]",
     "",
     R"(void in_a_device_function(float* out, const float* a, int n) {
)" THREAD R"(    {{|>if (i < n) }}out[i] = element_of(a, i);
})"},
    {"in_a_lambda",
     "oob-read",
     "4,32",
     {"out=buf:f32[128]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100]",
     "",
     R"(void in_a_lambda(float* out, const float* a, int n) {
)" THREAD R"(    auto square = [&](int k) {
        return a[k] * a[k];  //!
    };
    {{|>if (i < n) }}out[i] = square(i);
})"},
    {"in_a_macro",
     "oob-read",
     "4,32",
     {"out=buf:f32[128]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100]",
     "",
     R"(void in_a_macro(float* out, const float* a, int n) {
)" THREAD R"(    {{|>if (i < n) }}out[i] = ELEMENT(a, i);  //!
})"},
    {"vectors_of_four",
     "oob-read",
     "1,32",
     {"out=buf:f32[128]:zeros", "a=buf:f32[100]:iota"},
     "reads a[25]",
     "",
     R"(void vectors_of_four(float4* out, const float4* a) {
    int i = threadIdx.x;
    {{|>if (i < 25) }}out[i] = a[i];  //!
})"},
    {"load_that_nobody_uses",
     "oob-read",
     "4,32",
     {"out=buf:f32[100]:zeros", "a=buf:f32[100]:iota", "n=i32:100"},
     "reads a[100]",
     "",
     R"(void load_that_nobody_uses(float* out, const float* a, int n) {
)" THREAD R"(    if (i >= n) return;
    float next = a[i{{ + 1|>}}];  //!
    out[i] = a[i];
})"},
    // Shared and local arrays.
    {"tile_smaller_than_the_block",
     "oob-write",
     "1,64",
     {"out=buf:f32[64]:zeros"},
     "writes tile[32], but tile has 32 elements (0 to 31)",
     "A block has 64 threads and tile only 32 elements",
     R"(void tile_smaller_than_the_block(float* out) {
    __shared__ float tile[{{32|>64}}];
    int t = threadIdx.x;
    tile[t] = t;  //!
    __syncthreads();
    out[t] = tile[t];
})"},
    {"row_behind_a_matrix",
     "oob-write",
     "1,17",
     {"out=buf:f32[17]:zeros"},
     "writes tile[16][1], but it is declared as float tile[16][3]; t is 16",
     "",
     R"(void row_behind_a_matrix(float* out) {
    __shared__ float tile[{{16|>17}}][3];
    int t = threadIdx.x;
    tile[t][1] = t;  //!
    __syncthreads();
    out[t] = tile[t][1];
})"},
    {"column_behind_a_row",
     "oob-read",
     "1,32",
     {"out=buf:f32[32]:zeros"},
     "reads tile[3][8], but the second index of tile goes from 0 to 7",
     "below 8",
     R"(void column_behind_a_row(float* out) {
    __shared__ float tile[4][8];
    int row = threadIdx.x / 8, column = threadIdx.x % 8;
    tile[row][column] = threadIdx.x;
    __syncthreads();
    if (column == 7) out[row] = tile[row][{{column + 1|>column}}];  //!
})"},
    {"no_dynamic_shared",
     "oob-write",
     "1,64",
     {"out=buf:f32[64]:zeros"},
     "writes pool[0]",
     "the launch gives it 0 bytes",
     R"(void no_dynamic_shared(float* out) {
    {{extern __shared__ float pool[]|>__shared__ float pool[64]}};
    int t = threadIdx.x;
    pool[t] = t;  //!
    __syncthreads();
    out[t] = pool[t];
})"},
    {"into_the_next_array",
     "oob-write",
     "1,32",
     {"out=buf:i32[32]:zeros"},
     "writes left[32]",
     "",
     R"(void into_the_next_array(int* out) {
    __shared__ int left[32];
    __shared__ int right[33];
    int t = threadIdx.x;
    right[t] = t;
    left[t{{ + 1|>}}] = t;  //!
    __syncthreads();
    out[t] = left[t] + right[t];
})"},
    {"local_array_overrun",
     "oob-write",
     "1,32",
     {"out=buf:i32[32]:zeros", "m=i32:4"},
     "writes first[4], but first has 4 elements (0 to 3); k is 4",
     "write k < m",
     R"(void local_array_overrun(int* out, int m) {
    int first[4];
    int second[4] = {};
    for (int k = 0; k {{<=|><}} m; ++k)
        first[k] = k;  //!
    for (int k = 0; k < 4; ++k)
        second[k] += first[k];
    out[threadIdx.x] = second[threadIdx.x & 3];
})"},
    {"struct_member_overrun",
     "oob-read",
     "1,32",
     {"out=buf:f32[32]:zeros", "p=struct:0000803f"},
     "reads p.w[4], but p.w has 4 elements (0 to 3); k is 4",
     "write k < 4",
     R"(void struct_member_overrun(float* out, Weights p) {
    float sum = 0;
    for (int k = 0; k {{<=|><}} 4; ++k)
        sum += p.w[k];  //!
    out[threadIdx.x] = sum;
})"},
    // Pointers.
    {"null_is_not_tested",
     "null-pointer",
     "1,32",
     {"out=buf:f32[32]:zeros", "w=null"},
     "w was given as null",
     "",
     R"(void null_is_not_tested(float* out, const float* w) {
    int i = threadIdx.x;
    float scale = 1;
    {{|>if (w) }}scale = w[i];  //!
    out[i] = scale;
})"},
    {"vector_from_an_odd_place",
     "misaligned-read",
     "1,8",
     {"out=buf:f32[32]:zeros", "a=buf:f32[40]:iota"},
     "whose address is no multiple of 16",
     "",
     R"(void vector_from_an_odd_place(float* out, const float* a) {
    int i = threadIdx.x;
    float4 v = *reinterpret_cast<const float4*>(a + 4 * i{{ + 1|>}});  //!
    out[i] = v.x + v.w;
})"},
};

}  // namespace warpbook::explained
