#pragma once
// Diagnoses of the execution side.
#include <string>

#include "simt/exec/state.h"

namespace warpbook::simt {

/// The learner's own line of a site: out of headers by the inlined-at chain. Line 0 when the PTX does not
/// tell.
struct LearnerLine {
  std::string file;
  int line = 0, column = 0;
  bool own = false;  ///< it is in the file that the kernels stand in
};
LearnerLine learner_line(const Code& code, int32_t point);
int line_of(const Code& code, uint32_t site);
/// The site that belongs to the learner: in a function that came from a header and was not inlined, that of
/// the call.
uint32_t learner_site(const Warp& warp, uint32_t site);

/// Keeps one diagnosis a (kind, line, buffer) with the lowest block and thread, so that a million faulty
/// blocks cost no memory.
void report(Worker& worker, Diagnosis diagnosis);

/// A diagnosis of lanes of a warp at a site: place, block, lowest thread, count.
Diagnosis diagnosis_at(Warp& warp, uint32_t site, uint32_t lanes, std::string kind, std::string access);

/// The site of an instruction and the index of the function's instruction.
uint32_t index_of(const CodeFunction& function, const Inst& inst);

/// Lanes enter a jump table behind its end.
Step outside_jump_table(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t size, uint32_t index);
/// trap or brkpt.
Step stops_itself(Warp& warp, const Inst& inst, uint32_t lanes, bool breakpoint);

/// "0..31" or "0..15, 32..47" of linear thread numbers in ascending order.
std::string ranges_of(const std::vector<uint32_t>& threads);
/// "3, 5, 9..11"
std::string lanes_text(uint32_t lanes);

}  // namespace warpbook::simt
