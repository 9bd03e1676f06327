#pragma once
// The app's front door: what the command line hands over, and the loop that runs until the window closes.
#include <string>

#include "lab/session.h"
#include "result/surface.h"

namespace warpbook::ui {

struct AppOptions {
  SessionOptions session;
  std::string lesson;  ///< slug to open; empty = the last one, or the first
  bool headless = false;
  std::string script;         ///< JSON file of steps (see ui/script.h)
  std::string screenshot;     ///< PNG, written when everything is idle (after the script)
  int width = 0, height = 0;  ///< pixels; 0 = from the settings, or 1440 x 900
  float scale = 0;            ///< pixels a dp; 0 = the display's own, or the settings'
  std::string theme;          ///< light, dark; empty = from the settings
};

/// Returns the exit code: 0, 1 when an expectation of the script fails, 4 when there is no display or the
/// set-up is wrong (said on stderr). main hands in platform::make_surface.
int run_app(const AppOptions& options, const SurfaceMaker& make_surface);

}  // namespace warpbook::ui
