// dlopen and dlsym.
#include "bench/peers/shared_library.h"

#include <dlfcn.h>

namespace tessera::bench {

SharedLibrary::SharedLibrary(const char *file) : handle(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (!handle) message = std::string(file) + " is not installed";
}

void *SharedLibrary::address(const char *symbol) const { return handle ? dlsym(handle, symbol) : nullptr; }

void setOpenMpThreads(int threads) {
  static const SharedLibrary openMp("libgomp.so.1");
  static auto *set = openMp.find<void(int)>("omp_set_num_threads");
  if (set) set(threads);
}

} // namespace tessera::bench
