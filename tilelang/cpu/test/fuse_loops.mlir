// RUN: tl-opt %s -split-input-file -cpu-fuse-loops | FileCheck %s
// Which statements become one loop, and which stores are left.

#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// Copy in, compute, copy out: the tile itself is not needed.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: tile.copy
// CHECK: tile.parallel (%[[I:.*]], %[[J:.*]]) in
// CHECK-NEXT: %[[X:.*]] = tile.load %{{.*}}[%[[I]], %[[J]]] : !tile.region<4x16xbf16
// CHECK-NEXT: %[[W:.*]] = tile.cast %[[X]] : bf16 to f32
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[W]], %[[W]] : f32
// CHECK-NEXT: %[[Z:.*]] = tile.cast %[[Y]] : f32 to bf16
// CHECK-NEXT: tile.store %[[Z]], %{{.*}}[%[[I]], %[[J]]] : bf16, !tile.region<4x16xbf16
// CHECK-NEXT: }
// CHECK-NOT: tile.parallel
func.func @chain(%a: memref<?x?xbf16, #g>, %c: memref<?x?xbf16, #g>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" : memref<4x16xf32, #s>
    %in = tile.region %a[%b, 0] [4, 16] : memref<?x?xbf16, #g> -> <4x16xbf16, #g>
    tile.copy %in, %t : !tile.region<4x16xbf16, #g>, memref<4x16xf32, #s>
    tile.parallel (%i, %j) in (%c4, %c16) {
      %x = tile.load %t[%i, %j] : memref<4x16xf32, #s> -> f32
      %y = arith.mulf %x, %x : f32
      tile.store %y, %t[%i, %j] : f32, memref<4x16xf32, #s>
    }
    %out = tile.region %c[%b, 0] [4, 16] : memref<?x?xbf16, #g> -> <4x16xbf16, #g>
    tile.copy %t, %out : memref<4x16xf32, #s>, !tile.region<4x16xbf16, #g>
  }
  return
}

// -----
#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// A reduction along the rows folds what the loop would store; a pad goes along with the load.
// CHECK-LABEL: func.func @reduced
// CHECK: tile.parallel
// CHECK-NEXT: %[[X:.*]] = tile.load %{{.*}}[%{{.*}}] {cpu.pad = -1.000000e+00 : f64} : !tile.region<4x16xf32
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK-NEXT: tile.store %[[Y]], %[[T:.*]][%{{.*}}] {cpu.unused} : f32, memref<4x16xf32
// CHECK-NEXT: }
// CHECK-NEXT: tile.reduce sum %[[T]], %{{.*}} {cpu.merged
func.func @reduced(%a: memref<?x?xf32, #g>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" pad(-1.0) : memref<4x16xf32, #s>
    %sum = tile.alloc "sum" : memref<4xf32, #f>
    %in = tile.region %a[%b, 0] [4, 16] : memref<?x?xf32, #g> -> <4x16xf32, #g>
    tile.copy %in, %t : !tile.region<4x16xf32, #g>, memref<4x16xf32, #s>
    tile.parallel (%i, %j) in (%c4, %c16) {
      %x = tile.load %t[%i, %j] : memref<4x16xf32, #s> -> f32
      %y = arith.addf %x, %x : f32
      tile.store %y, %t[%i, %j] : f32, memref<4x16xf32, #s>
    }
    tile.reduce sum %t, %sum {dim = 1 : i64} : memref<4x16xf32, #s>, memref<4xf32, #f>
  }
  return
}

// -----
#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// Points that meet other points, a tensor that is read and written, another box, nothing in common: all stay apart.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-7: tile.parallel
// CHECK-NOT: tile.parallel
func.func @apart(%a: memref<?x?xf32, #g>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" : memref<4x16xf32, #s>
    %u = tile.alloc "u" : memref<4x16xf32, #s>
    %one = arith.constant 1.0 : f32
    tile.parallel (%i, %j) in (%c4, %c16) {
      tile.store %one, %t[%i, %j] : f32, memref<4x16xf32, #s>
    }
    tile.parallel (%i, %j) in (%c4, %c16) {
      %next = arith.addi %j, %c1 : index
      %x = tile.load %t[%i, %next] : memref<4x16xf32, #s> -> f32
      tile.store %x, %u[%i, %j] : f32, memref<4x16xf32, #s>
    }
    tile.parallel (%i, %j) in (%c4, %c15) {
      %x = tile.load %u[%i, %j] : memref<4x16xf32, #s> -> f32
      tile.store %x, %t[%i, %j] : f32, memref<4x16xf32, #s>
    }
    tile.parallel (%i, %j) in (%c4, %c16) {
      %x = tile.load %t[%i, %j] : memref<4x16xf32, #s> -> f32
      tile.store %x, %a[%i, %j] : f32, memref<?x?xf32, #g>
    }
    tile.parallel (%i, %j) in (%c4, %c16) {
      %x = tile.load %t[%i, %j] : memref<4x16xf32, #s> -> f32
      %y = tile.load %a[%j, %i] : memref<?x?xf32, #g> -> f32
      %z = arith.addf %x, %y : f32
      tile.store %z, %u[%i, %j] : f32, memref<4x16xf32, #s>
    }
    tile.parallel (%i, %j) in (%c4, %c16) {
      %x = tile.load %a[%i, %j] : memref<?x?xf32, #g> -> f32
      tile.store %x, %t[%i, %j] : f32, memref<4x16xf32, #s>
    }
    tile.parallel (%i, %j) in (%c4, %c16) {
      %x = tile.load %t[%i, %j] : memref<4x16xf32, #s> -> f32
      %p = arith.cmpf ogt, %x, %one : f32
      tile.if %p {
        tile.store %one, %u[%i, %j] : f32, memref<4x16xf32, #s>
      }
    }
    tile.dump "u" %u : memref<4x16xf32, #s>
  }
  return
}

// -----
#s = #tile.space<shared>
#f = #tile.space<fragment>

// One along columns, one into what the loop reads, and one behind another statement are their own; a later reader keeps
// the store.
// CHECK-LABEL: func.func @own_reductions
// CHECK: tile.store %{{.*}}, %[[T:.*]][%{{.*}}] : f32
// CHECK: tile.reduce sum %[[T]], %{{.*}} {cpu.merged
// CHECK-NOT: cpu.merged
// CHECK: return
func.func @own_reductions() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" : memref<4x16xf32, #s>
    %rows = tile.alloc "rows" : memref<4xf32, #f>
    %others = tile.alloc "others" : memref<4xf32, #f>
    %columns = tile.alloc "columns" : memref<16xf32, #f>
    tile.fill %one, %others : f32, memref<4xf32, #f>
    tile.parallel (%i, %j) in (%c4, %c16) {
      %x = tile.load %others[%i] : memref<4xf32, #f> -> f32
      tile.store %x, %t[%i, %j] : f32, memref<4x16xf32, #s>
    }
    tile.reduce sum %t, %rows {dim = 1 : i64} : memref<4x16xf32, #s>, memref<4xf32, #f>
    tile.reduce sum %t, %others {dim = 1 : i64} : memref<4x16xf32, #s>, memref<4xf32, #f>
    tile.reduce sum %t, %columns {dim = 0 : i64} : memref<4x16xf32, #s>, memref<16xf32, #f>
    tile.reduce max %t, %rows {dim = 1 : i64} : memref<4x16xf32, #s>, memref<4xf32, #f>
    tile.dump "rows" %rows : memref<4xf32, #f>
    tile.dump "others" %others : memref<4xf32, #f>
    tile.dump "columns" %columns : memref<16xf32, #f>
  }
  return
}

// -----
#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// A copy in front of a reduction along its rows is folded in passing, too; nobody else sees the tile.
// CHECK-LABEL: func.func @copied
// CHECK-NOT: tile.copy
// CHECK: tile.parallel
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.cast
// CHECK-NEXT: tile.store %{{.*}} {cpu.unused}
// CHECK: tile.reduce sum %{{.*}} {cpu.merged
func.func @copied(%a: memref<?x?xbf16, #g>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" : memref<4x16xf32, #s>
    %sum = tile.alloc "sum" : memref<4xf32, #f>
    %in = tile.region %a[%b, 0] [4, 16] : memref<?x?xbf16, #g> -> <4x16xbf16, #g>
    tile.copy %in, %t : !tile.region<4x16xbf16, #g>, memref<4x16xf32, #s>
    tile.reduce sum %t, %sum {dim = 1 : i64} : memref<4x16xf32, #s>, memref<4xf32, #f>
  }
  return
}

// -----
#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// A reduction along the columns cannot be.
// CHECK-LABEL: func.func @columns
// CHECK: tile.copy
// CHECK-NOT: cpu.merged
func.func @columns(%a: memref<?x?xbf16, #g>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" : memref<4x16xf32, #s>
    %sum = tile.alloc "sum" : memref<16xf32, #f>
    %in = tile.region %a[%b, 0] [4, 16] : memref<?x?xbf16, #g> -> <4x16xbf16, #g>
    tile.copy %in, %t : !tile.region<4x16xbf16, #g>, memref<4x16xf32, #s>
    tile.reduce sum %t, %sum {dim = 0 : i64} : memref<4x16xf32, #s>, memref<16xf32, #f>
  }
  return
}

// -----
#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// What replaces an element in place is only folded, if the tile is filled afresh before it is read again.
// CHECK-LABEL: func.func @in_place
// CHECK: tile.parallel
// CHECK: tile.store %{{.*}} : f32, memref<4x16xf32
// CHECK: tile.reduce max %{{.*}} {cpu.merged
// CHECK: tile.parallel
// CHECK: arith.mulf
// CHECK-NEXT: tile.store %{{.*}} {cpu.unused} : f32, memref<4x16xf32
// CHECK: tile.reduce sum %{{.*}} {cpu.merged
func.func @in_place(%a: memref<?x?xf32, #g>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" : memref<4x16xf32, #s>
    %top = tile.alloc "top" : memref<4xf32, #f>
    %sum = tile.alloc "sum" : memref<4xf32, #f>
    tile.for serial %k = %c0 to %n step %c1 {
      %in = tile.region %a[%k, 0] [4, 16] : memref<?x?xf32, #g> -> <4x16xf32, #g>
      tile.copy %in, %t : !tile.region<4x16xf32, #g>, memref<4x16xf32, #s>
      tile.reduce max %t, %top {dim = 1 : i64} : memref<4x16xf32, #s>, memref<4xf32, #f>
      tile.parallel (%i, %j) in (%c4, %c16) {
        %x = tile.load %t[%i, %j] : memref<4x16xf32, #s> -> f32
        %m = tile.load %top[%i] : memref<4xf32, #f> -> f32
        %y = arith.mulf %x, %m : f32
        tile.store %y, %t[%i, %j] : f32, memref<4x16xf32, #s>
      }
      tile.reduce sum %t, %sum {dim = 1 : i64} : memref<4x16xf32, #s>, memref<4xf32, #f>
    }
  }
  return
}

// -----
#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// Without that, the next round reads it.
// CHECK-LABEL: func.func @carried
// CHECK: tile.store %{{.*}} : f32, memref<4x16xf32
// CHECK-NOT: cpu.unused
func.func @carried(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" : memref<4x16xf32, #s>
    %sum = tile.alloc "sum" : memref<4xf32, #f>
    tile.fill %one, %t : f32, memref<4x16xf32, #s>
    tile.for serial %k = %c0 to %n step %c1 {
      tile.parallel (%i, %j) in (%c4, %c16) {
        %x = tile.load %t[%i, %j] : memref<4x16xf32, #s> -> f32
        %y = arith.addf %x, %x : f32
        tile.store %y, %t[%i, %j] : f32, memref<4x16xf32, #s>
      }
      tile.reduce sum %t, %sum {dim = 1 : i64} : memref<4x16xf32, #s>, memref<4xf32, #f>
    }
  }
  return
}
