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
  // What is used at all; the older names serve older drivers only.
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
          // The pixel buffer's entries come to their turn where textures are refused.
          const bool of_buffers =
              symbol == "cuGraphicsGLRegisterBuffer" || symbol == "cuGraphicsResourceGetMappedPointer_v2";
          const Setting fail("STANDIN_FAIL",
                             fmt::format("{}:{}:{}{}", symbol, nth, code,
                                         of_buffers ? ",cuGraphicsGLRegisterImage:0:801" : ""));
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
    const bool tried = any || symbol == "cuLaunchCooperativeKernel" ||
                       symbol == "cuDevicePrimaryCtxReset_v2" || symbol == "cuGetErrorString" ||
                       symbol == "cuGetErrorName";
    CHECK(tried);
    used += any ? 1 : 0;
  }
  CHECK(used > 35);
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
