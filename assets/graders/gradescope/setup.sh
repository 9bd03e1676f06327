#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image: builds Warpbook from the source in the zip and installs it.
# No GPU is needed: answers run on the emulator.
set -euo pipefail
place=${AUTOGRADER:-/autograder}/source
prefix=${WARPBOOK_PREFIX:-/opt/warpbook}
cd "$place/warpbook"
WARPBOOK_DEPS="$prefix/nvrtc" app/start --setup-only
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release
cmake --build build --target warpbook
cmake --install build --prefix "$prefix"
