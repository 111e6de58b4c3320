// Masked stores of one lane become plain stores; masks are hidden.
#include "tilelang/cpu/MaskedAccesses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace tessera::cpu {
namespace {

/// The one lane that a constant mask lets through; nothing if there are none or several, or it isn't constant.
std::optional<unsigned> onlyLane(llvm::Value *mask) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  if (!constant || !type) return std::nullopt;
  std::optional<unsigned> lane;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    llvm::Constant *bit = constant->getAggregateElement(i);
    if (!bit || !llvm::isa<llvm::ConstantInt>(bit)) return std::nullopt;
    if (bit->isNullValue()) continue;
    if (lane) return std::nullopt;
    lane = i;
  }
  return lane;
}

void replace(llvm::IntrinsicInst *store, unsigned lane) {
  llvm::IRBuilder<> builder(store);
  llvm::Value *element = builder.CreateExtractElement(store->getArgOperand(0), lane);
  llvm::Value *address = builder.CreateConstGEP1_64(element->getType(), store->getArgOperand(1), lane);
  uint64_t offset = lane * builder.GetInsertBlock()->getModule()->getDataLayout().getTypeStoreSize(element->getType());
  llvm::Align align = llvm::commonAlignment(store->getParamAlign(1).valueOrOne(), offset);
  builder.CreateAlignedStore(element, address, align);
  store->eraseFromParent();
}

/// Passes a mask, as integers that fill a vector register, through an empty piece of assembly, so that nothing is known
/// of its lanes. Masks that do not fit one are left alone: the code generator never makes them for AVX2.
void hideMask(llvm::IntrinsicInst *access, unsigned position) {
  llvm::Value *mask = access->getArgOperand(position);
  auto *type = llvm::cast<llvm::FixedVectorType>(mask->getType());
  unsigned lanes = type->getNumElements();
  if (llvm::isa<llvm::Constant>(mask) || !llvm::isPowerOf2_32(lanes) || lanes < 2 || lanes > 32) return;
  llvm::IRBuilder<> builder(access);
  auto *words = llvm::VectorType::get(builder.getIntNTy(std::max(8u, 128 / lanes)), type);
  auto *nothing = llvm::InlineAsm::get(llvm::FunctionType::get(words, {words}, false), "", "=x,0", false);
  llvm::Value *hidden = builder.CreateCall(nothing, {builder.CreateSExt(mask, words)});
  access->setArgOperand(position, builder.CreateICmpSLT(hidden, llvm::Constant::getNullValue(words)));
}

} // namespace

void repairMaskedAccesses(llvm::Module &module, const CpuIsa &isa) {
  bool hasMaskMoves = isa.hasFma && !isa.hasAvx512 && isa.name != "neon";
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call) continue;
      // Operands: value, address, mask; or address, mask, value of the other lanes.
      if (call->getIntrinsicID() == llvm::Intrinsic::masked_load) {
        if (hasMaskMoves) hideMask(call, 1);
      } else if (call->getIntrinsicID() == llvm::Intrinsic::masked_store) {
        if (auto lane = onlyLane(call->getArgOperand(2)))
          replace(call, *lane);
        else if (hasMaskMoves)
          hideMask(call, 2);
      }
    }
}

} // namespace tessera::cpu
