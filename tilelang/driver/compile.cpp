// Finds or makes the code of a program.
#include "tilelang/driver/compile.h"

#include "core/thread_pool.h"
#include "tilelang/driver/CpuCompiler.h"
#include "tilelang/driver/compiler_version.h"
#include "tilelang/driver/kernel_state.h"

#include <fmt/format.h>

namespace tessera {
namespace {

void checkThreads(int threads) {
  if (threads >= 0 && threads <= kMaxThreads) return;
  throw Error(Diagnostic{fmt::format("thread count {} is not from 0 to {}", threads, kMaxThreads),
                         {},
                         "0 means every CPU of the process"});
}

/// Everything that the code depends on.
Hash128 codeKey(const ProgramFacts &facts, const cpu::CpuOptions &options) {
  bool withLines = facts.hasAssertions || options.trapOutOfBounds;
  const Hash128 &content = withLines ? facts.contentWithLines : facts.content;
  const cpu::CpuIsa &isa = options.isa;
  Hasher hasher;
  hasher.add(compilerVersion()).add(content.high).add(content.low).add(withLines);
  hasher.add(isa.name).add(isa.triple).add(isa.cpu).add(isa.features);
  hasher.add(isa.chip.content.high).add(isa.chip.content.low).add(options.trapOutOfBounds).add(options.orderedAtomics);
  return hasher.finish();
}

LoadedCode cpuCode(const Kernel::State &state) {
  cpu::CpuOptions options = state.cpuOptions();
  auto build = [&] { return compileCpuObject(*state.facts, options); };
  if (!options.isa.runsHere) {
    build(); // for its diagnostics
    return nullptr;
  }
  if (!state.options.useCache) return buildCode(build);
  return findOrBuildCode(codeKey(*state.facts, options), state.options.cacheDirectory, build);
}

} // namespace

cpu::CpuOptions Kernel::State::cpuOptions() const {
  cpu::CpuOptions result;
  result.isa = *target.isa;
  result.trapOutOfBounds = options.trapOutOfBounds;
  result.orderedAtomics = options.orderedAtomics;
  return result;
}

Kernel compile(const Program &program, std::string_view target, const CompileOptions &options) {
  checkThreads(options.threads);
  ResolvedTarget resolved = resolveTarget(target, options.chip);
  auto state = std::make_shared<Kernel::State>(program, programFacts(program), std::move(resolved), options);
  if (state->target.kind == ResolvedTarget::Kind::cpu) state->code = cpuCode(*state);
  return Kernel(std::move(state));
}

} // namespace tessera
