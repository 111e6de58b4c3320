// State shared by all statements: values, buffers, constants, and the dispatch over operations.
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/LaneBuilder.h"
#include "tilelang/cpu/gemm/OperandLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

Type emittedType(Type scalar) {
  if (isNarrowFloat(scalar)) return IntegerType::get(scalar.getContext(), 8);
  return scalarType(scalar);
}

Type storageType(Type element) {
  if (element.isInteger(1)) return IntegerType::get(element.getContext(), 8);
  if (element.isF16() || element.isBF16()) return IntegerType::get(element.getContext(), 16);
  return emittedType(element);
}

Type lanesLike(Type like, Type type) {
  auto vector = dyn_cast<VectorType>(like);
  return vector ? VectorType::get(vector.getShape(), type) : type;
}

bool isContiguous(MemRefType type) {
  if (type.getRank() == 0) return true;
  int64_t offset;
  SmallVector<int64_t> strides;
  return succeeded(type.getStridesAndOffset(strides, offset)) && strides.back() == 1;
}

int64_t bufferBytes(AllocOp alloc) {
  if (auto layout = layoutOf(alloc)) return layout->bytes();
  MemRefType type = alloc.getBuffer().getType();
  return type.getNumElements() * (storageType(type.getElementType()).getIntOrFloatBitWidth() / 8);
}

LogicalResult Emitter::emitBody(Block &body) {
  for (Operation &op : body.without_terminator())
    if (failed(emit(&op))) return failure();
  return success();
}

LogicalResult Emitter::emit(Operation *op) {
  b.setLoc(op->getLoc());
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AllocOp>([&](auto o) { return emitAlloc(o); })
      .Case<RegionOp, ViewOp>([&](auto) { return success(); }) // looked through by view()
      .Case<LoadOp>([&](auto o) { return emitLoad(o); })
      .Case<StoreOp>([&](auto o) { return emitStore(o); })
      .Case<AtomicOp>([&](auto o) { return emitAtomic(o); })
      .Case<AtomicTileOp>([&](auto o) { return emitAtomicTile(o); })
      .Case<CopyOp>([&](auto o) { return emitCopy(o); })
      .Case<FillOp>([&](auto o) { return emitFill(o); })
      .Case<TransposeOp>([&](auto o) { return emitTranspose(o); })
      .Case<GemmOp>([&](auto o) { return emitGemm(o); })
      .Case<ReduceOp>([&](auto o) { return emitReduce(o); })
      .Case<ScanOp>([&](auto o) { return emitScan(o); })
      .Case<ParallelOp>([&](auto o) { return emitParallel(o); })
      .Case<ForOp>([&](auto o) { return emitForOp(o); })
      .Case<WhileOp>([&](auto o) { return emitWhile(o); })
      .Case<IfOp>([&](auto o) { return emitIfOp(o); })
      .Case<AssertOp>([&](auto o) { return emitAssert(o); })
      .Case<PrintfOp>([&](auto o) { return emitPrintf(o); })
      .Case<DumpOp>([&](auto o) { return emitDump(o); })
      .Case<ScopeOp>([&](auto o) { return emitBody(o.getBody().front()); })
      // Blocks run one statement after the other, so the orders these ask for hold already.
      .Case<AssumeOp, SetFlagOp, WaitFlagOp, PipeBarrierOp, BarrierAllOp, SetCrossFlagOp, WaitCrossFlagOp>(
          [&](auto) { return success(); })
      .Default([&](Operation *o) { return emitScalarOp(o); });
}

Lanes Emitter::lanes(Value tileValue) {
  auto it = values.find(tileValue);
  assert(it != values.end() && "value used before it was emitted");
  return it->second;
}

Value Emitter::scalar(Value tileValue) {
  Lanes l = lanes(tileValue);
  assert(l.isUniform() && "a scalar is needed where lanes differ");
  return l.value;
}

Value Emitter::index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

Value Emitter::splat(Value scalar) {
  Type type = scalar.getType();
  if (type.isF16() || type.isBF16()) { // as bits: LLVM would convert single elements of these types
    LaneBuilder l(b);
    return l.bitcast(splat(l.toBits(scalar)), type);
  }
  return vector::BroadcastOp::create(b, VectorType::get({kLanes}, type), scalar);
}

Value Emitter::asVector(Lanes l) {
  if (l.isVector()) return l.value;
  Value all = splat(l.value);
  if (l.laneStep == 0) return all;
  Value step = vector::StepOp::create(b, VectorType::get({kLanes}, b.getIndexType()));
  if (l.laneStep != 1) step = arith::MulIOp::create(b, step, splat(index(l.laneStep)));
  return arith::AddIOp::create(b, all, step);
}

Value Emitter::constantLike(Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attr;
  if (auto f = dyn_cast<FloatType>(element))
    attr = b.getFloatAttr(f, value);
  else
    attr = b.getIntegerAttr(element, static_cast<int64_t>(value));
  if (auto vector = dyn_cast<VectorType>(type)) attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(b, attr);
}

/// The memref type that holds a buffer of the program.
static MemRefType storageMemRef(MemRefType type) {
  Type element = type.getElementType();
  bool isPacked = isa<Float4E2M1FNType>(element) && tileInfo(type).space == Space::global;
  Type stored = isPacked ? IntegerType::get(type.getContext(), 4) : storageType(element);
  return MemRefType::get(type.getShape(), stored, type.getLayout());
}

Value Emitter::makeMemRef(Value pointer, MemRefType type, ArrayRef<Value> sizes, ArrayRef<Value> strides) {
  int64_t rank = type.getRank();
  Type i64 = b.getI64Type(), ptr = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Type> fields{ptr, ptr, i64};
  if (rank > 0) fields.append(2, LLVM::LLVMArrayType::get(i64, rank));
  auto structType = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  SmallVector<int64_t> staticStrides;
  int64_t offset;
  (void)type.getStridesAndOffset(staticStrides, offset);
  auto constant = [&](int64_t v) -> Value { return LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(v)); };
  Value d = LLVM::PoisonOp::create(b, structType);
  d = LLVM::InsertValueOp::create(b, d, pointer, ArrayRef<int64_t>{0});
  d = LLVM::InsertValueOp::create(b, d, pointer, ArrayRef<int64_t>{1});
  d = LLVM::InsertValueOp::create(b, d, constant(0), ArrayRef<int64_t>{2});
  Value dense = constant(1);
  for (int64_t i = rank - 1; i >= 0; --i) {
    Value size = type.isDynamicDim(i) ? sizes[i] : constant(type.getDimSize(i));
    Value stride = !ShapedType::isDynamic(staticStrides[i]) ? constant(staticStrides[i])
                   : strides.empty()                        ? dense
                                                            : strides[i];
    d = LLVM::InsertValueOp::create(b, d, size, ArrayRef<int64_t>{3, i});
    d = LLVM::InsertValueOp::create(b, d, stride, ArrayRef<int64_t>{4, i});
    if (i > 0 && strides.empty()) dense = LLVM::MulOp::create(b, dense, size);
  }
  return UnrealizedConversionCastOp::create(b, type, d).getResult(0);
}

void Emitter::bindBuffer(Value buffer, Value pointer, ArrayRef<Value> sizes, ArrayRef<Value> strides) {
  pointers[buffer] = pointer;
  memrefs[buffer] = makeMemRef(pointer, storageMemRef(cast<MemRefType>(buffer.getType())), sizes, strides);
}

Value Emitter::flatStorage(Value tile, Type type, int64_t count) {
  auto region = tile.getDefiningOp<RegionOp>();
  return makeMemRef(pointers.lookup(region ? region.getBuffer() : tile), MemRefType::get({count}, type));
}

Value Emitter::stackMemRef(Type storage, ArrayRef<int64_t> shape) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(allocaBlock);
  auto type = MemRefType::get(shape, storage);
  Value count =
      LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(std::max<int64_t>(1, type.getNumElements())));
  Type held = storage.isIndex() ? b.getI64Type() : storage;
  Value pointer = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), held, count, 64);
  return makeMemRef(pointer, type);
}

LogicalResult Emitter::emitAlloc(AllocOp op) {
  if (auto offset = op->getAttrOfType<IntegerAttr>("cpu.offset")) {
    Value pointer = LLVM::GEPOp::create(b, block.arena.getType(), b.getI8Type(), block.arena,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset.getInt())});
    bindBuffer(op.getBuffer(), pointer);
    return success();
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(allocaBlock);
  Value count = LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(bufferBytes(op)));
  Value pointer = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), b.getI8Type(), count, 64);
  bindBuffer(op.getBuffer(), pointer);
  return success();
}

View Emitter::view(Value tile) {
  View v;
  v.element = tileInfo(tile).element;
  v.tile = tile;
  Value buffer = tile;
  auto region = tile.getDefiningOp<RegionOp>();
  if (region) buffer = region.getBuffer();
  if (!memrefs.count(buffer)) { // a view of another buffer: same pointer, its own type
    auto alias = buffer.getDefiningOp<ViewOp>();
    assert(alias && "buffer used before it was emitted");
    OpBuilder::InsertionGuard guard(b);
    View source = view(alias.getSource());
    // Bind beside the storage, which dominates every use of the view.
    b.setInsertionPointAfterValue(source.memref);
    bindBuffer(buffer, pointers.lookup(alias.getSource()));
  }
  v.memref = memrefs.lookup(buffer);
  auto type = cast<MemRefType>(v.memref.getType());
  TileInfo base = tileInfo(buffer);
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!region) {
      v.offsets.push_back(index(0));
      v.sizes.push_back(type.isDynamicDim(d) ? memref::DimOp::create(b, v.memref, d).getResult()
                                             : index(type.getDimSize(d)));
      v.inside.push_back(true);
      continue;
    }
    auto value = [&](OpFoldResult f) {
      return isa<Attribute>(f) ? index(cast<IntegerAttr>(cast<Attribute>(f)).getInt()) : scalar(cast<Value>(f));
    };
    OpFoldResult offset = region.getMixedOffsets()[d], size = region.getMixedSizes()[d];
    v.offsets.push_back(value(offset));
    Value extent = value(size);
    if (isa<Value>(size)) extent = arith::MaxSIOp::create(b, extent, index(0));
    v.sizes.push_back(extent);
    bool known = isa<Attribute>(offset) && isa<Attribute>(size) && !type.isDynamicDim(d);
    int64_t first = known ? region.getStaticOffsets()[d] : -1;
    v.inside.push_back(known && first >= 0 && first + region.getStaticSizes()[d] <= base.shape[d]);
  }
  return v;
}

/// The lanes in which a comparison of indices that do not overflow holds, where they are the first or the last ones;
/// null elsewhere. Comparing 16 indices of 64 bits costs more.
static Value rangeOfLanes(Emitter &e, arith::CmpIPredicate predicate, Lanes x, Lanes y) {
  using enum arith::CmpIPredicate;
  if (x.isVector() || y.isVector()) return {};
  if (x.laneStep - y.laneStep == -1) {
    std::swap(x, y);
    predicate = predicate == slt ? sgt : predicate == sgt ? slt : predicate == sle ? sge : predicate == sge ? sle : eq;
  }
  if (x.laneStep - y.laneStep != 1) return {};
  bool isBelow = predicate == slt || predicate == sle, isWithEqual = predicate == sle || predicate == sgt;
  if (!isBelow && predicate != sgt && predicate != sge) return {};
  // Lanes l with x + l < y; of x + l <= y one more.
  Value count = arith::SubIOp::create(e.b, y.value, x.value);
  if (isWithEqual) count = arith::AddIOp::create(e.b, count, e.index(1));
  Value below = LaneBuilder(e.b).firstLanes(count);
  return isBelow ? below : arith::XOrIOp::create(e.b, below, e.constantLike(below.getType(), 1)).getResult();
}

LogicalResult Emitter::emitScalarOp(Operation *op) {
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    bind(dim.getResult(), {memref::DimOp::create(b, memrefs.lookup(dim.getSource()), scalar(dim.getIndex()))});
    return success();
  }
  if (op->getNumResults() == 2) return emitPair(op);
  if (op->getNumResults() != 1) return op->emitError("the cpu target has no code for '") << op->getName() << "'";
  Type type = op->getResult(0).getType();
  SmallVector<Lanes> operands = llvm::map_to_vector(op->getOperands(), [&](Value v) { return lanes(v); });
  bool uniform = llvm::all_of(operands, [](const Lanes &l) { return l.isUniform(); });
  // Index arithmetic that stays affine in the lane keeps contiguous accesses visible.
  if (!uniform && type.isIndex() && operands.size() == 2 && !operands[0].isVector() && !operands[1].isVector()) {
    auto result = [&](Value v, int64_t step) { return bind(op->getResult(0), {v, step}), success(); };
    if (isa<arith::AddIOp>(op))
      return result(arith::AddIOp::create(b, operands[0].value, operands[1].value),
                    operands[0].laneStep + operands[1].laneStep);
    if (isa<arith::SubIOp>(op))
      return result(arith::SubIOp::create(b, operands[0].value, operands[1].value),
                    operands[0].laneStep - operands[1].laneStep);
    APInt factor;
    for (int side : {0, 1})
      if (isa<arith::MulIOp>(op) && operands[side].isUniform() &&
          matchPattern(op->getOperand(side), m_ConstantInt(&factor)))
        return result(arith::MulIOp::create(b, operands[0].value, operands[1].value),
                      operands[1 - side].laneStep * factor.getSExtValue());
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op); compare && proven.contains(op))
    if (Value range = rangeOfLanes(*this, compare.getPredicate(), operands[0], operands[1]))
      return bind(op->getResult(0), {range}), success();
  SmallVector<Value> inputs =
      llvm::map_to_vector(operands, [&](const Lanes &l) { return uniform ? l.value : asVector(l); });
  FailureOr<Value> result = emitPointwise(op, inputs);
  if (failed(result)) return failure();
  bind(op->getResult(0), {*result});
  return success();
}

Value Emitter::callRuntime(StringRef name, Type result, ValueRange operands) {
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto func = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!func) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    Type returned = result ? result : LLVM::LLVMVoidType::get(b.getContext());
    func = LLVM::LLVMFuncOp::create(b, name,
                                    LLVM::LLVMFunctionType::get(returned, SmallVector<Type>(operands.getTypes())));
  }
  auto call = LLVM::CallOp::create(b, func, operands);
  return result ? call.getResult() : Value();
}

Value Emitter::stringAddress(StringRef text) {
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string bytes = text.str() + '\0';
  std::string name;
  for (int n = 0;; ++n) {
    name = "tsr_text_" + std::to_string(n);
    auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
    if (!global) break;
    if (cast<StringAttr>(global.getValueAttr()).getValue() == bytes) return LLVM::AddressOfOp::create(b, global);
  }
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(b, type, true, LLVM::Linkage::Internal, name, b.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(b, global);
}

} // namespace tessera::cpu
