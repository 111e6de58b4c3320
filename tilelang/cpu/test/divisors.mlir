// RUN: tl run %s --check --no-cache --target cpu:x86-64 | FileCheck %s
// RUN: tl run %s --check --no-cache --target cpu:native | FileCheck %s
// The divisor is 0 where the shift is 16 or more, and never 0 elsewhere: the quotient is 0 there, and nothing traps.

// CHECK: right: largest error 0
#f = #tile.space<fragment>
#g = #tile.space<global>
func.func @divisors(%by: memref<16xi16, #g> {tile.access = "read", tile.name = "by"},
                    %quotient: memref<4x16xi16, #g> {tile.access = "write", tile.name = "quotient"}) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %minus6 = arith.constant -6 : i16
  tile.kernel (%b) in (%c1) {
    %shift = tile.alloc "shift" : memref<16xi16, #f>
    tile.copy %by, %shift : memref<16xi16, #g>, memref<16xi16, #f>
    tile.parallel (%i, %j) in (%c4, %c16) {
      %n = tile.load %shift[%j] : memref<16xi16, #f> -> i16
      %row = tile.cast %i : index to i16
      %negative = arith.ori %row, %minus6 : i16
      %divisor = arith.shrui %negative, %n : i16
      %q = arith.divui %n, %divisor : i16
      tile.store %q, %quotient[%i, %j] : i16, memref<4x16xi16, #g>
    }
  }
  return
}
