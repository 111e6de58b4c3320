#g = #tile.space<global>
func.func @sync(%A: memref<?xi32, #g>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.kernel (%x) in (%c2) {
    %x32 = arith.index_cast %x : index to i32
    tile.scope cube {
      tile.for serial %k = %c0 to %n step %c1 {
        tile.wait_cross_flag %c1
        tile.set_flag mte2, m, %c0
        tile.wait_flag mte2, m, %c0
        tile.store %x32, %A[%k] : i32, memref<?xi32, #g>
        tile.set_cross_flag fix, %c0 mode 2
      }
    }
    tile.scope vector {
      tile.for serial %k = %c0 to %n step %c1 {
        tile.set_cross_flag mte2, %c1 mode 2
        tile.wait_cross_flag %c0
        tile.sync_all
      }
    }
    tile.set_cross_flag mte3, %c2 mode 0
    tile.wait_cross_flag %c2
    %t = arith.cmpi slt, %x, %c2 : index
    tile.device_assert %t, "block"
    tile.sync_all
  }
  return
}
