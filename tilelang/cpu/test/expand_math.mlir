// RUN: tl-opt %s -cpu-expand-math=isa=avx512 | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: tl-opt %s -cpu-expand-math=isa=avx2 | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: tl-opt %s -cpu-expand-math=isa=x86-64 | FileCheck %s --check-prefixes=CHECK,BASE
// RUN: tl-opt %s -cpu-expand-math=isa=neon | FileCheck %s --check-prefixes=CHECK,NEON
// RUN: not tl-opt %s -cpu-expand-math=isa=mmx 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// Functions become calls of the vector math library, in pieces of the vector length, or inline code.

// UNKNOWN: error: unknown instruction set 'mmx'

// The library's functions depend on their operands alone.
// AVX512-DAG: llvm.func @Sleef_finz_sinf16_u10avx512f(vector<16xf32>) -> vector<16xf32> attributes {memory_effects = #llvm.memory_effects<other = none,{{.*}}no_unwind, will_return}

// CHECK-LABEL: func.func @lanes
func.func @lanes(%x: vector<16xf32>, %y: vector<16xf64>) -> (vector<16xf32>, vector<16xf64>) {
  // AVX512: llvm.call @Sleef_finz_sinf16_u10avx512f(%{{.*}}) : (vector<16xf32>) -> vector<16xf32>
  // AVX2-COUNT-2: llvm.call @Sleef_finz_sinf8_u10avx2(
  // BASE-COUNT-4: llvm.call @Sleef_cinz_sinf4_u10sse2(
  // NEON-COUNT-4: llvm.call @Sleef_finz_sinf4_u10advsimd(
  %0 = math.sin %x : vector<16xf32>
  // AVX512-COUNT-2: llvm.call @Sleef_finz_atan2d8_u10avx512f({{.*}}) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
  // AVX2-COUNT-4: llvm.call @Sleef_finz_atan2d4_u10avx2(
  // BASE-COUNT-8: llvm.call @Sleef_cinz_atan2d2_u10sse2(
  // NEON-COUNT-8: llvm.call @Sleef_finz_atan2d2_u10advsimd(
  %1 = math.atan2 %y, %y : vector<16xf64>
  return %0, %1 : vector<16xf32>, vector<16xf64>
}

// Scalars take the scalar function of the same family, which gives the same bits.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%x: f32, %y: f64) -> (f32, f64) {
  // AVX512: llvm.call @Sleef_finz_tanf1_u10purecfma(
  // BASE: llvm.call @Sleef_cinz_tanf1_u10purec(
  %0 = math.tan %x : f32
  // AVX512: llvm.call @Sleef_finz_erfcd1_u15purecfma(
  %1 = math.erfc %y : f64
  return %0, %1 : f32, f64
}

// Frequent functions of f32 are inline where there is fused multiply-add.
// CHECK-LABEL: func.func @inline
func.func @inline(%x: vector<16xf32>, %y: f32) -> (vector<16xf32>, f32) {
  // AVX512-NOT: llvm.call @
  // AVX512: math.fma %{{.*}} : vector<16xf32>
  // AVX512: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"
  // AVX512: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
  // AVX512: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
  // AVX2-NOT: llvm.call @
  // AVX2-COUNT-4: llvm.call_intrinsic "llvm.x86.avx2.permps"
  // NEON-NOT: llvm.call @
  // NEON-COUNT-16: llvm.load
  // BASE-COUNT-4: llvm.call @Sleef_cinz_expf4_u10sse2(
  %0 = math.exp %x : vector<16xf32>
  // A scalar reads the table in memory.
  // AVX512: llvm.mlir.addressof @cpu.table.exp
  // AVX512: llvm.load
  // BASE: llvm.call @Sleef_cinz_expf1_u10purec(
  %1 = math.exp %y : f32
  return %0, %1 : vector<16xf32>, f32
}

// CHECK-LABEL: func.func @others
func.func @others(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  // AVX512-NOT: llvm.call @
  // AVX2-NOT: llvm.call @
  // NEON-NOT: llvm.call @
  // AVX512: llvm.call_intrinsic "llvm.x86.avx512.mask.getmant.ps.512"
  // AVX512-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.mask.getexp.ps.512"
  // BASE-COUNT-4: llvm.call @Sleef_cinz_logf4_u10sse2(
  %0 = math.log %x : vector<16xf32>
  // BASE-COUNT-4: llvm.call @Sleef_cinz_log2f4_u10sse2(
  %1 = math.log2 %x : vector<16xf32>
  // BASE-COUNT-4: llvm.call @Sleef_cinz_log10f4_u10sse2(
  %2 = math.log10 %x : vector<16xf32>
  // AVX512: llvm.call_intrinsic "llvm.x86.avx512.mask.rndscale.ps.512"
  // AVX512-COUNT-6: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
  // BASE-COUNT-4: llvm.call @Sleef_cinz_erff4_u10sse2(
  %3 = math.erf %x : vector<16xf32>
  // AVX512-COUNT-6: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
  // BASE-COUNT-4: llvm.call @Sleef_cinz_tanhf4_u10sse2(
  %4 = math.tanh %x : vector<16xf32>
  // CHECK: return
  return %0, %1, %2, %3, %4 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// Only those of f32.
// CHECK-LABEL: func.func @wide
func.func @wide(%x: f64) -> f64 {
  // AVX512: llvm.call @Sleef_finz_expd1_u10purecfma(
  %0 = math.exp %x : f64
  return %0 : f64
}

// Powers of 2 and of 10 have functions of their own, other powers do not.
// CHECK-LABEL: func.func @powers
func.func @powers(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %ten = arith.constant dense<10.0> : vector<16xf32>
  %two = arith.constant dense<2.0> : vector<16xf32>
  // BASE-COUNT-4: llvm.call @Sleef_cinz_exp10f4_u10sse2(
  // AVX512-NOT: llvm.call @
  %0 = math.powf %ten, %x : vector<16xf32>
  // BASE-COUNT-4: llvm.call @Sleef_cinz_exp2f4_u10sse2(
  %1 = math.powf %two, %x : vector<16xf32>
  // AVX512: llvm.call @Sleef_finz_powf16_u10avx512f(%{{.*}}, %{{.*}}) :
  %2 = math.powf %x, %two : vector<16xf32>
  return %0, %1, %2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// A vector that is shorter than the machine's is taken lane by lane.
// CHECK-LABEL: func.func @short
func.func @short(%x: vector<2xf32>) -> vector<2xf32> {
  // AVX512-COUNT-2: llvm.call @Sleef_finz_sinf1_u10purecfma(
  // AVX512-NOT: math.sin
  %0 = math.sin %x : vector<2xf32>
  return %0 : vector<2xf32>
}

// What the machine or LLVM does stays.
// CHECK-LABEL: func.func @kept
func.func @kept(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  // CHECK: math.sqrt
  %0 = math.sqrt %x : vector<16xf32>
  // CHECK: math.floor
  %1 = math.floor %x : vector<16xf32>
  return %0, %1 : vector<16xf32>, vector<16xf32>
}
