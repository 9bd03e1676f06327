// A lesson's lab with its controls set, as a request to run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/complaint.h"
#include "base/hash.h"
#include "base/text.h"
#include "lab/run.h"
#include "lab/source_scan.h"

namespace warpbook {

namespace {

/// A value that runs at a scale: {cx} with scale_by 0.001 and value -743 is -0.743.
std::string scaled_text(double value) {
  std::string text = fmt::format("{}", value);
  return text;
}

Result<Dim3> dimensions(const Values& values, const std::string& prefix) {
  uint32_t parts[3] = {1, 1, 1};
  const char* names[3] = {".x", ".y", ".z"};
  for (int i = 0; i < 3; ++i) {
    const auto found = values.find(prefix + names[i]);
    if (found == values.end()) continue;
    if (found->second < 0 || found->second > int64_t(UINT32_MAX))
      return complaint(fmt::format("{}{} is {}, which no launch can have", prefix, names[i], found->second));
    parts[i] = uint32_t(found->second);
  }
  return Dim3{parts[0], parts[1], parts[2]};
}

/// A lab's program is small; one that runs longer hangs, and the picture waits for it.
constexpr double lab_program_seconds = 15;

}  // namespace

Result<RunRequest> request_for(const Lesson& lesson, const Lab& lab, const Values& values,
                               const std::string& variant) {
  std::string file = lab.kernel;
  if (!variant.empty()) {
    const auto named = [&](const auto& row) { return row.first == variant; };
    const auto found = std::find_if(lab.variants.begin(), lab.variants.end(), named);
    if (found == lab.variants.end())
      return complaint(fmt::format("lab {} has no variant \"{}\"", lab.name, variant));
    file = found->second;
  }
  const Path path = lesson.kernels / file;
  auto source = read_file(path, 8u << 20);
  if (!source) return source.error();
  const auto complete = complete_values(lab, values);
  if (!complete) return complete.error();

  RunRequest request;
  request.source = std::move(*source);
  request.file = path.string();
  request.folder = lesson.kernels.string();
  request.ours = content_hash(request.source);
  if (lab.program) {
    request.program.emplace();
    for (const std::string& argument : lab.args) {
      auto filled = fill_in(argument, *complete);
      if (!filled) return filled.error();
      request.program->arguments.push_back(std::move(*filled));
    }
    for (const Control& control : lab.controls)
      if (control.define)
        request.defines.emplace_back(control.name, std::to_string(complete->at(control.name)));
    request.max_seconds = lab_program_seconds;
    return request;
  }
  request.args_complete = true;
  const std::string stem = path.stem().string();
  const SourceScan scan = scan_source(request.source);
  const auto defined = [&](const std::string& name) {
    return std::any_of(scan.kernels.begin(), scan.kernels.end(), [&](const KernelSource& kernel) {
      return kernel.name == name.substr(0, name.find('<'));
    });
  };
  // A variant may call its kernel by another name than the lab's first file does.
  request.kernel = defined(lab.entry) ? lab.entry : defined(stem) ? stem : "";

  const auto grid = dimensions(*complete, "grid"), block = dimensions(*complete, "block");
  if (!grid) return grid.error();
  if (!block) return block.error();
  request.launch = Launch{*grid, *block, 0, false};
  if (!lab.shared.empty()) {
    const auto shared = evaluate(lab.shared, *complete);
    if (!shared) return shared.error();
    if (*shared < 0 || *shared > int64_t(UINT32_MAX))
      return complaint(fmt::format("lab {}: {} bytes of shared memory", lab.name, *shared));
    request.launch->shared_bytes = uint32_t(*shared);
  }
  for (const std::string& spec : lab.args) {
    std::string text = spec;
    for (const Control& control : lab.controls) {
      if (control.scale_by == 1) continue;
      const auto value = complete->find(control.name);
      if (value == complete->end()) continue;
      text =
          replace_all(text, "{" + control.name + "}", scaled_text(double(value->second) * control.scale_by));
    }
    auto filled = fill_in(text, *complete);
    if (!filled) return filled.error();
    request.args.push_back(std::move(*filled));
  }
  for (const Control& control : lab.controls) {
    if (!control.define) continue;
    const auto value = complete->find(control.name);
    if (value == complete->end()) continue;
    std::string text = std::to_string(value->second);
    if (control.scale_by != 1) text = scaled_text(double(value->second) * control.scale_by);
    request.defines.emplace_back(control.name, std::move(text));
  }
  return request;
}

}  // namespace warpbook
