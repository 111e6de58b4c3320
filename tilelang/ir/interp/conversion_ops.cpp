// Conversions between scalar types: those of arith, and tile.cast. Each rounds once, by core/numbers.h.
#include "tilelang/ir/interp/frame.h"

#include "core/numbers.h"
#include "tilelang/ir/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace tessera::tile {
namespace {

tessera::Rounding rounding(arith::RoundingMode mode) {
  switch (mode) {
  case arith::RoundingMode::to_nearest_even: return tessera::Rounding::rint;
  case arith::RoundingMode::downward: return tessera::Rounding::floor;
  case arith::RoundingMode::upward: return tessera::Rounding::ceil;
  case arith::RoundingMode::toward_zero: return tessera::Rounding::trunc;
  case arith::RoundingMode::to_nearest_away: return tessera::Rounding::round;
  }
  return tessera::Rounding::rint;
}

tessera::Rounding rounding(tile::Rounding mode) {
  switch (mode) {
  case tile::Rounding::rint: return tessera::Rounding::rint;
  case tile::Rounding::floor: return tessera::Rounding::floor;
  case tile::Rounding::ceil: return tessera::Rounding::ceil;
  case tile::Rounding::round: return tessera::Rounding::round;
  case tile::Rounding::trunc: return tessera::Rounding::trunc;
  case tile::Rounding::odd: return tessera::Rounding::odd;
  }
  return tessera::Rounding::rint;
}

/// The format of one side of a tile.cast, whose verifier admits no other types.
DType castType(Type type, bool isUnsignedSide) {
  if (std::optional<DType> format = floatDType(type)) return *format;
  switch (*scalarWidth(type)) {
  case 1: return DType::boolean;
  case 8: return isUnsignedSide ? DType::u8 : DType::i8;
  case 16: return isUnsignedSide ? DType::u16 : DType::i16;
  case 32: return isUnsignedSide ? DType::u32 : DType::i32;
  default: return isUnsignedSide ? DType::u64 : DType::i64;
  }
}

void runCast(CastOp op, Frame &frame) {
  DType from = castType(op.getSource().getType(), op.getUnsignedFrom());
  DType to = castType(op.getResult().getType(), op.getUnsignedTo());
  tessera::Rounding mode = op.getRounding() ? rounding(*op.getRounding()) : defaultRounding(to);
  Saturate saturate = op.getSaturate() ? Saturate::yes : Saturate::no;
  frame.set(op.getResult(), convert(from, frame.bits(op.getSource()), to, mode, saturate));
}

template <class Op> void addBitCopy(Handlers &handlers) {
  handlers.add<Op>([](Op op, Frame &frame) { frame.set(op->getResult(0), frame.bits(op->getOperand(0))); });
}
template <class Op> void addSignExtension(Handlers &handlers) {
  handlers.add<Op>(
      [](Op op, Frame &frame) { frame.set(op->getResult(0), static_cast<uint64_t>(frame.index(op->getOperand(0)))); });
}

void addBetweenFloats(Handlers &h) {
  h.add<arith::ExtFOp>([](arith::ExtFOp op, Frame &frame) {
    frame.set(op.getResult(),
              convert(frame.floatType(op.getIn()), frame.bits(op.getIn()), frame.floatType(op.getResult())));
  });
  h.add<arith::TruncFOp>([](arith::TruncFOp op, Frame &frame) {
    tessera::Rounding mode = rounding(op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even));
    frame.set(op.getResult(),
              convert(frame.floatType(op.getIn()), frame.bits(op.getIn()), frame.floatType(op.getResult()), mode));
  });
}

void addToFloat(Handlers &h) {
  h.add<arith::SIToFPOp>([](arith::SIToFPOp op, Frame &frame) {
    DType to = frame.floatType(op.getResult());
    frame.set(op.getResult(), encodeSigned(to, frame.index(op.getIn()), tessera::Rounding::rint));
  });
  h.add<arith::UIToFPOp>([](arith::UIToFPOp op, Frame &frame) {
    DType to = frame.floatType(op.getResult());
    frame.set(op.getResult(), encodeUnsigned(to, frame.bits(op.getIn()), tessera::Rounding::rint));
  });
}

/// Rounds towards zero and limits to `width` bits; NaN gives 0.
uint64_t toSigned(double value, unsigned width) {
  auto integer = static_cast<int64_t>(encode(DType::i64, value, tessera::Rounding::trunc));
  int64_t least = Word{0, width}.least();
  return static_cast<uint64_t>(std::clamp(integer, least, ~least));
}
uint64_t toUnsigned(double value, unsigned width) {
  return std::min(encode(DType::u64, value, tessera::Rounding::trunc), maskTo(~uint64_t{0}, width));
}

void addFromFloat(Handlers &h) {
  h.add<arith::FPToSIOp>([](arith::FPToSIOp op, Frame &frame) {
    frame.set(op.getResult(), toSigned(frame.real(op.getIn()), frame.width(op.getResult())));
  });
  h.add<arith::FPToUIOp>([](arith::FPToUIOp op, Frame &frame) {
    frame.set(op.getResult(), toUnsigned(frame.real(op.getIn()), frame.width(op.getResult())));
  });
}

} // namespace

void addConversionHandlers(Handlers &h) {
  h.add<CastOp>(runCast);
  addBitCopy<arith::BitcastOp>(h);
  addBitCopy<arith::TruncIOp>(h);
  addBitCopy<arith::ExtUIOp>(h);
  addBitCopy<arith::IndexCastUIOp>(h);
  addSignExtension<arith::ExtSIOp>(h);
  addSignExtension<arith::IndexCastOp>(h);
  addBetweenFloats(h);
  addToFloat(h);
  addFromFloat(h);
}

} // namespace tessera::tile
