// RUN: tl-opt %s -tile-check-uses -split-input-file -verify-diagnostics
// Reads of on-chip buffers that nothing has written.

#global = #tile.space<global>
#shared = #tile.space<shared>
#var = #tile.space<var>
#l1 = #tile.space<l1>
#ub = #tile.space<ub>
func.func @accepted(%A: memref<8xf32, #global>, %x: f32, %n: index, %flag: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xf32, #shared>
    %c = tile.alloc "c" : memref<8xf32, #shared>
    %d = tile.alloc "d" : memref<8xf32, #shared>
    %e = tile.alloc "e" : memref<8xf32, #shared>
    %g = tile.alloc "g" : memref<8xf32, #shared>
    %v = tile.alloc "v" : memref<f32, #var>
    %p = tile.alloc "p" address(0) : memref<8xf32, #ub>
    %h = tile.alloc "h" : memref<8xf32, #l1>
    %w = tile.alloc "w" : memref<8xf32, #shared>
    %zero = arith.constant 0 : index
    %q = tile.alloc "q" address(0) : memref<8xf32, #ub>
    tile.copy %A, %a : memref<8xf32, #global>, memref<8xf32, #shared>
    tile.copy %a, %A : memref<8xf32, #shared>, memref<8xf32, #global>
    // One written element, a write through a view or in one branch are enough.
    tile.store %x, %c[%zero] : f32, memref<8xf32, #shared>
    tile.copy %c, %A : memref<8xf32, #shared>, memref<8xf32, #global>
    %dv = tile.view %d : memref<8xf32, #shared> to memref<2x4xf32, #shared>
    tile.if %flag {
      tile.fill %x, %dv : f32, memref<2x4xf32, #shared>
    }
    tile.copy %d, %A : memref<8xf32, #shared>, memref<8xf32, #global>
    tile.for serial %k = %zero to %n step %one {
      // The first iteration may skip the read.
      %late = arith.cmpi ne, %k, %zero : index
      tile.if %late {
        tile.copy %e, %A : memref<8xf32, #shared>, memref<8xf32, #global>
      } else {
        tile.store %x, %v[] : f32, memref<f32, #var>
      }
      tile.copy %A, %e : memref<8xf32, #global>, memref<8xf32, #shared>
      tile.if %late {
        %y = tile.load %g[%zero] : memref<8xf32, #shared> -> f32
      } else {
        tile.store %x, %g[%zero] : f32, memref<8xf32, #shared>
      }
      tile.while {
        %y = tile.load %v[] : memref<f32, #var> -> f32
        %on = arith.cmpf olt, %y, %x : f32
        tile.condition %on
      } do {
        tile.store %x, %v[] : f32, memref<f32, #var>
      }
    }
    // Bytes at fixed addresses may have been written under another name; the cores of a block hand buffers to each other.
    tile.copy %A, %p : memref<8xf32, #global>, memref<8xf32, #ub>
    tile.copy %q, %A : memref<8xf32, #ub>, memref<8xf32, #global>
    tile.scope cube {
      tile.copy %h, %A : memref<8xf32, #l1>, memref<8xf32, #global>
    }
    tile.scope vector {
      tile.copy %A, %h : memref<8xf32, #global>, memref<8xf32, #l1>
    }
    // A buffer that nobody reads is nobody's mistake.
    tile.fill %x, %w : f32, memref<8xf32, #shared>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @accepted_gemm(%A: memref<8x8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x8xf32, #shared>
    %c = tile.alloc "c" : memref<8x8xf32, #fragment>
    %r = tile.alloc "r" : memref<8xf32, #fragment>
    %zero = arith.constant 0 : index
    tile.copy %A, %a : memref<8x8xf32, #global>, memref<8x8xf32, #shared>
    tile.for pipelined %k = %zero to %n step %one {
      %first = arith.cmpi eq, %k, %zero : index
      tile.gemm %a, %a, %c clear %first : memref<8x8xf32, #shared>, memref<8x8xf32, #shared>, memref<8x8xf32, #fragment>
    }
    tile.reduce sum %c, %r {dim = 1} : memref<8x8xf32, #fragment>, memref<8xf32, #fragment>
    tile.reduce max %c, %r accumulate {dim = 1} : memref<8x8xf32, #fragment>, memref<8xf32, #fragment>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @never_written(%A: memref<8xf32, #global>) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    // expected-error@below {{`s` is read but nothing writes it}}
    // expected-note@below {{help: copy, fill or store to it first}}
    tile.copy %s, %A : memref<8xf32, #shared>, memref<8xf32, #global>
  }
  return
}

// -----

#global = #tile.space<global>
#var = #tile.space<var>
func.func @never_written_variable(%A: memref<8xf32, #global>) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %v = tile.alloc "v" : memref<f32, #var>
    // expected-error@below {{`v` is read but nothing writes it}}
    // expected-note@below {{help: copy, fill or store to it first}}
    %x = tile.load %v[] : memref<f32, #var> -> f32
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @window_of_unwritten(%A: memref<4xf32, #global>) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc : memref<8xf32, #shared>
    %w = tile.region %s[0] [4] : memref<8xf32, #shared> -> <4xf32, #shared>
    // expected-error@below {{the buffer is read but nothing writes it}}
    // expected-note@below {{help: copy, fill or store to it first}}
    tile.copy %w, %A : !tile.region<4xf32, #shared>, memref<4xf32, #global>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @written_too_late(%A: memref<8xf32, #global>) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    // expected-error@below {{`s` is read before anything is written to it}}
    // expected-note@below {{help: copy, fill or store to it first}}
    tile.copy %s, %A : memref<8xf32, #shared>, memref<8xf32, #global>
    // expected-note@below {{the first write is here}}
    tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @first_iteration(%A: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    tile.for pipelined %k = %one to %n step %one {
      // expected-error@below {{`s` is read before anything is written to it}}
      // expected-note@below {{help: copy, fill or store to it first}}
      tile.copy %s, %A : memref<8xf32, #shared>, memref<8xf32, #global>
      // expected-note@below {{the first write is here}}
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @fresh_in_each_iteration(%A: memref<8xf32, #global>, %n: index, %flag: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.for serial %k = %one to %n step %one {
      %s = tile.alloc "s" : memref<8xf32, #shared>
      tile.if %flag {
        // expected-error@below {{`s` is read before anything is written to it}}
        // expected-note@below {{help: copy, fill or store to it first}}
        tile.copy %s, %A : memref<8xf32, #shared>, memref<8xf32, #global>
      }
      // expected-note@below {{the first write is here}}
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_accumulates(%A: memref<8x8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8x8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one {
      tile.copy %A, %a : memref<8x8xf32, #global>, memref<8x8xf32, #shared>
      // expected-error@below {{gemm accumulates into `acc`, which nothing has initialised}}
      // expected-note@below {{help: clear it first, or let the first step of the loop clear it}}
      tile.gemm %a, %a, %acc : memref<8x8xf32, #shared>, memref<8x8xf32, #shared>, memref<8x8xf32, #fragment>
    }
    tile.copy %acc, %A : memref<8x8xf32, #fragment>, memref<8x8xf32, #global>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @reduce_accumulates(%A: memref<8x8xf32, #global>) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x8xf32, #shared>
    %m = tile.alloc "m" : memref<8xf32, #fragment>
    tile.copy %A, %a : memref<8x8xf32, #global>, memref<8x8xf32, #shared>
    // expected-error@below {{reduce accumulates into `m`, which nothing has initialised}}
    // expected-note@below {{help: fill it first}}
    tile.reduce max %a, %m accumulate {dim = 1} : memref<8x8xf32, #shared>, memref<8xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @atomic_accumulates(%x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %h = tile.alloc "h" : memref<8xf32, #shared>
    // expected-error@below {{atomic accumulates into `h`, which nothing has initialised}}
    // expected-note@below {{help: fill it first}}
    %old = tile.atomic add %x, %h[%one] : f32, memref<8xf32, #shared>
  }
  return
}
