// RUN: tl-opt %s | FileCheck %s
// RUN: tl-opt %s | tl-opt | FileCheck %s
// RUN: tl-opt --mlir-print-op-generic %s | tl-opt | FileCheck %s
// Attributes that describe a call print and parse back.

#global = #tile.space<global>

// CHECK-LABEL: func.func @described
// CHECK-SAME: tile.access = "read", tile.name = "A", tile.shape = affine_map<()[s0, s1] -> (s0, s1 ceildiv 128)>}
// CHECK-SAME: tile.access = "write", tile.name = "B"}
// CHECK-SAME: tile.access = "readwrite", tile.name = "C"}
// CHECK-SAME: {tile.name = "scale"}
// CHECK-SAME: attributes {tile.symbols = ["M", "N"]}
func.func @described(%A: memref<?x?xf32, #global> {tile.name = "A", tile.access = "read", tile.shape = affine_map<()[M, N] -> (M, N ceildiv 128)>},
                     %B: memref<?xf32, strided<[?], offset: ?>, #global> {tile.name = "B", tile.access = "write"},
                     %C: memref<8xf32, #global> {tile.name = "C", tile.access = "readwrite"},
                     %scale: f32 {tile.name = "scale"}) attributes {tile.symbols = ["M", "N"]} {
  return
}
