// Calls and text of compiled kernels.
#include "tilelang/driver/kernel.h"

#include "tilelang/cpu/runtime/call_context.h"
#include "tilelang/driver/CpuCompiler.h"
#include "tilelang/driver/call_check.h"
#include "tilelang/driver/kernel_state.h"
#include "tilelang/ir/interp/interpret.h"

#include <algorithm>
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

/// A parameter that is always the same tensor, and its tiles.
struct Kernel::Packed {
  size_t parameter;
  Tensor tensor;
  std::unique_ptr<cpu::PackedTiles> tiles;

  bool isFor(const Tensor &other) const {
    return tensor.data() == other.data() && tensor.dtype() == other.dtype() && tensor.shape() == other.shape() &&
           tensor.strides() == other.strides();
  }
};

Kernel Kernel::withPacked(std::string_view parameter, const Tensor &tensor) const {
  const std::vector<Parameter> &parameters = signature().parameters;
  auto refuse = [&](const std::string &what, const std::string &advice) {
    throw Error(Diagnostic{fmt::format("`{}` of `{}` {}", parameter, name(), what), signature().where, advice});
  };
  auto found = std::ranges::find(parameters, parameter, &Parameter::name);
  if (found == parameters.end()) refuse("is no parameter", "its signature is " + signature().text());
  if (!found->isTensor) refuse("is a number, and only tensors are packed", found->text());
  if (found->isWritten()) refuse("is written by the kernel, so its tiles cannot be kept", "pack an input");
  auto index = static_cast<size_t>(found - parameters.begin());
  Kernel result = *this;
  if (state->target.kind == ResolvedTarget::Kind::cpu) {
    std::vector<int64_t> packable = packedParameters(*state->facts, state->cpuOptions());
    if (std::ranges::find(packable, static_cast<int64_t>(index)) == packable.end())
      refuse(
          "is not packed by this kernel",
          "a parameter is packed where whole tiles of it are copied into an operand of gemm and used for nothing else");
  }
  std::erase_if(result.packed, [&](const auto &other) { return other->parameter == index; });
  result.packed.push_back(std::make_shared<const Packed>(index, tensor, std::make_unique<cpu::PackedTiles>()));
  return result;
}

void Kernel::run(std::span<const Argument> arguments) const {
  std::vector<Ref> refs;
  refs.reserve(arguments.size());
  for (const Argument &argument : arguments)
    refs.push_back(std::visit([](const auto &held) { return ref(held); }, argument));
  runRefs(refs);
}

void Kernel::runRefs(std::span<const Ref> arguments) const {
  std::vector<int64_t> slots = packArguments(state->facts->signature, arguments);
  for (const std::shared_ptr<const Packed> &argument : packed) {
    const Tensor &given = *std::get<const Tensor *>(arguments[argument->parameter]);
    if (argument->isFor(given)) continue;
    throw Error(
        Diagnostic{fmt::format("argument `{}` of `{}` is {} at {}, but the kernel holds packed tiles of {} at {}",
                               signature().parameters[argument->parameter].name, name(), given.text(), given.data(),
                               argument->tensor.text(), argument->tensor.data()),
                   signature().where, "call the kernel without packed tiles, or pack this tensor"});
  }
  if (state->target.kind == ResolvedTarget::Kind::interpreter) return interpretOnce(*state, arguments);
  if (!state->code) cpu::requireRunsHere(*state->target.isa);
  cpu::CallContext context{.threads = state->options.threads, .print = state->options.print};
  for (const std::shared_ptr<const Packed> &argument : packed)
    context.packed.push_back({static_cast<int64_t>(argument->parameter), argument->tiles.get()});
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
