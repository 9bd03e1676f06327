// The child that NVRTC runs in. It loads the library once and then serves one request after the other, so
// that all but the first find it warm. Whatever a source does to NVRTC happens here and not in the app.
#include <unistd.h>

#include <cstdio>
#include <map>
#include <optional>

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "device/compile_log.h"
#include "device/compile_message.h"
#include "device/compiler.h"
#include "device/nvrtc.h"

namespace warpbook {

namespace {

uint64_t resident_bytes() {
  const auto text = read_file("/proc/self/statm");
  if (!text) return 0;
  const auto parts = split(*text, ' ');
  const auto pages = parts.size() > 1 ? parse_uint(parts[1]) : std::nullopt;
  return pages ? *pages * uint64_t(sysconf(_SC_PAGESIZE)) : 0;
}

/// NVRTC keeps precompiled headers for one process. Making them costs half a compile more and then saves most
/// of each that follows (cooperative_groups.h: 2.3 s to 0.35 s), so they are made when the same headers come
/// a second time.
class HeaderHistory {
 public:
  bool seen_before(const WorkerRequest& request) {
    std::string key = join(request.job.options, "\n");
    for (const IncludeLine& include : include_lines(request.job.source)) key += "\n" + include.name;
    return seen_[key]++ > 0;
  }

 private:
  std::map<std::string, int> seen_;
};

WorkerAnswer serve(WorkerRequest request, std::optional<Nvrtc>& nvrtc, std::string& loaded,
                   HeaderHistory& history) {
  WorkerAnswer answer;
  if (!nvrtc || loaded != request.library) {
    auto opened = Nvrtc::load(request.library);
    if (!opened) {
      answer.trouble = opened.error();
      return answer;
    }
    nvrtc.emplace(std::move(*opened));
    loaded = request.library;
  }
  if (!request.pch_folder.empty() && history.seen_before(request)) {
    request.job.optional_options.push_back("--pch");
    request.job.optional_options.push_back("--pch-dir=" + request.pch_folder);
    request.job.optional_options.push_back("--pch-messages=false");
  }
  auto compiled = nvrtc->compile(request.job);
  // What ptxas refuses (too much static shared memory, say) is the launch's business, not the compiler's.
  if (request.job.cubin && compiled && !compiled->compiled &&
      compiled->log.find("ptxas") != std::string::npos) {
    request.job.cubin = false;
    compiled = nvrtc->compile(request.job);
  }
  if (compiled) {
    answer.answer = std::move(*compiled);
  } else {
    answer.trouble = compiled.error();
  }
  answer.resident_bytes = resident_bytes();
  return answer;
}

}  // namespace

int compile_worker_main() {
  std::optional<Nvrtc> nvrtc;
  std::string loaded;
  HeaderHistory history;
  while (const auto frame = read_frame_from_parent()) {
    auto request = decode_request(*frame);
    WorkerAnswer answer;
    if (request) {
      answer = serve(std::move(*request), nvrtc, loaded, history);
    } else {
      answer.trouble = request.error();
    }
    if (!write_frame_to_parent(encode(answer))) return 1;
  }
  return 0;
}

}  // namespace warpbook
