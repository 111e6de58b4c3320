// RUN: tl-opt %s -tile-check-parallel -split-input-file -verify-diagnostics
// Iterations of parallel loops that provably meet.

#shared = #tile.space<shared>
func.func @no_index() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c64 = arith.constant 64 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    %zero = arith.constant 0 : index
    tile.parallel (%i) in (%c64) {
      %f = tile.cast %i : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (0) and (1) both write element [0] of `a`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %a[%zero] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @missing_index(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c8 = arith.constant 8 : index
    %m = tile.alloc "m" : memref<8x64xf32, #shared>
    tile.parallel (%i, %j) in (%c8, %n) {
      %f = tile.cast %j : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (0, 0) and (0, 1) both write the same element of `m`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %m[%i, %n] : f32, memref<8x64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @quotient() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%c64) {
      %q = arith.divsi %i, %c2 : index
      %f = tile.cast %i : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (0) and (1) both write element [0] of `a`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %a[%q] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @remainder() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%c64) {
      %r = arith.remsi %i, %c16 : index
      %f = tile.cast %i : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (0) and (16) both write element [0] of `a`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %a[%r] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @overlapping_rows() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i, %j) in (%c8, %c8) {
      %t = arith.muli %i, %c4 : index
      %k = arith.addi %t, %j : index
      %f = tile.cast %j : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (1, 0) and (0, 4) both write element [4] of `a`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %a[%k] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @mask() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c15 = arith.constant 15 : index
    %c64 = arith.constant 64 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%c64) {
      %r = arith.andi %i, %c15 : index
      %f = tile.cast %i : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (0) and (16) both write element [0] of `a`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %a[%r] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @anti_diagonals(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i, %j) in (%n, %n) {
      %k = arith.addi %i, %j : index
      %f = tile.cast %j : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (1, 0) and (0, 1) both write element [1] of `a`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %a[%k] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#global = #tile.space<global>
func.func @global_run_time(%A: memref<?xf32, #global> {tile.name = "A"}, %p: index, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      %f = tile.cast %i : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (0) and (1) both write the same element of `A`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %A[%p] : f32, memref<?xf32, #global>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @two_stores(%x: f32, %y: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c8 = arith.constant 8 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%c8) {
      %k = arith.addi %i, %one : index
      // expected-note@below {{the other write is here}}
      tile.store %x, %a[%i] : f32, memref<64xf32, #shared>
      // expected-error@below {{racy write in a parallel loop: iterations (0) and (1) both write element [1] of `a`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %y, %a[%k] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @through_window(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c8 = arith.constant 8 : index
    %m = tile.alloc "m" : memref<8x64xf32, #shared>
    tile.parallel (%i, %j) in (%c8, %c8) {
      %r = tile.region %m[%i, 3] [1, 4] : memref<8x64xf32, #shared> -> <1x4xf32, #shared>
      %zero = arith.constant 0 : index
      %f = tile.cast %j : index to f32
      // expected-error@below {{racy write in a parallel loop: iterations (0, 0) and (0, 1) both write element [0, 4] of `m`}}
      // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
      tile.store %f, %r[%zero, %one] : f32, !tile.region<1x4xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @in_serial_loop(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c8 = arith.constant 8 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%c8) {
      %f = tile.cast %i : index to f32
      tile.for serial %k = %one to %n step %one {
        // expected-error@below {{racy write in a parallel loop: iterations (0) and (1) both write the same element of `a`}}
        // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
        tile.store %f, %a[%k] : f32, memref<64xf32, #shared>
      }
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @under_condition(%flag: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c8 = arith.constant 8 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%c8) {
      %f = tile.cast %i : index to f32
      %late = arith.cmpi sgt, %i, %one : index
      tile.if %flag {
        tile.if %late {
        } else {
          // expected-error@below {{racy write in a parallel loop: iterations (0) and (1) both write element [1] of `a`}}
          // expected-note@below {{help: iterations run in any order; let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop}}
          tile.store %f, %a[%one] : f32, memref<64xf32, #shared>
        }
      }
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @accumulates(%A: memref<?xf32, #global>) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c8 = arith.constant 8 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%c8) {
      // expected-note@below {{it is read here}}
      %y = tile.load %a[%one] : memref<64xf32, #shared> -> f32
      %x = tile.load %A[%i] : memref<?xf32, #global> -> f32
      %s = arith.addf %y, %x : f32
      // expected-error@below {{parallel iterations depend on each other: iteration (0) writes element [1] of `a`, which iteration (1) reads}}
      // expected-note@below {{help: iterations run in any order; write to another buffer, or use a serial loop}}
      tile.store %s, %a[%one] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @shift(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%n) {
      %k = arith.addi %i, %one : index
      // expected-note@below {{it is read here}}
      %y = tile.load %a[%k] : memref<64xf32, #shared> -> f32
      // expected-error@below {{parallel iterations depend on each other: iteration (1) writes element [1] of `a`, which iteration (0) reads}}
      // expected-note@below {{help: iterations run in any order; write to another buffer, or use a serial loop}}
      tile.store %y, %a[%i] : f32, memref<64xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @ring() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c64 = arith.constant 64 : index
    %a = tile.alloc "a" : memref<64xf32, #shared>
    tile.parallel (%i) in (%c64) {
      %k = arith.addi %i, %one : index
      %r = arith.remsi %k, %c64 : index
      // expected-note@below {{it is read here}}
      %y = tile.load %a[%r] : memref<64xf32, #shared> -> f32
      // expected-error@below {{parallel iterations depend on each other: iteration (1) writes element [1] of `a`, which iteration (0) reads}}
      // expected-note@below {{help: iterations run in any order; write to another buffer, or use a serial loop}}
      tile.store %y, %a[%i] : f32, memref<64xf32, #shared>
    }
  }
  return
}
