// The tape as JSON: a row a call, facts only; what is wrong stands among the diagnostics.
#include <nlohmann/json.hpp>

#include "lab/json_parts.h"
#include "lab/tape_report.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const HostProgram& program, const TapePlace& place) {
  Json out;
  out["argument"] = place.argument;
  out["memory"] = std::string(name_of(place.kind));
  out["name"] = place.allocation != 0     ? Json(program.name_of(place.allocation))
                : !place.variable.empty() ? Json(place.variable)
                                          : Json(nullptr);
  out["offset"] = place.offset;
  out["size"] = place.size;
  return out;
}

Json json_of(const TapeLaunch& launch) {
  Json out;
  out["kernel"] = launch.kernel;
  out["grid"] = warpbook::json_of(launch.launch.grid);
  out["block"] = warpbook::json_of(launch.launch.block);
  out["shared"] = launch.launch.shared_bytes;
  out["cooperative"] = launch.cooperative;
  out["status"] = launch.status;
  out["warp_instructions"] = launch.warp_instructions;
  out["active_lane_share"] = launch.active_lane_share ? Json(*launch.active_lane_share) : Json(nullptr);
  out["global_load_sectors"] = launch.global_load_sectors;
  out["global_store_sectors"] = launch.global_store_sectors;
  out["divergent_branches"] = launch.divergent_branches;
  out["repetition"] = launch.repetition;
  out["executed"] = launch.repeats == 0;
  return out;
}

Json json_of(const HostProgram& program, const TapeRow& row, const RowPlace& place) {
  Json out;
  out["row"] = row.sequence;
  out["call"] = row.call;
  out["file"] = or_null(place.place.file);
  out["line"] = place.place.line > 0 ? Json(place.place.line) : Json(nullptr);
  out["function"] = or_null(place.function);
  out["folded"] = or_null(place.folded);
  out["arguments"] = Json::object();
  for (const TapeArgument& argument : row.arguments) out["arguments"][argument.name] = argument.value;
  out["words"] = words_of(program, row);
  out["bytes"] = row.bytes;
  out["direction"] = or_null(std::string(name_of(row.direction)));
  out["stream"] = row.stream >= 0 ? Json(row.stream) : Json(nullptr);
  out["thread"] = row.thread;
  out["result"] = row.in_progress ? Json(nullptr) : Json(row.code_name);
  out["code"] = row.in_progress ? Json(nullptr) : Json(row.code);
  out["reports"] = row.reports != 0 ? Json(row.reports) : Json(nullptr);
  out["injected"] = row.injected;
  out["waits"] = row.waits;
  out["note"] = or_null(row.note);
  out["never_written"] = row.never_written;
  out["memory"] = Json::array();
  for (const TapePlace& one : row.places) out["memory"].push_back(json_of(program, one));
  out["host_ms"] = row.host_ms;
  out["begin_ms"] = row.begin_ms;
  out["end_ms"] = row.end_ms;
  out["launch"] = row.launch ? json_of(*row.launch) : Json(nullptr);
  return out;
}

}  // namespace

nlohmann::ordered_json json_of_program(const HostProgram& program) {
  Json out;
  out["exit"] = program.exit >= 0 ? Json(program.exit) : Json(nullptr);
  out["signal"] = program.signal != 0 ? Json(program.signal) : Json(nullptr);
  out["stdout"] = program.out;
  out["stderr"] = program.err;
  out["stopped"] = or_null(program.stopped);
  out["mode"] = program.mode;
  out["build_ms"] = program.build_ms;
  out["cached"] = program.cached;
  out["run_ms"] = program.run_ms;
  out["tape_complete"] = program.tape.ended && !program.tape.truncated;
  return out;
}

nlohmann::ordered_json json_of_tape(const HostProgram& program) {
  Json out = Json::array();
  for (size_t i = 0; i < program.tape.rows.size() && i < program.places.size(); ++i) {
    const TapeRow& row = program.tape.rows[i];
    if (row.kind == TapeKind::module || row.kind == TapeKind::end) continue;
    out.push_back(json_of(program, row, program.places[i]));
  }
  return out;
}

}  // namespace warpbook
