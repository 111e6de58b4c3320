// RUN: tl-opt %s -tile-check-pipeline -split-input-file -verify-diagnostics
// Hand-written schedules of pipelined loops.

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @accepted(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, 0, 1, 2>, order = array<i64: 0, 1, 2, 3>} {
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      %i = arith.addi %k, %one : index
      %w = tile.region %B[%i] [8] : memref<8xf32, #global> -> <8xf32, #global>
      tile.copy %w, %t : !tile.region<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
      tile.copy %t, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @accepted_order(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, 0, 0>, order = array<i64: 1, 0, 2>} {
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %B, %t : memref<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @accepted_refill(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, 0>, order = array<i64: 0, 1>} {
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @accepted_refill_one_ahead(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, 1>, order = array<i64: 1, 0>} {
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @accepted_halves(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 1, 0>} {
      %lo = tile.region %s[0] [4] : memref<8xf32, #shared> -> <4xf32, #shared>
      %hi = tile.region %s[4] [4] : memref<8xf32, #shared> -> <4xf32, #shared>
      %a = tile.region %A[0] [4] : memref<8xf32, #global> -> <4xf32, #global>
      %b = tile.region %B[0] [4] : memref<8xf32, #global> -> <4xf32, #global>
      tile.copy %a, %lo : !tile.region<4xf32, #global>, !tile.region<4xf32, #shared>
      tile.copy %hi, %b : !tile.region<4xf32, #shared>, !tile.region<4xf32, #global>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @accepted_rows_of_global(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, 1, 2>} {
      %r = tile.region %A[%k] [8] : memref<8xf32, #global> -> <8xf32, #global>
      tile.copy %r, %s : !tile.region<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %s, %t : memref<8xf32, #shared>, memref<8xf32, #shared>
      tile.copy %t, %r : memref<8xf32, #shared>, !tile.region<8xf32, #global>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @stage_length(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    // expected-error@below {{stage list has 3 entries for 2 statements}}
    // expected-note@below {{help: give one number for each statement of the body; scalars and slices are no statements}}
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, 1, 2>} {
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @order_length(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    // expected-error@below {{order list has 1 entries for 2 statements}}
    // expected-note@below {{help: give one number for each statement of the body; scalars and slices are no statements}}
    tile.for pipelined %k = %one to %n step %one attributes {order = array<i64: 0>} {
      %i = arith.addi %k, %one : index
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @negative_stage(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    // expected-error@below {{stage -1 does not exist}}
    // expected-note@below {{help: stages run from 0 to 64}}
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, -1>} {
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @order_twice(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    // expected-error@below {{order is no permutation: 0 occurs twice}}
    // expected-note@below {{help: give each of 0 to 1 once}}
    tile.for pipelined %k = %one to %n step %one attributes {order = array<i64: 0, 0>} {
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @order_range(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    // expected-error@below {{order is no permutation: 2 is out of range}}
    // expected-note@below {{help: give each of 0 to 1 once}}
    tile.for pipelined %k = %one to %n step %one attributes {order = array<i64: 0, 2>} {
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @later_producer(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 1, 0>} {
      // expected-note@below {{`s` is written here}}
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      // expected-error-re@below {{copy ({{.*}}) in stage 0 needs `s` from copy ({{.*}}), which runs later, in stage 1}}
      // expected-note@below {{help: give the reading statement the same or a later stage and order, or leave the schedule to num_stages}}
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @order_swapped(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {order = array<i64: 1, 0>} {
      // expected-note@below {{`s` is written here}}
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      // expected-error-re@below {{copy ({{.*}}) in stage 0 needs `s` from copy ({{.*}}), which runs later, in stage 0}}
      // expected-note@below {{help: give the reading statement the same or a later stage and order, or leave the schedule to num_stages}}
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @in_nested_statement(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 1, 0>} {
      // expected-note@below {{`s` is written here}}
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      // expected-error-re@below {{parallel ({{.*}}) in stage 0 needs `s` from copy ({{.*}}), which runs later, in stage 1}}
      // expected-note@below {{help: give the reading statement the same or a later stage and order, or leave the schedule to num_stages}}
      tile.parallel (%i) in (%n) {
        %x = tile.load %s[%i] : memref<8xf32, #shared> -> f32
        tile.store %x, %acc[%i] : f32, memref<8xf32, #fragment>
      }
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @carried(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, 2>} {
      // expected-error-re@below {{copy ({{.*}}) in stage 0 needs `s` from copy ({{.*}}) of the iteration before, which runs later, in stage 2}}
      // expected-note@below {{help: give the two statements the same stage, or leave the schedule to num_stages}}
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
      // expected-note@below {{`s` is written here}}
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
    }
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @overwritten(%A: memref<8xf32, #global>, %B: memref<8xf32, #global>, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %t = tile.alloc "t" : memref<8xf32, #shared>
    %acc = tile.alloc "acc" : memref<8xf32, #fragment>
    tile.for pipelined %k = %one to %n step %one attributes {stage = array<i64: 0, 1, 0>} {
      tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
      // expected-note@below {{it is read here}}
      tile.copy %s, %acc : memref<8xf32, #shared>, memref<8xf32, #fragment>
      // expected-error-re@below {{copy ({{.*}}) in stage 0 overwrites `s` before copy ({{.*}}) reads it, in stage 1}}
      // expected-note@below {{help: give the second write the same or a later stage and order, or another buffer}}
      tile.copy %B, %s : memref<8xf32, #global>, memref<8xf32, #shared>
    }
  }
  return
}
