// Facts, checks, printing, block order, and expert synchronisation.
#include "tilelang/dsl/control.h"

#include "tilelang/dsl/sync.h"
#include "tilelang/dsl/tracer.h"

using namespace mlir;

namespace tessera::tl {
namespace {

tile::Pipe pipeOf(Pipe pipe) { return static_cast<tile::Pipe>(pipe); }

} // namespace

void assume(const Operand &condition) {
  Tracer &tracer = Tracer::requireKernel("assume", condition.where());
  tracer.create<tile::AssumeOp>(condition.where(), tracer.condition(condition, condition.where()));
}

void deviceAssert(const Operand &condition, const char *message) {
  Tracer &tracer = Tracer::requireKernel("deviceAssert", condition.where());
  tracer.create<tile::AssertOp>(condition.where(), tracer.condition(condition, condition.where()), message);
}

void detail::print(const Format &format, const std::vector<Expr> &values) {
  Tracer &tracer = Tracer::requireKernel("print", format.where);
  llvm::SmallVector<Value> printed;
  for (const Expr &value : values) printed.push_back(tracer.typed(value, format.where).value);
  tracer.create<tile::PrintfOp>(format.where, format.text, printed);
}

void swizzle(int64_t panel, bool columns, const At &at) {
  Tracer &tracer = Tracer::requireKernel("swizzle", at);
  Operation *op = tracer.builder.getInsertionBlock()->getParentOp();
  auto kernel = isa<tile::KernelOp>(op) ? cast<tile::KernelOp>(op) : op->getParentOfType<tile::KernelOp>();
  if (panel < 1) fail(at, "swizzle panel is " + std::to_string(panel), "give at least 1");
  kernel.setSwizzle(panel);
  kernel.setSwizzleColumns(columns);
}

void scope(Core core, FunctionRef<void()> body, const At &at) {
  Tracer &tracer = Tracer::requireKernel("scope", at);
  auto op = tracer.create<tile::ScopeOp>(at, static_cast<tile::Core>(core));
  record(tracer, &op.getBody().front(), body);
}

void setFlag(Pipe src, Pipe dst, const Operand &id) {
  Tracer &tracer = Tracer::requireKernel("setFlag", id.where());
  tracer.create<tile::SetFlagOp>(id.where(), pipeOf(src), pipeOf(dst), tracer.index(id, id.where()));
}
void waitFlag(Pipe src, Pipe dst, const Operand &id) {
  Tracer &tracer = Tracer::requireKernel("waitFlag", id.where());
  tracer.create<tile::WaitFlagOp>(id.where(), pipeOf(src), pipeOf(dst), tracer.index(id, id.where()));
}
void pipeBarrier(Pipe pipe, const At &at) {
  Tracer::requireKernel("pipeBarrier", at).create<tile::PipeBarrierOp>(at, pipeOf(pipe));
}
void barrierAll(const At &at) { Tracer::requireKernel("barrierAll", at).create<tile::BarrierAllOp>(at); }
void syncAll(const At &at) { Tracer::requireKernel("syncAll", at).create<tile::SyncAllOp>(at); }

void setCrossFlag(Pipe pipe, const Operand &id, int64_t mode) {
  Tracer &tracer = Tracer::requireKernel("setCrossFlag", id.where());
  tracer.create<tile::SetCrossFlagOp>(id.where(), pipeOf(pipe), tracer.index(id, id.where()), mode);
}
void waitCrossFlag(const Operand &id) {
  Tracer &tracer = Tracer::requireKernel("waitCrossFlag", id.where());
  tracer.create<tile::WaitCrossFlagOp>(id.where(), tracer.index(id, id.where()), tile::PipeAttr());
}
void waitCrossFlag(const Operand &id, Pipe pipe) {
  Tracer &tracer = Tracer::requireKernel("waitCrossFlag", id.where());
  auto attr = tile::PipeAttr::get(&tracer.impl->context, pipeOf(pipe));
  tracer.create<tile::WaitCrossFlagOp>(id.where(), tracer.index(id, id.where()), attr);
}

} // namespace tessera::tl
