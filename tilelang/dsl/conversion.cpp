// How scalars of the language become MLIR values: literals, casts, sizes.
#include "tilelang/dsl/tracer.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <fmt/format.h>

#include <cmath>

using namespace mlir;

namespace tessera::tl {
namespace {

bool isIntegerLike(ScalarType type) { return type.index || isInteger(type.dtype); }
bool isUnsignedType(ScalarType type) {
  return !type.index && (isUnsignedInteger(type.dtype) || type.dtype == DType::boolean);
}

/// Whether the integer literal is a value of the integer type.
bool fits(const Expr::Payload &literal, ScalarType type) {
  if (!type.index && type.dtype == DType::boolean) return literal.integer == 0 || literal.integer == 1;
  int width = type.index ? 64 : bitWidth(type.dtype);
  if (literal.aboveInt64) return isUnsignedType(type) && width == 64;
  if (isUnsignedType(type)) return literal.integer >= 0 && (width == 64 || literal.integer < (int64_t(1) << width));
  return width == 64 ||
         (literal.integer >= -(int64_t(1) << (width - 1)) && literal.integer < (int64_t(1) << (width - 1)));
}

std::string literalText(const Expr::Payload &literal) {
  if (literal.kind == Expr::Kind::floating) return fmt::format("{}", literal.floating);
  return literal.aboveInt64 ? fmt::format("{}", static_cast<uint64_t>(literal.integer))
                            : fmt::format("{}", literal.integer);
}

double literalValue(const Expr::Payload &literal) {
  if (literal.kind == Expr::Kind::floating) return literal.floating;
  return literal.aboveInt64 ? static_cast<double>(static_cast<uint64_t>(literal.integer))
                            : static_cast<double>(literal.integer);
}

} // namespace

Value Tracer::literal(const Expr::Payload &literal, ScalarType type, const At &at) {
  auto refuse = [&]() {
    fail(at, fmt::format("{} is not representable in {}", literalText(literal), type.text()),
         "use a value of the type, or cast a wider one");
  };
  if (!type.index && isFloat(type.dtype)) {
    double value = literalValue(literal);
    // e2m1 holds every number, as its largest at worst.
    bool isBeyond = type.dtype == DType::e2m1 && std::fabs(value) >= 7;
    if (std::isfinite(value) && (isBeyond || !std::isfinite(roundTo(type.dtype, value)))) refuse();
    return constant(type, value);
  }
  if (literal.kind == Expr::Kind::integer) {
    if (!fits(literal, type)) refuse();
    return constant(type, literal.integer);
  }
  Expr::Payload whole = literal;
  whole.kind = Expr::Kind::integer;
  if (!(std::fabs(literal.floating) < 0x1p63) || literal.floating != std::trunc(literal.floating)) refuse();
  whole.integer = static_cast<int64_t>(literal.floating);
  if (!fits(whole, type)) refuse();
  return constant(type, whole.integer);
}

Typed Tracer::typed(const Expr &expr, const At &at) {
  const Expr::Payload &data = expr.payload();
  if (data.kind == Expr::Kind::none) fail(at, "the expression has no value", "give it one where it is declared");
  if (data.kind != Expr::Kind::value) return {literal(data, expr.type(), at), expr.type()};
  if (data.program == 0) return {constant(data.type, data.integer), data.type}; // a bool literal
  if (data.program != id)
    fail(at, fmt::format("the value belongs to another program than '{}'", name),
         "compute it again inside this program");
  if (!isOpen(data.scope))
    fail(at, "the value is used outside the kernel, loop or condition that computes it",
         "keep it in a variable or buffer declared outside");
  return {Value::getFromOpaquePointer(data.value), data.type};
}

Value Tracer::as(const Expr &expr, ScalarType type, const At &at) {
  Expr::Kind kind = expr.payload().kind;
  if (kind == Expr::Kind::integer || kind == Expr::Kind::floating) return literal(expr.payload(), type, at);
  return cast(typed(expr, at), type, at);
}

Value Tracer::condition(const Expr &expr, const At &at) {
  Typed from = typed(expr, at);
  if (from.type != ScalarType{DType::boolean})
    fail(at, fmt::format("a condition has the type {}, not bool", from.type.text()),
         "compare it, for example with `!= 0`");
  return from.value;
}

Value Tracer::index(const Expr &expr, const At &at) {
  ScalarType type = expr.type();
  if (!isIntegerLike(type))
    fail(at, fmt::format("a subscript or bound has the type {}, not an integer", type.text()), "cast it to i32 or i64");
  return as(expr, {DType::i64, true}, at);
}

Value Tracer::cast(Typed from, ScalarType to, const At &at, const CastOptions &options) {
  if (from.type == to && !options.rounding) return from.value;
  Type type = valueType(to);
  // Integers of one width are the same bits; wrapping changes nothing.
  if (from.value.getType() == type && !isa<FloatType>(type)) return from.value;
  tile::RoundingAttr rounding;
  if (options.rounding)
    rounding = tile::RoundingAttr::get(&impl->context, static_cast<tile::Rounding>(*options.rounding));
  bool saturate = options.saturate && isa<FloatType>(type);
  return create<tile::CastOp>(at, type, from.value, rounding, saturate, isUnsignedType(from.type), isUnsignedType(to));
}

Expr Tracer::wrap(Value value, ScalarType type, const At &at) {
  Expr::Payload payload;
  payload.kind = Expr::Kind::value;
  payload.type = type;
  payload.value = value.getAsOpaquePointer();
  payload.program = id;
  payload.scope = currentScope();
  payload.where = at;
  return Expr(payload);
}

Value Tracer::symbolValue(int symbol, const At &at) {
  Symbol &entry = symbols[static_cast<size_t>(symbol)];
  if (entry.value) return entry.value;
  for (const Parameter &parameter : parameters)
    for (auto [d, dim] : llvm::enumerate(parameter.shape)) {
      if (dim.isStatic() || dim.expression()->op != DimOp::symbol || dim.expression()->symbol != symbol) continue;
      Value position = indexConstant(static_cast<int64_t>(d));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(position);
      return entry.value = memref::DimOp::create(builder, location(entry.where), parameter.value, position);
    }
  fail(at, fmt::format("size `{}` is used before a tensor has it as an extent", entry.name),
       "declare the tensor first, or make the size a scalar parameter");
}

Value Tracer::extent(const Dim &dim, const At &at) {
  if (dim.isStatic()) return indexConstant(dim.value());
  const Dim::Node &node = *dim.expression();
  if (node.program != id)
    fail(at, fmt::format("size `{}` belongs to another program than '{}'", dim.text(), name),
         "make it with dim() of this program");
  if (node.op == DimOp::symbol) return symbolValue(node.symbol, at);
  Value a = extent(node.operands[0], at), b = extent(node.operands[1], at);
  switch (node.op) {
  case DimOp::add: return fold<arith::AddIOp>(at, a, b);
  case DimOp::sub: return fold<arith::SubIOp>(at, a, b);
  case DimOp::mul: return fold<arith::MulIOp>(at, a, b);
  case DimOp::ceildiv: return fold<arith::CeilDivSIOp>(at, a, b);
  case DimOp::mod: return fold<arith::RemSIOp>(at, a, b);
  default: return fold<arith::FloorDivSIOp>(at, a, b);
  }
}

Value Tracer::buffer(const Buffer &buffer, const At &at) {
  if (buffer.programId() != id)
    fail(at, fmt::format("the buffer belongs to another program than '{}'", name),
         "allocate or declare it in this program");
  if (!isOpen(buffer.scopeId()))
    fail(at, "the buffer is used outside the kernel, loop or condition that allocates it", "allocate it outside");
  return Value::getFromOpaquePointer(buffer.value());
}

} // namespace tessera::tl
