// Whole programs written in the language: what they become, and that they survive printing and parsing.
#include "tilelang/dsl/test/run.h"

#include <concepts>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

namespace tessera::tl {
namespace {

using testing::HasSubstr;

static_assert(std::same_as<tl::DType, tessera::DType>,
              "`using namespace tessera::tl` brings the type of element types");

Program matmul(DType in, int64_t bm, int64_t bn, int64_t bk) {
  ProgramBuilder p("matmul");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", in, {M, K}), B = p.input("B", in, {K, N}), C = p.output("C", f32, {M, N});
  p.kernel({ceildiv(N, bn), ceildiv(M, bm)}, [&](Var bx, Var by) {
    Buffer As = allocShared({bm, bk}, in), Bs = allocShared({bk, bn}, in), acc = allocFragment({bm, bn}, f32, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, bk), {.stages = 3})) {
      copy(A(by * bm, ko * bk), As);
      copy(B(ko * bk, bx * bn), Bs);
      gemm(As, Bs, acc);
    }
    for (auto [i, j] : Parallel(bm, bn)) acc(i, j) = max(acc(i, j), 0) * 0.5;
    copy(acc, C(by * bm, bx * bn));
  });
  return p.build();
}

TEST(Program, Matmul) {
  Program program = matmul(bf16, 64, 128, 32);
  EXPECT_EQ(program.name(), "matmul");
  std::string text = program.text();
  for (const char *part : {
           "tile.symbols = [\"M\", \"N\", \"K\"]",
           "tile.access = \"read\", tile.name = \"B\", tile.shape = affine_map<()[s0, s1, s2] -> (s2, s1)>",
           "tile.alloc \"acc\" : memref<64x128xf32, #fragment>",
           "tile.for pipelined",
           "stages = 3",
           "[64, 32] : memref<?x?xbf16, #global> -> <64x32xbf16, #global>",
           "tile.gemm",
           "arith.maximumf",
       })
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(Program::parse(text).text(), text);
}

TEST(Program, ParsesAPartOfALongerText) {
  std::string_view text = "func.func @k() { return }\n#a = united";
  EXPECT_EQ(Program::parse(text.substr(0, text.size() - 2)).name(), "k");
}

TEST(Program, TextNestedTooDeep) {
  auto repeated = [](const std::string &part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  std::string head = "// ((( \" \nfunc.func @k() attributes {a = \"[[[\\\"{{{\", m = affine_map<() -> (";
  EXPECT_NO_THROW(Program::parse(head + repeated("(", 200) + "1" + repeated(")", 200) + ")>} { return }"));
  for (const char *part : {"(", "[", "{", "<", "-", "- ", "tile.if %c {\n"}) {
    EXPECT_ERROR(Program::parse(head + repeated(part, 200000)), "error: the text is nested more than 256 deep");
    EXPECT_ERROR(Program::parse(head + repeated(part, 200000)), "<text>:");
  }
}

TEST(Program, OneAtATimeOnAThread) {
  ProgramBuilder first("first");
  EXPECT_ERROR(ProgramBuilder("second"), "program 'second' is started while 'first' is not finished");
  std::thread([] { EXPECT_EQ(matmul(f16, 16, 16, 16).name(), "matmul"); }).join();
  std::thread([&] { EXPECT_ERROR(first.dim("n"), "program 'first' is used on another thread"); }).join();
  first.build();
  EXPECT_ERROR(first.dim("n"), "dim is declared on a program that is already built");
  EXPECT_ERROR(first.build(), "build is declared on a program that is already built");
  EXPECT_EQ(ProgramBuilder("second").build().name(), "second");
}

TEST(Program, MayBeGivenUpOnAnotherThread) {
  auto first = std::make_unique<ProgramBuilder>("first");
  std::thread([&] {
    ProgramBuilder other("other");
    first.reset();
    EXPECT_EQ(other.build().name(), "other");
  }).join();
  EXPECT_ERROR(breakLoop(), "breakLoop is used outside a program");
  EXPECT_EQ(ProgramBuilder("second").build().name(), "second");
}

TEST(Program, ThreadsDoNotMeet) {
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string &text : texts) threads.emplace_back([&] { text = matmul(f16, 16, 32, 16).text(); });
  for (std::thread &thread : threads) thread.join();
  for (const std::string &text : texts) EXPECT_EQ(text, texts[0]);
}

TEST(Program, EndsWithAnExceptionToo) {
  EXPECT_THROW(
      {
        ProgramBuilder p("first");
        p.kernel({1}, [](Var) { throw 1; });
      },
      int);
  EXPECT_EQ(ProgramBuilder("second").build().name(), "second");
}

TEST(Program, IsNotBuiltAfterAnErrorLeftABody) {
  auto left = [](auto body) {
    ProgramBuilder p("left");
    try {
      p.kernel({1}, [&](Var) { body(); });
    } catch (int) {
    }
    EXPECT_ERROR(p.build(), "program 'left' was left by an error inside its kernel\n  help: build it again");
  };
  auto caught = [](auto body) {
    try {
      body();
    } catch (int) {
    }
  };
  auto none = [] { return loaded(i32, 1) < 0; };
  left([] { throw 1; });
  left([&] {
    caught([] {
      for (Var i : Serial(8)) throw 1;
    });
  });
  left([&] { caught([&] { If(none(), [] { throw 1; }); }); });
  left([&] { caught([&] { If(none(), [] {}).Else([] { throw 1; }); }); });
  left([&] { caught([&] { While([]() -> Expr { throw 1; }, [] {}); }); });
  left([&] { caught([] { scope(Core::vector, [] { throw 1; }); }); });
  left([] { EXPECT_ERROR(for (Var i : Serial(8)) break, "left by a C++ break"); });
}

TEST(Program, SizesBeyond64Bits) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  ProgramBuilder p("large");
  Dim n = p.dim("N"), most = kMost;
  EXPECT_ERROR(most + 1, "size expression (9223372036854775807 + 1) exceeds 64 bits");
  EXPECT_ERROR(most * 2, "size expression 9223372036854775807 * 2 exceeds 64 bits");
  EXPECT_ERROR(-2 - most, "size expression (-2 - 9223372036854775807) exceeds 64 bits");
  EXPECT_ERROR(alignUp(most, 8), "exceeds 64 bits");
  EXPECT_ERROR(n * most * 4, "size expression N * 9223372036854775807 * 4 exceeds 64 bits");
  EXPECT_ERROR(4 * (n * most), "exceeds 64 bits");
  EXPECT_ERROR(most * 2, "program_test.cpp:");
  EXPECT_EQ((most % 10).value(), 7);
  EXPECT_EQ((Dim(-kMost - 1) % 3).value(), 1);
}

TEST(Program, ShapesDivideByConstants) {
  ProgramBuilder p("quotients");
  Dim n = p.dim("N"), m = p.dim("M");
  p.input("x", f32, {n, m});
  EXPECT_ERROR(p.input("y", f32, {ceildiv(n, n - 16)}),
               "extent `ceildiv(N, (N - 16))` of `y` divides by a run-time size\n"
               "  help: shapes divide by constants only");
  EXPECT_ERROR(p.input("y", f32, {4, 2 * (m / n)}), "program_test.cpp:");
  EXPECT_ERROR(p.input("y", f32, {m % n + 1}), "extent `(M % N + 1)` of `y` divides by a run-time size");
  Buffer out = p.output("out", i64, {1});
  p.kernel({1}, [&](Var) { out(0) = m / n; }); // as a value it is fine
  p.build();
}

TEST(Program, SizesInShapes) {
  ProgramBuilder p("shapes");
  Dim n = p.dim("N"), m = p.dim("M"), twelve = 3 * Dim(4);
  EXPECT_TRUE(twelve.isStatic());
  EXPECT_EQ(twelve.value(), 12);
  EXPECT_EQ(ceildiv(n, 128).text(), "ceildiv(N, 128)");
  EXPECT_EQ(((n + 1) * m - n % 4).text(), "((N + 1) * M - N % 4)");
  p.input("a", f32, {n, ceildiv(n, 128), alignUp(m, 8)});
  p.input("b", f32, {m / 2, m, twelve - 2});
  EXPECT_ERROR(n.value(), "size `N` is known only when the kernel runs");
  EXPECT_ERROR(n / 0, "size `N` is divided by 0");
  std::string text = p.build().text();
  EXPECT_THAT(text, HasSubstr("memref<?x?x?xf32, #global>"));
  EXPECT_THAT(text, HasSubstr("affine_map<()[s0, s1] -> (s0, s0 ceildiv 128, (s1 ceildiv 8) * 8)>"));
  EXPECT_THAT(text, HasSubstr("memref<?x?x10xf32, #global>"));
  EXPECT_THAT(text, HasSubstr("affine_map<()[s0, s1] -> (s1 floordiv 2, s1, 10)>"));
}

TEST(Program, SizesAsValues) {
  ProgramBuilder p("sizes");
  Dim n = p.dim("N");
  p.input("x", f32, {n});
  Buffer out = p.output("out", i64, {4});
  p.kernel({1}, [&](Var) {
    out(0) = n;
    out(1) = n * 2 + 1;
    out(2) = ceildiv(n, 4) - n % 4;
    for (Var i : Serial(4)) If(i + 3 == n, [&] { out(3) = i; });
  });
  Tensor x = Tensor::zeros(DType::f32, {6}), result = Tensor::zeros(DType::i64, {4});
  onEveryTarget(p.build(), {x, result}, [](const std::vector<Argument> &arguments) {
    EXPECT_EQ(doubles(arguments[1]), (std::vector<double>{6, 13, 0, 3}));
  });
}

TEST(Program, StridedTensors) {
  ProgramBuilder p("strided");
  Dim n = p.dim("N");
  p.input("a", f32, {n, 4}, Layout::strided);
  EXPECT_THAT(p.build().text(), HasSubstr("memref<?x4xf32, strided<[?, 1]>, #global>"));
}

TEST(Program, SeveralKernelsRunInOrder) { // and F13's look-alike: blocks see their own index
  Tensor out = Tensor::zeros(DType::i32, {4});
  ProgramBuilder p("two");
  Buffer x = p.inout("x", i32, {4});
  p.kernel({4}, [&](Var b) { x(b) = b + 1; });
  p.kernel({1}, [&](Var) {
    for (Var i : Serial(1, 4)) x(i) += x(i - 1);
  });
  onEveryTarget(p.build(), {out}, [](const std::vector<Argument> &arguments) {
    EXPECT_EQ(doubles(arguments[0]), (std::vector<double>{1, 3, 6, 10}));
  });
}

TEST(Program, ScalarParameters) {
  ProgramBuilder p("scalars");
  Buffer out = p.output("out", f64, {2});
  Expr a = p.scalar("a", u8), b = p.scalar("b", f16);
  p.kernel({1}, [&](Var) { out(0) = a + 1, out(1) = b * 2; });
  Tensor result = Tensor::zeros(DType::f64, {2});
  onEveryTarget(p.build(), {result, int64_t(254), 0.5}, [](const std::vector<Argument> &arguments) {
    EXPECT_EQ(doubles(arguments[0]), (std::vector<double>{255, 1}));
  });
}

TEST(Program, Grid) {
  ProgramBuilder p("grid");
  Dim n = p.dim("N");
  p.input("x", f32, {n});
  EXPECT_ERROR(p.kernel({4, 4}, [](Var) {}), "the grid has 2 dimensions but the body takes 1 block indices");
  EXPECT_ERROR(p.kernel({0}, [](Var) {}), "grid dimension 0 is 0"); // field case F42
  EXPECT_ERROR(p.kernel({4, -1}, [](Var, Var) {}), "grid dimension 1 is -1");
  EXPECT_ERROR(p.kernel({4}, [](Var) {}, {.threads = -1}), "threads is -1");
  EXPECT_ERROR(p.kernel({0.5}, [](Var) {}), "a subscript or bound has the type f32, not an integer");
  p.kernel({1}, [&](Var) {
    EXPECT_ERROR(p.kernel({1}, [](Var) {}), "a kernel is launched inside a kernel");
    EXPECT_ERROR(p.build(), "build() is called inside a kernel");
  });
  p.kernel({ceildiv(n, 4), 2, n}, [](Var, Var, Var) {}, {.threads = 128});
  EXPECT_THAT(p.build().text(), HasSubstr("threads = 128"));
}

TEST(Program, Declarations) {
  ProgramBuilder p("declarations");
  Dim n = p.dim("N"), lost = p.dim("lost");
  p.input("x", f32, {n});
  EXPECT_ERROR(p.input("x", f32, {n}), "`x` is declared twice");
  EXPECT_ERROR(p.dim("N"), "`N` is declared twice");
  EXPECT_ERROR(p.scalar("", f32), "a parameter or size has no name");
  EXPECT_ERROR(p.output("y", hif8, {4}), "hif8 is not an element type of tile programs");
  EXPECT_ERROR(p.output("y", f32, {-4}), "extent -4 of `y` is below zero");
  EXPECT_ERROR(p.output("y", f32, {1, 1, 1, 1, 1, 1, 1, 1, 1}), "`y` has rank 9");
  EXPECT_ERROR(lost + Expr(1), "size `lost` is used before a tensor has it as an extent");
  EXPECT_ERROR(p.build(), "size `lost` is not the extent of any tensor");
  EXPECT_ERROR(ProgramBuilder("third"), "is started while 'declarations' is not finished");
}

TEST(Program, SizesOfAnotherProgram) {
  std::optional<Dim> foreign;
  {
    ProgramBuilder p("first");
    foreign = p.dim("N");
  }
  ProgramBuilder p("second");
  Dim n = p.dim("N");
  EXPECT_ERROR(p.input("x", f32, {*foreign}), "size `N` of `x` belongs to another program");
  EXPECT_ERROR(*foreign + n, "sizes `N` and `N` belong to different programs");
  EXPECT_ERROR(Expr(1) + *foreign, "size `N` belongs to another program than 'second'");
}

TEST(Program, ErrorsNameTheLine) {
  ProgramBuilder p("lines");
  p.kernel({1}, [&](Var) {
    Buffer a = allocShared({4}, f32), b = allocShared({5}, f32);
    auto lineOf = [&](auto body) {
      try {
        body();
      } catch (const Error &error) {
        EXPECT_THAT(error.diagnostics()[0].where.file, testing::EndsWith("program_test.cpp"));
        return error.diagnostics()[0].where.line;
      }
      return -1;
    };
    EXPECT_EQ(lineOf([&] { copy(a, b); }), __LINE__);
    EXPECT_EQ(lineOf([&] { fill(a, 1e39); }), __LINE__);
    EXPECT_EQ(lineOf([&] { a(5) = 1; }), __LINE__);
    EXPECT_EQ(lineOf([&] { a(0) = a(0) % 2; }), __LINE__);
    EXPECT_EQ(lineOf([&] { exp(loaded(i32, 1)); }), __LINE__);
    EXPECT_EQ(lineOf([&] { breakLoop(); }), __LINE__);
    EXPECT_EQ(lineOf([&] { If(loaded(i32, 1), [] {}); }), __LINE__);
    EXPECT_EQ(lineOf([&] { print("%s"); }), __LINE__);
    int loop = __LINE__ + 2;
    auto zeroStep = [&] {
      for (Var i : Serial(0, 4, 0)) a(i) = 1;
    };
    EXPECT_EQ(lineOf(zeroStep), loop);
    auto fraction = [&] {
      for (auto [i, j] : Parallel(4, 0.5)) a(i) = j;
    };
    EXPECT_EQ(lineOf(fraction), loop + 4);
  });
}

} // namespace
} // namespace tessera::tl
