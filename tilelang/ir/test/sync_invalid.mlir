// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of the expert synchronisation operations refuse.

func.func @scope_in_scope(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.scope cube {
      tile.if %x {
        // expected-error@below {{scope inside a scope}}
        // expected-note@below {{help: one statement runs on one kind of core; close the outer scope first}}
        tile.scope vector {
        }
      }
    }
  }
  return
}

// -----

func.func @scope_core(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{unknown core 'scalar', expected 'cube' or 'vector'}}
    tile.scope scalar {
    }
  }
  return
}

// -----

func.func @scope_arguments(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{body has 1 arguments but takes none}}
    "tile.scope"() <{core = #tile<core cube>}> ({
    ^bb0(%i: index):
      "tile.yield"() : () -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @set_flag_to_itself(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{flag from pipe v to itself}}
    // expected-note@below {{help: use pipe_barrier to order one pipe}}
    tile.set_flag v, v, %n
  }
  return
}

// -----

func.func @wait_flag_to_itself(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{flag from pipe v to itself}}
    // expected-note@below {{help: use pipe_barrier to order one pipe}}
    tile.wait_flag v, v, %n
  }
  return
}

// -----

func.func @cross_mode(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{cross-core flag mode 3 does not exist}}
    // expected-note@below {{help: modes are 0, 1, 2 and 4}}
    tile.set_cross_flag mte3, %n mode 3
  }
  return
}
