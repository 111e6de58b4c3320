// y = x * factor, in blocks of 32; used by the tests of tl.
#g = #tile.space<global>
func.func @scale(%x: memref<?xf32, #g> {tile.name = "x", tile.access = "read", tile.shape = affine_map<()[n] -> (n)>},
                 %y: memref<?xf32, #g> {tile.name = "y", tile.access = "write", tile.shape = affine_map<()[n] -> (n)>},
                 %factor: f32 {tile.name = "factor"}) attributes {tile.symbols = ["n"]} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf32, #g>
  %blocks = arith.ceildivsi %n, %c32 : index
  tile.kernel (%b) in (%blocks) {
    %first = arith.muli %b, %c32 : index
    tile.parallel (%i) in (%c32) {
      %at = arith.addi %first, %i : index
      %v = tile.load %x[%at] : memref<?xf32, #g> -> f32
      %w = arith.mulf %v, %factor : f32
      tile.store %w, %y[%at] : f32, memref<?xf32, #g>
    }
  }
  return
}
