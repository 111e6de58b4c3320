// RUN: tl-opt %s | FileCheck %s
// RUN: tl-opt %s | tl-opt | FileCheck %s
// RUN: tl-opt --mlir-print-op-generic %s | tl-opt | FileCheck %s
// Grids, loops, conditions and statements print and parse back in both forms.

#shared = #tile.space<shared>

// CHECK-LABEL: func.func @kernels
func.func @kernels(%n: index, %m: index) {
  // CHECK: tile.kernel (%{{.*}}) in (%{{.*}}) {
  tile.kernel (%b) in (%n) {
  }
  // CHECK: tile.kernel (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) attributes {swizzle = 8 : i64, swizzleColumns, threads = 128 : i64} {
  tile.kernel (%x, %y) in (%n, %m) attributes {threads = 128, swizzle = 8, swizzleColumns} {
  }
  // CHECK: tile.kernel (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}, %{{.*}}) {
  // CHECK-NEXT: }
  tile.kernel (%x, %y, %z) in (%n, %m, %n) {
    tile.yield
  }
  return
}

// CHECK-LABEL: func.func @loops
func.func @loops(%n: index, %c: i1) {
  %step = arith.constant -2 : index
  tile.kernel (%b) in (%n) {
    // CHECK: tile.parallel (%[[I:.*]], %{{.*}}) in (%{{.*}}, %{{.*}}) {
    tile.parallel (%i, %j) in (%n, %b) {
      // CHECK: tile.for serial %{{.*}} = %[[I]] to %{{.*}} step %{{.*}} {
      tile.for serial %k = %i to %n step %step {
        // CHECK: tile.if
        tile.if %c {
          // CHECK: tile.break
          tile.break
        }
      }
    }
    // CHECK: tile.parallel (%{{.*}}) in (%{{.*}}) attributes {hint = 1 : i64} {
    tile.parallel (%i) in (%n) attributes {hint = 1} {
    }
    // CHECK: tile.for unroll
    tile.for unroll %k = %n to %b step %step {
      // CHECK: tile.continue
      tile.continue
    }
    // CHECK: tile.for vectorize
    tile.for vectorize %k = %n to %b step %step {
    }
    // CHECK: tile.for persistent
    tile.for persistent %k = %n to %b step %step {
    }
    // CHECK: tile.for pipelined %{{.*}} attributes {crossInterval = 2 : i64, order = array<i64: 1, 0>, stage = array<i64: 0, 1>, stages = 2 : i64} {
    tile.for pipelined %k = %n to %b step %step attributes {stages = 2, stage = array<i64: 0, 1>, order = array<i64: 1, 0>, crossInterval = 2} {
    }
  }
  return
}

// CHECK-LABEL: func.func @conditions
func.func @conditions(%n: index, %c: i1) {
  tile.kernel (%b) in (%n) {
    // CHECK: tile.if %{{.*}} {
    // CHECK-NEXT: tile.barrier_all
    // CHECK-NEXT: } else {
    // CHECK-NEXT: tile.sync_all
    // CHECK-NEXT: }
    tile.if %c {
      tile.barrier_all
    } else {
      tile.sync_all
    }
    // CHECK-NEXT: tile.if %{{.*}} attributes {likely} {
    // CHECK-NEXT: }
    tile.if %c attributes {likely} {
    }
    // CHECK-NEXT: tile.while {
    // CHECK-NEXT: tile.condition %{{.*}}
    // CHECK-NEXT: } do {
    // CHECK-NEXT: tile.if
    // CHECK-NEXT: tile.continue
    tile.while {
      tile.condition %c
    } do {
      tile.if %c {
        tile.continue
      }
      // CHECK: tile.break
      tile.break
    }
    // CHECK: tile.while attributes {note = "kept"} {
    tile.while attributes {note = "kept"} {
      tile.condition %c
    } do {
    }
  }
  return
}

// CHECK-LABEL: func.func @statements
func.func @statements(%n: index, %c: i1, %x: f32) {
  tile.kernel (%b) in (%n) {
    // CHECK: tile.assume %{{.*}}
    tile.assume %c
    // CHECK: tile.device_assert %{{.*}}, "index out of range"
    tile.device_assert %c, "index out of range"
    // CHECK: tile.printf "no values: 100%%\0A"
    tile.printf "no values: 100%%\0A"
    // CHECK: tile.printf "%5d %+.3e %x %-08.2f"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : index, f32, i1, f32
    tile.printf "%5d %+.3e %x %-08.2f" (%b, %x, %c, %x) : index, f32, i1, f32
    %a = tile.alloc "a" : memref<4xf32, #shared>
    // CHECK: tile.dump "a" %{{.*}} : memref<4xf32, #shared>
    tile.dump "a" %a : memref<4xf32, #shared>
  }
  return
}
