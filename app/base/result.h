#pragma once
// Result<T>: a value, or an Error that says what happened, where, and what to try. For everything that users,
// files, compilers and drivers can cause; our own mistakes are asserts. No exception leaves a room.
#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace warpbook {

/// A place in a file that a person can open. line and column count from 1; 0 means unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

/// What kind of trouble it is; the command line turns it into an exit code (DESIGN section 3).
enum class Trouble {
  bad_input,    ///< arguments, lesson files, settings: exit 4
  not_found,    ///< a file, lesson, kernel or library is not there: exit 4
  io,           ///< disk full, no permission: exit 4
  compile,      ///< the learner's code does not compile: exit 2
  unsupported,  ///< this engine or machine cannot do it: exit 4
  limit,        ///< time or memory ran out: exit 3
  cancelled,    ///< somebody pressed Escape: exit 3
};

struct Error {
  std::string message;  ///< one plain sentence: what happened
  Trouble trouble = Trouble::bad_input;
  Location where;    ///< empty file = no place
  std::string hint;  ///< what to try; may be empty
};

/// "file:line:column: message (hint)", leaving out what is not known.
std::string to_string(const Error& error);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

/// For functions that return nothing but may fail: `return Done{};`.
struct Done {};

}  // namespace warpbook
