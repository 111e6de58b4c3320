// A repair of LLVM IR before instruction selection.
#pragma once

namespace llvm {
class Module;
}

namespace tessera::cpu {

/// Turns masked stores whose mask is a constant with one lane into plain stores of that lane.
///
/// Instruction selection for x86 in LLVM 22 does the same, but where the stored vector is a truncation it stores the
/// wide element: four bytes where two are meant, over the neighbour's first half.
void storeSingleLanes(llvm::Module &module);

} // namespace tessera::cpu
