// Transcendental functions become calls of SLEEF, on vectors of the machine's length and on scalars.
//
// The library's reproducible variants are used: finz_ (with fused multiply-add) gives the same bits on every machine
// that has it, in every vector length and for scalars; cinz_ does so on machines without. Bounds: docs/numerics.md.
#include "tilelang/cpu/Passes.h"

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
};

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
      .Case<math::PowFOp>([](auto) { return Function{"pow"}; })
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
    callee =
        LLVM::LLVMFuncOp::create(b, symbol, LLVM::LLVMFunctionType::get(type, SmallVector<Type>(operands.getTypes())));
  }
  return LLVM::CallOp::create(b, callee, operands).getResult();
}

/// One call for each piece of the machine's vector length.
Value callInPieces(ImplicitLocOpBuilder &b, StringRef symbol, VectorType type, int64_t lanes, ValueRange operands) {
  if (type.getNumElements() == lanes) return call(b, symbol, type, operands);
  auto piece = VectorType::get({lanes}, type.getElementType());
  Value result = arith::ConstantOp::create(b, b.getZeroAttr(type));
  for (int64_t at = 0; at < type.getNumElements(); at += lanes) {
    SmallVector<Value> parts = llvm::map_to_vector(operands, [&](Value v) -> Value {
      return vector::ExtractStridedSliceOp::create(b, v, ArrayRef<int64_t>{at}, ArrayRef<int64_t>{lanes},
                                                   ArrayRef<int64_t>{1});
    });
    result = vector::InsertStridedSliceOp::create(b, call(b, symbol, piece, parts), result, ArrayRef<int64_t>{at},
                                                  ArrayRef<int64_t>{1});
  }
  return result;
}

struct ExpandMath : impl::CpuExpandMathBase<ExpandMath> {
  ExpandMath() : isa(cpuIsa("x86-64")) {}
  explicit ExpandMath(const CpuIsa &isa) : isa(isa) {}

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      Function function = functionOf(op);
      if (!function.name.empty()) expand(op, function);
    });
  }

private:
  void expand(Operation *op, const Function &function) {
    Type type = op->getResult(0).getType(), element = getElementTypeOrSelf(type);
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Spelling spelling = spellingOf(isa);
    Value result;
    if (auto vector = dyn_cast<VectorType>(type)) {
      int64_t lanes = spelling.vectorBytes * 8 / element.getIntOrFloatBitWidth();
      result = callInPieces(b, symbolOf(function, spelling, element.isF64(), lanes), vector, lanes, op->getOperands());
    } else {
      result = call(b, symbolOf(function, spelling, element.isF64(), 1), type, op->getOperands());
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  CpuIsa isa;
};

} // namespace

std::unique_ptr<Pass> createExpandMathPass(const CpuIsa &isa) { return std::make_unique<ExpandMath>(isa); }

} // namespace tessera::cpu
