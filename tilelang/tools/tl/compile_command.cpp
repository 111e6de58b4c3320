// tl compile.
#include "core/error.h"
#include "tilelang/driver/cache.h"
#include "tilelang/tools/tl/commands.h"
#include "tilelang/tools/tl/subject.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace tessera::tool {
namespace {

void write(const std::string &text, const std::string &path) {
  if (path.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  if (!(file << text) || !file.flush())
    throw Error(Diagnostic{fmt::format("cannot write {}: {}", path, std::strerror(errno)), {}, ""});
}

Stage stageOf(const std::string &name) {
  return name == "tile" ? Stage::tile : name == "llvm" ? Stage::llvm : Stage::assembly;
}

std::string endLine(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

} // namespace

int compileSubject(const Options &options) {
  Subject subject = Subject::open(options.subjects.at(0), options);
  auto start = std::chrono::steady_clock::now();
  Kernel kernel = subject.compile(options);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::string text;
  if (!options.printAfter.empty()) text += endLine(kernel.irAfter(options.printAfter));
  if (!options.emit.empty()) text += endLine(kernel.emit(stageOf(options.emit)));
  if (options.emit.empty() && options.printAfter.empty())
    text = fmt::format("{}\ncompiled for {} in {:.1f} ms{}\n", kernel.signature().text(), kernel.target(),
                       seconds * 1e3, cacheStatistics().diskHits > 0 ? ", found in the cache" : "");
  if (options.emit.empty() && options.printAfter.empty() && !subject.tunedText().empty())
    text += fmt::format("tuned to {}\n", subject.tunedText());
  write(text, options.output);
  return 0;
}

} // namespace tessera::tool
