// Syntax and verifiers of grids, loops and conditions.
#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::tile {
namespace {

/// The text as an author writes it between quotes.
std::string escaped(StringRef text) {
  std::string out;
  llvm::raw_string_ostream(out).write_escaped(text);
  return out;
}

/// Adds a region whose one block has `count` index arguments and ends with a yield.
Block *addBody(OpBuilder &builder, OperationState &state, size_t count) {
  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  SmallVector<Type> types(count, builder.getIndexType());
  SmallVector<Location> locs(count, state.location);
  Block *block = builder.createBlock(region, {}, types, locs);
  YieldOp::create(builder, state.location);
  return block;
}

/// `(%i, %j) in (%m, %n)`: one index argument of the body for each extent.
ParseResult parseBox(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> extents;
  Type index = parser.getBuilder().getIndexType();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren) || parser.parseKeyword("in") ||
      parser.parseOperandList(extents, OpAsmParser::Delimiter::Paren))
    return failure();
  if (arguments.size() != extents.size())
    return parser.emitError(loc) << arguments.size() << " indices for " << extents.size() << " extents";
  for (OpAsmParser::Argument &argument : arguments) argument.type = index;
  if (parser.resolveOperands(extents, index, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments)) return failure();
  return success();
}

void printBox(OpAsmPrinter &printer, Operation *op, ValueRange extents, Region &body) {
  printer << " (";
  llvm::interleaveComma(body.getArguments(), printer,
                        [&](BlockArgument a) { printer.printRegionArgument(a, {}, true); });
  printer << ") in (" << extents << ")";
  printer.printOptionalAttrDictWithKeyword(op->getAttrs());
  printer << ' ';
  printer.printRegion(body, false, false);
}

/// So that numbers of points, and a few more, fit in 64 bits.
constexpr int64_t kMostPoints = int64_t(1) << 48;

LogicalResult verifyPoints(Operation *op, ValueRange extents, StringRef what) {
  int64_t points = 1;
  for (Value extent : extents) {
    APInt value;
    if (!matchPattern(extent, m_ConstantInt(&value)) || value.sle(0)) continue;
    if (!llvm::MulOverflow(points, value.getSExtValue(), points) && points <= kMostPoints) continue;
    return failWith(op, what + " is larger than 2^48 with the extent " + Twine(value.getSExtValue()),
                    "the product of the extents is at most 2^48");
  }
  return success();
}

LogicalResult verifyBox(Operation *op, ValueRange extents, Region &body, StringRef what, size_t most) {
  if (extents.empty() || extents.size() > most)
    return failWith(op, what + " has " + Twine(extents.size()) + " dimensions", Twine("give 1 to ") + Twine(most));
  if (body.getNumArguments() != extents.size() ||
      !llvm::all_of(body.getArgumentTypes(), [](Type t) { return t.isIndex(); }))
    return op->emitOpError("needs one index argument for each extent");
  return verifyPoints(op, extents, what);
}

LogicalResult verifyCount(Operation *op, StringRef what, IntegerAttr count, int64_t least, int64_t most) {
  if (!count || (count.getInt() >= least && count.getInt() <= most)) return success();
  return failWith(op, what + " is " + Twine(count.getInt()), Twine("give ") + Twine(least) + " to " + Twine(most));
}

LogicalResult verifyNoArguments(Operation *op, Region &body) {
  if (body.getNumArguments() == 0) return success();
  return op->emitOpError("body has ") << body.getNumArguments() << " arguments but takes none";
}

/// Whether a break or continue stands in the body of a loop with nothing but conditions between.
bool isInLoop(Operation *op) {
  Region *region = op->getParentRegion();
  while (isa_and_nonnull<IfOp>(region->getParentOp())) region = region->getParentRegion();
  if (auto loop = dyn_cast_or_null<WhileOp>(region->getParentOp())) return region == &loop.getBody();
  return isa_and_nonnull<ForOp>(region->getParentOp());
}

LogicalResult verifyJump(Operation *op, StringRef word) {
  if (!isInLoop(op))
    return failWith(op, word + " outside the body of a loop",
                    Twine("put it in a serial, pipelined or while loop, under conditions only"));
  Operation *next = op->getNextNode();
  if (!next || !next->hasTrait<OpTrait::IsTerminator>())
    return failWith(op, Twine("statements follow a ") + word, "it must be the last statement of its body");
  return success();
}

/// The position of the letter of a conversion whose flags start at `pos`: flags, width and precision of at most three
/// digits, letter. npos if it is none.
size_t conversionAt(StringRef format, size_t pos) {
  auto skipDigits = [&] {
    size_t end = std::min(format.find_first_not_of("0123456789", pos), format.size());
    bool fits = end - pos <= 3;
    pos = end;
    return fits;
  };
  pos = std::min(format.find_first_not_of("+- #0", pos), format.size());
  if (!skipDigits()) return StringRef::npos;
  if (pos < format.size() && format[pos] == '.') {
    ++pos;
    if (!skipDigits()) return StringRef::npos;
  }
  return pos < format.size() && StringRef("diuxXfFeEgG").contains(format[pos]) ? pos : StringRef::npos;
}

} // namespace

void KernelOp::build(OpBuilder &builder, OperationState &state, ValueRange grid) {
  state.addOperands(grid);
  addBody(builder, state, grid.size());
}
ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  if (failed(parseBox(parser, result))) return failure();
  ensureTerminator(*result.regions.front(), parser.getBuilder(), result.location);
  return success();
}
void KernelOp::print(OpAsmPrinter &printer) { printBox(printer, *this, getGrid(), getBody()); }
LogicalResult KernelOp::verify() {
  if (failed(verifyBox(*this, getGrid(), getBody(), "grid", 3))) return failure();
  for (auto [dim, extent] : llvm::enumerate(getGrid())) {
    APInt value;
    if (matchPattern(extent, m_ConstantInt(&value)) && value.sle(0))
      return failWith(*this, Twine("grid dimension ") + Twine(dim) + " is " + Twine(value.getSExtValue()),
                      "a constant grid extent must be at least 1");
  }
  if (failed(verifyCount(*this, "threads", getThreadsAttr(), 1, 1024))) return failure();
  return verifyCount(*this, "swizzle panel", getSwizzleAttr(), 1, 1 << 20);
}

void ParallelOp::build(OpBuilder &builder, OperationState &state, ValueRange extents) {
  state.addOperands(extents);
  addBody(builder, state, extents.size());
}
ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  if (failed(parseBox(parser, result))) return failure();
  ensureTerminator(*result.regions.front(), parser.getBuilder(), result.location);
  return success();
}
void ParallelOp::print(OpAsmPrinter &printer) { printBox(printer, *this, getExtents(), getBody()); }
LogicalResult ParallelOp::verify() {
  if (failed(verifyBox(*this, getExtents(), getBody(), "parallel loop", 8))) return failure();
  if ((*this)->getParentOfType<ParallelOp>())
    return failWith(*this, "parallel loop inside a parallel loop", "write one loop over all dimensions");
  LogicalResult result = success();
  getBody().walk([&](Operation *op) {
    if (succeeded(result) &&
        isa<CopyOp, FillOp, GemmOp, ReduceOp, ScanOp, TransposeOp, AtomicTileOp, AllocOp, DumpOp, ScopeOp, SetFlagOp,
            WaitFlagOp, PipeBarrierOp, BarrierAllOp, SyncAllOp, SetCrossFlagOp, WaitCrossFlagOp>(op))
      result = failWith(op, Twine(op->getName().stripDialect()) + " inside a parallel loop",
                        "a parallel loop holds element accesses only; move the operation out or use a serial loop");
    auto loop = dyn_cast<ForOp>(op);
    if (succeeded(result) && loop && loop.getKind() == LoopKind::pipelined)
      result = failWith(op, "pipelined loop inside a parallel loop", "use a serial loop");
  });
  return result;
}

void ForOp::build(OpBuilder &builder, OperationState &state, LoopKind kind, Value lower, Value upper, Value step) {
  state.addOperands({lower, upper, step});
  state.addAttribute(getKindAttrName(state.name), LoopKindAttr::get(builder.getContext(), kind));
  addBody(builder, state, 1);
}
ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word)) return failure();
  std::optional<LoopKind> kind = symbolizeLoopKind(word);
  if (!kind) return parser.emitError(loc) << "unknown loop kind '" << word << "'";
  result.addAttribute(getKindAttrName(result.name), LoopKindAttr::get(parser.getContext(), *kind));
  OpAsmParser::Argument variable;
  OpAsmParser::UnresolvedOperand lower, upper, step;
  Type index = parser.getBuilder().getIndexType();
  variable.type = index;
  if (parser.parseArgument(variable) || parser.parseEqual() || parser.parseOperand(lower) ||
      parser.parseKeyword("to") || parser.parseOperand(upper) || parser.parseKeyword("step") ||
      parser.parseOperand(step) || parser.resolveOperands({lower, upper, step}, index, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, variable)) return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}
void ForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyLoopKind(getKind()) << ' ' << getInductionVar() << " = " << getLower() << " to "
          << getUpper() << " step " << getStep();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getKindAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), false, false);
}
LogicalResult ForOp::verify() {
  if (getBody().getNumArguments() != 1 || !getInductionVar().getType().isIndex())
    return emitOpError("needs one index argument");
  if (failed(verifyCount(*this, "num_stages", getStagesAttr(), 0, 64)) ||
      failed(verifyCount(*this, "cross_interval", getCrossIntervalAttr(), 1, 64)))
    return failure();
  if (getKind() != LoopKind::pipelined && (getStages() || getStage() || getOrder() || getCrossInterval()))
    return failWith(*this, Twine("stages on a ") + stringifyLoopKind(getKind()) + " loop",
                    "only pipelined loops have stages");
  return success();
}

void WhileOp::build(OpBuilder &builder, OperationState &state) {
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(state.addRegion());
  addBody(builder, state, 0);
}
ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  Region *before = result.addRegion(), *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseRegion(*before) ||
      parser.parseKeyword("do") || parser.parseRegion(*body))
    return failure();
  if (body->empty()) body->emplaceBlock();
  if (body->back().empty() || !body->back().back().hasTrait<OpTrait::IsTerminator>()) {
    OpBuilder builder(parser.getContext());
    builder.setInsertionPointToEnd(&body->back());
    YieldOp::create(builder, result.location);
  }
  return success();
}
void WhileOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBefore(), false, true);
  printer << " do ";
  printer.printRegion(getBody(), false, false);
}
LogicalResult WhileOp::verify() {
  if (failed(verifyNoArguments(*this, getBefore())) || failed(verifyNoArguments(*this, getBody()))) return failure();
  if (getBefore().front().empty() || !isa<ConditionOp>(getBefore().front().back()))
    return emitOpError("the condition must end with 'tile.condition'");
  if (getBody().front().empty() || !isa<YieldOp>(getBody().front().back()))
    return emitOpError("the body must end with 'tile.yield'");
  return success();
}

void IfOp::build(OpBuilder &builder, OperationState &state, Value condition, bool withElse) {
  state.addOperands(condition);
  addBody(builder, state, 0);
  if (withElse)
    addBody(builder, state, 0);
  else
    state.addRegion();
}
ParseResult IfOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  Region *thenBody = result.addRegion(), *elseBody = result.addRegion();
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition, parser.getBuilder().getI1Type(), result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseRegion(*thenBody))
    return failure();
  ensureTerminator(*thenBody, parser.getBuilder(), result.location);
  if (failed(parser.parseOptionalKeyword("else"))) return success();
  if (parser.parseRegion(*elseBody)) return failure();
  ensureTerminator(*elseBody, parser.getBuilder(), result.location);
  return success();
}
void IfOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getThenBody(), false, false);
  if (getElseBody().empty()) return;
  printer << " else ";
  printer.printRegion(getElseBody(), false, false);
}
LogicalResult IfOp::verify() {
  if (failed(verifyNoArguments(*this, getThenBody()))) return failure();
  return verifyNoArguments(*this, getElseBody());
}

LogicalResult BreakOp::verify() { return verifyJump(*this, "break"); }
LogicalResult ContinueOp::verify() { return verifyJump(*this, "continue"); }

LogicalResult DumpOp::verify() {
  if (!isa<Float4E2M1FNType>(tileInfo(getTile()).element)) return success();
  return failWith(*this, Twine("dump of ") + quotedName(getTile()) + ", which has elements of type e2m1",
                  "copy it to a tile of a wider type and dump that");
}

LogicalResult PrintfOp::verify() {
  SmallVector<char> conversions;
  StringRef format = getFormat();
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (i + 1 < format.size() && format[i + 1] == '%') {
      ++i;
      continue;
    }
    size_t end = conversionAt(format, i + 1);
    if (end == StringRef::npos)
      return failWith(*this,
                      Twine("format \"") + escaped(format) + "\" has an unknown conversion at position " + Twine(i),
                      "use %d %i %u %x for integers, %f %e %g for floating point, %% for a percent sign");
    conversions.push_back(format[end]);
    i = end;
  }
  if (conversions.size() != getArgs().size())
    return failWith(*this,
                    Twine("format \"") + escaped(format) + "\" has " + Twine(conversions.size()) + " conversions for " +
                        Twine(getArgs().size()) + " values",
                    "give one value for each conversion");
  for (auto [index, conversion] : llvm::enumerate(conversions)) {
    bool wantsFloat = StringRef("fFeEgG").contains(conversion);
    Type type = getArgs()[index].getType();
    if (wantsFloat != isa<FloatType>(type))
      return failWith(*this,
                      Twine("conversion %") + Twine(conversion) + " does not fit value " + Twine(index) + " of type " +
                          typeName(type),
                      "use %d for integers and %f for floating point");
  }
  return success();
}

} // namespace tessera::tile
