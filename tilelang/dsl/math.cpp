// Functions of scalars.
#include "tilelang/dsl/math.h"

#include "tilelang/dsl/promote.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

using namespace mlir;

namespace tessera::tl {
namespace {

constexpr ScalarType kBool{DType::boolean}, kInt{DType::i32};

/// The arguments of a function in one type.
struct Arguments {
  Tracer &tracer;
  llvm::SmallVector<Value, 3> values;
  ScalarType type;
  At at;

  Expr result(Value value) const { return tracer.wrap(value, type, at); }
};

Arguments promoted(const char *word, std::initializer_list<const Operand *> operands, bool keepBool = false) {
  const At &at = (*operands.begin())->where();
  Tracer &tracer = Tracer::require(word, at);
  Arguments arguments{tracer, {}, commonType(word, operands, keepBool), at};
  for (const Operand *operand : operands)
    arguments.values.push_back(tracer.as(*operand, arguments.type, operand->where()));
  return arguments;
}

/// The same for functions of floating-point values: integers are refused, integer literals are not.
Arguments floats(const char *word, std::initializer_list<const Operand *> operands) {
  bool literals = true;
  for (const Operand *operand : operands) {
    ScalarType type = operand->type();
    literals = literals && isLiteral(*operand);
    if (!isLiteral(*operand) && operand->payload().kind != Expr::Kind::none && !isFloating(type))
      fail(operand->where(), fmt::format("{} of a {} value", word, type.text()),
           "cast it to a floating-point type first");
  }
  Arguments arguments = promoted(word, operands);
  if (!literals || isFloating(arguments.type)) return arguments;
  arguments.type = {DType::f32};
  arguments.values.clear();
  for (const Operand *operand : operands)
    arguments.values.push_back(arguments.tracer.as(*operand, arguments.type, operand->where()));
  return arguments;
}

template <class Op> Expr floatFunction(const char *word, std::initializer_list<const Operand *> operands) {
  Arguments arguments = floats(word, operands);
  return arguments.result(arguments.tracer.fold<Op>(arguments.at, ValueRange(arguments.values)));
}

template <class Op> Expr classify(const char *word, const Operand &x) {
  Arguments arguments = floats(word, {&x});
  return arguments.tracer.wrap(arguments.tracer.fold<Op>(arguments.at, arguments.values[0]), kBool, arguments.at);
}

template <class OnFloat, class OnSigned, class OnUnsigned, class OnBool>
Expr extremum(const char *word, const Operand &a, const Operand &b) {
  Arguments arguments = promoted(word, {&a, &b}, /*keepBool=*/true);
  Tracer &tracer = arguments.tracer;
  Value x = arguments.values[0], y = arguments.values[1];
  if (isFloating(arguments.type)) return arguments.result(tracer.fold<OnFloat>(arguments.at, x, y));
  if (isBool(arguments.type)) return arguments.result(tracer.fold<OnBool>(arguments.at, x, y));
  if (isUnsignedType(arguments.type)) return arguments.result(tracer.fold<OnUnsigned>(arguments.at, x, y));
  return arguments.result(tracer.fold<OnSigned>(arguments.at, x, y));
}

Arguments integers(const char *word, std::initializer_list<const Operand *> operands) {
  Arguments arguments = promoted(word, operands);
  if (isFloating(arguments.type))
    fail(arguments.at, fmt::format("{} of {} values", word, arguments.type.text()),
         "cast the values to integers first");
  return arguments;
}

void refuseZero(const char *word, const Operand &divisor) {
  if (divisor.payload().kind == Expr::Kind::integer && divisor.payload().integer == 0)
    fail(divisor.where(), fmt::format("{} by 0", word), "give a divisor other than 0");
}

} // namespace

Expr floordiv(const Operand &a, const Operand &b) {
  refuseZero("floordiv", b);
  Arguments x = promoted("floordiv", {&a, &b});
  if (isFloating(x.type)) return floor(Operand(a / b, x.at));
  if (isUnsignedType(x.type)) return x.result(x.tracer.fold<arith::DivUIOp>(x.at, x.values[0], x.values[1]));
  return x.result(x.tracer.fold<arith::FloorDivSIOp>(x.at, x.values[0], x.values[1]));
}

Expr ceildiv(const Operand &a, const Operand &b) {
  refuseZero("ceildiv", b);
  Arguments x = integers("ceildiv", {&a, &b});
  if (isUnsignedType(x.type)) return x.result(x.tracer.fold<arith::CeilDivUIOp>(x.at, x.values[0], x.values[1]));
  return x.result(x.tracer.fold<arith::CeilDivSIOp>(x.at, x.values[0], x.values[1]));
}

Expr truncdiv(const Operand &a, const Operand &b) { return a / b; }
Expr truncmod(const Operand &a, const Operand &b) { return a % b; }

Expr floormod(const Operand &a, const Operand &b) {
  refuseZero("floormod", b);
  Arguments x = integers("floormod", {&a, &b});
  if (isUnsignedType(x.type)) return x.result(x.tracer.fold<arith::RemUIOp>(x.at, x.values[0], x.values[1]));
  // The remainder has the sign of a; where that is not the sign of b, one more b brings it there.
  Operand divisor(x.result(x.values[1]), x.at);
  Operand remainder(x.result(x.tracer.fold<arith::RemSIOp>(x.at, x.values[0], x.values[1])), x.at);
  return select((remainder != 0) && ((remainder ^ divisor) < 0), remainder + divisor, remainder);
}

Expr alignUp(const Operand &a, const Operand &b) { return Operand(ceildiv(a, b), a.where()) * b; }

Expr min(const Operand &a, const Operand &b) {
  return extremum<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp, arith::AndIOp>("min", a, b);
}
Expr max(const Operand &a, const Operand &b) {
  return extremum<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::OrIOp>("max", a, b);
}
Expr clamp(const Operand &x, const Operand &lo, const Operand &hi) { return min(Operand(max(x, lo), x.where()), hi); }

Expr abs(const Operand &x) {
  Arguments arguments = promoted("abs", {&x});
  if (isUnsignedType(arguments.type)) return arguments.result(arguments.values[0]);
  if (isFloating(arguments.type))
    return arguments.result(arguments.tracer.fold<math::AbsFOp>(arguments.at, arguments.values[0]));
  return arguments.result(arguments.tracer.fold<math::AbsIOp>(arguments.at, arguments.values[0]));
}

Expr popcount(const Operand &x) {
  Arguments arguments = integers("popcount", {&x});
  return arguments.result(arguments.tracer.fold<math::CtPopOp>(arguments.at, arguments.values[0]));
}
Expr clz(const Operand &x) {
  Arguments arguments = integers("clz", {&x});
  return arguments.result(arguments.tracer.fold<math::CountLeadingZerosOp>(arguments.at, arguments.values[0]));
}

Expr exp(const Operand &x) { return floatFunction<math::ExpOp>("exp", {&x}); }
Expr exp2(const Operand &x) { return floatFunction<math::Exp2Op>("exp2", {&x}); }
Expr exp10(const Operand &x) { return floatFunction<tile::Exp10Op>("exp10", {&x}); }
Expr log(const Operand &x) { return floatFunction<math::LogOp>("log", {&x}); }
Expr log2(const Operand &x) { return floatFunction<math::Log2Op>("log2", {&x}); }
Expr log10(const Operand &x) { return floatFunction<math::Log10Op>("log10", {&x}); }
Expr log1p(const Operand &x) { return floatFunction<math::Log1pOp>("log1p", {&x}); }
Expr sqrt(const Operand &x) { return floatFunction<math::SqrtOp>("sqrt", {&x}); }
Expr rsqrt(const Operand &x) { return floatFunction<math::RsqrtOp>("rsqrt", {&x}); }
Expr sin(const Operand &x) { return floatFunction<math::SinOp>("sin", {&x}); }
Expr cos(const Operand &x) { return floatFunction<math::CosOp>("cos", {&x}); }
Expr tan(const Operand &x) { return floatFunction<math::TanOp>("tan", {&x}); }
Expr sinh(const Operand &x) { return floatFunction<math::SinhOp>("sinh", {&x}); }
Expr cosh(const Operand &x) { return floatFunction<math::CoshOp>("cosh", {&x}); }
Expr tanh(const Operand &x) { return floatFunction<math::TanhOp>("tanh", {&x}); }
Expr asin(const Operand &x) { return floatFunction<math::AsinOp>("asin", {&x}); }
Expr acos(const Operand &x) { return floatFunction<math::AcosOp>("acos", {&x}); }
Expr atan(const Operand &x) { return floatFunction<math::AtanOp>("atan", {&x}); }
Expr erf(const Operand &x) { return floatFunction<math::ErfOp>("erf", {&x}); }
Expr sigmoid(const Operand &x) { return floatFunction<tile::SigmoidOp>("sigmoid", {&x}); }
Expr atan2(const Operand &y, const Operand &x) { return floatFunction<math::Atan2Op>("atan2", {&y, &x}); }
Expr hypot(const Operand &x, const Operand &y) { return floatFunction<tile::HypotOp>("hypot", {&x, &y}); }
Expr fmod(const Operand &x, const Operand &y) { return floatFunction<arith::RemFOp>("fmod", {&x, &y}); }
Expr copysign(const Operand &x, const Operand &y) { return floatFunction<math::CopySignOp>("copysign", {&x, &y}); }
Expr nextafter(const Operand &x, const Operand &y) { return floatFunction<tile::NextAfterOp>("nextafter", {&x, &y}); }
Expr fma(const Operand &a, const Operand &b, const Operand &c) {
  return floatFunction<math::FmaOp>("fma", {&a, &b, &c});
}

Expr pow(const Operand &x, const Operand &y) {
  // An integer exponent of any type takes part as a number of the base's type.
  if (isIntegral(y.type()) && !isLiteral(y)) {
    Arguments base = floats("pow", {&x});
    Operand exponent(base.result(base.tracer.as(y, base.type, y.where())), y.where());
    return floatFunction<math::PowFOp>("pow", {&x, &exponent});
  }
  return floatFunction<math::PowFOp>("pow", {&x, &y});
}

Expr ldexp(const Operand &x, const Operand &n) {
  Arguments arguments = floats("ldexp", {&x});
  if (!isIntegral(n.type()))
    fail(n.where(), fmt::format("ldexp by a {} value", n.type().text()), "the exponent is an integer");
  Value exponent = arguments.tracer.as(n, kInt, n.where());
  return arguments.result(arguments.tracer.fold<tile::LdexpOp>(arguments.at, arguments.values[0], exponent));
}

Expr floor(const Operand &x) { return floatFunction<math::FloorOp>("floor", {&x}); }
Expr ceil(const Operand &x) { return floatFunction<math::CeilOp>("ceil", {&x}); }
Expr trunc(const Operand &x) { return floatFunction<math::TruncOp>("trunc", {&x}); }
Expr round(const Operand &x) { return floatFunction<math::RoundOp>("round", {&x}); }
Expr nearbyint(const Operand &x) { return floatFunction<math::RoundEvenOp>("nearbyint", {&x}); }

Expr isnan(const Operand &x) { return classify<math::IsNaNOp>("isnan", x); }
Expr isinf(const Operand &x) { return classify<math::IsInfOp>("isinf", x); }
Expr isfinite(const Operand &x) { return classify<math::IsFiniteOp>("isfinite", x); }

Expr select(const Operand &condition, const Operand &a, const Operand &b) {
  Tracer &tracer = Tracer::require("select", condition.where());
  Value flag = tracer.condition(condition, condition.where());
  Arguments arguments = promoted("select", {&a, &b}, /*keepBool=*/true);
  return arguments.result(
      tracer.fold<arith::SelectOp>(condition.where(), flag, arguments.values[0], arguments.values[1]));
}

Expr cast(const Operand &x, DType type, const CastOptions &options) {
  Tracer &tracer = Tracer::require("cast", x.where());
  tracer.elementType(type, x.where()); // names a type that has no values
  ScalarType to{type};
  Typed from = tracer.typed(x, x.where());
  // A literal is cast from the widest type of its kind, so that it is rounded once.
  if (isLiteral(x)) {
    from.type = {x.payload().kind == Expr::Kind::floating ? DType::f64
                 : x.payload().aboveInt64                 ? DType::u64
                                                          : DType::i64};
    from.value = tracer.as(x, from.type, x.where());
  }
  return tracer.wrap(tracer.cast(from, to, x.where(), options), to, x.where());
}

Expr reinterpret(const Operand &x, DType type) {
  Tracer &tracer = Tracer::require("reinterpret", x.where());
  Typed from = tracer.typed(x, x.where());
  ScalarType to{type};
  tracer.elementType(type, x.where());
  int width = from.type.index ? 64 : bitWidth(from.type.dtype);
  if (isBool(from.type) || isBool(to) || from.type.index || width != bitWidth(type))
    fail(x.where(), fmt::format("reinterpret of {} as {}", from.type.text(), to.text()),
         "both types need the same width and no bool or index");
  Type result = tracer.valueType(to);
  if (from.value.getType() == result) return tracer.wrap(from.value, to, x.where());
  return tracer.wrap(tracer.fold<arith::BitcastOp>(x.where(), result, from.value), to, x.where());
}

Expr infinity(DType type, const At &at) {
  Tracer &tracer = Tracer::require("infinity", at);
  if (!isFloat(type) || !std::isinf(roundTo(type, std::numeric_limits<double>::infinity())))
    fail(at, fmt::format("{} has no infinity", name(type)), "use maxValue(type)");
  return tracer.wrap(tracer.constant({type}, std::numeric_limits<double>::infinity()), {type}, at);
}

namespace {

Expr limit(const char *word, DType type, bool greatest, const At &at) {
  Tracer &tracer = Tracer::require(word, at);
  tracer.elementType(type, at);
  if (isFloat(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    double value = roundTo(type, greatest ? infinity : -infinity, Saturate::yes);
    if (type == DType::e8m0 && !greatest) value = 0x1p-127; // it has no sign
    return tracer.wrap(tracer.constant({type}, value), {type}, at);
  }
  int width = type == DType::boolean ? 1 : bitWidth(type);
  bool isSigned = isSignedInteger(type);
  APInt bits = greatest ? (isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width))
                        : (isSigned ? APInt::getSignedMinValue(width) : APInt::getMinValue(width));
  return tracer.wrap(
      tracer.constant({type}, static_cast<int64_t>(isSigned ? bits.getSExtValue() : bits.getZExtValue())), {type}, at);
}

} // namespace

Expr maxValue(DType type, const At &at) { return limit("maxValue", type, true, at); }
Expr minValue(DType type, const At &at) { return limit("minValue", type, false, at); }

} // namespace tessera::tl
