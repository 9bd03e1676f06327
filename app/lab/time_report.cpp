#include "lab/time_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/time_model.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t most_terms = 4;

}  // namespace

std::string modelled_lines(const ModelledTime& m) {
  std::string text = fmt::format("  {} (between {} and {}); most of it: {}\n", time_in_words(m.us),
                                 time_in_words(m.low_us), time_in_words(m.high_us), dominating_in_words(m));
  text += fmt::format("  {} blocks, {} on each of {} SMs at once: {:.3g} waves\n",
                      with_thousands(uint64_t(m.blocks)), m.blocks_per_sm, m.sms, m.waves);
  for (size_t i = 0; i < std::min(m.terms.size(), most_terms); ++i)
    text += fmt::format("  {:<24} {:>10} cycles  ({})\n", m.terms[i].label,
                        fmt::format("{:.4g}", m.terms[i].cycles), m.terms[i].words);
  for (const MemoryLevel& level : m.memory)
    text += level.name == "DRAM" ? fmt::format("  {:<24} {:>10.4g} MB\n", level.name, level.bytes / 1e6)
                                 : fmt::format("  {:<24} {:>10.4g} MB, {:.0f} % served there\n", level.name,
                                               level.bytes / 1e6, 100 * level.hit_rate);
  if (m.sampled) text += fmt::format("  caches and cycles from {}\n", m.sampling);
  return text;
}

Json json_of(const ModelledTime& m) {
  Json out;
  out["gpu"] = m.gpu;
  out["stamp"] = "modelled (" + m.gpu + ")";
  out["us"] = m.us;
  out["low_us"] = m.low_us;
  out["high_us"] = m.high_us;
  out["dominating"] = m.dominating;
  out["terms"] = Json::array();
  for (const TimeTerm& term : m.terms)
    out["terms"].push_back(
        {{"name", term.name}, {"label", term.label}, {"cycles", term.cycles}, {"words", term.words}});
  out["formula"] = m.formula;
  out["launch_us"] = m.launch_us;
  out["clock_mhz"] = m.clock_mhz;
  out["blocks"] = m.blocks;
  out["blocks_per_sm"] = m.blocks_per_sm;
  out["sms"] = m.sms;
  out["waves"] = m.waves;
  out["wave_efficiency"] = m.wave_efficiency;
  out["memory"] = Json::array();
  for (const MemoryLevel& level : m.memory)
    out["memory"].push_back({{"name", level.name},
                             {"bytes", level.bytes},
                             {"hit_rate", level.hit_rate},
                             {"peak_gb_s", level.peak_gb_s}});
  out["shared_passes"] = m.shared_passes;
  out["shared_ideal_passes"] = m.shared_ideal_passes;
  out["flop"] = m.flop;
  out["peak_tflops"] = m.peak_tflops;
  out["sampling"] = m.sampled ? Json(m.sampling) : Json(nullptr);
  out["not_modelled"] = Json::array();
  for (const std::string_view line : not_modelled()) out["not_modelled"].push_back(std::string(line));
  return out;
}

}  // namespace warpbook
