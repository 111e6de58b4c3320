// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of the scalar operations refuse.

func.func @cast_saturate(%x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{saturate on a cast to i8}}
    // expected-note@below {{help: only casts to floating point take the flag; casts to integers always saturate}}
    %y = tile.cast %x saturate : f32 to i8
  }
  return
}

// -----

func.func @cast_type(%x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{cast from f32 to i7}}
    // expected-note@below {{help: scalar types are bool, i8-i64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, e2m1 and index}}
    %y = tile.cast %x : f32 to i7
  }
  return
}

// -----

func.func @cast_from_type(%x: f80) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{cast from f80 to f32}}
    // expected-note@below {{help: scalar types are}}
    %y = tile.cast %x : f80 to f32
  }
  return
}

// -----

func.func @sigmoid_integer(%x: i32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{operand #0 must be floating-point, but got 'i32'}}
    %y = "tile.sigmoid"(%x) : (i32) -> i32
  }
  return
}

// -----

func.func @sigmoid_types(%x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{requires the same type for all operands and results}}
    %y = "tile.sigmoid"(%x) : (f32) -> f16
  }
  return
}

// -----

func.func @exp10_integer(%x: i32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{operand #0 must be floating-point, but got 'i32'}}
    %y = "tile.exp10"(%x) : (i32) -> i32
  }
  return
}

// -----

func.func @exp10_types(%x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{requires the same type for all operands and results}}
    %y = "tile.exp10"(%x) : (f32) -> f16
  }
  return
}

// -----

func.func @hypot_types(%x: f32, %z: f16) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{requires the same type for all operands and results}}
    %y = "tile.hypot"(%x, %z) : (f32, f16) -> f32
  }
  return
}

// -----

func.func @nextafter_types(%x: f32, %z: f16) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{requires the same type for all operands and results}}
    %y = "tile.nextafter"(%x, %z) : (f32, f16) -> f32
  }
  return
}

// -----

func.func @ldexp_exponent(%x: f32, %n: i64) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{operand #1 must be 32-bit signless integer, but got 'i64'}}
    %y = "tile.ldexp"(%x, %n) : (f32, i64) -> f32
  }
  return
}

// -----

func.func @ldexp_result(%x: f32, %n: i32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{failed to verify that all of {operand, result} have same type}}
    %y = "tile.ldexp"(%x, %n) : (f32, i32) -> f16
  }
  return
}
