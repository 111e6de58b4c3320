// RUN: tl-opt %s | FileCheck %s
// RUN: tl-opt %s | tl-opt | FileCheck %s
// RUN: tl-opt --mlir-print-op-generic %s | tl-opt | FileCheck %s
// Scalar operations print and parse back in both forms.


// CHECK-LABEL: func.func @casts
func.func @casts(%x: f32, %i: i32, %n: index) {
  // CHECK: tile.cast %{{.*}} : f32 to bf16
  %0 = tile.cast %x : f32 to bf16
  // CHECK: tile.cast %{{.*}} round <floor> : f32 to i32
  %1 = tile.cast %x round <floor> : f32 to i32
  // CHECK: tile.cast %{{.*}} round <odd> saturate : f32 to f8E4M3FN
  %2 = tile.cast %x round <odd> saturate : f32 to f8E4M3FN
  // CHECK: tile.cast %{{.*}} from_unsigned : i32 to f16
  %3 = tile.cast %i from_unsigned : i32 to f16
  // CHECK: tile.cast %{{.*}} round <rint> to_unsigned : f32 to i64
  %4 = tile.cast %x round <rint> to_unsigned : f32 to i64
  // CHECK: tile.cast %{{.*}} from_unsigned to_unsigned : i32 to i64
  %5 = tile.cast %i from_unsigned to_unsigned : i32 to i64
  // CHECK: tile.cast %{{.*}} : i32 to i1
  %6 = tile.cast %i : i32 to i1
  // CHECK: tile.cast %{{.*}} : index to f8E8M0FNU
  %7 = tile.cast %n : index to f8E8M0FNU
  // CHECK: tile.cast %{{.*}} round <ceil> : f32 to i8
  %8 = tile.cast %x round <ceil> : f32 to i8
  // CHECK: tile.cast %{{.*}} round <round> : f32 to i16
  %9 = tile.cast %x round <round> : f32 to i16
  // CHECK: tile.cast %{{.*}} round <trunc> : f32 to i16
  %10 = tile.cast %x round <trunc> : f32 to i16
  return
}

// CHECK-LABEL: func.func @math
func.func @math(%x: f32, %y: f32, %h: f16, %n: i32) {
  // CHECK: tile.sigmoid %{{.*}} : f32
  %0 = tile.sigmoid %x : f32
  // CHECK: tile.exp10 %{{.*}} : f16
  %1 = tile.exp10 %h : f16
  // CHECK: tile.hypot %{{.*}}, %{{.*}} : f32
  %2 = tile.hypot %x, %y : f32
  // CHECK: tile.nextafter %{{.*}}, %{{.*}} : f32
  %3 = tile.nextafter %x, %y : f32
  // CHECK: tile.ldexp %{{.*}}, %{{.*}} : f32, i32
  %4 = tile.ldexp %x, %n : f32, i32
  return
}
