// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of tile.kernel and tile.yield refuse.

func.func @kernel_grid(%n: index) {
  // expected-error@below {{grid has 4 dimensions}}
  // expected-note@below {{help: give 1 to 3}}
  tile.kernel (%x, %y, %z, %w) in (%n, %n, %n, %n) {
  }
  return
}

// -----

func.func @kernel_no_grid() {
  // expected-error@below {{grid has 0 dimensions}}
  // expected-note@below {{help: give 1 to 3}}
  tile.kernel () in () {
  }
  return
}

// -----

func.func @kernel_zero(%n: index) {
  %zero = arith.constant 0 : index
  // expected-error@below {{grid dimension 1 is 0}}
  // expected-note@below {{help: a constant grid extent must be at least 1}}
  tile.kernel (%x, %y) in (%n, %zero) {
  }
  return
}

// -----

func.func @kernel_threads(%n: index) {
  // expected-error@below {{threads is -1}}
  // expected-note@below {{help: give 1 to 1024}}
  tile.kernel (%x) in (%n) attributes {threads = -1 : i64} {
  }
  return
}

// -----

func.func @kernel_swizzle(%n: index) {
  // expected-error@below {{swizzle panel is 0}}
  // expected-note@below {{help: give 1 to 1048576}}
  tile.kernel (%x) in (%n) attributes {swizzle = 0 : i64} {
  }
  return
}

// -----

func.func @kernel_arguments(%n: index) {
  // expected-error@below {{needs one index argument for each extent}}
  "tile.kernel"(%n) ({
  ^bb0(%x: i32):
    "tile.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @kernel_indices(%n: index) {
  // expected-error@below {{1 indices for 2 extents}}
  tile.kernel (%x) in (%n, %n) {
  }
  return
}

// -----

func.func @kernel_in_kernel(%n: index) {
  tile.kernel (%x) in (%n) {
    // expected-error@below {{'tile.kernel' op expects parent op 'func.func'}}
    tile.kernel (%y) in (%n) {
    }
  }
  return
}

// -----

func.func @yield_in_function() {
  // expected-error@below {{'tile.yield' op expects parent op to be one of 'tile.kernel, tile.parallel, tile.for, tile.while, tile.if, tile.scope'}}
  "tile.yield"() : () -> ()
}

// -----

func.func @kernel_too_large(%n: index) {
  %most = arith.constant 9223372036854775807 : index
  // expected-error@below {{grid is larger than 2^48 with the extent 9223372036854775807}}
  // expected-note@below {{help: the product of the extents is at most 2^48}}
  tile.kernel (%x, %y) in (%n, %most) {
  }
  return
}
