#g = #tile.space<global>
#s = #tile.space<shared>
#f = #tile.space<fragment>
#v = #tile.space<var>
func.func @tiles(%A: memref<?x?xbf16, #g>, %B: memref<6x7xf32, #g>, %C: memref<?x?xf32, #g>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.dim %A, %c0 : memref<?x?xbf16, #g>
  tile.kernel (%bx, %by) in (%m, %c3) {
    %As = tile.alloc "As" pad(-1.0) : memref<8x4xbf16, #s>
    %Bs = tile.alloc "Bs" : memref<4x8xbf16, #s>
    %acc = tile.alloc "acc" : memref<8x8xf32, #f>
    %row = tile.alloc "row" : memref<8xf32, #f>
    %i = tile.alloc "i" : memref<i32, #v>
    tile.fill %x, %acc : f32, memref<8x8xf32, #f>
    %a = tile.region %A[%bx, %by] [8, 4] : memref<?x?xbf16, #g> -> <8x4xbf16, #g>
    tile.copy %a, %As : !tile.region<8x4xbf16, #g>, memref<8x4xbf16, #s>
    tile.transpose %As, %Bs : memref<8x4xbf16, #s>, memref<4x8xbf16, #s>
    tile.gemm %As, %Bs, %acc : memref<8x4xbf16, #s>, memref<4x8xbf16, #s>, memref<8x8xf32, #f>
    tile.reduce max %acc, %row accumulate {dim = 1 : i64} : memref<8x8xf32, #f>, memref<8xf32, #f>
    tile.scan sum %row, %row {dim = 0 : i64} : memref<8xf32, #f>, memref<8xf32, #f>
    tile.parallel (%p, %q) in (%n, %c3) {
      %y = tile.load %acc[%p, %q] : memref<8x8xf32, #f> -> f32
      %z = math.exp %y : f32
      %k = arith.fptosi %z : f32 to i32
      tile.store %k, %i[] : i32, memref<i32, #v>
      %old = tile.atomic max %z, %C[%p, %q] : f32, memref<?x?xf32, #g>
    }
    tile.for serial %k = %c0 to %n step %c1 {
      %w = tile.region %acc[%k, %k] [%n, 3] : memref<8x8xf32, #f> -> <?x3xf32, #f>
      %c = tile.region %C[%bx, %k] [%n, 3] : memref<?x?xf32, #g> -> <?x3xf32, #g>
      tile.atomic_tile add %w, %c : !tile.region<?x3xf32, #f>, !tile.region<?x3xf32, #g>
      %stop = arith.cmpi sgt, %k, %c1 : index
      tile.if %stop { tile.break }
    }
    %v = tile.view %acc : memref<8x8xf32, #f> to memref<64xi32, #f>
    tile.dump "v" %v : memref<64xi32, #f>
    tile.copy %acc, %C relu : memref<8x8xf32, #f>, memref<?x?xf32, #g>
  }
  return
}
