// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of tile.load, tile.store and tile.atomic refuse.

#shared = #tile.space<shared>
func.func @load_rank(%i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{rank of `a` is 2 but 1 indices are given}}
    // expected-note@below {{help: give one index for each dimension}}
    %x = tile.load %a[%i] : memref<8x4xi32, #shared> -> i32
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @load_type(%i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{element type of `a` is i32 but the value is f32}}
    // expected-note@below {{help: convert the value with a cast}}
    %x = tile.load %a[%i, %i] : memref<8x4xi32, #shared> -> f32
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @store_rank(%i: index, %x: i32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{rank of `a` is 2 but 3 indices are given}}
    // expected-note@below {{help: give one index for each dimension}}
    tile.store %x, %a[%i, %i, %i] : i32, memref<8x4xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @store_type(%i: index, %x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{element type of `a` is i32 but the value is f32}}
    // expected-note@below {{help: convert the value with a cast}}
    tile.store %x, %a[%i, %i] : f32, memref<8x4xi32, #shared>
  }
  return
}

// -----

func.func @load_from_nowhere(%A: memref<4xf32, 3>, %i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{operand #0 must be buffer or region, but got 'memref<4xf32, 3>'}}
    %x = tile.load %A[%i] : memref<4xf32, 3> -> f32
  }
  return
}

// -----

#global = #tile.space<global>
func.func @atomic_rank(%A: memref<?xi32, #global> {tile.name = "A"}, %x: i32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{rank of `A` is 1 but 0 indices are given}}
    // expected-note@below {{help: give one index for each dimension}}
    %old = tile.atomic add %x, %A[] : i32, memref<?xi32, #global>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @atomic_type(%A: memref<?xf16, #global> {tile.name = "A"}, %x: f32, %i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{element type of `A` is f16 but the value is f32}}
    // expected-note@below {{help: convert the value with a cast}}
    %old = tile.atomic add %x, %A[%i] : f32, memref<?xf16, #global>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @atomic_float8(%A: memref<?xf8E4M3FN, #global> {tile.name = "A"}, %x: f8E4M3FN, %i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{atomic max on `A` of type e4m3}}
    // expected-note@below {{help: atomics work on i8-i64, u8-u64, f16, bf16, f32 and f64}}
    %old = tile.atomic max %x, %A[%i] : f8E4M3FN, memref<?xf8E4M3FN, #global>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @atomic_bool(%A: memref<?xi1, #global> {tile.name = "A"}, %x: i1, %i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{atomic add on `A` of type bool}}
    // expected-note@below {{help: atomics work on}}
    %old = tile.atomic add %x, %A[%i] : i1, memref<?xi1, #global>
  }
  return
}
