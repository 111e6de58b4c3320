// RUN: tl run %s --check --no-cache --target cpu:x86-64 | FileCheck %s
// RUN: tl run %s --check --no-cache --target cpu:native | FileCheck %s
// Lanes beyond the third row read as 0: there 0 / 0 must be a NaN, also where half of a vector is known.

// CHECK: right: largest error 0
#f = #tile.space<fragment>
#g = #tile.space<global>
#l = #tile.space<local>
func.func @quotients(%y: memref<16xf16, #g> {tile.access = "write", tile.name = "y"}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : bf16
  tile.kernel (%b) in (%c1) {
    %column = tile.alloc "column" : memref<3x8xi64, #l>
    %minus = arith.constant -1 : i64
    tile.fill %minus, %column : i64, memref<3x8xi64, #l>
    %t = tile.alloc "t" : memref<1x16xf16, #f>
    tile.parallel (%i, %j) in (%c1, %c16) {
      %n = tile.load %column[%j, %i] : memref<3x8xi64, #l> -> i64
      %x = tile.cast %n : i64 to bf16
      %q = arith.divf %zero, %x : bf16
      %z = tile.cast %q : bf16 to f16
      tile.store %z, %t[%i, %j] : f16, memref<1x16xf16, #f>
    }
    tile.copy %t, %y : memref<1x16xf16, #f>, memref<16xf16, #g>
  }
  return
}
