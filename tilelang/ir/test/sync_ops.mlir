// RUN: tl-opt %s | FileCheck %s
// RUN: tl-opt %s | tl-opt | FileCheck %s
// RUN: tl-opt --mlir-print-op-generic %s | tl-opt | FileCheck %s
// Expert synchronisation prints and parses back in both forms.


// CHECK-LABEL: func.func @sync
func.func @sync(%n: index) {
  tile.kernel (%b) in (%n) {
    // CHECK: tile.scope cube {
    tile.scope cube {
      // CHECK-NEXT: tile.set_flag mte2, mte1, %{{.*}}
      tile.set_flag mte2, mte1, %n
      // CHECK-NEXT: tile.wait_flag mte2, mte1, %{{.*}}
      tile.wait_flag mte2, mte1, %n
      // CHECK-NEXT: tile.pipe_barrier m
      tile.pipe_barrier m
      // CHECK-NEXT: tile.set_cross_flag fix, %{{.*}} mode 2
      tile.set_cross_flag fix, %n mode 2
    }
    // CHECK: tile.scope vector attributes {note = "kept"} {
    tile.scope vector attributes {note = "kept"} {
      // CHECK-NEXT: tile.wait_cross_flag %{{.*}}, mte2
      tile.wait_cross_flag %n, mte2
      // CHECK-NEXT: tile.wait_cross_flag %{{.*}}
      // CHECK-NOT: ,
      tile.wait_cross_flag %n
      // CHECK-NEXT: tile.set_flag s, v, %{{.*}}
      tile.set_flag s, v, %n
      // CHECK-NEXT: tile.set_flag mte3, fix, %{{.*}}
      tile.set_flag mte3, fix, %n
    }
    // CHECK: tile.barrier_all
    tile.barrier_all
    // CHECK: tile.sync_all
    tile.sync_all
  }
  return
}
