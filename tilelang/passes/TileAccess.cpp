// Tile accesses from the memory effects of the operations.
#include "tilelang/passes/TileAccess.h"

#include "tilelang/ir/TileInfo.h"
#include "tilelang/passes/ScalarForm.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera {
namespace {

/// Whether the operation is declared to read what it writes but doesn't need to.
bool overwrites(Operation *op, Value tile) {
  if (auto gemm = dyn_cast<tile::GemmOp>(op)) {
    if (tile != gemm.getC() || !gemm.getClear()) return false;
    return constantValue(gemm.getClear()) != 0;
  }
  auto reduce = dyn_cast<tile::ReduceOp>(op);
  return reduce && tile == reduce.getDst() && !reduce.getAccumulate();
}

} // namespace

SmallVector<TileAccess> tileAccesses(Operation *op) {
  SmallVector<TileAccess> list;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() != 0) return list;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value tile = effect.getValue();
    if (!tile || !isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect())) continue;
    auto *known = llvm::find_if(list, [&](const TileAccess &access) { return access.tile == tile; });
    if (known == list.end()) known = &list.emplace_back(TileAccess{tile});
    (isa<MemoryEffects::Read>(effect.getEffect()) ? known->reads : known->writes) = true;
  }
  for (TileAccess &access : list)
    if (access.writes && overwrites(op, access.tile)) access.reads = false;
  return list;
}

} // namespace tessera
