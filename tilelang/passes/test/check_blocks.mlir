// RUN: tl-opt %s -tile-check-blocks -split-input-file -verify-diagnostics
// Blocks that all write the same elements.

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @accepted(%A: memref<?xf32, #global> {tile.name = "A"}, %n: index, %x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%bx, %by) in (%n, %one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %zero = arith.constant 0 : index
    tile.fill %x, %s : f32, memref<8xf32, #shared>
    %w = tile.region %A[%bx] [8] : memref<?xf32, #global> -> <8xf32, #global>
    tile.copy %s, %w : memref<8xf32, #shared>, !tile.region<8xf32, #global>
    tile.atomic_tile add %s, %A : memref<8xf32, #shared>, memref<?xf32, #global>
    %first = arith.cmpi eq, %bx, %zero : index
    tile.if %first {
      tile.store %x, %A[%zero] : f32, memref<?xf32, #global>
    }
    tile.for persistent %t = %bx to %n step %n {
      tile.store %x, %A[%t] : f32, memref<?xf32, #global>
    }
    %y = tile.load %A[%bx] : memref<?xf32, #global> -> f32
    %i = tile.cast %y : f32 to index
    tile.store %x, %A[%i] : f32, memref<?xf32, #global>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @copy(%A: memref<?xf32, #global> {tile.name = "A"}, %n: index, %x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%bx, %by) in (%n, %one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    tile.fill %x, %s : f32, memref<8xf32, #shared>
    %w = tile.region %A[%by] [8] : memref<?xf32, #global> -> <8xf32, #global>
    // expected-warning@below {{all blocks along grid dimension 0 write the same elements of `A`}}
    // expected-note@below {{help: use that block index in the address, an atomic update, or a condition on the index}}
    tile.copy %s, %w : memref<8xf32, #shared>, !tile.region<8xf32, #global>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @store(%A: memref<?xf32, #global> {tile.name = "A"}, %n: index, %x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%bx, %by) in (%n, %one) {
    %zero = arith.constant 0 : index
    tile.for serial %k = %zero to %n step %one {
      tile.parallel (%i) in (%n) {
        %j = arith.addi %k, %i : index
        // expected-warning@below {{all blocks along grid dimension 0 write the same elements of `A`}}
        // expected-note@below {{help: use that block index in the address, an atomic update, or a condition on the index}}
        tile.store %x, %A[%j] : f32, memref<?xf32, #global>
      }
    }
  }
  return
}
