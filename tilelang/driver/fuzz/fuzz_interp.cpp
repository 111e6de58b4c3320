// Fuzz target of the reference interpreter: a program that the verifiers accept runs to its end or fails with an error,
// whatever it computes.
#include "core/error.h"
#include "tilelang/dsl/ProgramImpl.h"
#include "tilelang/ir/TileInfo.h"
#include "tilelang/ir/interp/Interpreter.h"

#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

using namespace tessera;

constexpr int64_t kRunTimeExtent = 5, kMostElements = 4096;

/// A small tensor of the parameter's type, or a number; nothing for what cannot be passed.
std::optional<Argument> argumentFor(mlir::Type type) {
  if (type.isIntOrIndex()) return Argument(int64_t{1});
  if (llvm::isa<mlir::FloatType>(type)) return Argument(1.5);
  auto memref = llvm::dyn_cast<mlir::MemRefType>(type);
  if (!memref || !tile::isElementType(memref.getElementType())) return std::nullopt;
  Tensor::Extents shape;
  int64_t elements = 1;
  for (int64_t extent : memref.getShape()) {
    shape.push_back(mlir::ShapedType::isDynamic(extent) ? kRunTimeExtent : extent);
    if (__builtin_mul_overflow(elements, shape.back(), &elements) || elements > kMostElements) return std::nullopt;
  }
  Tensor tensor = Tensor::empty(*parseDType(tile::typeName(memref.getElementType())), shape);
  tensor.fillRandom(1, 0, 3);
  return Argument(tensor);
}

void check(std::string_view text) try {
  Program program = Program::parse(text, "fuzz.mlir");
  mlir::func::FuncOp function = program.impl().function;
  std::vector<Argument> arguments;
  for (mlir::Type type : function.getArgumentTypes()) {
    std::optional<Argument> argument = argumentFor(type);
    if (!argument) return;
    arguments.push_back(*argument);
  }
  interpret(function, arguments, {.print = [](std::string_view) {}, .maxSteps = 30000});
} catch (const Error &error) {
  if (error.diagnostics().empty() || error.diagnostics().front().what.empty()) std::abort();
}

} // namespace

// A lit file may hold several programs, divided as mlir-opt's -split-input-file wants it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr std::string_view kDivider = "// -----\n";
  std::string_view text(reinterpret_cast<const char *>(data), size);
  for (size_t end; (end = text.find(kDivider)) != text.npos; text.remove_prefix(end + kDivider.size()))
    check(text.substr(0, end));
  check(text);
  return 0;
}
