// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifier of tile.parallel refuses.

func.func @parallel_dimensions(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{parallel loop has 9 dimensions}}
    // expected-note@below {{help: give 1 to 8}}
    tile.parallel (%a, %b, %c, %d, %e, %f, %g, %h, %i) in (%n, %n, %n, %n, %n, %n, %n, %n, %n) {
    }
  }
  return
}

// -----

func.func @parallel_arguments(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{needs one index argument for each extent}}
    "tile.parallel"(%n) ({
      "tile.yield"() : () -> ()
    }) : (index) -> ()
  }
  return
}

// -----

func.func @parallel_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{parallel loop inside a parallel loop}}
      // expected-note@below {{help: write one loop over all dimensions}}
      tile.parallel (%j) in (%n) {
      }
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @copy_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4xf32, #shared>
    tile.parallel (%i) in (%n) {
      // expected-error@below {{copy inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.copy %a, %a : memref<4xf32, #shared>, memref<4xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @fill_in_parallel(%n: index, %x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4xf32, #shared>
    tile.parallel (%i) in (%n) {
      // expected-error@below {{fill inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.fill %x, %a : f32, memref<4xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @gemm_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %p = tile.alloc "p" : memref<4x4xf32, #shared>
    %q = tile.alloc "q" : memref<4x4xf32, #shared>
    %r = tile.alloc "r" : memref<4x4xf32, #shared>
    tile.parallel (%i) in (%n) {
      // expected-error@below {{gemm inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.gemm %p, %q, %r : memref<4x4xf32, #shared>, memref<4x4xf32, #shared>, memref<4x4xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4xf32, #shared>
    %p = tile.alloc "p" : memref<4x4xf32, #shared>
    tile.parallel (%i) in (%n) {
      // expected-error@below {{reduce inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.reduce sum %p, %a {dim = 0} : memref<4x4xf32, #shared>, memref<4xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @scan_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4xf32, #shared>
    tile.parallel (%i) in (%n) {
      // expected-error@below {{scan inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.scan sum %a, %a {dim = 0} : memref<4xf32, #shared>, memref<4xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @transpose_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %p = tile.alloc "p" : memref<4x4xf32, #shared>
    %q = tile.alloc "q" : memref<4x4xf32, #shared>
    tile.parallel (%i) in (%n) {
      // expected-error@below {{transpose inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.transpose %p, %q : memref<4x4xf32, #shared>, memref<4x4xf32, #shared>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @atomic_tile_in_parallel(%n: index, %A: memref<4xf32, #global>) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4xf32, #shared>
    tile.parallel (%i) in (%n) {
      // expected-error@below {{atomic_tile inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.atomic_tile add %a, %A : memref<4xf32, #shared>, memref<4xf32, #global>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @alloc_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{alloc inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      %t = tile.alloc "t" : memref<4xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @dump_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4xf32, #shared>
    tile.parallel (%i) in (%n) {
      // expected-error@below {{dump inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.dump "a" %a : memref<4xf32, #shared>
    }
  }
  return
}

// -----

func.func @scope_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{scope inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.scope vector {
      }
    }
  }
  return
}

// -----

func.func @set_flag_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{set_flag inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.set_flag mte2, v, %n
    }
  }
  return
}

// -----

func.func @wait_flag_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{wait_flag inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.wait_flag mte2, v, %n
    }
  }
  return
}

// -----

func.func @pipe_barrier_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{pipe_barrier inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.pipe_barrier v
    }
  }
  return
}

// -----

func.func @barrier_all_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{barrier_all inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.barrier_all
    }
  }
  return
}

// -----

func.func @sync_all_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{sync_all inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.sync_all
    }
  }
  return
}

// -----

func.func @set_cross_flag_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{set_cross_flag inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.set_cross_flag v, %n mode 2
    }
  }
  return
}

// -----

func.func @wait_cross_flag_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{wait_cross_flag inside a parallel loop}}
      // expected-note@below {{help: a parallel loop holds element accesses only; move the operation out or use a serial loop}}
      tile.wait_cross_flag %n
    }
  }
  return
}

// -----

func.func @pipelined_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.parallel (%i) in (%n) {
      // expected-error@below {{pipelined loop inside a parallel loop}}
      // expected-note@below {{help: use a serial loop}}
      tile.for pipelined %k = %i to %n step %one {
      }
    }
  }
  return
}
