// Loops, conditions, and what a kernel says while it runs.
#include "core/dtype.h"
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/ir/DiagnosticCollector.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

LogicalResult Emitter::emitFor(Value lower, Value upper, Value step, function_ref<LogicalResult(Value)> body) {
  auto loop = scf::ForOp::create(b, lower, upper, step);
  OpBuilder::InsertPoint after = b.saveInsertionPoint();
  b.setInsertionPointToStart(loop.getBody());
  LogicalResult result = body(loop.getInductionVar());
  b.restoreInsertionPoint(after);
  return result;
}

LogicalResult Emitter::emitIf(Value condition, function_ref<LogicalResult()> body,
                              function_ref<LogicalResult()> otherwise) {
  auto branch = scf::IfOp::create(b, condition, static_cast<bool>(otherwise));
  OpBuilder::InsertPoint after = b.saveInsertionPoint();
  b.setInsertionPointToStart(branch.thenBlock());
  LogicalResult result = body();
  if (otherwise && succeeded(result)) {
    b.setInsertionPointToStart(branch.elseBlock());
    result = otherwise();
  }
  b.restoreInsertionPoint(after);
  return result;
}

namespace {

/// Whether a break or continue of this loop (not of one inside it) occurs below a block.
bool hasJump(Block &body) {
  for (Operation &op : body) {
    if (isa<BreakOp, ContinueOp>(op)) return true;
    auto branch = dyn_cast<IfOp>(op);
    if (!branch) continue;
    if (hasJump(branch.getThenBody().front())) return true;
    if (!branch.getElseBody().empty() && hasJump(branch.getElseBody().front())) return true;
  }
  return false;
}

void setFlag(Emitter &e, Value flag, bool value) {
  memref::StoreOp::create(e.b, arith::ConstantIntOp::create(e.b, value ? 1 : 0, 1), flag, ValueRange{});
}
Value getFlag(Emitter &e, Value flag) { return memref::LoadOp::create(e.b, flag, ValueRange{}); }
Value negated(Emitter &e, Value bit) {
  return arith::XOrIOp::create(e.b, bit, arith::ConstantIntOp::create(e.b, 1, 1));
}

/// How often a loop runs, as an unsigned number: the distance of its bounds may exceed 2^63.
Value tripCount(Emitter &e, Value lower, Value upper, Value step) {
  using Predicate = arith::CmpIPredicate;
  auto compare = [&](Predicate p, Value x, Value y) { return arith::CmpIOp::create(e.b, p, x, y).getResult(); };
  auto select = [&](Value c, Value x, Value y) { return arith::SelectOp::create(e.b, c, x, y).getResult(); };
  auto minus = [&](Value x, Value y) { return arith::SubIOp::create(e.b, x, y).getResult(); };
  Value zero = e.index(0), one = e.index(1);
  Value isUp = compare(Predicate::sgt, step, zero);
  Value runs = select(isUp, compare(Predicate::slt, lower, upper), compare(Predicate::sgt, lower, upper));
  Value distance = select(isUp, minus(upper, lower), minus(lower, upper));
  Value stride = select(isUp, step, minus(zero, step));
  Value full = arith::DivUIOp::create(e.b, minus(distance, one), stride);
  return select(runs, arith::AddIOp::create(e.b, full, one), zero);
}

/// Whether the variable stays in 64 bits when it passes the upper bound.
bool endsBelowOverflow(Value upper, int64_t step) {
  APInt bound;
  if (step == 1) return true;
  return matchPattern(upper, m_ConstantInt(&bound)) && bound.getSExtValue() <= INT64_MAX - step;
}

bool jumps(Operation *op) {
  if (isa<BreakOp, ContinueOp>(op)) return true;
  auto branch = dyn_cast<IfOp>(op);
  if (!branch) return false;
  return hasJump(branch.getThenBody().front()) ||
         (!branch.getElseBody().empty() && hasJump(branch.getElseBody().front()));
}

} // namespace

/// Jumps raise `skipFlag`; what follows a condition that may jump runs only while it is down.
LogicalResult Emitter::emitStatements(Operation *first) {
  for (Operation *op = first; op && !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode()) {
    if (!jumps(op)) {
      if (failed(emit(op))) return failure();
      continue;
    }
    b.setLoc(op->getLoc());
    auto branch = dyn_cast<IfOp>(op);
    if (!branch) {
      setFlag(*this, skipFlag, true);
      if (isa<BreakOp>(op)) setFlag(*this, breakFlag, true);
      return success();
    }
    auto body = [&](Region &region) {
      return [&] { return region.empty() ? success() : emitStatements(&region.front().front()); };
    };
    if (failed(emitIf(scalar(branch.getCondition()), body(branch.getThenBody()), body(branch.getElseBody()))))
      return failure();
    return emitIf(negated(*this, getFlag(*this, skipFlag)), [&] { return emitStatements(op->getNextNode()); });
  }
  return success();
}

/// The body of a loop; makes the flags its jumps need and tells whether it has any.
LogicalResult Emitter::emitLoopBody(Block &body) {
  if (skipFlag) setFlag(*this, skipFlag, false);
  return emitStatements(&body.front());
}

LogicalResult Emitter::emitForOp(ForOp op) {
  Value lower = scalar(op.getLower()), upper = scalar(op.getUpper()), step = scalar(op.getStep());
  llvm::SaveAndRestore savedBreak(breakFlag, Value()), savedSkip(skipFlag, Value());
  Block &body = op.getBody().front();
  APInt constant;
  bool counted = matchPattern(op.getStep(), m_ConstantInt(&constant)) && constant.isStrictlyPositive();
  if (counted && !hasJump(body)) {
    auto run = [&](Value i) {
      bind(op.getInductionVar(), {i});
      return emitLoopBody(body);
    };
    if (endsBelowOverflow(op.getUpper(), constant.getSExtValue())) return emitFor(lower, upper, step, run);
    return emitFor(index(0), tripCount(*this, lower, upper, step), index(1), [&](Value trip) {
      return run(arith::AddIOp::create(b, lower, arith::MulIOp::create(b, trip, step)));
    });
  }

  if (hasJump(body)) {
    breakFlag = stackMemRef(b.getI1Type(), {});
    skipFlag = stackMemRef(b.getI1Type(), {});
    setFlag(*this, breakFlag, false);
  }
  if (!matchPattern(op.getStep(), m_ConstantInt(&constant)))
    (void)emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, step, index(0)),
                 [&] { return emitFailure("tsr_step_zero", {}), success(); });
  Value trips = tripCount(*this, lower, upper, step);
  auto loop = scf::WhileOp::create(b, TypeRange{b.getIndexType()}, ValueRange{index(0)});
  OpBuilder::InsertPoint after = b.saveInsertionPoint();
  Block *before = b.createBlock(&loop.getBefore(), {}, {b.getIndexType()}, {b.getLoc()});
  Value goOn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, before->getArgument(0), trips);
  if (breakFlag) goOn = arith::AndIOp::create(b, goOn, negated(*this, getFlag(*this, breakFlag)));
  scf::ConditionOp::create(b, goOn, ValueRange{before->getArgument(0)});
  Value trip = b.createBlock(&loop.getAfter(), {}, {b.getIndexType()}, {b.getLoc()})->getArgument(0);
  bind(op.getInductionVar(), {arith::AddIOp::create(b, lower, arith::MulIOp::create(b, trip, step))});
  LogicalResult result = emitLoopBody(body);
  scf::YieldOp::create(b, ValueRange{arith::AddIOp::create(b, trip, index(1))});
  b.restoreInsertionPoint(after);
  return result;
}

LogicalResult Emitter::emitWhile(WhileOp op) {
  llvm::SaveAndRestore savedBreak(breakFlag, Value()), savedSkip(skipFlag, Value());
  if (hasJump(op.getBody().front())) {
    breakFlag = stackMemRef(b.getI1Type(), {});
    skipFlag = stackMemRef(b.getI1Type(), {});
    setFlag(*this, breakFlag, false);
  }
  auto loop = scf::WhileOp::create(b, TypeRange{}, ValueRange{});
  OpBuilder::InsertPoint after = b.saveInsertionPoint();
  b.createBlock(&loop.getBefore());
  auto condition = [&]() -> LogicalResult {
    if (failed(emitBody(op.getBefore().front()))) return failure();
    return success();
  };
  // After a break the condition is not computed again: it may read what the loop has made invalid.
  Value goOn;
  if (breakFlag) {
    Value flag = stackMemRef(b.getI1Type(), {});
    setFlag(*this, flag, false);
    LogicalResult emitted = emitIf(negated(*this, getFlag(*this, breakFlag)), [&]() -> LogicalResult {
      if (failed(condition())) return failure();
      memref::StoreOp::create(b, scalar(cast<ConditionOp>(op.getBefore().front().back()).getCondition()), flag,
                              ValueRange{});
      return success();
    });
    if (failed(emitted)) return failure();
    goOn = getFlag(*this, flag);
  } else {
    if (failed(condition())) return failure();
    goOn = scalar(cast<ConditionOp>(op.getBefore().front().back()).getCondition());
  }
  scf::ConditionOp::create(b, goOn, ValueRange{});
  b.createBlock(&loop.getAfter());
  LogicalResult result = emitLoopBody(op.getBody().front());
  scf::YieldOp::create(b);
  b.restoreInsertionPoint(after);
  return result;
}

LogicalResult Emitter::emitIfOp(IfOp op) {
  Lanes condition = lanes(op.getCondition());
  auto body = [&](Region &region) { return [&] { return region.empty() ? success() : emitBody(region.front()); }; };
  bool hasElse = !op.getElseBody().empty();
  if (condition.isUniform()) {
    if (!hasElse) return emitIf(condition.value, body(op.getThenBody()));
    return emitIf(condition.value, body(op.getThenBody()), body(op.getElseBody()));
  }
  // Lanes that differ run both sides, each with the lanes that took it.
  Value outer = mask, taken = condition.value;
  auto narrowed = [&](Value side) { return outer ? arith::AndIOp::create(b, outer, side).getResult() : side; };
  mask = narrowed(taken);
  LogicalResult result = emitBody(op.getThenBody().front());
  if (succeeded(result) && hasElse) {
    b.setLoc(op.getLoc());
    mask = narrowed(arith::XOrIOp::create(b, taken, constantLike(taken.getType(), 1)));
    result = emitBody(op.getElseBody().front());
  }
  mask = outer;
  return result;
}

void Emitter::emitFailure(StringRef function, ValueRange what) {
  SourceLine line = sourceLine(b.getLoc());
  SmallVector<Value> operands{block.context};
  llvm::append_range(operands, what);
  operands.push_back(stringAddress(line.file));
  operands.push_back(LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(line.line)));
  callRuntime(function, {}, operands);
}

LogicalResult Emitter::emitAssert(AssertOp op) {
  return emitIf(negated(*this, scalar(op.getCondition())),
                [&] { return emitFailure("tsr_assert_failed", stringAddress(op.getMessage())), success(); });
}

LogicalResult Emitter::emitPrintf(PrintfOp op) {
  std::string kinds;
  Type i64 = b.getI64Type();
  int64_t count = static_cast<int64_t>(op.getArgs().size());
  Value bits = stackMemRef(i64, {std::max<int64_t>(count, 1)});
  for (auto [n, arg] : llvm::enumerate(op.getArgs())) {
    Value value = scalar(arg);
    Type type = arg.getType();
    Value word;
    if (isa<FloatType>(type)) {
      kinds += 'f';
      Value wide = emitCast(value, type, b.getF64Type(), std::nullopt, false, false, false);
      word = arith::BitcastOp::create(b, i64, wide);
    } else {
      bool boolean = type.isInteger(1);
      kinds += type.isIndex() || boolean ? '8' : static_cast<char>('0' + type.getIntOrFloatBitWidth() / 8);
      word = type.isIndex()       ? arith::IndexCastOp::create(b, i64, value).getResult()
             : type.isInteger(64) ? value
             : boolean            ? arith::ExtUIOp::create(b, i64, value).getResult()
                                  : arith::ExtSIOp::create(b, i64, value).getResult();
    }
    memref::StoreOp::create(b, word, bits, ValueRange{index(static_cast<int64_t>(n))});
  }
  auto ptr = LLVM::LLVMPointerType::get(b.getContext());
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, bits);
  Value pointer = LLVM::IntToPtrOp::create(b, ptr, arith::IndexCastOp::create(b, i64, address).getResult());
  callRuntime("tsr_printf", {}, {block.context, stringAddress(op.getFormat()), stringAddress(kinds), pointer});
  return success();
}

/// The number of an element type in core/dtype.h.
static int32_t dtypeNumber(Type element) { return static_cast<int32_t>(*parseDType(typeName(element))); }

LogicalResult Emitter::emitDump(DumpOp op) {
  View v = view(op.getTile());
  Type i64 = b.getI64Type();
  auto ptr = LLVM::LLVMPointerType::get(b.getContext());
  auto meta = memref::ExtractStridedMetadataOp::create(b, v.memref);
  Value offset = index(0);
  Value sizes = stackMemRef(i64, {std::max<int64_t>(v.rank(), 1)}),
        strides = stackMemRef(i64, {std::max<int64_t>(v.rank(), 1)});
  auto toI64 = [&](Value x) { return arith::IndexCastOp::create(b, i64, x).getResult(); };
  for (int64_t d = 0; d < v.rank(); ++d) {
    Value stride = meta.getStrides()[d];
    offset = arith::AddIOp::create(b, offset, arith::MulIOp::create(b, v.offsets[d], stride));
    // Only the part of the window that exists.
    Value room = arith::SubIOp::create(b, meta.getSizes()[d], v.offsets[d]);
    Value size = arith::MaxSIOp::create(b, index(0), arith::MinSIOp::create(b, v.sizes[d], room));
    memref::StoreOp::create(b, toI64(size), sizes, ValueRange{index(d)});
    memref::StoreOp::create(b, toI64(stride), strides, ValueRange{index(d)});
  }
  auto address = [&](Value memref) {
    return LLVM::IntToPtrOp::create(b, ptr, toI64(memref::ExtractAlignedPointerAsIndexOp::create(b, memref)))
        .getResult();
  };
  Value first = LLVM::GEPOp::create(b, ptr, cast<MemRefType>(v.memref.getType()).getElementType(), address(v.memref),
                                    ArrayRef<LLVM::GEPArg>{toI64(offset)});
  Value dtype = LLVM::ConstantOp::create(b, b.getI32Type(), b.getI32IntegerAttr(dtypeNumber(v.element)));
  Value rank = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(v.rank()));
  callRuntime("tsr_dump", {},
              {block.context, stringAddress(op.getLabel()), dtype, first, rank, address(sizes), address(strides)});
  return success();
}

} // namespace tessera::cpu
