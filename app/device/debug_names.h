#pragma once
// Names for what a debug build's run found: which variable an address or a register belongs to, the element
// as the learner would write it, and the values of the variables in scope.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/debug_info.h"
#include "device/device.h"
#include "result/diagnosis.h"
#include "result/moment.h"
#include "simt/decode/address_origin.h"
#include "simt/local_objects.h"
#include "simt/ptx/module.h"

namespace warpbook {

class DebugNames {
 public:
  static Result<DebugNames> read(const CompiledCode& debug_build);

  /// NVRTC describes no `__shared__` array of a function; the same source with that word blanked (see
  /// without_shared) describes them as local arrays, whose shapes are taken from here.
  void take_shapes(DebugInfo shapes) { shapes_ = std::move(shapes); }

  /// Fills buffer, index, elements, element and variables of a diagnosis that brings its moment.
  void name(Diagnosis& diagnosis) const;

 private:
  struct Object {  ///< a variable, or an array inside one
    std::string name;
    int type = -1;
    const DebugInfo* info = nullptr;
    int64_t offset = 0;  ///< of the access from its start, bytes
  };
  using Origin = simt::AddressOrigins::Origin;
  struct Function {
    const ptx::Function* source = nullptr;
    simt::AddressOrigins origins;
  };

  const Function* function(const std::string& name) const;
  const DebugFunction* learner_function(const Diagnosis& diagnosis,
                                        const Moment::Activation*& activation) const;
  std::optional<Object> local_object(const Moment& moment, uint32_t activation, uint64_t address,
                                     const std::optional<Origin>& origin) const;
  std::optional<Object> object_of_register(const Moment& moment, int32_t register_index, uint32_t at,
                                           int depth) const;
  std::optional<Object> object_of_access(const Diagnosis& diagnosis) const;
  void describe(const Object& object, Diagnosis& diagnosis) const;
  void list_variables(Diagnosis& diagnosis) const;

  std::shared_ptr<const ptx::Module> module_;
  DebugInfo info_;
  std::optional<DebugInfo> shapes_;
  std::vector<std::pair<std::string, Function>> functions_;
};

/// The variables that lie in local memory, arrays in structs apart: what the emulator keeps indices within.
simt::LocalObjects local_objects(const DebugInfo& info);

/// The source with `__shared__` inside function bodies (where it is not `extern`) replaced by blanks of the
/// same length; nothing when there is none.
std::optional<std::string> without_shared(std::string_view source);

}  // namespace warpbook
