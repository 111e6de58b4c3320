// The region type, and what the operations ask about tiles.
#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_TYPEDEF_CLASSES
#include "tilelang/ir/TileTypes.cpp.inc"

using namespace mlir;

namespace tessera::tile {

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilelang/ir/TileTypes.cpp.inc"
      >();
}

Type RegionType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  SpaceAttr space;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(element) || parser.parseComma())
    return {};
  Attribute attr;
  if (parser.parseAttribute(attr) || parser.parseGreater()) return {};
  space = dyn_cast<SpaceAttr>(attr);
  if (!space) return parser.emitError(loc, "a region needs a '#tile.space<...>' memory space"), Type();
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape, element, space);
}

void RegionType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  if (!getShape().empty()) printer << "x";
  printer << getElementType() << ", " << getSpace() << ">";
}

LogicalResult RegionType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type element,
                                 SpaceAttr) {
  if (!isElementType(element)) return emitError() << "a region cannot have elements of type " << element;
  for (int64_t extent : shape)
    if (extent < 0 && !ShapedType::isDynamic(extent)) return emitError() << "negative extent " << extent;
  return success();
}

TileInfo tileInfo(Type type) {
  if (auto region = dyn_cast<RegionType>(type))
    return {region.getShape(), region.getElementType(), region.getSpace().getValue()};
  auto buffer = cast<MemRefType>(type);
  auto space = dyn_cast_or_null<SpaceAttr>(buffer.getMemorySpace());
  return {buffer.getShape(), buffer.getElementType(), space ? space.getValue() : Space::global};
}

bool isElementType(Type type) {
  if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType>(
          type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer) return false;
  unsigned width = integer.getWidth();
  if (integer.isSigned()) return false;
  return width == 8 || width == 16 || width == 32 || width == 64 || (width == 1 && integer.isSignless());
}

Type scalarType(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer ? IntegerType::get(element.getContext(), integer.getWidth()) : element;
}

bool isUnsigned(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && (integer.isUnsigned() || integer.getWidth() == 1);
}

std::string typeName(Type element) {
  if (isa<Float8E4M3FNType>(element)) return "e4m3";
  if (isa<Float8E5M2Type>(element)) return "e5m2";
  if (isa<Float8E8M0FNUType>(element)) return "e8m0";
  if (auto integer = dyn_cast<IntegerType>(element)) {
    if (integer.getWidth() == 1) return "bool";
    return (integer.isUnsigned() ? "u" : "i") + std::to_string(integer.getWidth());
  }
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return text;
}

Value baseBuffer(Value tile) {
  while (Operation *op = tile.getDefiningOp()) {
    if (auto region = dyn_cast<RegionOp>(op))
      tile = region.getBuffer();
    else if (auto view = dyn_cast<ViewOp>(op))
      tile = view.getSource();
    else
      break;
  }
  return tile;
}

StringRef bufferName(Value tile) {
  Value base = baseBuffer(tile);
  if (auto alloc = base.getDefiningOp<AllocOp>()) return alloc.getName().value_or("");
  auto argument = dyn_cast<BlockArgument>(base);
  if (!argument) return "";
  auto func = dyn_cast_or_null<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!func) return "";
  auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tile.name");
  return name ? name.getValue() : "";
}

SmallVector<int64_t> squeezed(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result;
  for (int64_t extent : shape)
    if (extent != 1) result.push_back(extent);
  return result;
}

std::string shapeText(ArrayRef<int64_t> shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (int64_t extent : shape) {
    if (!text.empty()) text += 'x';
    text += ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
  }
  return text;
}

LogicalResult failWith(Operation *op, const Twine &what, const Twine &help) {
  InFlightDiagnostic diag = op->emitError(what);
  diag.attachNote() << "help: " << help;
  return diag;
}

} // namespace tessera::tile
