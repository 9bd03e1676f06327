// Segmentation faults of the program. Device addresses are never mapped on the host, so the most common one,
// a device pointer used in host code, is known by its address: a row says so, and then the program dies as it
// would have.
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>

#include "cudart/runtime.h"

namespace warpbook::cudart {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS};
constexpr size_t stack_bytes = 64u << 10;

struct Watch {
  Runtime* runtime = nullptr;
  struct sigaction before[2];
  bool seen = false;
};

/// The handler has nothing else to find it by.
Watch& watch() {
  static Watch one;
  return one;
}

void tell(Runtime& runtime, int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  const bool device = MemoryTable::is_device_range(address);
  void* instruction = nullptr;
  bool writes = false;
#if defined(__x86_64__)
  const auto* machine = static_cast<const ucontext_t*>(context);
  instruction = reinterpret_cast<void*>(machine->uc_mcontext.gregs[REG_RIP]);
  writes = (machine->uc_mcontext.gregs[REG_ERR] & 2) != 0;  // bit 1 of a page fault's error code: a write
#else
  (void)context;
#endif
  TapeRow row;
  row.sequence = runtime.next_row++;
  row.kind = TapeKind::fault;
  row.call = writes ? "write" : "read";
  row.thread = Runtime::thread().number;
  row.frames = runtime.tape.callers_at(instruction);
  row.places.push_back(runtime.memory.place("address", address));
  row.fault.emplace();
  row.fault->kind = device ? "device-pointer-on-host" : "segmentation-fault";
  row.fault->writes = writes;
  row.fault->signal = signal;
  row.host_ms = row.begin_ms = row.end_ms = runtime.timeline.host_ms();
  runtime.tape.write(row);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  Watch& w = watch();
  // The program's own handling comes back first: whatever happens below, the second fault goes there.
  for (size_t i = 0; i < 2; ++i) sigaction(signals[i], &w.before[i], nullptr);
  if (w.seen || !w.runtime || w.runtime->forked) return;
  w.seen = true;
  // A program whose heap is broken may hang in what follows; then the alarm ends it.
  alarm(2);
  tell(*w.runtime, signal, info, context);
  alarm(0);
  // Going back executes the same instruction again, which now meets the handling from before.
}

}  // namespace

void watch_faults(Runtime& runtime) {
  if (!runtime.tape.recording()) return;
  Watch& w = watch();
  w.runtime = &runtime;
  // A stack of its own, since the fault may be that the program's is full.
  void* const stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack != MAP_FAILED) {
    stack_t alternate{};
    alternate.ss_sp = stack;
    alternate.ss_size = stack_bytes;
    sigaltstack(&alternate, nullptr);
  }
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < 2; ++i) sigaction(signals[i], &action, &w.before[i]);
}

}  // namespace warpbook::cudart
