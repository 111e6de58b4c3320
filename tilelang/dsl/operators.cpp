// Promotion of operands and the operators on scalars.
#include "tilelang/dsl/promote.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tl {
namespace {

constexpr ScalarType kBool{DType::boolean}, kIndex{DType::i64, true}, kInt{DType::i32}, kFloat{DType::f32};

ScalarType widerFloat(ScalarType a, ScalarType b) {
  if (a == b) return a;
  int x = bitWidth(a.dtype), y = bitWidth(b.dtype);
  if (x == y) return kFloat; // f16 with bf16
  return x > y ? a : b;
}

/// Nothing if no integer type holds both without doubt.
std::optional<ScalarType> widerInteger(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (a.index || b.index) {
    ScalarType other = a.index ? b : a;
    if (other.index || other.dtype != DType::u64) return kIndex;
    return std::nullopt;
  }
  int x = bitWidth(a.dtype), y = bitWidth(b.dtype);
  if (isUnsignedType(a) == isUnsignedType(b)) return x > y ? a : b;
  if (isUnsignedType(a) ? x < y : y < x) return x > y ? a : b; // the signed one is wider
  return std::nullopt;
}

/// The type in which values of two types meet.
ScalarType meet(const char *word, ScalarType x, ScalarType y, const At &at) {
  if (x == y) return x;
  if (isBool(x)) return computeType(y);
  if (isBool(y)) return computeType(x);
  x = computeType(x), y = computeType(y);
  if (isFloating(x) && isFloating(y)) return widerFloat(x, y);
  if (isFloating(x) || isFloating(y)) return isFloating(x) ? x : y;
  if (std::optional<ScalarType> wider = widerInteger(x, y)) return *wider;
  fail(at, fmt::format("operands of {} have the types {} and {}", word, x.text(), y.text()),
       "no integer type is meant by both: cast one of them");
}

struct Pair {
  Tracer &tracer;
  Value a, b;
  ScalarType type;
};

Pair promote(const char *word, const Operand &a, const Operand &b, bool keepBool = false) {
  Tracer &tracer = Tracer::require(word, a.where());
  ScalarType type = commonType(word, {&a, &b}, keepBool);
  return {tracer, tracer.as(a, type, a.where()), tracer.as(b, type, b.where()), type};
}

template <class OnFloat, class OnSigned, class OnUnsigned>
Expr arithmetic(const char *word, const Operand &a, const Operand &b) {
  auto [tracer, x, y, type] = promote(word, a, b);
  const At &at = a.where();
  Value result = isFloating(type)       ? tracer.fold<OnFloat>(at, x, y)
                 : isUnsignedType(type) ? tracer.fold<OnUnsigned>(at, x, y)
                                        : tracer.fold<OnSigned>(at, x, y);
  return tracer.wrap(result, type, at);
}

template <class Op> Expr bitwise(const char *word, const Operand &a, const Operand &b) {
  auto [tracer, x, y, type] = promote(word, a, b, true);
  if (isFloating(type))
    fail(a.where(), fmt::format("{} of {} values", word, type.text()), "bitwise operators need integers or bool");
  return tracer.wrap(tracer.fold<Op>(a.where(), x, y), type, a.where());
}

template <class OnSigned, class OnUnsigned> Expr shift(const char *word, const Operand &a, const Operand &b) {
  Tracer &tracer = Tracer::require(word, a.where());
  Typed x = tracer.typed(a, a.where());
  if (isBool(x.type)) x = {tracer.cast(x, kInt, a.where()), kInt};
  ScalarType amount = tracer.typed(b, b.where()).type;
  if (!isIntegral(x.type) || !isIntegral(amount))
    fail(a.where(), fmt::format("{} of {} by {}", word, x.type.text(), amount.text()), "shifts need integers");
  int64_t width = x.type.index ? 64 : bitWidth(x.type.dtype);
  if (isLiteral(b) && (b.payload().integer < 0 || b.payload().integer >= width))
    fail(b.where(), fmt::format("{} by {} of a value of {} bits", word, b.payload().integer, width),
         fmt::format("shift by 0 to {}", width - 1));
  Value y = tracer.as(b, x.type, b.where());
  Value result = isUnsignedType(x.type) ? tracer.fold<OnUnsigned>(a.where(), x.value, y)
                                        : tracer.fold<OnSigned>(a.where(), x.value, y);
  return tracer.wrap(result, x.type, a.where());
}

using IntPredicate = arith::CmpIPredicate;

Expr compare(const char *word, const Operand &a, const Operand &b, arith::CmpFPredicate onFloat, IntPredicate onSigned,
             IntPredicate onUnsigned) {
  auto [tracer, x, y, type] = promote(word, a, b, true);
  Value result = isFloating(type)
                     ? tracer.fold<arith::CmpFOp>(a.where(), onFloat, x, y)
                     : tracer.fold<arith::CmpIOp>(a.where(), isUnsignedType(type) ? onUnsigned : onSigned, x, y);
  return tracer.wrap(result, kBool, a.where());
}

template <class Op> Expr logical(const char *word, const Operand &a, const Operand &b) {
  Tracer &tracer = Tracer::require(word, a.where());
  Value x = tracer.condition(a, a.where()), y = tracer.condition(b, b.where());
  return tracer.wrap(tracer.fold<Op>(a.where(), x, y), kBool, a.where());
}

void refuseZero(const char *word, const Operand &b, const Operand &a) {
  bool zero = b.payload().kind == Expr::Kind::integer && b.payload().integer == 0;
  if (zero && !isFloating(a.type())) fail(b.where(), fmt::format("{} by 0", word), "give a divisor other than 0");
}

} // namespace

ScalarType commonType(const char *word, std::initializer_list<const Operand *> operands, bool keepBool) {
  Tracer &tracer = Tracer::require(word, (*operands.begin())->where());
  std::optional<ScalarType> values, literals;
  for (const Operand *operand : operands) {
    ScalarType type = tracer.typed(*operand, operand->where()).type; // names an operand without a value first
    std::optional<ScalarType> &joined = isLiteral(*operand) ? literals : values;
    joined = joined ? meet(word, *joined, type, operand->where()) : type;
  }
  // Literals take the type of the values, unless that cannot be: 0.5 beside an integer, 2 beside a bool.
  ScalarType type = values ? *values : *literals;
  if (values && literals && isFloating(*literals) && !isFloating(type)) type = {DType::f32};
  if (isBool(type) && (literals || !keepBool)) type = {DType::i32};
  return computeType(type);
}

Expr operator+(const Operand &a, const Operand &b) {
  return arithmetic<arith::AddFOp, arith::AddIOp, arith::AddIOp>("+", a, b);
}
Expr operator-(const Operand &a, const Operand &b) {
  return arithmetic<arith::SubFOp, arith::SubIOp, arith::SubIOp>("-", a, b);
}
Expr operator*(const Operand &a, const Operand &b) {
  return arithmetic<arith::MulFOp, arith::MulIOp, arith::MulIOp>("*", a, b);
}
Expr operator/(const Operand &a, const Operand &b) {
  refuseZero("/", b, a);
  return arithmetic<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>("/", a, b);
}
Expr operator%(const Operand &a, const Operand &b) {
  refuseZero("%", b, a);
  if (isFloating(a.type()) || isFloating(b.type()))
    fail(a.where(), fmt::format("operands of % have the types {} and {}", a.type().text(), b.type().text()),
         "use fmod for floating point");
  return arithmetic<arith::RemFOp, arith::RemSIOp, arith::RemUIOp>("%", a, b);
}

Expr operator-(const Operand &a) {
  Tracer &tracer = Tracer::require("-", a.where());
  const Expr::Payload &data = a.payload();
  if (data.kind == Expr::Kind::floating) return Expr(-data.floating, a.where());
  if (data.kind == Expr::Kind::integer && !data.aboveInt64) return Expr(-data.integer, a.where());
  ScalarType type = computeType(tracer.typed(a, a.where()).type);
  if (isBool(type)) type = kInt;
  Value x = tracer.as(a, type, a.where());
  if (isFloating(type)) return tracer.wrap(tracer.fold<arith::NegFOp>(a.where(), x), type, a.where());
  Value zero = tracer.constant(type, int64_t(0));
  return tracer.wrap(tracer.fold<arith::SubIOp>(a.where(), zero, x), type, a.where());
}

Expr operator&(const Operand &a, const Operand &b) { return bitwise<arith::AndIOp>("&", a, b); }
Expr operator|(const Operand &a, const Operand &b) { return bitwise<arith::OrIOp>("|", a, b); }
Expr operator^(const Operand &a, const Operand &b) { return bitwise<arith::XOrIOp>("^", a, b); }
Expr operator~(const Operand &a) {
  Tracer &tracer = Tracer::require("~", a.where());
  Typed x = tracer.typed(a, a.where());
  if (!isIntegral(x.type))
    fail(a.where(), fmt::format("~ of a {} value", x.type.text()), "~ needs an integer; use ! for bool");
  Value ones = tracer.constant(x.type, int64_t(-1));
  return tracer.wrap(tracer.fold<arith::XOrIOp>(a.where(), x.value, ones), x.type, a.where());
}
Expr operator<<(const Operand &a, const Operand &b) { return shift<arith::ShLIOp, arith::ShLIOp>("<<", a, b); }
Expr operator>>(const Operand &a, const Operand &b) { return shift<arith::ShRSIOp, arith::ShRUIOp>(">>", a, b); }

Expr operator<(const Operand &a, const Operand &b) {
  return compare("<", a, b, arith::CmpFPredicate::OLT, IntPredicate::slt, IntPredicate::ult);
}
Expr operator<=(const Operand &a, const Operand &b) {
  return compare("<=", a, b, arith::CmpFPredicate::OLE, IntPredicate::sle, IntPredicate::ule);
}
Expr operator>(const Operand &a, const Operand &b) {
  return compare(">", a, b, arith::CmpFPredicate::OGT, IntPredicate::sgt, IntPredicate::ugt);
}
Expr operator>=(const Operand &a, const Operand &b) {
  return compare(">=", a, b, arith::CmpFPredicate::OGE, IntPredicate::sge, IntPredicate::uge);
}
Expr operator==(const Operand &a, const Operand &b) {
  return compare("==", a, b, arith::CmpFPredicate::OEQ, IntPredicate::eq, IntPredicate::eq);
}
Expr operator!=(const Operand &a, const Operand &b) {
  return compare("!=", a, b, arith::CmpFPredicate::UNE, IntPredicate::ne, IntPredicate::ne);
}

Expr operator&&(const Operand &a, const Operand &b) { return logical<arith::AndIOp>("&&", a, b); }
Expr operator||(const Operand &a, const Operand &b) { return logical<arith::OrIOp>("||", a, b); }
Expr operator!(const Operand &a) {
  Tracer &tracer = Tracer::require("!", a.where());
  Value one = tracer.constant(kBool, int64_t(1));
  return tracer.wrap(tracer.fold<arith::XOrIOp>(a.where(), tracer.condition(a, a.where()), one), kBool, a.where());
}

} // namespace tessera::tl
