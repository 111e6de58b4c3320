// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the verifiers of tile.reduce and tile.scan refuse.

#shared = #tile.space<shared>
func.func @reduce_dim() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<4xf32, #shared>
    // expected-error@below {{dim 2 of `a` (4x8) does not exist}}
    // expected-note@below {{help: dims run from 0 to 1}}
    tile.reduce sum %a, %b {dim = 2} : memref<4x8xf32, #shared>, memref<4xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_negative_dim() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<4xf32, #shared>
    // expected-error@below {{dim -1 of `a` (4x8) does not exist}}
    // expected-note@below {{help: dims run from 0 to 1}}
    tile.reduce sum %a, %b {dim = -1} : memref<4x8xf32, #shared>, memref<4xf32, #shared>
  }
  return
}

// -----

#var = #tile.space<var>
func.func @reduce_scalar() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<f32, #var>
    %b = tile.alloc "b" : memref<f32, #var>
    // expected-error@below {{dim 0 of `a` (scalar) does not exist}}
    // expected-note@below {{help: a scalar has no dims}}
    tile.reduce sum %a, %b {dim = 0} : memref<f32, #var>, memref<f32, #var>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_shape() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<8xf32, #shared>
    // expected-error@below {{reduction of `a` (4x8) over dim 1 does not fit `b` (8)}}
    // expected-note@below {{help: the result is 4 or 4x1}}
    tile.reduce max %a, %b {dim = 1} : memref<4x8xf32, #shared>, memref<8xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_logical() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xi32, #shared>
    %b = tile.alloc "b" : memref<4xi32, #shared>
    // expected-error@below {{element types differ: bool vs i32}}
    // expected-note@below {{help: any and all write bool}}
    tile.reduce any %a, %b {dim = 1} : memref<4x8xi32, #shared>, memref<4xi32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_bitwise() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<4xf32, #shared>
    // expected-error@below {{bitwise reduction of f32 elements}}
    // expected-note@below {{help: use an integer type}}
    tile.reduce bitor %a, %b {dim = 1} : memref<4x8xf32, #shared>, memref<4xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_bool() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xi1, #shared>
    %b = tile.alloc "b" : memref<4xi1, #shared>
    // expected-error@below {{reduction sum of bool elements}}
    // expected-note@below {{help: use a number type, or any / all for bool}}
    tile.reduce sum %a, %b {dim = 1} : memref<4x8xi1, #shared>, memref<4xi1, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_scale() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf8E8M0FNU, #shared>
    %b = tile.alloc "b" : memref<4xf8E8M0FNU, #shared>
    // expected-error@below {{reduction max of e8m0 elements}}
    // expected-note@below {{help: use a number type, or any / all for bool}}
    tile.reduce max %a, %b {dim = 1} : memref<4x8xf8E8M0FNU, #shared>, memref<4xf8E8M0FNU, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_type() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf16, #shared>
    %b = tile.alloc "b" : memref<4xf32, #shared>
    // expected-error@below {{element types differ: f16 vs f32}}
    // expected-note@below {{help: both sides need one type; sums may be kept in a wider one}}
    tile.reduce max %a, %b {dim = 1} : memref<4x8xf16, #shared>, memref<4xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_narrowing() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<4xf16, #shared>
    // expected-error@below {{element types differ: f32 vs f16}}
    // expected-note@below {{help: both sides need one type; sums may be kept in a wider one}}
    tile.reduce sum %a, %b {dim = 1} : memref<4x8xf32, #shared>, memref<4xf16, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_class() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xi8, #shared>
    %b = tile.alloc "b" : memref<4xf32, #shared>
    // expected-error@below {{element types differ: i8 vs f32}}
    // expected-note@below {{help: both sides need one type; sums may be kept in a wider one}}
    tile.reduce sum %a, %b {dim = 1} : memref<4x8xi8, #shared>, memref<4xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_overlap() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %r = tile.region %a[0, 0] [4, 1] : memref<4x8xf32, #shared> -> <4x1xf32, #shared>
    // expected-error@below {{reduce reads `a` (4x8) and writes overlapping elements of it, `a` (4x1)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.reduce sum %a, %r {dim = 1} : memref<4x8xf32, #shared>, !tile.region<4x1xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @reduce_any_overlap() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xi1, #shared>
    %r = tile.region %a[0, 0] [4, 1] : memref<4x8xi1, #shared> -> <4x1xi1, #shared>
    // expected-error@below {{reduce reads `a` (4x8) and writes overlapping elements of it, `a` (4x1)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.reduce any %a, %r {dim = 1} : memref<4x8xi1, #shared>, !tile.region<4x1xi1, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @scan_dim() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<4x8xf32, #shared>
    // expected-error@below {{dim 2 of `a` (4x8) does not exist}}
    // expected-note@below {{help: dims run from 0 to 1}}
    tile.scan sum %a, %b {dim = 2} : memref<4x8xf32, #shared>, memref<4x8xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @scan_shape() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf32, #shared>
    %b = tile.alloc "b" : memref<4x7xf32, #shared>
    // expected-error@below {{shapes differ: `a` (4x8) vs `b` (4x7)}}
    // expected-note@below {{help: a scan keeps the shape}}
    tile.scan sum %a, %b {dim = 1} : memref<4x8xf32, #shared>, memref<4x7xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @scan_type() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xf16, #shared>
    %b = tile.alloc "b" : memref<4x8xf32, #shared>
    // expected-error@below {{element types differ: f16 vs f32}}
    // expected-note@below {{help: a scan keeps the element type}}
    tile.scan sum %a, %b {dim = 1} : memref<4x8xf16, #shared>, memref<4x8xf32, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @scan_bool() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<4x8xi1, #shared>
    %b = tile.alloc "b" : memref<4x8xi1, #shared>
    // expected-error@below {{scan of bool elements}}
    // expected-note@below {{help: use a number type}}
    tile.scan sum %a, %b {dim = 1} : memref<4x8xi1, #shared>, memref<4x8xi1, #shared>
  }
  return
}

// -----

#shared = #tile.space<shared>
func.func @scan_overlap() {
  %one = arith.constant 1 : index
  tile.kernel (%block) in (%one) {
    %a = tile.alloc "a" : memref<8xf32, #shared>
    %x = tile.region %a[0] [4] : memref<8xf32, #shared> -> <4xf32, #shared>
    %y = tile.region %a[1] [4] : memref<8xf32, #shared> -> <4xf32, #shared>
    // expected-error@below {{scan reads `a` (4) and writes overlapping elements of it, `a` (4)}}
    // expected-note@below {{help: use another buffer for the result}}
    tile.scan max %x, %y {dim = 0} : !tile.region<4xf32, #shared>, !tile.region<4xf32, #shared>
  }
  return
}
