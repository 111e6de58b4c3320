// RUN: tl-opt %s -cpu-emit-blocks -canonicalize -split-input-file | FileCheck %s
// Reductions and scans in lanes: 16 elements of a line along the last axis, 16 lines along any other.

// 16 partial results, halved in the stated order. A maximum is one comparison and selection, and its zero is +0.
// CHECK-LABEL: llvm.func @rows_block0
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<16xf32>)
// CHECK: %[[X:.*]] = vector.load {{.*}} : memref<4x64xf32>, vector<16xf32>
// CHECK: %[[BETTER:.*]] = arith.cmpf ogt, %[[X]], %[[ACC]] : vector<16xf32>
// CHECK: arith.select %[[BETTER]], %[[X]], %[[ACC]]
// CHECK: vector.extract_strided_slice {{.*}}offsets = [0], sizes = [8]
// CHECK: vector.extract_strided_slice {{.*}}offsets = [8], sizes = [8]
// CHECK: vector.extract_strided_slice {{.*}}offsets = [4], sizes = [4]
// CHECK: vector.extract_strided_slice {{.*}}offsets = [2], sizes = [2]
// CHECK: arith.addf %{{.*}}, %cst{{.*}} : f32
// CHECK: memref.store %{{.*}} : memref<4xf32>
func.func @rows(%A: memref<4x64xf32, #tile.space<global>>, %B: memref<4xf32, #tile.space<global>>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.reduce max %A, %B {dim = 1} : memref<4x64xf32, #tile.space<global>>, memref<4xf32, #tile.space<global>>
  }
  return
}

// -----

// The rest of a line is masked, and lanes that are not alive count as nothing.
// CHECK-LABEL: llvm.func @tail_block0
// CHECK: vector.constant_mask [5] : vector<16xi1>
// CHECK: vector.maskedload
// CHECK: arith.select %{{.*}} : vector<16xi1>, vector<16xi32>
func.func @tail(%A: memref<4x21xi32, #tile.space<global>>, %B: memref<4xi32, #tile.space<global>>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.reduce min %A, %B {dim = 1} : memref<4x21xi32, #tile.space<global>>, memref<4xi32, #tile.space<global>>
  }
  return
}

// -----

// Columns: rows are added in ascending order, and bf16 sums are kept in f32 until the end.
// CHECK-LABEL: llvm.func @columns_block0
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>)
// CHECK: vector.load {{.*}} : memref<4x64xi16>, vector<16xi16>
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi16>
// CHECK: vector.store {{.*}} : memref<64xi16>, vector<16xi16>
func.func @columns(%A: memref<4x64xbf16, #tile.space<global>>, %B: memref<64xbf16, #tile.space<global>>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.reduce sum %A, %B {dim = 0} : memref<4x64xbf16, #tile.space<global>>, memref<64xbf16, #tile.space<global>>
  }
  return
}

// -----

// A scan along the last axis carries one sum; each element is stored as it comes.
// CHECK-LABEL: llvm.func @scan_block0
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (f32)
// CHECK: arith.addf %[[SUM]], %{{.*}} : f32
// CHECK: memref.store
// CHECK: scf.yield
func.func @scan(%A: memref<4x64xf32, #tile.space<global>>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.scan sum %A, %A {dim = 1} : memref<4x64xf32, #tile.space<global>>, memref<4x64xf32, #tile.space<global>>
  }
  return
}
