// Who else uses the tensor is known when compiling; sizes and addresses are compared when the block runs.
#include "tilelang/cpu/emit/StreamingStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

constexpr int64_t kLineBytes = 64;

/// Whether all that a kernel does with a tile is to put elements into it.
bool isOnlyWritten(Value tile, KernelOp kernel) {
  return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (!kernel->isProperAncestor(user)) return true;
    if (auto region = dyn_cast<RegionOp>(user)) return isOnlyWritten(region.getResult(), kernel);
    if (auto store = dyn_cast<StoreOp>(user)) return store.getTile() == tile;
    if (auto copy = dyn_cast<CopyOp>(user)) return copy.getSrc() != tile;
    if (auto transpose = dyn_cast<TransposeOp>(user)) return transpose.getSrc() != tile;
    return isa<FillOp>(user);
  });
}

} // namespace

Value streamingCondition(Emitter &e, Operation *op, const View &window, Value firstCol, Value cols) {
  ImplicitLocOpBuilder &b = e.b;
  auto region = window.tile.getDefiningOp<RegionOp>();
  Value tensor = region ? region.getBuffer() : window.tile;
  auto type = cast<MemRefType>(window.memref.getType());
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel || !isa<BlockArgument>(tensor) || !type.getLayout().isIdentity() || type.getRank() == 0) return {};
  if (type.getElementTypeBitWidth() % 8 != 0 || !isOnlyWritten(tensor, kernel)) return {};

  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  APInt knownCols;
  if (matchPattern(cols, m_ConstantInt(&knownCols)) && knownCols.getSExtValue() * elementBytes % kLineBytes != 0)
    return {};
  auto multiply = [&](Value x, Value y) { return b.createOrFold<arith::MulIOp>(x, y); };
  Value size = e.index(elementBytes), last;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    last = type.isDynamicDim(d) ? memref::DimOp::create(b, window.memref, d).getResult() : e.index(type.getDimSize(d));
    size = multiply(size, last);
  }
  // One multiple of a line for all: the address, the distance of rows, and where a row begins and ends.
  Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), e.storage(tensor));
  Value places = arith::IndexCastOp::create(b, b.getIndexType(), address);
  for (Value columns : {type.getRank() == 1 ? e.index(0) : last, firstCol, cols})
    places = b.createOrFold<arith::OrIOp>(places, multiply(columns, e.index(elementBytes)));
  Value rest = b.createOrFold<arith::AndIOp>(places, e.index(kLineBytes - 1));
  auto compare = [&](arith::CmpIPredicate predicate, Value x, int64_t y) {
    return b.createOrFold<arith::CmpIOp>(predicate, x, e.index(y));
  };
  Value isLarge = compare(arith::CmpIPredicate::sgt, size, e.options.isa.chip.l3Bytes);
  if (matchPattern(isLarge, m_Zero())) return {};
  return b.createOrFold<arith::AndIOp>(isLarge, compare(arith::CmpIPredicate::eq, rest, 0));
}

void storeStreamed(Emitter &e, Value row, Value memref, ValueRange at) {
  int64_t bits = getElementTypeOrSelf(row.getType()).getIntOrFloatBitWidth();
  // LLVM would merge a truncation with the store and forget how it was to be stored; it cannot see through assembly.
  if (e.options.isa.hasAvx512 && bits < 32)
    row = LLVM::InlineAsmOp::create(e.b, row.getType(), ValueRange{row}, "", "=v,0", false, false,
                                    LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
              .getResult(0);
  auto align = static_cast<uint64_t>(std::min(kLineBytes, kLanes * bits / 8));
  vector::StoreOp::create(e.b, row, memref, at, true, llvm::MaybeAlign(align));
}

} // namespace tessera::cpu
