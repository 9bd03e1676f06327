// Particle after particle: the FIELDS numbers of one particle lie together. Field 0 is x, field 1 its speed.
extern "C" __global__ void move(float* p, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i * FIELDS + 0] += dt * p[i * FIELDS + 1];
    }
}
