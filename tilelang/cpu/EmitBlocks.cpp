// One function for each kernel, which runs one block, and the entry that launches them.
#include "tilelang/cpu/Passes.h"
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/gemm/SharedTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {
#define GEN_PASS_DEF_CPUEMITBLOCKS
#include "tilelang/cpu/Passes.h.inc"

using namespace tile;

namespace {

/// Bits of tsr_launch's flags; see runtime.h.
constexpr int64_t kOrderedAtomics = 1, kSwizzleColumns = 2, kSwizzleShift = 8;

/// Binds the arguments of the program to what the slots hold: for a tensor its pointer, sizes and strides. Returns how
/// many there are.
int32_t bindArguments(Emitter &e, func::FuncOp function, Value slots) {
  Type i64 = e.b.getI64Type(), ptr = slots.getType();
  int32_t next = 0;
  auto slot = [&](Type type) -> Value {
    Value at = LLVM::GEPOp::create(e.b, ptr, i64, slots, ArrayRef<LLVM::GEPArg>{next++});
    return LLVM::LoadOp::create(e.b, type, at);
  };
  for (BlockArgument argument : function.getArguments()) {
    Type type = argument.getType();
    if (auto memref = dyn_cast<MemRefType>(type)) {
      Value pointer = slot(ptr);
      SmallVector<Value> sizes, strides;
      for (int64_t d = 0; d < memref.getRank(); ++d) sizes.push_back(slot(i64));
      for (int64_t d = 0; d < memref.getRank(); ++d) strides.push_back(slot(i64));
      e.bindBuffer(argument, pointer, sizes,
                   memref.getLayout().isIdentity() ? ArrayRef<Value>() : ArrayRef<Value>(strides));
      continue;
    }
    Value word = slot(i64);
    if (type.isIndex())
      e.bind(argument, {arith::IndexCastOp::create(e.b, type, word)});
    else if (type.isInteger(64))
      e.bind(argument, {word});
    else if (isa<IntegerType>(type))
      e.bind(argument, {arith::TruncIOp::create(e.b, type, word)});
    else {
      Value wide = arith::BitcastOp::create(e.b, e.b.getF64Type(), word);
      e.bind(argument, {e.emitCast(wide, e.b.getF64Type(), type, std::nullopt, false, false, false)});
    }
  }
  return next;
}

bool hasFloatAtomics(KernelOp kernel) {
  bool found = false;
  kernel.walk([&](Operation *op) {
    Value tile = isa<AtomicOp>(op)       ? cast<AtomicOp>(op).getTile()
                 : isa<AtomicTileOp>(op) ? cast<AtomicTileOp>(op).getDst()
                                         : Value();
    if (tile && isa<FloatType>(tileInfo(tile).element) && tileInfo(tile).space == Space::global) found = true;
  });
  return found;
}

struct EmitBlocks : impl::CpuEmitBlocksBase<EmitBlocks> {
  explicit EmitBlocks(const CpuOptions &options) : options(options) {}

  void runOnOperation() override {
    if (failed(selectIsa(getOperation(), isaName, options))) return signalPassFailure();
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    if (functions.size() != 1) {
      getOperation().emitError("the cpu target compiles one function at a time, found ") << functions.size();
      return signalPassFailure();
    }
    if (failed(emitEntry(functions.front()))) return signalPassFailure();
    functions.front().erase();
  }

private:
  Type ptr() { return LLVM::LLVMPointerType::get(&getContext()); }
  Type i64() { return IntegerType::get(&getContext(), 64); }

  LLVM::LLVMFuncOp makeFunction(OpBuilder &builder, Location loc, StringRef name, ArrayRef<Type> arguments) {
    builder.setInsertionPointToEnd(getOperation().getBody());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), arguments);
    auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    return function;
  }

  /// Host code: everything in order, kernels as launches.
  LogicalResult emitEntry(func::FuncOp function) {
    OpBuilder builder(&getContext());
    LLVM::LLVMFuncOp entry = makeFunction(builder, function.getLoc(), "tsr_entry", {ptr(), ptr()});
    Emitter e(builder, function.getLoc(), options);
    e.b.setInsertionPointToStart(&entry.getBody().front());
    e.allocaBlock = &entry.getBody().front();
    e.block.slots = entry.getArgument(0);
    e.block.context = entry.getArgument(1);
    slotCount = bindArguments(e, function, e.block.slots);
    for (Operation &op : function.getBody().front().without_terminator()) {
      auto kernel = dyn_cast<KernelOp>(op);
      if (failed(kernel ? emitLaunch(e, function, kernel) : e.emit(&op))) return failure();
    }
    LLVM::ReturnOp::create(e.b, ValueRange{});
    return success();
  }

  LogicalResult emitLaunch(Emitter &e, func::FuncOp function, KernelOp kernel) {
    std::string name = function.getName().str() + "_block" + std::to_string(kernelCount++);
    if (name.starts_with("llvm.")) name.insert(0, 1, '_'); // such names are LLVM's own functions
    LLVM::LLVMFuncOp blockFunction = emitBlock(function, kernel, name);
    if (!blockFunction) return failure();
    e.b.setLoc(kernel.getLoc());
    auto number = [&](int64_t v) -> Value { return LLVM::ConstantOp::create(e.b, i64(), e.b.getI64IntegerAttr(v)); };
    SmallVector<Value> operands{e.block.context};
    for (Value extent : kernel.getGrid()) operands.push_back(arith::IndexCastOp::create(e.b, i64(), e.scalar(extent)));
    while (operands.size() < 4) operands.push_back(number(1));
    operands.push_back(LLVM::AddressOfOp::create(e.b, blockFunction));
    operands.push_back(slotsWithWorkspaces(e, kernel));
    operands.push_back(number(kernel->getAttrOfType<IntegerAttr>("cpu.arena")
                                  ? kernel->getAttrOfType<IntegerAttr>("cpu.arena").getInt()
                                  : 0));
    int64_t flags = options.orderedAtomics && hasFloatAtomics(kernel) ? kOrderedAtomics : 0;
    if (auto panel = kernel.getSwizzle())
      flags |= (static_cast<int64_t>(*panel) << kSwizzleShift) | (kernel.getSwizzleColumns() ? kSwizzleColumns : 0);
    operands.push_back(number(flags));
    e.callRuntime("tsr_launch", e.b.getI32Type(), operands);
    return success();
  }

  /// The slots of a launch: those of the call, and behind them the workspaces of shared copies.
  Value slotsWithWorkspaces(Emitter &e, KernelOp kernel) {
    SmallVector<CopyOp> shared = sharedCopies(kernel);
    if (shared.empty()) return e.block.slots;
    Value longer;
    {
      OpBuilder::InsertionGuard guard(e.b);
      e.b.setInsertionPointToStart(e.allocaBlock);
      Value count =
          LLVM::ConstantOp::create(e.b, i64(), e.b.getI64IntegerAttr(slotCount + static_cast<int64_t>(shared.size())));
      longer = LLVM::AllocaOp::create(e.b, ptr(), i64(), count);
    }
    auto at = [&](Value slots, int32_t n) -> Value {
      return LLVM::GEPOp::create(e.b, ptr(), i64(), slots, ArrayRef<LLVM::GEPArg>{n});
    };
    for (int32_t n = 0; n < slotCount; ++n)
      LLVM::StoreOp::create(e.b, LLVM::LoadOp::create(e.b, i64(), at(e.block.slots, n)), at(longer, n));
    for (auto [n, copy] : llvm::enumerate(shared))
      LLVM::StoreOp::create(e.b, emitWorkspace(e, copy, sharedCount++),
                            at(longer, slotCount + static_cast<int32_t>(n)));
    return longer;
  }

  /// `void block(slots, bx, by, bz, arena, context, linear index)`
  LLVM::LLVMFuncOp emitBlock(func::FuncOp function, KernelOp kernel, StringRef name) {
    OpBuilder builder(&getContext());
    LLVM::LLVMFuncOp result =
        makeFunction(builder, kernel.getLoc(), name, {ptr(), i64(), i64(), i64(), ptr(), ptr(), i64()});
    result.setArgAttr(4, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    Emitter e(builder, kernel.getLoc(), options);
    e.b.setInsertionPointToStart(&result.getBody().front());
    e.allocaBlock = &result.getBody().front();
    e.block.slots = result.getArgument(0);
    e.block.arena = result.getArgument(4);
    e.block.context = result.getArgument(5);
    e.block.linearIndex = result.getArgument(6);
    e.orderedAtomics = options.orderedAtomics && hasFloatAtomics(kernel);
    bindArguments(e, function, e.block.slots);
    for (auto [n, copy] : llvm::enumerate(sharedCopies(kernel))) {
      Value slot = LLVM::GEPOp::create(e.b, ptr(), i64(), e.block.slots,
                                       ArrayRef<LLVM::GEPArg>{slotCount + static_cast<int32_t>(n)});
      e.block.workspaces[copy.getOperation()] = LLVM::LoadOp::create(e.b, i64(), slot);
    }
    for (auto [n, index] : llvm::enumerate(kernel.getBody().getArguments()))
      e.bind(index, {arith::IndexCastOp::create(e.b, e.b.getIndexType(), result.getArgument(1 + n))});
    // What the host computed before the launch is a pure function of the arguments: computed again, unused parts
    // vanish.
    for (Operation &op : function.getBody().front().without_terminator()) {
      if (&op == kernel) break;
      if (!isa<KernelOp>(op) && failed(e.emit(&op))) return nullptr;
    }
    if (failed(e.emitBody(kernel.getBody().front()))) return nullptr;
    e.b.setLoc(kernel.getLoc());
    LLVM::ReturnOp::create(e.b, ValueRange{});
    return result;
  }

  CpuOptions options;
  int kernelCount = 0;
  int64_t sharedCount = 0; ///< copies with a workspace so far
  int32_t slotCount = 0;   ///< of the arguments of the call
};

} // namespace

std::unique_ptr<Pass> createEmitBlocksPass(const CpuOptions &options) { return std::make_unique<EmitBlocks>(options); }

} // namespace tessera::cpu
