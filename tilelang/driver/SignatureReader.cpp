// From types and attributes of a function to a Signature.
#include "tilelang/driver/SignatureReader.h"

#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera {
namespace {

/// Turns an affine expression into steps in postfix order, and into text.
struct ExtentBuilder {
  const std::vector<std::string> &sizes;
  std::vector<Extent::Step> steps;

  /// Returns the text of the expression; `inside` asks for parentheses around sums.
  std::string add(AffineExpr expr, bool inside = false) {
    if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
      steps.push_back({Extent::Op::constant, number.getValue()});
      return std::to_string(number.getValue());
    }
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
      steps.push_back({Extent::Op::size, static_cast<int64_t>(symbol.getPosition())});
      return sizes[symbol.getPosition()];
    }
    auto pair = cast<AffineBinaryOpExpr>(expr);
    Extent::Op op = opOf(expr.getKind());
    bool isSum = op == Extent::Op::add, isProduct = op == Extent::Op::mul;
    std::string a = add(pair.getLHS(), isProduct), b = add(pair.getRHS(), isProduct);
    steps.push_back({op});
    if (isSum) return inside ? fmt::format("({} + {})", a, b) : fmt::format("{} + {}", a, b);
    if (isProduct) return fmt::format("{} * {}", a, b);
    const char *name = op == Extent::Op::ceildiv ? "ceildiv" : op == Extent::Op::floordiv ? "floordiv" : "mod";
    return fmt::format("{}({}, {})", name, a, b);
  }

  static Extent::Op opOf(AffineExprKind kind) {
    switch (kind) {
    case AffineExprKind::Add: return Extent::Op::add;
    case AffineExprKind::Mul: return Extent::Op::mul;
    case AffineExprKind::FloorDiv: return Extent::Op::floordiv;
    case AffineExprKind::CeilDiv: return Extent::Op::ceildiv;
    default: return Extent::Op::mod;
    }
  }
};

/// The extent by `tile.shape`, or by the type alone.
Extent readExtent(int64_t fromType, AffineMapAttr shape, unsigned dim, const std::vector<std::string> &sizes) {
  if (!ShapedType::isDynamic(fromType)) return Extent::constant(fromType);
  if (!shape) return {};
  ExtentBuilder builder{sizes, {}};
  std::string text = builder.add(shape.getValue().getResult(dim));
  return {std::move(builder.steps), std::move(text)};
}

void readLayout(MemRefType type, Parameter &parameter) {
  parameter.contiguous = type.getLayout().isIdentity();
  if (parameter.contiguous) return;
  for (int64_t stride : type.getStridesAndOffset().first)
    parameter.strides.push_back(ShapedType::isDynamic(stride) ? std::nullopt : std::optional(stride));
}

Parameter::Access readAccess(func::FuncOp function, unsigned number) {
  auto access = function.getArgAttrOfType<StringAttr>(number, "tile.access");
  if (!access || access.getValue() == "readwrite") return Parameter::Access::readWrite;
  return access.getValue() == "read" ? Parameter::Access::read : Parameter::Access::write;
}

DType readType(Type type) {
  if (type.isIndex()) return DType::i64;
  std::optional<DType> element = parseDType(tile::typeName(type));
  assert(element && "the checks let through a type that is none of a tile program");
  return *element;
}

Parameter readParameter(func::FuncOp function, unsigned number, const std::vector<std::string> &sizes) {
  Parameter parameter;
  auto name = function.getArgAttrOfType<StringAttr>(number, "tile.name");
  parameter.name = name ? name.str() : fmt::format("arg{}", number);
  auto type = dyn_cast<MemRefType>(function.getArgumentTypes()[number]);
  parameter.isTensor = static_cast<bool>(type);
  parameter.type = readType(type ? type.getElementType() : function.getArgumentTypes()[number]);
  parameter.isIndex = function.getArgumentTypes()[number].isIndex();
  if (!type) return parameter;
  parameter.access = readAccess(function, number);
  auto shape = function.getArgAttrOfType<AffineMapAttr>(number, "tile.shape");
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    parameter.shape.push_back(readExtent(extent, shape, static_cast<unsigned>(dim), sizes));
  readLayout(type, parameter);
  return parameter;
}

} // namespace

Signature readSignature(func::FuncOp function) {
  Signature signature;
  signature.kernel = function.getName().str();
  signature.where = sourceLine(function.getLoc());
  if (auto sizes = function->getAttrOfType<ArrayAttr>("tile.symbols"))
    for (Attribute name : sizes) signature.sizes.push_back(cast<StringAttr>(name).str());
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    signature.parameters.push_back(readParameter(function, number, signature.sizes));
  return signature;
}

} // namespace tessera
