// One function a kind, in findings_*.cpp. Each looks at rows only, so that a tape made by hand tests it.
#include "lab/program_findings.h"

#include <initializer_list>
#include <string_view>

#include "lab/finder.h"

namespace warpbook {

namespace {

const TapePlace* place_named(const TapeRow& row, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (const TapePlace& place : row.places)
      if (place.argument == name) return &place;
  return nullptr;
}

}  // namespace

const TapePlace* target_of(const TapeRow& row) { return place_named(row, {"dst", "devPtr", "symbol"}); }
const TapePlace* source_of(const TapeRow& row) { return place_named(row, {"src"}); }

std::vector<Diagnosis> Finder::all() {
  kernels();
  for (const TapeRow& row : rows_) {
    if (!row.modelled) not_modelled_call(row);
    if (row.module && !row.module->problem.empty()) module_problem(row);
    if (row.fault) host_fault(row);
    if (copies(row) || sets(row)) {
      wrong_direction(row);
      too_large(row);
    }
    if (starts_with(row.call, "cudaFree")) double_free(row);
    if (starts_with(row.call, "cudaEvent")) event_misuse(row);
  }
  never_launched();
  for (const TapeRow& row : rows_)
    if (copies(row)) read_before_write(row);
  unchecked_errors();
  leaks();
  timing();
  return merge(std::move(found_));
}

Diagnosis Finder::at(const TapeRow& row, Severity severity, const char* kind) const {
  Diagnosis made;
  made.severity = severity;
  made.kind = kind;
  const SourcePlace& place = program_.place_of(row.sequence).place;
  made.file = place.file;
  made.line = place.line;
  return made;
}

std::string Finder::name(const TapePlace& place) const {
  if (!place.variable.empty()) return place.variable;
  if (place.allocation != 0) return program_.name_of(place.allocation);
  if (place.kind == MemoryKind::host) return "host memory";
  return "memory";
}

SourcePlace Finder::kernel_place(const std::string& kernel) const {
  std::string bare = kernel.substr(0, kernel.find('<'));
  if (const size_t colon = bare.rfind("::"); colon != std::string::npos) bare.erase(0, colon + 2);
  const auto known = program_.kernels.find(bare);
  return known == program_.kernels.end() ? SourcePlace{} : known->second;
}

std::vector<Diagnosis> findings_of(const HostProgram& program) { return Finder(program).all(); }

}  // namespace warpbook
