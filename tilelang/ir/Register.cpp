// The dialects of a tile program.
#include "tilelang/ir/Register.h"

#include "tilelang/ir/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tessera::tile {

void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<TileDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect>();
}

} // namespace tessera::tile
