#pragma once
// PTX as parsed: close to the text, nothing resolved but names and source places (PTX ISA chapters 4, 5, 7,
// 11).
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpbook::ptx {

enum class Type : uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  pred
};
/// Bits of a type; 1 for pred, 0 for none.
int bits_of(Type type);
bool is_float(Type type);
bool is_signed(Type type);
/// ".u32" or "u32" -> Type::u32; none when it is no type.
Type type_named(std::string_view name);

enum class Space : uint8_t { generic, reg, param, global, shared, constant, local };

/// A place in the learner's source, from `.loc`; a chain when the code was inlined.
struct SourcePoint {
  uint32_t file = 0;  ///< index into Module::files
  uint32_t line = 0, column = 0;
  std::string function;     ///< inlined function's name, when PTX tells
  int32_t inlined_at = -1;  ///< index of the caller's point in Module::points, or -1
  bool operator==(const SourcePoint&) const = default;
};

struct Operand {
  enum class Kind : uint8_t {
    none,
    reg,        ///< index = register of the function
    special,    ///< name = "%tid.x" and so on
    immediate,  ///< bits = value as written: integers sign-extended to 64 bits, 0f as 32 bits, 0d as 64
    symbol,     ///< name of a variable or function, plus offset: its address
    label,      ///< name; index = instruction index of the target in the function's body
    address,    ///< [reg + offset], [symbol + offset], [immediate]: base in `parts[0]`, offset in `offset`
    vector,     ///< {a, b, ...}: parts
    pair,       ///< d|p: parts[0], parts[1]
    list,       ///< (a, b): parts; arguments and results of calls
    discard,    ///< _
  };
  Kind kind = Kind::none;
  bool negated = false;       ///< !p, or unary minus before a register
  Type literal = Type::none;  ///< of an immediate: s64, u64, f32 (0f) or f64 (0d, decimal)
  uint32_t index = 0;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::string name;
  std::vector<Operand> parts;
};

struct Instruction {
  std::string opcode;                  ///< "add", "setp", "ld", "bar", "call"
  std::vector<std::string> modifiers;  ///< "rn", "ftz", "s32", "global", "v4": without dots, in order
  std::vector<Operand> operands;
  int32_t guard = -1;  ///< predicate register of @p, or -1
  bool guard_negated = false;
  int32_t point = -1;  ///< index into Module::points, or -1: no `.loc` yet
  uint32_t ptx_line = 0;
  bool malformed = false;  ///< its operands could not be read: fails as unsupported when it is reached

  bool has(std::string_view modifier) const;
  /// The k-th modifier that is a type; none when there are fewer.
  Type type(int k = 0) const;
  /// "add.s32", for messages.
  std::string full_name() const;
};

struct Register {
  std::string name;
  Type type = Type::none;
};

struct Variable {
  std::string name;
  std::string display;  ///< the learner's name: "sa" for "_ZZ8mm_tiledE2sa"
  Space space = Space::global;
  Type type = Type::b8;  ///< of one element as declared
  uint32_t alignment = 1;
  uint64_t bytes = 0;  ///< 0 for `.extern .shared s[]`
  bool external = false;
  std::vector<uint8_t> initial;  ///< zero-filled to `bytes`; empty = not initialised
  struct Relocation {
    uint64_t at;
    std::string symbol;
    int64_t addend;
    bool generic;
    uint32_t bytes;
  };
  std::vector<Relocation> relocations;
  std::string function;  ///< owner of a demoted or local variable, or empty
  bool pointer = false;  ///< a parameter with .ptr
  uint32_t scope = 0;    ///< of a local: 0 = the function's body, else a nested { } (Function::scope_parents)
};

struct Function {
  std::string name;
  bool entry = false;
  bool declared_only = false;                 ///< a prototype, or `.extern` (vprintf, malloc)
  std::vector<Variable> parameters, returns;  ///< Space::param
  std::vector<Variable> locals;  ///< .local depots, .param variables of call sequences, demoted .shared;
                                 ///< nested scopes are flattened: the parser renames what would clash
  std::vector<Register> registers;
  std::vector<Instruction> body;
  std::map<std::string, uint32_t> labels;  ///< to instruction index; may equal body.size()
  std::map<std::string, std::vector<std::string>> branch_targets;  ///< .branchtargets tables of brx.idx
  std::map<std::string, Function> prototypes;                      ///< .callprototype labels, bodies empty
  uint32_t max_threads = 0;                                        ///< .maxntid product, 0 = none
  int32_t first_point = -1;
  std::vector<uint32_t> scope_parents{0};  ///< by scope number; [0] is the body
};

struct Module {
  std::string version, target;
  bool debug = false;              ///< `.target ..., debug`: compiled for a debugger
  std::vector<std::string> files;  ///< by `.file` number; [0] unused
  std::vector<SourcePoint> points;
  std::vector<Variable> variables;  ///< module scope: global, constant, shared
  std::vector<Function> functions;
  const Function* function(std::string_view name) const;
  const Variable* variable(std::string_view name) const;
};

/// Any `.version` and `.target` is taken; unknown directives are skipped; unknown opcodes are kept as they
/// are. Errors: Trouble::bad_input with the PTX line, when the text cannot be split into statements at all.
Result<Module> parse(std::string_view text);

}  // namespace warpbook::ptx
