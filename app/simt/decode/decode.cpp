// A whole module: its functions one by one, then what depends on who calls whom.
#include <unordered_map>

#include "simt/decode/call_graph.h"
#include "simt/decode/decode_function.h"
#include "simt/families.h"
#include "simt/module.h"

namespace warpbook::simt {

const VariablePlace* CodeFunction::place(std::string_view variable) const {
  for (const VariablePlace& p : places) {
    if (p.name == variable) return &p;
  }
  return nullptr;
}

const CodeFunction* Code::function(std::string_view name) const {
  for (const auto& f : functions) {
    if (f->name == name) return f.get();
  }
  return nullptr;
}

std::shared_ptr<const Code> decode(std::shared_ptr<const ptx::Module> module, Level level,
                                   const LocalObjects& objects) {
  return decode(std::move(module), level, families_for_this_machine(), objects);
}

std::shared_ptr<const Code> decode(std::shared_ptr<const ptx::Module> module, Level level,
                                   std::span<const Family> families, const LocalObjects& objects) {
  auto code = std::make_shared<Code>();
  code->module = std::move(module);
  const ptx::Module& parsed = *code->module;
  size_t instructions = 0;
  for (const ptx::Function& f : parsed.functions) instructions += f.body.size();
  code->sites.reserve(instructions + instructions / 4);
  std::vector<CodeFunction*> of_source(parsed.functions.size(), nullptr);
  UnwrittenValues values;
  values.usable = parsed.debug && level == Level::check;
  if (values.usable) values = unwritten_values(parsed, families);
  code->follows_values = values.usable;
  for (uint32_t f = 0; f < parsed.functions.size(); ++f) {
    if (parsed.functions[f].declared_only) continue;
    auto decoded = std::make_unique<CodeFunction>();
    decoded->name = parsed.functions[f].name;
    decoded->index = uint32_t(code->functions.size());
    decoded->source = &parsed.functions[f];
    decode_function(*code, *decoded, level, families, values.usable ? &values : nullptr, objects);
    of_source[f] = decoded.get();
    code->functions.push_back(std::move(decoded));
  }

  const CallGraph calls(parsed);
  const std::vector<uint8_t> recursive = calls.recursive();
  std::vector<uint8_t> own(parsed.functions.size(), 0);
  bool any = false;
  for (uint32_t f = 0; f < parsed.functions.size(); ++f) {
    if (!of_source[f]) continue;
    of_source[f]->recursive = recursive[f];
    own[f] = of_source[f]->blocks_may_communicate;
    any |= own[f] != 0;
  }
  code->blocks_may_communicate = any;
  if (!any) return code;
  for (uint32_t f = 0; f < parsed.functions.size(); ++f) {
    if (!of_source[f] || own[f]) continue;
    for (const uint32_t callee : calls.reachable(f)) of_source[f]->blocks_may_communicate |= own[callee] != 0;
  }
  return code;
}

}  // namespace warpbook::simt
