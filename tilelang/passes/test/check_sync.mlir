// RUN: tl-opt %s -tile-check-sync -split-input-file -verify-diagnostics
// Expert synchronisation that cannot pair up.

func.func @accepted(%n: index, %x: index, %flag: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %zero = arith.constant 0 : index
    tile.scope cube {
      // A pair around, one before the loop and one after it.
      tile.set_flag m, mte1, %zero
      tile.for serial %k = %zero to %n step %one {
        tile.wait_flag m, mte1, %zero
        tile.set_flag mte2, mte1, %one
        tile.wait_flag mte2, mte1, %one
        tile.set_flag m, mte1, %zero
      }
      tile.wait_flag m, mte1, %zero
      // Both sides of a condition.
      tile.if %flag {
        tile.set_flag m, fix, %zero
      } else {
        tile.set_flag m, fix, %zero
      }
      tile.wait_flag m, fix, %zero
      // Ids of a double buffer.
      tile.set_flag mte1, mte2, %zero
      tile.set_flag mte1, mte2, %one
      tile.for serial %k = %zero to %n step %one {
        tile.wait_flag mte1, mte2, %x
        tile.set_flag mte1, mte2, %x
      }
      // Under a condition the numbers are not known.
      tile.for serial %k = %zero to %n step %one {
        %first = arith.cmpi eq, %k, %zero : index
        tile.if %first {
          tile.wait_flag fix, m, %zero
        }
        tile.set_flag fix, m, %zero
      }
      tile.for serial %k = %zero to %one step %one {
        tile.set_flag s, mte2, %zero
      }
      tile.wait_flag s, mte2, %zero
      tile.set_cross_flag fix, %zero mode 2
    }
    tile.scope vector {
      tile.wait_cross_flag %zero
      tile.set_flag mte2, v, %zero
      tile.wait_flag mte2, v, %zero
      tile.set_flag v, mte3, %zero
      tile.wait_flag v, mte3, %zero
      tile.set_flag mte3, mte2, %zero
      tile.wait_flag mte3, mte2, %zero
      tile.set_flag s, v, %zero
      tile.wait_flag s, v, %zero
    }
    tile.sync_all
    tile.if %flag {
      tile.sync_all
    }
    %odd = arith.cmpi eq, %block, %one : index
    tile.if %odd {
      tile.sync_all
    } else {
      tile.sync_all
    }
  }
  return
}

// -----

func.func @no_such_pair(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{no flag leads from pipe v to pipe m}}
    // expected-note@below {{help: cube cores have the pipes s, m, mte1, mte2, mte3 and fix, vector cores s, v, mte2 and mte3}}
    tile.set_flag v, m, %n
    // expected-error@below {{no flag leads from pipe fix to pipe mte3}}
    // expected-note@below {{help: cube cores have the pipes s, m, mte1, mte2, mte3 and fix, vector cores s, v, mte2 and mte3}}
    tile.wait_flag fix, mte3, %n
  }
  return
}

// -----

func.func @pair_of_the_other_core(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.scope vector {
      // expected-error@below {{no flag leads from pipe mte2 to pipe mte1 of the vector core}}
      // expected-note@below {{help: cube cores have the pipes s, m, mte1, mte2, mte3 and fix, vector cores s, v, mte2 and mte3}}
      tile.set_flag mte2, mte1, %n
    }
    tile.scope cube {
      // expected-error@below {{no flag leads from pipe v to pipe s of the cube core}}
      // expected-note@below {{help: cube cores have the pipes s, m, mte1, mte2, mte3 and fix, vector cores s, v, mte2 and mte3}}
      tile.wait_flag v, s, %n
    }
  }
  return
}

// -----

func.func @flag_id() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %minus = arith.constant -1 : index
    // expected-error@below {{flag id 8 does not exist}}
    // expected-note@below {{help: ids run from 0 to 7}}
    tile.set_flag mte2, v, %c8
    // expected-error@below {{flag id -1 does not exist}}
    // expected-note@below {{help: ids run from 0 to 7}}
    tile.wait_flag mte2, v, %minus
    // expected-error@below {{flag id 16 does not exist}}
    // expected-note@below {{help: ids run from 0 to 15}}
    tile.set_cross_flag v, %c16 mode 2
    // expected-error@below {{flag id 32 does not exist}}
    // expected-note@below {{help: ids run from 0 to 31}}
    tile.set_cross_flag v, %c32 mode 4
    // expected-error@below {{flag id 32 does not exist}}
    // expected-note@below {{help: ids run from 0 to 31}}
    tile.wait_cross_flag %c32
    tile.wait_cross_flag %c16
  }
  return
}

// -----

func.func @never_set() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %zero = arith.constant 0 : index
    tile.set_flag mte2, v, %zero
    tile.wait_flag mte2, v, %zero
    // expected-error@below {{flag 1 mte2->v is waited for but never set}}
    // expected-note@below {{help: set it on the source, or remove the wait}}
    tile.wait_flag mte2, v, %one
    // expected-error@below {{flag 0 v->mte3 is waited for but never set}}
    // expected-note@below {{help: set it on the source, or remove the wait}}
    tile.wait_flag v, mte3, %zero
  }
  return
}

// -----

func.func @never_waited(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{flag v->mte3 is set but never waited for}}
    // expected-note@below {{help: wait for it on the destination, or remove the set}}
    tile.set_flag v, mte3, %n
    // expected-error@below {{flag v->mte3 is set but never waited for}}
    // expected-note@below {{help: wait for it on the destination, or remove the set}}
    tile.set_flag v, mte3, %one
  }
  return
}

// -----

func.func @on_different_cores() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.scope cube {
      // expected-error@below {{flag 1 mte2->mte3 is set but never waited for}}
      // expected-note@below {{help: wait for it on the destination, or remove the set}}
      tile.set_flag mte2, mte3, %one
    }
    tile.scope vector {
      // expected-error@below {{flag 1 mte2->mte3 is waited for but never set}}
      // expected-note@below {{help: set it on the source, or remove the wait}}
      tile.wait_flag mte2, mte3, %one
    }
  }
  return
}

// -----

func.func @cross_flags() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %zero = arith.constant 0 : index
    // expected-error@below {{flag 0 between cores is waited for but never set}}
    // expected-note@below {{help: set it on the source, or remove the wait}}
    tile.wait_cross_flag %zero
    // expected-error@below {{flag 1 between cores is set but never waited for}}
    // expected-note@below {{help: wait for it on the destination, or remove the set}}
    tile.set_cross_flag fix, %one mode 2
  }
  return
}

// -----

func.func @left_over(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %zero = arith.constant 0 : index
    tile.set_flag v, mte2, %zero
    tile.for serial %k = %zero to %n step %one {
      tile.wait_flag v, mte2, %zero
      // expected-error@below {{flag 0 v->mte2 is set 1 more than it is waited for}}
      // expected-note@below {{help: each wait consumes one set, and none may be left when the kernel ends}}
      tile.set_flag v, mte2, %zero
    }
  }
  return
}

// -----

func.func @one_too_few() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.set_flag v, mte2, %one
    tile.wait_flag v, mte2, %one
    // expected-error@below {{flag 1 v->mte2 is waited for 1 more than it is set}}
    // expected-note@below {{help: each wait consumes one set, and none may be left when the kernel ends}}
    tile.wait_flag v, mte2, %one
  }
  return
}

// -----

func.func @every_iteration(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{every iteration sets flag 1 v->mte2 1 more than it waits for it}}
    // expected-note@below {{help: set and wait in the same loop, with one set before it or one wait after it if need be}}
    tile.for serial %k = %one to %n step %one {
      tile.set_flag v, mte2, %one
    }
    tile.wait_flag v, mte2, %one
  }
  return
}

// -----

func.func @divergent_barrier(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %c = arith.cmpi slt, %block, %n : index
    // expected-note@below {{this condition depends on the block}}
    tile.if %c {
      // expected-error@below {{sync_all is reached by some blocks only}}
      // expected-note@below {{help: every block must reach it equally often; move it out of the condition}}
      tile.sync_all
    }
  }
  return
}
