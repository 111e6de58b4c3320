// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of loops, conditions, break and continue refuse.

func.func @loop_kind(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{unknown loop kind 'fast'}}
    tile.for fast %k = %n to %n step %one {
    }
  }
  return
}

// -----

func.func @loop_arguments(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{needs one index argument}}
    "tile.for"(%n, %n, %one) <{kind = #tile<loop_kind serial>}> ({
      "tile.yield"() : () -> ()
    }) : (index, index, index) -> ()
  }
  return
}

// -----

func.func @loop_stages(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{num_stages is -1}}
    // expected-note@below {{help: give 0 to 64}}
    tile.for pipelined %k = %n to %n step %one attributes {stages = -1 : i64} {
    }
  }
  return
}

// -----

func.func @loop_many_stages(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{num_stages is 65}}
    // expected-note@below {{help: give 0 to 64}}
    tile.for pipelined %k = %n to %n step %one attributes {stages = 65 : i64} {
    }
  }
  return
}

// -----

func.func @loop_interval(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{cross_interval is 0}}
    // expected-note@below {{help: give 1 to 64}}
    tile.for pipelined %k = %n to %n step %one attributes {crossInterval = 0 : i64} {
    }
  }
  return
}

// -----

func.func @serial_stages(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{stages on a serial loop}}
    // expected-note@below {{help: only pipelined loops have stages}}
    tile.for serial %k = %n to %n step %one attributes {stages = 2 : i64} {
    }
  }
  return
}

// -----

func.func @serial_stage(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{stages on a serial loop}}
    // expected-note@below {{help: only pipelined loops have stages}}
    tile.for serial %k = %n to %n step %one attributes {stage = array<i64: 0>} {
    }
  }
  return
}

// -----

func.func @serial_order(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{stages on a serial loop}}
    // expected-note@below {{help: only pipelined loops have stages}}
    tile.for serial %k = %n to %n step %one attributes {order = array<i64: 0>} {
    }
  }
  return
}

// -----

func.func @serial_crossInterval(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{stages on a serial loop}}
    // expected-note@below {{help: only pipelined loops have stages}}
    tile.for serial %k = %n to %n step %one attributes {crossInterval = 2 : i64} {
    }
  }
  return
}

// -----

func.func @while_condition(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{the condition must end with 'tile.condition'}}
    tile.while {
      "tile.yield"() : () -> ()
    } do {
    }
  }
  return
}

// -----

func.func @while_body(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{the body must end with 'tile.yield'}}
    tile.while {
      tile.condition %x
    } do {
      tile.condition %x
    }
  }
  return
}

// -----

func.func @while_arguments(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{body has 1 arguments but takes none}}
    "tile.while"() ({
    ^bb0(%i: index):
      "tile.condition"(%x) : (i1) -> ()
    }, {
      "tile.yield"() : () -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @condition_outside(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.if %x {
      // expected-error@below {{'tile.condition' op expects parent op 'tile.while'}}
      tile.condition %x
    }
  }
  return
}

// -----

func.func @if_arguments(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{body has 1 arguments but takes none}}
    "tile.if"(%x) ({
    ^bb0(%i: index):
      "tile.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @else_arguments(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{body has 1 arguments but takes none}}
    "tile.if"(%x) ({
      "tile.yield"() : () -> ()
    }, {
    ^bb0(%r: !tile.region<4xf32, #shared>):
      "tile.yield"() : () -> ()
    }) : (i1) -> ()
  }
  return
}

// -----

func.func @break_outside(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.if %x {
      // expected-error@below {{break outside the body of a loop}}
      // expected-note@below {{help: put it in a serial, pipelined or while loop, under conditions only}}
      tile.break
    }
  }
  return
}

// -----

func.func @continue_outside(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.if %x {
      // expected-error@below {{continue outside the body of a loop}}
      // expected-note@below {{help: put it in a serial, pipelined or while loop, under conditions only}}
      tile.continue
    }
  }
  return
}

// -----

func.func @break_in_condition(%x: i1) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.while {
      // expected-error@below {{break outside the body of a loop}}
      // expected-note@below {{help: put it in a serial, pipelined or while loop, under conditions only}}
      tile.break
      tile.condition %x
    } do {
    }
  }
  return
}

// -----

func.func @break_in_parallel(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.for serial %k = %n to %n step %one {
      tile.parallel (%i) in (%n) {
        // expected-error@below {{break outside the body of a loop}}
        // expected-note@below {{help: put it in a serial, pipelined or while loop, under conditions only}}
        tile.break
      }
    }
  }
  return
}

// -----

func.func @continue_in_scope(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.for serial %k = %n to %n step %one {
      tile.scope cube {
        // expected-error@below {{continue outside the body of a loop}}
        // expected-note@below {{help: put it in a serial, pipelined or while loop, under conditions only}}
        tile.continue
      }
    }
  }
  return
}

// -----

func.func @after_break(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.for serial %k = %n to %n step %one {
      // expected-error@below {{statements follow a break}}
      // expected-note@below {{help: it must be the last statement of its body}}
      tile.break
      tile.barrier_all
    }
  }
  return
}

// -----

func.func @after_continue(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    tile.for serial %k = %n to %n step %one {
      // expected-error@below {{statements follow a continue}}
      // expected-note@below {{help: it must be the last statement of its body}}
      tile.continue
      tile.break
    }
  }
  return
}
