// What the other binding files need of the search.
#pragma once

#include <atomic>

namespace kibitz {

// Set from any thread to stop the searches that were given it.
struct CancelFlag {
  std::atomic<bool> set{false};
};

}  // namespace kibitz
