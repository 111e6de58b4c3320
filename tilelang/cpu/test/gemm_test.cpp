// Matrix products on every instruction set against sums in double precision: types, transpositions, extents around the
// blocks of the micro-kernels, and every way in which operands may reach a gemm.
#include "tilelang/cpu/test/compiled_program.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tessera::cpu {
namespace {

struct Types {
  DType a, b, c;
};

/// How an operand reaches the gemm.
enum class Staging {
  copied,  ///< a shared buffer that only copies fill
  byHand,  ///< a shared buffer that a parallel loop fills
  window,  ///< a part of a shared buffer
  runTime, ///< a part whose place and extents are arguments
  view,    ///< a shared buffer of rank 1 under another shape
};

enum class Clear { absent, always, never, ifOne }; // ifOne: by the scalar argument

struct Case {
  Types types{};
  bool ta = false, tb = false;
  int64_t m = 1, n = 1, k = 1;
  Staging a = Staging::copied, b = Staging::copied, c = Staging::copied;
  Clear clear = Clear::absent;
};

std::string mlirType(DType type) {
  switch (type) {
  case DType::e4m3: return "f8E4M3FN";
  case DType::e5m2: return "f8E5M2";
  case DType::u8: return "ui8";
  default: return std::string(name(type));
  }
}

std::string text(const Case &c) {
  return fmt::format("{}x{}->{} {}{} m={} n={} k={} staging {}{}{} clear {}", name(c.types.a), name(c.types.b),
                     name(c.types.c), c.ta ? "T" : "N", c.tb ? "T" : "N", c.m, c.n, c.k, static_cast<int>(c.a),
                     static_cast<int>(c.b), static_cast<int>(c.c), static_cast<int>(c.clear));
}

/// One operand in the text of a program; its values are named after it.
struct OperandText {
  std::string name, element;
  int64_t rows, cols;
  Staging staging;

  bool isPart() const { return staging == Staging::window || staging == Staging::runTime; }
  std::string tensor() const { return fmt::format("memref<?x?x{}, strided<[?, 1]>, #tile.space<global>>", element); }
  std::string tile() const { return fmt::format("!tile.region<{}x{}x{}, #tile.space<global>>", rows, cols, element); }
  std::string buffer() const {
    int64_t more = isPart() ? 5 : 0;
    return fmt::format("memref<{}x{}x{}, #tile.space<shared>>", rows + more, cols + more, element);
  }
  std::string part() const {
    std::string extents = staging == Staging::runTime ? "?x?" : fmt::format("{}x{}", rows, cols);
    return fmt::format("!tile.region<{}x{}, #tile.space<shared>>", extents, element);
  }
  std::string value() const { return fmt::format("%{}{}", name, isPart() ? "p" : "s"); }
  std::string type() const { return isPart() ? part() : buffer(); }
  std::string scalar() const { return element == "ui8" ? "i8" : element; }

  std::string allocation() const {
    if (staging != Staging::view) return fmt::format("%{0}s = tile.alloc \"{0}s\" : {1}\n", name, buffer());
    std::string flat = fmt::format("memref<{}x{}, #tile.space<shared>>", rows * cols, element);
    return fmt::format("%{0}f = tile.alloc \"{0}s\" : {1}\n%{0}s = tile.view %{0}f : {1} to {2}\n", name, flat,
                       buffer());
  }
  /// Statements that make value() hold the tensor.
  std::string stage() const {
    std::string s = fmt::format("%{0}w = tile.region %{0}[0, 0] [{1}, {2}] : {3} -> {4}\n", name, rows, cols, tensor(),
                                tile().substr(strlen("!tile.region"))) +
                    allocation();
    if (staging == Staging::window)
      s += fmt::format("%{0}p = tile.region %{0}s[1, 4] [{1}, {2}] : {3} -> {4}\n", name, rows, cols, buffer(),
                       part().substr(strlen("!tile.region")));
    if (staging == Staging::runTime)
      s += fmt::format("%{0}m = memref.dim %{0}, %c0 : {1}\n%{0}n = memref.dim %{0}, %c1 : {1}\n"
                       "%{0}p = tile.region %{0}s[%two, 4] [%{0}m, %{0}n] : {2} -> {3}\n",
                       name, tensor(), buffer(), part().substr(strlen("!tile.region")));
    if (staging != Staging::byHand)
      return s + fmt::format("tile.copy %{}w, {} : {}, {}\n", name, value(), tile(), type());
    return s + fmt::format("%{0}m = arith.constant {1} : index\n%{0}n = arith.constant {2} : index\n"
                           "tile.parallel (%i, %j) in (%{0}m, %{0}n) {{\n"
                           "  %x = tile.load %{0}[%i, %j] : {3} -> {5}\n"
                           "  tile.store %x, %{0}s[%i, %j] : {5}, {4}\n}}\n",
                           name, rows, cols, tensor(), buffer(), scalar());
  }
  std::string unstage() const { return fmt::format("tile.copy {}, %{}w : {}, {}\n", value(), name, type(), tile()); }
};

std::string program(const Case &c) {
  OperandText a{"A", mlirType(c.types.a), c.ta ? c.k : c.m, c.ta ? c.m : c.k, c.a};
  OperandText b{"B", mlirType(c.types.b), c.tb ? c.n : c.k, c.tb ? c.k : c.n, c.b};
  OperandText r{"C", mlirType(c.types.c), c.m, c.n, c.c};
  const char *clear[] = {"", "clear %true", "clear %false", "clear %flag"};
  return fmt::format(
      "func.func @gemm(%A: {}, %B: {}, %C: {}, %flag: i1, %two: index) {{\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%true = arith.constant true\n%false = "
      "arith.constant false\n"
      "tile.kernel (%bx) in (%c1) {{\n{}{}{}tile.gemm {}, {}, {} {} {} {} : {}, {}, {}\n{}}}\nreturn\n}}\n",
      a.tensor(), b.tensor(), r.tensor(), a.stage(), b.stage(), r.stage(), a.value(), b.value(), r.value(),
      clear[static_cast<int>(c.clear)], c.ta ? "transposeA" : "", c.tb ? "transposeB" : "", a.type(), b.type(),
      r.type(), r.unstage());
}

/// A random matrix inside a larger tensor, so that rows do not touch.
Tensor randomMatrix(DType type, int64_t rows, int64_t cols, uint64_t seed) {
  Tensor whole = Tensor::empty(type, {rows, cols + 3});
  bool integer = type == DType::i8 || type == DType::u8 || type == DType::i32;
  whole.fillRandom(seed, integer ? -128 : -1, integer ? 255 : 1);
  return whole.slice(1, 0, cols);
}

std::vector<double> numbers(const Tensor &matrix) {
  Tensor dense = matrix.to(DType::f64);
  const auto *data = dense.data<const double>();
  return {data, data + dense.numel()};
}

double unitRoundoff(DType type) {
  switch (type) {
  case DType::f64: return 0x1p-53;
  case DType::f32: return 0x1p-24;
  case DType::f16: return 0x1p-11;
  case DType::bf16: return 0x1p-8;
  default: return 0;
  }
}

/// Compares a result with the sum in double precision. An error may be a rounding for each addition of f32 (f64),
/// relative to the sum of magnitudes, and one rounding to the type of the result.
void expectProduct(const Case &c, const Tensor &a, const Tensor &b, const Tensor &before, const Tensor &after,
                   bool clear) {
  std::vector<double> x = numbers(a), y = numbers(b), old = numbers(before), got = numbers(after);
  double perStep = c.types.c == DType::f64 ? 0x1p-53 : c.types.c == DType::i32 ? 0 : 0x1p-24;
  for (int64_t i = 0; i < c.m; ++i)
    for (int64_t j = 0; j < c.n; ++j) {
      auto at = static_cast<size_t>(i * c.n + j);
      double sum = clear ? 0 : old[at], magnitude = std::abs(sum);
      for (int64_t k = 0; k < c.k; ++k) {
        double product = x[static_cast<size_t>(c.ta ? k * c.m + i : i * c.k + k)] *
                         y[static_cast<size_t>(c.tb ? j * c.k + k : k * c.n + j)];
        sum += product;
        magnitude += std::abs(product);
      }
      if (c.types.c == DType::i32) sum = static_cast<double>(static_cast<int32_t>(static_cast<int64_t>(sum)));
      double allowed = static_cast<double>(2 * c.k + 2) * perStep * magnitude +
                       unitRoundoff(c.types.c) * std::abs(sum) + (perStep > 0 ? 1e-30 : 0);
      ASSERT_LE(std::abs(got[at] - sum), allowed) << "at " << i << ", " << j << ": " << got[at] << " for " << sum;
    }
}

void runCase(const Case &c, const CpuIsa &isa) {
  SCOPED_TRACE(isa.name + ": " + text(c));
  CompiledProgram compiled(Program::parse(program(c)), isa);
  Tensor a = randomMatrix(c.types.a, c.ta ? c.k : c.m, c.ta ? c.m : c.k, 1);
  Tensor b = randomMatrix(c.types.b, c.tb ? c.n : c.k, c.tb ? c.k : c.n, 2);
  Tensor before = randomMatrix(c.types.c, c.m, c.n, 3);
  for (int64_t flag : {0, 1}) {
    Tensor after = before.clone();
    compiled.run(std::vector<Argument>{a, b, after, flag, int64_t{2}});
    bool clear = c.clear == Clear::always || (c.clear == Clear::ifOne && flag == 1);
    expectProduct(c, a, b, before, after, clear);
    if (c.clear != Clear::ifOne) break;
  }
}

constexpr Types kFloat{DType::f32, DType::f32, DType::f32}, kBf16{DType::bf16, DType::bf16, DType::f32},
    kByte{DType::i8, DType::i8, DType::i32};

/// The types of each micro-kernel, and one of each way to convert operands.
std::vector<Types> allTypes() {
  std::vector<Types> list{kFloat, kBf16, kByte, {DType::f64, DType::f64, DType::f64}};
  for (DType c : {DType::f16, DType::bf16, DType::f32}) {
    list.push_back({DType::f16, DType::f16, c});
    list.push_back({DType::e4m3, DType::e5m2, c});
  }
  list.push_back({DType::bf16, DType::bf16, DType::bf16});
  list.push_back({DType::u8, DType::u8, DType::i32});
  list.push_back({DType::i8, DType::u8, DType::i32});
  list.push_back({DType::u8, DType::i8, DType::i32});
  return list;
}

class GemmOn : public testing::TestWithParam<const CpuIsa *> {
protected:
  void check(const Case &c) {
    if (!HasFatalFailure()) runCase(c, *GetParam());
  }
};

TEST_P(GemmOn, TakesAllTypes) {
  bool ta = false;
  for (const Types &types : allTypes()) check({types, ta, !ta, 19, 37, 43}), ta = !ta;
}

TEST_P(GemmOn, TakesAllExtents) {
  struct {
    int64_t m, n, k;
  } extents[] = {{1, 1, 1}, {1, 64, 8}, {6, 64, 24}, {7, 65, 40}, {16, 16, 16}, {3, 130, 31}, {12, 96, 5}};
  for (const Types &types : {kFloat, kBf16, kByte})
    for (auto [m, n, k] : extents) check({types, false, n % 2 == 1, m, n, k});
}

TEST_P(GemmOn, TakesOperandsFromAnywhere) {
  for (const Types &types : {kFloat, kBf16, kByte})
    for (Staging staging : {Staging::byHand, Staging::window, Staging::runTime, Staging::view}) {
      bool transposed = staging == Staging::byHand;
      check({types, transposed, transposed, 21, 35, transposed ? 33 : 30, staging, staging, staging});
    }
}

TEST_P(GemmOn, ClearsOrAccumulates) {
  for (const Types &types : {kByte, Types{DType::f16, DType::f16, DType::f16}})
    for (Clear clear : {Clear::always, Clear::never, Clear::ifOne})
      check({types, false, false, 9, 20, 6, Staging::copied, Staging::copied, Staging::copied, clear});
}

/// c = a . b over a grid, in blocks that hang over the edges.
std::string blockedProgram(const std::string &element, int64_t bm, int64_t bn, int64_t bk) {
  std::string text = R"(
    func.func @gemm(%A: memref<?x?x$T, #tile.space<global>>, %B: memref<?x?x$T, #tile.space<global>>,
                    %C: memref<?x?xf32, #tile.space<global>>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %bm = arith.constant $M : index
      %bn = arith.constant $N : index
      %bk = arith.constant $K : index
      %zero = arith.constant 0.0 : f32
      %m = memref.dim %A, %c0 : memref<?x?x$T, #tile.space<global>>
      %k = memref.dim %A, %c1 : memref<?x?x$T, #tile.space<global>>
      %n = memref.dim %B, %c1 : memref<?x?x$T, #tile.space<global>>
      %gx = arith.ceildivsi %n, %bn : index
      %gy = arith.ceildivsi %m, %bm : index
      tile.kernel (%x, %y) in (%gx, %gy) {
        %As = tile.alloc "As" : memref<$Mx$Kx$T, #tile.space<shared>>
        %Bs = tile.alloc "Bs" : memref<$Kx$Nx$T, #tile.space<shared>>
        %acc = tile.alloc "acc" : memref<$Mx$Nxf32, #tile.space<fragment>>
        tile.fill %zero, %acc : f32, memref<$Mx$Nxf32, #tile.space<fragment>>
        %row = arith.muli %y, %bm : index
        %col = arith.muli %x, %bn : index
        tile.for serial %at = %c0 to %k step %bk {
          %a = tile.region %A[%row, %at] [$M, $K] : memref<?x?x$T, #tile.space<global>> -> <$Mx$Kx$T, #tile.space<global>>
          %b = tile.region %B[%at, %col] [$K, $N] : memref<?x?x$T, #tile.space<global>> -> <$Kx$Nx$T, #tile.space<global>>
          tile.copy %a, %As : !tile.region<$Mx$Kx$T, #tile.space<global>>, memref<$Mx$Kx$T, #tile.space<shared>>
          tile.copy %b, %Bs : !tile.region<$Kx$Nx$T, #tile.space<global>>, memref<$Kx$Nx$T, #tile.space<shared>>
          tile.gemm %As, %Bs, %acc : memref<$Mx$Kx$T, #tile.space<shared>>, memref<$Kx$Nx$T, #tile.space<shared>>, memref<$Mx$Nxf32, #tile.space<fragment>>
        }
        %c = tile.region %C[%row, %col] [$M, $N] : memref<?x?xf32, #tile.space<global>> -> <$Mx$Nxf32, #tile.space<global>>
        tile.copy %acc, %c : memref<$Mx$Nxf32, #tile.space<fragment>>, !tile.region<$Mx$Nxf32, #tile.space<global>>
      }
      return
    })";
  auto replace = [&](std::string_view what, const std::string &with) {
    for (size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), with);
  };
  replace("$T", element);
  replace("$M", std::to_string(bm));
  replace("$N", std::to_string(bn));
  replace("$K", std::to_string(bk));
  return text;
}

TEST_P(GemmOn, GivesARowTheSameBitsInAnyBlocks) {
  constexpr int64_t kM = 45, kN = 83, kK = 75;
  struct {
    int64_t bm, bn, bk;
  } blocks[] = {{45, 83, 76}, {16, 16, 16}, {6, 64, 32}, {7, 24, 20}, {1, 128, 6}};
  for (const Types &types : {kFloat, kBf16}) {
    Tensor a = randomMatrix(types.a, kM, kK, 1).clone(), b = randomMatrix(types.b, kK, kN, 2).clone();
    std::vector<double> expected;
    for (auto [bm, bn, bk] : blocks) {
      CompiledProgram compiled(Program::parse(blockedProgram(mlirType(types.a), bm, bn, bk)), *GetParam());
      for (int64_t rows : {kM, int64_t{1}}) {
        Tensor c = Tensor::empty(DType::f32, {rows, kN});
        compiled.run(std::vector<Argument>{a.slice(0, 0, rows), b, c});
        std::vector<double> got = numbers(c);
        if (expected.empty()) expected = got;
        ASSERT_TRUE(std::equal(got.begin(), got.end(), expected.begin()))
            << text({types}) << " in blocks of " << bm << ", " << bn << ", " << bk << " for " << rows << " rows";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, GemmOn, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
