// Evaluation of scalars: sums exactly, other integer operations on constants, everything else as a term.
#include "tilelang/passes/ScalarForm.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera {
namespace {

/// Expressions nested deeper than this are not looked into, so that no program exhausts the stack.
constexpr unsigned kMaxDepth = 512;

/// Bits of an integer or index; 0 for other types and for those wider than 64.
unsigned widthOf(Type type) {
  if (type.isIndex()) return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

/// `a + factor * b`; nothing where a number would not fit.
std::optional<ScalarForm> addScaled(const ScalarForm &a, const ScalarForm &b, int64_t factor) {
  ScalarForm result = a;
  std::optional<int64_t> scaled = llvm::checkedMul(b.constant, factor);
  std::optional<int64_t> constant = scaled ? llvm::checkedAdd(a.constant, *scaled) : std::nullopt;
  if (!constant) return std::nullopt;
  result.constant = *constant;
  std::map<unsigned, int64_t> sums(a.terms.begin(), a.terms.end());
  for (auto [term, coefficient] : b.terms) {
    std::optional<int64_t> more = llvm::checkedMul(coefficient, factor);
    std::optional<int64_t> total = more ? llvm::checkedAdd(sums[term], *more) : std::nullopt;
    if (!total) return std::nullopt;
    sums[term] = *total;
  }
  result.terms.clear();
  for (auto [term, coefficient] : sums)
    if (coefficient != 0) result.terms.emplace_back(term, coefficient);
  return result;
}

/// A constant as a value of that many bits: only then do equal values have equal forms.
ScalarForm wrapped(ScalarForm form, unsigned width) {
  if (form.isConstant() && width < 64) form.constant = llvm::SignExtend64(static_cast<uint64_t>(form.constant), width);
  return form;
}

uint64_t unsignedBits(int64_t value, unsigned width) {
  return width == 64 ? static_cast<uint64_t>(value) : static_cast<uint64_t>(value) & ((uint64_t{1} << width) - 1);
}

std::optional<int64_t> divideSigned(Operation *op, int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<arith::DivSIOp>([&](auto) { return a / b; })
      .Case<arith::RemSIOp>([&](auto) { return a % b; })
      .Case<arith::FloorDivSIOp>([&](auto) { return llvm::divideFloorSigned(a, b); })
      .Case<arith::CeilDivSIOp>([&](auto) { return llvm::divideCeilSigned(a, b); })
      .Default([](auto) { return std::nullopt; });
}

std::optional<int64_t> divideUnsigned(Operation *op, uint64_t a, uint64_t b) {
  if (b == 0) return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<arith::DivUIOp>([&](auto) { return a / b; })
      .Case<arith::RemUIOp>([&](auto) { return a % b; })
      .Case<arith::CeilDivUIOp>([&](auto) { return a / b + (a % b != 0); })
      .Default([](auto) { return std::nullopt; });
}

std::optional<int64_t> combine(Operation *op, int64_t a, int64_t b, unsigned width) {
  uint64_t ua = unsignedBits(a, width), ub = unsignedBits(b, width);
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(
          [&](auto o) { return divideSigned(o, a, b); })
      .Case<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>([&](auto o) { return divideUnsigned(o, ua, ub); })
      .Case<arith::MaxSIOp>([&](auto) { return std::max(a, b); })
      .Case<arith::MinSIOp>([&](auto) { return std::min(a, b); })
      .Case<arith::MaxUIOp>([&](auto) { return std::max(ua, ub); })
      .Case<arith::MinUIOp>([&](auto) { return std::min(ua, ub); })
      .Case<arith::AndIOp>([&](auto) { return a & b; })
      .Case<arith::OrIOp>([&](auto) { return a | b; })
      .Case<arith::XOrIOp>([&](auto) { return a ^ b; })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>([&](auto o) -> std::optional<int64_t> {
        if (ub >= width) return std::nullopt;
        if (isa<arith::ShLIOp>(o)) return static_cast<int64_t>(ua << ub);
        return isa<arith::ShRSIOp>(o) ? a >> ub : static_cast<int64_t>(ua >> ub);
      })
      .Case<arith::CmpIOp>([&](arith::CmpIOp o) -> std::optional<int64_t> {
        return arith::applyCmpPredicate(o.getPredicate(), APInt(width, ua), APInt(width, ub));
      })
      .Default([](auto) { return std::nullopt; });
}

std::optional<int64_t> convert(Operation *op, int64_t a, unsigned from, unsigned to) {
  bool zeros = isa<arith::ExtUIOp, arith::IndexCastUIOp>(op);
  bool known = zeros || isa<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(op);
  if (auto cast = dyn_cast<tile::CastOp>(op)) {
    known = from != 0;
    zeros = cast.getUnsignedFrom();
    if (to == 1) return a != 0;
  }
  if (!known) return std::nullopt;
  return zeros ? static_cast<int64_t>(unsignedBits(a, from)) : a;
}

} // namespace

std::optional<ScalarForm> addForms(const ScalarForm &a, const ScalarForm &b) { return addScaled(a, b, 1); }

ScalarForm ScalarForms::term(std::vector<const void *> what, std::vector<ScalarForm> operands) {
  return {0, {{terms.number({std::move(what), std::move(operands)}), 1}}};
}

std::vector<ScalarForm> ScalarForms::of(ValueRange values) {
  std::vector<ScalarForm> forms;
  for (Value value : values) forms.push_back(of(value));
  return forms;
}

ScalarForm ScalarForms::of(Value value) {
  if (auto it = known.find(value); it != known.end()) return it->second;
  ++depth;
  ScalarForm form = compute(value);
  --depth;
  known[value] = form;
  return form;
}

bool ScalarForms::isSharedLoad(Operation *op) const {
  auto load = dyn_cast<tile::LoadOp>(op);
  return load && writtenBuffers && !writtenBuffers->contains(tile::baseBuffer(load.getTile()));
}

ScalarForm ScalarForms::compute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) return term({value.getAsOpaquePointer()});
  APInt constant;
  if (unsigned width = widthOf(value.getType()); width && matchPattern(value, m_ConstantInt(&constant)))
    return {constant.getSExtValue(), {}};
  bool inScope = scope && scope->isProperAncestor(op);
  if (depth > kMaxDepth || op->getNumRegions() != 0 || !(isMemoryEffectFree(op) || (inScope && isSharedLoad(op))))
    return inScope ? term({value.getAsOpaquePointer(), reinterpret_cast<const void *>(execution)})
                   : term({value.getAsOpaquePointer()});
  if (std::optional<ScalarForm> form = sum(op)) return *form;
  std::vector<ScalarForm> operands = of(op->getOperands());
  if (std::optional<ScalarForm> form = fold(op, operands)) return *form;
  // Any other operation without effects gives equal results for equal operands.
  return term({op->getName().getAsOpaquePointer(), op->getAttrDictionary().getAsOpaquePointer(),
               value.getType().getAsOpaquePointer(),
               reinterpret_cast<const void *>(uintptr_t{cast<OpResult>(value).getResultNumber()})},
              std::move(operands));
}

std::optional<ScalarForm> ScalarForms::sum(Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) return std::nullopt;
  unsigned width = widthOf(op->getResult(0).getType());
  if (width == 0) return std::nullopt;
  ScalarForm a = of(op->getOperand(0)), b = of(op->getOperand(1));
  std::optional<ScalarForm> result;
  if (isa<arith::AddIOp>(op)) result = addScaled(a, b, 1);
  if (isa<arith::SubIOp>(op)) result = addScaled(a, b, -1);
  if (isa<arith::MulIOp>(op) && b.isConstant())
    result = addScaled({}, a, b.constant);
  else if (isa<arith::MulIOp>(op) && a.isConstant())
    result = addScaled({}, b, a.constant);
  if (result) *result = wrapped(*result, width);
  return result;
}

std::optional<ScalarForm> ScalarForms::fold(Operation *op, ArrayRef<ScalarForm> operands) {
  if (operands.empty() || op->getNumResults() != 1) return std::nullopt;
  if (auto select = dyn_cast<arith::SelectOp>(op); select && operands[0].isConstant())
    return operands[operands[0].constant != 0 ? 1 : 2];
  unsigned from = widthOf(op->getOperand(0).getType()), to = widthOf(op->getResult(0).getType());
  if (from == 0 || to == 0 || !llvm::all_of(operands, [](const ScalarForm &f) { return f.isConstant(); }))
    return std::nullopt;
  std::optional<int64_t> value;
  if (operands.size() == 1) value = convert(op, operands[0].constant, from, to);
  if (operands.size() == 2) value = combine(op, operands[0].constant, operands[1].constant, from);
  if (!value) return std::nullopt;
  return wrapped({*value, {}}, to);
}

std::optional<int64_t> constantValue(Value value) {
  ScalarTerms terms;
  ScalarForm form = ScalarForms(terms).of(value);
  return form.isConstant() ? std::optional(form.constant) : std::nullopt;
}

} // namespace tessera
