// The functions by which objects are linked, among them those that the code generator calls for narrow floating-point
// types where a CPU has no instruction for them; the system's compiler library lacks some.
#include "tilelang/cpu/runtime/call_context.h"

#include "core/numbers.h"

#include <bit>

namespace tessera::cpu {
namespace {

__bf16 toBf16(double value) {
  return std::bit_cast<__bf16>(static_cast<uint16_t>(encode(DType::bf16, value, Rounding::rint)));
}
_Float16 toF16(double value) {
  return std::bit_cast<_Float16>(static_cast<uint16_t>(encode(DType::f16, value, Rounding::rint)));
}
__bf16 floatToBf16(float value) { return toBf16(value); }
_Float16 floatToF16(float value) { return toF16(value); }
float f16ToFloat(_Float16 value) { return static_cast<float>(decode(DType::f16, std::bit_cast<uint16_t>(value))); }

template <class F> const void *address(F *function) { return reinterpret_cast<const void *>(function); }

} // namespace

std::span<const RuntimeSymbol> runtimeSymbols() {
  static const RuntimeSymbol symbols[] = {
      {"tsr_launch", address(tsr_launch)},
      {"tsr_ordered_enter", address(tsr_ordered_enter)},
      {"tsr_assert_failed", address(tsr_assert_failed)},
      {"tsr_step_zero", address(tsr_step_zero)},
      {"tsr_out_of_bounds", address(tsr_out_of_bounds)},
      {"tsr_workspace", address(tsr_workspace)},
      {"tsr_tile_claim", address(tsr_tile_claim)},
      {"tsr_tile_done", address(tsr_tile_done)},
      {"tsr_printf", address(tsr_printf)},
      {"tsr_dump", address(tsr_dump)},
      {"__truncsfbf2", address(floatToBf16)},
      {"__truncdfbf2", address(toBf16)},
      {"__truncsfhf2", address(floatToF16)},
      {"__truncdfhf2", address(toF16)},
      {"__extendhfsf2", address(f16ToFloat)},
  };
  return symbols;
}

} // namespace tessera::cpu
