// RUN: tl run %s --check --no-cache --target cpu:x86-64 | FileCheck %s
// RUN: tl run %s --check --no-cache --target cpu:native | FileCheck %s
// Masks that are partly constant, and stores of one lane of a truncated vector: both must touch their lanes only.

// CHECK: right: largest error 0
func.func @masks(%A: memref<17x17xbf16, #tile.space<global>> {tile.access = "write", tile.name = "A"},
                 %C: memref<33x16xi32, #tile.space<global>> {tile.access = "write", tile.name = "C"},
                 %B: memref<31x5xf32, #tile.space<global>> {tile.access = "read", tile.name = "B"}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c33 = arith.constant 33 : index
  tile.kernel (%b) in (%c1) {
    // Rows of 17: the last column is a tail of one lane.
    %t = tile.alloc "t" : memref<17x17xbf16, #tile.space<shared>>
    %two = arith.constant 2.0 : bf16
    tile.fill %two, %t : bf16, memref<17x17xbf16, #tile.space<shared>>
    tile.parallel (%i, %j) in (%c17, %c17) {
      %x = tile.load %t[%i, %j] : memref<17x17xbf16, #tile.space<shared>> -> bf16
      %n = tile.cast %x : bf16 to i64
      %y = tile.cast %n : i64 to bf16
      tile.store %y, %t[%i, %j] : bf16, memref<17x17xbf16, #tile.space<shared>>
    }
    tile.copy %t, %A : memref<17x17xbf16, #tile.space<shared>>, memref<17x17xbf16, #tile.space<global>>
    // 16 lanes read rows of 5: the rest, and rows from 31 on, lie outside and read as 0, whatever is stored behind.
    %s = tile.alloc "s" : memref<31x5xf32, #tile.space<shared>>
    %behind = tile.alloc "behind" : memref<64xf32, #tile.space<shared>>
    %nine = arith.constant 9.0 : f32
    tile.fill %nine, %behind : f32, memref<64xf32, #tile.space<shared>>
    tile.copy %B, %s : memref<31x5xf32, #tile.space<global>>, memref<31x5xf32, #tile.space<shared>>
    tile.parallel (%i, %j) in (%c33, %c16) {
      %x = tile.load %s[%i, %j] : memref<31x5xf32, #tile.space<shared>> -> f32
      %n = tile.cast %x : f32 to i32
      tile.store %n, %C[%i, %j] : i32, memref<33x16xi32, #tile.space<global>>
    }
    tile.dump "behind" %behind : memref<64xf32, #tile.space<shared>>
  }
  return
}
