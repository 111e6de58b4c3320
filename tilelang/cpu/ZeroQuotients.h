// A repair of LLVM IR before instruction selection.
#pragma once

namespace llvm {
class Module;
}

namespace tessera::cpu {

/// Keeps 0 / 0 of vectors a NaN. Instruction selection in LLVM 22 takes a lane of a floating-point quotient (or
/// remainder) for zero where it knows both operands to be zero there, as in the padded part of a vector. Quotients
/// whose operands may be known to be zero get their NaN from a select.
void repairZeroQuotients(llvm::Module &module);

} // namespace tessera::cpu
