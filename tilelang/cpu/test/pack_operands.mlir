// RUN: tl-opt %s -cpu-pack-operands=isa=avx512bf16 | FileCheck %s
// RUN: tl-opt %s -cpu-pack-operands=isa=avx2 | FileCheck %s --check-prefix=AVX2
// RUN: not tl-opt %s -cpu-pack-operands=isa=z80 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown instruction set 'z80'; known are native, avx512bf16, avx512, avx2, x86-64, neon

#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// A row-major A of the compute type stays as it is, B becomes panels; without a dot of bf16 both are widened.
// CHECK-LABEL: func.func @copied
// CHECK: tile.alloc "As" : memref
// CHECK: tile.alloc "Bs" {cpu.packed = {compute = bf16, k = 32 : i64, k_step = 2 : i64, other = 64 : i64, role = "b"}} : memref
// CHECK-NOT: (staged)
// AVX2-LABEL: func.func @copied
// AVX2: tile.alloc "As" {cpu.packed = {compute = f32, k = 32 : i64, k_step = 1 : i64, other = 64 : i64, role = "a"}} : memref
// AVX2: tile.alloc "Bs" {cpu.packed = {compute = f32, k = 32 : i64, k_step = 1 : i64, other = 64 : i64, role = "b"}} : memref
func.func @copied(%A: memref<64x32xbf16, #g>, %B: memref<32x64xbf16, #g>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %As = tile.alloc "As" : memref<64x32xbf16, #s>
    %Bs = tile.alloc "Bs" : memref<32x64xbf16, #s>
    %acc = tile.alloc "acc" : memref<64x64xf32, #f>
    tile.copy %A, %As : memref<64x32xbf16, #g>, memref<64x32xbf16, #s>
    tile.copy %B, %Bs : memref<32x64xbf16, #g>, memref<32x64xbf16, #s>
    tile.gemm %As, %Bs, %acc : memref<64x32xbf16, #s>, memref<32x64xbf16, #s>, memref<64x64xf32, #f>
  }
  return
}

// An odd k leaves half a pair, and a transposed A has no rows: both are packed.
// CHECK-LABEL: func.func @odd_and_transposed
// CHECK: tile.alloc "As" {cpu.packed = {{{.*}} k = 33 : i64, {{.*}} role = "a"}}
// CHECK: tile.alloc "At" {cpu.packed = {{{.*}} role = "a", transposed}}
func.func @odd_and_transposed(%A: memref<64x33xbf16, #g>, %T: memref<33x64xbf16, #g>, %B: memref<33x64xbf16, #g>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %As = tile.alloc "As" : memref<64x33xbf16, #s>
    %At = tile.alloc "At" : memref<33x64xbf16, #s>
    %Bs = tile.alloc "Bs" : memref<33x64xbf16, #s>
    %acc = tile.alloc "acc" : memref<64x64xf32, #f>
    tile.copy %A, %As : memref<64x33xbf16, #g>, memref<64x33xbf16, #s>
    tile.copy %T, %At : memref<33x64xbf16, #g>, memref<33x64xbf16, #s>
    tile.copy %B, %Bs : memref<33x64xbf16, #g>, memref<33x64xbf16, #s>
    tile.gemm %As, %Bs, %acc : memref<64x33xbf16, #s>, memref<33x64xbf16, #s>, memref<64x64xf32, #f>
    tile.gemm %At, %Bs, %acc transposeA : memref<33x64xbf16, #s>, memref<33x64xbf16, #s>, memref<64x64xf32, #f>
  }
  return
}

// A buffer that something else reads or writes, and one that two gemms want in two forms, are copied for each gemm.
// CHECK-LABEL: func.func @other_uses
// CHECK: %[[BS:.*]] = tile.alloc "Bs" : memref
// CHECK: tile.fill
// CHECK: %[[STAGE:.*]] = tile.alloc "Bs (staged)" {cpu.packed = {{{.*}} role = "b"}}
// CHECK: tile.copy %[[BS]], %[[STAGE]]
// CHECK: tile.gemm %{{.*}}, %[[STAGE]], %{{.*}} : memref
// CHECK: %[[OTHER:.*]] = tile.alloc "Bs (staged)" {cpu.packed = {{{.*}} role = "b", transposed}}
// CHECK: tile.copy %[[BS]], %[[OTHER]]
// CHECK: tile.gemm %[[BS]], %[[OTHER]], %{{.*}} transposeB
func.func @other_uses(%A: memref<64x64xbf16, #g>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : bf16
  tile.kernel (%b) in (%c1) {
    %As = tile.alloc "As" : memref<64x64xbf16, #s>
    %Bs = tile.alloc "Bs" : memref<64x64xbf16, #s>
    %acc = tile.alloc "acc" : memref<64x64xf32, #f>
    tile.copy %A, %As : memref<64x64xbf16, #g>, memref<64x64xbf16, #s>
    tile.fill %zero, %Bs : bf16, memref<64x64xbf16, #s>
    tile.gemm %As, %Bs, %acc : memref<64x64xbf16, #s>, memref<64x64xbf16, #s>, memref<64x64xf32, #f>
    tile.gemm %Bs, %Bs, %acc transposeB : memref<64x64xbf16, #s>, memref<64x64xbf16, #s>, memref<64x64xf32, #f>
  }
  return
}

// A part of run-time extents is copied into a stage as large as its buffer.
// CHECK-LABEL: func.func @run_time_part
// CHECK: %[[STAGE:.*]] = tile.alloc "Bs (staged)" {cpu.packed = {{.*}}} : memref<32x16xf32, #shared>
// CHECK: %[[PART:.*]] = tile.region %[[STAGE]][0, 0] [%{{.*}}, 16]
// CHECK: tile.copy %{{.*}}, %[[PART]]
// CHECK: tile.gemm %{{.*}}, %[[PART]], %{{.*}}
func.func @run_time_part(%k: index) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %As = tile.alloc "As" : memref<8x32xf32, #s>
    %Bs = tile.alloc "Bs" : memref<32x16xf32, #s>
    %acc = tile.alloc "acc" : memref<8x16xf32, #f>
    %ap = tile.region %As[0, 0] [8, %k] : memref<8x32xf32, #s> -> <8x?xf32, #s>
    %bp = tile.region %Bs[0, 0] [%k, 16] : memref<32x16xf32, #s> -> <?x16xf32, #s>
    tile.gemm %ap, %bp, %acc : !tile.region<8x?xf32, #s>, !tile.region<?x16xf32, #s>, memref<8x16xf32, #f>
  }
  return
}

// A result of 16 bits is summed in f32 and rounded once; with a cleared one the old contents are not read.
// CHECK-LABEL: func.func @narrow_result
// CHECK: %[[C:.*]] = tile.alloc "acc" : memref<64x64xf16, #fragment>
// CHECK: %[[SUM:.*]] = tile.alloc "acc (staged)" : memref<64x64xf32, #fragment>
// CHECK: tile.copy %[[C]], %[[SUM]]
// CHECK: tile.gemm %{{.*}}, %{{.*}}, %[[SUM]]
// CHECK: tile.copy %[[SUM]], %[[C]]
// CHECK: %[[SUM2:.*]] = tile.alloc "acc (staged)" : memref<64x64xf32, #fragment>
// CHECK-NOT: tile.copy
// CHECK: tile.gemm %{{.*}}, %{{.*}}, %[[SUM2]] clear
// CHECK: tile.copy %[[SUM2]], %[[C]]
func.func @narrow_result(%A: memref<64x64xf16, #g>) {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  tile.kernel (%b) in (%c1) {
    %As = tile.alloc "As" : memref<64x64xf16, #s>
    %Bs = tile.alloc "Bs" : memref<64x64xf16, #s>
    %acc = tile.alloc "acc" : memref<64x64xf16, #f>
    tile.copy %A, %As : memref<64x64xf16, #g>, memref<64x64xf16, #s>
    tile.copy %A, %Bs : memref<64x64xf16, #g>, memref<64x64xf16, #s>
    tile.gemm %As, %Bs, %acc : memref<64x64xf16, #s>, memref<64x64xf16, #s>, memref<64x64xf16, #f>
    tile.gemm %As, %Bs, %acc clear %true : memref<64x64xf16, #s>, memref<64x64xf16, #s>, memref<64x64xf16, #f>
  }
  return
}

// Bytes of one sign: A is packed with its top bits flipped. An accumulator of one register tile is kept apart.
// CHECK-LABEL: func.func @bytes
// CHECK: tile.alloc "acc" {cpu.registers} : memref<16x16xi32, #fragment>
// CHECK: cpu.packed = {biased, compute = i8, k = 64 : i64, k_step = 4 : i64, other = 16 : i64, role = "a"}
// CHECK: tile.gemm
// CHECK-NOT: "Au (staged)"
// CHECK: tile.gemm
// AVX2-LABEL: func.func @bytes
// AVX2: tile.alloc "acc" : memref
// AVX2: cpu.packed = {compute = i16, k = 64 : i64, k_step = 2 : i64, other = 16 : i64, role = "a"}
func.func @bytes() {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %As = tile.alloc "As" : memref<16x64xi8, #s>
    %Au = tile.alloc "Au" : memref<16x64xui8, #s>
    %Bs = tile.alloc "Bs" : memref<64x16xi8, #s>
    %acc = tile.alloc "acc" : memref<16x16xi32, #f>
    %whole = tile.view %As : memref<16x64xi8, #s> to memref<16x64xi8, #s>
    tile.gemm %whole, %Bs, %acc : memref<16x64xi8, #s>, memref<64x16xi8, #s>, memref<16x16xi32, #f>
    %other = tile.view %Au : memref<16x64xui8, #s> to memref<16x64xui8, #s>
    tile.gemm %other, %Bs, %acc : memref<16x64xui8, #s>, memref<64x16xi8, #s>, memref<16x16xi32, #f>
  }
  return
}

// Blocks of a column of the grid take the same tiles of B, and those of a row the same tiles of A: both are shared, so A
// is packed too. What the program writes, and what is filled twice, is not.
// CHECK-LABEL: func.func @shared
// CHECK: tile.alloc "As" {cpu.packed = {{{.*}} role = "a"}}
// CHECK: tile.alloc "Bs" {cpu.packed = {{{.*}} role = "b"}}
// CHECK: tile.copy {{.*}} {cpu.shared = 0 : i64}
// CHECK: tile.copy {{.*}} {cpu.shared = 1 : i64}
// CHECK: tile.gemm
// CHECK-NOT: cpu.shared
// CHECK: return
func.func @shared(%A: memref<?x?xbf16, #g>, %B: memref<?x?xbf16, #g>, %W: memref<?x?xbf16, #g>,
                  %C: memref<?x?xf32, #g>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4 = arith.constant 4 : index
  tile.kernel (%x, %y) in (%c4, %c4) {
    %As = tile.alloc "As" : memref<64x64xbf16, #s>
    %Bs = tile.alloc "Bs" : memref<64x64xbf16, #s>
    %Ws = tile.alloc "Ws" : memref<64x64xbf16, #s>
    %acc = tile.alloc "acc" : memref<64x64xf32, #f>
    %row = arith.muli %y, %c64 : index
    %column = arith.muli %x, %c64 : index
    %a = tile.region %A[%row, 0] [64, 64] : memref<?x?xbf16, #g> -> <64x64xbf16, #g>
    tile.copy %a, %As : !tile.region<64x64xbf16, #g>, memref<64x64xbf16, #s>
    %r = tile.region %B[0, %column] [64, 64] : memref<?x?xbf16, #g> -> <64x64xbf16, #g>
    tile.copy %r, %Bs : !tile.region<64x64xbf16, #g>, memref<64x64xbf16, #s>
    tile.gemm %As, %Bs, %acc : memref<64x64xbf16, #s>, memref<64x64xbf16, #s>, memref<64x64xf32, #f>
    %w = tile.region %W[0, %column] [64, 64] : memref<?x?xbf16, #g> -> <64x64xbf16, #g>
    tile.copy %w, %Ws : !tile.region<64x64xbf16, #g>, memref<64x64xbf16, #s>
    tile.gemm %As, %Ws, %acc : memref<64x64xbf16, #s>, memref<64x64xbf16, #s>, memref<64x64xf32, #f>
    %c = tile.region %C[%row, %column] [64, 64] : memref<?x?xf32, #g> -> <64x64xf32, #g>
    tile.copy %acc, %c : memref<64x64xf32, #f>, !tile.region<64x64xf32, #g>
    %one = arith.constant 1.0 : bf16
    tile.fill %one, %w : bf16, !tile.region<64x64xbf16, #g>
  }
  return
}
