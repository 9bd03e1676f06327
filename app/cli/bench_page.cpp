#include "cli/bench_page.h"

#include <fmt/format.h>

namespace warpbook::cli {

namespace {

/// Taken once with a sampling profiler, AVX2, the state of 2026-12; it says which way to look, not how fast
/// this machine is.
constexpr const char* where_time_goes = R"(
## Where the time goes

By a sampling profiler, of the emulator's own time at level *run*.

The plain matrix product, block 32 x 8: loads 48 %, sums of 64-bit addresses 17 %, multiply-adds 14 %, the loop over instructions 11 %, the rest loop counters and the branch. About half of a load is the question how the 32 addresses lie: eight vectors are compared before one line of 128 bytes is copied. Asking for the next row of a column in advance gained nothing. Keeping an address that walks through memory as a start and a step between lanes, instead of 32 numbers, makes this loop faster by about a quarter, but loops whose warps span two rows slower by as much; it is not in.

The block reduction: half of the time is spent on going from warp to warp. Between two barriers a warp has about a dozen instructions, so that entering and leaving it costs as much as they do. Running a barrier's whole interval for several warps at once is what is left to try.
)";

std::string growth_table(const char* varied, const std::vector<Growth>& rows, bool with_memory) {
  std::string text =
      fmt::format("| {} | lane instructions | ms | ns a lane instruction |\n|---|---|---|---|\n", varied);
  if (with_memory)
    text = fmt::format("| {} | ms, level check | memory beyond the row before |\n|---|---|---|\n", varied);
  for (const Growth& row : rows) {
    if (with_memory) {
      text += fmt::format("| {} | {:.2f} | {:.0f} KiB |\n", row.varied, row.milliseconds, row.kilobytes);
    } else {
      text +=
          fmt::format("| {} | {} M | {:.1f} | {:.2f} |\n", row.varied, row.thread_instructions / 1'000'000,
                      row.milliseconds, row.milliseconds * 1e6 / double(row.thread_instructions));
    }
  }
  return text;
}

}  // namespace

std::string as_page(const BenchPage& page) {
  std::string text = fmt::format(
      "# How fast the emulator is\n\n"
      "Made by `warpbook bench --page` on the computer that built this page; run it on yours to see your "
      "own. One thread of the emulator (instruction set {}) and one thread of plain C++ with the same loops, "
      "built with `-O3 -march=native`, in one process; medians of {} rounds of all of them; matrices and "
      "pictures of {} x {}, vectors of 1 M. Mandelbrot and the plain matrix product are scalar loops in C++, "
      "the others are what a compiler makes vectors of: they show what the same work costs at best.\n\n"
      "Level *run* gives results only, *measure* counts as well, *check* also looks for bad addresses, "
      "values that were never written, and races.\n\n"
      "| work | native ms | run | measure | check | lane instructions a second, run "
      "|\n|---|---|---|---|---|---|\n",
      page.instruction_set, page.repeats, page.size, page.size);
  for (const BenchRow& row : page.rows) {
    text += fmt::format("| {} | {:.2f} |", row.name, row.native_ms);
    for (const BenchTime& m : row.levels) text += fmt::format(" {:.2f} x |", m.ratio);
    text += fmt::format(" {:.2f} G |\n", row.levels.front().lane_rate * 1e-9);
  }
  text += where_time_goes;
  text += "\n## Cost as work grows\n\n";
  if (!page.picture.empty())
    text += fmt::format(
        "![Time over lane instructions, time of one of them over registers, memory over what is "
        "written]({})\n\n",
        page.picture);
  text +=
      "With the number of instructions: Mandelbrot with more and more iterations. "
      "The time of one lane's instruction stays about the same; short launches pay for their start.\n\n";
  text += growth_table("Mandelbrot", page.growth.work, false);
  text +=
      "\nWith the number of registers that a kernel declares: the same loop, unrolled further and further, "
      "so that the PTX names more and more registers. Registers that are not needed at the same time share a "
      "place, so that the cost does not grow with them.\n\n";
  text += growth_table("unrolled", page.growth.registers, false);
  text +=
      "\nMemory at level check: more and more of a buffer of 64 MiB is written. What is kept beside a buffer "
      "grows with what a kernel touches of it, not with its size.\n\n";
  text += growth_table("written", page.growth.shadow, true);
  return text;
}

}  // namespace warpbook::cli
