// See declaration.h.
#include "simt/ptx/declaration.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>

#include "simt/ptx/constant_expression.h"
#include "simt/ptx/names.h"

namespace warpbook::ptx {
namespace {

/// A text of a few bytes must not make us fill gigabytes: initialised variables stay below this.
constexpr uint64_t largest_initialised = uint64_t(1) << 28;

/// Writes initial values element by element.
class Initialiser {
 public:
  Initialiser(Scanner& scanner, Variable& variable, uint32_t element_bytes)
      : scanner_(scanner), variable_(variable), element_(element_bytes) {}

  /// `dimensions` from the outermost one; a size of 0 means as many as there are values.
  bool read(const std::vector<uint64_t>& dimensions) {
    if (!scanner_.accept('{')) return value();
    return list(dimensions, 0);
  }

 private:
  bool list(const std::vector<uint64_t>& dimensions, size_t level) {
    // Inner lists may be cut short as well: each starts at a multiple of its row.
    uint64_t row = element_;
    for (size_t k = level + 1; k < dimensions.size(); ++k) row *= std::max<uint64_t>(dimensions[k], 1);
    if (row > largest_initialised || level > 8)
      return scanner_.fail("an array is too large to be initialised");
    const uint64_t start = at_;
    uint64_t index = 0;
    while (!scanner_.accept('}')) {
      if (scanner_.failed()) return false;
      if (scanner_.accept('{')) {
        at_ = start + index * row;
        if (!list(dimensions, level + 1)) return false;
        at_ = start + ++index * row;
      } else if (!value()) {
        return false;
      }
      if (scanner_.peek() == '}') continue;
      if (!scanner_.expect(',', "between two initial values")) return false;
    }
    return true;
  }

  bool value() {
    const auto number = constant_expression(scanner_);
    if (number && scanner_.peek() != '(') {
      uint64_t bits = number->bits;
      if (element_ == 4 && number->literal == Type::f64 && is_float(variable_.type)) {
        bits = std::bit_cast<uint32_t>(float(std::bit_cast<double>(bits)));
      }
      if (!grow()) return false;
      std::memcpy(variable_.initial.data() + at_, &bits, std::min<size_t>(element_, sizeof bits));
      at_ += element_;
      return true;
    }
    // An address: symbol, symbol+4, generic(symbol)+4, or one byte of one, 0xFF00(generic(symbol)).
    const uint64_t mask = number ? number->bits : ~uint64_t(0);
    if (number) scanner_.accept('(');
    Variable::Relocation relocation{at_, {}, 0, false, element_};
    std::string_view symbol = scanner_.word();
    if (symbol == "generic" && scanner_.accept('(')) {
      relocation.generic = true;
      symbol = scanner_.word();
      if (!scanner_.expect(')', "after generic(")) return false;
    }
    if (symbol.empty()) return scanner_.fail("an initial value cannot be read");
    relocation.symbol = symbol;
    while (scanner_.peek() == '+' || scanner_.peek() == '-') {
      const auto addend = constant_product(scanner_);
      if (!addend) return scanner_.fail("the offset of an address cannot be read");
      relocation.addend = int64_t(uint64_t(relocation.addend) + *addend);
    }
    if (number && !scanner_.expect(')', "after a masked address")) return false;
    if (!grow()) return false;
    const int shift = mask == 0 ? 0 : std::countr_zero(mask);
    if (!number || shift == 0) {
      variable_.relocations.push_back(std::move(relocation));
    } else if (!variable_.relocations.empty()) {
      // The next byte of the same address makes one longer relocation.
      Variable::Relocation& last = variable_.relocations.back();
      if (last.symbol == relocation.symbol && last.at + last.bytes == at_ && int(last.bytes) * 8 == shift) {
        last.bytes += element_;
      } else {
        return scanner_.fail("the bytes of an address do not follow each other");
      }
    }
    at_ += element_;
    return true;
  }

  bool grow() {
    const uint64_t end = at_ + element_;
    if (end <= variable_.initial.size() && variable_.bytes != 0) return true;
    if (variable_.bytes != 0 && end > variable_.bytes) {
      return scanner_.fail(fmt::format("'{}' has more initial values than elements", variable_.name));
    }
    if (end > largest_initialised) return scanner_.fail("an array is too large to be initialised");
    if (end > variable_.initial.size()) variable_.initial.resize(std::max(end, variable_.bytes));
    return true;
  }

  Scanner& scanner_;
  Variable& variable_;
  uint32_t element_;
  uint64_t at_ = 0;
};

uint32_t bytes_of_element(const DeclarationHead& head) {
  return std::max(1, bits_of(head.type) / 8) * head.vector;
}

bool is_alignment(uint64_t n) { return n != 0 && n <= 4096 && std::has_single_bit(n); }

}  // namespace

bool read_declaration_head(Scanner& scanner, DeclarationHead& head) {
  for (;;) {
    const std::string_view name = scanner.dotted();
    if (name.empty()) return !scanner.failed();
    if (name == "align") {
      const auto alignment = scanner.integer();
      if (!alignment || !is_alignment(*alignment)) return scanner.fail("an alignment must be a power of two");
      if (!head.pointer) head.alignment = uint32_t(*alignment);  // after .ptr it speaks of what is pointed to
    } else if (name == "v2" || name == "v4" || name == "v8") {
      head.vector = uint32_t(name[1] - '0');
    } else if (name == "ptr") {
      head.pointer = true;
    } else if (name == "attribute") {
      if (scanner.accept('(')) {
        while (!scanner.accept(')')) {
          if (scanner.dotted().empty() && !scanner.number() && scanner.word().empty() &&
              !scanner.accept(',')) {
            return scanner.fail("an attribute cannot be read");
          }
        }
      }
    } else if (const Type type = type_named(name); type != Type::none) {
      head.type = type;
    }
  }
}

bool read_declarator(Scanner& scanner, const DeclarationHead& head, Variable& variable,
                     std::string_view* written) {
  const std::string_view name = scanner.word();
  if (written) *written = name;
  if (name.empty()) return scanner.fail("a declaration has no name");
  variable.name = name;
  variable.display = display_name(name);
  variable.space = head.space;
  variable.type = head.type;
  variable.pointer = head.pointer;
  const uint32_t element = bytes_of_element(head);
  variable.alignment = head.alignment ? head.alignment : element;
  std::vector<uint64_t> dimensions;
  uint64_t bytes = element;
  while (scanner.accept('[')) {
    uint64_t size = 0;
    if (scanner.peek() != ']') {
      const auto read = constant_expression(scanner);
      if (!read || is_float(read->literal))
        return scanner.fail(fmt::format("the size of '{}' cannot be read", variable.name));
      size = read->bits;
    }
    if (!scanner.expect(']', "after an array size")) return false;
    dimensions.push_back(size);
    if (__builtin_mul_overflow(bytes, size, &bytes) ||
        bytes > uint64_t(std::numeric_limits<int64_t>::max())) {
      return scanner.fail(fmt::format("'{}' is too large", variable.name));
    }
  }
  variable.bytes = bytes;
  if (scanner.accept('=')) {
    // A vector's initialiser lists its components.
    const uint32_t component = std::max(1, bits_of(head.type) / 8);
    if (head.vector > 1) dimensions.push_back(head.vector);
    if (variable.bytes > largest_initialised) return scanner.fail("an array is too large to be initialised");
    if (!Initialiser(scanner, variable, component).read(dimensions)) return false;
    if (variable.bytes == 0) variable.bytes = variable.initial.size();
    variable.initial.resize(variable.bytes);
  }
  return !scanner.failed();
}

bool read_parameters(Scanner& scanner, std::vector<Variable>& parameters) {
  if (scanner.accept(')')) return true;
  do {
    DeclarationHead head;
    const std::string_view space = scanner.dotted();
    if (space != "param" && space != "reg") return scanner.fail("a parameter must be .param or .reg");
    head.space = space == "reg" ? Space::reg : Space::param;
    Variable& variable = parameters.emplace_back();
    if (!read_declaration_head(scanner, head) || !read_declarator(scanner, head, variable)) return false;
  } while (scanner.accept(','));
  return scanner.expect(')', "after the parameters");
}

bool read_register_declarator(Scanner& scanner, RegisterDeclarator& declarator) {
  declarator = {};
  declarator.name = scanner.word();
  if (declarator.name.empty()) return scanner.fail("a register has no name");
  if (scanner.accept('<')) {
    const auto count = scanner.integer();
    if (!count || *count > (1u << 20)) return scanner.fail("a number of registers cannot be read");
    declarator.count = uint32_t(*count);
    declarator.numbered = true;
    return scanner.expect('>', "after a number of registers");
  }
  return true;
}

}  // namespace warpbook::ptx
