// Where things happened and what to say: places in the learner's own file, one diagnosis a kind and line.
#include "simt/exec/diagnose.h"

#include <fmt/format.h>

#include <bit>
#include <tuple>

#include "simt/exec/moment.h"

namespace warpbook::simt {

Dim3 thread_of(const BlockState& block, uint32_t warp, int lane) {
  const Dim3 size = block.launch->launch.block;
  const uint32_t linear = warp * 32 + uint32_t(lane);
  return {linear % size.x, linear / size.x % size.y, linear / (size.x * size.y)};
}

namespace {

/// The file that the kernels themselves stand in.
uint32_t learner_file(const ptx::Module& module) {
  for (const ptx::Function& function : module.functions) {
    if (!function.entry || function.first_point < 0) continue;
    int32_t point = function.first_point;
    for (int depth = 0; module.points[size_t(point)].inlined_at >= 0 && depth < 64; ++depth) {
      point = module.points[size_t(point)].inlined_at;
    }
    return module.points[size_t(point)].file;
  }
  return 1;
}

}  // namespace

LearnerLine learner_line(const Code& code, int32_t point) {
  const ptx::Module& module = *code.module;
  const uint32_t file = learner_file(module);
  LearnerLine found;
  // What was inlined from a header belongs to the line that called it. A chain that never reaches the
  // learner's file ends at its outermost place.
  for (int depth = 0; point >= 0 && size_t(point) < module.points.size() && depth < 64; ++depth) {
    const ptx::SourcePoint& at = module.points[size_t(point)];
    found.file = at.file < module.files.size() ? module.files[at.file] : "";
    found.line = int(at.line);
    found.column = int(at.column);
    found.own = at.file == file && at.line != 0;
    if (found.own) break;
    point = at.inlined_at;
  }
  return found;
}

int line_of(const Code& code, uint32_t site) { return learner_line(code, code.sites[site].point).line; }

void place(Diagnosis& diagnosis, const Code& code, uint32_t site) {
  LearnerLine at = learner_line(code, code.sites[site].point);
  diagnosis.file = std::move(at.file);
  diagnosis.line = at.line;
  diagnosis.column = at.column;
}

namespace {

using Where = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

Where where(const Diagnosis& d) {
  const Dim3 block = d.block.value_or(Dim3{0, 0, 0});
  const Dim3 thread = d.thread.value_or(Dim3{0, 0, 0});
  return {block.z, block.y, block.x, thread.z, thread.y, thread.x};
}

}  // namespace

uint32_t learner_site(const Warp& warp, uint32_t site) {
  const Code& code = *warp.block->launch->code;
  if (warp.running >= warp.fragments.size()) return site;
  uint32_t at = site;
  for (const Frame* frame = warp.fragments[warp.running].frame; frame; frame = frame->caller) {
    if (learner_line(code, code.sites[at].point).own) return at;
    if (!frame->call) {
      // A debug build says nothing of where it inlined; it keeps the order of the text, so what stands before
      // is the line that called.
      const uint32_t first = frame->function->instructions.front().site;
      for (; code.module->debug && at > first; --at)
        if (learner_line(code, code.sites[at].point).own) return at;
      break;
    }
    at = frame->call->site;
  }
  return site;
}

void report(Worker& worker, Diagnosis diagnosis) {
  for (Diagnosis& known : worker.found) {
    if (known.kind != diagnosis.kind || known.line != diagnosis.line || known.buffer != diagnosis.buffer)
      continue;
    const uint64_t count = known.count + diagnosis.count;
    if (where(diagnosis) < where(known)) known = std::move(diagnosis);
    known.count = count;
    return;
  }
  worker.found.push_back(std::move(diagnosis));
}

Diagnosis diagnosis_at(Warp& warp, uint32_t site, uint32_t lanes, std::string kind, std::string access) {
  Diagnosis d;
  d.kind = std::move(kind);
  d.access = std::move(access);
  place(d, *warp.block->launch->code, learner_site(warp, site));
  d.block = warp.block->index;
  if (lanes) {
    d.thread = thread_of(*warp.block, warp.index, std::countr_zero(lanes));
    d.moment = take_moment(warp, std::countr_zero(lanes), site, 0, 0);
  }
  d.count = uint64_t(std::popcount(lanes));
  return d;
}

uint32_t index_of(const CodeFunction& function, const Inst& inst) {
  return uint32_t(&inst - function.instructions.data());
}

std::string ranges_of(const std::vector<uint32_t>& threads) {
  std::string text;
  for (size_t i = 0; i < threads.size();) {
    size_t end = i;
    while (end + 1 < threads.size() && threads[end + 1] == threads[end] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += end == i ? std::to_string(threads[i]) : fmt::format("{}..{}", threads[i], threads[end]);
    i = end + 1;
  }
  return text;
}

std::string lanes_text(uint32_t lanes) {
  std::vector<uint32_t> list;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) list.push_back(uint32_t(std::countr_zero(rest)));
  return ranges_of(list);
}

void note_division_by_zero(Warp& warp, const Inst& inst, uint32_t lanes) {
  if (!lanes) return;
  Diagnosis d = diagnosis_at(warp, inst.site, lanes, "div-by-zero", "div");
  d.severity = Severity::warning;
  d.message =
      "An integer is divided by zero; a GPU does not stop at it, the result is just a meaningless number.";
  d.hint = "Test the divisor before the division, or make sure that it is never zero.";
  report(*warp.worker, std::move(d));
}

Step outside_jump_table(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t size, uint32_t index) {
  Diagnosis d = diagnosis_at(warp, inst.site, lanes, "trap", "");
  d.message = fmt::format("A jump table of {} places is entered at {}.", size, index);
  d.hint =
      "The value of the switch is none that the compiler expected; a function without a return can cause it.";
  report(*warp.worker, std::move(d));
  return Step::fault;
}

Step stops_itself(Warp& warp, const Inst& inst, uint32_t lanes, bool breakpoint) {
  Diagnosis d = diagnosis_at(warp, inst.site, lanes, "trap", "");
  d.message = breakpoint
                  ? "The kernel stops at a breakpoint of its own (__brkpt)."
                  : "The kernel stops itself here (__trap, or a place that the compiler holds unreachable).";
  d.hint = "Find out why this thread comes here.";
  report(*warp.worker, std::move(d));
  return Step::fault;
}

void note_unwritten_register(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t register_index) {
  Diagnosis d = diagnosis_at(warp, inst.site, lanes, "uninit-read", "read");
  const CodeFunction& function = *warp.current().frame->function;
  d.space = "local";
  // The debug information knows the variable; until then the register keeps apart what is different.
  d.buffer = function.source->registers[register_index].name;
  d.moment = take_moment(warp, std::countr_zero(lanes), inst.site, 0, 0, int32_t(register_index));
  d.message = fmt::format("Thread ({},{},{}) of block ({},{},{}) uses a value that nothing has written yet.",
                          d.thread->x, d.thread->y, d.thread->z, d.block->x, d.block->y, d.block->z);
  d.hint = "Give the variable a value where it is declared.";
  report(*warp.worker, std::move(d));
}

Step unsupported_instruction(Warp& warp, const Inst& inst) {
  Diagnosis d = diagnosis_at(warp, inst.site, warp.mask, "unsupported", "");
  const Site& site = warp.block->launch->code->sites[inst.site];
  d.message =
      fmt::format("The emulator does not know the instruction {} (PTX line {}).", site.name, site.ptx_line);
  d.hint = "This kernel needs a GPU; rewrite this line without that feature to run it here.";
  report(*warp.worker, std::move(d));
  return Step::fault;
}

}  // namespace warpbook::simt
