#pragma once
// Which figures a row of assets/gpus.json has: name, unit, range, and where each goes in a GpuSpec.
#include <string_view>
#include <vector>

#include "result/gpu_spec.h"

namespace warpbook {

struct GpuFigureRule {
  std::string_view name;
  std::string_view unit;
  double min = 0, max = 0;
  enum class Need { always, of_a_gpu, never };
  Need need = Need::always;  ///< of_a_gpu: rows that stand for a compute capability do without
  bool whole = false;
  bool list = false;  ///< ascending numbers
  /// Takes one number; of a list, one after the other.
  void (*store)(GpuSpec& row, double value) = nullptr;
};

const std::vector<GpuFigureRule>& gpu_figure_rules();
const GpuFigureRule* gpu_figure_rule(std::string_view name);

}  // namespace warpbook
