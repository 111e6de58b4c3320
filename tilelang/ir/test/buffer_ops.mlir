// RUN: tl-opt %s | FileCheck %s
// RUN: tl-opt %s | tl-opt | FileCheck %s
// RUN: tl-opt --mlir-print-op-generic %s | tl-opt | FileCheck %s
// Buffers, regions, views and element accesses print and parse back in both forms.

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
#local = #tile.space<local>
#var = #tile.space<var>
#l1 = #tile.space<l1>
#l0a = #tile.space<l0a>
#l0b = #tile.space<l0b>
#l0c = #tile.space<l0c>
#ub = #tile.space<ub>

// CHECK-LABEL: func.func @alloc
func.func @alloc(%n: index) {
  tile.kernel (%b) in (%n) {
    // CHECK: tile.alloc "s" : memref<4x8xf32, #shared>
    %0 = tile.alloc "s" : memref<4x8xf32, #shared>
    // CHECK: tile.alloc : memref<8xbf16, #fragment>
    %1 = tile.alloc : memref<8xbf16, #fragment>
    // CHECK: tile.alloc "l" : memref<3xi64, #local>
    %2 = tile.alloc "l" : memref<3xi64, #local>
    // CHECK: tile.alloc "v" : memref<i1, #var>
    %3 = tile.alloc "v" : memref<i1, #var>
    // CHECK: tile.alloc "p" pad(-99 : i64) : memref<4xi32, #shared>
    %4 = tile.alloc "p" pad(-99 : i64) : memref<4xi32, #shared>
    // CHECK: tile.alloc "q" pad(0xFFF0000000000000 : f64) : memref<4xf16, #shared>
    %5 = tile.alloc "q" pad(0xFFF0000000000000 : f64) : memref<4xf16, #shared>
    // CHECK: tile.alloc "r" pad(255 : i64) : memref<4xui8, #shared>
    %6 = tile.alloc "r" pad(255 : i64) : memref<4xui8, #shared>
    // CHECK: tile.alloc "s" pad(2.000000e+00 : f64) : memref<4xui64, #shared>
    %7 = tile.alloc "s" pad(2.0 : f64) : memref<4xui64, #shared>
    // CHECK: tile.alloc "u" address(512) {note = "kept"} : memref<64xf8E4M3FN, #ub>
    %8 = tile.alloc "u" address(512) {note = "kept"} : memref<64xf8E4M3FN, #ub>
    // CHECK: memref<16x16xf8E5M2, #l1>
    %9 = tile.alloc : memref<16x16xf8E5M2, #l1>
    // CHECK: memref<16x16xf16, #l0a>
    %10 = tile.alloc : memref<16x16xf16, #l0a>
    // CHECK: memref<16x16xf16, #l0b>
    %11 = tile.alloc : memref<16x16xf16, #l0b>
    // CHECK: memref<16x16xf64, #l0c>
    %12 = tile.alloc : memref<16x16xf64, #l0c>
    // CHECK: memref<4xf8E8M0FNU, #shared>
    %13 = tile.alloc : memref<4xf8E8M0FNU, #shared>
    // CHECK: memref<4xui16, #shared>
    %14 = tile.alloc : memref<4xui16, #shared>
    // CHECK: memref<4xui32, #shared>
    %15 = tile.alloc : memref<4xui32, #shared>
    // CHECK: memref<4xi16, #shared>
    %16 = tile.alloc : memref<4xi16, #shared>
  }
  return
}

// CHECK-LABEL: func.func @region
func.func @region(%A: memref<?x?xf32, #global>, %S: memref<4x4xf32, strided<[8, 1], offset: ?>, #global>, %i: index, %n: index) {
  tile.kernel (%b) in (%n) {
    // CHECK: tile.region %{{.*}}[%{{.*}}, 0] [64, %{{.*}}] : memref<?x?xf32, #global> -> <64x?xf32, #global>
    %0 = tile.region %A[%i, 0] [64, %n] : memref<?x?xf32, #global> -> <64x?xf32, #global>
    // Windows onto global tensors may hang over both edges.
    // CHECK: tile.region %{{.*}}[-1, 3] [6, 6] : memref<4x4xf32, strided<[8, 1], offset: ?>, #global> -> <6x6xf32, #global>
    %1 = tile.region %S[-1, 3] [6, 6] : memref<4x4xf32, strided<[8, 1], offset: ?>, #global> -> <6x6xf32, #global>
    %a = tile.alloc "a" : memref<8x4xi8, #shared>
    // The end of a buffer is inside; so is an empty window behind it.
    // CHECK: tile.region %{{.*}}[6, 0] [2, 4] : memref<8x4xi8, #shared> -> <2x4xi8, #shared>
    %2 = tile.region %a[6, 0] [2, 4] : memref<8x4xi8, #shared> -> <2x4xi8, #shared>
    // CHECK: tile.region %{{.*}}[8, 4] [0, 0] : memref<8x4xi8, #shared> -> <0x0xi8, #shared>
    %3 = tile.region %a[8, 4] [0, 0] : memref<8x4xi8, #shared> -> <0x0xi8, #shared>
    // CHECK: tile.region %{{.*}}[%{{.*}}, 8] {{.*}} -> <?x1xf32
    %4 = tile.region %A[%i, 8] [%n, 1] : memref<?x?xf32, #global> -> !tile.region<?x1xf32, #global>
    %v = tile.alloc "v" : memref<f32, #var>
    // CHECK: tile.region %{{.*}}[] [] : memref<f32, #var> -> <f32, #var>
    %5 = tile.region %v[] [] : memref<f32, #var> -> <f32, #var>
  }
  return
}

// CHECK-LABEL: func.func @view
func.func @view(%A: memref<64xf32>, %n: index) {
  tile.kernel (%b) in (%n) {
    %a = tile.alloc "a" : memref<256xf32, #shared>
    // CHECK: tile.view %{{.*}} : memref<256xf32, #shared> to memref<16x16xf32, #shared>
    %0 = tile.view %a : memref<256xf32, #shared> to memref<16x16xf32, #shared>
    // CHECK: tile.view %{{.*}} : memref<16x16xf32, #shared> to memref<2x256xbf16, #shared>
    %1 = tile.view %0 : memref<16x16xf32, #shared> to memref<2x256xbf16, #shared>
    // CHECK: tile.view %{{.*}} : memref<64xf32> to memref<256xi1, #global>
    %2 = tile.view %A : memref<64xf32> to memref<256xi1, #global>
    %v = tile.alloc "v" : memref<f32, #var>
    // CHECK: tile.view %{{.*}} : memref<f32, #var> to memref<i32, #var>
    %3 = tile.view %v : memref<f32, #var> to memref<i32, #var>
  }
  return
}

// CHECK-LABEL: func.func @elements
func.func @elements(%A: memref<?x4xui8, #global>, %C: memref<?xi32, #global>, %i: index, %x: i32) {
  tile.kernel (%b) in (%i) {
    // CHECK: %[[X:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x4xui8, #global> -> i8
    %0 = tile.load %A[%i, %b] : memref<?x4xui8, #global> -> i8
    // CHECK: tile.store %[[X]], %{{.*}}[%{{.*}}, %{{.*}}] : i8, memref<?x4xui8, #global>
    tile.store %0, %A[%b, %i] : i8, memref<?x4xui8, #global>
    %r = tile.region %A[%i, 0] [2, 4] : memref<?x4xui8, #global> -> <2x4xui8, #global>
    // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.region<2x4xui8, #global> -> i8
    %1 = tile.load %r[%b, %b] : !tile.region<2x4xui8, #global> -> i8
    %v = tile.alloc "v" : memref<i32, #var>
    // CHECK: tile.store %{{.*}}, %{{.*}}[] : i32, memref<i32, #var>
    tile.store %x, %v[] : i32, memref<i32, #var>
    // CHECK: tile.atomic add %{{.*}}, %{{.*}}[%{{.*}}] : i32, memref<?xi32, #global>
    %2 = tile.atomic add %x, %C[%i] : i32, memref<?xi32, #global>
    // CHECK: tile.atomic max %{{.*}}, %{{.*}}[%{{.*}}] : i32, memref<?xi32, #global>
    %3 = tile.atomic max %2, %C[%i] : i32, memref<?xi32, #global>
    // CHECK: tile.atomic min
    %4 = tile.atomic min %3, %C[%i] : i32, memref<?xi32, #global>
  }
  return
}
