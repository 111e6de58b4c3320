// RUN: tl-opt %s -cpu-emit-blocks -split-input-file -verify-diagnostics | FileCheck %s
// Scalar operations: what needs care, and what is refused.

// A divisor that is not known is made safe first; a constant one is not looked at.
// CHECK-LABEL: llvm.func @division_block0
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[Y:.*]], %{{.*}} : i32
// CHECK: %[[SAFE:.*]] = arith.select %[[ZERO]]
// CHECK: %[[SAFER:.*]] = arith.select %{{.*}}, %{{.*}}, %[[SAFE]]
// CHECK: arith.divsi %{{.*}}, %[[SAFER]] : i32
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK: arith.divsi %{{.*}}, %[[SEVEN]] : i32
func.func @division(%A: memref<3xi32, #tile.space<global>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %x = tile.load %A[%c0] : memref<3xi32, #tile.space<global>> -> i32
    %y = tile.load %A[%c1] : memref<3xi32, #tile.space<global>> -> i32
    %q = arith.divsi %x, %y : i32
    %seven = arith.constant 7 : i32
    %p = arith.divsi %q, %seven : i32
    tile.store %p, %A[%c0] : i32, memref<3xi32, #tile.space<global>>
  }
  return
}

// -----

// Flags that allow other results are dropped; bf16 is added in f32.
// CHECK-LABEL: llvm.func @flags_block0
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: fastmath
func.func @flags(%A: memref<3xbf16, #tile.space<global>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %x = tile.load %A[%c0] : memref<3xbf16, #tile.space<global>> -> bf16
    %y = arith.addf %x, %x fastmath<fast> : bf16
    tile.store %y, %A[%c0] : bf16, memref<3xbf16, #tile.space<global>>
  }
  return
}

// -----

func.func @eightBits(%A: memref<3xf8E4M3FN, #tile.space<global>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %x = tile.load %A[%c0] : memref<3xf8E4M3FN, #tile.space<global>> -> f8E4M3FN
    // expected-error @below {{arithmetic on a floating-point value of at most 8 bits}}
    // expected-note @below {{help: convert it with tile.cast first}}
    %y = arith.addf %x, %x : f8E4M3FN
    tile.store %y, %A[%c0] : f8E4M3FN, memref<3xf8E4M3FN, #tile.space<global>>
  }
  return
}

// -----

func.func @unknown(%A: memref<3xf32, #tile.space<global>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %x = tile.load %A[%c0] : memref<3xf32, #tile.space<global>> -> f32
    // expected-error @below {{the cpu target has no code for 'math.sincos'}}
    %s, %c = math.sincos %x : f32
    tile.store %s, %A[%c0] : f32, memref<3xf32, #tile.space<global>>
  }
  return
}
