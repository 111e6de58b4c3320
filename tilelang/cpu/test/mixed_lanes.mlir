// RUN: tl run %s --check --no-cache --target cpu:x86-64 | FileCheck %s
// RUN: tl run %s --check --no-cache --target cpu:native | FileCheck %s
// Few lanes of f32 beside many of f64 that meet in bytes: VectorCombine of LLVM 22 shuffles vectors of both types.

// CHECK: right: largest error 0
#g = #tile.space<global>
#l = #tile.space<local>
#s = #tile.space<shared>
func.func @mixed(%y: memref<8x16xui16, #g> {tile.access = "write", tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f64
  %half = arith.constant -5.0e-01 : f8E4M3FN
  %three = arith.constant 3 : i8
  %word = arith.constant 3 : i16
  tile.kernel (%b) in (%c1) {
    %wide = tile.alloc "wide" : memref<1x33xf64, #s>
    tile.fill %one, %wide : f64, memref<1x33xf64, #s>
    %small = tile.alloc "small" : memref<3x5xf8E4M3FN, #s>
    tile.fill %half, %small : f8E4M3FN, memref<3x5xf8E4M3FN, #s>
    %t = tile.alloc "t" : memref<8x16xui16, #l>
    tile.fill %word, %t : i16, memref<8x16xui16, #l>
    tile.parallel (%i, %j) in (%c8, %c16) {
      %below = arith.cmpi sgt, %i, %j : index
      tile.if %below {
        %column = tile.cast %j : index to f64
        %first = arith.cmpf oge, %one, %column : f64
        %x = tile.load %small[%c0, %j] : memref<3x5xf8E4M3FN, #s> -> f8E4M3FN
        %m = tile.cast %x : f8E4M3FN to i8
        %z = tile.load %wide[%c0, %j] : memref<1x33xf64, #s> -> f64
        %n = tile.cast %z : f64 to i8
        %chosen = arith.select %first, %m, %n : i8
        %q = arith.floordivsi %chosen, %three : i8
        %r = arith.remsi %q, %three : i8
        %v = tile.cast %r to_unsigned : i8 to i16
        tile.store %v, %t[%i, %j] : i16, memref<8x16xui16, #l>
      }
    }
    tile.copy %t, %y : memref<8x16xui16, #l>, memref<8x16xui16, #g>
  }
  return
}
