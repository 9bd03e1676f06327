// What a launch takes when there is nothing to do.
extern "C" __global__ void empty() {}
