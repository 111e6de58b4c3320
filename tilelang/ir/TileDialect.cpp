// Registers the dialect and checks the attributes it puts on functions and arguments.
#include "tilelang/ir/Tile.h"
#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "tilelang/ir/TileDialect.cpp.inc"
#include "tilelang/ir/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tilelang/ir/TileAttrs.cpp.inc"

using namespace mlir;

namespace tessera::tile {
namespace {

/// Prints `#shared` for `#tile.space<shared>`, so that buffer types stay short.
struct TileAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    auto space = dyn_cast<SpaceAttr>(attr);
    if (!space) return AliasResult::NoAlias;
    os << stringifySpace(space.getValue());
    return AliasResult::FinalAlias;
  }
};

/// Whether every divisor is a positive constant, so that extents can be evaluated for any symbols.
bool dividesByConstants(AffineMap map) {
  bool fine = true;
  for (AffineExpr result : map.getResults())
    result.walk([&](AffineExpr expr) {
      AffineExprKind kind = expr.getKind();
      if (kind != AffineExprKind::FloorDiv && kind != AffineExprKind::CeilDiv && kind != AffineExprKind::Mod) return;
      auto divisor = dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(expr).getRHS());
      fine &= divisor && divisor.getValue() > 0;
    });
  return fine;
}

LogicalResult verifyShape(Operation *op, unsigned arg, AffineMapAttr map) {
  auto func = cast<func::FuncOp>(op);
  auto type = dyn_cast<MemRefType>(func.getArgumentTypes()[arg]);
  if (!type) return op->emitOpError("argument ") << arg << " has 'tile.shape' but is not a tensor";
  if (map.getValue().getNumResults() != static_cast<unsigned>(type.getRank()))
    return op->emitOpError("argument ") << arg << " has rank " << type.getRank() << " but 'tile.shape' gives "
                                        << map.getValue().getNumResults() << " extents";
  auto symbols = op->getAttrOfType<ArrayAttr>("tile.symbols");
  size_t known = symbols ? symbols.size() : 0;
  if (map.getValue().getNumDims() != 0)
    return op->emitOpError("argument ") << arg << " uses " << map.getValue().getNumDims()
                                        << " dimensions in 'tile.shape'; extents are expressions of symbols";
  if (!dividesByConstants(map.getValue()))
    return op->emitOpError("argument ") << arg << " divides by what is no positive constant in 'tile.shape'";
  if (map.getValue().getNumSymbols() > known)
    return op->emitOpError("argument ") << arg << " uses " << map.getValue().getNumSymbols()
                                        << " symbols in 'tile.shape' but 'tile.symbols' names " << known;
  return success();
}

} // namespace

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tilelang/ir/TileAttrs.cpp.inc"
      >();
  registerTypes();
  registerOps();
  addInterfaces<TileAsmInterface>();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  if (attr.getName() == "tile.symbols") {
    auto names = dyn_cast<ArrayAttr>(attr.getValue());
    if (!isa<func::FuncOp>(op) || !names || !llvm::all_of(names, [](Attribute a) { return isa<StringAttr>(a); }))
      return op->emitOpError("'tile.symbols' must be an array of names on a function");
  }
  return success();
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned arg, NamedAttribute attr) {
  if (!isa<func::FuncOp>(op)) return op->emitOpError("arguments described by the tile dialect belong to functions");
  if (attr.getName() == "tile.shape") {
    auto map = dyn_cast<AffineMapAttr>(attr.getValue());
    if (!map) return op->emitOpError("'tile.shape' must be an affine map");
    return verifyShape(op, arg, map);
  }
  if (attr.getName() == "tile.name" && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError("'tile.name' must be a name");
  if (attr.getName() == "tile.access") {
    auto access = dyn_cast<StringAttr>(attr.getValue());
    if (!access || !llvm::is_contained({"read", "write", "readwrite"}, access.getValue()))
      return op->emitOpError("'tile.access' must be \"read\", \"write\" or \"readwrite\"");
  }
  return success();
}

} // namespace tessera::tile
