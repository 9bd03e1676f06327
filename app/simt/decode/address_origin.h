#pragma once
// Where an address in local memory was computed from: a constant place in the function's depot, perhaps with
// a computed index on top. By the single writers of registers, as debug builds have them.
#include <optional>

#include "simt/ptx/module.h"

namespace warpbook::simt {

class AddressOrigins {
 public:
  explicit AddressOrigins(const ptx::Function& function);

  struct Origin {
    int64_t constant = 0;  ///< from the start of the depot
    bool indexed = false;  ///< something that is not constant was added
  };
  /// Of an address operand; nothing when it does not come from the depot.
  std::optional<Origin> of_address(const ptx::Operand& address) const;
  /// Instructions that write a register, ascending.
  const std::vector<uint32_t>& writers(uint32_t register_index) const { return writers_[register_index]; }

 private:
  std::optional<Origin> of_register(uint32_t register_index, int depth) const;
  const ptx::Function& function_;
  std::vector<std::vector<uint32_t>> writers_;
};

}  // namespace warpbook::simt
