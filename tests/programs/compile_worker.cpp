// The compiler's worker by itself, for tests of the compiler that do not need the whole program.
#include "device/compiler.h"

int main() { return warpbook::compile_worker_main(); }
