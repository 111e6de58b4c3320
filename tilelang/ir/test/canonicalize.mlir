// RUN: tl-opt %s -canonicalize -cse | FileCheck %s
// Folding and the merging of equal expressions keep every effect, and every read on its side of a write.

#global = #tile.space<global>
#shared = #tile.space<shared>
#var = #tile.space<var>

// Two guards that look alike read different tensors.
// CHECK-LABEL: func.func @look_alike_guards
func.func @look_alike_guards(%P: memref<2xi32, #global>, %Q: memref<2xi32, #global>, %OA: memref<2xi32, #global>,
                             %OB: memref<2xi32, #global>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  tile.kernel (%b) in (%c2) {
    // CHECK: tile.for serial
    tile.for serial %k = %c0 to %c3 step %c1 {
      // CHECK: %[[P:.*]] = tile.load %arg0[%[[B:.*]]]
      // CHECK: %[[PC:.*]] = arith.cmpi slt, %[[P]]
      // CHECK: tile.if %[[PC]]
      %p = tile.load %P[%b] : memref<2xi32, #global> -> i32
      %pc = arith.cmpi slt, %p, %i2 : i32
      tile.if %pc {
        // CHECK: tile.load %arg2[%[[B]]]
        // CHECK: tile.store %{{.*}}, %arg2[%[[B]]]
        %o = tile.load %OA[%b] : memref<2xi32, #global> -> i32
        %s = arith.addi %o, %i1 : i32
        tile.store %s, %OA[%b] : i32, memref<2xi32, #global>
      }
      // CHECK: %[[Q:.*]] = tile.load %arg1[%[[B]]]
      // CHECK: %[[QC:.*]] = arith.cmpi slt, %[[Q]]
      // CHECK: tile.if %[[QC]]
      %q = tile.load %Q[%b] : memref<2xi32, #global> -> i32
      %qc = arith.cmpi slt, %q, %i2 : i32
      tile.if %qc {
        // CHECK: tile.load %arg3[%[[B]]]
        // CHECK: tile.store %{{.*}}, %arg3[%[[B]]]
        %o = tile.load %OB[%b] : memref<2xi32, #global> -> i32
        %s = arith.addi %o, %i1 : i32
        tile.store %s, %OB[%b] : i32, memref<2xi32, #global>
      }
    }
  }
  return
}

// A condition is evaluated again after what it reads was written.
// CHECK-LABEL: func.func @condition_again
func.func @condition_again(%A: memref<2xi32, #global>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  tile.kernel (%b) in (%c1) {
    // CHECK: %[[X:.*]] = tile.load
    // CHECK: %[[C:.*]] = arith.cmpi sgt, %[[X]]
    // CHECK: tile.if %[[C]]
    %x = tile.load %A[%c0] : memref<2xi32, #global> -> i32
    %c = arith.cmpi sgt, %x, %i0 : i32
    tile.if %c {
      tile.store %i0, %A[%c0] : i32, memref<2xi32, #global>
    }
    // CHECK: %[[Y:.*]] = tile.load
    // CHECK: %[[D:.*]] = arith.cmpi sgt, %[[Y]]
    // CHECK: tile.if %[[D]]
    %y = tile.load %A[%c0] : memref<2xi32, #global> -> i32
    %d = arith.cmpi sgt, %y, %i0 : i32
    tile.if %d {
      tile.store %i1, %A[%c1] : i32, memref<2xi32, #global>
    }
  }
  return
}

// A write through a window, a view, a tile operation or another buffer's copy lies between two reads.
// CHECK-LABEL: func.func @reads_around_writes
func.func @reads_around_writes(%A: memref<8xf32, #global>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %s = tile.alloc "s" : memref<8xf32, #shared>
    %w = tile.region %s[0] [4] : memref<8xf32, #shared> -> <4xf32, #shared>
    %v = tile.view %s : memref<8xf32, #shared> to memref<2x4xf32, #shared>
    // CHECK: tile.copy
    tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
    // CHECK: tile.load
    // CHECK: tile.fill
    // CHECK: tile.load
    // CHECK: tile.scan
    // CHECK: tile.load
    // CHECK: tile.copy
    // CHECK: tile.load
    %r0 = tile.load %s[%c0] : memref<8xf32, #shared> -> f32
    tile.fill %x, %w : f32, !tile.region<4xf32, #shared>
    %r1 = tile.load %s[%c0] : memref<8xf32, #shared> -> f32
    tile.scan sum %v, %v {dim = 1} : memref<2x4xf32, #shared>, memref<2x4xf32, #shared>
    %r2 = tile.load %s[%c0] : memref<8xf32, #shared> -> f32
    tile.copy %A, %s : memref<8xf32, #global>, memref<8xf32, #shared>
    %r3 = tile.load %s[%c0] : memref<8xf32, #shared> -> f32
    %t0 = arith.addf %r0, %r1 : f32
    %t1 = arith.addf %t0, %r2 : f32
    %t2 = arith.addf %t1, %r3 : f32
    tile.store %t2, %A[%c0] : f32, memref<8xf32, #global>
  }
  return
}

// Effects are kept one by one, even where they look the same or nobody uses their result.
// CHECK-LABEL: func.func @effects
func.func @effects(%A: memref<8xi32, #global>, %x: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    // CHECK-COUNT-2: tile.atomic add
    %0 = tile.atomic add %x, %A[%c0] : i32, memref<8xi32, #global>
    %1 = tile.atomic add %x, %A[%c0] : i32, memref<8xi32, #global>
    // CHECK-COUNT-2: tile.printf
    tile.printf "%d" (%x) : i32
    tile.printf "%d" (%x) : i32
    // CHECK: tile.device_assert
    tile.device_assert %c, "c"
    // CHECK: tile.assume
    tile.assume %c
    // CHECK: tile.dump
    tile.dump "A" %A : memref<8xi32, #global>
    // CHECK-NEXT: tile.set_flag
    // CHECK-NEXT: tile.wait_flag
    tile.set_flag mte2, v, %c0
    tile.wait_flag mte2, v, %c0
    // CHECK-COUNT-2: tile.pipe_barrier
    tile.pipe_barrier v
    tile.pipe_barrier v
    // CHECK: tile.barrier_all
    tile.barrier_all
    // CHECK: tile.set_cross_flag
    // CHECK: tile.wait_cross_flag
    tile.set_cross_flag mte3, %c0 mode 2
    tile.wait_cross_flag %c0
    // CHECK-COUNT-2: tile.sync_all
    tile.sync_all
    tile.sync_all
  }
  return
}

// Buffers that look the same are different storage; windows that look the same are one.
// CHECK-LABEL: func.func @buffers
func.func @buffers(%A: memref<8xf32, #global>, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    // CHECK-COUNT-2: tile.alloc : memref<4xf32, #shared>
    %s = tile.alloc : memref<4xf32, #shared>
    %t = tile.alloc : memref<4xf32, #shared>
    tile.fill %x, %s : f32, memref<4xf32, #shared>
    tile.fill %y, %t : f32, memref<4xf32, #shared>
    // CHECK: %[[W:.*]] = tile.region
    // CHECK-NOT: = tile.region
    %w = tile.region %A[0] [4] : memref<8xf32, #global> -> <4xf32, #global>
    tile.copy %s, %w : memref<4xf32, #shared>, !tile.region<4xf32, #global>
    %u = tile.region %A[0] [4] : memref<8xf32, #global> -> <4xf32, #global>
    // CHECK: tile.atomic_tile add %{{.*}}, %[[W]]
    tile.atomic_tile add %t, %u : memref<4xf32, #shared>, !tile.region<4xf32, #global>
  }
  return
}

// A read of a variable stays in its iteration.
// CHECK-LABEL: func.func @variable
func.func @variable(%A: memref<?xi32, #global>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  tile.kernel (%b) in (%c1) {
    %v = tile.alloc "v" : memref<i32, #var>
    // CHECK: tile.store
    tile.store %i0, %v[] : i32, memref<i32, #var>
    // CHECK: tile.for serial
    tile.for serial %k = %c0 to %n step %c1 {
      // CHECK-NEXT: tile.load
      // CHECK-NEXT: arith.addi
      // CHECK-NEXT: tile.store
      %x = tile.load %v[] : memref<i32, #var> -> i32
      %y = arith.addi %x, %i1 : i32
      tile.store %y, %v[] : i32, memref<i32, #var>
    }
    // CHECK: tile.while
    tile.while {
      // CHECK-NEXT: tile.load
      %x = tile.load %v[] : memref<i32, #var> -> i32
      %on = arith.cmpi sgt, %x, %i0 : i32
      tile.condition %on
    } do {
      // CHECK: tile.load
      %x = tile.load %v[] : memref<i32, #var> -> i32
      %y = arith.subi %x, %i1 : i32
      tile.store %y, %v[] : i32, memref<i32, #var>
    }
    // CHECK: %[[END:.*]] = tile.load
    // CHECK-NEXT: tile.store %[[END]]
    %end = tile.load %v[] : memref<i32, #var> -> i32
    tile.store %end, %A[%c0] : i32, memref<?xi32, #global>
  }
  return
}
