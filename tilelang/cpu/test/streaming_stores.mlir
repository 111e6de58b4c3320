// RUN: tl-opt %s -split-input-file -cpu-emit-blocks=isa=avx512 | FileCheck %s
// Which stores bypass the caches: whole lines of large tensors that the kernel does not read.

#g = #tile.space<global>

// Where size and addresses are known only at run time, both kinds of stores are there.
// CHECK-LABEL: llvm.func @copied_block0
// CHECK: vector.store %{{.*}} {alignment = 64 : i64, nontemporal = true} : memref<?x?xf32>, vector<16xf32>
// CHECK: vector.store %{{.*}}] : memref<?x?xf32>, vector<16xf32>
func.func @copied(%A: memref<?x?xf32, #g>, %B: memref<?x?xf32, #g>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %from = tile.region %A[%b, 0] [4, 64] : memref<?x?xf32, #g> -> <4x64xf32, #g>
    %to = tile.region %B[%b, 0] [4, 64] : memref<?x?xf32, #g> -> <4x64xf32, #g>
    tile.copy %from, %to : !tile.region<4x64xf32, #g>, !tile.region<4x64xf32, #g>
  }
  return
}

// -----
#g = #tile.space<global>

// Sixteen elements of two bytes are half a line. LLVM must not merge the truncation with the store.
// CHECK-LABEL: llvm.func @narrow_block0
// CHECK: %[[ROW:.*]] = llvm.inline_asm "", "=v,0"
// CHECK-NEXT: vector.store %[[ROW]], %{{.*}} {alignment = 32 : i64, nontemporal = true} : memref<?x?xi16>, vector<16xi16>
func.func @narrow(%A: memref<?x?xf32, #g>, %B: memref<?x?xbf16, #g>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  tile.kernel (%b) in (%c1) {
    tile.parallel (%i, %j) in (%c4, %c64) {
      %x = tile.load %A[%i, %j] : memref<?x?xf32, #g> -> f32
      %y = tile.cast %x : f32 to bf16
      tile.store %y, %B[%i, %j] : bf16, memref<?x?xbf16, #g>
    }
  }
  return
}

// -----
#g = #tile.space<global>

// CHECK-LABEL: llvm.func @small_block0
// CHECK-NOT: nontemporal
// CHECK: llvm.return
func.func @small(%A: memref<64x64xf32, #g>, %B: memref<64x64xf32, #g>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.copy %A, %B : memref<64x64xf32, #g>, memref<64x64xf32, #g>
  }
  return
}

// -----
#g = #tile.space<global>

// CHECK-LABEL: llvm.func @read_again_block0
// CHECK-NOT: nontemporal
// CHECK: llvm.return
func.func @read_again(%A: memref<?x?xf32, #g>, %B: memref<?x?xf32, #g>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  tile.kernel (%b) in (%c1) {
    tile.parallel (%i, %j) in (%c4, %c64) {
      %x = tile.load %A[%i, %j] : memref<?x?xf32, #g> -> f32
      %old = tile.load %B[%i, %j] : memref<?x?xf32, #g> -> f32
      %y = arith.addf %x, %old : f32
      tile.store %y, %B[%i, %j] : f32, memref<?x?xf32, #g>
    }
  }
  return
}

// -----
#g = #tile.space<global>

// Rows of 24 elements do not end where lines end.
// CHECK-LABEL: llvm.func @parts_of_lines_block0
// CHECK-NOT: nontemporal
// CHECK: llvm.return
func.func @parts_of_lines(%A: memref<?x?xf32, #g>, %B: memref<?x?xf32, #g>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %from = tile.region %A[%b, 0] [4, 24] : memref<?x?xf32, #g> -> <4x24xf32, #g>
    %to = tile.region %B[%b, 0] [4, 24] : memref<?x?xf32, #g> -> <4x24xf32, #g>
    tile.copy %from, %to : !tile.region<4x24xf32, #g>, !tile.region<4x24xf32, #g>
  }
  return
}
