// The table, and the cost of register tiles.
#include "tilelang/cpu/gemm/MicroKernels.h"

#include "tilelang/cpu/gemm/OperandLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace mlir;

namespace tessera::cpu {
using chips::CpuChip;

namespace {

enum class Element { f32, f64, bf16, i8, i16, i32 };

bool isByte(Type type) { return type.isInteger(8); }
bool isFloat8(Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8; }
bool fitsBf16(Type type) { return type.isBF16() || isFloat8(type); }
bool isF64(Type type) { return type.isF64(); }
bool isSmallFloat(Type type) { return isa<FloatType>(type) && !type.isF64(); }

bool isX86(const CpuIsa &isa) { return !llvm::StringRef(isa.triple).starts_with("aarch64"); }

bool runsAnywhere(const CpuIsa &) { return true; }

/// Of the rows that take the element types and run on the machine, the one with the least time for each product is
/// used. Every class of types has one that runs everywhere.
struct Row {
  DotKind kind;
  Element compute, accumulator;
  int64_t kStep;
  bool (*takes)(Type);
  bool (*runsOn)(const CpuIsa &);
  chips::ProductRate CpuChip::*rate;
};

constexpr Row kTable[] = {
    {DotKind::bf16Pairs, Element::bf16, Element::f32, 2, fitsBf16, [](const CpuIsa &isa) { return isa.hasBf16Dot; },
     &CpuChip::bf16Pairs},
    {DotKind::fma, Element::f32, Element::f32, 1, isSmallFloat, [](const CpuIsa &isa) { return isa.hasFma; },
     &CpuChip::fma},
    {DotKind::mulAdd, Element::f32, Element::f32, 1, isSmallFloat, runsAnywhere, &CpuChip::mulAdd},
    {DotKind::fma, Element::f64, Element::f64, 1, isF64, [](const CpuIsa &isa) { return isa.hasFma; }, &CpuChip::fma},
    {DotKind::mulAdd, Element::f64, Element::f64, 1, isF64, runsAnywhere, &CpuChip::mulAdd},
    {DotKind::byteQuads, Element::i8, Element::i32, 4, isByte, [](const CpuIsa &isa) { return isa.hasVnni; },
     &CpuChip::byteQuads},
    {DotKind::wordPairs, Element::i16, Element::i32, 2, isByte, isX86, &CpuChip::wordPairs},
    {DotKind::mulAdd, Element::i32, Element::i32, 1, isByte, runsAnywhere, &CpuChip::intMulAdd},
};

Type typeOf(Element element, MLIRContext *context) {
  switch (element) {
  case Element::f32: return Float32Type::get(context);
  case Element::f64: return Float64Type::get(context);
  case Element::bf16: return BFloat16Type::get(context);
  case Element::i8: return IntegerType::get(context, 8);
  case Element::i16: return IntegerType::get(context, 16);
  case Element::i32: return IntegerType::get(context, 32);
  }
  llvm_unreachable("all elements have a type");
}

double bytesOf(Element accumulator) { return accumulator == Element::f64 ? 8 : 4; }

bool isUnsignedByte(Type type) { return type.isUnsignedInteger(8); }

/// Rows that fit beside `vectors` accumulators each: whichever operand has fewer vectors is held, and one register each
/// is left for the other operand and for a product.
int64_t mostRows(const MicroKernel &kernel, int64_t vectors) {
  int64_t rows = 0;
  while ((rows + 1) * vectors + std::min(rows + 1, vectors) + 2 <= kernel.registers) ++rows;
  return rows;
}

/// Estimated cycles of one step of a register tile. Dots wait for ports and for the sums of the step before; loads run
/// beside them, but not for nothing.
double stepCost(const MicroKernel &kernel, int64_t rows, int64_t vectors) {
  constexpr double kNotHidden = 0.125;
  double dots = static_cast<double>(rows * vectors) / kernel.rate.perCycle;
  double loads = static_cast<double>(rows + vectors) / kernel.loadsPerCycle;
  return std::max({dots, loads, kernel.rate.latency}) + kNotHidden * loads;
}

/// Cycles of a step over m rows in strips of equal height.
double stripCost(const MicroKernel &kernel, int64_t m, int64_t rows, int64_t vectors) {
  int64_t whole = m / rows, rest = m % rows;
  return static_cast<double>(whole) * stepCost(kernel, rows, vectors) +
         (rest > 0 ? stepCost(kernel, rest, vectors) : 0);
}

/// Products of one k in a cycle, beside each other and one after the other; 0 where the row does not fit.
double productsPerCycle(const CpuIsa &isa, const Row &row, Type a, Type b) {
  if (!row.takes(a) || !row.takes(b) || !row.runsOn(isa)) return 0;
  double lanes = static_cast<double>(isa.chip.vectorBytes) / bytesOf(row.accumulator);
  return (isa.chip.*row.rate).perCycle * lanes * static_cast<double>(row.kStep);
}

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

} // namespace

MicroKernel chooseMicroKernel(const CpuIsa &isa, Type a, Type b, Type c) {
  MLIRContext *context = c.getContext();
  const Row *row = llvm::max_element(kTable, [&](const Row &x, const Row &y) {
    return productsPerCycle(isa, x, a, b) < productsPerCycle(isa, y, a, b);
  });
  assert(productsPerCycle(isa, *row, a, b) > 0 && "types that tile.gemm refuses");
  MicroKernel kernel{row->kind, typeOf(row->compute, context), typeOf(row->accumulator, context), row->kStep};
  kernel.lanes = isa.chip.vectorBytes * 8 / kernel.accumulator.getIntOrFloatBitWidth();
  kernel.registers = isa.chip.vectorRegisters;
  kernel.rate = isa.chip.*row->rate;
  kernel.loadsPerCycle = isa.chip.loadsPerCycle;
  if (kernel.kind == DotKind::byteQuads) {
    kernel.biasedA = isUnsignedByte(a) == isUnsignedByte(b);
    kernel.unsignedB = isUnsignedByte(b);
  }
  return kernel;
}

RegisterTile chooseRegisterTile(const MicroKernel &kernel, int64_t m, int64_t n) {
  constexpr int64_t kUsual = 256; // where an extent is known only at run time
  if (m < 0) m = kUsual;
  if (n < 0) n = kUsual;
  RegisterTile best{};
  for (int64_t vectors : {4, 3, 2, 1, 8}) {
    int64_t columns = vectors * kernel.lanes, rows = mostRows(kernel, vectors);
    if (rows == 0 || (columns % kPanelWidth != 0 && kPanelWidth % columns != 0)) continue;
    // Strips of equal height instead of full ones and a low last one.
    rows = ceilDiv(m, ceilDiv(m, rows));
    int64_t whole = n / columns, rest = ceilDiv(n % columns, kernel.lanes);
    double cost = static_cast<double>(whole) * stripCost(kernel, m, rows, vectors) +
                  (rest > 0 ? stripCost(kernel, m, std::min(rows, mostRows(kernel, rest)), rest) : 0);
    if (best.rows == 0 || cost < best.stepCycles) best = {rows, vectors, cost};
  }
  return best;
}

} // namespace tessera::cpu
