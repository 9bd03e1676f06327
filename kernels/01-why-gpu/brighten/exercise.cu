// Copies the picture. The first line says which pixel this thread works on; lesson 2 is about it.
extern "C" __global__ void brighten(const unsigned char* in, unsigned char* out, int n, int amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
    }
}
