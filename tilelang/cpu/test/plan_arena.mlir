// RUN: tl-opt %s -cpu-plan-arena=limit=4096 -split-input-file -verify-diagnostics | FileCheck %s
// Buffers share bytes only if they are never alive together.

// CHECK-LABEL: func.func @reuse
func.func @reuse(%A: memref<256xf32, #tile.space<global>>, %n: index) {
  %x = arith.constant 1.0 : f32
  // CHECK: tile.kernel {{.*}} attributes {cpu.arena = 2048 : i64}
  tile.kernel (%b) in (%n) {
    // CHECK: tile.alloc "first" {cpu.offset = 0 : i64}
    %first = tile.alloc "first" : memref<256xf32, #tile.space<shared>>
    // CHECK: tile.alloc "second" {cpu.offset = 1024 : i64}
    %second = tile.alloc "second" : memref<256xf32, #tile.space<shared>>
    tile.fill %x, %first : f32, memref<256xf32, #tile.space<shared>>
    tile.copy %first, %second : memref<256xf32, #tile.space<shared>>, memref<256xf32, #tile.space<shared>>
    // CHECK: tile.alloc "third" {cpu.offset = 0 : i64}
    %third = tile.alloc "third" : memref<256xf32, #tile.space<shared>>
    tile.copy %second, %third : memref<256xf32, #tile.space<shared>>, memref<256xf32, #tile.space<shared>>
    tile.copy %third, %A : memref<256xf32, #tile.space<shared>>, memref<256xf32, #tile.space<global>>
  }
  return
}

// -----

// A buffer made before a loop is alive throughout it, also where it is used only at its top.
// CHECK-LABEL: func.func @loop
func.func @loop(%A: memref<256xf32, #tile.space<global>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  // CHECK: tile.kernel {{.*}} attributes {cpu.arena = 2048 : i64}
  tile.kernel (%b) in (%n) {
    %kept = tile.alloc "kept" : memref<256xf32, #tile.space<fragment>>
    tile.fill %x, %kept : f32, memref<256xf32, #tile.space<fragment>>
    tile.for serial %i = %c0 to %n step %c1 {
      tile.copy %kept, %A : memref<256xf32, #tile.space<fragment>>, memref<256xf32, #tile.space<global>>
      // CHECK: tile.alloc "inner" {cpu.offset = 1024 : i64}
      %inner = tile.alloc "inner" : memref<256xf32, #tile.space<shared>>
      tile.fill %x, %inner : f32, memref<256xf32, #tile.space<shared>>
      tile.copy %inner, %A : memref<256xf32, #tile.space<shared>>, memref<256xf32, #tile.space<global>>
    }
  }
  return
}

// -----

// A view keeps its buffer alive; variables are on the stack.
// CHECK-LABEL: func.func @view
func.func @view(%A: memref<256xf32, #tile.space<global>>, %n: index) {
  %x = arith.constant 1.0 : f32
  // CHECK: tile.kernel {{.*}} attributes {cpu.arena = 2048 : i64}
  tile.kernel (%b) in (%n) {
    // CHECK: tile.alloc "v" : memref<f32, #var>
    %v = tile.alloc "v" : memref<f32, #tile.space<var>>
    tile.store %x, %v[] : f32, memref<f32, #tile.space<var>>
    %s = tile.alloc "s" : memref<256xf32, #tile.space<shared>>
    tile.fill %x, %s : f32, memref<256xf32, #tile.space<shared>>
    %flat = tile.view %s : memref<256xf32, #tile.space<shared>> to memref<16x16xf32, #tile.space<shared>>
    // CHECK: tile.alloc "t" {cpu.offset = 1024 : i64}
    %t = tile.alloc "t" : memref<16x16xf32, #tile.space<shared>>
    tile.copy %flat, %t : memref<16x16xf32, #tile.space<shared>>, memref<16x16xf32, #tile.space<shared>>
    %back = tile.view %t : memref<16x16xf32, #tile.space<shared>> to memref<256xf32, #tile.space<shared>>
    tile.copy %back, %A : memref<256xf32, #tile.space<shared>>, memref<256xf32, #tile.space<global>>
  }
  return
}

// -----

func.func @too_large(%A: memref<256xf32, #tile.space<global>>, %n: index) {
  %x = arith.constant 1.0 : f32
  // expected-error @+2 {{buffers of a block take 5120 bytes but 4096 are allowed}}
  // expected-note @+1 {{help: use smaller tiles; the arena holds big 4096 bytes at 0, small 1024 bytes at 4096}}
  tile.kernel (%b) in (%n) {
    %big = tile.alloc "big" : memref<1024xf32, #tile.space<shared>>
    %small = tile.alloc "small" : memref<256xf32, #tile.space<shared>>
    tile.fill %x, %big : f32, memref<1024xf32, #tile.space<shared>>
    tile.fill %x, %small : f32, memref<256xf32, #tile.space<shared>>
    %r = tile.region %big[0] [256] : memref<1024xf32, #tile.space<shared>> -> !tile.region<256xf32, #tile.space<shared>>
    tile.copy %r, %small : !tile.region<256xf32, #tile.space<shared>>, memref<256xf32, #tile.space<shared>>
  }
  return
}

// -----

func.func @beyond_counting(%n: index) {
  %x = arith.constant 1 : i8
  // expected-error @+2 {{buffers of a block take 1099511627776 bytes but 4096 are allowed}}
  // expected-note @+1 {{help: use smaller tiles}}
  tile.kernel (%b) in (%n) {
    %huge = tile.alloc "huge" : memref<9223372036854775807xi8, #tile.space<shared>>
    tile.store %x, %huge[%b] : i8, memref<9223372036854775807xi8, #tile.space<shared>>
  }
  return
}
