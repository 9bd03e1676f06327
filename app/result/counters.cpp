// The table of named counters. A kind of access has the same rows as the next, so the table is put together
// from one row a kind and one row a quantity.
#include "result/counters.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <utility>

namespace warpbook {

namespace {

double ratio(uint64_t part, uint64_t whole) { return whole == 0 ? 0.0 : double(part) / double(whole); }

/// Quantities of one kind of access. Sectors belong to memory behind the caches, passes to the banks of
/// shared memory.
enum class Belongs { everywhere, cached, shared, atomics };
struct Quantity {
  std::string_view name, label, unit;
  /// Nsight Compute's metric, with {} for what it calls the kind; names as in its guide's comparison with
  /// nvprof ("Nsight Compute CLI", metric comparison).
  std::string_view nsight;
  Belongs belongs;
  double (*value)(const AccessCounters&);
};

constexpr std::array<Quantity, 16> quantities{{
    {"requests", "Requests", "", "l1tex__t_requests_pipe_lsu_mem_{}.sum", Belongs::everywhere,
     [](const AccessCounters& a) { return double(a.requests); }},
    {"lanes", "Lanes", "", "", Belongs::everywhere, [](const AccessCounters& a) { return double(a.lanes); }},
    {"bytes", "Bytes asked for", "bytes", "", Belongs::everywhere,
     [](const AccessCounters& a) { return double(a.bytes); }},
    {"sectors", "Sectors", "", "l1tex__t_sectors_pipe_lsu_mem_{}.sum", Belongs::cached,
     [](const AccessCounters& a) { return double(a.sectors); }},
    {"ideal_sectors", "Fewest sectors possible", "", "", Belongs::cached,
     [](const AccessCounters& a) { return double(a.ideal_sectors); }},
    {"sectors_per_request", "Sectors a request", "",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_{}.ratio", Belongs::cached,
     [](const AccessCounters& a) { return ratio(a.sectors, a.requests); }},
    {"sector_efficiency", "Useful share of the sectors", "%", "", Belongs::cached,
     [](const AccessCounters& a) { return 100 * ratio(a.ideal_sectors, a.sectors); }},
    {"bank_passes", "Bank passes", "", "l1tex__data_pipe_lsu_wavefronts_mem_{}.sum", Belongs::shared,
     [](const AccessCounters& a) { return double(a.bank_passes); }},
    {"ideal_passes", "Fewest bank passes possible", "", "", Belongs::shared,
     [](const AccessCounters& a) { return double(a.ideal_passes); }},
    {"passes_per_request", "Bank passes a request", "", "", Belongs::shared,
     [](const AccessCounters& a) { return ratio(a.bank_passes, a.requests); }},
    {"bank_conflicts", "Bank conflicts", "", "l1tex__data_bank_conflicts_pipe_lsu_mem_{}.sum",
     Belongs::shared,
     [](const AccessCounters& a) {
       return a.bank_passes > a.ideal_passes ? double(a.bank_passes - a.ideal_passes) : 0.0;
     }},
    {"lines", "Cache lines", "", "", Belongs::cached,
     [](const AccessCounters& a) { return double(a.lines); }},
    {"lines_per_request", "Cache lines a request", "", "", Belongs::cached,
     [](const AccessCounters& a) { return ratio(a.lines, a.requests); }},
    {"l1_cycles", "Cycles of L1's data path", "cycles", "", Belongs::cached,
     [](const AccessCounters& a) { return double(a.l1_thousandths) / 1000; }},
    {"same_address", "Turns of lanes at one address", "", "", Belongs::atomics,
     [](const AccessCounters& a) { return double(a.same_address); }},
    {"lanes_per_address", "Lanes a request at its busiest address", "", "", Belongs::atomics,
     [](const AccessCounters& a) { return ratio(a.same_address, a.requests); }},
}};

struct Kind {
  std::string_view name, label, nsight;
  bool shared, atomic;
  AccessCounters Counters::*member;
};
constexpr std::array<Kind, 8> kinds{{
    {"global_load", "global loads", "global_op_ld", false, false, &Counters::global_load},
    {"global_store", "global stores", "global_op_st", false, false, &Counters::global_store},
    {"global_atomic", "global atomics", "global_op_atom", false, true, &Counters::global_atomic},
    {"shared_load", "shared loads", "shared_op_ld", true, false, &Counters::shared_load},
    {"shared_store", "shared stores", "shared_op_st", true, false, &Counters::shared_store},
    {"shared_atomic", "shared atomics", "shared_op_atom", true, true, &Counters::shared_atomic},
    {"local_load", "local loads", "local_op_ld", false, false, &Counters::local_load},
    {"local_store", "local stores", "local_op_st", false, false, &Counters::local_store},
}};

/// The value of quantity Q of kind K as a plain function, since a row holds no captures.
template <size_t K, size_t Q>
double value_of(const Counters& counters) {
  return quantities[Q].value(counters.*kinds[K].member);
}

struct Table {
  std::deque<std::string> texts;  ///< what the rows' names and labels point to
  std::vector<NamedCounter> rows;
};

template <size_t K, size_t Q>
void add_row(Table& table) {
  const Quantity& quantity = quantities[Q];
  const Kind& kind = kinds[K];
  if (quantity.belongs == Belongs::shared && !kind.shared) return;
  if (quantity.belongs == Belongs::cached && kind.shared) return;
  if (quantity.belongs == Belongs::atomics && !kind.atomic) return;
  const std::string& name = table.texts.emplace_back(fmt::format("{}_{}", kind.name, quantity.name));
  const std::string& label = table.texts.emplace_back(fmt::format("{}, {}", quantity.label, kind.label));
  std::string& metric = table.texts.emplace_back(quantity.nsight);
  // L1 counts requests and sectors of shared memory nowhere by themselves.
  if (const size_t at = metric.find("{}"); at != std::string::npos) metric.replace(at, 2, kind.nsight);
  if (kind.shared && quantity.belongs == Belongs::everywhere) metric.clear();
  table.rows.push_back({name, label, quantity.unit, metric, &value_of<K, Q>});
}

template <size_t K, size_t... Q>
void add_kind(Table& table, std::index_sequence<Q...>) {
  (add_row<K, Q>(table), ...);
}

template <size_t... K>
void add_kinds(Table& table, std::index_sequence<K...>) {
  (add_kind<K>(table, std::make_index_sequence<quantities.size()>()), ...);
}

struct IssuedKind {
  std::string_view name, label;
};
/// In the order of InstructionKind.
constexpr std::array<IssuedKind, instruction_kinds> issued_kinds{{
    {"fp32", "single precision"},
    {"int32", "integer and logic"},
    {"imul", "integer products"},
    {"sfu", "special functions"},
    {"fp64", "double precision"},
    {"fp16", "half precision"},
    {"convert", "conversions"},
    {"tensor", "matrix products"},
    {"load", "loads"},
    {"store", "stores"},
    {"atomic", "atomics"},
    {"shuffle", "shuffles and votes"},
    {"branch", "branches"},
    {"barrier", "barriers"},
    {"free", "moves and parameters"},
    {"other", "others"},
}};

template <size_t... I>
void add_issued(Table& table, std::index_sequence<I...>) {
  const auto add = [&](const IssuedKind& kind, double (*value)(const Counters&)) {
    const std::string& name = table.texts.emplace_back(fmt::format("issued_{}", kind.name));
    const std::string& label = table.texts.emplace_back(fmt::format("Issued, {}", kind.label));
    table.rows.push_back({name, label, "", "", value});
  };
  (add(issued_kinds[I], [](const Counters& c) { return double(c.issued[I]); }), ...);
}

Table make_table() {
  Table table;
  table.rows = {
      {"threads", "Threads", "", "launch__thread_count", [](const Counters& c) { return double(c.threads); }},
      {"blocks", "Blocks", "", "launch__grid_size", [](const Counters& c) { return double(c.blocks); }},
      {"warps", "Warps", "", "smsp__warps_launched.sum", [](const Counters& c) { return double(c.warps); }},
      {"warp_instructions", "Warp instructions", "", "smsp__inst_executed.sum",
       [](const Counters& c) { return double(c.warp_instructions); }},
      {"thread_instructions", "Thread instructions", "", "smsp__thread_inst_executed_pred_on.sum",
       [](const Counters& c) { return double(c.thread_instructions); }},
      {"active_lane_share", "Active lanes", "%", "smsp__thread_inst_executed_per_inst_executed.pct",
       [](const Counters& c) { return 100 * c.active_lane_share(); }},
      {"branches", "Branches", "", "smsp__sass_branch_targets.sum",
       [](const Counters& c) { return double(c.branches); }},
      {"divergent_branches", "Divergent branches", "", "smsp__sass_branch_targets_threads_divergent.sum",
       [](const Counters& c) { return double(c.divergent_branches); }},
      {"barriers", "Barrier arrivals of warps", "", "", [](const Counters& c) { return double(c.barriers); }},
      {"least_in_block", "Warp instructions of the shortest block", "", "",
       [](const Counters& c) { return double(c.least_in_block); }},
      {"mean_in_block", "Warp instructions of a block, mean", "", "",
       [](const Counters& c) { return ratio(c.warp_instructions, c.blocks); }},
      {"most_in_block", "Warp instructions of the longest block", "", "",
       [](const Counters& c) { return double(c.most_in_block); }},
  };
  add_issued(table, std::make_index_sequence<instruction_kinds>());
  add_kinds(table, std::make_index_sequence<kinds.size()>());
  return table;
}

}  // namespace

void AccessCounters::add(const AccessCounters& other) {
  requests += other.requests;
  lanes += other.lanes;
  bytes += other.bytes;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  lines += other.lines;
  l1_thousandths += other.l1_thousandths;
  bank_passes += other.bank_passes;
  ideal_passes += other.ideal_passes;
  same_address += other.same_address;
}

double Counters::active_lane_share() const { return ratio(thread_instructions, 32 * warp_instructions); }

const std::vector<NamedCounter>& named_counters() {
  static const Table table = make_table();  // constant once made
  return table.rows;
}

std::optional<double> counter_value(const Counters& counters, std::string_view name) {
  for (const NamedCounter& row : named_counters()) {
    if (row.name == name) return row.value(counters);
  }
  return std::nullopt;
}

}  // namespace warpbook
