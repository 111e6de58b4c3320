// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifier of tile.gemm refuses.

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_k() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf16, #shared>
    %b = tile.alloc "b" : memref<64x64xf16, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{K extents differ: 32 vs 64}}
    // expected-note@below {{help: operands are `a` (64x32) and `b` (64x64); check the transpose flags}}
    tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<64x64xf16, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_m() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<32x32xf16, #shared>
    %b = tile.alloc "b" : memref<32x64xf16, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{M extents differ: 32 vs 64}}
    // expected-note@below {{help: operands are `a` (32x32) and `c` (64x64); check the transpose flags}}
    tile.gemm %a, %b, %c : memref<32x32xf16, #shared>, memref<32x64xf16, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_n() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf16, #shared>
    %b = tile.alloc "b" : memref<32x32xf16, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{N extents differ: 32 vs 64}}
    // expected-note@below {{help: operands are `b` (32x32) and `c` (64x64); check the transpose flags}}
    tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x32xf16, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_transposed() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf16, #shared>
    %b = tile.alloc "b" : memref<32x64xf16, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{K extents differ: 64 vs 32}}
    // expected-note@below {{help: operands are `a` (64x32) and `b` (32x64); check the transpose flags}}
    tile.gemm %a, %b, %c transposeA : memref<64x32xf16, #shared>, memref<32x64xf16, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_rank() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<32xf16, #shared>
    %b = tile.alloc "b" : memref<32x64xf16, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{gemm operand a, `a` (32), has rank 1}}
    // expected-note@below {{help: gemm operands are matrices; use a view to reshape}}
    tile.gemm %a, %b, %c : memref<32xf16, #shared>, memref<32x64xf16, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_leading() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf16, #shared>
    %b = tile.alloc "b" : memref<2x32x64xf16, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{gemm operand b, `b` (2x32x64), has a leading extent of 2}}
    // expected-note@below {{help: leading extents must be 1}}
    tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<2x32x64xf16, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_mixed() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf16, #shared>
    %b = tile.alloc "b" : memref<32x64xbf16, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{gemm of f16 by bf16 into f32 is not supported}}
    // expected-note@below {{help: inputs are both f32, both f16, both bf16 or any two of e4m3 and e5m2, into f32, f16 or bf16; both f64, into f64; any two of i8 and u8, into i32}}
    tile.gemm %a, %b, %c : memref<64x32xf16, #shared>, memref<32x64xbf16, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_narrow() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf32, #shared>
    %b = tile.alloc "b" : memref<32x64xf32, #shared>
    %c = tile.alloc "c" : memref<64x64xi32, #fragment>
    // expected-error@below {{gemm of f32 by f32 into i32 is not supported}}
    // expected-note@below {{help: inputs are both f32, both f16, both bf16 or any two of e4m3 and e5m2, into f32, f16 or bf16; both f64, into f64; any two of i8 and u8, into i32}}
    tile.gemm %a, %b, %c : memref<64x32xf32, #shared>, memref<32x64xf32, #shared>, memref<64x64xi32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_int16() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xi16, #shared>
    %b = tile.alloc "b" : memref<32x64xi16, #shared>
    %c = tile.alloc "c" : memref<64x64xi32, #fragment>
    // expected-error@below {{gemm of i16 by i16 into i32 is not supported}}
    // expected-note@below {{help: inputs are both f32, both f16, both bf16 or any two of e4m3 and e5m2, into f32, f16 or bf16; both f64, into f64; any two of i8 and u8, into i32}}
    tile.gemm %a, %b, %c : memref<64x32xi16, #shared>, memref<32x64xi16, #shared>, memref<64x64xi32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_double() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf64, #shared>
    %b = tile.alloc "b" : memref<32x64xf64, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{gemm of f64 by f64 into f32 is not supported}}
    // expected-note@below {{help: inputs are both f32, both f16, both bf16 or any two of e4m3 and e5m2, into f32, f16 or bf16; both f64, into f64; any two of i8 and u8, into i32}}
    tile.gemm %a, %b, %c : memref<64x32xf64, #shared>, memref<32x64xf64, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_unsigned() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xui8, #shared>
    %b = tile.alloc "b" : memref<32x64xi8, #shared>
    %c = tile.alloc "c" : memref<64x64xui32, #fragment>
    // expected-error@below {{gemm of u8 by i8 into u32 is not supported}}
    // expected-note@below {{help: inputs are both f32, both f16, both bf16 or any two of e4m3 and e5m2, into f32, f16 or bf16; both f64, into f64; any two of i8 and u8, into i32}}
    tile.gemm %a, %b, %c : memref<64x32xui8, #shared>, memref<32x64xi8, #shared>, memref<64x64xui32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_scale() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf8E8M0FNU, #shared>
    %b = tile.alloc "b" : memref<32x64xf8E8M0FNU, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{gemm of e8m0 by e8m0 into f32 is not supported}}
    // expected-note@below {{help: inputs are both f32, both f16, both bf16 or any two of e4m3 and e5m2, into f32, f16 or bf16; both f64, into f64; any two of i8 and u8, into i32}}
    tile.gemm %a, %b, %c : memref<64x32xf8E8M0FNU, #shared>, memref<32x64xf8E8M0FNU, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_float8_result() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf8E4M3FN, #shared>
    %b = tile.alloc "b" : memref<32x64xf8E5M2, #shared>
    %c = tile.alloc "c" : memref<64x64xf8E4M3FN, #fragment>
    // expected-error@below {{gemm of e4m3 by e5m2 into e4m3 is not supported}}
    // expected-note@below {{help: inputs are both f32, both f16, both bf16 or any two of e4m3 and e5m2, into f32, f16 or bf16; both f64, into f64; any two of i8 and u8, into i32}}
    tile.gemm %a, %b, %c : memref<64x32xf8E4M3FN, #shared>, memref<32x64xf8E5M2, #shared>, memref<64x64xf8E4M3FN, #fragment>
  }
  return
}

// -----

#global = #tile.space<global>
#shared = #tile.space<shared>
#fragment = #tile.space<fragment>
func.func @gemm_global_operand(%A: memref<64x32xf16, #global> {tile.name = "A"}) {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %b = tile.alloc "b" : memref<32x64xf16, #shared>
    %c = tile.alloc "c" : memref<64x64xf32, #fragment>
    // expected-error@below {{gemm operand a, `A` (64x32), is in the space global}}
    // expected-note@below {{help: copy it to a tile in shared, fragment, local, l1 or l0a}}
    tile.gemm %A, %b, %c : memref<64x32xf16, #global>, memref<32x64xf16, #shared>, memref<64x64xf32, #fragment>
  }
  return
}

// -----

#l0a = #tile.space<l0a>
#l0c = #tile.space<l0c>
func.func @gemm_wrong_l0() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf16, #l0a>
    %b = tile.alloc "b" : memref<32x64xf16, #l0a>
    %c = tile.alloc "c" : memref<64x64xf32, #l0c>
    // expected-error@below {{gemm operand b, `b` (32x64), is in the space l0a}}
    // expected-note@below {{help: copy it to a tile in shared, fragment, local, l1 or l0b}}
    tile.gemm %a, %b, %c : memref<64x32xf16, #l0a>, memref<32x64xf16, #l0a>, memref<64x64xf32, #l0c>
  }
  return
}

// -----

#l1 = #tile.space<l1>
#l0a = #tile.space<l0a>
#l0b = #tile.space<l0b>
func.func @gemm_result_space() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x32xf16, #l0a>
    %b = tile.alloc "b" : memref<32x64xf16, #l0b>
    %c = tile.alloc "c" : memref<64x64xf32, #l1>
    // expected-error@below {{gemm operand c, `c` (64x64), is in the space l1}}
    // expected-note@below {{help: copy it to a tile in shared, fragment, local, or l0c}}
    tile.gemm %a, %b, %c : memref<64x32xf16, #l0a>, memref<32x64xf16, #l0b>, memref<64x64xf32, #l1>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @gemm_overlap() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x64xf32, #shared>
    %b = tile.alloc "b" : memref<64x64xf32, #shared>
    // expected-error@below {{gemm reads `a` (64x64) and writes overlapping elements of it, `a` (64x64)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.gemm %a, %b, %a : memref<64x64xf32, #shared>, memref<64x64xf32, #shared>, memref<64x64xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @gemm_overlap_b() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<64x64xf32, #shared>
    %b = tile.alloc "b" : memref<64x64xf32, #shared>
    // expected-error@below {{gemm reads `b` (64x64) and writes overlapping elements of it, `b` (64x64)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.gemm %a, %b, %b : memref<64x64xf32, #shared>, memref<64x64xf32, #shared>, memref<64x64xf32, #shared>
  }
  return
}
