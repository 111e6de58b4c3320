// Loops over register tiles, and the micro-kernel inside: accumulators are carried through the loop over k as values,
// so they are registers.
#include "tilelang/cpu/gemm/EmitMicroKernel.h"

#include "tilelang/cpu/emit/LaneBuilder.h"
#include "tilelang/cpu/gemm/OperandLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {

namespace {

std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) return constant.getSExtValue();
  return std::nullopt;
}

/// Some vectors of columns that are computed together; `live` columns of the last one exist (null: all).
struct Columns {
  Value first;
  int64_t vectors;
  Value live;
};

class ProductEmitter {
public:
  ProductEmitter(Emitter &e, const MicroKernel &kernel, const PackedProduct &product)
      : e(e), b(e.b), kernel(kernel), p(product),
        tile(chooseRegisterTile(kernel, constantOf(p.m).value_or(-1), constantOf(p.n).value_or(-1))),
        sumType(VectorType::get({kernel.lanes}, kernel.accumulator)),
        operandType(VectorType::get({kernel.lanes * kernel.kStep}, kernel.compute)) {}

  void emit() {
    if (std::optional<int64_t> n = constantOf(p.n))
      emitStaticColumns(*n);
    else
      emitDynamicColumns();
  }

private:
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  Value add(Value x, int64_t y) { return y == 0 ? x : add(x, e.index(y)); }
  Value times(Value x, int64_t y) { return b.createOrFold<arith::MulIOp>(x, e.index(y)); }
  Value quotient(Value x, int64_t y) { return b.createOrFold<arith::DivUIOp>(x, e.index(y)); }

  void loop(Value lower, Value upper, int64_t step, function_ref<void(Value)> body) {
    (void)e.emitFor(lower, upper, e.index(step), [&](Value i) { return body(i), success(); });
  }

  /// Whole register tiles are computed where any of them counts.
  Value liveEnd(int64_t end, Value live) { return live ? arith::MinSIOp::create(b, e.index(end), live) : e.index(end); }
  void ifLive(int64_t start, Value live, function_ref<void()> body) {
    if (!live) return body();
    Value counts = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, live, e.index(start));
    (void)e.emitIf(counts, [&] { return body(), success(); });
  }

  // --- Columns ----------------------------------------------------------------------------------------------------
  void emitStaticColumns(int64_t n) {
    int64_t width = tile.vectors * kernel.lanes, whole = n / width * width, rest = n - whole;
    if (whole > 0) loop(e.index(0), liveEnd(whole, p.liveN), width, [&](Value j) { emitRows({j, tile.vectors, {}}); });
    if (rest == 0) return;
    int64_t last = rest % kernel.lanes;
    ifLive(whole, p.liveN, [&] {
      emitRows({e.index(whole), (rest + kernel.lanes - 1) / kernel.lanes, last > 0 ? e.index(last) : Value()});
    });
  }

  void emitDynamicColumns() {
    int64_t width = tile.vectors * kernel.lanes;
    Value whole = times(quotient(p.n, width), width);
    loop(e.index(0), whole, width, [&](Value j) { emitRows({j, tile.vectors, {}}); });
    loop(whole, p.n, kernel.lanes, [&](Value j) {
      Value left = arith::SubIOp::create(b, p.n, j);
      emitRows({j, 1, arith::MinSIOp::create(b, left, e.index(kernel.lanes))});
    });
  }

  // --- Rows -------------------------------------------------------------------------------------------------------
  void emitRows(Columns columns) {
    SmallVector<Value> bias = biasOf(columns);
    auto strip = [&](int64_t rows) { return [&, rows](Value i) { emitTile(i, rows, columns, bias); }; };
    if (std::optional<int64_t> m = constantOf(p.m)) {
      int64_t whole = *m / tile.rows * tile.rows;
      if (whole > 0) loop(e.index(0), liveEnd(whole, p.liveM), tile.rows, strip(tile.rows));
      if (*m > whole) ifLive(whole, p.liveM, [&] { emitTile(e.index(whole), *m - whole, columns, bias); });
      return;
    }
    // Ever lower strips: each row count at run time is a sum of them.
    Value done = e.index(0);
    for (int64_t rows = tile.rows; rows > 0; rows /= 2) {
      Value left = arith::SubIOp::create(b, p.m, done);
      Value end = add(done, times(quotient(left, rows), rows));
      loop(done, end, rows, strip(rows));
      done = end;
    }
  }

  // --- One register tile ------------------------------------------------------------------------------------------
  void emitTile(Value row, int64_t rows, Columns columns, ArrayRef<Value> bias) {
    SmallVector<Value> at, sums;
    for (int64_t r = 0; r < rows; ++r) {
      Value start = add(add(p.cBase, times(add(row, r), p.cPitch)), columns.first);
      for (int64_t v = 0; v < columns.vectors; ++v) at.push_back(add(start, v * kernel.lanes));
    }
    for (auto [n, place] : llvm::enumerate(at)) {
      int64_t v = static_cast<int64_t>(n) % columns.vectors;
      Value sum = startSum(place, maskOf(columns, v));
      sums.push_back(bias.empty() ? sum : arith::SubIOp::create(b, sum, bias[v]).getResult());
    }
    sums = sumOverK(row, rows, columns, sums);
    for (auto [n, place] : llvm::enumerate(at)) {
      Value mask = maskOf(columns, static_cast<int64_t>(n) % columns.vectors);
      if (mask)
        vector::MaskedStoreOp::create(b, p.c, ValueRange{place}, mask, sums[n]);
      else
        vector::StoreOp::create(b, sums[n], p.c, ValueRange{place});
    }
  }

  Value maskOf(const Columns &columns, int64_t v) {
    if (!columns.live || v + 1 < columns.vectors) return {};
    return vector::CreateMaskOp::create(b, VectorType::get({kernel.lanes}, b.getI1Type()), ValueRange{columns.live});
  }

  /// The old contents of C, or zero.
  Value startSum(Value place, Value mask) {
    Value zero = e.constantLike(sumType, 0);
    if (p.clear && matchPattern(p.clear, m_One())) return zero;
    Value old = mask ? vector::MaskedLoadOp::create(b, sumType, p.c, ValueRange{place}, mask, zero).getResult()
                     : vector::LoadOp::create(b, sumType, p.c, ValueRange{place}).getResult();
    return p.clear ? arith::SelectOp::create(b, p.clear, zero, old).getResult() : old;
  }

  SmallVector<Value> sumOverK(Value row, int64_t rows, const Columns &columns, ArrayRef<Value> start) {
    Value aStart = add(p.aBase, times(row, p.aPitch));
    return overK(columns, start, [&](Value k, ArrayRef<Value> right, MutableArrayRef<Value> sums) {
      for (int64_t r = 0; r < rows; ++r) {
        Value left = broadcast(memref::LoadOp::create(b, p.a, ValueRange{add(add(aStart, r * p.aPitch), k)}));
        for (auto [v, vector] : llvm::enumerate(right)) {
          Value &sum = sums[r * columns.vectors + static_cast<int64_t>(v)];
          sum = dot(left, vector, sum);
        }
      }
    });
  }

  /// Runs `step` for each unit of k with the vectors of B there; `sums` go in and come out as the loop's values.
  SmallVector<Value> overK(const Columns &columns, ArrayRef<Value> start,
                           function_ref<void(Value, ArrayRef<Value>, MutableArrayRef<Value>)> step) {
    auto over = scf::ForOp::create(b, e.index(0), p.kSteps, e.index(1), start);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(over.getBody());
    Value k = over.getInductionVar();
    SmallVector<Value> right, sums(over.getRegionIterArgs());
    Value panel = add(panelStart(columns.first), times(k, kPanelWidth * kernel.kStep));
    for (int64_t v = 0; v < columns.vectors; ++v) {
      int64_t column = v * kernel.lanes;
      int64_t offset = column / kPanelWidth * p.bPitch + column % kPanelWidth * kernel.kStep;
      right.push_back(vector::LoadOp::create(b, operandType, p.b, ValueRange{add(panel, offset)}));
    }
    step(k, right, sums);
    scf::YieldOp::create(b, sums);
    return over.getResults();
  }

  /// Where column `j` begins in B. Columns are taken in vectors that divide a panel or are whole panels.
  Value panelStart(Value j) {
    Value inside = b.createOrFold<arith::RemUIOp>(j, e.index(kPanelWidth));
    return add(times(quotient(j, kPanelWidth), p.bPitch), times(inside, kernel.kStep));
  }

  /// What the flipped top bits of A add to every result of a column: the flip times the column of B, over all k.
  SmallVector<Value> biasOf(const Columns &columns) {
    if (!kernel.biasedA) return {};
    Value flip = arith::ConstantOp::create(b, DenseElementsAttr::get(operandType, APInt(8, 0x80)));
    SmallVector<Value> zero(columns.vectors, e.constantLike(sumType, 0));
    return overK(columns, zero, [&](Value, ArrayRef<Value> right, MutableArrayRef<Value> sums) {
      for (auto [sum, vector] : llvm::zip(sums, right)) sum = dot(flip, vector, sum);
    });
  }

  // --- One step ---------------------------------------------------------------------------------------------------
  Value broadcast(Value unit) {
    Value all = vector::BroadcastOp::create(b, VectorType::get({kernel.lanes}, unit.getType()), unit);
    return kernel.kStep == 1 ? all : vector::BitCastOp::create(b, operandType, all).getResult();
  }

  Value intrinsic(const Twine &name, ValueRange operands) { return LaneBuilder(b).intrinsic(name, sumType, operands); }

  Value dot(Value left, Value right, Value sum) {
    std::string bits = std::to_string(kernel.lanes * kernel.accumulator.getIntOrFloatBitWidth());
    switch (kernel.kind) {
    case DotKind::fma: return vector::FMAOp::create(b, left, right, sum);
    case DotKind::mulAdd:
      if (isa<FloatType>(kernel.accumulator))
        return arith::AddFOp::create(b, sum, arith::MulFOp::create(b, left, right));
      return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, left, right));
    case DotKind::bf16Pairs: return intrinsic("llvm.x86.avx512bf16.dpbf16ps." + bits, {sum, left, right});
    case DotKind::byteQuads:
      if (kernel.unsignedB) std::swap(left, right);
      return intrinsic("llvm.x86.avx512.vpdpbusd." + bits, {sum, left, right});
    case DotKind::wordPairs: {
      StringRef name = bits == "512"   ? "llvm.x86.avx512.pmaddw.d.512"
                       : bits == "256" ? "llvm.x86.avx2.pmadd.wd"
                                       : "llvm.x86.sse2.pmadd.wd";
      return arith::AddIOp::create(b, sum, intrinsic(name, {left, right}));
    }
    }
    llvm_unreachable("all kinds have an operation");
  }

  Emitter &e;
  ImplicitLocOpBuilder &b;
  const MicroKernel &kernel;
  const PackedProduct &p;
  RegisterTile tile;
  VectorType sumType, operandType;
};

} // namespace

void emitProduct(Emitter &e, const MicroKernel &kernel, const PackedProduct &product) {
  ProductEmitter(e, kernel, product).emit();
}

} // namespace tessera::cpu
