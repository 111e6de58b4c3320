// Loops and conditions: each opens a body, lets the caller record it, and closes it.
#include "tilelang/dsl/loops.h"

#include "tilelang/dsl/promote.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <fmt/format.h>

#include <exception>

using namespace mlir;

namespace tessera::tl {
namespace {

constexpr ScalarType kIndex{DType::i64, true};

} // namespace

void record(Tracer &tracer, Block *block, FunctionRef<void()> body) {
  OpenBody open(tracer, Tracer::Scope::loop, block);
  body();
}

void LoopBody::opened(void *operation) {
  Tracer &tracer = Tracer::requireKernel(name, where);
  op = operation;
  exceptions = std::uncaught_exceptions();
  scope = tracer.open(Tracer::Scope::loop, &static_cast<Operation *>(op)->getRegion(0).front());
  program = tracer.id;
}

void LoopBody::close() {
  Tracer &tracer = Tracer::require(name, where);
  Operation *finished = static_cast<Operation *>(op);
  op = nullptr;
  tracer.close(scope);
  tracer.verify(finished);
}

LoopBody::~LoopBody() noexcept(false) {
  Tracer *tracer = Tracer::active();
  if (!op || !tracer || tracer->id != program) return;
  tracer->leaveUnfinished();
  tracer->close(scope);
  if (std::uncaught_exceptions() > exceptions) return;
  fail(where, fmt::format("the body of {} was left by a C++ break or return", name),
       "a body is recorded once from start to end: use breakLoop() under a condition of the kernel");
}

void CountedLoop::open() {
  Tracer &tracer = Tracer::requireKernel(name, where);
  Value lower = tracer.index(start, start.where()), upper = tracer.index(stop, stop.where());
  Value by = tracer.index(step, step.where());
  if (getConstantIntValue(by) == 0) fail(where, "loop step is 0", "give a step above or below 0");
  auto loop = tracer.create<tile::ForOp>(where, static_cast<tile::LoopKind>(kind), lower, upper, by);
  if (options.stages != 0) loop.setStages(options.stages);
  if (!options.stage.empty()) loop.setStage(options.stage);
  if (!options.order.empty()) loop.setOrder(options.order);
  if (options.crossInterval != 1) loop.setCrossInterval(options.crossInterval);
  tracer.verify(loop);
  opened(loop.getOperation());
  variables = {tracer.wrap(loop.getInductionVar(), kIndex, where)};
}

void LoopBody::openParallel(const std::vector<Operand> &extents, size_t dims) {
  Tracer &tracer = Tracer::requireKernel(name, where);
  if (extents.size() != dims)
    fail(where, fmt::format("Parallel has {} dimensions but {} extents", dims, extents.size()),
         "give one extent for each");
  llvm::SmallVector<Value> values;
  for (const Operand &extent : extents) values.push_back(tracer.index(extent, extent.where()));
  auto loop = tracer.create<tile::ParallelOp>(where, ValueRange(values));
  opened(loop.getOperation());
  for (Value variable : loop.getBody().getArguments()) variables.push_back(tracer.wrap(variable, kIndex, where));
}

void LoopBody::openPersistent(const std::vector<Operand> &domain, const Operand &waveSize, const Operand &worker,
                              int64_t groupSize) {
  if (groupSize < 1) fail(where, fmt::format("groupSize is {}", groupSize), "give at least 1");
  Tracer &tracer = Tracer::requireKernel(name, where);
  std::vector<Operand> extents; // as index, so that products do not overflow
  for (const Operand &extent : domain)
    extents.emplace_back(tracer.wrap(tracer.index(extent, extent.where()), kIndex, where), where);
  Expr rest = 1; // tiles in all dimensions but the first
  for (size_t d = 1; d < domain.size(); ++d) rest = Operand(rest, where) * extents[d];
  Expr tiles = Operand(rest, where) * extents[0];
  Value lower = tracer.index(worker, where), upper = tracer.index(tiles, where), step = tracer.index(waveSize, where);
  auto loop = tracer.create<tile::ForOp>(where, tile::LoopKind::persistent, lower, upper, step);
  opened(loop.getOperation());

  // Groups of `groupSize` rows, the last one shorter; inside a group the row changes fastest.
  Operand tile(tracer.wrap(loop.getInductionVar(), kIndex, where), where),
      span(rest * Operand(groupSize, where), where);
  Operand first((tile / span) * Operand(groupSize, where), where), within(tile % span, where);
  Operand rows(min(extents[0] - first, Operand(groupSize, where)), where);
  variables = {first + within % rows};
  Operand column(within / rows, where);
  for (size_t d = 1; d < domain.size(); ++d) {
    Expr inner = 1;
    for (size_t e = d + 1; e < domain.size(); ++e) inner = Operand(inner, where) * extents[e];
    Operand quotient(column / Operand(inner, where), where);
    variables.push_back(d == 1 ? Expr(quotient) : quotient % extents[d]);
  }
}

void breakLoop(const At &at) { Tracer::requireKernel("breakLoop", at).create<tile::BreakOp>(at); }
void continueLoop(const At &at) { Tracer::requireKernel("continueLoop", at).create<tile::ContinueOp>(at); }

If::If(const Operand &condition, FunctionRef<void()> body) {
  Tracer &tracer = Tracer::requireKernel("If", condition.where());
  Value flag = tracer.condition(condition, condition.where());
  auto branch = tracer.create<tile::IfOp>(condition.where(), flag, /*withElse=*/false);
  record(tracer, &branch.getThenBody().front(), body);
  op = branch.getOperation();
}

void If::Else(FunctionRef<void()> body) && {
  Tracer &tracer = Tracer::requireKernel("Else", {});
  auto branch = cast<tile::IfOp>(static_cast<Operation *>(op));
  {
    OpBuilder::InsertionGuard guard(tracer.builder);
    tracer.builder.createBlock(&branch.getElseBody());
    tile::YieldOp::create(tracer.builder, branch.getLoc());
  }
  record(tracer, &branch.getElseBody().front(), body);
}

While::While(FunctionRef<Expr()> condition, FunctionRef<void()> body, const At &at) {
  Tracer &tracer = Tracer::requireKernel("While", at);
  // The condition ends its region, so the operation is verified once both are there.
  auto loop = tile::WhileOp::create(tracer.builder, tracer.location(at));
  record(tracer, &loop.getBefore().front(), [&] {
    Expr flag = condition();
    tile::ConditionOp::create(tracer.builder, tracer.location(at), tracer.condition(flag, at));
  });
  record(tracer, &loop.getBody().front(), body);
  tracer.verify(loop);
}

} // namespace tessera::tl
