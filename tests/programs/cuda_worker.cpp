// The child on the GPU by itself, for tests that do not need the whole program.
#include "device/cuda_child.h"

int main() { return warpbook::cuda_worker_main(); }
