// Repairs of LLVM IR before instruction selection.
#pragma once

namespace llvm {
class Module;
}

namespace tessera::cpu {

/// Works around two faults of instruction selection in LLVM 22.
///   - 0 / 0 of vectors stays a NaN. Selection takes a lane of a floating-point quotient (or remainder) for zero where
///     it knows both operands to be zero there, as in the padded part of a vector. Quotients whose operands may be
///     known to be zero get their NaN from a select.
///   - A divisor that is 1 where it would be 0 stays so. Selection divides first and selects afterwards where it takes
///     the divisor for never zero, but a divisor like `-2 >> n` is zero (it was poison) in lanes that were not
///     selected: the division traps. Integer divisors are frozen, which makes that claim false where it is.
void repairQuotients(llvm::Module &module);

} // namespace tessera::cpu
