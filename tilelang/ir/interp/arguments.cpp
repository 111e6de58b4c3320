// Checks and converts the arguments of a call.
#include "tilelang/ir/interp/arguments.h"

#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/TileInfo.h"

#include <fmt/format.h>

#include <cmath>

using namespace mlir;

namespace tessera::tile {
namespace {

class Binder {
public:
  Binder(func::FuncOp function, Frame &frame, unsigned number) : function(function), frame(frame), number(number) {}

  void bind(const Argument &argument) {
    if (auto memref = dyn_cast<MemRefType>(parameter().getType())) {
      const auto *tensor = std::get_if<Tensor>(&argument);
      if (!tensor) fail("is a scalar, a tensor is expected", "pass a tensor");
      return bindTensor(memref, *tensor);
    }
    if (std::holds_alternative<Tensor>(argument)) fail("is a tensor, a scalar is expected", "pass a number");
    if (floatDType(parameter().getType())) return bindReal(argument);
    const auto *integer = std::get_if<int64_t>(&argument);
    if (!integer) fail(fmt::format("is {}, an integer is expected", std::get<double>(argument)), "pass an integer");
    bindInteger(*integer);
  }

private:
  func::FuncOp function;
  Frame &frame;
  unsigned number;

  BlockArgument parameter() { return function.getArgument(number); }
  std::string name() {
    auto given = function.getArgAttrOfType<StringAttr>(number, "tile.name");
    return given ? given.str() : std::string();
  }
  [[noreturn]] void fail(const std::string &what, const std::string &advice) {
    std::string who = name().empty() ? fmt::format("argument {}", number) : fmt::format("argument `{}`", name());
    throw Error(tessera::Diagnostic{who + " " + what, sourceLine(function.getLoc()), advice});
  }

  void checkShape(MemRefType type, const Tensor &tensor) {
    if (tensor.rank() != type.getRank())
      fail(fmt::format("has rank {}, expected {}", tensor.rank(), type.getRank()), "pass a tensor of that rank");
    for (auto [d, extent] : llvm::enumerate(type.getShape()))
      if (!mayEqual(extent, tensor.shape()[d]))
        fail(fmt::format("has extent {} in dimension {}, expected {}", tensor.shape()[d], d, extent),
             "pass that extent");
  }

  void bindTensor(MemRefType type, const Tensor &tensor) {
    std::optional<DType> element = elementDType(type.getElementType());
    if (!element) fail(fmt::format("has elements of type {}", typeName(type.getElementType())), "");
    if (tensor.device().kind != DeviceKind::cpu)
      fail(fmt::format("is on {}, expected cpu", tensor.device().text()), "copy it to the cpu");
    if (tensor.dtype() != *element)
      fail(fmt::format("has elements of type {}, expected {}", tessera::name(tensor.dtype()), tessera::name(*element)),
           "convert the tensor");
    checkShape(type, tensor);
    auto access = function.getArgAttrOfType<StringAttr>(number, "tile.access");
    if (access && access.getValue() != "read" && tensor.readOnly())
      fail("is read-only, but the program writes it", "pass a writable tensor");
    frame.set(parameter(), wholeTile(bufferOf(tensor, *element)));
  }

  std::shared_ptr<Buffer> bufferOf(const Tensor &tensor, DType element) {
    auto buffer = std::make_shared<Buffer>();
    buffer->base = static_cast<std::byte *>(const_cast<void *>(tensor.data()));
    buffer->dtype = element;
    buffer->extents.assign(tensor.shape().begin(), tensor.shape().end());
    buffer->strides.assign(tensor.strides().begin(), tensor.strides().end());
    buffer->readOnly = tensor.readOnly();
    buffer->name = name();
    return buffer;
  }

  void bindReal(const Argument &argument) {
    DType type = frame.floatType(parameter());
    const auto *integer = std::get_if<int64_t>(&argument);
    double value = integer ? static_cast<double>(*integer) : std::get<double>(argument);
    frame.setReal(parameter(), value);
    if (std::isfinite(value) && !std::isfinite(frame.real(parameter())))
      fail(fmt::format("is {}, which {} cannot hold", value, tessera::name(type)), "pass a smaller number");
  }

  void bindInteger(int64_t value) {
    frame.set(parameter(), static_cast<uint64_t>(value));
    Word word = frame.word(parameter());
    // A signless integer may be meant with or without sign.
    if (word.value() != value && static_cast<int64_t>(word.bits) != value)
      fail(fmt::format("is {}, which {} bits cannot hold", value, word.width), "pass a smaller number");
  }
};

} // namespace

void bindArguments(func::FuncOp function, ArrayRef<Argument> arguments, Frame &frame) {
  if (arguments.size() != function.getNumArguments())
    throw Error(tessera::Diagnostic{fmt::format("function {} takes {} arguments, got {}", function.getName().str(),
                                                function.getNumArguments(), arguments.size()),
                                    sourceLine(function.getLoc()), ""});
  for (auto [number, argument] : llvm::enumerate(arguments))
    Binder(function, frame, static_cast<unsigned>(number)).bind(argument);
}

} // namespace tessera::tile
