// The entry of the interpreter.
#include "tilelang/ir/interp/Interpreter.h"

#include "tilelang/dsl/ProgramImpl.h"
#include "tilelang/ir/interp/arguments.h"
#include "tilelang/ir/interp/frame.h"

#include <fmt/format.h>

#include <new>

using namespace mlir;

namespace tessera {
namespace {

const tile::Handlers &allHandlers() {
  static const tile::Handlers handlers = [] {
    tile::Handlers h;
    tile::addIntegerHandlers(h);
    tile::addFloatHandlers(h);
    tile::addMathHandlers(h);
    tile::addConversionHandlers(h);
    tile::addBufferHandlers(h);
    tile::addMoveHandlers(h);
    tile::addGemmHandlers(h);
    tile::addReduceHandlers(h);
    tile::addPrintHandlers(h);
    tile::addControlHandlers(h);
    tile::addGridHandlers(h);
    tile::addSyncHandlers(h);
    return h;
  }();
  return handlers;
}

} // namespace

void interpret(func::FuncOp function, llvm::ArrayRef<Argument> arguments, const InterpreterOptions &options) {
  if (!function.getBody().hasOneBlock())
    tile::failAt(
        function,
        fmt::format("function {} has {} basic blocks", function.getName().str(), function.getBody().getBlocks().size()),
        "tile programs use the control flow of the tile dialect");
  tile::Run run{allHandlers(), options};
  tile::Frame frame(run, nullptr, nullptr);
  tile::bindArguments(function, arguments, frame);
  try {
    frame.runBody(function.getBody());
  } catch (const std::bad_alloc &) {
    tile::failAt(function, "memory runs out", "use smaller buffers and regions");
  }
}

void interpret(const Program &program, std::span<const Argument> arguments, const InterpreterOptions &options) {
  interpret(program.impl().function, llvm::ArrayRef<Argument>(arguments.data(), arguments.size()), options);
}

} // namespace tessera
