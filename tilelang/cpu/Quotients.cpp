// Selects for quotients of lanes that instruction selection may know to be zero; frozen integer divisors.
#include "tilelang/cpu/Quotients.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace tessera::cpu {
namespace {

/// Far enough: selection looks at one basic block at a time, and conversions are some ten operations.
constexpr int kDepth = 24;

bool hasZeroLane(const llvm::Constant *constant) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(constant->getType());
  if (!type) return constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant);
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    llvm::Constant *element = constant->getAggregateElement(lane);
    if (!element || element->isNullValue() || llvm::isa<llvm::UndefValue>(element)) return true;
  }
  return false;
}

bool isConstantWithZero(const llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && hasZeroLane(constant);
}

/// Which values of one basic block may have lanes that selection knows: those computed from constants, from zeros, or
/// joined with such lanes.
class KnownLanes {
public:
  explicit KnownLanes(const llvm::BasicBlock *block) : block(block) {}

  bool mayHaveZero(const llvm::Value *value) {
    return llvm::isa<llvm::Constant>(value) ? isConstantWithZero(value) : mayHaveAny(value, 0);
  }

private:
  const llvm::BasicBlock *block;
  llvm::DenseMap<const llvm::Value *, bool> found;

  bool mayHaveAny(const llvm::Value *value, int depth) {
    if (llvm::isa<llvm::Constant>(value)) return true;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || instruction->getParent() != block) return false;
    if (llvm::isa<llvm::PHINode, llvm::LoadInst>(instruction)) return false;
    if (depth == kDepth) return true;
    if (auto known = found.find(value); known != found.end()) return known->second;
    bool result = fromOperands(instruction, depth + 1);
    return found[value] = result;
  }

  bool fromOperands(const llvm::Instruction *instruction, int depth) {
    auto known = [&](const llvm::Value *operand) { return mayHaveAny(operand, depth); };
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
    if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_load) return known(call->getArgOperand(1));
    if (llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::SelectInst>(instruction))
      return llvm::any_of(instruction->operands(), known);
    return llvm::all_of(instruction->operands(), known) || llvm::any_of(instruction->operands(), isConstantWithZero);
  }
};

bool isQuotientOfVectors(const llvm::Instruction &instruction) {
  bool divides =
      instruction.getOpcode() == llvm::Instruction::FDiv || instruction.getOpcode() == llvm::Instruction::FRem;
  return divides && instruction.getType()->isVectorTy();
}

void selectNaN(llvm::Instruction &quotient) {
  llvm::IRBuilder<> builder(quotient.getNextNode());
  llvm::Type *type = quotient.getType();
  auto isZero = [&](llvm::Value *operand) {
    return builder.CreateFCmpOEQ(operand, llvm::Constant::getNullValue(type));
  };
  llvm::Value *both = builder.CreateAnd(isZero(quotient.getOperand(0)), isZero(quotient.getOperand(1)));
  llvm::Value *result = builder.CreateSelect(both, llvm::ConstantFP::getNaN(type), &quotient);
  quotient.replaceUsesWithIf(result, [&](llvm::Use &use) { return use.getUser() != result; });
}

void freezeDivisor(llvm::Instruction &division) {
  llvm::Use &divisor = division.getOperandUse(1);
  if (!llvm::isa<llvm::Constant>(divisor)) divisor = llvm::IRBuilder<>(&division).CreateFreeze(divisor);
}

} // namespace

void repairQuotients(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (instruction.isIntDivRem()) freezeDivisor(instruction);
      if (!isQuotientOfVectors(instruction)) continue;
      KnownLanes lanes(instruction.getParent());
      if (llvm::all_of(instruction.operands(), [&](llvm::Value *operand) { return lanes.mayHaveZero(operand); }))
        selectNaN(instruction);
    }
}

} // namespace tessera::cpu
