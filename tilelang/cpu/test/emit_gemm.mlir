// RUN: tl-opt %s -cpu-pack-operands=isa=avx512bf16 -cpu-plan-arena -cpu-emit-blocks=isa=avx512bf16 -canonicalize -cse | FileCheck %s
// RUN: tl-opt %s -cpu-pack-operands=isa=avx2 -cpu-plan-arena -cpu-emit-blocks=isa=avx2 -canonicalize -cse | FileCheck %s --check-prefix=AVX2
// RUN: tl-opt %s -cpu-pack-operands=isa=x86-64 -cpu-plan-arena -cpu-emit-blocks=isa=x86-64 -canonicalize -cse | FileCheck %s --check-prefix=SSE
// RUN: tl-opt %s -cpu-pack-operands=isa=neon -cpu-plan-arena -cpu-emit-blocks=isa=neon -canonicalize -cse | FileCheck %s --check-prefix=NEON
// RUN: not tl-opt %s -cpu-plan-arena -cpu-emit-blocks=isa=avx2 2>&1 | FileCheck %s --check-prefix=UNSTAGED
// UNSTAGED: error: operands are not staged for the micro-kernel; cpu-pack-operands does that

#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>

// Six rows of four vectors: accumulators go round the loop over k as values.
// CHECK-LABEL: llvm.func @gemm_block0
// Pairs of rows of B are interleaved as they are copied.
// CHECK: vector.interleave %{{.*}}, %{{.*}} : vector<16xbf16> -> vector<32xbf16>
// CHECK: scf.for %{{.*}} iter_args({{.*}}) -> (vector<16xf32>{{((, vector<16xf32>){23})}})
// CHECK: vector.load {{.*}} vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// CHECK: scf.yield
// Two rows are left over.
// CHECK: scf.for %{{.*}} iter_args({{.*}}) -> (vector<16xf32>{{((, vector<16xf32>){7})}})

// AVX2: vector.fma {{.*}} : vector<8xf32>
// AVX2-NOT: llvm.x86

// SSE: arith.mulf {{.*}} : vector<4xf32>
// SSE-NOT: vector.fma
// SSE-NOT: llvm.x86

// NEON: vector.fma {{.*}} : vector<4xf32>
// NEON-NOT: llvm.x86
func.func @gemm(%A: memref<128x32xbf16, #g>, %B: memref<32x128xbf16, #g>, %C: memref<128x128xf32, #g>) {
  %c1 = arith.constant 1 : index
  tile.kernel (%b) in (%c1) {
    %As = tile.alloc "As" : memref<128x32xbf16, #s>
    %Bs = tile.alloc "Bs" : memref<32x128xbf16, #s>
    %acc = tile.alloc "acc" : memref<128x128xf32, #f>
    tile.copy %A, %As : memref<128x32xbf16, #g>, memref<128x32xbf16, #s>
    tile.copy %B, %Bs : memref<32x128xbf16, #g>, memref<32x128xbf16, #s>
    tile.copy %C, %acc : memref<128x128xf32, #g>, memref<128x128xf32, #f>
    tile.gemm %As, %Bs, %acc : memref<128x32xbf16, #s>, memref<32x128xbf16, #s>, memref<128x128xf32, #f>
    tile.copy %acc, %C : memref<128x128xf32, #f>, memref<128x128xf32, #g>
  }
  return
}
