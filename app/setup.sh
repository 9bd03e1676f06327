# Sourced by app/start and tests/run: installs what is missing and finds or fetches NVRTC.
# Tried on Debian 12. Ubuntu 24.04 has the same package names.

say() { printf '%s\n' "$*"; }
die() { printf 'warpbook: %s\n' "$*" >&2; exit 4; }

build_packages="g++ cmake ninja-build pkg-config libimgui-dev libglfw3-dev python3-glad libgl-dev libopengl-dev libegl-dev
  nlohmann-json3-dev catch2 libmd4c-dev libfreetype-dev libstb-dev libcli11-dev libfmt-dev libtbb-dev"
run_packages="libgl1-mesa-dri libegl1 libegl-mesa0"
test_packages="git clang clang-format python3 python3-jsonschema xvfb xauth xdotool"
wheel_packages="python3-pip ca-certificates"
# The wheels of CUDA 13.0, pinned: the compiler, the runtime headers, and the C++ headers that kernels include.
wheel_names="nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85 nvidia-cuda-crt==13.0.88
  nvidia-curand==10.4.0.35"

# What building whole programs needs beside the host's compiler: nvcc in NVIDIA's wheels of CUDA 13.0 (some 270 MB).
program_wheel_names="nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85"
# The sandbox that they run in, and addr2line for the lines of their calls.
program_packages="g++ binutils bubblewrap"

# install_packages NAME...: installs those that dpkg does not know as installed; says which. Waits up to five minutes for
# another apt-get to end.
install_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || die "these packages are missing and there is no apt-get to install them: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "run this as root, or install by hand: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "Installing: ${missing[*]}"
  local log; log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -q &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -q -y --no-install-recommends "${missing[@]}"
       } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    die "apt-get could not install: ${missing[*]}"
  fi
  rm -f "$log"
}

# The folder that Warpbook owns for NVIDIA's wheels; the program looks there too.
wheel_folder() {
  if [ -n "${WARPBOOK_DEPS:-}" ]; then printf '%s' "$WARPBOOK_DEPS"
  elif [ -n "${WARPBOOK_HOME:-}" ]; then printf '%s' "$WARPBOOK_HOME/data/nvrtc"
  else printf '%s' "${XDG_DATA_HOME:-$HOME/.local/share}/warpbook/nvrtc"; fi
}

# A CUDA Toolkit with NVRTC, where the program itself looks for one.
toolkit_nvrtc() {
  local folder
  if [ -n "${WARPBOOK_NVRTC:-}" ]; then
    [ -e "$WARPBOOK_NVRTC" ] && printf '%s' "$WARPBOOK_NVRTC"
    return
  fi
  for folder in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /usr/local/cuda-* /opt/cuda; do
    [ -n "$folder" ] || continue
    ls "$folder"/libnvrtc.so* "$folder"/{lib64,lib,targets/*/lib,nvidia/cu13/lib,cu13/lib,nvidia/cuda_nvrtc/lib,cuda_nvrtc/lib}/libnvrtc.so* \
      2>/dev/null | head -n 1 | grep . && return
  done
  ldconfig -p 2>/dev/null | sed -n 's/.*libnvrtc\.so\.1[0-9] .*=> //p' | head -n 1
}

# fetch_wheels FOLDER NAME...: NVIDIA's wheels unpacked into a folder of their own; nothing where they are already.
fetch_wheels() {
  local folder=$1; shift
  [ "$(cat "$folder/complete" 2>/dev/null)" = "$*" ] && return 0
  # shellcheck disable=SC2086
  install_packages python3 $wheel_packages
  say "Fetching NVIDIA's wheels into $folder: $*"
  rm -rf "$folder.new"
  mkdir -p "$folder.new"
  if ! PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder.new" \
         "$@" </dev/null; then
    rm -rf "$folder.new"
    return 1
  fi
  printf '%s\n' "$*" >"$folder.new/complete"
  rm -rf "$folder"
  mv "$folder.new" "$folder"
}

# NVRTC from a toolkit, else from NVIDIA's wheels for CUDA 13.0 (the compiler and the headers that kernels include).
setup_nvrtc() {
  local found folder; found=$(toolkit_nvrtc)
  if [ -n "$found" ]; then
    say "NVRTC: $found"
    return 0
  fi
  folder=$(wheel_folder)
  # shellcheck disable=SC2086
  if ! fetch_wheels "$folder" $wheel_names; then
    say "The wheels could not be fetched. Warpbook opens, reads and quizzes without NVRTC; kernels need it." >&2
    say "Install a CUDA Toolkit, or run app/start again with a network." >&2
    return 0
  fi
  say "NVRTC: $folder"
}

# nvcc of a CUDA Toolkit 13, where the program itself looks for one.
toolkit_nvcc() {
  local folder header
  if [ -n "${NVCC:-}" ]; then command -v "$NVCC"; return; fi
  for folder in "${CUDA_HOME:-}" "${CUDA_PATH:-}" "$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")" \
                /usr/local/cuda /usr/local/cuda-* /opt/cuda; do
    [ -n "$folder" ] && [ -x "$folder/bin/nvcc" ] || continue
    for header in "$folder"/include/cuda_runtime_api.h "$folder"/targets/*/include/cuda_runtime_api.h; do
      grep -q '^#define CUDART_VERSION *13' "$header" 2>/dev/null && printf '%s' "$folder/bin/nvcc" && return
    done
  done
}

# The folder that Warpbook owns for the wheels of nvcc; the program looks there too.
program_wheel_folder() {
  if [ -n "${WARPBOOK_PROGRAM_DEPS:-}" ]; then printf '%s' "$WARPBOOK_PROGRAM_DEPS"
  elif [ -n "${WARPBOOK_HOME:-}" ]; then printf '%s' "$WARPBOOK_HOME/data/nvcc"
  else printf '%s' "${XDG_DATA_HOME:-$HOME/.local/share}/warpbook/nvcc"; fi
}

# Whole programs: nvcc from a toolkit, else from NVIDIA's wheels. Only when it is asked for.
setup_programs() {
  local found folder
  # shellcheck disable=SC2086
  install_packages $program_packages
  found=$(toolkit_nvcc)
  if [ -n "$found" ]; then
    say "nvcc: $found"
    return 0
  fi
  folder=$(program_wheel_folder)
  # shellcheck disable=SC2086
  fetch_wheels "$folder" $program_wheel_names || die "the wheels with nvcc could not be fetched; install a CUDA Toolkit 13, or try again with a network"
  say "nvcc: $folder/nvidia/cu13/bin/nvcc"
}

# configure_and_build PRESET [TARGET]: the whole build, or one target with what it needs.
configure_and_build() {
  cmake --preset "$1" >build-log.txt 2>&1 || { cat build-log.txt >&2; rm -f build-log.txt; die "cmake failed"; }
  rm -f build-log.txt
  cmake --build --preset "$1" ${2:+--target "$2"}
}
