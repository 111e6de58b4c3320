// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of tile.region and of its type refuse.

#shared = #tile.space<shared>
func.func @outside() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xi32, #shared>
    // expected-error@below {{region [6, 12) of dimension 0 exceeds extent 8 of `a`}}
    // expected-note@below {{help: keep the slice inside the buffer}}
    %r = tile.region %a[6] [6] : memref<8xi32, #shared> -> <6xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @outside_run_time_size(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{region [9, ?) of dimension 0 exceeds extent 8 of `a`}}
    // expected-note@below {{help: keep the slice inside the buffer}}
    %r = tile.region %a[9, 0] [%n, 4] : memref<8x4xi32, #shared> -> <?x4xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @negative_offset() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{region [-1, 3) of dimension 1 exceeds extent 4 of `a`}}
    // expected-note@below {{help: keep the slice inside the buffer}}
    %r = tile.region %a[0, -1] [8, 4] : memref<8x4xi32, #shared> -> <8x4xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @offset_overflow() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{region [9223372036854775807, ?) of dimension 0 exceeds extent 8 of `a`}}
    // expected-note@below {{help: keep the slice inside the buffer}}
    %r = tile.region %a[9223372036854775807, 0] [8, 4] : memref<8x4xi32, #shared> -> <8x4xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @larger_than_buffer(%i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{region of 9 elements in dimension 0 exceeds extent 8 of `a`}}
    // expected-note@below {{help: keep the slice inside the buffer}}
    %r = tile.region %a[%i, 0] [9, 4] : memref<8x4xi32, #shared> -> <9x4xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @negative_size() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{region of `a` has the size -2 in dimension 0}}
    // expected-note@below {{help: the end of a slice must not lie before its start}}
    %r = tile.region %a[4, 0] [-2, 4] : memref<8x4xi32, #shared> -> <0x4xi32, #shared>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @negative_size_global(%A: memref<?xf32, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{region of `A` has the size -2 in dimension 0}}
    // expected-note@below {{help: the end of a slice must not lie before its start}}
    %r = tile.region %A[4] [-2] : memref<?xf32, #global> -> <0xf32, #global>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @region_rank() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{region of `a` has 1 offsets and 1 sizes for rank 2}}
    // expected-note@below {{help: give one offset and one size for each dimension}}
    %r = tile.region %a[0] [8] : memref<8x4xi32, #shared> -> <8xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @region_type() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{result type '!tile.region<8x3xi32, #tile.space<shared>>' does not fit the sizes and the buffer}}
    %r = tile.region %a[0, 0] [8, 4] : memref<8x4xi32, #shared> -> <8x3xi32, #shared>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @region_space() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{does not fit the sizes and the buffer}}
    %r = tile.region %a[0, 0] [8, 4] : memref<8x4xi32, #shared> -> <8x4xi32, #global>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @region_lists(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{number of run-time offsets or sizes does not match the static lists}}
    %r = "tile.region"(%a, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>, staticOffsets = array<i64: 0, 0>, staticSizes = array<i64: 8, 4>}> : (memref<8x4xi32, #shared>, index) -> !tile.region<8x4xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @region_of_region() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    %r = tile.region %a[0, 0] [8, 4] : memref<8x4xi32, #shared> -> <8x4xi32, #shared>
    // expected-error@below {{operand #0 must be a memref of a tile element type in a tile memory space}}
    %q = "tile.region"(%r) <{operandSegmentSizes = array<i32: 1, 0, 0>, staticOffsets = array<i64: 0, 0>, staticSizes = array<i64: 8, 4>}> : (!tile.region<8x4xi32, #shared>) -> !tile.region<8x4xi32, #shared>
  }
  return
}

// -----

// expected-error@+1 {{a region cannot have elements of type 'i4'}}
func.func @region_elements(%r: !tile.region<4xi4, #tile.space<shared>>) {
  return
}

// -----

// expected-error@+1 {{a region needs a '#tile.space<...>' memory space}}
func.func @region_without_space(%r: !tile.region<4xi32, 3>) {
  return
}
