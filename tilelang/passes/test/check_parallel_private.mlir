// RUN: tl-opt %s -tile-check-parallel -split-input-file -verify-diagnostics
// Variables and private arrays written in parallel loops.

#global = #tile.space<global>
#var = #tile.space<var>
func.func @variable_after(%A: memref<?xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %v = tile.alloc "v" : memref<f32, #var>
    tile.parallel (%i) in (%n) {
      %y = tile.load %A[%i] : memref<?xf32, #global> -> f32
      // expected-note@below {{it is written here}}
      tile.store %y, %v[] : f32, memref<f32, #var>
    }
    // expected-error@below {{`v` is read after a parallel loop that wrote it}}
    // expected-note@below {{help: every iteration has its own copy; store to a buffer, or use tile.reduce or a serial loop}}
    %z = tile.load %v[] : memref<f32, #var> -> f32
  }
  return
}

// -----

#global = #tile.space<global>
#var = #tile.space<var>
func.func @variable_after_condition(%A: memref<?xf32, #global>, %n: index, %flag: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %v = tile.alloc "v" : memref<f32, #var>
    tile.if %flag {
      tile.parallel (%i) in (%n) {
        %y = tile.load %A[%i] : memref<?xf32, #global> -> f32
        // expected-note@below {{it is written here}}
        tile.store %y, %v[] : f32, memref<f32, #var>
      }
    }
    tile.parallel (%i) in (%n) {
      // expected-error@below {{`v` is read after a parallel loop that wrote it}}
      // expected-note@below {{help: every iteration has its own copy; store to a buffer, or use tile.reduce or a serial loop}}
      %z = tile.load %v[] : memref<f32, #var> -> f32
      tile.store %z, %A[%i] : f32, memref<?xf32, #global>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#var = #tile.space<var>
func.func @variable_written_again(%A: memref<?xf32, #global>, %n: index, %x: f32, %flag: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // Written in between, or on some path in between: no error.
    %v = tile.alloc "v" : memref<f32, #var>
    %w = tile.alloc "w" : memref<f32, #var>
    tile.parallel (%i) in (%n) {
      tile.store %x, %v[] : f32, memref<f32, #var>
      tile.store %x, %w[] : f32, memref<f32, #var>
    }
    tile.store %x, %v[] : f32, memref<f32, #var>
    tile.if %flag {
      tile.store %x, %w[] : f32, memref<f32, #var>
    }
    %y = tile.load %v[] : memref<f32, #var> -> f32
    %z = tile.load %w[] : memref<f32, #var> -> f32
    tile.parallel (%i) in (%n) {
      tile.store %z, %v[] : f32, memref<f32, #var>
      %u = tile.load %v[] : memref<f32, #var> -> f32
      tile.store %u, %A[%i] : f32, memref<?xf32, #global>
    }
  }
  return
}

// -----

#local = #tile.space<local>
func.func @private_array() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c8 = arith.constant 8 : index
    %p = tile.alloc "p" : memref<8xf32, #local>
    tile.parallel (%i) in (%c8) {
      %f = tile.cast %i : index to f32
      // expected-warning@below {{private array `p` is indexed by a parallel loop}}
      // expected-note@below {{help: elements that iterations share belong in a fragment or shared tile}}
      tile.store %f, %p[%i] : f32, memref<8xf32, #local>
    }
  }
  return
}
