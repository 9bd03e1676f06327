#pragma once
// A loaded module: the parsed PTX, and its code decoded once a level on first use.
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "base/result.h"
#include "simt/code.h"
#include "simt/emulator.h"
#include "simt/local_objects.h"
#include "simt/ptx/module.h"

namespace warpbook::simt {

struct Family;

class Module {
 public:
  explicit Module(std::shared_ptr<const ptx::Module> parsed, LocalObjects objects = {})
      : parsed_(std::move(parsed)), objects_(std::move(objects)) {}
  const ptx::Module& parsed() const { return *parsed_; }
  /// Decoded for a level with the instruction set of this machine; kept. Safe from several threads.
  std::shared_ptr<const Code> code(Level level) const;

 private:
  std::shared_ptr<const ptx::Module> parsed_;
  LocalObjects objects_;
  mutable std::mutex mutex_;
  mutable std::map<Level, std::shared_ptr<const Code>> codes_;
};

/// Decodes every function: blocks in reverse post-order, slots by liveness, handlers from the instruction
/// table. Never fails: what cannot be decoded becomes an instruction that faults as `unsupported` when it is
/// reached.
std::shared_ptr<const Code> decode(std::shared_ptr<const ptx::Module> module, Level level,
                                   const LocalObjects& objects = {});
/// The same with a given instruction table.
std::shared_ptr<const Code> decode(std::shared_ptr<const ptx::Module> module, Level level,
                                   std::span<const Family> families, const LocalObjects& objects = {});

}  // namespace warpbook::simt
