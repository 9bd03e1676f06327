// Addresses of an access: a header word, then 64 bits of the first active lane, then as little as the pattern
// needs. Most accesses of real kernels have one stride.
#include "result/kernel_trace.h"

#include <bit>

namespace warpbook {

namespace {

enum Form : uint32_t { one_stride, near, far };

void push(std::vector<uint32_t>& words, uint64_t value) {
  words.push_back(uint32_t(value));
  words.push_back(uint32_t(value >> 32));
}

}  // namespace

void write_block(std::vector<uint32_t>& words, uint32_t number, uint32_t lanes) {
  words.push_back(number << 1);
  words.push_back(lanes);
}

void write_access(std::vector<uint32_t>& words, uint32_t instruction, uint32_t lanes,
                  const uint64_t* addresses) {
  words.push_back(instruction << 1 | 1);
  words.push_back(lanes);
  const int first = std::countr_zero(lanes);
  const uint64_t base = addresses[first];
  const uint32_t others = lanes & (lanes - 1);
  const int second = others ? std::countr_zero(others) : first + 1;
  const int64_t span = others ? int64_t(addresses[second] - base) : 0;
  const int64_t stride = span / (second - first);
  bool regular = stride * (second - first) == span && stride == int32_t(stride);
  bool is_near = true;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto delta = int64_t(addresses[lane] - base);
    regular = regular && delta == stride * (lane - first);
    is_near = is_near && delta == int32_t(delta);
  }
  const Form form = regular ? one_stride : is_near ? near : far;
  words.push_back(form);
  push(words, base);
  if (form == one_stride) {
    words.push_back(uint32_t(int32_t(stride)));
    return;
  }
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t address = addresses[std::countr_zero(rest)];
    if (form == near) {
      words.push_back(uint32_t(address - base));
    } else {
      push(words, address);
    }
  }
}

void TraceReader::read_access(std::array<uint64_t, 32>& addresses) {
  const uint32_t lanes = words[at + 1];
  const uint32_t form = words[at + 2];
  const uint64_t base = words[at + 3] | uint64_t(words[at + 4]) << 32;
  at += 5;
  const int first = std::countr_zero(lanes);
  const int64_t stride = form == one_stride ? int64_t(int32_t(words[at++])) : 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (form == one_stride) {
      addresses[size_t(lane)] = base + uint64_t(stride * (lane - first));
    } else if (form == near) {
      addresses[size_t(lane)] = base + uint64_t(int64_t(int32_t(words[at++])));
    } else {
      addresses[size_t(lane)] = words[at] | uint64_t(words[at + 1]) << 32;
      at += 2;
    }
  }
}

}  // namespace warpbook
