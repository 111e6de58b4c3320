// RUN: tl-opt %s -cpu-emit-blocks -split-input-file | FileCheck %s
// Conversions of a machine without special instructions: integer code, and no conversion that LLVM would turn into calls.

// bf16 takes the upper half of f32, rounded; a NaN stays one.
// CHECK-LABEL: llvm.func @to_bf16_block0
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK: arith.shrui %{{.*}} : vector<16xi32>
// CHECK: arith.cmpf uno
// CHECK: arith.trunci %{{.*}} : vector<16xi32> to vector<16xi16>
// CHECK-NOT: arith.truncf
// CHECK: vector.store %{{.*}} : memref<64xi16>, vector<16xi16>
func.func @to_bf16(%A: memref<64xf32, #tile.space<global>>, %B: memref<64xbf16, #tile.space<global>>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.copy %A, %B : memref<64xf32, #tile.space<global>>, memref<64xbf16, #tile.space<global>>
  }
  return
}

// -----

// A copy saturates in 8-bit formats: the magnitude is limited to 448, and a sum rounds it.
// CHECK-LABEL: llvm.func @to_e4m3_block0
// CHECK: %[[LARGEST:.*]] = arith.constant dense<4.480000e+02> : vector<16xf32>
// CHECK: %[[MAGNITUDE:.*]] = arith.select %{{.*}}, %[[LARGEST]], %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK: arith.addf %[[MAGNITUDE]], %{{.*}} : vector<16xf32>
// CHECK-NOT: arith.minsi
// CHECK: vector.store %{{.*}} : memref<64xi8>, vector<16xi8>
func.func @to_e4m3(%A: memref<64xf32, #tile.space<global>>, %B: memref<64xf8E4M3FN, #tile.space<global>>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.copy %A, %B : memref<64xf32, #tile.space<global>>, memref<64xf8E4M3FN, #tile.space<global>>
  }
  return
}

// -----

// The instruction for bf16 takes subnormal numbers for zero; vectors with one are rounded in integers.
// RUN: tl-opt %s -cpu-emit-blocks=isa=avx512bf16 -split-input-file | FileCheck %s --check-prefix=BF16
// BF16-LABEL: llvm.func @to_bf16_block0
// BF16: %[[SUBNORMAL:.*]] = llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"
// BF16: vector.reduction <or>, %[[SUBNORMAL]]
// BF16: scf.if
// BF16: arith.trunci %{{.*}} : vector<16xi32> to vector<16xi16>
// BF16: } else {
// BF16: llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"

// f16 without an instruction for it is widened by hand, and integers saturate.
// CHECK-LABEL: llvm.func @from_f16_block0
// CHECK-NOT: arith.extf
// CHECK: llvm.call_intrinsic "llvm.fptoui.sat"({{.*}}) : (vector<16xf32>) -> vector<16xi8>
func.func @from_f16(%A: memref<64xf16, #tile.space<global>>, %B: memref<64xui8, #tile.space<global>>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.copy %A, %B : memref<64xf16, #tile.space<global>>, memref<64xui8, #tile.space<global>>
  }
  return
}

// -----

// f64 is exact for 32 bits; 64 bits are rounded to odd first, so that bf16 is rounded once.
// CHECK-LABEL: llvm.func @from_i64_block0
// CHECK: %[[LOW:.*]] = arith.constant dense<2047> : vector<16xi64>
// CHECK: arith.andi %{{.*}}, %[[LOW]]
// CHECK: arith.sitofp %{{.*}} : vector<16xi64> to vector<16xf64>
func.func @from_i64(%A: memref<64xi64, #tile.space<global>>, %B: memref<64xbf16, #tile.space<global>>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    tile.copy %A, %B : memref<64xi64, #tile.space<global>>, memref<64xbf16, #tile.space<global>>
  }
  return
}
