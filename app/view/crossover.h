#pragma once
// The pure step of `crossover`: how long a CPU and a GPU take for n elements, by a model with few terms, and
// from which n on the GPU is first, with launch and copies in the bill.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

/// Seconds, bytes and instructions a second. The kernel's part is counted in the run; the machines are
/// options.
struct RaceTerms {
  double instructions = 0;             ///< of a thread, for one element: counted
  double bytes_in = 0, bytes_out = 0;  ///< for one element: counted
  double cpu_cores = 1;
  double cpu_rate = 12e9;         ///< instructions of one core; option cpu_rate
  double cpu_bandwidth = 51.2e9;  ///< bytes, all cores together; option cpu_bandwidth
  double cpu_start = 20e-6;       ///< to start several threads and wait for them; option cpu_start
  double gpu_lanes = 6912,
         gpu_clock = 1.41e9;      ///< a lane finishes an instruction a clock; options of these names
  double gpu_bandwidth = 1555e9;  ///< option gpu_bandwidth
  double launch = 5e-6;           ///< option launch
  double link = 25e9;             ///< bytes a second between CPU and GPU; option link
  double link_start = 10e-6;      ///< of each copy; option link_start
  bool copies = true;             ///< option copies: 0 = the data is on the GPU already

  double cpu_seconds(double n) const;
  struct Gpu {
    double launch = 0, copy_in = 0, kernel = 0, copy_out = 0;
    double total() const { return launch + copy_in + kernel + copy_out; }
  };
  Gpu gpu_seconds(double n) const;
  /// The smallest n up to `most` for which the GPU is first; nullopt: the CPU stays ahead.
  std::optional<double> crossover(double most) const;
};

/// Option `elements`: how many elements the run worked on. nullopt where nothing was counted.
std::optional<RaceTerms> make_race_terms(const ViewInput& input);

/// The plot's range, in elements.
inline constexpr double fewest_elements = 1, most_elements = 1e9;
inline constexpr size_t race_steps = 91;  ///< ten a decade
double elements_at(size_t step);
size_t step_near(double elements);

/// "0.32 ms", with as many digits as a model deserves.
std::string seconds_in_words(double seconds);
/// "48,000": two digits.
std::string rounded_count(double count);

}  // namespace warpbook::view
