// Every entry of the driver fails, in turn, at its first and later calls, with a plain and with a sticky
// code: what comes back is a sentence, and afterwards the same device works again.
#include <fmt/format.h>

#include "device/cuda_driver.h"
#include "device/standin.h"

using namespace warpbook;
using namespace warpbook::gpu_code;

namespace {

struct Said {
  std::vector<std::string> sentences;
  bool hung_up = false;
};

/// Asks for the grid's workspace, as cooperative_groups' grid.sync() does, and so for a cooperative launch.
constexpr const char* grid_code =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry meet(.param .u64 p_out)\n{\n"
    "  .reg .b32 %r<2>;\n  .reg .b64 %rd<2>;\n  mov.u32 %r1, %envreg1;\n  ld.param.u64 %rd1, [p_out];\n"
    "  st.global.u32 [%rd1], %r1;\n  ret;\n}\n";

/// What else has to fail so that an entry comes to its turn.
std::string companion_of(const std::string& symbol) {
  // The pixel buffer's where textures are refused.
  if (symbol == "cuGraphicsGLRegisterBuffer" || symbol == "cuGraphicsResourceGetMappedPointer_v2")
    return ",cuGraphicsGLRegisterImage:0:801";
  // A code's name and text are asked for when there is one to tell: one that is not known here.
  if (symbol == "cuGetErrorName" || symbol == "cuGetErrorString")
    return ",cuMemAlloc_v2:2:12345,cuMemAlloc_v2:3:12345,cuMemAlloc_v2:4:12345,cuMemAlloc_v2:5:12345";
  // A context is reset when it is lost.
  if (symbol == "cuDevicePrimaryCtxReset_v2") return ",cuLaunchKernel:0:700";
  return {};
}

/// Everything that a device is used for; stops at nothing.
void use_everything(Device& device, Said& said) {
  const auto keep = [&](const auto& result) {
    if (!result) said.sentences.push_back(result.error().message);
    return result.ok();
  };
  keep(add_once(device, 5));
  const auto out = device.allocate(64 * 4, "out", 4);
  if (keep(out)) {
    const std::vector<KernelArgument> arguments{argument("out", *out)};
    keep(device.measure("grow", one_warp, arguments, {1, 2, 1, true}));
    ImageTarget target;
    target.handle = 3, target.width = 8, target.height = 8, target.pixel_buffer = 4;
    target.upload = [](void*, const ImageTarget&, const uint32_t*) {};
    target.unpack = [](void*, const ImageTarget&) {};
    keep(device.write_image(target, *out, ImageWay::automatic));
    keep(device.write_image(target, *out, ImageWay::through_host));
    keep(device.write_image(target, *out, ImageWay::without_copy));
    device.forget_image(target);
    keep(device.free(*out));
  }
  device.reset();
  CompiledCode cooperative = compiled();
  cooperative.ptx = grid_code;
  if (keep(device.load(cooperative))) {
    if (const auto buffer = device.allocate(128, "out", 4); keep(buffer)) {
      const std::vector<KernelArgument> arguments{argument("out", *buffer)};
      keep(device.launch("meet", one_warp, arguments));
    }
  }
  Launch shared = one_warp;
  shared.shared_bytes = 60000;
  shared.shared_optin = true;
  const auto outcome = run_one(device, "shared", shared);
  if (keep(outcome))
    for (const Diagnosis& d : outcome->report.diagnostics) said.sentences.push_back(d.message);
}

bool is_sentence(const std::string& text) {
  return text.size() > 10 && text.back() == '.' && text.find("{}") == std::string::npos;
}

}  // namespace

TEST_CASE("whatever call of the driver fails, a sentence comes back and the device works afterwards") {
  StandIn standin;
  const Setting two("STANDIN_DEVICES", "2");
  int used = 0, failed_somewhere = 0;
  for (const cuda::EntryName& entry : cuda::entry_names()) {
    const std::string symbol(entry.symbol);
    bool any = false;
    for (const int nth : {1, 2, 4}) {
      for (const int code : {cuda::code::unknown, cuda::code::out_of_memory, cuda::code::illegal_address}) {
        INFO(symbol << " call " << nth << " gives " << code);
        standin.forget();
        Said said;
        std::unique_ptr<Device> device;
        {
          const Setting fail("STANDIN_FAIL",
                             fmt::format("{}:{}:{}{}", symbol, nth, code, companion_of(symbol)));
          auto made = make_cuda_device();
          if (made) {
            device = std::move(*made);
            use_everything(*device, said);
          } else {
            said.sentences.push_back(made.error().message);
          }
          // Another one comes and goes while calls fail: ends fail as well.
          // (On another GPU: two devices on one share its context, and a fault in it is both's.)
          CudaOptions second;
          second.gpu = "1";
          Said unheard;
          if (auto other = make_cuda_device(second)) {
            if (symbol.find("Free") != std::string::npos)
              use_everything(**other, unheard);
            else
              static_cast<void>(add_once(**other, 1).ok());
          }
          any = any || standin.calls(symbol.c_str()) >= nth;
        }
        for (const std::string& sentence : said.sentences) {
          INFO(sentence);
          CHECK(is_sentence(sentence));
        }
        failed_somewhere += said.sentences.empty() ? 0 : 1;
        if (!device) {
          auto again = make_cuda_device();
          REQUIRE(again.ok());
          device = std::move(*again);
        }
        const auto works = add_once(*device, 9);
        INFO((works ? "" : works.error().message));
        CHECK(works.ok());
        CHECK(standin.misuse() == "");
        device.reset();
        CHECK(standin.misuse() == "");
      }
    }
    INFO(symbol);
    CHECK(any);
    used += any ? 1 : 0;
  }
  CHECK(used == int(cuda::entry_names().size()));  // every row of the table
  CHECK(failed_somewhere > 140);
}

TEST_CASE("freeing that fails leaves no more than what could not be freed") {
  StandIn standin;
  {
    auto made = make_cuda_device();
    REQUIRE(made.ok());
    REQUIRE(add_once(**made, 1).ok());
    const Setting fail("STANDIN_FAIL", "cuMemFree_v2:1:999");
    (*made)->reset();
    REQUIRE(add_once(**made, 1).ok());
  }
  CHECK(standin.misuse() == "");
  CHECK(standin.leaks() == "1 allocations left\n");
}

TEST_CASE("a driver without an entry is too old, or lacks pictures alone") {
  // The stand-in has all entries; that each is looked up by name is seen at the table itself.
  int needed = 0, pictures = 0;
  for (const cuda::EntryName& entry : cuda::entry_names()) {
    CHECK(entry.symbol.substr(0, 2) == "cu");
    CHECK(entry.older != entry.symbol);
    (entry.needed ? needed : pictures) += 1;
  }
  CHECK(needed > 30);
  CHECK(pictures >= 8);
}
