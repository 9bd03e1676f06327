// How the columns share the window.
#include "catch.h"
#include "ui/shell.h"

using namespace warpbook::ui;

TEST_CASE("the smallest good window folds the contents and still has a lab of 420 dp") {
  const Columns columns = columns_of(1280, false, 0, true);
  CHECK(columns.contents_folded);
  CHECK_FALSE(columns.tabs);
  CHECK(columns.lab >= 420);
  CHECK(columns.contents + columns.page + columns.lab == Approx(1280));
}

TEST_CASE("wide windows show all three columns, narrow ones turn the lab into a tab") {
  CHECK_FALSE(columns_of(1320, false, 0, true).contents_folded);
  CHECK(columns_of(1319, false, 0, true).contents_folded);
  CHECK_FALSE(columns_of(1100, false, 0, true).tabs);
  CHECK(columns_of(1099, false, 0, true).tabs);
}

TEST_CASE("a splitter dragged too far stops at both ends") {
  CHECK(columns_of(1600, false, 5000, true).lab >= 420);
  CHECK(columns_of(1600, false, 10, true).page >= 420);
}

TEST_CASE("pages without a lab take the whole width") {
  const Columns columns = columns_of(1600, false, 0, false);
  CHECK(columns.page == Approx(1600 - 240));
}

TEST_CASE("no width breaks the sum") {
  for (float width = 1; width < 4000; width += 37) {
    const Columns columns = columns_of(width, false, 700, true);
    CHECK(columns.page >= 0);
    CHECK(columns.lab >= 0);
  }
}
