// RUN: tl-opt %s -cpu-expand-math | FileCheck %s
// Functions become calls, one for each piece of the baseline's four lanes of f32 or two of f64; scalars have their own.

// CHECK-LABEL: llvm.func @f
llvm.func @f(%v: vector<16xf32>, %d: vector<4xf64>, %x: f32, %y: f32) {
  // CHECK-COUNT-4: llvm.call @Sleef_cinz_expf4_u10sse2(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
  %0 = math.exp %v : vector<16xf32>
  // CHECK-COUNT-2: llvm.call @Sleef_cinz_erfcd2_u15sse2(%{{.*}}) : (vector<2xf64>) -> vector<2xf64>
  %1 = math.erfc %d : vector<4xf64>
  // CHECK: llvm.call @Sleef_cinz_powf1_u10purec(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  %2 = math.powf %x, %y : f32
  // Instructions stay.
  // CHECK: math.sqrt
  %3 = math.sqrt %v : vector<16xf32>
  // CHECK: math.fma
  %4 = math.fma %x, %y, %x : f32
  llvm.return
}
