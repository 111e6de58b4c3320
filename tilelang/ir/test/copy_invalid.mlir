// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of tile.copy, tile.fill, tile.transpose and tile.atomic_tile refuse.

#shared = #tile.space<shared>
func.func @copy_shape() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<4x9xf32, #shared>
    // expected-error@below {{shapes differ: `a` (4x8) vs `b` (4x9)}}
    // expected-note@below {{help: give both sides the same extents, or slice the larger one}}
    tile.copy %a, %b : memref<4x8xf32, #shared>, memref<4x9xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @copy_rank() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<32xf32, #shared>
    // expected-error@below {{shapes differ: `a` (4x8) vs `b` (32)}}
    // expected-note@below {{help: give both sides the same extents, or slice the larger one}}
    tile.copy %a, %b : memref<4x8xf32, #shared>, memref<32xf32, #shared>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @copy_run_time_rank(%A: memref<?xf32, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    // expected-error@below {{ranks differ: `A` (?) vs `a` (4x8)}}
    // expected-note@below {{help: run-time extents are matched by position, so both sides need the same rank}}
    tile.copy %A, %a : memref<?xf32, #global>, memref<4x8xf32, #shared>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @copy_run_time_shape(%A: memref<?x1xf32, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    // expected-error@below {{shapes differ: `A` (?x1) vs `a` (4x8)}}
    // expected-note@below {{help: give both sides the same extents, or slice the larger one}}
    tile.copy %A, %a : memref<?x1xf32, #global>, memref<4x8xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @copy_overlap() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xf32, #shared>
    %x = tile.region %a[0] [4] : memref<8xf32, #shared> -> <4xf32, #shared>
    %y = tile.region %a[3] [4] : memref<8xf32, #shared> -> <4xf32, #shared>
    // expected-error@below {{copy reads `a` (4) and writes overlapping elements of it, `a` (4)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.copy %x, %y : !tile.region<4xf32, #shared>, !tile.region<4xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @copy_onto_view() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xf32, #shared>
    %v = tile.view %a : memref<8xf32, #shared> to memref<8xi32, #shared>
    // expected-error@below {{copy reads `a` (8) and writes overlapping elements of it, `a` (8)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.copy %a, %v : memref<8xf32, #shared>, memref<8xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @copy_pad() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xi32, #fragment>
    %b = tile.alloc "b" : memref<8xi8, #shared>
    // expected-error@below {{pad value 128 of `b` is not representable in i8}}
    // expected-note@below {{help: give a value of the element type}}
    tile.copy %a, %b pad(128 : i64) : memref<8xi32, #fragment>, memref<8xi8, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @fill_type(%x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xi32, #shared>
    // expected-error@below {{element type of `a` (8) is i32 but the value is f32}}
    // expected-note@below {{help: convert the value with a cast}}
    tile.fill %x, %a : f32, memref<8xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @transpose_rank() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xf32, #shared>
    %b = tile.alloc "b" : memref<8xf32, #shared>
    // expected-error@below {{transpose of `a` (8) to `b` (8)}}
    // expected-note@below {{help: both sides need the same rank of at least 2}}
    tile.transpose %a, %b : memref<8xf32, #shared>, memref<8xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @transpose_shape() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<4x8xf32, #shared>
    // expected-error@below {{shapes differ: 8x4 (transposed) vs `b` (4x8)}}
    // expected-note@below {{help: the last two extents of the destination are those of the source, swapped}}
    tile.transpose %a, %b : memref<4x8xf32, #shared>, memref<4x8xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @transpose_type() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf16, #shared>
    %b = tile.alloc "b" : memref<8x4xf32, #shared>
    // expected-error@below {{element types differ: f16 vs f32}}
    // expected-note@below {{help: a transpose keeps the element type}}
    tile.transpose %a, %b : memref<4x8xf16, #shared>, memref<8x4xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @transpose_overlap() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x8xf32, #shared>
    // expected-error@below {{transpose reads `a` (8x8) and writes overlapping elements of it, `a` (8x8)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.transpose %a, %a : memref<8x8xf32, #shared>, memref<8x8xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @atomic_tile_space() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xf32, #shared>
    %b = tile.alloc "b" : memref<8xf32, #shared>
    // expected-error@below {{atomic update of `b` (8) in the space shared}}
    // expected-note@below {{help: tile atomics update global tensors}}
    tile.atomic_tile add %a, %b : memref<8xf32, #shared>, memref<8xf32, #shared>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @atomic_tile_type(%A: memref<8xf8E5M2, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xf32, #shared>
    // expected-error@below {{atomic add on `A` (8) of type e5m2}}
    // expected-note@below {{help: atomics work on i8-i64, u8-u64, f16, bf16, f32 and f64}}
    tile.atomic_tile add %a, %A : memref<8xf32, #shared>, memref<8xf8E5M2, #global>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
func.func @atomic_tile_shape(%A: memref<9xf32, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xf32, #shared>
    // expected-error@below {{shapes differ: `a` (8) vs `A` (9)}}
    // expected-note@below {{help: give both sides the same extents, or slice the larger one}}
    tile.atomic_tile max %a, %A : memref<8xf32, #shared>, memref<9xf32, #global>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @atomic_tile_overlap(%A: memref<8xf32, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{atomic_tile reads `A` (8) and writes overlapping elements of it, `A` (8)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.atomic_tile min %A, %A : memref<8xf32, #global>, memref<8xf32, #global>
  }
  return
}
