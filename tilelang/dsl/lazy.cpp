// ifThenElse: a choice of which only one side is computed.
#include "tilelang/dsl/loops.h"
#include "tilelang/dsl/promote.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tessera::tl {
namespace {

/// Whether a body may run although its condition is false: it changes nothing and cannot fail. Loads are such: outside
/// a buffer they give 0.
bool isHarmless(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) { return isPure(&op) || isa<tile::LoadOp>(op); });
}

/// One side: its body, and its value as seen from after the body.
struct Side {
  Block &body;
  std::optional<Operand> value;

  Side(Tracer &tracer, Block &body, FunctionRef<Expr()> compute, const At &at) : body(body) {
    Typed result;
    record(tracer, &body, [&] {
      value.emplace(compute(), at);
      if (!isLiteral(*value)) result = tracer.typed(*value, at);
    });
    if (!isLiteral(*value)) value.emplace(tracer.wrap(result.value, result.type, at), at);
  }

  /// The value in a type, converted inside the body.
  Value converted(Tracer &tracer, ScalarType type) {
    OpBuilder::InsertionGuard guard(tracer.builder);
    tracer.builder.setInsertionPoint(body.getTerminator());
    return tracer.as(*value, type, value->where());
  }

  void store(Tracer &tracer, Value result, Value place) {
    OpBuilder::InsertionGuard guard(tracer.builder);
    tracer.builder.setInsertionPoint(body.getTerminator());
    tile::StoreOp::create(tracer.builder, body.getTerminator()->getLoc(), result, place, ValueRange());
  }
};

void moveBefore(Operation *op, Block &body) {
  Block *target = op->getBlock();
  target->getOperations().splice(op->getIterator(), body.getOperations(), body.begin(), std::prev(body.end()));
}

} // namespace

Expr ifThenElse(const Operand &condition, FunctionRef<Expr()> a, FunctionRef<Expr()> b) {
  const At &at = condition.where();
  Tracer &tracer = Tracer::requireKernel("ifThenElse", at);
  Value flag = tracer.condition(condition, at);
  auto branch = tracer.create<tile::IfOp>(at, flag, /*withElse=*/true);
  Side x(tracer, branch.getThenBody().front(), a, at), y(tracer, branch.getElseBody().front(), b, at);
  ScalarType type = commonType("ifThenElse", {&*x.value, &*y.value}, /*keepBool=*/true);
  bool harmless = isHarmless(x.body) && isHarmless(y.body);
  if (!harmless) type.index = false; // a variable has an element type: i64
  Value ifTrue = x.converted(tracer, type), ifFalse = y.converted(tracer, type);
  if (harmless) {
    moveBefore(branch, x.body);
    moveBefore(branch, y.body);
    branch.erase();
    return tracer.wrap(tracer.fold<arith::SelectOp>(at, flag, ifTrue, ifFalse), type, at);
  }
  Variable result = [&] {
    OpBuilder::InsertionGuard guard(tracer.builder);
    tracer.builder.setInsertionPoint(branch);
    return var(type.dtype, at);
  }();
  Value place = Value::getFromOpaquePointer(result.buffer().value());
  x.store(tracer, ifTrue, place);
  y.store(tracer, ifFalse, place);
  return Operand(result, at);
}

} // namespace tessera::tl
