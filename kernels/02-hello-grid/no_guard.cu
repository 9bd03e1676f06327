// The same without the comparison: spare threads write past the end.
extern "C" __global__ void write_index(int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
}
