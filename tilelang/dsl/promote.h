// The rules by which operands of different types meet. Internal to the language.
#pragma once

#include "tilelang/dsl/tracer.h"

namespace tessera::tl {

inline bool isBool(ScalarType type) { return !type.index && type.dtype == DType::boolean; }
inline bool isFloating(ScalarType type) { return !type.index && isFloat(type.dtype); }
inline bool isIntegral(ScalarType type) { return type.index || isInteger(type.dtype); }
inline bool isUnsignedType(ScalarType type) { return !type.index && (isUnsignedInteger(type.dtype) || isBool(type)); }
/// Floating point of at most 8 bits.
inline bool isNarrowFloat(ScalarType type) { return isFloating(type) && bitWidth(type.dtype) <= 8; }
inline bool isLiteral(const Expr &expr) {
  return expr.payload().kind == Expr::Kind::integer || expr.payload().kind == Expr::Kind::floating;
}

/// What a type is computed in: f32 for floats of at most 8 bits, itself otherwise.
inline ScalarType computeType(ScalarType type) { return isNarrowFloat(type) ? ScalarType{DType::f32} : type; }

/// The type in which the operands of `word` meet. Bools count as i32 unless all are bool and `keepBool`.
ScalarType commonType(const char *word, std::initializer_list<const Operand *> operands, bool keepBool = false);

} // namespace tessera::tl
