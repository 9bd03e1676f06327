// warpbook occupancy: answers, errors and their exit codes.
#include "command.h"

using namespace command;

namespace {

json asked(const std::vector<std::string>& arguments, int code = 0) {
  std::vector<std::string> all = {"occupancy", "--json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const auto ran = run_warpbook(all);
  INFO(ran.out << ran.err);
  CHECK(ran.exit_code == code);
  return json::parse(ran.out, nullptr, false);
}

}  // namespace

TEST_CASE("occupancy answers with the keys of the contract") {
  const json out = asked({"--cc", "8.6", "--block", "256", "--regs", "40", "--dynamic", "1000"});
  CHECK(out["active_blocks"] == 6);
  CHECK(out["active_warps"] == 48);
  CHECK(out["occupancy_pct"] == 100.0);
  CHECK(out["limit_warps"] == 6);
  CHECK(out["limit_registers"] == 6);
  CHECK(out["limit_shared_memory"] == 50);
  CHECK(out["limit_blocks"] == 16);
  CHECK(out["limiting_factors"] == json{"warps", "registers"});
  CHECK(out["regs_allocated_per_block"] == 10240);
  CHECK(out["smem_allocated_per_block"] == 2048);
  REQUIRE(out["changes"].size() >= 3);
  for (const json& change : out["changes"]) CHECK(change["active_blocks"] != 6);
}

TEST_CASE("occupancy: a block that does not fit is an answer") {
  const json out = asked({"--gpu", "T4", "--block", "1024", "--regs", "128"});
  CHECK(out["active_blocks"] == 0);
  CHECK(out["limiting_factors"] == json{"registers"});
}

TEST_CASE("occupancy: input that means nothing is exit 4 and named") {
  const auto message = [](const std::vector<std::string>& arguments) {
    return asked(arguments, 4)["diagnostics"][0]["message"].get<std::string>();
  };
  CHECK(message({"--block", "0", "--regs", "32"}).find("0 threads") != std::string::npos);
  CHECK(message({"--block", "-3", "--regs", "32"}).find("-3") != std::string::npos);
  CHECK(message({"--block", "32", "--regs", "257"}).find("257 registers") != std::string::npos);
  CHECK(message({"--block", "32", "--regs", "8", "--static", "-1"}).find("static") != std::string::npos);
  CHECK(message({"--block", "32", "--regs", "8", "--gpu", "GTX 1"}).find("RTX 4090") != std::string::npos);
  CHECK(message({"--block", "32", "--regs", "8", "--cc", "8.7"}).find("8.6") != std::string::npos);
  CHECK(message({"--block", "32", "--regs", "8", "--cc", "8.6", "--gpu", "T4"}).find("--gpu") !=
        std::string::npos);
  CHECK(message({"--block", "many", "--regs", "8"}).find("--block") != std::string::npos);
  CHECK(run_warpbook({"occupancy", "--block", "32"}).exit_code == 4);
}

TEST_CASE("occupancy in words names the limit") {
  const auto ran = run_warpbook({"occupancy", "--gpu", "A100 40 GB", "--block", "96", "--regs", "48"});
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.find("39 of 64 warps: limited by the registers") != std::string::npos);
  CHECK(ran.out.find("nearest changes") != std::string::npos);
}
