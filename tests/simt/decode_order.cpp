// The order of basic blocks: what makes "run the lanes with the lowest block" reconverge where programs join.
#include <algorithm>
#include <random>
#include <set>

#include "catch.h"
#include "decode_table.h"
#include "simt/decode/control_flow.h"

using namespace warpbook;
using namespace warpbook::simt;

namespace {

using Graph = std::vector<std::vector<uint32_t>>;

std::vector<uint8_t> reached_from(const Graph& graph, uint32_t start) {
  std::vector<uint8_t> seen(graph.size(), 0);
  std::vector<uint32_t> stack{start};
  seen[start] = 1;
  while (!stack.empty()) {
    const uint32_t node = stack.back();
    stack.pop_back();
    for (const uint32_t s : graph[node]) {
      if (!seen[s]) seen[s] = 1, stack.push_back(s);
    }
  }
  return seen;
}

ControlFlow flow_of(const std::string& body) {
  static std::vector<std::shared_ptr<const ptx::Module>> keep;
  const auto module =
      test::parsed(test::header + ".entry k() { .reg .pred %p<9>; .reg .b32 %r<9>;\n" + body + "}\n");
  REQUIRE(module);
  const ptx::Function& f = module->functions[0];
  std::vector<uint8_t> terminators;
  for (const auto& i : f.body)
    terminators.push_back(i.opcode == "bra" || i.opcode == "ret" || i.opcode == "brx");
  return control_flow(f, terminators);
}

/// Names each block by the constant that its first instruction moves to %r0; "-" = a jump-back block.
std::string order_of(const std::string& body) {
  const auto module =
      test::parsed(test::header + ".entry k() { .reg .pred %p<9>; .reg .b32 %r<9>;\n" + body + "}\n");
  REQUIRE(module);
  std::string order;
  for (const FlowBlock& block : flow_of(body).blocks) {
    if (block.first == block.last) {
      order += block.needs_return ? "." : "-";
      continue;
    }
    const ptx::Instruction& first = module->functions[0].body[block.first];
    order += first.opcode == "mov" ? char('a' + first.operands[1].bits) : '?';
  }
  return order;
}

/// Runs 32 lanes lowest block first; each lane goes as `choice(lane, block)` says. Returns the masks in which
/// blocks ran.
template <class Choice>
std::vector<std::pair<uint32_t, uint32_t>> run_lowest_first(const ControlFlow& flow, Choice choice,
                                                            size_t limit) {
  std::vector<uint32_t> at(32, 0);
  std::vector<std::pair<uint32_t, uint32_t>> ran;
  while (ran.size() < limit) {
    const uint32_t block = *std::min_element(at.begin(), at.end());
    if (block == no_block) break;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if (at[lane] != block) continue;
      mask |= 1u << lane;
      const auto& next = flow.blocks[block].successors;
      at[lane] = next.empty() ? no_block : next[choice(lane, block) % next.size()];
    }
    ran.emplace_back(block, mask);
  }
  return ran;
}

}  // namespace

TEST_CASE("a branch's two sides come before what follows them, also when the text has them the other way") {
  CHECK(order_of("mov.u32 %r0, 0; @%p1 bra ELSE; mov.u32 %r0, 1; bra JOIN; ELSE: mov.u32 %r0, 2; JOIN: "
                 "mov.u32 %r0, 3; ret;") == "abcd");
  CHECK(
      order_of("mov.u32 %r0, 0; @%p1 bra ELSE; JOIN: mov.u32 %r0, 1; ret; ELSE: mov.u32 %r0, 2; bra JOIN;") ==
      "acb");
}

TEST_CASE("a loop lies together and its exit comes after it") {
  // The exit block stands in the middle of the loop's text.
  CHECK(order_of("mov.u32 %r0, 0; HEAD: mov.u32 %r0, 1; @%p1 bra BODY; mov.u32 %r0, 2; ret; "
                 "BODY: mov.u32 %r0, 3; @%p2 bra HEAD; mov.u32 %r0, 4; ret;") == "abdce");
}

TEST_CASE("nested loops with break and continue") {
  // for (a..) { b; for (c..) { if (p3) break; d } e; if (p5) continue; f } g
  const std::string body =
      "mov.u32 %r0, 0;\n"
      "OUTER: mov.u32 %r0, 1; @%p1 bra END;\n"
      "INNER: mov.u32 %r0, 2; @%p3 bra AFTER;\n"
      "mov.u32 %r0, 3; @%p4 bra INNER;\n"
      "AFTER: mov.u32 %r0, 4; @%p5 bra OUTER;\n"
      "mov.u32 %r0, 5; bra OUTER;\n"
      "END: mov.u32 %r0, 6; ret;";
  // Two ways lead back to OUTER, so lanes that continue wait in a jump-back block.
  CHECK(order_of(body) == "abcdef-g");
  const ControlFlow flow = flow_of(body);
  CHECK(flow.blocks[4].successors == std::vector<uint32_t>{6, 5});
  CHECK(flow.blocks[5].successors == std::vector<uint32_t>{6});
  CHECK(flow.blocks[6].successors == std::vector<uint32_t>{1});
  CHECK(flow.blocks[6].needs_jump);
  CHECK(flow.destination(0, flow.blocks[1].first) == 1);
  CHECK(flow.destination(4, flow.blocks[1].first) == 6);

  // All lanes do three rounds; odd ones `continue`. Each round's first block runs once, with all lanes.
  std::vector<int> rounds(32, 0);
  const auto ran = run_lowest_first(
      flow,
      [&](uint32_t lane, uint32_t block) -> uint32_t {
        const auto& next = flow.blocks[block].successors;
        auto toward = [&](uint32_t to) {
          return uint32_t(std::find(next.begin(), next.end(), to) - next.begin());
        };
        if (block == 1) return rounds[lane]++ == 3 ? toward(7) : toward(2);
        if (block == 2) return toward(3);
        if (block == 3) return toward(4);
        if (block == 4) return lane % 2 ? toward(6) : toward(5);
        return 0;
      },
      1000);
  int headers = 0;
  for (const auto& [block, mask] : ran) {
    if (block != 1) continue;
    ++headers;
    CHECK(mask == 0xffffffffu);
  }
  CHECK(headers == 4);
}

TEST_CASE("unreachable blocks are dropped, an open end gets a return") {
  CHECK(order_of("mov.u32 %r0, 0; bra L; mov.u32 %r0, 1; ret; L: mov.u32 %r0, 2;") == "ac.");
  CHECK(order_of("mov.u32 %r0, 0; @%p1 bra END; mov.u32 %r0, 1; ret; END:") == "ab.");
  CHECK(order_of("") == ".");
}

TEST_CASE("without loops every block runs once, with all lanes that pass it") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    // A random acyclic graph, its text shuffled: block i may go to blocks behind it in `rank`.
    const uint32_t blocks = 2 + random() % 12;
    std::string body;
    std::vector<uint32_t> places(blocks);
    for (uint32_t i = 0; i < blocks; ++i) places[i] = i;
    std::shuffle(places.begin() + 1, places.end(), random);
    for (const uint32_t rank : places) {
      body += "B" + std::to_string(rank) + ": mov.u32 %r0, " + std::to_string(rank) + ";\n";
      if (rank + 1 >= blocks) {
        body += "ret;\n";
        continue;
      }
      auto later = [&] { return "B" + std::to_string(rank + 1 + random() % (blocks - rank - 1)); };
      body += "@%p1 bra " + later() + ";\nbra " + later() + ";\n";
    }
    const ControlFlow flow = flow_of(body);
    const auto ran = run_lowest_first(
        flow, [&](uint32_t, uint32_t) { return uint32_t(random()); }, 1000);
    std::set<uint32_t> seen;
    for (const auto& [block, mask] : ran) {
      INFO(body);
      CHECK(seen.insert(block).second);
    }
  }
}

TEST_CASE("weak order of random graphs") {
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    const uint32_t nodes = 1 + random() % 20;
    Graph graph(nodes);
    for (auto& next : graph) {
      const uint32_t edges = random() % 3;
      for (uint32_t e = 0; e < edges; ++e) next.push_back(random() % nodes);
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
    }
    const WeakOrder weak = weak_order(graph);
    std::vector<std::vector<uint8_t>> reaches;
    for (uint32_t n = 0; n < nodes; ++n) reaches.push_back(reached_from(graph, n));
    std::vector<uint32_t> place(nodes, no_block);
    for (uint32_t i = 0; i < weak.order.size(); ++i) {
      REQUIRE(place[weak.order[i]] == no_block);
      place[weak.order[i]] = i;
    }
    CHECK(weak.order.front() == 0);
    for (uint32_t n = 0; n < nodes; ++n) {
      CHECK((place[n] != no_block) == bool(reaches[0][n]));
      if (place[n] == no_block) continue;
      for (const uint32_t s : graph[n]) {
        // An edge goes on, or back inside a loop.
        if (place[s] <= place[n]) CHECK(reaches[s][n]);
      }
      for (uint32_t m = 0; m < nodes; ++m) {
        // Nodes of one loop have only nodes of that loop between them.
        if (place[m] == no_block || place[m] < place[n] || !reaches[n][m] || !reaches[m][n]) continue;
        for (uint32_t i = place[n]; i <= place[m]; ++i) {
          CHECK(reaches[n][weak.order[i]]);
          CHECK(reaches[weak.order[i]][n]);
        }
      }
    }
  }
}

TEST_CASE("thousands of nested loops end in time") {
  std::string body;
  constexpr int deep = 3000;
  for (int i = 0; i < deep; ++i) body += "L" + std::to_string(i) + ": mov.u32 %r0, 0;\n";
  for (int i = deep; i-- > 0;) body += "@%p1 bra L" + std::to_string(i) + ";\n";
  const ControlFlow flow = flow_of(body + "ret;");
  CHECK(flow.blocks.size() >= 2 * deep);
}
