// Calls and text of compiled kernels.
#include "tilelang/driver/kernel.h"

#include "tilelang/cpu/runtime/call_context.h"
#include "tilelang/driver/CpuCompiler.h"
#include "tilelang/driver/call_check.h"
#include "tilelang/driver/kernel_state.h"
#include "tilelang/ir/interp/interpret.h"

#include <fmt/format.h>

namespace tessera {
namespace {

/// The argument as the interpreter takes it: of a number that int64_t does not hold the nearest double, or the bits.
Argument interpretable(const ArgumentRef &argument, const Parameter &parameter) {
  if (const auto *tensor = std::get_if<const Tensor *>(&argument)) return **tensor;
  if (const auto *real = std::get_if<double>(&argument)) return *real;
  if (const auto *integer = std::get_if<int64_t>(&argument)) return *integer;
  uint64_t large = std::get<uint64_t>(argument);
  if (isFloat(parameter.type)) return static_cast<double>(large);
  return static_cast<int64_t>(large);
}

void interpretOnce(const Kernel::State &state, std::span<const ArgumentRef> arguments) {
  std::vector<Argument> owned;
  for (size_t i = 0; i < arguments.size(); ++i)
    owned.push_back(interpretable(arguments[i], state.facts->signature.parameters[i]));
  InterpreterOptions options;
  options.trapOutOfBounds = state.options.trapOutOfBounds;
  options.print = state.options.print;
  std::lock_guard guard(state.interpreting);
  interpret(state.program, owned, options);
}

[[noreturn]] void noSuchStage(const Kernel::State &state, const char *stage) {
  throw Error(Diagnostic{fmt::format("target `{}` has no {}", state.target.name, stage), {}, "compile for cpu"});
}

} // namespace

void Kernel::run(std::span<const Argument> arguments) const {
  std::vector<Ref> refs;
  refs.reserve(arguments.size());
  for (const Argument &argument : arguments)
    refs.push_back(std::visit([](const auto &held) { return ref(held); }, argument));
  runRefs(refs);
}

void Kernel::runRefs(std::span<const Ref> arguments) const {
  std::vector<int64_t> slots = packArguments(state->facts->signature, arguments);
  if (state->target.kind == ResolvedTarget::Kind::interpreter) return interpretOnce(*state, arguments);
  if (!state->code) cpu::requireRunsHere(*state->target.isa);
  cpu::CallContext context{.threads = state->options.threads, .print = state->options.print};
  cpu::runEntry(state->code->entry(), slots.data(), context);
}

const Signature &Kernel::signature() const { return state->facts->signature; }

const std::string &Kernel::target() const { return state->target.name; }

std::string Kernel::emit(Stage stage) const {
  if (stage == Stage::tile) return state->program.text();
  if (state->target.kind != ResolvedTarget::Kind::cpu)
    noSuchStage(*state, stage == Stage::llvm ? "LLVM IR" : "assembly");
  return emitCpu(*state->facts, state->cpuOptions(), stage);
}

std::string Kernel::irAfter(std::string_view pass) const {
  if (state->target.kind != ResolvedTarget::Kind::cpu) noSuchStage(*state, "passes");
  return cpuIrAfter(*state->facts, state->cpuOptions(), pass);
}

} // namespace tessera
