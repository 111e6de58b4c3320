// Verifiers of the expert synchronisation operations.
#include "tilelang/ir/TileInfo.h"

using namespace mlir;

namespace tessera::tile {
namespace {

LogicalResult verifyPipes(Operation *op, Pipe src, Pipe dst) {
  if (src == dst)
    return failWith(op, Twine("flag from pipe ") + stringifyPipe(src) + " to itself",
                    "use pipe_barrier to order one pipe");
  return success();
}

} // namespace

ParseResult ScopeOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word)) return failure();
  std::optional<Core> core = symbolizeCore(word);
  if (!core) return parser.emitError(loc) << "unknown core '" << word << "', expected 'cube' or 'vector'";
  result.addAttribute(getCoreAttrName(result.name), CoreAttr::get(parser.getContext(), *core));
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseRegion(*body)) return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}
void ScopeOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyCore(getCore());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getCoreAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), false, false);
}
void ScopeOp::build(OpBuilder &builder, OperationState &state, Core core) {
  state.addAttribute(getCoreAttrName(state.name), CoreAttr::get(builder.getContext(), core));
  ensureTerminator(*state.addRegion(), builder, state.location);
}
LogicalResult ScopeOp::verify() {
  if (getBody().getNumArguments() != 0)
    return emitOpError("body has ") << getBody().getNumArguments() << " arguments but takes none";
  if ((*this)->getParentOfType<ScopeOp>())
    return failWith(*this, "scope inside a scope",
                    "one statement runs on one kind of core; close the outer scope first");
  return success();
}

LogicalResult SetFlagOp::verify() { return verifyPipes(*this, getSrc(), getDst()); }
LogicalResult WaitFlagOp::verify() { return verifyPipes(*this, getSrc(), getDst()); }

LogicalResult SetCrossFlagOp::verify() {
  if (getMode() != 0 && getMode() != 1 && getMode() != 2 && getMode() != 4)
    return failWith(*this, Twine("cross-core flag mode ") + Twine(getMode()) + " does not exist",
                    "modes are 0, 1, 2 and 4");
  return success();
}

} // namespace tessera::tile
