// Field after field: the x of all particles, then the speeds of all particles, and so on.
extern "C" __global__ void move(float* p, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[0 * n + i] += dt * p[1 * n + i];
    }
}
