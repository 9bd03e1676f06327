// Matrices between memory and registers: wmma.load and wmma.store (PTX ISA 9.7.14.4.3, 9.7.14.4.4), ldmatrix,
// stmatrix and movmatrix (9.7.14.5.15 to 17). wmma moves one run of neighbouring elements a lane at a time,
// as the hardware's own loads and stores do; so that is what counts as a request.
#include <algorithm>

#include "simt/ops/all_families.h"
#include "simt/ops/matrix_layout.h"
#include "simt/ops/memory_access.h"
#include "simt/ops/together.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

/// Elements of a lane that lie side by side in memory. The place of a lane's first element is (outer, inner):
/// one of the two counts from the lane's group, the other from its number in the group.
struct Run {
  bool outer_is_group = true;
  uint32_t outer = 0, inner = 0;
  uint32_t first = 0;  ///< register
  uint32_t shift = 0;  ///< bits, for runs that are shorter than a register
};

constexpr uint32_t most_runs = 32;

struct Tile : Shape {
  Run runs[most_runs];
  uint32_t run_count = 0;
  uint32_t step = 1;  ///< elements from one lane of a group to the next
  uint32_t element_bits = 16;
  uint32_t leading = 0;  ///< elements from one row (or column) to the next, when leading_slot is 0
  uint32_t leading_slot = 0;
  uint32_t repeats_from = 0;  ///< registers that repeat the first ones (loads)
  uint32_t registers = 0;
  bool wide_registers = false;
  uint32_t register_slot[most_matrix_registers] = {};
};

/// The bytes of the lanes in `access.mask` on the host; true when they are good.
bool find_places(Warp& warp, const Access& access, Places& places) {
  const SiteCache& cache = warp.worker->memory->caches[access.site];
  if (cache.bytes >= access.bytes && (!cache.read_only || access.kind == AccessKind::read)) {
    const uint64_t limit = cache.bytes - access.bytes;
    std::byte* host = host_of(warp, cache);
    bool inside_all = true;
    for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      const uint64_t off = access.address[lane] - cache.base;
      inside_all = inside_all && off <= limit && (access.address[lane] & (access.bytes - 1)) == 0;
      places.host[size_t(lane)] = host + off;
    }
    places.local_lanes = 0;
    if (inside_all) return true;
  }
  return locate(warp, access, places);
}

/// The buffer that holds all lanes, for account(): only when find_places() took it from the cache or filled
/// the cache, and all lanes lie in it.
const SiteCache* cache_of(Warp& warp, const Access& access) {
  const SiteCache& cache = warp.worker->memory->caches[access.site];
  if (cache.bytes < access.bytes) return nullptr;
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    if (access.address[__builtin_ctz(rest)] - cache.base > cache.bytes - access.bytes) return nullptr;
  }
  return &cache;
}

/// Copies a run; words of local memory lie apart.
void copy_from(std::byte* to, std::byte* host, bool local, uint32_t bytes) {
  if (!local) {
    std::memcpy(to, host, bytes);
    return;
  }
  for (uint32_t i = 0; i < bytes; ++i) to[i] = *local_at(host, i);
}
bool copy_to(std::byte* host, bool local, const std::byte* from, uint32_t bytes) {
  bool changed = false;
  for (uint32_t i = 0; i < bytes; ++i) {
    std::byte* at = local ? local_at(host, i) : host + i;
    changed |= *at != from[i];
    *at = from[i];
  }
  return changed;
}

void put_in_registers(Warp& warp, const Tile& tile, const Run& run, int lane, const std::byte* value) {
  const uint32_t width = tile.wide_registers ? 8 : 4;
  if (tile.bytes < width) {
    uint32_t bits = 0;
    std::memcpy(&bits, value, tile.bytes);
    uint32_t& word = slot<uint32_t>(warp, tile.register_slot[run.first])[lane];
    const uint32_t mask = ((1u << tile.bytes * 8) - 1) << run.shift;
    word = (word & ~mask) | bits << run.shift;
    return;
  }
  for (uint32_t k = 0; k < tile.bytes / width; ++k) {
    std::memcpy(warp.frame + tile.register_slot[run.first + k] + size_t(lane) * width, value + k * width,
                width);
  }
}
void take_from_registers(Warp& warp, const Tile& tile, const Run& run, int lane, std::byte* value) {
  const uint32_t width = tile.wide_registers ? 8 : 4;
  if (tile.bytes < width) {
    const uint32_t bits = slot<uint32_t>(warp, tile.register_slot[run.first])[lane] >> run.shift;
    std::memcpy(value, &bits, tile.bytes);
    return;
  }
  for (uint32_t k = 0; k < tile.bytes / width; ++k) {
    std::memcpy(value + k * width, warp.frame + tile.register_slot[run.first + k] + size_t(lane) * width,
                width);
  }
}

template <bool Counted, bool Load>
Step move_tile(Warp& warp, const Inst& inst) {
  return whole_warp_together(warp, inst, [&] {
    const Tile& tile = static_cast<const Tile&>(shape_of(inst));
    Lanes base, at;
    gather_addresses(warp, inst, tile, base);
    Access access = access_of(warp, inst, tile, at);
    Places places;
    bool changed = false;
    // A register may be an address as well as a result: all is read before anything is written.
    alignas(32) std::byte values[most_runs][lanes][16];
    for (uint32_t r = 0; r < tile.run_count; ++r) {
      const Run& run = tile.runs[r];
      for (int lane = 0; lane < lanes; ++lane) {
        const uint64_t leading =
            tile.leading_slot ? slot<uint32_t>(warp, tile.leading_slot)[lane] : tile.leading;
        const uint64_t group = uint64_t(lane / 4), member = uint64_t(lane % 4) * tile.step;
        const uint64_t outer = run.outer + (run.outer_is_group ? group : member);
        const uint64_t inner = run.inner + (run.outer_is_group ? member : group);
        at.address[lane] = base.address[lane] + (outer * leading + inner) * tile.element_bits / 8;
      }
      if (!find_places(warp, access, places)) return Step::fault;
      if constexpr (Counted) account(warp, access, cache_of(warp, access), Pattern::scattered, tile.level);
      for (int lane = 0; lane < lanes; ++lane) {
        std::byte* host = places.host[size_t(lane)];
        const bool local = places.local_lanes >> lane & 1;
        if constexpr (Load) {
          copy_from(values[r][lane], host, local, tile.bytes);
        } else {
          std::byte value[16];
          take_from_registers(warp, tile, run, lane, value);
          changed |= copy_to(host, local, value, tile.bytes);
        }
      }
    }
    if constexpr (Load) {
      for (uint32_t i = 0; i < tile.run_count; ++i) {
        for (int lane = 0; lane < lanes; ++lane)
          put_in_registers(warp, tile, tile.runs[i], lane, values[i][lane]);
      }
      for (uint32_t k = tile.repeats_from; k < tile.registers; ++k) {
        std::memcpy(slot<uint32_t>(warp, tile.register_slot[k]),
                    slot<uint32_t>(warp, tile.register_slot[k % tile.repeats_from]), 128);
      }
    }
    if (changed) ++warp.block->touched;
    return Step::next;
  });
}

void add_run(Tile& tile, const Run& run) { tile.runs[tile.run_count++] = run; }

/// Runs of A or B. `along_k`: neighbours in memory are neighbours along k.
void plan_factor(Tile& tile, const FactorLayout& layout, Element element, bool along_k) {
  const int bits = bits_of_element(element);
  tile.step = uint32_t(layout.run);
  for (int reg = 0; reg < layout.registers(); ++reg) {
    // Lane 0 is the first of group 0: its place is the register's own.
    const uint32_t outer = uint32_t(layout.outer_of(reg, 0)), k = uint32_t(layout.k_of(reg, 0));
    if (along_k) {
      add_run(tile, {true, outer, k, uint32_t(reg), 0});
      continue;
    }
    for (int i = 0; i < layout.run; ++i) {
      add_run(tile, {false, k + uint32_t(i), outer, uint32_t(reg), uint32_t(i * bits)});
    }
  }
}

/// Runs of C or D: pairs of a row, or single elements when columns are contiguous.
void plan_sum(Tile& tile, const SumLayout& layout, Element element, bool by_rows) {
  const bool packed = element == Element::f16;
  tile.step = 2;
  for (int e = 0; e < layout.elements(); e += by_rows ? 2 : 1) {
    const uint32_t row = uint32_t(layout.row_of(e, 0)), column = uint32_t(layout.column_of(e, 0));
    const uint32_t reg = uint32_t(packed ? e / 2 : e), shift = packed ? uint32_t(e % 2 * 16) : 0;
    if (by_rows) {
      add_run(tile, {true, row, column, reg, shift});
    } else {
      add_run(tile, {false, column, row, reg, shift});
    }
  }
}

bool decode_tile(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool load) {
  const auto names = matrix_names(source);
  const bool by_rows = source.has("row");
  if (!names || names->count != 1 || by_rows == source.has("col")) return false;
  const Element element = names->elements[0];
  const MatrixShape& shape = names->shape;
  const bool is_a = load && source.has("a"), is_b = load && source.has("b");
  const bool is_sum = load ? source.has("c") : source.has("d");
  const size_t values = load ? 0 : 1, address = load ? 1 : 0;
  if (source.operands.size() < 2 || source.operands.size() > 3) return false;

  auto* tile = make_kept<Tile>(encoder);
  tile->level = encoder.level();
  tile->kind = load ? AccessKind::read : AccessKind::write;
  tile->space = space_of(source);
  tile->element_bits = uint32_t(bits_of_element(element));
  tile->wide_registers = element == Element::f64;
  uint32_t run_bytes = 0;
  if (is_a || is_b) {
    if (!shape_is_known(shape, element, true)) return false;
    const FactorLayout layout = factor_layout(is_a ? shape.m : shape.n, shape.k, element);
    const bool along_k = is_a == by_rows;
    if (tile->element_bits < 8 && !along_k) return false;  // those lie along k only
    plan_factor(*tile, layout, element, along_k);
    run_bytes = along_k ? (tile->wide_registers ? 8 : 4) : tile->element_bits / 8;
    tile->registers = uint32_t(factor_registers(layout, element, true));
    tile->repeats_from = uint32_t(layout.registers());
    tile->leading = uint32_t(along_k ? shape.k : is_a ? shape.m : shape.n);
  } else if (is_sum) {
    if (element != Element::f16 && element != Element::f32 && element != Element::s32 &&
        element != Element::f64)
      return false;
    if (shape.m % 8 || shape.n % 8 || shape.m * shape.n > 256) return false;
    const SumLayout layout{shape.m, shape.n};
    plan_sum(*tile, layout, element, by_rows);
    run_bytes = tile->element_bits / 8 * (by_rows ? 2 : 1);
    tile->registers = tile->repeats_from = uint32_t(sum_registers(layout, element));
    tile->leading = uint32_t(by_rows ? shape.n : shape.m);
  } else {
    return false;
  }
  if (!fill_registers(source.operands[values], int(tile->registers), tile->wide_registers, load, encoder,
                      tile->register_slot)) {
    return false;
  }
  if (!fill_address(source.operands[address], encoder, *tile, inst.a)) return false;
  if (source.operands.size() == 3) {
    tile->leading_slot = encoder.source(source.operands[2], ptx::Type::u32);
    if (tile->leading_slot == 0) tile->leading = 0;
  }
  finish_shape(*tile, ptx::Type::b8, run_bytes);
  tile->component_bytes = std::max(1u, tile->element_bits / 8);
  fill_whole_warp(encoder, inst);
  const bool counted = tile->level != Level::run;
  use_both(inst, load ? (counted ? &move_tile<true, true> : &move_tile<false, true>)
                      : (counted ? &move_tile<true, false> : &move_tile<false, false>));
  inst.imm = reinterpret_cast<uint64_t>(static_cast<Shape*>(tile));
  return true;
}

// ldmatrix and stmatrix: matrices of 8 rows of 16 bytes; lane 8 i + r gives the address of row r of matrix i.
// Lane l holds elements 2 (l % 4) and the next of row l / 4, or of column l / 4 with .trans.

struct Rows : Shape {
  uint32_t matrices = 1;
  bool transposed = false;
  uint32_t register_slot[4] = {};
};

uint16_t& element_of(std::byte (&rows)[lanes][16], uint32_t matrix, int row, int column) {
  return reinterpret_cast<uint16_t*>(rows[matrix * 8 + uint32_t(row)])[column];
}

template <bool Counted, bool Load>
Step move_rows(Warp& warp, const Inst& inst) {
  return whole_warp_together(warp, inst, [&] {
    const Rows& what = static_cast<const Rows&>(shape_of(inst));
    Lanes at;
    gather_addresses(warp, inst, what, at);
    Access access = access_of(warp, inst, what, at);
    access.mask = what.matrices == 4 ? ~0u : (1u << 8 * what.matrices) - 1;
    Places places;
    if (!find_places(warp, access, places)) return Step::fault;
    if constexpr (Counted) account(warp, access, cache_of(warp, access), Pattern::scattered, what.level);
    alignas(16) std::byte rows[lanes][16];
    const auto each_element = [&](auto visit) {
      for (uint32_t m = 0; m < what.matrices; ++m) {
        for (int lane = 0; lane < lanes; ++lane) {
          uint32_t& word = slot<uint32_t>(warp, what.register_slot[m])[lane];
          const int group = lane / 4, pair = lane % 4 * 2;
          if (what.transposed) {
            visit(word, element_of(rows, m, pair, group), element_of(rows, m, pair + 1, group));
          } else {
            visit(word, element_of(rows, m, group, pair), element_of(rows, m, group, pair + 1));
          }
        }
      }
    };
    if constexpr (Load) {
      for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        copy_from(rows[lane], places.host[size_t(lane)], places.local_lanes >> lane & 1, 16);
      }
      each_element([](uint32_t& word, uint16_t low, uint16_t high) { word = low | uint32_t(high) << 16; });
    } else {
      each_element([](uint32_t word, uint16_t& low, uint16_t& high) {
        low = uint16_t(word);
        high = uint16_t(word >> 16);
      });
      bool changed = false;
      for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        changed |= copy_to(places.host[size_t(lane)], places.local_lanes >> lane & 1, rows[lane], 16);
      }
      if (changed) ++warp.block->touched;
    }
    return Step::next;
  });
}

bool decode_rows(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool load) {
  if (!source.has("sync") || !source.has("m8n8") || !source.has("b16") || source.operands.size() != 2)
    return false;
  auto* what = make_kept<Rows>(encoder);
  what->matrices = source.has("x4") ? 4 : source.has("x2") ? 2 : source.has("x1") ? 1 : 0;
  if (what->matrices == 0) return false;
  what->transposed = source.has("trans");
  what->level = encoder.level();
  what->kind = load ? AccessKind::read : AccessKind::write;
  what->space = ptx::Space::shared;
  // Without .shared the address is a generic one that leads to shared memory.
  if (!is_shared(source)) what->space = ptx::Space::generic;
  const ptx::Operand& values = source.operands[load ? 0 : 1];
  if (!fill_registers(values, int(what->matrices), false, load, encoder, what->register_slot)) return false;
  if (!fill_address(source.operands[load ? 1 : 0], encoder, *what, inst.a)) return false;
  finish_shape(*what, ptx::Type::b8, 16);
  what->component_bytes = 2;
  fill_whole_warp(encoder, inst);
  const bool counted = what->level != Level::run;
  use_both(inst, load ? (counted ? &move_rows<true, true> : &move_rows<false, true>)
                      : (counted ? &move_rows<true, false> : &move_rows<false, false>));
  inst.imm = reinterpret_cast<uint64_t>(static_cast<Shape*>(what));
  return true;
}

/// movmatrix.trans: an 8 x 8 matrix of 16-bit elements, one register a lane, to its transpose.
Step transpose(Warp& warp, const Inst& inst) {
  return whole_warp_together(warp, inst, [&] {
    uint16_t from[8][8];
    const uint32_t* a = slot<uint32_t>(warp, inst.a);
    for (int lane = 0; lane < lanes; ++lane) {
      from[lane / 4][lane % 4 * 2] = uint16_t(a[lane]);
      from[lane / 4][lane % 4 * 2 + 1] = uint16_t(a[lane] >> 16);
    }
    uint32_t* d = slot<uint32_t>(warp, inst.dst);
    for (int lane = 0; lane < lanes; ++lane) {
      d[lane] = from[lane % 4 * 2][lane / 4] | uint32_t(from[lane % 4 * 2 + 1][lane / 4]) << 16;
    }
    return Step::next;
  });
}

}  // namespace

bool decode_wmma(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (!source.has("sync")) return false;
  if (source.has("mma")) return decode_matrix_multiply(source, encoder, inst);
  if (source.has("load")) return decode_tile(source, encoder, inst, true);
  return source.has("store") && decode_tile(source, encoder, inst, false);
}

bool decode_ldmatrix(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_rows(source, encoder, inst, true);
}
bool decode_stmatrix(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_rows(source, encoder, inst, false);
}
bool decode_movmatrix(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (!source.has("sync") || !source.has("trans") || !source.has("m8n8") || !source.has("b16")) return false;
  fill_whole_warp(encoder, inst);
  use_both(inst, &transpose);
  return fill_unary(source, encoder, inst, ptx::Type::b32);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
