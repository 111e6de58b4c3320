// RUN: tl-opt %s | FileCheck %s
// RUN: tl-opt %s | tl-opt | FileCheck %s
// RUN: tl-opt --mlir-print-op-generic %s | tl-opt | FileCheck %s
// Operations on whole tiles print and parse back in both forms.

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
#local = #tile.space<local>
#var = #tile.space<var>
#l1 = #tile.space<l1>
#l0c = #tile.space<l0c>

// CHECK-LABEL: func.func @copies
func.func @copies(%A: memref<?x?xf32, #global>, %n: index) {
  tile.kernel (%b) in (%n) {
    %a = tile.alloc "a" : memref<8x4xf32, #shared>
    %h = tile.alloc "h" : memref<8x1x4xf16, #fragment>
    // CHECK: tile.copy %{{.*}}, %{{.*}} : memref<8x4xf32, #shared>, memref<8x1x4xf16, #fragment>
    tile.copy %a, %h : memref<8x4xf32, #shared>, memref<8x1x4xf16, #fragment>
    // CHECK: tile.copy %{{.*}}, %{{.*}} pad(1.000000e+00 : f64) relu : memref<?x?xf32, #global>, memref<8x4xf32, #shared>
    tile.copy %A, %a pad(1.0 : f64) relu : memref<?x?xf32, #global>, memref<8x4xf32, #shared>
    %r = tile.region %A[0, 0] [%n, 4] : memref<?x?xf32, #global> -> <?x4xf32, #global>
    // CHECK: tile.copy %{{.*}}, %{{.*}} pad(7 : i64) : !tile.region<?x4xf32, #global>, memref<8x4xf32, #shared>
    tile.copy %r, %a pad(7 : i64) : !tile.region<?x4xf32, #global>, memref<8x4xf32, #shared>
    // Halves of one buffer, and a buffer onto itself, are fine.
    %x = tile.region %a[0, 0] [4, 4] : memref<8x4xf32, #shared> -> <4x4xf32, #shared>
    %y = tile.region %a[4, 0] [4, 4] : memref<8x4xf32, #shared> -> <4x4xf32, #shared>
    // CHECK-COUNT-2: tile.copy
    tile.copy %x, %y : !tile.region<4x4xf32, #shared>, !tile.region<4x4xf32, #shared>
    tile.copy %x, %x : !tile.region<4x4xf32, #shared>, !tile.region<4x4xf32, #shared>
  }
  return
}

// CHECK-LABEL: func.func @fill_and_transpose
func.func @fill_and_transpose(%n: index, %x: f32, %i: i8) {
  tile.kernel (%b) in (%n) {
    %a = tile.alloc "a" : memref<2x8x4xf32, #shared>
    %t = tile.alloc "t" : memref<2x4x8xf32, #shared>
    %u = tile.alloc "u" : memref<4xui8, #local>
    // CHECK: tile.fill %{{.*}}, %{{.*}} : f32, memref<2x8x4xf32, #shared>
    tile.fill %x, %a : f32, memref<2x8x4xf32, #shared>
    // CHECK: tile.fill %{{.*}}, %{{.*}} : i8, memref<4xui8, #local>
    tile.fill %i, %u : i8, memref<4xui8, #local>
    // CHECK: tile.transpose %{{.*}}, %{{.*}} : memref<2x8x4xf32, #shared>, memref<2x4x8xf32, #shared>
    tile.transpose %a, %t : memref<2x8x4xf32, #shared>, memref<2x4x8xf32, #shared>
  }
  return
}

// CHECK-LABEL: func.func @gemm
func.func @gemm(%n: index, %first: i1) {
  tile.kernel (%b) in (%n) {
    %a = tile.alloc "a" : memref<16x32xbf16, #shared>
    %w = tile.alloc "b" : memref<32x8xbf16, #fragment>
    %wt = tile.alloc "bt" : memref<1x8x32xbf16, #l1>
    %c = tile.alloc "c" : memref<16x8xf32, #fragment>
    %ct = tile.alloc "ct" : memref<8x16xf16, #l0c>
    // CHECK: tile.gemm %{{.*}}, %{{.*}}, %{{.*}} : memref<16x32xbf16, #shared>, memref<32x8xbf16, #fragment>, memref<16x8xf32, #fragment>
    tile.gemm %a, %w, %c : memref<16x32xbf16, #shared>, memref<32x8xbf16, #fragment>, memref<16x8xf32, #fragment>
    // CHECK: tile.gemm %{{.*}}, %{{.*}}, %{{.*}} clear %{{.*}} transposeB {wave = 1 : i64} :
    tile.gemm %a, %wt, %c clear %first transposeB {wave = 1 : i64} : memref<16x32xbf16, #shared>, memref<1x8x32xbf16, #l1>, memref<16x8xf32, #fragment>
    // CHECK: tile.gemm %{{.*}}, %{{.*}}, %{{.*}} transposeA transposeB :
    tile.gemm %w, %a, %ct transposeA transposeB : memref<32x8xbf16, #fragment>, memref<16x32xbf16, #shared>, memref<8x16xf16, #l0c>
  }
  return
}

// CHECK-LABEL: func.func @gemm_types
func.func @gemm_types(%n: index) {
  tile.kernel (%b) in (%n) {
    %f32 = tile.alloc : memref<4x4xf32, #shared>
    %acc = tile.alloc : memref<4x4xf32, #fragment>
    %f64 = tile.alloc : memref<4x4xf64, #shared>
    %acc64 = tile.alloc : memref<4x4xf64, #fragment>
    %e4m3 = tile.alloc : memref<4x4xf8E4M3FN, #shared>
    %e5m2 = tile.alloc : memref<4x4xf8E5M2, #shared>
    %i8 = tile.alloc : memref<4x4xi8, #shared>
    %u8 = tile.alloc : memref<4x4xui8, #shared>
    %i32 = tile.alloc : memref<4x4xi32, #fragment>
    %half = tile.alloc : memref<4x4xf16, #local>
    // CHECK-COUNT-5: tile.gemm
    tile.gemm %f32, %f32, %acc : memref<4x4xf32, #shared>, memref<4x4xf32, #shared>, memref<4x4xf32, #fragment>
    tile.gemm %f64, %f64, %acc64 : memref<4x4xf64, #shared>, memref<4x4xf64, #shared>, memref<4x4xf64, #fragment>
    tile.gemm %e4m3, %e5m2, %acc : memref<4x4xf8E4M3FN, #shared>, memref<4x4xf8E5M2, #shared>, memref<4x4xf32, #fragment>
    tile.gemm %i8, %u8, %i32 : memref<4x4xi8, #shared>, memref<4x4xui8, #shared>, memref<4x4xi32, #fragment>
    tile.gemm %half, %half, %acc : memref<4x4xf16, #local>, memref<4x4xf16, #local>, memref<4x4xf32, #fragment>
  }
  return
}

// CHECK-LABEL: func.func @reduce
func.func @reduce(%n: index) {
  tile.kernel (%b) in (%n) {
    %s = tile.alloc "s" : memref<4x8xf16, #shared>
    %row = tile.alloc "row" : memref<4xf16, #fragment>
    %kept = tile.alloc "kept" : memref<4x1xf16, #fragment>
    %wide = tile.alloc "wide" : memref<8xf32, #fragment>
    %v = tile.alloc "v" : memref<f32, #var>
    %one = tile.alloc "one" : memref<1xf32, #fragment>
    %i = tile.alloc "i" : memref<4x8xui8, #shared>
    %sum = tile.alloc "sum" : memref<4xui32, #fragment>
    %bits = tile.alloc "bits" : memref<4xui8, #fragment>
    %flag = tile.alloc "flag" : memref<4xi1, #fragment>
    // CHECK: tile.reduce max %{{.*}}, %{{.*}} {dim = 1 : i64} : memref<4x8xf16, #shared>, memref<4xf16, #fragment>
    tile.reduce max %s, %row {dim = 1} : memref<4x8xf16, #shared>, memref<4xf16, #fragment>
    // CHECK: tile.reduce min %{{.*}}, %{{.*}} accumulate nan {dim = 1 : i64} : memref<4x8xf16, #shared>, memref<4x1xf16, #fragment>
    tile.reduce min %s, %kept accumulate nan {dim = 1} : memref<4x8xf16, #shared>, memref<4x1xf16, #fragment>
    // CHECK: tile.reduce absmax
    tile.reduce absmax %s, %row {dim = 1} : memref<4x8xf16, #shared>, memref<4xf16, #fragment>
    // CHECK: tile.reduce sum %{{.*}}, %{{.*}} {dim = 0 : i64} : memref<4x8xf16, #shared>, memref<8xf32, #fragment>
    tile.reduce sum %s, %wide {dim = 0} : memref<4x8xf16, #shared>, memref<8xf32, #fragment>
    // CHECK: tile.reduce abssum %{{.*}}, %{{.*}} {dim = 0 : i64} : memref<8xf32, #fragment>, memref<f32, #var>
    tile.reduce abssum %wide, %v {dim = 0} : memref<8xf32, #fragment>, memref<f32, #var>
    // CHECK: tile.reduce sum %{{.*}}, %{{.*}} {dim = 0 : i64} : memref<8xf32, #fragment>, memref<1xf32, #fragment>
    tile.reduce sum %wide, %one {dim = 0} : memref<8xf32, #fragment>, memref<1xf32, #fragment>
    // CHECK: tile.reduce sum %{{.*}} : memref<4x8xui8, #shared>, memref<4xui32, #fragment>
    tile.reduce sum %i, %sum {dim = 1} : memref<4x8xui8, #shared>, memref<4xui32, #fragment>
    // CHECK: tile.reduce bitand
    tile.reduce bitand %i, %bits {dim = 1} : memref<4x8xui8, #shared>, memref<4xui8, #fragment>
    // CHECK: tile.reduce bitor
    tile.reduce bitor %i, %bits {dim = 1} : memref<4x8xui8, #shared>, memref<4xui8, #fragment>
    // CHECK: tile.reduce bitxor
    tile.reduce bitxor %i, %bits {dim = 1} : memref<4x8xui8, #shared>, memref<4xui8, #fragment>
    // CHECK: tile.reduce any
    tile.reduce any %s, %flag {dim = 1} : memref<4x8xf16, #shared>, memref<4xi1, #fragment>
    // CHECK: tile.reduce all
    tile.reduce all %i, %flag {dim = 1} : memref<4x8xui8, #shared>, memref<4xi1, #fragment>
  }
  return
}

// CHECK-LABEL: func.func @scan
func.func @scan(%n: index) {
  tile.kernel (%b) in (%n) {
    %s = tile.alloc "s" : memref<4x8xi32, #shared>
    %d = tile.alloc "d" : memref<4x6xi32, #fragment>
    %w = tile.region %s[0, 0] [4, 6] : memref<4x8xi32, #shared> -> <4x6xi32, #shared>
    // CHECK: tile.scan sum %{{.*}}, %{{.*}} {dim = 1 : i64} : !tile.region<4x6xi32, #shared>, !tile.region<4x6xi32, #shared>
    tile.scan sum %w, %w {dim = 1} : !tile.region<4x6xi32, #shared>, !tile.region<4x6xi32, #shared>
    // CHECK: tile.scan max %{{.*}}, %{{.*}} reverse {dim = 0 : i64} : !tile.region<4x6xi32, #shared>, memref<4x6xi32, #fragment>
    tile.scan max %w, %d reverse {dim = 0} : !tile.region<4x6xi32, #shared>, memref<4x6xi32, #fragment>
  }
  return
}

// CHECK-LABEL: func.func @atomic_tile
func.func @atomic_tile(%A: memref<?x?xf16, #global>, %n: index) {
  tile.kernel (%b) in (%n) {
    %acc = tile.alloc "acc" : memref<4x8xf32, #fragment>
    %r = tile.region %A[0, %n] [4, 8] : memref<?x?xf16, #global> -> <4x8xf16, #global>
    // CHECK: tile.atomic_tile add %{{.*}}, %{{.*}} : memref<4x8xf32, #fragment>, !tile.region<4x8xf16, #global>
    tile.atomic_tile add %acc, %r : memref<4x8xf32, #fragment>, !tile.region<4x8xf16, #global>
    // CHECK: tile.atomic_tile min
    tile.atomic_tile min %acc, %r : memref<4x8xf32, #fragment>, !tile.region<4x8xf16, #global>
    // CHECK: tile.atomic_tile max
    tile.atomic_tile max %acc, %r : memref<4x8xf32, #fragment>, !tile.region<4x8xf16, #global>
  }
  return
}
