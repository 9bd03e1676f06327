#include "base/complaint.h"

#include <utility>

namespace warpbook {

Error complaint(std::string message, std::string hint, Location where) {
  return complaint(Trouble::bad_input, std::move(message), std::move(hint), std::move(where));
}

Error complaint(Trouble trouble, std::string message, std::string hint, Location where) {
  Error error;
  error.message = std::move(message);
  error.trouble = trouble;
  error.where = std::move(where);
  error.hint = std::move(hint);
  return error;
}

}  // namespace warpbook
