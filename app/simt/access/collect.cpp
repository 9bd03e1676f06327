// Merging what the workers gathered, in a way that does not depend on how blocks were shared out among them.
#include <algorithm>
#include <tuple>

#include "simt/access/race.h"
#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

void collect_faults(MemoryLaunch& launch, const std::vector<MemoryWorkerPtr>& workers, RunReport& report) {
  std::map<std::tuple<uint32_t, FaultKind, std::string>, Fault> all;
  for (const auto& worker : workers) {
    for (const auto& [key, fault] : worker->faults) {
      auto [entry, fresh] = all.try_emplace(key, fault);
      if (fresh) continue;
      const uint64_t count = entry->second.count + fault.count;
      if (std::tie(fault.block, fault.thread) < std::tie(entry->second.block, entry->second.thread))
        entry->second = fault;
      entry->second.count = count;
    }
  }
  for (const auto& [key, fault] : all) {
    Diagnosis d = describe(fault, launch);
    // place() may fill in block and thread of its own; ours are those of the lowest thread at fault.
    const auto block = d.block, thread = d.thread;
    place(d, *launch.code, fault.site);
    d.block = block;
    d.thread = thread;
    report.diagnostics.push_back(std::move(d));
  }
  if (!all.empty() && report.status == RunStatus::ok) report.status = RunStatus::fault;
}

/// Races, once nothing more can order them. Whatever one of the two threads saw of a racing element is the
/// race's consequence: that it had not been written yet is no second error.
void collect_races(MemoryLaunch& launch, RunReport& report) {
  if (!launch.race) return;
  RaceState& state = *launch.race;
  for (auto* open : {&state.waiting, &state.unconfirmed}) {
    for (auto& [thread, races] : *open) {
      for (Race& race : races) note_race(state, std::move(race));
    }
    open->clear();
  }
  std::vector<Diagnosis> races;
  for (const auto& [key, race] : state.found) races.push_back(describe(race, launch));
  const auto error_at = [&](int line, const std::string& buffer) {
    return std::any_of(races.begin(), races.end(), [&](const Diagnosis& d) {
      return d.severity == Severity::error && d.buffer == buffer && (d.line == line || d.other->line == line);
    });
  };
  std::erase_if(report.diagnostics,
                [&](const Diagnosis& d) { return d.kind == "uninit-read" && error_at(d.line, d.buffer); });
  for (const Diagnosis& d : races) {
    if (d.severity == Severity::error || !error_at(d.line, d.buffer)) report.diagnostics.push_back(d);
  }
  if (has_errors(races) && report.status == RunStatus::ok) report.status = RunStatus::fault;
}

void collect_maps(MemoryLaunch& launch, const std::vector<MemoryWorkerPtr>& workers, RunReport& report) {
  launch.memory->each_live([&](const Allocation& a) {
    if (!a.map_times) return;
    const uint64_t elements = a.info.bytes / a.info.element_bytes;
    WriteMap map;
    map.buffer = a.info.name;
    const auto* times = reinterpret_cast<const uint8_t*>(a.map_times.data());
    const auto* writers = reinterpret_cast<const int64_t*>(a.map_writers.data());
    map.times.assign(times, times + elements);
    map.writer.resize(elements);
    for (uint64_t i = 0; i < elements; ++i) map.writer[i] = writers[i] - 1;
    for (const auto& worker : workers) {
      const auto found = worker->misses.find(a.info.name);
      if (found == worker->misses.end()) continue;
      map.out_of_range.insert(map.out_of_range.end(), found->second.begin(), found->second.end());
    }
    keep_lowest(map.out_of_range);
    report.write_maps.push_back(std::move(map));
  });
}

void collect_recording(MemoryLaunch& launch, const std::vector<MemoryWorkerPtr>& workers, RunReport& report) {
  if (!launch.record) return;
  Recording recording;
  recording.block = launch.record->first;
  recording.warp = launch.record->second;
  // One worker ran the block.
  for (const auto& worker : workers) {
    if (!worker->recording_complete) recording.complete = false;
    for (const auto& r : worker->recorded) {
      recording.accesses.push_back(r.access);
      Diagnosis d;
      place(d, *launch.code, r.site);
      recording.accesses.back().line = d.line;
    }
  }
  report.recording = std::move(recording);
}

/// What handlers counted themselves.
void add_quick(SiteTraffic& t, const SiteRecord& record) {
  const auto counted = [&](const QuickTraffic& quick, bool shared) {
    AccessCounters c;
    c.requests = quick.requests;
    c.lanes = quick.lanes;
    c.bytes = quick.lanes * record.bytes;
    c.lines = quick.lines;
    c.l1_thousandths = quick.l1_thousandths;
    (shared ? c.bank_passes : c.sectors) = quick.cost;
    (shared ? c.ideal_passes : c.ideal_sectors) = quick.ideal;
    return c;
  };
  const AccessCounters global = counted(record.global, false), shared = counted(record.shared, true);
  t.global.add(global);
  t.shared.add(shared);
  t.access.add(global);
  t.access.add(shared);
}

}  // namespace

void collect(MemoryLaunch& launch, std::vector<MemoryWorkerPtr>& workers, std::vector<SiteTraffic>& by_site,
             RunReport& report) {
  by_site.resize(launch.code->sites.size());
  for (const auto& worker : workers) {
    for (size_t i = 0; i < worker->records.size() && i < by_site.size(); ++i) {
      if (!worker->records[i]) continue;
      SiteTraffic& t = worker->records[i]->traffic;
      add_quick(t, *worker->records[i]);
      if (t.kind != SiteTraffic::Kind::none) by_site[i].kind = t.kind;
      by_site[i].access.add(t.access);
      by_site[i].global.add(t.global);
      by_site[i].shared.add(t.shared);
      by_site[i].local.add(t.local);
      by_site[i].copied_to_shared.add(t.copied_to_shared);
    }
  }
  collect_faults(launch, workers, report);
  collect_races(launch, report);
  collect_maps(launch, workers, report);
  collect_recording(launch, workers, report);
  if (launch.level != Level::check) {
    // Nobody kept track of the bytes that were written: count the whole buffer as written, never the reverse.
    launch.memory->each_live([](Allocation& a) {
      if (a.stored_untracked.exchange(false)) Memory::State::mark_written(a, 0, a.info.bytes);
    });
  }
}

}  // namespace warpbook::simt
