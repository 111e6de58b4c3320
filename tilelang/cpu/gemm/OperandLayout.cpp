// Packed forms as attributes of allocations, and their sizes.
#include "tilelang/cpu/gemm/OperandLayout.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

static constexpr StringRef kAttrName = "cpu.packed";

int64_t OperandLayout::pitch() const {
  if (role == OperandRole::a) return kSteps() * kStep;
  // Panels a power of two apart would fall into the same sets of the caches: packing 16 of them ran at half the speed.
  return (kSteps() + 1) * kStep * kPanelWidth;
}

int64_t OperandLayout::elements() const {
  return pitch() * (role == OperandRole::a ? other : (other + kPanelWidth - 1) / kPanelWidth);
}

Type unitType(Type compute, int64_t kStep) {
  return kStep == 1 ? compute : IntegerType::get(compute.getContext(), compute.getIntOrFloatBitWidth() * kStep);
}

void setLayout(AllocOp alloc, const OperandLayout &layout) {
  Builder b(alloc);
  auto entry = [&](StringRef name, Attribute value) { return b.getNamedAttr(name, value); };
  SmallVector<NamedAttribute> entries{
      entry("role", b.getStringAttr(layout.role == OperandRole::a ? "a" : "b")),
      entry("compute", TypeAttr::get(layout.compute)), entry("k_step", b.getI64IntegerAttr(layout.kStep)),
      entry("k", b.getI64IntegerAttr(layout.k)), entry("other", b.getI64IntegerAttr(layout.other))};
  if (layout.transposed) entries.push_back(entry("transposed", b.getUnitAttr()));
  if (layout.biased) entries.push_back(entry("biased", b.getUnitAttr()));
  alloc->setAttr(kAttrName, b.getDictionaryAttr(entries));
}

std::optional<OperandLayout> layoutOf(AllocOp alloc) {
  auto dict = alloc->getAttrOfType<DictionaryAttr>(kAttrName);
  if (!dict) return std::nullopt;
  auto number = [&](StringRef name) { return dict.getAs<IntegerAttr>(name).getInt(); };
  return OperandLayout{dict.getAs<StringAttr>("role").getValue() == "a" ? OperandRole::a : OperandRole::b,
                       dict.getAs<TypeAttr>("compute").getValue(),
                       number("k_step"),
                       number("k"),
                       number("other"),
                       dict.contains("transposed"),
                       dict.contains("biased")};
}

std::optional<OperandLayout> layoutOf(Value tile) {
  auto alloc = baseBuffer(tile).getDefiningOp<AllocOp>();
  return alloc ? layoutOf(alloc) : std::nullopt;
}

} // namespace tessera::cpu
