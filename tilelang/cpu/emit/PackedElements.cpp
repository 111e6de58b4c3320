// Nibbles of global tensors: addresses in halves of bytes, rows of 16 as one word of 64 bits.
#include "tilelang/cpu/emit/PackedElements.h"

#include "tilelang/cpu/emit/LaneBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {
namespace {

/// Where an element lies.
struct Place {
  Value pointer; ///< to element 0 of the tensor
  Value number;  ///< of elements from there, an i64
};

Place placeOf(Emitter &e, const View &view, ValueRange at) {
  LaneBuilder l(e.b);
  auto region = view.tile.getDefiningOp<tile::RegionOp>();
  Value pointer = e.storage(region ? region.getBuffer() : view.tile);
  auto type = cast<MemRefType>(view.memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  auto meta = memref::ExtractStridedMetadataOp::create(e.b, view.memref);
  Value number = e.index(0);
  for (auto [d, index] : llvm::enumerate(at)) {
    Value stride = ShapedType::isDynamic(strides[d]) ? meta.getStrides()[d] : e.index(strides[d]);
    number = l.add(number, l.mul(index, stride));
  }
  return {pointer, l.resize(number, 64, true)};
}

/// The address of the byte that holds an element `more` behind the place.
Value byteAddress(Emitter &e, const Place &place, int64_t more = 0) {
  LaneBuilder l(e.b);
  Value byte = l.shiftRightSigned(l.add(place.number, more), 1);
  return LLVM::GEPOp::create(e.b, place.pointer.getType(), e.b.getI8Type(), place.pointer,
                             ArrayRef<LLVM::GEPArg>{byte});
}

/// 4 if the element is the second of its byte, else 0.
Value bitOffset(Emitter &e, const Place &place, Type type) {
  LaneBuilder l(e.b);
  return l.resize(l.shiftLeft(l.bitAnd(place.number, 1), 2), type, false);
}

Value loadUnaligned(Emitter &e, Type type, Value address) { return LLVM::LoadOp::create(e.b, type, address, 1); }

void storeNibble(Emitter &e, Value address, Value bitOffset, Value code) {
  LaneBuilder l(e.b);
  Type i8 = e.b.getI8Type();
  auto order = LLVM::AtomicOrdering::monotonic;
  Value old = LLVM::LoadOp::create(e.b, i8, address, 1, false, false, false, false, order);
  Value change = l.bitAnd(l.bitXor(l.shiftRight(old, bitOffset), code), 0xf);
  LLVM::AtomicRMWOp::create(e.b, LLVM::AtomicBinOp::_xor, address, l.shiftLeft(change, bitOffset), order);
}

} // namespace

bool isPacked(const View &view) { return cast<MemRefType>(view.memref.getType()).getElementType().isInteger(4); }

Value loadPacked(Emitter &e, const View &view, ValueRange at) {
  LaneBuilder l(e.b);
  Place place = placeOf(e, view, at);
  Value byte = loadUnaligned(e, e.b.getI8Type(), byteAddress(e, place));
  return l.bitAnd(l.shiftRight(byte, bitOffset(e, place, byte.getType())), 0xf);
}

Value loadPackedRow(Emitter &e, const View &view, ValueRange at) {
  LaneBuilder l(e.b);
  Place place = placeOf(e, view, at);
  Type i64 = e.b.getI64Type();
  Value word = loadUnaligned(e, i64, byteAddress(e, place));
  // The last element is the only one of a ninth byte where the first is an odd one; else it is in the word already.
  Value last = l.resize(loadUnaligned(e, e.b.getI8Type(), byteAddress(e, place, kLanes - 1)), 64, false);
  word = l.intrinsic("llvm.fshr", i64, {last, word, bitOffset(e, place, i64)});
  auto half = VectorType::get({kLanes / 2}, e.b.getI8Type());
  Value bytes = LLVM::BitcastOp::create(e.b, half, word);
  return vector::InterleaveOp::create(e.b, l.bitAnd(bytes, 0xf), l.shiftRight(bytes, 4));
}

void storePacked(Emitter &e, const View &view, ValueRange at, Value code) {
  Place place = placeOf(e, view, at);
  storeNibble(e, byteAddress(e, place), bitOffset(e, place, code.getType()), code);
}

void storePackedRow(Emitter &e, const View &view, ValueRange at, Value codes) {
  LaneBuilder l(e.b);
  Place place = placeOf(e, view, at);
  Type i8 = e.b.getI8Type(), i32 = e.b.getI32Type(), i64 = e.b.getI64Type();
  auto halves = vector::DeinterleaveOp::create(e.b, codes);
  Value bytes = l.bitOr(l.bitAnd(halves.getRes1(), 0xf), l.shiftLeft(halves.getRes2(), 4));
  Value word = LLVM::BitcastOp::create(e.b, i64, bytes);
  auto write = [&](Value value, int64_t from) {
    LLVM::StoreOp::create(e.b, value, byteAddress(e, place, from), 1);
    return success();
  };
  Value isEven = l.compare(LaneBuilder::Predicate::eq, l.bitAnd(place.number, 1), 0);
  (void)e.emitIf(
      isEven, [&] { return write(word, 0); },
      [&] { // half a byte, seven bytes as two words that overlap, half a byte
        storeNibble(e, byteAddress(e, place), l.constant(i8, 4), l.resize(word, i8, false));
        (void)write(l.resize(l.shiftRight(word, 4), i32, false), 1);
        (void)write(l.resize(l.shiftRight(word, 28), i32, false), 7);
        storeNibble(e, byteAddress(e, place, kLanes - 1), l.constant(i8, 0),
                    l.resize(l.shiftRight(word, 60), i8, false));
        return success();
      });
}

} // namespace tessera::cpu
