// RUN: tl-opt %s -cpu-split-sync-all -split-input-file -verify-diagnostics | FileCheck %s
// One kernel with a barrier becomes two; pure values are computed again.

// CHECK-LABEL: func.func @two_phases
func.func @two_phases(%A: memref<64xf32, #tile.space<global>>, %n: index) {
  %c1 = arith.constant 1 : index
  // CHECK: tile.kernel (%[[B0:.*]]) in
  // CHECK:   arith.addi %[[B0]]
  // CHECK:   tile.store
  // CHECK-NOT: tile.sync_all
  // CHECK: tile.kernel (%[[B1:.*]]) in
  // CHECK:   arith.addi %[[B1]]
  // CHECK:   tile.load
  tile.kernel (%b) in (%n) {
    %x = arith.constant 1.0 : f32
    %next = arith.addi %b, %c1 : index
    tile.store %x, %A[%next] : f32, memref<64xf32, #tile.space<global>>
    tile.sync_all
    %y = tile.load %A[%next] : memref<64xf32, #tile.space<global>> -> f32
    tile.store %y, %A[%b] : f32, memref<64xf32, #tile.space<global>>
  }
  return
}

// -----

func.func @buffer_crosses(%A: memref<64xf32, #tile.space<global>>, %n: index) {
  %c0 = arith.constant 0 : index
  tile.kernel (%b) in (%n) {
    %s = tile.alloc "s" : memref<4xf32, #tile.space<shared>>
    %x = arith.constant 1.0 : f32
    tile.fill %x, %s : f32, memref<4xf32, #tile.space<shared>>
    tile.sync_all
    // expected-error @+2 {{`s` lives across a sync_all}}
    // expected-note @+1 {{help: keep what later blocks need in a global tensor}}
    %y = tile.load %s[%c0] : memref<4xf32, #tile.space<shared>> -> f32
    tile.store %y, %A[%b] : f32, memref<64xf32, #tile.space<global>>
  }
  return
}

// -----

func.func @value_crosses(%A: memref<64xf32, #tile.space<global>>, %n: index) {
  tile.kernel (%b) in (%n) {
    %x = tile.load %A[%b] : memref<64xf32, #tile.space<global>> -> f32
    tile.sync_all
    // expected-error @+2 {{a value loaded before a sync_all is used after it}}
    // expected-note @+1 {{help: load it again after the sync_all}}
    tile.store %x, %A[%b] : f32, memref<64xf32, #tile.space<global>>
  }
  return
}

// -----

func.func @nested(%A: memref<64xf32, #tile.space<global>>, %n: index, %c: i1) {
  tile.kernel (%b) in (%n) {
    tile.if %c {
      // expected-error @+2 {{sync_all inside a loop, condition or scope}}
      // expected-note @+1 {{help: the cpu target splits the kernel there}}
      tile.sync_all
    }
  }
  return
}
