// Flags, scopes and barriers on the reference interpreter.
#include "tilelang/ir/test/interp_program.h"

#include <fmt/format.h>

#include <numeric>

namespace tessera {
namespace {

using testing::Each;
using testing::ElementsAre;

void runBody(const std::string &body, const std::vector<Argument> &arguments = {}, const std::string &parameters = "") {
  runText(kernelText(parameters, body), arguments);
}

TEST(InterpFlag, SetAndWaitInPairs) {
  runBody(R"(
    tile.for serial %i = %c0 to %c4 step %c1 {
      tile.set_flag mte2, v, %c0
      tile.set_flag mte2, v, %c1
      tile.set_flag v, mte2, %c0
      tile.wait_flag mte2, v, %c0
      tile.wait_flag v, mte2, %c0
      tile.wait_flag mte2, v, %c1
      tile.pipe_barrier v
      tile.barrier_all
    })");
}

TEST(InterpFlag, MisuseIsAnError) {
  EXPECT_ERROR(runBody("tile.wait_flag mte2, v, %c1"), "deadlock: wait_flag mte2, v, 1 without a set_flag before it");
  EXPECT_ERROR(runBody("tile.set_flag v, mte3, %c0\ntile.set_flag v, mte3, %c0"),
               "set_flag v, mte3, 0 while the flag is still raised");
  EXPECT_ERROR(runBody("tile.set_flag v, mte3, %c2"), "flag v, mte3, 2 is left raised at the end of the kernel");
  EXPECT_ERROR(runBody("tile.set_flag v, mte3, %i", {int64_t{8}}, "%i: index"), "flag id 8 does not exist");
  EXPECT_ERROR(runBody("tile.set_flag v, mte3, %i", {int64_t{-1}}, "%i: index"), "flag id -1 does not exist");
  // The line is that of the statement: after the five spaces, the function, ten constants and the kernel.
  EXPECT_ERROR(runBody("tile.wait_flag mte2, v, %c1"), "kernel.mlir:18");
}

TEST(InterpFlag, EachCoreAndBlockHasItsOwn) {
  EXPECT_ERROR(runBody(R"(
    tile.scope cube { tile.set_flag mte2, m, %c0 }
    tile.scope vector { tile.wait_flag mte2, m, %c0 })"),
               "deadlock: wait_flag mte2, m, 0");
  EXPECT_ERROR(runText(functionText("", R"(
    tile.kernel (%x) in (%c2) {
      %first = arith.cmpi eq, %x, %c0 : index
      tile.if %first { tile.set_flag mte2, v, %c0 } else { tile.wait_flag mte2, v, %c0 }
    })"),
                       {}),
               "left raised");
}

TEST(InterpFlag, CrossFlagsCount) {
  runBody(R"(
    tile.set_cross_flag mte3, %c3 mode 2
    tile.set_cross_flag mte3, %c3 mode 2
    tile.wait_cross_flag %c3
    tile.wait_cross_flag %c3)");
  EXPECT_ERROR(runBody("tile.wait_cross_flag %c3"), "deadlock: wait_cross_flag 3 in block 0 waits for ever");
  EXPECT_ERROR(runBody("tile.set_cross_flag mte3, %c3 mode 2"), "cross-core flag 3 is left raised");
  EXPECT_ERROR(runBody("tile.set_cross_flag mte3, %i mode 2", {int64_t{16}}, "%i: index"), "flag id 16 does not exist");
  EXPECT_ERROR(runBody(R"(
    %c16 = arith.constant 16 : index
    tile.for serial %i = %c0 to %c16 step %c1 { tile.set_cross_flag mte3, %c3 mode 2 })"),
               "cross-core flag 3 is set 16 times without a wait");
}

/// A cube program that hands values over one slot of memory to a vector program, which hands the slot back.
std::string handOver(const std::string &cube, const std::string &vector) {
  return kernelText("%slot: memref<1xi32, #g>, %out: memref<?xi32, #g>, %n: index", R"(
    tile.scope cube {
      tile.for serial %k = %c0 to %n step %c1 {
        tile.wait_cross_flag %c1
        %k32 = arith.index_cast %k : index to i32
        tile.store %k32, %slot[%c0] : i32, memref<1xi32, #g>
        )" + cube + R"(
      }
    }
    tile.scope vector {
      tile.set_cross_flag mte2, %c1 mode 2
      tile.for serial %k = %c0 to %n step %c1 {
        tile.wait_cross_flag %c0
        %x = tile.load %slot[%c0] : memref<1xi32, #g> -> i32
        tile.store %x, %out[%k] : i32, memref<?xi32, #g>
        )" + vector + R"(
      }
    }
    tile.scope cube { tile.wait_cross_flag %c1 })");
}

TEST(InterpScope, ProgramsOfTheCoresRunSideBySide) {
  std::string text = handOver("tile.set_cross_flag fix, %c0 mode 2", "tile.set_cross_flag mte2, %c1 mode 2");
  for (int64_t n : {0, 1, 5}) {
    Tensor out = tensorOf(DType::i32, std::vector<double>(5, -1));
    runText(text, {Tensor::zeros(DType::i32, {1}), out, n});
    for (int64_t k = 0; k < 5; ++k) EXPECT_EQ(out.at({k}), k < n ? static_cast<double>(k) : -1);
  }
}

TEST(InterpScope, ACoreThatIsNeverReleasedIsADeadlock) {
  Tensor out = Tensor::zeros(DType::i32, {5});
  EXPECT_ERROR(
      runText(handOver("", "tile.set_cross_flag mte2, %c1 mode 2"), {Tensor::zeros(DType::i32, {1}), out, int64_t{3}}),
      "deadlock: wait_cross_flag");
  EXPECT_ERROR(
      runText(handOver("tile.set_cross_flag fix, %c0 mode 2", ""), {Tensor::zeros(DType::i32, {1}), out, int64_t{3}}),
      "deadlock: wait_cross_flag");
}

TEST(InterpScope, BodiesInALoopKeepTheirValues) {
  // The cube body of iteration k waits for the vector body of the same iteration, which comes after it.
  std::string text = kernelText("%out: memref<?xi32, #g>", R"(
    %t = tile.alloc "t" : memref<1xi32, #s>
    tile.for serial %k = %c0 to %c4 step %c1 {
      %u = tile.alloc "u" : memref<1xi32, #s>
      tile.scope cube {
        tile.wait_cross_flag %c0
        %x = tile.load %u[%c0] : memref<1xi32, #s> -> i32
        tile.store %x, %out[%k] : i32, memref<?xi32, #g>
      }
      tile.scope vector {
        %k32 = arith.index_cast %k : index to i32
        tile.store %k32, %u[%c0] : i32, memref<1xi32, #s>
        tile.set_cross_flag v, %c0 mode 2
      }
    })");
  Tensor out = tensorOf(DType::i32, {-1, -1, -1, -1});
  runText(text, {out});
  EXPECT_THAT(elements(out), ElementsAre(0, 1, 2, 3));
}

TEST(InterpScope, StatementsOutsideWaitForTheBodies) {
  std::string text = kernelText("%out: memref<2xi32, #g>", R"(
    %seven = arith.constant 7 : i32
    tile.scope cube {
      tile.wait_cross_flag %c0
      tile.store %seven, %out[%c0] : i32, memref<2xi32, #g>
    }
    tile.scope vector { tile.set_cross_flag v, %c0 mode 2 }
    %x = tile.load %out[%c0] : memref<2xi32, #g> -> i32
    tile.store %x, %out[%c1] : i32, memref<2xi32, #g>)");
  Tensor out = Tensor::zeros(DType::i32, {2});
  runText(text, {out});
  EXPECT_THAT(elements(out), ElementsAre(7, 7));
}

/// Every block writes its index, waits for all, and adds up what the others wrote.
std::string exchange(const std::string &barrier) {
  return functionText("%a: memref<?xi32, #g>, %b: memref<?xi32, #g>, %n: index", R"(
    tile.kernel (%x) in (%n) {
      %x32 = arith.index_cast %x : index to i32
      tile.for serial %round = %c0 to %c2 step %c1 {
        tile.store %x32, %a[%x] : i32, memref<?xi32, #g>
        )" + barrier + R"(
        tile.for serial %i = %c0 to %n step %c1 {
          %y = tile.load %a[%i] : memref<?xi32, #g> -> i32
          %s = tile.load %b[%x] : memref<?xi32, #g> -> i32
          %t = arith.addi %s, %y : i32
          tile.store %t, %b[%x] : i32, memref<?xi32, #g>
        }
        )" + barrier + R"(
        %none = arith.constant -1000 : i32
        tile.store %none, %a[%x] : i32, memref<?xi32, #g>
      }
    })");
}

TEST(InterpSyncAll, BlocksMeet) {
  for (const char *barrier : {"tile.sync_all", "tile.set_cross_flag mte3, %c2 mode 0\ntile.wait_cross_flag %c2"})
    for (int64_t n : {0, 1, 2, 37}) {
      Tensor a = tensorOf(DType::i32, std::vector<double>(static_cast<size_t>(n), -7));
      Tensor b = Tensor::zeros(DType::i32, {n});
      runText(exchange(barrier), {a, b, n});
      EXPECT_THAT(elements(b), Each(static_cast<double>(n * (n - 1)))) << barrier << " " << n;
    }
}

TEST(InterpSyncAll, InScopesTheCoresOfThatKindMeet) {
  std::string text = functionText("%a: memref<?xi32, #g>, %b: memref<?xi32, #g>", R"(
    tile.kernel (%x) in (%c2) {
      %x32 = arith.index_cast %x : index to i32
      %other = arith.subi %c1, %x : index
      tile.scope vector {
        tile.store %x32, %a[%x] : i32, memref<?xi32, #g>
        tile.sync_all
        %y = tile.load %a[%other] : memref<?xi32, #g> -> i32
        tile.store %y, %b[%x] : i32, memref<?xi32, #g>
      }
      tile.scope cube { tile.pipe_barrier m }
    })");
  Tensor b = tensorOf(DType::i32, {-1, -1});
  runText(text, {tensorOf(DType::i32, {-1, -1}), b});
  EXPECT_THAT(elements(b), ElementsAre(1, 0));
}

TEST(InterpSyncAll, ABlockThatNeverComesIsADeadlock) {
  std::string text = functionText("", R"(
    tile.kernel (%x) in (%c3) {
      %late = arith.cmpi sgt, %x, %c0 : index
      tile.if %late { tile.sync_all }
    })");
  EXPECT_ERROR(runText(text, {}), "deadlock: sync_all in block 1 waits for ever");
}

TEST(InterpSyncAll, AnErrorInOneBlockEndsAll) {
  std::string text = functionText("", R"(
    tile.kernel (%x) in (%c9) {
      tile.sync_all
      %fine = arith.cmpi ne, %x, %c4 : index
      tile.device_assert %fine, "block four"
      tile.sync_all
    })");
  EXPECT_ERROR(runText(text, {}), "block four");
}

TEST(InterpSyncAll, TooManyBlocks) {
  std::string text = functionText("%n: index", "tile.kernel (%x) in (%n) { tile.sync_all }");
  EXPECT_ERROR(runText(text, {int64_t{2049}}), "2049 blocks wait for each other");
}

} // namespace
} // namespace tessera
