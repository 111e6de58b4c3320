// Transcendental functions become code of their own where they have some (math/), and calls of SLEEF otherwise, on
// vectors of the machine's length and on scalars.
//
// The library's reproducible variants are used: finz_ (with fused multiply-add) gives the same bits on every machine
// that has it, in every vector length and for scalars; cinz_ does so on machines without. Bounds: docs/numerics.md.
#include "tilelang/cpu/Passes.h"
#include "tilelang/cpu/math/InlineMath.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace tessera::cpu {
#define GEN_PASS_DEF_CPUEXPANDMATH
#include "tilelang/cpu/Passes.h.inc"

namespace {

/// SLEEF's name of an operation of the math dialect and its bound in tenths of an ulp; empty for any other.
struct Function {
  StringRef name;
  StringRef bound = "u10";
  unsigned firstOperand = 0; ///< operands from here on are the function's
};

/// Powers of 2 and of 10 have functions of their own.
Function powerFunction(math::PowFOp op) {
  APFloat base(0.0);
  if (matchPattern(op.getLhs(), m_ConstantFloat(&base)))
    for (auto [value, name] : {std::pair(2.0, "exp2"), std::pair(10.0, "exp10")})
      if (base.convertToDouble() == value) return {name, "u10", 1};
  return {"pow"};
}

Function functionOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case<math::ExpOp>([](auto) { return Function{"exp"}; })
      .Case<math::Exp2Op>([](auto) { return Function{"exp2"}; })
      .Case<math::ExpM1Op>([](auto) { return Function{"expm1"}; })
      .Case<math::LogOp>([](auto) { return Function{"log"}; })
      .Case<math::Log2Op>([](auto) { return Function{"log2"}; })
      .Case<math::Log10Op>([](auto) { return Function{"log10"}; })
      .Case<math::Log1pOp>([](auto) { return Function{"log1p"}; })
      .Case<math::SinOp>([](auto) { return Function{"sin"}; })
      .Case<math::CosOp>([](auto) { return Function{"cos"}; })
      .Case<math::TanOp>([](auto) { return Function{"tan"}; })
      .Case<math::SinhOp>([](auto) { return Function{"sinh"}; })
      .Case<math::CoshOp>([](auto) { return Function{"cosh"}; })
      .Case<math::TanhOp>([](auto) { return Function{"tanh"}; })
      .Case<math::AsinOp>([](auto) { return Function{"asin"}; })
      .Case<math::AcosOp>([](auto) { return Function{"acos"}; })
      .Case<math::AtanOp>([](auto) { return Function{"atan"}; })
      .Case<math::AsinhOp>([](auto) { return Function{"asinh"}; })
      .Case<math::AcoshOp>([](auto) { return Function{"acosh"}; })
      .Case<math::AtanhOp>([](auto) { return Function{"atanh"}; })
      .Case<math::Atan2Op>([](auto) { return Function{"atan2"}; })
      .Case<math::ErfOp>([](auto) { return Function{"erf"}; })
      .Case<math::ErfcOp>([](auto) { return Function{"erfc", "u15"}; })
      .Case<math::PowFOp>(powerFunction)
      .Case<math::CbrtOp>([](auto) { return Function{"cbrt"}; })
      .Default([](Operation *) { return Function{}; });
}

/// How the library spells an instruction set.
struct Spelling {
  StringRef family, vectorIsa, scalarIsa;
  int64_t vectorBytes;
};

Spelling spellingOf(const CpuIsa &isa) {
  if (isa.hasAvx512) return {"finz_", "avx512f", "purecfma", 64};
  if (isa.name == "neon") return {"finz_", "advsimd", "purecfma", 16};
  if (isa.hasFma) return {"finz_", "avx2", "purecfma", 32};
  return {"cinz_", "sse2", "purec", 16};
}

/// "Sleef_finz_expf16_u10avx512f": 16 lanes of f32.
std::string symbolOf(const Function &function, const Spelling &spelling, bool isF64, int64_t lanes) {
  StringRef isa = lanes == 1 ? spelling.scalarIsa : spelling.vectorIsa;
  return ("Sleef_" + spelling.family + function.name + (isF64 ? "d" : "f") + Twine(lanes) + "_" + function.bound + isa)
      .str();
}

Value call(ImplicitLocOpBuilder &b, StringRef symbol, Type type, ValueRange operands) {
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol);
  if (!callee) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto signature = LLVM::LLVMFunctionType::get(type, SmallVector<Type>(operands.getTypes()));
    callee = LLVM::LLVMFuncOp::create(b, symbol, signature);
    // A function of its operands alone, so that LLVM may move calls out of loops and drop unused ones.
    LLVM::ModRefInfo no = LLVM::ModRefInfo::NoModRef;
    callee.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(b.getContext(), no, no, no, no, no, no));
    callee.setNoUnwind(true);
    callee.setWillReturn(true);
  }
  return LLVM::CallOp::create(b, callee, operands).getResult();
}

class Expansion {
public:
  Expansion(Operation *op, Function function, Spelling spelling)
      : b(op->getLoc(), op), function(function), spelling(spelling),
        operands(op->getOperands().drop_front(function.firstOperand)), type(op->getResult(0).getType()) {}

  Value run() {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? inPieces(vector) : call(b, symbolOf(function, spelling, type.isF64(), 1), type, operands);
  }

private:
  ImplicitLocOpBuilder b;
  Function function;
  Spelling spelling;
  SmallVector<Value> operands;
  Type type;

  /// One call for each piece of the machine's vector length; lanes that are left over are called one by one.
  Value inPieces(VectorType vector) {
    Type element = vector.getElementType();
    int64_t whole = spelling.vectorBytes * 8 / element.getIntOrFloatBitWidth(), count = vector.getNumElements();
    if (count == whole) return call(b, symbolOf(function, spelling, element.isF64(), whole), vector, operands);
    Value result = arith::ConstantOp::create(b, b.getZeroAttr(vector));
    for (int64_t at = 0, lanes = 0; at < count; at += lanes) {
      lanes = count - at >= whole ? whole : 1;
      result = lanes == 1 ? withLane(result, at, element) : withPiece(result, at, VectorType::get({lanes}, element));
    }
    return result;
  }

  Value withPiece(Value result, int64_t at, VectorType piece) {
    SmallVector<int64_t> offset{at}, size{piece.getNumElements()}, step{1};
    SmallVector<Value> parts = llvm::map_to_vector(
        operands, [&](Value v) -> Value { return vector::ExtractStridedSliceOp::create(b, v, offset, size, step); });
    Value part =
        call(b, symbolOf(function, spelling, piece.getElementType().isF64(), piece.getNumElements()), piece, parts);
    return vector::InsertStridedSliceOp::create(b, part, result, offset, step);
  }

  Value withLane(Value result, int64_t at, Type element) {
    SmallVector<Value> parts =
        llvm::map_to_vector(operands, [&](Value v) -> Value { return vector::ExtractOp::create(b, v, at); });
    Value part = call(b, symbolOf(function, spelling, element.isF64(), 1), element, parts);
    return vector::InsertOp::create(b, part, result, at);
  }
};

struct ExpandMath : impl::CpuExpandMathBase<ExpandMath> {
  explicit ExpandMath(const CpuIsa &isa) : isa(isa) {}

  void runOnOperation() override {
    CpuOptions options;
    options.isa = isa;
    if (failed(selectIsa(getOperation(), isaName, options))) return signalPassFailure();
    Spelling spelling = spellingOf(options.isa);
    getOperation().walk([&](Operation *op) {
      Function function = functionOf(op);
      if (function.name.empty()) return;
      Value result = inlineMath(op, options.isa);
      if (!result) result = Expansion(op, function, spelling).run();
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    });
  }

private:
  CpuIsa isa;
};

} // namespace

std::unique_ptr<Pass> createExpandMathPass(const CpuIsa &isa) { return std::make_unique<ExpandMath>(isa); }

} // namespace tessera::cpu
