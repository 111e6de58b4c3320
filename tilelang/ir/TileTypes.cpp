// The region type, and what the operations ask about tiles.
#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

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
  if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type) || isNarrowFloat(type)) return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer) return false;
  unsigned width = integer.getWidth();
  if (integer.isSigned()) return false;
  return width == 8 || width == 16 || width == 32 || width == 64 || (width == 1 && integer.isSignless());
}

bool isBufferType(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || !isElementType(buffer.getElementType())) return false;
  return !buffer.getMemorySpace() || isa<SpaceAttr>(buffer.getMemorySpace());
}

Type scalarType(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer ? IntegerType::get(element.getContext(), integer.getWidth()) : element;
}

bool isUnsigned(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && (integer.isUnsigned() || integer.getWidth() == 1);
}

bool isNarrowFloat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType, Float4E2M1FNType>(type);
}

std::string typeName(Type element) {
  if (isa<Float8E4M3FNType>(element)) return "e4m3";
  if (isa<Float8E5M2Type>(element)) return "e5m2";
  if (isa<Float8E8M0FNUType>(element)) return "e8m0";
  if (isa<Float4E2M1FNType>(element)) return "e2m1";
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

namespace {

/// The buffer or view that a tile is a window of, itself where it is no region.
Value windowRoot(Value tile) {
  auto region = tile.getDefiningOp<RegionOp>();
  return region ? region.getBuffer() : tile;
}

/// Whether both windows certainly hold an index of the buffer in common along one dimension of it.
bool certainlyMeet(OpFoldResult offsetA, OpFoldResult sizeA, OpFoldResult offsetB, OpFoldResult sizeB, int64_t extent) {
  std::optional<int64_t> a = getConstantIntValue(sizeA), b = getConstantIntValue(sizeB);
  if (!a || !b || *a < 1 || *b < 1) return false;
  if (offsetA == offsetB) return true;
  std::optional<int64_t> fromA = getConstantIntValue(offsetA), fromB = getConstantIntValue(offsetB);
  if (!fromA || !fromB) return false;
  std::optional<int64_t> endA = llvm::checkedAdd(*fromA, *a), endB = llvm::checkedAdd(*fromB, *b);
  if (!endA || !endB) return false;
  // Windows onto global tensors may hang over an edge; what lies outside is nobody's element.
  int64_t end = std::min(*endA, *endB);
  if (!ShapedType::isDynamic(extent)) end = std::min(end, extent);
  return std::max({*fromA, *fromB, int64_t{0}}) < end;
}

} // namespace

bool certainlyOverlap(Value a, Value b) {
  if (baseBuffer(a) != baseBuffer(b)) return false;
  auto windowA = a.getDefiningOp<RegionOp>(), windowB = b.getDefiningOp<RegionOp>();
  if (!windowA || !windowB) {
    // One of them is the whole storage; the other then shares it unless it may be empty.
    auto window = windowA ? windowA : windowB;
    return !window || llvm::all_of(window.getStaticSizes(), [](int64_t size) { return size > 0; });
  }
  if (windowRoot(a) != windowRoot(b)) return false;
  return llvm::all_of(llvm::zip(windowA.getMixedOffsets(), windowA.getMixedSizes(), windowB.getMixedOffsets(),
                                windowB.getMixedSizes(), tileInfo(windowRoot(a)).shape),
                      [](auto dim) { return std::apply(certainlyMeet, dim); });
}

bool sameWindow(Value a, Value b) {
  if (a == b) return true;
  auto windowA = a.getDefiningOp<RegionOp>(), windowB = b.getDefiningOp<RegionOp>();
  return windowA && windowB && windowRoot(a) == windowRoot(b) &&
         windowA.getMixedOffsets() == windowB.getMixedOffsets() && windowA.getMixedSizes() == windowB.getMixedSizes();
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

std::string quotedName(Value tile) {
  StringRef name = bufferName(tile);
  if (!name.empty()) return "`" + name.str() + "`";
  Space space = tileInfo(tile).space;
  return space == Space::var ? "the variable" : space == Space::global ? "the tensor" : "the buffer";
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

namespace {

/// Whether an element type holds the number, rounded if it is a floating-point type.
bool isRepresentable(Attribute number, Type element) {
  APFloat value(0.0);
  if (auto integer = dyn_cast<IntegerAttr>(number))
    value = APFloat(static_cast<double>(integer.getInt()));
  else
    value = cast<FloatAttr>(number).getValue();
  if (auto type = dyn_cast<FloatType>(element)) {
    bool loses;
    APFloat::opStatus status = value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
    return !(status & APFloat::opOverflow);
  }
  auto type = cast<IntegerType>(element);
  if (auto integer = dyn_cast<IntegerAttr>(number))
    return isUnsigned(type)
               ? integer.getInt() >= 0 && (type.getWidth() == 64 || llvm::isUIntN(type.getWidth(), integer.getInt()))
               : llvm::isIntN(type.getWidth(), integer.getInt());
  APSInt whole(type.getWidth(), isUnsigned(type));
  bool exact;
  return value.convertToInteger(whole, APFloat::rmTowardZero, &exact) == APFloat::opOK && exact;
}

std::string numberText(Attribute number) {
  if (auto integer = dyn_cast<IntegerAttr>(number)) return std::to_string(integer.getInt());
  SmallString<24> text;
  cast<FloatAttr>(number).getValue().toString(text, 6);
  return text.str().str();
}

} // namespace

LogicalResult verifyPad(Operation *op, Attribute pad, Value tile) {
  Type element = tileInfo(tile).element;
  if (!pad || isRepresentable(pad, element)) return success();
  StringRef name = bufferName(tile);
  return failWith(op,
                  Twine("pad value ") + numberText(pad) + (name.empty() ? "" : " of `" + name.str() + "`") +
                      " is not representable in " + typeName(element),
                  "give a value of the element type");
}

LogicalResult failWith(Operation *op, const Twine &what, const Twine &help) {
  InFlightDiagnostic diag = op->emitError(what);
  diag.attachNote() << "help: " << help;
  return diag;
}

} // namespace tessera::tile
