// Passes over tile programs that no single target owns. Pipeline.h has them in order.
#pragma once

#include "mlir/Pass/Pass.h"

namespace tessera {

#define GEN_PASS_DECL
#include "tilelang/passes/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "tilelang/passes/Passes.h.inc"

} // namespace tessera
