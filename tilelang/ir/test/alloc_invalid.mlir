// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifier of tile.alloc refuses.

#shared = #tile.space<shared>
func.func @element_type() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`a` cannot have elements of type i4}}
    // expected-note@below {{help: element types are bool, i8-i64, u8-u64, f16, bf16, f32, f64, e4m3, e5m2, e8m0 and e2m1}}
    %a = tile.alloc "a" : memref<4xi4, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @index_elements() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{a buffer cannot have elements of type index}}
    // expected-note@below {{help: element types are}}
    %a = tile.alloc : memref<4xindex, #shared>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @global_space() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`a` is allocated in the space global}}
    // expected-note@below {{help: global tensors are arguments; allocate in shared, fragment, local or var}}
    %a = tile.alloc "a" : memref<4xf32, #global>
  }
  return
}

// -----

func.func @no_space() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{a buffer is allocated in the space global}}
    // expected-note@below {{help: global tensors are arguments}}
    %a = tile.alloc : memref<4xf32>
  }
  return
}

// -----

func.func @foreign_space() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{'tile.alloc' op has the memory space 3 : i64, which is none of '#tile.space<...>'}}
    %a = tile.alloc : memref<4xf32, 3>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @dynamic_shape() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`a` has the shape 4x?, which is not known at compile time}}
    // expected-note@below {{help: use a compile-time upper bound and work on a slice of it}}
    %a = tile.alloc "a" : memref<4x?xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @strided_buffer() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`a` has the shape 4x4, which is not contiguous}}
    // expected-note@below {{help: on-chip buffers are row-major; slice a wider one}}
    %a = tile.alloc "a" : memref<4x4xf32, strided<[8, 1]>, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @zero_extent() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`a` has the shape 4x0}}
    // expected-note@below {{help: extents must be at least 1}}
    %a = tile.alloc "a" : memref<4x0xf32, #shared>
  }
  return
}

// -----

#var = #tile.space<var>
func.func @variable_rank() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`v` is a variable of rank 1}}
    // expected-note@below {{help: a variable is a scalar, rank 0}}
    %v = tile.alloc "v" : memref<4xf32, #var>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @bytes_overflow() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`a` (4611686018427387904x4) has more bytes than can be counted}}
    // expected-note@below {{help: on-chip buffers hold one block's tiles; make the tile smaller}}
    %a = tile.alloc "a" : memref<4611686018427387904x4xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @address_of_shared() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`a` has a fixed address in the space shared}}
    // expected-note@below {{help: only l1, l0a, l0b, l0c and ub buffers have addresses}}
    %a = tile.alloc "a" address(64) : memref<4xf32, #shared>
  }
  return
}

// -----

#ub = #tile.space<ub>
func.func @negative_address() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{`a` has the address -32}}
    // expected-note@below {{help: addresses start at 0}}
    %a = tile.alloc "a" address(-32) : memref<4xf32, #ub>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @pad_integer() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{pad value 300 of `a` is not representable in u8}}
    // expected-note@below {{help: give a value of the element type}}
    %a = tile.alloc "a" pad(300 : i64) : memref<4xui8, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @pad_negative_unsigned() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{pad value -1 of `a` is not representable in u64}}
    // expected-note@below {{help: give a value of the element type}}
    %a = tile.alloc "a" pad(-1 : i64) : memref<4xui64, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @pad_fraction() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{pad value 0.5 of `a` is not representable in i32}}
    // expected-note@below {{help: give a value of the element type}}
    %a = tile.alloc "a" pad(0.5 : f64) : memref<4xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @pad_overflow() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{pad value 1.0E+300 of `a` is not representable in f32}}
    // expected-note@below {{help: give a value of the element type}}
    %a = tile.alloc "a" pad(1.0e300 : f64) : memref<4xf32, #shared>
  }
  return
}
