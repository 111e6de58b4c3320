// RUN: tl-opt %s | FileCheck %s
// RUN: tl-opt %s | tl-opt | FileCheck %s
// A whole kernel prints and parses back.

// CHECK-LABEL: func.func @gemm
func.func @gemm(%A: memref<?x?xbf16, #tile.space<global>> {tile.name = "A", tile.access = "read", tile.shape = affine_map<()[M, N, K] -> (M, K)>},
                %B: memref<?x?xbf16, #tile.space<global>> {tile.name = "B", tile.access = "read", tile.shape = affine_map<()[M, N, K] -> (K, N)>},
                %C: memref<?x?xf32, #tile.space<global>> {tile.name = "C", tile.access = "write", tile.shape = affine_map<()[M, N, K] -> (M, N)>})
    attributes {tile.symbols = ["M", "N", "K"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %A, %c0 : memref<?x?xbf16, #tile.space<global>>
  %k = memref.dim %A, %c1 : memref<?x?xbf16, #tile.space<global>>
  %n = memref.dim %B, %c1 : memref<?x?xbf16, #tile.space<global>>
  %gx = arith.ceildivsi %n, %c64 : index
  %gy = arith.ceildivsi %m, %c64 : index
  // CHECK: tile.kernel (%[[BX:.*]], %[[BY:.*]]) in (%{{.*}}, %{{.*}}) {
  tile.kernel (%bx, %by) in (%gx, %gy) {
    // CHECK: tile.alloc "As" : memref<64x32xbf16, #shared>
    %As = tile.alloc "As" : memref<64x32xbf16, #tile.space<shared>>
    %Bs = tile.alloc "Bs" : memref<32x64xbf16, #tile.space<shared>>
    %acc = tile.alloc "acc" : memref<64x64xf32, #tile.space<fragment>>
    %zero = arith.constant 0.0 : f32
    tile.fill %zero, %acc : f32, memref<64x64xf32, #tile.space<fragment>>
    %kt = arith.ceildivsi %k, %c32 : index
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c64 : index
    // CHECK: tile.for pipelined %[[KO:.*]] = %{{.*}} to %{{.*}} step %{{.*}} attributes {stages = 3 : i64} {
    tile.for pipelined %ko = %c0 to %kt step %c1 attributes {stages = 3 : i64} {
      %kk = arith.muli %ko, %c32 : index
      // CHECK: tile.region %{{.*}}[%{{.*}}, %{{.*}}] [64, 32] : memref<?x?xbf16, #global> -> <64x32xbf16, #global>
      %a = tile.region %A[%row, %kk] [64, 32] : memref<?x?xbf16, #tile.space<global>> -> !tile.region<64x32xbf16, #tile.space<global>>
      tile.copy %a, %As : !tile.region<64x32xbf16, #tile.space<global>>, memref<64x32xbf16, #tile.space<shared>>
      %b = tile.region %B[%kk, %col] [32, 64] : memref<?x?xbf16, #tile.space<global>> -> !tile.region<32x64xbf16, #tile.space<global>>
      tile.copy %b, %Bs : !tile.region<32x64xbf16, #tile.space<global>>, memref<32x64xbf16, #tile.space<shared>>
      // CHECK: tile.gemm %{{.*}}, %{{.*}}, %{{.*}} :
      tile.gemm %As, %Bs, %acc : memref<64x32xbf16, #tile.space<shared>>, memref<32x64xbf16, #tile.space<shared>>, memref<64x64xf32, #tile.space<fragment>>
    }
    %c = tile.region %C[%row, %col] [64, 64] : memref<?x?xf32, #tile.space<global>> -> !tile.region<64x64xf32, #tile.space<global>>
    tile.copy %acc, %c : memref<64x64xf32, #tile.space<fragment>>, !tile.region<64x64xf32, #tile.space<global>>
  }
  return
}
