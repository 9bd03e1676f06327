// See liveness.h. Most registers live inside one block; only the others take part in the iteration over
// blocks.
#include "simt/decode/liveness.h"

#include <algorithm>
#include <bit>

#include "simt/decode/register_use.h"

namespace warpbook::simt {
namespace {

/// Beyond this many words for the sets, registers that cross blocks simply live everywhere: memory stays
/// bounded for text that no compiler writes.
constexpr size_t most_words = size_t(1) << 24;

class Analysis {
 public:
  Analysis(const ptx::Function& function, const ControlFlow& flow, std::span<const Family* const> families)
      : function_(function), flow_(flow), families_(families) {}

  Liveness run() {
    const size_t registers = function_.registers.size();
    result_.ranges.resize(registers);
    result_.read.resize(registers, 0);
    find_crossing();
    if (flow_.blocks.size() * words_ > most_words) {
      everywhere();
    } else {
      gather_sets();
      iterate();
      extend_ranges();
    }
    return std::move(result_);
  }

 private:
  template <class Visit>
  void each_register(uint32_t instruction, Visit&& visit) const {
    visit_registers(function_.body[instruction], families_[instruction], visit);
  }

  /// Numbers the registers that some block reads before it writes them, and sets the ranges inside blocks.
  void find_crossing() {
    crossing_.assign(function_.registers.size(), -1);
    std::vector<uint32_t> killed_in(function_.registers.size(), no_block);
    for (uint32_t b = 0; b < flow_.blocks.size(); ++b) {
      const FlowBlock& block = flow_.blocks[b];
      first_place_.push_back(places_);
      for (uint32_t i = block.first; i < block.last; ++i, ++places_) {
        const bool guarded = function_.body[i].guard >= 0;
        each_register(i, [&](uint32_t r, bool written) {
          result_.ranges[r].extend(places_);
          if (written) {
            if (!guarded) killed_in[r] = b;
            return;
          }
          result_.read[r] = 1;
          if (killed_in[r] != b && crossing_[r] < 0) crossing_[r] = int32_t(count_++);
        });
      }
      ++places_;
    }
    first_place_.push_back(places_);
    words_ = (count_ + 63) / 64;
  }

  void everywhere() {
    for (size_t r = 0; r < crossing_.size(); ++r) {
      if (crossing_[r] < 0) continue;
      result_.ranges[r].extend(0);
      result_.ranges[r].extend(places_ - 1);
      result_.at_entry.push_back(uint32_t(r));
      result_.live_across_calls_bytes += bytes_of(uint32_t(r));
    }
  }

  void gather_sets() {
    const size_t size = flow_.blocks.size() * words_;
    needed_.assign(size, 0);
    killed_.assign(size, 0);
    in_.assign(size, 0);
    out_.assign(size, 0);
    for (uint32_t b = 0; b < flow_.blocks.size(); ++b) {
      const FlowBlock& block = flow_.blocks[b];
      for (uint32_t i = block.first; i < block.last; ++i) {
        const bool guarded = function_.body[i].guard >= 0;
        each_register(i, [&](uint32_t r, bool written) {
          const int32_t c = crossing_[r];
          if (c < 0) return;
          const size_t word = b * words_ + size_t(c) / 64;
          const uint64_t bit = uint64_t(1) << (c % 64);
          if (!written) {
            if (!(killed_[word] & bit)) needed_[word] |= bit;
          } else if (!guarded) {
            killed_[word] |= bit;
          }
        });
      }
    }
  }

  void iterate() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = flow_.blocks.size(); b-- > 0;) {
        for (size_t w = 0; w < words_; ++w) {
          uint64_t out = 0;
          for (const uint32_t s : flow_.blocks[b].successors) out |= in_[s * words_ + w];
          const size_t at = b * words_ + w;
          const uint64_t in = needed_[at] | (out & ~killed_[at]);
          out_[at] = out;
          if (in != in_[at]) in_[at] = in, changed = true;
        }
      }
    }
  }

  void extend_ranges() {
    std::vector<uint32_t> register_of(count_);
    for (uint32_t r = 0; r < crossing_.size(); ++r) {
      if (crossing_[r] >= 0) register_of[size_t(crossing_[r])] = r;
    }
    auto each_bit = [&](const std::vector<uint64_t>& set, uint32_t block, auto&& what) {
      for (size_t w = 0; w < words_; ++w) {
        for (uint64_t rest = set[block * words_ + w]; rest; rest &= rest - 1) {
          what(register_of[w * 64 + size_t(std::countr_zero(rest))]);
        }
      }
    };
    if (!flow_.blocks.empty()) each_bit(in_, 0, [&](uint32_t r) { result_.at_entry.push_back(r); });
    for (uint32_t b = 0; b < flow_.blocks.size(); ++b) {
      each_bit(in_, b, [&](uint32_t r) { result_.ranges[r].extend(first_place_[b]); });
      each_bit(out_, b, [&](uint32_t r) { result_.ranges[r].extend(first_place_[b + 1] - 1); });
      const FlowBlock& block = flow_.blocks[b];
      if (block.first == block.last || function_.body[block.last - 1].opcode != "call") continue;
      uint32_t bytes = 0;
      each_bit(out_, b, [&](uint32_t r) { bytes += bytes_of(r); });
      // A call's own result is not kept over it.
      each_register(block.last - 1, [&](uint32_t r, bool written) {
        const int32_t c = crossing_[r];
        if (written && c >= 0 && out_[b * words_ + size_t(c) / 64] >> (c % 64) & 1) bytes -= bytes_of(r);
      });
      result_.live_across_calls_bytes = std::max(result_.live_across_calls_bytes, bytes);
    }
  }

  uint32_t bytes_of(uint32_t r) const { return bits_of(function_.registers[r].type) > 32 ? 8 : 4; }

  const ptx::Function& function_;
  const ControlFlow& flow_;
  std::span<const Family* const> families_;
  Liveness result_;
  std::vector<int32_t> crossing_;  ///< by register: number in the sets, or -1
  size_t count_ = 0, words_ = 0;
  uint32_t places_ = 0;
  std::vector<uint32_t> first_place_;  ///< by block, and one past the end
  std::vector<uint64_t> needed_, killed_, in_, out_;
};

}  // namespace

Liveness liveness(const ptx::Function& function, const ControlFlow& flow,
                  std::span<const Family* const> families) {
  return Analysis(function, flow, families).run();
}

}  // namespace warpbook::simt
