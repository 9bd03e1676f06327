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
enum class Belongs { everywhere, cached, shared };
struct Quantity {
  std::string_view name, label, unit;
  Belongs belongs;
  double (*value)(const AccessCounters&);
};

constexpr std::array<Quantity, 11> quantities{{
    {"requests", "Requests", "", Belongs::everywhere,
     [](const AccessCounters& a) { return double(a.requests); }},
    {"lanes", "Lanes", "", Belongs::everywhere, [](const AccessCounters& a) { return double(a.lanes); }},
    {"bytes", "Bytes asked for", "bytes", Belongs::everywhere,
     [](const AccessCounters& a) { return double(a.bytes); }},
    {"sectors", "Sectors", "", Belongs::cached, [](const AccessCounters& a) { return double(a.sectors); }},
    {"ideal_sectors", "Fewest sectors possible", "", Belongs::cached,
     [](const AccessCounters& a) { return double(a.ideal_sectors); }},
    {"sectors_per_request", "Sectors a request", "", Belongs::cached,
     [](const AccessCounters& a) { return ratio(a.sectors, a.requests); }},
    {"sector_efficiency", "Useful share of the sectors", "%", Belongs::cached,
     [](const AccessCounters& a) { return 100 * ratio(a.ideal_sectors, a.sectors); }},
    {"bank_passes", "Bank passes", "", Belongs::shared,
     [](const AccessCounters& a) { return double(a.bank_passes); }},
    {"ideal_passes", "Fewest bank passes possible", "", Belongs::shared,
     [](const AccessCounters& a) { return double(a.ideal_passes); }},
    {"passes_per_request", "Bank passes a request", "", Belongs::shared,
     [](const AccessCounters& a) { return ratio(a.bank_passes, a.requests); }},
    {"bank_conflicts", "Bank conflicts", "", Belongs::shared,
     [](const AccessCounters& a) {
       return a.bank_passes > a.ideal_passes ? double(a.bank_passes - a.ideal_passes) : 0.0;
     }},
}};

struct Kind {
  std::string_view name, label;
  bool shared;
  AccessCounters Counters::*member;
};
constexpr std::array<Kind, 8> kinds{{
    {"global_load", "global loads", false, &Counters::global_load},
    {"global_store", "global stores", false, &Counters::global_store},
    {"global_atomic", "global atomics", false, &Counters::global_atomic},
    {"shared_load", "shared loads", true, &Counters::shared_load},
    {"shared_store", "shared stores", true, &Counters::shared_store},
    {"shared_atomic", "shared atomics", true, &Counters::shared_atomic},
    {"local_load", "local loads", false, &Counters::local_load},
    {"local_store", "local stores", false, &Counters::local_store},
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
  const std::string& name = table.texts.emplace_back(fmt::format("{}_{}", kind.name, quantity.name));
  const std::string& label = table.texts.emplace_back(fmt::format("{}, {}", quantity.label, kind.label));
  table.rows.push_back({name, label, quantity.unit, &value_of<K, Q>});
}

template <size_t K, size_t... Q>
void add_kind(Table& table, std::index_sequence<Q...>) {
  (add_row<K, Q>(table), ...);
}

template <size_t... K>
void add_kinds(Table& table, std::index_sequence<K...>) {
  (add_kind<K>(table, std::make_index_sequence<quantities.size()>()), ...);
}

Table make_table() {
  Table table;
  table.rows = {
      {"threads", "Threads", "", [](const Counters& c) { return double(c.threads); }},
      {"blocks", "Blocks", "", [](const Counters& c) { return double(c.blocks); }},
      {"warps", "Warps", "", [](const Counters& c) { return double(c.warps); }},
      {"warp_instructions", "Warp instructions", "",
       [](const Counters& c) { return double(c.warp_instructions); }},
      {"thread_instructions", "Thread instructions", "",
       [](const Counters& c) { return double(c.thread_instructions); }},
      {"active_lane_share", "Active lanes", "%",
       [](const Counters& c) { return 100 * c.active_lane_share(); }},
      {"branches", "Branches", "", [](const Counters& c) { return double(c.branches); }},
      {"divergent_branches", "Divergent branches", "",
       [](const Counters& c) { return double(c.divergent_branches); }},
      {"barriers", "Barrier arrivals of warps", "", [](const Counters& c) { return double(c.barriers); }},
  };
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
  bank_passes += other.bank_passes;
  ideal_passes += other.ideal_passes;
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
