// RUN: tl run %s --check --no-cache --target cpu:x86-64 | FileCheck %s
// RUN: tl run %s --check --no-cache --target cpu:native | FileCheck %s
// RUN: tl-opt %s -cpu-emit-blocks=isa=avx512 | FileCheck %s --check-prefix=MASK
// Comparisons of an index that lanes share with one that counts them are ranges of lanes, where sums cannot overflow.

// CHECK: right: largest error 0
// MASK: vector.create_mask
// MASK-NOT: arith.cmpi slt, {{.*}} : vector<16xindex>
// MASK: arith.cmpi eq, {{.*}} : vector<16xindex>
#g = #tile.space<global>
#l = #tile.space<local>
func.func @compared(%y: memref<9x80xi32, #g> {tile.access = "write", tile.name = "y"}) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c20 = arith.constant 20 : index
  %c30 = arith.constant 30 : index
  %c80 = arith.constant 80 : index
  %zero = arith.constant 0 : i32
  tile.kernel (%b) in (%c1) {
    %t = tile.alloc "t" : memref<9x80xi32, #l>
    tile.parallel (%i, %j) in (%c9, %c80) {
      %r = arith.muli %i, %c9 : index
      %k = arith.subi %j, %c20 : index
      %back = arith.subi %c30, %j : index
      %near = arith.addi %j, %r : index
      %p0 = arith.cmpi slt, %k, %r : index
      %b0 = arith.constant 1 : i32
      %s0 = arith.select %p0, %b0, %zero : i32
      %o0 = arith.ori %zero, %s0 : i32
      %p1 = arith.cmpi sle, %k, %r : index
      %b1 = arith.constant 2 : i32
      %s1 = arith.select %p1, %b1, %zero : i32
      %o1 = arith.ori %o0, %s1 : i32
      %p2 = arith.cmpi sgt, %k, %r : index
      %b2 = arith.constant 4 : i32
      %s2 = arith.select %p2, %b2, %zero : i32
      %o2 = arith.ori %o1, %s2 : i32
      %p3 = arith.cmpi sge, %k, %r : index
      %b3 = arith.constant 8 : i32
      %s3 = arith.select %p3, %b3, %zero : i32
      %o3 = arith.ori %o2, %s3 : i32
      %p4 = arith.cmpi eq, %k, %r : index
      %b4 = arith.constant 16 : i32
      %s4 = arith.select %p4, %b4, %zero : i32
      %o4 = arith.ori %o3, %s4 : i32
      %p5 = arith.cmpi ne, %k, %r : index
      %b5 = arith.constant 32 : i32
      %s5 = arith.select %p5, %b5, %zero : i32
      %o5 = arith.ori %o4, %s5 : i32
      %p6 = arith.cmpi ult, %k, %r : index
      %b6 = arith.constant 64 : i32
      %s6 = arith.select %p6, %b6, %zero : i32
      %o6 = arith.ori %o5, %s6 : i32
      %p7 = arith.cmpi ule, %k, %r : index
      %b7 = arith.constant 128 : i32
      %s7 = arith.select %p7, %b7, %zero : i32
      %o7 = arith.ori %o6, %s7 : i32
      %p8 = arith.cmpi ugt, %k, %r : index
      %b8 = arith.constant 256 : i32
      %s8 = arith.select %p8, %b8, %zero : i32
      %o8 = arith.ori %o7, %s8 : i32
      %p9 = arith.cmpi uge, %k, %r : index
      %b9 = arith.constant 512 : i32
      %s9 = arith.select %p9, %b9, %zero : i32
      %o9 = arith.ori %o8, %s9 : i32
      %p10 = arith.cmpi slt, %r, %k : index
      %b10 = arith.constant 1024 : i32
      %s10 = arith.select %p10, %b10, %zero : i32
      %o10 = arith.ori %o9, %s10 : i32
      %p11 = arith.cmpi sle, %r, %k : index
      %b11 = arith.constant 2048 : i32
      %s11 = arith.select %p11, %b11, %zero : i32
      %o11 = arith.ori %o10, %s11 : i32
      %p12 = arith.cmpi sgt, %r, %k : index
      %b12 = arith.constant 4096 : i32
      %s12 = arith.select %p12, %b12, %zero : i32
      %o12 = arith.ori %o11, %s12 : i32
      %p13 = arith.cmpi sge, %r, %k : index
      %b13 = arith.constant 8192 : i32
      %s13 = arith.select %p13, %b13, %zero : i32
      %o13 = arith.ori %o12, %s13 : i32
      %p14 = arith.cmpi slt, %back, %r : index
      %b14 = arith.constant 16384 : i32
      %s14 = arith.select %p14, %b14, %zero : i32
      %o14 = arith.ori %o13, %s14 : i32
      %p15 = arith.cmpi sle, %back, %r : index
      %b15 = arith.constant 32768 : i32
      %s15 = arith.select %p15, %b15, %zero : i32
      %o15 = arith.ori %o14, %s15 : i32
      %p16 = arith.cmpi sgt, %back, %r : index
      %b16 = arith.constant 65536 : i32
      %s16 = arith.select %p16, %b16, %zero : i32
      %o16 = arith.ori %o15, %s16 : i32
      %p17 = arith.cmpi sge, %back, %r : index
      %b17 = arith.constant 131072 : i32
      %s17 = arith.select %p17, %b17, %zero : i32
      %o17 = arith.ori %o16, %s17 : i32
      %p18 = arith.cmpi slt, %k, %back : index
      %b18 = arith.constant 262144 : i32
      %s18 = arith.select %p18, %b18, %zero : i32
      %o18 = arith.ori %o17, %s18 : i32
      %p19 = arith.cmpi sle, %k, %back : index
      %b19 = arith.constant 524288 : i32
      %s19 = arith.select %p19, %b19, %zero : i32
      %o19 = arith.ori %o18, %s19 : i32
      %p20 = arith.cmpi sgt, %k, %back : index
      %b20 = arith.constant 1048576 : i32
      %s20 = arith.select %p20, %b20, %zero : i32
      %o20 = arith.ori %o19, %s20 : i32
      %p21 = arith.cmpi sge, %k, %back : index
      %b21 = arith.constant 2097152 : i32
      %s21 = arith.select %p21, %b21, %zero : i32
      %o21 = arith.ori %o20, %s21 : i32
      %p22 = arith.cmpi slt, %near, %near : index
      %b22 = arith.constant 4194304 : i32
      %s22 = arith.select %p22, %b22, %zero : i32
      %o22 = arith.ori %o21, %s22 : i32
      %p23 = arith.cmpi sle, %near, %near : index
      %b23 = arith.constant 8388608 : i32
      %s23 = arith.select %p23, %b23, %zero : i32
      %o23 = arith.ori %o22, %s23 : i32
      %p24 = arith.cmpi sgt, %near, %near : index
      %b24 = arith.constant 16777216 : i32
      %s24 = arith.select %p24, %b24, %zero : i32
      %o24 = arith.ori %o23, %s24 : i32
      %p25 = arith.cmpi sge, %near, %near : index
      %b25 = arith.constant 33554432 : i32
      %s25 = arith.select %p25, %b25, %zero : i32
      %o25 = arith.ori %o24, %s25 : i32
      %p26 = arith.cmpi slt, %near, %c30 : index
      %b26 = arith.constant 67108864 : i32
      %s26 = arith.select %p26, %b26, %zero : i32
      %o26 = arith.ori %o25, %s26 : i32
      %p27 = arith.cmpi sle, %near, %c30 : index
      %b27 = arith.constant 134217728 : i32
      %s27 = arith.select %p27, %b27, %zero : i32
      %o27 = arith.ori %o26, %s27 : i32
      %p28 = arith.cmpi sgt, %near, %c30 : index
      %b28 = arith.constant 268435456 : i32
      %s28 = arith.select %p28, %b28, %zero : i32
      %o28 = arith.ori %o27, %s28 : i32
      %p29 = arith.cmpi sge, %near, %c30 : index
      %b29 = arith.constant 536870912 : i32
      %s29 = arith.select %p29, %b29, %zero : i32
      %o29 = arith.ori %o28, %s29 : i32
      tile.store %o29, %t[%i, %j] : i32, memref<9x80xi32, #l>
    }
    tile.copy %t, %y : memref<9x80xi32, #l>, memref<9x80xi32, #g>
  }
  return
}
