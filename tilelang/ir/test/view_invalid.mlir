// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifier of tile.view refuses.

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @view_space() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{spaces differ: shared vs fragment}}
    %v = tile.view %a : memref<8x4xi32, #shared> to memref<32xi32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @view_foreign_space() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{result has the memory space 3 : i64, which is none of '#tile.space<...>'}}
    %v = tile.view %a : memref<8x4xi32, #shared> to memref<32xi32, 3>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @view_dynamic(%A: memref<?xf32, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{view of `A` with a run-time shape}}
    // expected-note@below {{help: views need compile-time shapes}}
    %v = tile.view %A : memref<?xf32, #global> to memref<32xf32, #global>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @view_strided(%A: memref<8x4xf32, strided<[8, 1]>, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{view of `A`, which is not contiguous}}
    // expected-note@below {{help: only whole contiguous buffers have views}}
    %v = tile.view %A : memref<8x4xf32, strided<[8, 1]>, #global> to memref<32xf32, #global>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @view_elements() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{view of `a` as index}}
    // expected-note@below {{help: element types are}}
    %v = tile.view %a : memref<8x4xi32, #shared> to memref<16xindex, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @view_size() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    // expected-error@below {{view of `a` changes its size: 128 vs 64 bytes}}
    // expected-note@below {{help: shape and type of a view must cover the same bytes}}
    %v = tile.view %a : memref<8x4xi32, #shared> to memref<32xi16, #shared>
  }
  return
}

// -----

#var = #tile.space<var>
func.func @view_of_variable() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<f32, #var>
    // expected-error@below {{view of the variable `a` with rank 1}}
    // expected-note@below {{help: a variable is a scalar, rank 0}}
    %v = tile.view %a : memref<f32, #var> to memref<1xf32, #var>
  }
  return
}

// -----

#global = #tile.space<global>
func.func @view_bytes(%A: memref<0xf32, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{view of `A` has more bytes than can be counted}}
    // expected-note@below {{help: make it smaller}}
    %v = tile.view %A : memref<0xf32, #global> to memref<4611686018427387904x4xf32, #global>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @view_of_region() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xi32, #shared>

    %r = tile.region %a[0, 0] [8, 4] : memref<8x4xi32, #shared> -> <8x4xi32, #shared>
    // expected-error@below {{operand #0 must be a memref of a tile element type in a tile memory space}}
    %v = "tile.view"(%r) : (!tile.region<8x4xi32, #shared>) -> memref<32xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @view_packed() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xf4E2M1FN, #shared>
    %same = tile.view %a : memref<8x4xf4E2M1FN, #shared> to memref<32xf4E2M1FN, #shared>
    // expected-error@below {{view of `a` of type e2m1 as u8}}
    // expected-note@below {{help: views of e2m1 keep the type; a tensor of bytes is made one of e2m1 where it is passed}}
    %v = tile.view %a : memref<8x4xf4E2M1FN, #shared> to memref<16xui8, #shared>
  }
  return
}
