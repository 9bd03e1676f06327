// See program_order.h.
#include "lab/program_order.h"

#include "base/cache_room.h"
#include "base/hash.h"

namespace warpbook {

namespace {

constexpr uint64_t source_copies = 32u << 20;

/// Text that lies in no file of that name gets one in the cache, named by its content.
Result<ProgramFile> file_of_text(const Session& session, const RunRequest& request) {
  const auto there = request.source.empty() ? Result<std::string>(Error{}) : read_file(request.file);
  if (there && *there == request.source) return ProgramFile{request.file, request.file};
  const Path folder = session.folders.cache / "program-sources";
  const Path name = Path(request.file).filename();
  const std::string prefix = content_hash(request.file + "\n" + request.source) + "-";
  const Path copy = folder / (prefix + (name.extension() == ".cu" ? name.string() : name.string() + ".cu"));
  std::error_code ignored;
  if (std::filesystem::exists(copy, ignored)) {
    touch_cached(copy);
  } else {
    if (const auto written = write_file(copy, request.source); !written) return written.error();
    keep_cache_within(folder, {".cu"}, source_copies);
  }
  return ProgramFile{copy, request.file};
}

}  // namespace

std::string real_name(const Path& path) {
  std::error_code code;
  const Path real = std::filesystem::weakly_canonical(path, code);
  return code ? path.string() : real.string();
}

Result<ProgramOrder> program_order(Session& session, const RunRequest& request) {
  ProgramOrder order;
  const auto main_file = file_of_text(session, request);
  if (!main_file) return main_file.error();
  BuildRequest& build = order.build;
  build.files.push_back(*main_file);
  for (const Path& file : request.program->files) build.files.push_back({file, file.string()});
  build.include_folders = request.program->include_folders;
  if (!request.folder.empty()) build.include_folders.emplace_back(request.folder);
  build.defines = request.defines;
  build.compute = session.gpu.compute.empty() ? "8.0" : session.gpu.compute;
  for (const ProgramFile& file : build.files) {
    const auto text =
        &file == &build.files.front() ? Result<std::string>(request.source) : read_file(file.path);
    if (text) order.sources.push_back({file.shown, *text});
    order.shown[real_name(file.path)] = file.shown;
  }
  return order;
}

}  // namespace warpbook
