// Brings every gemm into the form that the micro-kernels take: A packed, or row-major in the compute type; B packed;
// C row-major on chip in the accumulation type.
#include "tilelang/cpu/Passes.h"
#include "tilelang/cpu/gemm/GemmExtents.h"
#include "tilelang/cpu/gemm/OperandLayout.h"
#include "tilelang/cpu/gemm/SharedTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tessera::cpu {
#define GEN_PASS_DEF_CPUPACKOPERANDS
#include "tilelang/cpu/Passes.h.inc"

using namespace tile;

namespace {

class Packer {
public:
  Packer(KernelOp kernel, const CpuIsa &isa) : kernel(kernel), isa(isa), b(kernel.getContext()) {}

  void run() {
    SmallVector<GemmOp> gemms;
    kernel.walk([&](GemmOp gemm) { gemms.push_back(gemm); });
    for (GemmOp gemm : gemms) stageResult(gemm);
    for (GemmOp gemm : gemms)
      for (OperandRole role : {OperandRole::a, OperandRole::b}) stageOperand(gemm, role);
    for (GemmOp gemm : gemms) keepInRegisters(gemm);
    numberSharedCopies(kernel);
  }

private:
  MicroKernel kernelOf(GemmOp gemm) {
    return chooseMicroKernel(isa, tileInfo(gemm.getA()).element, tileInfo(gemm.getB()).element,
                             tileInfo(gemm.getC()).element);
  }

  OperandLayout wanted(GemmOp gemm, OperandRole role) {
    MicroKernel kernel = kernelOf(gemm);
    GemmExtents extents = extentsOf(gemm);
    OperandLayout layout{role, kernel.compute, kernel.kStep, extents.k};
    layout.other = role == OperandRole::a ? extents.m : extents.n;
    layout.transposed = role == OperandRole::a ? gemm.getTransposeA() : gemm.getTransposeB();
    layout.biased = role == OperandRole::a && kernel.biasedA;
    return layout;
  }

  /// Whether the kernel can read A where it lies.
  bool usableInPlace(GemmOp gemm, Value tile, const OperandLayout &layout) {
    TileInfo info = tileInfo(tile);
    if (baseBuffer(tile) == baseBuffer(gemm.getC())) return false;
    return layout.role == OperandRole::a && !layout.transposed && !layout.biased &&
           scalarType(info.element) == layout.compute && layout.k % layout.kStep == 0 && isStaticWindow(tile) &&
           isUnitAligned(tile, layout.kStep);
  }

  /// Whether rows of a window begin at multiples of `kStep` elements of its buffer.
  static bool isUnitAligned(Value tile, int64_t kStep) {
    auto region = tile.getDefiningOp<RegionOp>();
    if (!region) return true; // k is the last extent
    return region.getStaticOffsets().back() % kStep == 0 && tileInfo(region.getBuffer()).shape.back() % kStep == 0;
  }

  /// Whether the buffer is only filled by whole copies and only read by gemms that all want this layout.
  bool mayBePacked(Value buffer, const OperandLayout &layout) {
    auto alloc = buffer.getDefiningOp<AllocOp>();
    if (!alloc || tileInfo(buffer).space == Space::var) return false;
    return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
      if (auto copy = dyn_cast<CopyOp>(use.getOwner()))
        return copy.getDst() == buffer && copy.getSrc() != buffer && isStaticShape(copy.getSrc());
      auto gemm = dyn_cast<GemmOp>(use.getOwner());
      if (!gemm || use.get() == gemm.getC()) return false;
      return wanted(gemm, use.getOperandNumber() == 0 ? OperandRole::a : OperandRole::b) == layout;
    });
  }

  void stageOperand(GemmOp gemm, OperandRole role) {
    OpOperand &operand = role == OperandRole::a ? gemm.getAMutable() : gemm.getBMutable();
    Value tile = operand.get();
    OperandLayout layout = wanted(gemm, role);
    if (layoutOf(tile)) return;
    // A row-major copy can be read where it lies, but a packed one may be shared with other blocks.
    if (usableInPlace(gemm, tile, layout) && !(shareableFill(tile) && mayBePacked(tile, layout))) return;
    if (mayBePacked(tile, layout)) return setLayout(tile.getDefiningOp<AllocOp>(), layout);
    b.setInsertionPoint(gemm);
    AllocOp packed = makeStage(tile, layout.kIsLast() ? layout.other : layout.k,
                               layout.kIsLast() ? layout.k : layout.other, tileInfo(tile).element, Space::shared);
    setLayout(packed, layout);
    Value window = windowLike(packed, tile);
    CopyOp::create(b, gemm.getLoc(), tile, window, Attribute(), false);
    operand.set(window);
  }

  /// A result that is not as the kernel wants it goes through a tile that is.
  void stageResult(GemmOp gemm) {
    Value c = gemm.getC();
    Type accumulator = kernelOf(gemm).accumulator;
    if (scalarType(tileInfo(c).element) == accumulator && hasStaticOffsets(c)) return;
    GemmExtents extents = extentsOf(gemm);
    b.setInsertionPoint(gemm);
    AllocOp stage = makeStage(c, extents.m, extents.n, accumulator, Space::fragment);
    Value window = windowLike(stage, c);
    if (!gemm.getClear() || !matchPattern(gemm.getClear(), m_One()))
      CopyOp::create(b, gemm.getLoc(), c, window, Attribute(), false);
    b.setInsertionPointAfter(gemm);
    CopyOp::create(b, gemm.getLoc(), window, c, Attribute(), false);
    gemm.getCMutable().set(window);
  }

  /// A buffer for a rows x cols matrix of the rank of `tile`, named after it.
  AllocOp makeStage(Value tile, int64_t rows, int64_t cols, Type element, Space space) {
    SmallVector<int64_t> shape(tileInfo(tile).rank(), 1);
    shape[shape.size() - 2] = rows;
    shape.back() = cols;
    auto type = MemRefType::get(shape, element, MemRefLayoutAttrInterface(), SpaceAttr::get(b.getContext(), space));
    StringRef name = bufferName(tile);
    return AllocOp::create(b, kernel.getLoc(), type, name.empty() ? StringAttr() : b.getStringAttr(name + " (staged)"),
                           Attribute(), IntegerAttr());
  }

  /// The stage, or the part of it that has the run-time extents of `tile`.
  Value windowLike(AllocOp stage, Value tile) {
    if (isStaticShape(tile)) return stage.getBuffer();
    SmallVector<OpFoldResult> offsets(tileInfo(tile).rank(), b.getIndexAttr(0));
    return RegionOp::create(b, stage.getLoc(), stage.getBuffer(), offsets,
                            tile.getDefiningOp<RegionOp>().getMixedSizes());
  }

  /// An accumulator that one register tile holds lies on the stack, apart from the arena: the code generator then sees
  /// that nothing else touches it and keeps it in registers over the loop around the gemm.
  void keepInRegisters(GemmOp gemm) {
    auto alloc = gemm.getC().getDefiningOp<AllocOp>();
    GemmExtents extents = extentsOf(gemm);
    MicroKernel micro = kernelOf(gemm);
    if (!alloc || !isStaticShape(gemm.getA()) || !isStaticShape(gemm.getB())) return;
    RegisterTile tile = chooseRegisterTile(micro, extents.m, extents.n);
    if (extents.m <= tile.rows && extents.n <= tile.vectors * micro.lanes)
      alloc->setAttr("cpu.registers", b.getUnitAttr());
  }

  KernelOp kernel;
  const CpuIsa &isa;
  OpBuilder b;
};

struct PackOperands : impl::CpuPackOperandsBase<PackOperands> {
  explicit PackOperands(const CpuOptions &options) : options(options) {}

  void runOnOperation() override {
    if (failed(selectIsa(getOperation(), isaName, options))) return signalPassFailure();
    getOperation().walk([&](KernelOp kernel) { Packer(kernel, options.isa).run(); });
  }

  CpuOptions options;
};

} // namespace

std::unique_ptr<Pass> createPackOperandsPass(const CpuOptions &options) {
  return std::make_unique<PackOperands>(options);
}

} // namespace tessera::cpu
