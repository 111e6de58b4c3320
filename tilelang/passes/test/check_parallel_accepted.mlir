// RUN: tl-opt %s -tile-check-parallel -split-input-file -verify-diagnostics
// Parallel loops that are fine, and those that only might not be.

#global = #tile.space<global>
#shared = #tile.space<shared>
#var = #tile.space<var>
func.func @accepted(%A: memref<?xf32, #global>, %I: memref<?xi32, #global>, %n: index, %x: f32, %flag: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    %m = tile.alloc "m" : memref<8x64xf32, #shared>
    %v = tile.alloc "v" : memref<f32, #var>
    %count = tile.alloc "count" : memref<1xi32, #shared>
    %zero = arith.constant 0 : index
    %inc = arith.constant 1 : i32
    // Each iteration its own element, whatever the offset; neighbours of another buffer.
    tile.parallel (%i) in (%c64) {
      %j = arith.addi %i, %n : index
      %k = arith.addi %j, %one : index
      %y = tile.load %A[%k] : memref<?xf32, #global> -> f32
      %z = tile.load %a[%i] : memref<64xf32, #shared> -> f32
      %s = arith.addf %y, %z : f32
      tile.store %s, %a[%i] : f32, memref<64xf32, #shared>
    }
    // Quotient and remainder together tell iterations apart.
    tile.parallel (%i) in (%c64) {
      %q = arith.divsi %i, %c8 : index
      %r = arith.remsi %i, %c8 : index
      tile.store %x, %m[%q, %r] : f32, memref<8x64xf32, #shared>
    }
    tile.parallel (%i, %j) in (%c8, %c8) {
      %t = arith.muli %i, %c8 : index
      %k = arith.addi %t, %j : index
      %f = tile.cast %k : index to f32
      tile.store %f, %a[%k] : f32, memref<64xf32, #shared>
    }
    // The remainder repeats only behind the last iteration.
    tile.parallel (%i) in (%c4) {
      %r = arith.remsi %i, %c4 : index
      %f = tile.cast %i : index to f32
      tile.store %f, %a[%r] : f32, memref<64xf32, #shared>
    }
    // Reversal in place touches each pair once.
    tile.parallel (%i) in (%c2) {
      %r = arith.subi %c4, %i : index
      %p = tile.load %a[%i] : memref<64xf32, #shared> -> f32
      %q = tile.load %a[%r] : memref<64xf32, #shared> -> f32
      tile.store %q, %a[%i] : f32, memref<64xf32, #shared>
      tile.store %p, %a[%r] : f32, memref<64xf32, #shared>
    }
    // So does a transpose in place.
    tile.parallel (%i, %j) in (%c8, %c8) {
      %c = arith.cmpi slt, %i, %j : index
      tile.if %c {
        %p = tile.load %m[%i, %j] : memref<8x64xf32, #shared> -> f32
        %q = tile.load %m[%j, %i] : memref<8x64xf32, #shared> -> f32
        tile.store %q, %m[%i, %j] : f32, memref<8x64xf32, #shared>
        tile.store %p, %m[%j, %i] : f32, memref<8x64xf32, #shared>
      }
    }
    // One iteration chosen by its index, by data, or by an unknown condition on a run-time range.
    tile.parallel (%i) in (%n) {
      %first = arith.cmpi eq, %i, %zero : index
      %f = tile.cast %i : index to f32
      tile.if %first {
        tile.store %f, %a[%zero] : f32, memref<64xf32, #shared>
      }
      %y = tile.load %A[%i] : memref<?xf32, #global> -> f32
      %big = arith.cmpf ogt, %y, %x : f32
      tile.if %big {
        tile.store %f, %a[%one] : f32, memref<64xf32, #shared>
      }
      tile.if %flag {
        tile.store %f, %a[%c2] : f32, memref<64xf32, #shared>
      }
    }
    // Positions from an atomic or from memory depend on data.
    tile.parallel (%i) in (%c64) {
      %p = tile.atomic add %inc, %count[%zero] : i32, memref<1xi32, #shared>
      %pi = tile.cast %p : i32 to index
      tile.store %x, %a[%pi] : f32, memref<64xf32, #shared>
      %q = tile.load %I[%i] : memref<?xi32, #global> -> i32
      %qi = tile.cast %q : i32 to index
      %f = tile.cast %i : index to f32
      tile.store %f, %A[%qi] : f32, memref<?xf32, #global>
    }
    // The same value written many times is one value; so is the value that was there.
    tile.parallel (%i, %j) in (%c8, %n) {
      tile.store %x, %a[%i] : f32, memref<64xf32, #shared>
      %y = tile.load %m[%i, %zero] : memref<8x64xf32, #shared> -> f32
      tile.store %y, %m[%i, %j] : f32, memref<8x64xf32, #shared>
    }
    // One iteration alone.
    tile.parallel (%i, %j) in (%c64, %one) {
      %f = tile.cast %j : index to f32
      tile.store %f, %a[%i] : f32, memref<64xf32, #shared>
    }
    // No iteration at all.
    tile.parallel (%i, %j) in (%zero, %c64) {
      %f = tile.cast %j : index to f32
      tile.store %f, %a[%i] : f32, memref<64xf32, #shared>
    }
    // Variables are private; a serial loop inside runs once for each iteration.
    tile.parallel (%i) in (%c8) {
      tile.store %x, %v[] : f32, memref<f32, #var>
      tile.for serial %k = %zero to %c64 step %one {
        %y = tile.load %v[] : memref<f32, #var> -> f32
        %w = tile.load %m[%i, %k] : memref<8x64xf32, #shared> -> f32
        %s = arith.addf %y, %w : f32
        tile.store %s, %v[] : f32, memref<f32, #var>
        tile.store %s, %m[%i, %k] : f32, memref<8x64xf32, #shared>
      }
    }
    // What lies outside is never written.
    tile.parallel (%i) in (%c8) {
      %q = arith.addi %i, %c64 : index
      %r = arith.divsi %q, %c64 : index
      %s = arith.muli %r, %c64 : index
      %f = tile.cast %i : index to f32
      tile.store %f, %a[%s] : f32, memref<64xf32, #shared>
    }
  }
  return
}
