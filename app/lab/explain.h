#pragma once
// Sentence and hint of a diagnosis from the situation it arose in: the learner's own conditions, loops, names
// and values. What cannot be told from the source keeps the words it came with.
#include <string>
#include <string_view>
#include <vector>

#include "lab/arguments.h"
#include "lab/bind.h"
#include "lab/source_structure.h"
#include "result/diagnosis.h"
#include "result/launch.h"

namespace warpbook {

struct Situation {
  const SourceStructure& source;
  const KernelChoice& kernel;
  const Launch& launch;
  const std::vector<ArgumentSpec>& arguments;
};

void explain(std::vector<Diagnosis>& diagnostics, const Situation& situation);

/// The parts, one a group of kinds. Each changes message and hint where it knows better.
void explain_access(Diagnosis& diagnosis, const Situation& situation);
void explain_unwritten(Diagnosis& diagnosis, const Situation& situation);
void explain_waiting(Diagnosis& diagnosis, const Situation& situation);  ///< barriers, loops, masks
void explain_race(Diagnosis& diagnosis, const Situation& situation);
void explain_arithmetic(Diagnosis& diagnosis, const Situation& situation);  ///< div-by-zero, assert

/// Sizes in the brackets of the buffer's declaration; empty when one is not known.
std::vector<uint64_t> dimensions_of(const Diagnosis& diagnosis, const Situation& situation);
/// How many elements the diagnosis' buffer has: by its argument, or by its declaration; 0 = not known.
uint64_t elements_of(const Diagnosis& diagnosis, const Situation& situation);
/// The element as the learner would write it: "a[100]", "tile[16][3]".
std::string element_of(const Diagnosis& diagnosis, const Situation& situation);
/// What is known of the thread at fault: the built-in variables, the scalar arguments, and what the debug
/// build saw of its variables; without one, those that are set once, by an expression of known values. A
/// variable that is the whole index has the index for its value.
KnownValues values_of(const Diagnosis& diagnosis, const Situation& situation);
/// Names that others depend on, through the variables that they are computed from: i = blockIdx.x * ... gives
/// blockIdx.x as well.
std::vector<std::string> roots_of(const std::vector<std::string>& names, const Situation& situation,
                                  int line);
/// threadIdx or blockIdx is among them.
bool names_threads(const std::vector<std::string>& roots);
/// Threads of one block have different values for them.
bool depends_on_thread(const std::vector<std::string>& names, const Situation& situation, int line);
/// "i is 100", "i is 100 and n is 100": those of the names whose values are known and say something.
std::string values_text(const std::vector<std::string>& names, const KnownValues& values);
/// The subscript of the diagnosis' buffer on its line that has the index; null when there is none.
const Subscript* find_subscript(const std::vector<Subscript>& subscripts, const Diagnosis& diagnosis,
                                const KnownValues& values);

}  // namespace warpbook
