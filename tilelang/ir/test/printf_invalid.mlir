// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of tile.printf and tile.dump refuse.

func.func @printf_unknown(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{format "%s" has an unknown conversion at position 0}}
    // expected-note@below {{help: use %d %i %u %x for integers, %f %e %g for floating point, %% for a percent sign}}
    tile.printf "%s"
  }
  return
}

// -----

func.func @printf_star(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{format "at %*d" has an unknown conversion at position 3}}
    // expected-note@below {{help: use %d %i %u %x for integers, %f %e %g for floating point, %% for a percent sign}}
    tile.printf "at %*d"
  }
  return
}

// -----

func.func @printf_cut(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{format "50%" has an unknown conversion at position 2}}
    // expected-note@below {{help: use %d %i %u %x for integers, %f %e %g for floating point, %% for a percent sign}}
    tile.printf "50%"
  }
  return
}

// -----

func.func @printf_width(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{format "%9999d" has an unknown conversion at position 0}}
    // expected-note@below {{help: use %d %i %u %x for integers, %f %e %g for floating point, %% for a percent sign}}
    tile.printf "%9999d"
  }
  return
}

// -----

func.func @printf_dots(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{format "%1.2.3f" has an unknown conversion at position 0}}
    // expected-note@below {{help: use %d %i %u %x for integers, %f %e %g for floating point, %% for a percent sign}}
    tile.printf "%1.2.3f"
  }
  return
}

// -----

func.func @printf_missing(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{format "%d %d" has 2 conversions for 1 values}}
    // expected-note@below {{help: give one value for each conversion}}
    tile.printf "%d %d" (%n) : index
  }
  return
}

// -----

func.func @printf_surplus(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{format "text" has 0 conversions for 1 values}}
    // expected-note@below {{help: give one value for each conversion}}
    tile.printf "text" (%n) : index
  }
  return
}

// -----

func.func @printf_float_as_integer(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{conversion %d does not fit value 0 of type f32}}
    // expected-note@below {{help: use %d for integers and %f for floating point}}
    tile.printf "%d" (%x) : f32
  }
  return
}

// -----

func.func @printf_integer_as_float(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{conversion %g does not fit value 1 of type index}}
    // expected-note@below {{help: use %d for integers and %f for floating point}}
    tile.printf "%d %g" (%n, %n) : index, index
  }
  return
}

// -----

func.func @dump_packed(%A: memref<8xf4E2M1FN, #tile.space<global>> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{dump of `A`, which has elements of type e2m1}}
    // expected-note@below {{help: copy it to a tile of a wider type and dump that}}
    tile.dump "A" %A : memref<8xf4E2M1FN, #tile.space<global>>
  }
  return
}
