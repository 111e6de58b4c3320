// RUN: tl-opt %s -tile-check-program -split-input-file -verify-diagnostics
// What a tile program is, and what is none.

#global = #tile.space<global>
#shared = #tile.space<shared>
// A whole program is accepted: grids from sizes, scalars of every type, windows, all loops.
func.func @accepted(%A: memref<?x?xbf16, strided<[?, 1]>, #global> {tile.name = "A"}, %B: memref<4xf32>, %C: memref<f64, #global>,
                    %n: index, %i: i64, %x: f32, %c: i1, %e: memref<0x4xui8, #global>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %A, %c0 : memref<?x?xbf16, strided<[?, 1]>, #global>
  %grid = arith.ceildivsi %m, %c64 : index
  %gx = tile.cast %i : i64 to index
  tile.assume %c
  tile.kernel (%b, %d) in (%grid, %gx) {
    %s = tile.alloc "s" : memref<4xf32, #shared>
    tile.copy %B, %s : memref<4xf32>, memref<4xf32, #shared>
    %r = tile.region %s[1] [3] : memref<4xf32, #shared> -> <3xf32, #shared>
    %v = tile.load %s[%c1] : memref<4xf32, #shared> -> f32
    // Beyond the edges of a global tensor, and where it may never run, an index is no error.
    %far = tile.load %B[%c64] : memref<4xf32> -> f32
    tile.if %c {
      %w = tile.load %s[%c64] : memref<4xf32, #shared> -> f32
    }
    %e0 = math.exp %v : f32
    tile.for serial %k = %c0 to %n step %c1 {
      tile.store %e0, %s[%k] : f32, memref<4xf32, #shared>
    }
  }
  return
}

// -----

// expected-error@below {{memref.global stands outside a function}}
// expected-note@below {{help: a module holds functions only}}
memref.global @g : memref<4xf32>

// -----

// expected-error@below {{function `f` has no body}}
// expected-note@below {{help: a program is complete in itself}}
func.func private @f(index)

// -----

// expected-error@below {{function `f` has 1 results}}
// expected-note@below {{help: a kernel writes to its tensor arguments and returns nothing}}
func.func @f(%x: f32) -> f32 {
  return %x : f32
}

// -----

// expected-error@below {{function `f` has 2 basic blocks}}
// expected-note@below {{help: control flow is written with tile.for, tile.while and tile.if}}
func.func @f() {
  return
^next:
  return
}

// -----

// expected-error@below {{argument `x` of `f` has the type i7}}
// expected-note@below {{help: arguments are global tensors, or scalars of type bool, i8-i64, f16, bf16, f32, f64 or index}}
func.func @f(%x: i7 {tile.name = "x"}) {
  return
}

// -----

// expected-error@below {{argument `x` of `f` has the type tensor<4xf32>}}
// expected-note@below {{help: arguments are global tensors, or scalars of type bool, i8-i64, f16, bf16, f32, f64 or index}}
func.func @f(%x: tensor<4xf32> {tile.name = "x"}) {
  return
}

// -----

// expected-error@below {{argument `x` of `f` has the type f8E4M3FN}}
// expected-note@below {{help: arguments are global tensors, or scalars of type bool, i8-i64, f16, bf16, f32, f64 or index}}
func.func @f(%x: f8E4M3FN {tile.name = "x"}) {
  return
}

// -----

// expected-error@below {{argument `x` of `f` has the type vector<4xf32>}}
// expected-note@below {{help: arguments are global tensors, or scalars of type bool, i8-i64, f16, bf16, f32, f64 or index}}
func.func @f(%x: vector<4xf32> {tile.name = "x"}) {
  return
}

// -----

// expected-error@below {{argument `x` of `f` has the type }}
// expected-note@below {{help: arguments are global tensors, or scalars of type bool, i8-i64, f16, bf16, f32, f64 or index}}
func.func @f(%x: !tile.region<4xf32, #tile.space<shared>> {tile.name = "x"}) {
  return
}

// -----

// expected-error@below {{argument 1 of `f` has the type memref<4xindex>}}
// expected-note@below {{help: tensors have elements of a tile type and lie in the space global}}
func.func @f(%x: f32, %A: memref<4xindex>) {
  return
}

// -----

// expected-error@below {{argument 0 of `f` has the type memref<4xf32, 3>}}
// expected-note@below {{help: tensors have elements of a tile type and lie in the space global}}
func.func @f(%A: memref<4xf32, 3>) {
  return
}

// -----

#shared = #tile.space<shared>
// expected-error@below {{argument `A` of `f` is in the space shared}}
// expected-note@below {{help: tensors lie in the space global; on-chip buffers are allocated in the kernel}}
func.func @f(%A: memref<4xf32, #shared> {tile.name = "A"}) {
  return
}

// -----

// expected-error@below {{argument `A` of `f` has no unit stride in its last dimension: memref<4x4xf32, strided<[4, 2]>>}}
// expected-note@below {{help: the last dimension is contiguous; others may have any stride}}
func.func @f(%A: memref<4x4xf32, strided<[4, 2]>> {tile.name = "A"}) {
  return
}

// -----

// expected-error@below {{argument `A` of `f` has no unit stride in its last dimension}}
// expected-note@below {{help: the last dimension is contiguous; others may have any stride}}
func.func @f(%A: memref<?xf32, strided<[?], offset: ?>> {tile.name = "A"}) {
  return
}

// -----

#shared = #tile.space<shared>
func.func @alloc_outside() {
  // expected-error@below {{tile.alloc stands outside a kernel}}
  // expected-note@below {{help: put it in the body of tile.kernel; outside stand scalar operations only}}
  %a = tile.alloc "a" : memref<4xf32, #shared>
  return
}

// -----

#global = #tile.space<global>
func.func @region_outside(%A: memref<4xf32>) {
  // expected-error@below {{tile.region stands outside a kernel}}
  // expected-note@below {{help: put it in the body of tile.kernel; outside stand scalar operations only}}
  %r = tile.region %A[0] [4] : memref<4xf32> -> <4xf32, #global>
  return
}

// -----

func.func @copy_outside(%A: memref<4xf32>, %B: memref<4xf32>) {
  // expected-error@below {{tile.copy stands outside a kernel}}
  // expected-note@below {{help: put it in the body of tile.kernel; outside stand scalar operations only}}
  tile.copy %A, %B : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @load_outside(%A: memref<4xf32>, %i: index) {
  // expected-error@below {{tile.load stands outside a kernel}}
  // expected-note@below {{help: put it in the body of tile.kernel; outside stand scalar operations only}}
  %x = tile.load %A[%i] : memref<4xf32> -> f32
  return
}

// -----

func.func @if_outside(%c: i1) {
  // expected-error@below {{tile.if stands outside a kernel}}
  // expected-note@below {{help: put it in the body of tile.kernel; outside stand scalar operations only}}
  tile.if %c {
  }
  return
}

// -----

func.func @foreign_alloc() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{memref.alloc cannot stand in a tile program}}
    // expected-note@below {{help: allocate buffers with tile.alloc}}
    %a = memref.alloc() : memref<4xf32>
  }
  return
}

// -----

func.func @foreign_load(%A: memref<4xf32>, %i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{memref.load cannot stand in a tile program}}
    // expected-note@below {{help: a program holds operations of tile, arith and math, and memref.dim}}
    %a = memref.load %A[%i] : memref<4xf32>
  }
  return
}

// -----

func.func @foreign_loop(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{scf.for cannot stand in a tile program}}
    // expected-note@below {{help: a program holds operations of tile, arith and math, and memref.dim}}
    // expected-error@below {{scf.yield cannot stand in a tile program}}
    scf.for %i = %n to %n step %n {
    }
  }
  return
}

// -----

func.func @foreign_call() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{func.call cannot stand in a tile program}}
    // expected-note@below {{help: a program holds operations of tile, arith and math, and memref.dim}}
    func.call @foreign_call() : () -> ()
  }
  return
}

// -----

func.func @vector_value() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{arith.constant gives a value of type vector<4xf32>}}
    // expected-note@below {{help: values are scalars of type bool, i8-i64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, e2m1 and index, buffers and regions}}
    %v = arith.constant dense<0.0> : vector<4xf32>
  }
  return
}

// -----

func.func @odd_integer(%x: i32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{arith.trunci gives a value of type i7}}
    // expected-note@below {{help: values are scalars of type bool, i8-i64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, e2m1 and index, buffers and regions}}
    %y = arith.trunci %x : i32 to i7
  }
  return
}

// -----

func.func @wide_float(%x: f64) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{arith.extf gives a value of type f128}}
    // expected-note@below {{help: values are scalars of type bool, i8-i64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, e2m1 and index, buffers and regions}}
    %y = arith.extf %x : f64 to f128
  }
  return
}

// -----

func.func @selected_buffer(%c: i1, %A: memref<4xf32>, %B: memref<4xf32>) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{arith.select works on a buffer}}
    // expected-note@below {{help: only operations of the tile dialect take buffers; choose one with tile.if}}
    %C = arith.select %c, %A, %B : memref<4xf32>
  }
  return
}

// -----

func.func @dim(%A: memref<4xf32> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %two = arith.constant 2 : index
    // expected-error@below {{dim 2 of `A` does not exist}}
    // expected-note@below {{help: it has rank 1}}
    %d = memref.dim %A, %two : memref<4xf32>
  }
  return
}

// -----

func.func @run_time_dim(%A: memref<4xf32>, %i: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{the dimension of memref.dim is known only at run time}}
    // expected-note@below {{help: give a constant dimension}}
    %d = memref.dim %A, %i : memref<4xf32>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @load_index() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xf32, #shared>
    %four = arith.constant 4 : index
    // expected-error@below {{index 4 in dimension 1 exceeds extent 4 of `a`}}
    // expected-note@below {{help: keep the index inside the buffer}}
    %x = tile.load %a[%one, %four] : memref<8x4xf32, #shared> -> f32
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @store_index(%x: f32, %n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xf32, #shared>
    %minus = arith.constant -1 : index
    tile.for serial %i = %n to %n step %one {
      // expected-error@below {{index -1 in dimension 0 exceeds extent 8 of `a`}}
      // expected-note@below {{help: keep the index inside the buffer}}
      tile.store %x, %a[%minus, %i] : f32, memref<8x4xf32, #shared>
    }
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @atomic_index(%x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xf32, #shared>
    %four = arith.constant 4 : index
    %eight = arith.muli %four, %four : index
    // expected-error@below {{index 16 in dimension 0 exceeds extent 8 of `a`}}
    // expected-note@below {{help: keep the index inside the buffer}}
    %old = tile.atomic add %x, %a[%eight, %one] : f32, memref<8x4xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @region_index() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8x4xf32, #shared>
    %two = arith.constant 2 : index
    %r = tile.region %a[0, 0] [2, 2] : memref<8x4xf32, #shared> -> <2x2xf32, #shared>
    // expected-error@below {{index 2 in dimension 1 exceeds extent 2 of `a`}}
    // expected-note@below {{help: keep the index inside the buffer}}
    %x = tile.load %r[%one, %two] : !tile.region<2x2xf32, #shared> -> f32
  }
  return
}

// -----

#global = #tile.space<global>
func.func @written_input(%A: memref<4xf32> {tile.name = "A", tile.access = "read"}, %x: f32) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    // expected-error@below {{store writes `A`, which is declared as an input}}
    // expected-note@below {{help: declare it as an output, or as both}}
    tile.store %x, %A[%one] : f32, memref<4xf32>
    %r = tile.region %A[0] [2] : memref<4xf32> -> <2xf32, #global>
    // expected-error@below {{fill writes `A`, which is declared as an input}}
    // expected-note@below {{help: declare it as an output, or as both}}
    tile.fill %x, %r : f32, !tile.region<2xf32, #global>
  }
  return
}

// -----

func.func @zero_step(%n: index) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %zero = arith.subi %one, %one : index
    // expected-error@below {{loop step is 0}}
    // expected-note@below {{help: give a step above or below 0}}
    tile.for serial %i = %n to %n step %zero {
    }
  }
  return
}
