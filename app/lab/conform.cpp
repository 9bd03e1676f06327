// The same buffers through both engines, and what they left held against each other.
#include "lab/conform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "base/complaint.h"
#include "lab/gpu_run.h"
#include "simt/random_kernel.h"

namespace warpbook {

namespace {

constexpr uint32_t blocks = 8, block_threads = 64, threads = blocks * block_threads;

struct Buffer {
  std::string name;
  std::vector<std::byte> bytes;
};

template <class T>
Buffer buffer(std::string name, const std::vector<T>& values) {
  Buffer made{std::move(name), {}};
  made.bytes.resize(values.size() * sizeof(T));
  std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
  return made;
}

/// Random bits, and among them the values that instructions treat apart.
std::vector<uint64_t> interesting_words(unsigned seed) {
  constexpr uint64_t special[] = {0,
                                  ~0ull,
                                  1,
                                  0x8000000000000000ull,
                                  0x7fffffffffffffffull,
                                  0x80000000ull,
                                  0x7fffffffull,
                                  0x3f8000003f800000ull,   // 1 in f32, near 1 in f64
                                  0x7f8000007f800000ull,   // infinity in f32
                                  0xff800000ff800000ull,   // its negative
                                  0x7fc000007fc00000ull,   // a quiet NaN
                                  0x7f8000017f800001ull,   // a signalling NaN
                                  0x0000000100000001ull,   // the smallest of f32
                                  0x007fffff007fffffull,   // subnormal
                                  0x7ff0000000000000ull,   // infinity in f64
                                  0x7ff8000000000000ull,   // NaN in f64
                                  0x3ff0000000000000ull,   // 1 in f64
                                  0x7c007c007c007c00ull,   // infinity in f16
                                  0x3c003c003c003c00ull};  // 1 in f16
  std::mt19937_64 random(seed);
  std::vector<uint64_t> words(size_t(threads) * 3);
  for (uint64_t& word : words) {
    word = random();
    const uint64_t kind = random() % 8;
    if (kind == 0) word = special[random() % std::size(special)];
    if (kind == 1) word %= 1000;
    if (kind == 2) word = (word & 0x007fffff007fffffull) | 0x3f8000003f800000ull;  // f32 between 1 and 2
  }
  return words;
}

std::vector<float> moderate_floats(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(size_t(threads) * 3);
  for (size_t i = 0; i < values.size(); ++i) {
    const float unit = float(random() >> 8) / float(1 << 24);  // [0, 1)
    values[i] = i % 3 == 2 ? 1e-3f + unit * 100.0f : (unit - 0.5f) * 6.0f;
    if (values[i] == 0) values[i] = 0.5f;
  }
  return values;
}

struct Trial {
  std::string ptx, kernel;
  Launch launch;
  std::vector<Buffer> buffers;
};

struct Ran {
  std::vector<std::vector<std::byte>> buffers;
  std::string refused;  ///< why it did not run, in words
};

Result<Ran> run_trial(Device& device, const Trial& trial) {
  Ran ran;
  device.reset();
  CompiledCode code;
  code.ptx = trial.ptx;
  if (const auto loaded = device.load(code); !loaded) {
    ran.refused = loaded.error().message;
    return ran;
  }
  std::vector<KernelArgument> arguments;
  std::vector<DeviceAddress> addresses;
  for (const Buffer& one : trial.buffers) {
    const auto address = device.allocate(one.bytes.size(), one.name, 4);
    if (!address) return address.error();
    if (const auto copied = device.copy_in(*address, one.bytes); !copied) return copied.error();
    KernelArgument argument{one.name, std::vector<std::byte>(8)};
    std::memcpy(argument.bytes.data(), &*address, 8);
    arguments.push_back(std::move(argument));
    addresses.push_back(*address);
  }
  const auto outcome = device.launch(trial.kernel, trial.launch, arguments);
  if (!outcome) return outcome.error();
  if (outcome->report.status != RunStatus::ok) {
    ran.refused =
        outcome->report.diagnostics.empty() ? "it ended early" : outcome->report.diagnostics.front().message;
    return ran;
  }
  for (size_t i = 0; i < trial.buffers.size(); ++i) {
    ran.buffers.emplace_back(trial.buffers[i].bytes.size());
    if (const auto copied = device.copy_out(addresses[i], ran.buffers.back()); !copied) return copied.error();
  }
  return ran;
}

uint64_t word_at(const std::vector<std::byte>& bytes, size_t index, size_t width) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + index * width, width);
  return value;
}

double as_number(uint64_t word, Bound::Kind kind) {
  if (kind == Bound::Kind::f64) {
    double value;
    std::memcpy(&value, &word, 8);
    return value;
  }
  float value;
  std::memcpy(&value, &word, 4);
  return double(value);
}

/// Results of `width` bytes; the first that lies beyond the bound, in words.
void compare(const std::vector<std::byte>& emulated, const std::vector<std::byte>& real, size_t width,
             const Bound& bound, const std::string& name, ConformRow& row) {
  for (size_t i = 0; i < emulated.size() / width; ++i) {
    const uint64_t a = word_at(emulated, i, width), b = word_at(real, i, width);
    if (a == b) continue;
    if (bound.kind != Bound::Kind::bits) {
      const double x = as_number(a, bound.kind), y = as_number(b, bound.kind);
      const double error = std::fabs(x - y);
      if ((std::isnan(x) && std::isnan(y)) || error <= bound.absolute + bound.relative * std::fabs(x)) {
        row.largest_error = std::max(row.largest_error, x != 0 ? error / std::fabs(x) : error);
        if (row.status == ConformRow::Status::same) row.status = ConformRow::Status::within_bounds;
        continue;
      }
    }
    row.status = ConformRow::Status::different;
    row.detail = fmt::format("{}[{}] is {:#x} on the GPU and {:#x} on the emulator", name, i, b, a);
    return;
  }
}

/// Both engines; `widths` of the results' elements, 0 = a buffer that is not compared.
Result<ConformRow> try_on_both(Session& session, const Trial& trial, const std::vector<size_t>& widths,
                               const Bound& bound, ConformRow row) {
  const auto emulated = run_trial(*session.device, trial);
  if (!emulated) return emulated.error();
  const GpuUse use(session);
  auto real = run_trial(*session.gpu_child, trial);
  if (!real) return real.error();
  if (!emulated->refused.empty() || !real->refused.empty()) {
    const bool both = !emulated->refused.empty() && !real->refused.empty();
    row.status = both ? ConformRow::Status::not_run : ConformRow::Status::different;
    row.detail = !real->refused.empty() ? "GPU: " + real->refused : "emulator: " + emulated->refused;
    return row;
  }
  row.status = ConformRow::Status::same;
  for (size_t i = 0; i < widths.size() && row.status != ConformRow::Status::different; ++i)
    if (widths[i] != 0)
      compare(emulated->buffers[i], real->buffers[i], widths[i], bound, trial.buffers[i].name, row);
  return row;
}

Trial trial_of(const InstructionCase& one, unsigned seed) {
  Trial trial;
  trial.ptx = ptx_of(one);
  trial.kernel = "k";
  trial.launch = {{blocks, 1, 1}, {block_threads, 1, 1}};
  trial.buffers = {buffer("results", std::vector<uint64_t>(threads, 0xcdcdcdcdcdcdcdcdull)),
                   buffer("words", interesting_words(seed)), buffer("moderate", moderate_floats(seed)),
                   buffer("scratch", std::vector<uint64_t>(blocks * 512))};
  return trial;
}

Trial generated_trial(unsigned seed) {
  namespace generated = random_kernel;  // its names are also names of this file
  Trial trial;
  trial.ptx = fmt::format(
      ".version 7.0\n.target sm_75\n.address_size 64\n.shared .align 4 .b8 s[{}];\n"
      ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{{\n.reg .b32 %r<40>;\n.reg .b64 %rd<10>;\n"
      ".reg .pred %p<10>;\n.local .align 4 .b8 l[{}];\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n"
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n{}ret;\n}}\n",
      generated::block_threads * 4, generated::local_words * 4,
      generated::PtxWriter::body(generated::Generator(seed).body()));
  trial.kernel = "k";
  trial.launch = {{generated::blocks, 1, 1}, {generated::block_threads, 1, 1}};
  trial.buffers = {buffer("results", std::vector<uint32_t>(generated::out_words)),
                   buffer("sums", std::vector<uint32_t>(generated::sums))};
  return trial;
}

/// What float sums in the order of arrival and approximate functions may move in a whole kernel.
constexpr double lesson_bound = 1e-3;

Result<ConformRow> try_lab(Session& session, const Lesson& lesson, const Lab& lab,
                           const std::string& variant) {
  ConformRow row{"lessons", lesson.slug, lab.name, ConformRow::Status::not_run, {}, 0};
  if (!variant.empty()) row.name += " (" + variant + ")";
  const auto values = default_values(lab);
  if (!values) return values.error();
  auto request = request_for(lesson, lab, *values, variant);
  if (!request) return request.error();
  request->level = Level::measure;
  request->measure = {0, 1, 1, false};
  const auto result = run(session, *request);
  if (!result) return result.error();
  if (!result->on_gpu || !result->on_gpu->compared) {
    row.detail = result->on_gpu && !result->on_gpu->note.empty() ? result->on_gpu->note
                 : result->diagnostics.empty()                   ? "status " + result->status
                                                                 : result->diagnostics.front().message;
    // The emulator ran it and the GPU did not, or the compiler failed on a kernel of ours: that must not
    // pass.
    const bool failed =
        result->status == "compile-error" || (result->status == "limit" && result->engine.empty());
    if (failed || (result->on_gpu && !result->on_gpu->device.empty()))
      row.status = ConformRow::Status::different;
    return row;
  }
  const GpuRun& gpu = *result->on_gpu;
  row.largest_error = gpu.largest_error;
  row.status = gpu.difference.empty()                                    ? ConformRow::Status::same
               : !gpu.bits_promised && gpu.largest_error <= lesson_bound ? ConformRow::Status::within_bounds
                                                                         : ConformRow::Status::different;
  row.detail = gpu.difference;
  return row;
}

}  // namespace

bool ConformReport::passed() const {
  const auto any = [&](ConformRow::Status status) {
    return std::any_of(rows.begin(), rows.end(), [&](const ConformRow& row) { return row.status == status; });
  };
  return !any(ConformRow::Status::different) &&
         (any(ConformRow::Status::same) || any(ConformRow::Status::within_bounds));
}

Result<ConformReport> conform(Session& session, const Library& library, const ConformOptions& options,
                              const std::function<void(const ConformRow&)>& progress,
                              const std::atomic<bool>* stop) {
  if (!has_gpu(session))
    return complaint(Trouble::unsupported,
                     fmt::format("there is no GPU to compare the emulator with: {}", session.no_gpu));
  ConformReport report;
  report.device = session.gpu_device->capabilities().engine;
  report.driver = session.gpu_device->capabilities().driver;
  const auto add = [&](ConformRow row) {
    if (progress) progress(row);
    report.rows.push_back(std::move(row));
  };
  const auto stopped = [&] { return stop != nullptr && stop->load(); };
  if (options.instructions) {
    unsigned seed = options.seed;
    for (const InstructionCase& one : instruction_cases()) {
      if (stopped()) return report;
      const std::string text = one.text;
      ConformRow row{
          "instructions", one.family, text.substr(0, text.find('\n')), ConformRow::Status::not_run, {}, 0};
      if (text.find('\n') != std::string::npos) row.name += " ...";
      auto done = try_on_both(session, trial_of(one, ++seed), {8}, one.bound, std::move(row));
      if (!done) return done.error();
      add(std::move(*done));
    }
  }
  for (int i = 0; i < options.generated; ++i) {
    if (stopped()) return report;
    const unsigned seed = options.seed * 1000 + unsigned(i);
    ConformRow row{"generated", "", fmt::format("seed {}", seed), ConformRow::Status::not_run, {}, 0};
    auto done = try_on_both(session, generated_trial(seed), {4, 4}, {}, std::move(row));
    if (!done) return done.error();
    add(std::move(*done));
  }
  if (!options.lessons) return report;
  if (session.compiler->place().library.empty()) {
    add({"lessons", "", "all", ConformRow::Status::not_run, session.compiler->place().missing, 0});
    return report;
  }
  for (const Lesson& lesson : library.lessons) {
    for (const Lab& lab : lesson.labs) {
      std::vector<std::string> variants = {""};
      for (const auto& [label, file] : lab.variants)
        if (file != lab.kernel) variants.push_back(label);
      for (const std::string& variant : variants) {
        if (stopped()) return report;
        auto row = try_lab(session, lesson, lab, variant);
        if (!row) {
          add({"lessons", lesson.slug, lab.name, ConformRow::Status::not_run, row.error().message, 0});
          continue;
        }
        add(std::move(*row));
      }
    }
  }
  return report;
}

}  // namespace warpbook
