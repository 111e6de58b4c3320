// The table, and the cost of register tiles.
#include "tilelang/cpu/gemm/MicroKernels.h"

#include "tilelang/cpu/gemm/OperandLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace mlir;

namespace tessera::cpu {
namespace {

enum class Element { f32, f64, bf16, i8, i16, i32 };

bool isByte(Type type) { return type.isInteger(8); }
bool isFloat8(Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8; }
bool fitsBf16(Type type) { return type.isBF16() || isFloat8(type); }
bool isSmallFloat(Type type) { return isa<FloatType>(type) && !type.isF64(); }

bool isX86(const CpuIsa &isa) { return !llvm::StringRef(isa.triple).starts_with("aarch64"); }

/// The first row that takes the element types and runs on the machine is used. Rows for one class of types end with one
/// that runs everywhere.
struct Row {
  DotKind kind;
  Element compute, accumulator;
  int64_t kStep;
  bool (*takes)(Type);
  bool (*runsOn)(const CpuIsa &);
};

constexpr Row kTable[] = {
    {DotKind::bf16Pairs, Element::bf16, Element::f32, 2, fitsBf16, [](const CpuIsa &isa) { return isa.hasBf16Dot; }},
    {DotKind::fma, Element::f32, Element::f32, 1, isSmallFloat, [](const CpuIsa &isa) { return isa.hasFma; }},
    {DotKind::mulAdd, Element::f32, Element::f32, 1, isSmallFloat, [](const CpuIsa &) { return true; }},
    {DotKind::fma, Element::f64, Element::f64, 1, [](Type t) { return t.isF64(); },
     [](const CpuIsa &isa) { return isa.hasFma; }},
    {DotKind::mulAdd, Element::f64, Element::f64, 1, [](Type t) { return t.isF64(); },
     [](const CpuIsa &) { return true; }},
    {DotKind::byteQuads, Element::i8, Element::i32, 4, isByte, [](const CpuIsa &isa) { return isa.hasVnni; }},
    {DotKind::wordPairs, Element::i16, Element::i32, 2, isByte, isX86},
    {DotKind::mulAdd, Element::i32, Element::i32, 1, isByte, [](const CpuIsa &) { return true; }},
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

bool isUnsignedByte(Type type) { return type.isUnsignedInteger(8); }

/// Rows that fit beside `vectors` accumulators each: whichever operand has fewer vectors is held, and one register each
/// is left for the other operand and for a product.
int64_t mostRows(const MicroKernel &kernel, int64_t vectors) {
  int64_t rows = 0;
  while ((rows + 1) * vectors + std::min(rows + 1, vectors) + 2 <= kernel.registers) ++rows;
  return rows;
}

/// Estimated time of one step of a register tile, in units of one dot: accumulators hide the latency of about six, and
/// the loads cost something though they run beside the dots.
double stepCost(int64_t rows, int64_t vectors) {
  return static_cast<double>(std::max<int64_t>(rows * vectors, 6)) + static_cast<double>(rows + vectors) / 8;
}

/// Time of a step over m rows in strips of equal height.
double stripCost(int64_t m, int64_t rows, int64_t vectors) {
  int64_t rest = m % rows;
  return static_cast<double>(m / rows) * stepCost(rows, vectors) + (rest > 0 ? stepCost(rest, vectors) : 0);
}

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

} // namespace

MicroKernel chooseMicroKernel(const CpuIsa &isa, Type a, Type b, Type c) {
  MLIRContext *context = c.getContext();
  const Row *row = llvm::find_if(kTable, [&](const Row &r) { return r.takes(a) && r.takes(b) && r.runsOn(isa); });
  assert(row != std::end(kTable) && "types that tile.gemm refuses");
  MicroKernel kernel{row->kind, typeOf(row->compute, context), typeOf(row->accumulator, context), row->kStep, 0, 0};
  kernel.lanes = isa.vectorBytes * 8 / kernel.accumulator.getIntOrFloatBitWidth();
  kernel.registers = isa.hasAvx512 || !isX86(isa) ? 32 : 16;
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
  double bestCost = 0;
  for (int64_t vectors : {4, 3, 2, 1, 8}) {
    int64_t columns = vectors * kernel.lanes, rows = mostRows(kernel, vectors);
    if (rows == 0 || (columns % kPanelWidth != 0 && kPanelWidth % columns != 0)) continue;
    // Strips of equal height instead of full ones and a low last one.
    rows = ceilDiv(m, ceilDiv(m, rows));
    int64_t rest = ceilDiv(n % columns, kernel.lanes);
    double cost = static_cast<double>(n / columns) * stripCost(m, rows, vectors) +
                  (rest > 0 ? stripCost(m, std::min(rows, mostRows(kernel, rest)), rest) : 0);
    if (best.rows == 0 || cost < bestCost) best = {rows, vectors}, bestCost = cost;
  }
  return best;
}

} // namespace tessera::cpu
