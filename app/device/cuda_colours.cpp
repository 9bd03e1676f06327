// The order of the colouring: what all elements have in common is found first, in the facts; then each takes
// its colour.
#include "device/cuda_colours.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "device/cuda_measure.h"
#include "device/cuda_module.h"

namespace warpbook::cuda {

namespace {

constexpr uint32_t block_threads = 256;

/// As `Facts` in colours.cu.
struct Facts {
  uint64_t low = ~uint64_t{0}, high = 0, unwritten = 0, scale = 0, largest = 0, worst = ~uint64_t{0},
           differing = 0;
};

double double_of(uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The inverse of `ordered` in colours.cu.
double unordered(uint64_t word) {
  constexpr uint64_t sign = uint64_t{1} << 63;
  return double_of(word & sign ? word ^ sign : ~word);
}

template <class T>
void pass(std::vector<KernelArgument>& arguments, const T& value) {
  KernelArgument made;
  made.bytes.resize(sizeof value);
  std::memcpy(made.bytes.data(), &value, sizeof value);
  arguments.push_back(std::move(made));
}

template <class... Values>
std::vector<KernelArgument> passed(const Values&... values) {
  std::vector<KernelArgument> arguments;
  (pass(arguments, values), ...);
  return arguments;
}

}  // namespace

Colours::Colours(GpuContext& context) : context_(context) {}

Colours::~Colours() {
  if (context_.stuck()) return;
  module_.reset();
  const GpuContext::Current here(context_);
  if (here.entered() && memory_ != 0) context_.note(context_.driver().free(memory_));
}

Result<Done> Colours::load(const CompiledCode& code) {
  if (module_ && loaded_ == code.ptx) return Done{};
  module_.reset();
  ModuleCache parsed;
  auto loaded = LoadedModule::load(context_, parsed, code);
  if (!loaded) return loaded.error();
  module_ = std::move(*loaded);
  loaded_ = code.ptx;
  return Done{};
}

Result<Done> Colours::make_room(uint64_t bytes) {
  if (bytes <= bytes_) return Done{};
  if (memory_ != 0) context_.note(context_.driver().free(memory_));
  memory_ = bytes_ = 0;
  const Code code = context_.driver().allocate(&memory_, bytes);
  if (auto done = context_.check("get memory for the picture's colours", code); !done) {
    memory_ = 0;
    return done;
  }
  bytes_ = bytes;
  return Done{};
}

Result<DeviceAddress> Colours::paint(const ColourPlan& plan, uint32_t width, uint32_t height,
                                     ColouredFacts& found) {
  const Colouring& colouring = *plan.colouring;
  const uint64_t elements = uint64_t(width) * height;
  if (const auto loaded = load(*plan.code); !loaded) return loaded.error();
  const uint64_t doubles = colouring.kind == Colouring::Kind::difference ? 8 * elements : 0;
  if (const auto room = make_room(sizeof(Facts) + 8 + doubles + 4 * elements); !room) return room.error();
  const DeviceAddress at_facts = memory_, expected = memory_ + sizeof(Facts) + 8, pixels = expected + doubles;

  const Driver& driver = context_.driver();
  Facts facts;
  const Code sent = driver.copy_in(at_facts, &facts, sizeof facts, context_.stream());
  if (const auto done = context_.check("start the picture's colours", sent); !done) return done.error();
  const Launch launch{{uint32_t((elements + block_threads - 1) / block_threads), 1, 1},
                      {block_threads, 1, 1}};
  const auto run = [&](const char* kernel, const std::vector<KernelArgument>& arguments) -> Result<Done> {
    auto made = LaunchPlan::make(context_, *module_, kernel, launch, arguments);
    if (!made) return made.error();
    return context_.check("colour the picture", made->enqueue());
  };
  const DeviceAddress data = plan.numbers.address;
  const int type = int(plan.numbers.type);
  Result<Done> done = Done{};
  if (colouring.kind == Colouring::Kind::scale) {
    const int given = (colouring.low ? 1 : 0) | (colouring.high ? 2 : 0);
    done = run("find_range", passed(data, type, elements, at_facts));
    if (done)
      done = run("colour_scale", passed(data, type, elements, colouring.low.value_or(0),
                                        colouring.high.value_or(0), given, colouring.ramp, at_facts, pixels));
  } else {
    done = colouring.reference.empty()
               ? run("expect_product",
                     passed(plan.left.address, int(plan.left.type), plan.right.address, int(plan.right.type),
                            elements, uint64_t(width), colouring.inner, expected, at_facts))
               : run("expect_reference",
                     passed(plan.reference.address, int(plan.reference.type), elements, expected, at_facts));
    if (done)
      done = run("find_difference", passed(data, type, elements, colouring.tolerance, expected, at_facts));
    if (done)
      done = run("colour_difference",
                 passed(expected, elements, colouring.tolerance, colouring.ramp, at_facts, pixels));
  }
  if (!done) return done.error();
  const Code told = driver.copy_out(&facts, at_facts, sizeof facts, context_.stream());
  if (done = context_.check("tell what the picture shows", told); !done) return done.error();
  if (done = context_.check("colour the picture", context_.wait(std::chrono::seconds(10))); !done)
    return done.error();

  const bool any = facts.low <= facts.high;
  found.low = colouring.low.value_or(any ? unordered(facts.low) : 0);
  found.high = colouring.high.value_or(any ? unordered(facts.high) : 0);
  found.unwritten = facts.unwritten;
  found.largest = double_of(facts.largest);
  found.worst = facts.worst == ~uint64_t{0} ? 0 : facts.worst;
  found.differing = facts.differing;
  return pixels;
}

}  // namespace warpbook::cuda
