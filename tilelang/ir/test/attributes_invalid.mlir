// RUN: tl-opt %s -split-input-file -verify-diagnostics
// What the dialect refuses in the attributes of functions and their arguments.

// expected-error@+1 {{argument 0 has rank 2 but 'tile.shape' gives 1 extents}}
func.func @f(%A: memref<?x?xf32, #tile.space<global>> {tile.shape = affine_map<()[M] -> (M)>}) attributes {tile.symbols = ["M"]} {
  return
}

// -----

// expected-error@+1 {{argument 0 uses 2 symbols in 'tile.shape' but 'tile.symbols' names 1}}
func.func @f(%A: memref<?x?xf32, #tile.space<global>> {tile.shape = affine_map<()[M, N] -> (M, N)>}) attributes {tile.symbols = ["M"]} {
  return
}

// -----

// expected-error@+1 {{argument 0 uses 1 dimensions in 'tile.shape'; extents are expressions of symbols}}
func.func @f(%A: memref<?x?xf32, #tile.space<global>> {tile.shape = affine_map<(M)[N] -> (M, N)>}) attributes {tile.symbols = ["M", "N"]} {
  return
}

// -----

// expected-error@+1 {{argument 0 divides by what is no positive constant in 'tile.shape'}}
func.func @f(%A: memref<?x?xf32, #tile.space<global>> {tile.shape = affine_map<()[M, N] -> (M, M floordiv N)>}) attributes {tile.symbols = ["M", "N"]} {
  return
}

// -----

// expected-error@+1 {{argument 0 has 'tile.shape' but is not a tensor}}
func.func @f(%x: f32 {tile.shape = affine_map<()[M] -> (M)>}) attributes {tile.symbols = ["M"]} {
  return
}

// -----

// expected-error@+1 {{'tile.shape' must be an affine map}}
func.func @f(%A: memref<?x?xf32, #tile.space<global>> {tile.shape = 3 : i64}) {
  return
}

// -----

// expected-error@+1 {{'tile.access' must be "read", "write" or "readwrite"}}
func.func @f(%A: memref<?x?xf32, #tile.space<global>> {tile.access = "append"}) {
  return
}

// -----

// expected-error@+1 {{'tile.name' must be a name}}
func.func @f(%A: memref<?x?xf32, #tile.space<global>> {tile.name = 3 : i64}) {
  return
}

// -----

// expected-error@+1 {{'tile.symbols' must be an array of names on a function}}
func.func @f(%A: memref<?x?xf32, #tile.space<global>>) attributes {tile.symbols = [1, 2]} {
  return
}

// -----

// expected-error@+1 {{'tile.symbols' must be an array of names on a function}}
module attributes {tile.symbols = ["M"]} {
}
