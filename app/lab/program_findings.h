#pragma once
// What is wrong with a program's host code: a pure function of its tape. Errors make the result wrong;
// warnings do not; a correct program gets neither.
#include <vector>

#include "result/diagnosis.h"
#include "result/host_program.h"

namespace warpbook {

/// The kernels' own diagnoses and the findings of the tape (kinds of DESIGN section 3), merged and sorted.
std::vector<Diagnosis> findings_of(const HostProgram& program);

}  // namespace warpbook
