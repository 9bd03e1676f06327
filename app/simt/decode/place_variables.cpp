// See place_variables.h. An entry's parameters follow each other, each at its alignment, as PTX lays them
// out; what a .func gets and returns lies in its own activation's local memory, in front of its depot.
#include "simt/decode/place_variables.h"

#include <algorithm>

namespace warpbook::simt {
namespace {

/// Sizes beyond this are refused at the launch (a thread's local memory is 512 KiB at most); here they only
/// must not wrap around.
constexpr uint64_t largest = uint64_t(1) << 31;

uint64_t round_up(uint64_t value, uint64_t to) { return std::min((value + to - 1) / to * to, largest); }

}  // namespace

void place_variables(CodeFunction& out) {
  const ptx::Function& source = *out.source;
  uint64_t end = 0;
  auto add = [&](const ptx::Variable& v, bool among_parameters) {
    // Local memory is kept in words; two variables never share one.
    end = round_up(end, std::max<uint32_t>(v.alignment, among_parameters ? 1 : 4));
    out.places.push_back({v.name, among_parameters, uint32_t(end), uint32_t(std::min(v.bytes, largest)), &v});
    end = std::min(end + std::min(v.bytes, largest), largest);
  };
  for (const ptx::Variable& v : source.parameters) {
    if (v.space == ptx::Space::param) add(v, source.entry);
  }
  if (source.entry) {
    out.parameter_bytes = uint32_t(end);
    end = 0;
  }
  for (const ptx::Variable& v : source.returns) {
    if (v.space == ptx::Space::param) add(v, false);
  }

  // A scope's variables start where those of the scope around it end. A scope comes after its parent.
  std::vector<std::vector<const ptx::Variable*>> by_scope(source.scope_parents.size());
  for (const ptx::Variable& v : source.locals) {
    if (v.space == ptx::Space::local)
      out.depot_bytes = uint32_t(std::min(out.depot_bytes + v.bytes, largest));
    if (v.space == ptx::Space::local || v.space == ptx::Space::param) by_scope[v.scope].push_back(&v);
  }
  std::vector<uint64_t> ends(by_scope.size(), 0);
  uint64_t total = end;
  for (size_t scope = 0; scope < by_scope.size(); ++scope) {
    if (scope > 0) end = ends[source.scope_parents[scope]];
    for (const ptx::Variable* v : by_scope[scope]) add(*v, false);
    ends[scope] = end;
    total = std::max(total, end);
  }
  out.local_bytes = uint32_t(round_up(total, 16));
}

}  // namespace warpbook::simt
