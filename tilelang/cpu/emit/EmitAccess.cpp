// Single elements: addresses, bounds, loads, stores and atomic updates, for one iteration or for 16 at once.
#include "tilelang/cpu/emit/AtomicUpdate.h"
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/LaneBuilder.h"
#include "tilelang/cpu/emit/PackedElements.h"
#include "tilelang/cpu/emit/StreamingStores.h"
#include "tilelang/ir/DiagnosticCollector.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

MemRefType memRefOf(const View &view) { return cast<MemRefType>(view.memref.getType()); }

/// The position in the memref of an index that counts from the window's start.
Lanes position(Emitter &e, const View &view, int64_t dim, Lanes index) {
  Value offset = view.offsets[dim];
  if (!index.isVector()) return {arith::AddIOp::create(e.b, offset, index.value), index.laneStep};
  return {arith::AddIOp::create(e.b, e.splat(offset), index.value)};
}

SmallVector<Lanes> positions(Emitter &e, const View &view, ArrayRef<Lanes> indices) {
  SmallVector<Lanes> at;
  for (int64_t d = 0; d < view.rank(); ++d) at.push_back(position(e, view, d, indices[d]));
  return at;
}

/// Whether 16 lanes touch 16 neighbouring elements: only the last index varies, by one, in a dense dimension.
bool isDenseRow(const View &view, ArrayRef<Lanes> indices) {
  if (indices.empty() || !isContiguous(memRefOf(view))) return false;
  for (const Lanes &index : indices.drop_back())
    if (!index.isUniform()) return false;
  return !indices.back().isVector() && indices.back().laneStep == 1;
}

bool allUniform(ArrayRef<Lanes> indices) {
  return llvm::all_of(indices, [](const Lanes &l) { return l.isUniform(); });
}

/// Stored form -> emitted form and back: bool and 16-bit floating point differ.
Value fromStorage(Emitter &e, Value stored, Type element) {
  LaneBuilder l(e.b);
  if (element.isInteger(1)) return l.compare(LaneBuilder::Predicate::ne, stored, 0);
  return l.bitcast(stored, emittedType(element));
}
Value toStorage(Emitter &e, Value value, Type element) {
  LaneBuilder l(e.b);
  if (element.isInteger(1)) return l.resize(value, 8, false);
  return l.bitcast(value, storageType(element));
}

Value loadElement(Emitter &e, const View &view, ValueRange at) {
  if (isPacked(view)) return loadPacked(e, view, at);
  return memref::LoadOp::create(e.b, view.memref, at);
}
void storeElement(Emitter &e, const View &view, ValueRange at, Value stored) {
  if (isPacked(view)) return storePacked(e, view, at, stored);
  memref::StoreOp::create(e.b, stored, view.memref, at);
}

/// The scalar in lane `lane` of a value.
Value extractLane(Emitter &e, Lanes l, Value lane) {
  if (l.isVector()) return vector::ExtractOp::create(e.b, l.value, ArrayRef<OpFoldResult>{lane});
  if (l.laneStep == 0) return l.value;
  Value step = l.laneStep == 1 ? lane : arith::MulIOp::create(e.b, lane, e.index(l.laneStep)).getResult();
  return arith::AddIOp::create(e.b, l.value, step);
}

SmallVector<Value> extractLanes(Emitter &e, ArrayRef<Lanes> list, Value lane) {
  return llvm::map_to_vector(list, [&](const Lanes &l) { return extractLane(e, l, lane); });
}

SmallVector<Value> scalarsOf(ArrayRef<Lanes> list) {
  return llvm::map_to_vector(list, [](const Lanes &l) { return l.value; });
}

Value both(Emitter &e, Value a, Value b) {
  if (!a) return b;
  if (!b) return a;
  if (isa<VectorType>(a.getType()) != isa<VectorType>(b.getType()))
    (isa<VectorType>(a.getType()) ? b : a) = e.splat(isa<VectorType>(a.getType()) ? b : a);
  return arith::AndIOp::create(e.b, a, b);
}

/// Whether a mask lets anything through. Beyond an edge memory may not be mapped, and there even an access without any
/// lane takes hundreds of cycles.
Value anyLane(Emitter &e, Value mask) { return vector::ReductionOp::create(e.b, vector::CombiningKind::OR, mask); }

Value allLanes(Emitter &e, Value mask) { return vector::ReductionOp::create(e.b, vector::CombiningKind::AND, mask); }

/// The lanes l with 0 <= first + l < extent, as a range of lanes: comparing 16 indices of 64 bits costs more.
Value adjacentLanesInside(Emitter &e, Value first, Value extent) {
  LaneBuilder l(e.b);
  Value end = l.firstLanes(arith::SubIOp::create(e.b, extent, first));
  Value start = l.firstLanes(arith::SubIOp::create(e.b, e.index(0), first));
  return arith::AndIOp::create(e.b, end, arith::XOrIOp::create(e.b, start, e.constantLike(start.getType(), 1)));
}

} // namespace

Value Emitter::insideMask(const View &view, ArrayRef<Lanes> indices) {
  Value result;
  MemRefType type = memRefOf(view);
  for (int64_t d = 0; d < view.rank(); ++d) {
    Lanes at = position(*this, view, d, indices[d]);
    APInt constant;
    if (at.isUniform() && !type.isDynamicDim(d) && matchPattern(at.value, m_ConstantInt(&constant)) &&
        constant.ult(type.getDimSize(d)))
      continue;
    // One unsigned comparison also catches what lies below zero.
    Value extent =
        type.isDynamicDim(d) ? memref::DimOp::create(b, view.memref, d).getResult() : index(type.getDimSize(d));
    Value inside;
    if (!at.isVector() && at.laneStep == 1)
      inside = adjacentLanesInside(*this, at.value, extent);
    else if (at.isUniform())
      inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at.value, extent);
    else
      inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, asVector(at), splat(extent));
    result = both(*this, result, inside);
  }
  return result;
}

void Emitter::reportOutside(const View &view, ArrayRef<Value> at) {
  MemRefType type = memRefOf(view);
  SourceLine line = sourceLine(b.getLoc());
  for (int64_t d = 0; d < view.rank(); ++d) {
    Value extent =
        type.isDynamicDim(d) ? memref::DimOp::create(b, view.memref, d).getResult() : index(type.getDimSize(d));
    Value outside = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, at[d], extent);
    (void)emitIf(outside, [&] {
      auto i64 = [&](Value v) { return arith::IndexCastOp::create(b, b.getI64Type(), v).getResult(); };
      auto number = [&](int64_t v) { return arith::ConstantOp::create(b, b.getI64IntegerAttr(v)).getResult(); };
      callRuntime("tsr_out_of_bounds", {},
                  {block.context, stringAddress(quotedName(view.tile)), stringAddress(line.file), number(line.line),
                   number(d), i64(at[d]), i64(extent)});
      return success();
    });
  }
}

void Emitter::forEachLane(function_ref<void(Value)> body) {
  (void)emitFor(index(0), index(kLanes), index(1), [&](Value lane) {
    auto run = [&] { return body(lane), success(); };
    if (!mask) return run();
    Value alive = vector::ExtractOp::create(b, mask, ArrayRef<OpFoldResult>{lane});
    return emitIf(alive, run);
  });
}

Lanes Emitter::load(const View &view, ArrayRef<Lanes> indices, bool guard, Value pad) {
  Type stored = storageType(view.element);
  SmallVector<Lanes> at = positions(*this, view, indices);
  Value inside = guard ? insideMask(view, indices) : Value();
  Value padStored = pad ? toStorage(*this, pad, view.element) : constantLike(stored, 0);

  if (!inLanes || allUniform(indices)) {
    if (!inside) return {fromStorage(*this, loadElement(*this, view, scalarsOf(at)), view.element)};
    auto branch = scf::IfOp::create(b, TypeRange{stored}, inside, true);
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, ValueRange{loadElement(*this, view, scalarsOf(at))});
    b.setInsertionPointToEnd(branch.elseBlock());
    if (trapsOutside) reportOutside(view, scalarsOf(at));
    scf::YieldOp::create(b, ValueRange{padStored});
    b.setInsertionPointAfter(branch);
    return {fromStorage(*this, branch.getResult(0), view.element)};
  }

  auto vectorType = VectorType::get({kLanes}, stored);
  // One lane after the other, through a row of scratch.
  auto gathered = [&]() -> Value {
    Value scratch = stackMemRef(stored, {kLanes});
    Lanes live{inside ? (isa<VectorType>(inside.getType()) ? inside : splat(inside)) : Value()};
    if (mask || inside) vector::StoreOp::create(b, splat(padStored), scratch, ValueRange{index(0)});
    forEachLane([&](Value lane) {
      auto one = [&] {
        Value element = loadElement(*this, view, extractLanes(*this, at, lane));
        memref::StoreOp::create(b, element, scratch, ValueRange{lane});
        return success();
      };
      if (live.value)
        (void)emitIf(extractLane(*this, live, lane), one);
      else
        (void)one();
    });
    return vector::LoadOp::create(b, vectorType, scratch, ValueRange{index(0)});
  };
  if (isDenseRow(view, indices) && isPacked(view)) {
    Value live = both(*this, mask, inside);
    if (!live) return {loadPackedRow(*this, view, scalarsOf(at))};
    if (!isa<VectorType>(live.getType())) live = splat(live);
    auto branch = scf::IfOp::create(b, TypeRange{vectorType}, allLanes(*this, live), true);
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, ValueRange{loadPackedRow(*this, view, scalarsOf(at))});
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, ValueRange{gathered()});
    b.setInsertionPointAfter(branch);
    return {branch.getResult(0)};
  }
  if (isDenseRow(view, indices)) {
    Value live = both(*this, mask, inside);
    if (!live)
      return {fromStorage(*this, vector::LoadOp::create(b, vectorType, view.memref, scalarsOf(at)), view.element)};
    if (!isa<VectorType>(live.getType())) live = splat(live);
    auto masked = [&] {
      return vector::MaskedLoadOp::create(b, vectorType, view.memref, scalarsOf(at), live, splat(padStored));
    };
    if (!inside) return {fromStorage(*this, masked(), view.element)};
    auto branch = scf::IfOp::create(b, TypeRange{vectorType}, anyLane(*this, live), true);
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, ValueRange{masked()});
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, ValueRange{splat(padStored)});
    b.setInsertionPointAfter(branch);
    return {fromStorage(*this, branch.getResult(0), view.element)};
  }

  return {fromStorage(*this, gathered(), view.element)};
}

void Emitter::store(const View &view, ArrayRef<Lanes> indices, Lanes value, bool guard, bool stream) {
  SmallVector<Lanes> at = positions(*this, view, indices);
  Value inside = guard ? insideMask(view, indices) : Value();

  if (!inLanes) {
    auto write = [&] {
      storeElement(*this, view, scalarsOf(at), toStorage(*this, value.value, view.element));
      return success();
    };
    if (!inside)
      (void)write();
    else if (trapsOutside)
      (void)emitIf(inside, write, [&] { return reportOutside(view, scalarsOf(at)), success(); });
    else
      (void)emitIf(inside, write);
    return;
  }

  auto scatter = [&] {
    Lanes live{inside ? (isa<VectorType>(inside.getType()) ? inside : splat(inside)) : Value()};
    Lanes stored{toStorage(*this, value.value, view.element)};
    forEachLane([&](Value lane) {
      auto one = [&] {
        Value element = extractLane(*this, stored, lane);
        storeElement(*this, view, extractLanes(*this, at, lane), element);
        return success();
      };
      if (live.value)
        (void)emitIf(extractLane(*this, live, lane), one);
      else
        (void)one();
    });
    return success();
  };
  if (isDenseRow(view, indices) && isPacked(view)) {
    Value live = both(*this, mask, inside);
    auto whole = [&] { return storePackedRow(*this, view, scalarsOf(at), asVector(value)), success(); };
    if (!live) {
      (void)whole();
      return;
    }
    if (!isa<VectorType>(live.getType())) live = splat(live);
    (void)emitIf(allLanes(*this, live), whole, scatter);
    return;
  }
  if (isDenseRow(view, indices)) {
    Value row = toStorage(*this, asVector(value), view.element);
    Value live = both(*this, mask, inside);
    if (!live && stream) return storeStreamed(*this, row, view.memref, scalarsOf(at));
    if (!live) {
      vector::StoreOp::create(b, row, view.memref, scalarsOf(at));
      return;
    }
    if (!isa<VectorType>(live.getType())) live = splat(live);
    auto masked = [&] {
      vector::MaskedStoreOp::create(b, view.memref, scalarsOf(at), live, row);
      return success();
    };
    (void)(inside ? emitIf(anyLane(*this, live), masked) : masked());
    return;
  }

  (void)scatter();
}

LogicalResult Emitter::emitLoad(LoadOp op) {
  llvm::SaveAndRestore traps(trapsOutside, options.trapOutOfBounds);
  if (Value lanesOfVar = privateVars.lookup(op.getTile())) {
    auto type = VectorType::get({kLanes}, cast<MemRefType>(lanesOfVar.getType()).getElementType());
    Value stored = vector::LoadOp::create(b, type, lanesOfVar, ValueRange{index(0)});
    bind(op.getValue(), {fromStorage(*this, stored, tileInfo(op.getTile()).element)});
    return success();
  }
  SmallVector<Lanes> indices = llvm::map_to_vector(op.getIndices(), [&](Value v) { return lanes(v); });
  Value pad = padValue(*this, op->getAttr("cpu.pad"), tileInfo(op.getTile()).element); // of a copy that was merged
  bind(op.getValue(), load(view(op.getTile()), indices, !proven.contains(op), pad));
  return success();
}

LogicalResult Emitter::emitStore(StoreOp op) {
  llvm::SaveAndRestore traps(trapsOutside, options.trapOutOfBounds);
  Lanes value = lanes(op.getValue());
  for (const auto &hook : storeHooks.lookup(op)) hook(value);
  if (op->hasAttr("cpu.unused")) return success();
  if (Value lanesOfVar = privateVars.lookup(op.getTile())) {
    Value row = toStorage(*this, asVector(value), tileInfo(op.getTile()).element);
    if (mask)
      vector::MaskedStoreOp::create(b, lanesOfVar, ValueRange{index(0)}, mask, row);
    else
      vector::StoreOp::create(b, row, lanesOfVar, ValueRange{index(0)});
    return success();
  }
  SmallVector<Lanes> indices = llvm::map_to_vector(op.getIndices(), [&](Value v) { return lanes(v); });
  store(view(op.getTile()), indices, value, !proven.contains(op), streamed.contains(op));
  return success();
}

LogicalResult Emitter::emitAtomicUpdate(const View &view, ArrayRef<Lanes> indices, AtomicKind kind, Lanes value,
                                        bool guard, Lanes *old) {
  SmallVector<Lanes> at = positions(*this, view, indices);
  Value inside = guard ? insideMask(view, indices) : Value();
  Type stored = memRefOf(view).getElementType();
  Lanes operand{toStorage(*this, value.value, view.element)};
  auto one = [&](Value element, ValueRange where) {
    return cpu::emitAtomicUpdate(*this, kind, view.element, view.memref, where, element);
  };
  if (!inLanes) {
    Value result = constantLike(stored, 0);
    Value cell = old ? stackMemRef(stored, {1}) : Value();
    if (cell) memref::StoreOp::create(b, result, cell, ValueRange{index(0)});
    auto update = [&] {
      Value before = one(operand.value, scalarsOf(at));
      if (cell) memref::StoreOp::create(b, before, cell, ValueRange{index(0)});
      return success();
    };
    if (inside)
      (void)emitIf(inside, update);
    else
      (void)update();
    if (old) *old = {fromStorage(*this, memref::LoadOp::create(b, cell, ValueRange{index(0)}), view.element)};
    return success();
  }
  Value row = old ? stackMemRef(stored, {kLanes}) : Value();
  auto rowType = VectorType::get({kLanes}, stored);
  if (row) vector::StoreOp::create(b, constantLike(rowType, 0), row, ValueRange{index(0)});
  Lanes live{inside ? (isa<VectorType>(inside.getType()) ? inside : splat(inside)) : Value()};
  forEachLane([&](Value lane) {
    auto update = [&] {
      Value before = one(extractLane(*this, operand, lane), extractLanes(*this, at, lane));
      if (row) memref::StoreOp::create(b, before, row, ValueRange{lane});
      return success();
    };
    if (live.value)
      (void)emitIf(extractLane(*this, live, lane), update);
    else
      (void)update();
  });
  if (old) *old = {fromStorage(*this, vector::LoadOp::create(b, rowType, row, ValueRange{index(0)}), view.element)};
  return success();
}

LogicalResult Emitter::emitAtomic(AtomicOp op) {
  View target = view(op.getTile());
  if (orderedAtomics && isa<FloatType>(target.element) && tileInfo(op.getTile()).space == Space::global)
    callRuntime("tsr_ordered_enter", {}, {block.context, block.linearIndex});
  SmallVector<Lanes> indices = llvm::map_to_vector(op.getIndices(), [&](Value v) { return lanes(v); });
  Lanes old{};
  bool used = !op.getOld().use_empty();
  if (failed(emitAtomicUpdate(target, indices, op.getKind(), lanes(op.getValue()), !proven.contains(op),
                              used ? &old : nullptr)))
    return failure();
  if (used) bind(op.getOld(), old);
  return success();
}

} // namespace tessera::cpu
