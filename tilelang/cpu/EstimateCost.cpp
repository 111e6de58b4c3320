// Walks a tile program once, with the number of times that each statement runs.
#include "tilelang/cpu/EstimateCost.h"

#include "tilelang/cpu/gemm/GemmExtents.h"
#include "tilelang/cpu/gemm/MicroKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

/// Scalars from the arguments; nothing where a value is not known before the program runs.
class Scalars {
public:
  explicit Scalars(std::span<const Argument> arguments) : arguments(arguments) {}

  std::optional<double> of(Value value) {
    if (auto known = values.find(value); known != values.end()) return known->second;
    std::optional<double> result = compute(value);
    values[value] = result;
    return result;
  }
  double orElse(Value value, double other) { return of(value).value_or(other); }
  void set(Value value, double number) { values[value] = number; }

  /// The tensor behind a tile, if it is an argument.
  const Tensor *tensorOf(Value tile) const {
    auto argument = dyn_cast<BlockArgument>(baseBuffer(tile));
    if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp())) return nullptr;
    return std::get_if<Tensor>(&arguments[argument.getArgNumber()]);
  }

private:
  std::optional<double> compute(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) return ofArgument(argument);
    Operation *op = value.getDefiningOp();
    if (APInt number; matchPattern(value, m_ConstantInt(&number))) return static_cast<double>(number.getSExtValue());
    if (auto dim = dyn_cast<memref::DimOp>(op)) return extent(dim);
    if (auto load = dyn_cast<LoadOp>(op)) return element(load);
    if (op->getNumOperands() == 1 &&
        isa<CastOp, arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
      return of(op->getOperand(0));
    if (op->getNumOperands() != 2) return std::nullopt;
    std::optional<double> a = of(op->getOperand(0)), b = of(op->getOperand(1));
    if (!a || !b) return std::nullopt;
    return binary(op, *a, *b);
  }

  std::optional<double> ofArgument(BlockArgument argument) const {
    if (!isa<func::FuncOp>(argument.getOwner()->getParentOp())) return std::nullopt; // indices are set
    const Argument &given = arguments[argument.getArgNumber()];
    if (const auto *whole = std::get_if<int64_t>(&given)) return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&given)) return *real;
    return std::nullopt;
  }

  std::optional<double> extent(memref::DimOp dim) {
    const Tensor *tensor = tensorOf(dim.getSource());
    std::optional<int64_t> at = dim.getConstantIndex();
    if (!tensor || !at || *at >= tensor->rank()) return std::nullopt;
    return static_cast<double>(tensor->shape()[static_cast<size_t>(*at)]);
  }

  /// An element of an input, such as where a sequence begins.
  std::optional<double> element(LoadOp load) {
    const Tensor *tensor = tensorOf(load.getTile());
    if (!tensor || load.getTile() != baseBuffer(load.getTile())) return std::nullopt;
    std::vector<int64_t> place;
    for (auto [index, extent] : llvm::zip(load.getIndices(), tensor->shape())) {
      std::optional<double> at = of(index);
      if (!at || *at < 0 || *at >= static_cast<double>(extent)) return std::nullopt;
      place.push_back(static_cast<int64_t>(*at));
    }
    return tensor->at(place);
  }

  static std::optional<double> binary(Operation *op, double a, double b) {
    using Result = std::optional<double>;
    bool divides = isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
                       arith::RemSIOp, arith::RemUIOp>(op);
    if (divides && b == 0) return std::nullopt;
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case<arith::AddIOp>([&](auto) { return Result(a + b); })
        .Case<arith::SubIOp>([&](auto) { return Result(a - b); })
        .Case<arith::MulIOp>([&](auto) { return Result(a * b); })
        .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) { return Result(std::trunc(a / b)); })
        .Case<arith::FloorDivSIOp>([&](auto) { return Result(std::floor(a / b)); })
        .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([&](auto) { return Result(std::ceil(a / b)); })
        .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return Result(std::fmod(a, b)); })
        .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) { return Result(std::min(a, b)); })
        .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) { return Result(std::max(a, b)); })
        .Default([](Operation *) { return Result(); });
  }

  std::span<const Argument> arguments;
  llvm::DenseMap<Value, std::optional<double>> values;
};

class Estimate {
public:
  Estimate(std::span<const Argument> arguments, const CpuIsa &isa, int threads)
      : scalars(arguments), isa(isa), chip(isa.chip), threads(threads) {}

  double ofFunction(func::FuncOp function) {
    double cycles = 0;
    function.walk([&](KernelOp kernel) { cycles += ofKernel(kernel); });
    return cycles;
  }

private:
  /// Where nothing is known of a loop.
  static constexpr double kSomeTrips = 8;
  /// Cycles to begin a statement on tiles: its loops, addresses and checks of edges.
  static constexpr double kStatement = 20;
  /// A call of a transcendental function, in vector instructions.
  static constexpr double kFunction = 15;

  double ofKernel(KernelOp kernel) {
    double blocks = 1;
    for (auto [extent, index] : llvm::zip(kernel.getGrid(), kernel.getBody().getArguments())) {
      double count = std::max(0.0, scalars.orElse(extent, kSomeTrips));
      blocks *= count;
      scalars.set(index, std::floor(count / 2));
    }
    if (blocks == 0) return 0;
    localRate = rateOf(localBytes(kernel));
    cycles = 0;
    traffic.clear();
    visit(kernel.getBody().front(), 1);
    double rounds = std::ceil(blocks / threads);
    return rounds * (cycles + chip.blockCycles) + trafficCycles(blocks) / std::min<double>(threads, blocks);
  }

  static double localBytes(KernelOp kernel) {
    double bytes = 0;
    kernel.walk([&](AllocOp alloc) { bytes += sizeOf(alloc.getBuffer()); });
    return bytes;
  }

  /// Bytes per cycle from the cache that holds so many.
  double rateOf(double bytes) const {
    if (bytes <= static_cast<double>(chip.l1Bytes)) return chip.l1Rate;
    if (bytes <= static_cast<double>(chip.l2Bytes)) return chip.l2Rate;
    return bytes <= static_cast<double>(chip.l3Bytes) ? chip.l3Rate : chip.memoryRate;
  }

  static double bytesOf(Type element) {
    return element.isIndex() ? 8 : std::max(1.0, element.getIntOrFloatBitWidth() / 8.0);
  }
  static double sizeOf(Value buffer) { return elementsOf(buffer) * bytesOf(tileInfo(buffer).element); }

  /// Windows of run-time extents count as the whole of their buffer, which is static where it is small.
  static double elementsOf(Value tile) {
    double elements = 1;
    ArrayRef<int64_t> shape = tileInfo(tile).shape, whole = tileInfo(baseBuffer(tile)).shape;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int64_t extent = shape[dim];
      if (ShapedType::isDynamic(extent)) extent = dim < whole.size() ? whole[dim] : 1;
      elements *= ShapedType::isDynamic(extent) ? 1.0 : static_cast<double>(extent);
    }
    return elements;
  }

  /// First every byte once from where the tensor lies, then again from the cache that holds it.
  double trafficCycles(double blocks) {
    double sum = 0;
    for (auto [tensor, bytes] : traffic) {
      double all = bytes * blocks, unique = std::min(all, static_cast<double>(tensor->bytes()));
      double home = rateOf(static_cast<double>(tensor->bytes()));
      sum += unique / home + (all - unique) / std::min(home, chip.l3Rate);
    }
    return sum;
  }

  void visit(Block &block, double times) {
    for (Operation &op : block.without_terminator()) visit(op, times);
  }

  void visit(Operation &op, double times) {
    if (llvm::isa<ParallelOp, GemmOp, CopyOp, FillOp, ReduceOp, ScanOp, TransposeOp, AtomicTileOp>(op))
      cycles += times * kStatement;
    llvm::TypeSwitch<Operation *>(&op)
        .Case<ForOp>([&](ForOp loop) { visit(*loop.getBody().begin(), times * trips(loop)); })
        .Case<WhileOp>([&](WhileOp loop) { visit(*loop.getBody().begin(), times * kSomeTrips); })
        .Case<IfOp, ScopeOp>([&](Operation *inner) {
          for (Region &region : inner->getRegions())
            if (!region.empty()) visit(region.front(), times);
        })
        .Case<ParallelOp>([&](ParallelOp loop) { parallel(loop, times); })
        .Case<GemmOp>([&](GemmOp gemm) { product(gemm, times); })
        .Case<CopyOp>([&](CopyOp copy) {
          double elements = std::max(elementsOf(copy.getSrc()), elementsOf(copy.getDst()));
          move(copy.getSrc(), elements, times);
          move(copy.getDst(), elements, times);
        })
        .Case<FillOp>([&](FillOp fill) { move(fill.getDst(), elementsOf(fill.getDst()), times); })
        .Case<ReduceOp, ScanOp, TransposeOp, AtomicTileOp>([&](Operation *whole) {
          for (Value tile : whole->getOperands()) move(tile, elementsOf(tile), times);
        });
  }

  double trips(ForOp loop) {
    std::optional<double> lower = scalars.of(loop.getLower()), upper = scalars.of(loop.getUpper());
    std::optional<double> step = scalars.of(loop.getStep());
    if (!lower || !upper || !step || *step == 0) return kSomeTrips;
    double count = std::max(0.0, std::ceil((*upper - *lower) / *step));
    scalars.set(loop.getInductionVar(), *lower + *step * std::floor(count / 2));
    return count;
  }

  /// Elements that are read or written: on chip at the rate of the block's buffers, else from the tensor.
  void move(Value tile, double elements, double times) {
    double bytes = elements * bytesOf(tileInfo(tile).element) * times;
    if (const Tensor *tensor = scalars.tensorOf(tile))
      traffic[tensor] += bytes;
    else
      cycles += bytes / localRate;
  }

  void product(GemmOp gemm, double times) {
    GemmExtents extents = extentsOf(gemm);
    MicroKernel kernel = chooseMicroKernel(isa, tileInfo(gemm.getA()).element, tileInfo(gemm.getB()).element,
                                           tileInfo(gemm.getC()).element);
    RegisterTile tile = chooseRegisterTile(kernel, extents.m, extents.n);
    double steps = std::ceil(static_cast<double>(extents.k) / static_cast<double>(kernel.kStep));
    double strips = std::ceil(static_cast<double>(extents.m) / static_cast<double>(tile.rows));
    // Each strip of rows reads the right operand once more; sums are read and written.
    double rightBytes = static_cast<double>(extents.n * extents.k) * bytesOf(kernel.compute);
    double sumBytes = 2.0 * static_cast<double>(extents.m * extents.n) * bytesOf(kernel.accumulator);
    double data = strips * rightBytes / rateOf(rightBytes) + sumBytes / localRate;
    cycles += times * std::max(steps * tile.stepCycles, data);
  }

  void parallel(ParallelOp loop, double times) {
    double points = times;
    for (auto [extent, index] : llvm::zip(loop.getExtents(), loop.getBody().getArguments())) {
      double count = std::max(0.0, scalars.orElse(extent, kSomeTrips));
      points *= count;
      scalars.set(index, std::floor(count / 2));
    }
    elements(loop.getBody().front(), points);
  }

  /// Statements about single elements, computed by vectors.
  void elements(Block &block, double points) {
    for (Operation &op : block.without_terminator()) {
      if (auto inner = dyn_cast<ForOp>(op)) {
        elements(inner.getBody().front(), points * trips(inner));
      } else if (op.getNumRegions() > 0) {
        for (Region &region : op.getRegions())
          if (!region.empty()) elements(region.front(), points);
      } else if (auto load = dyn_cast<LoadOp>(op)) {
        move(load.getTile(), 1, points);
      } else if (auto store = dyn_cast<StoreOp>(op)) {
        move(store.getTile(), 1, points);
      } else if (op.getNumResults() == 1 && llvm::isa<FloatType>(op.getResult(0).getType())) {
        bool isCall = llvm::isa<math::MathDialect>(op.getDialect()) || llvm::isa<SigmoidOp>(op);
        cycles += points * (isCall ? kFunction : 1) * 4 / static_cast<double>(chip.vectorBytes);
      }
    }
  }

  Scalars scalars;
  const CpuIsa &isa;
  const chips::CpuChip &chip;
  double threads;
  double localRate = 1, cycles = 0;               // of the kernel and the block at hand
  llvm::DenseMap<const Tensor *, double> traffic; // bytes of one block
};

} // namespace

double estimateCycles(func::FuncOp function, std::span<const Argument> arguments, const CpuIsa &isa, int threads) {
  if (arguments.size() != function.getNumArguments()) return 0;
  return Estimate(arguments, isa, threads).ofFunction(function);
}

} // namespace tessera::cpu
