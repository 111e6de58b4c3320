// The kernels of docs/language.md, compiled and run; the document must show exactly what stands here.
#include "tilelang/dsl/test/run.h"

#include <fstream>
#include <sstream>

namespace tessera::tl {
namespace {

// begin matmul
Program matmul(int64_t bm, int64_t bn, int64_t bk) {
  ProgramBuilder p("matmul");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", bf16, {M, K});
  Buffer B = p.input("B", bf16, {K, N});
  Buffer C = p.output("C", f32, {M, N});

  p.kernel({ceildiv(N, bn), ceildiv(M, bm)}, [&](Var bx, Var by) {
    Buffer As = allocShared({bm, bk}, bf16);
    Buffer Bs = allocShared({bk, bn}, bf16);
    Buffer acc = allocFragment({bm, bn}, f32);
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, bk), {.stages = 3})) {
      copy(A(by * bm, ko * bk), As);
      copy(B(ko * bk, bx * bn), Bs);
      gemm(As, Bs, acc);
    }
    for (auto [i, j] : Parallel(bm, bn)) {
      acc(i, j) = max(acc(i, j), 0);
    }
    copy(acc, C(by * bm, bx * bn));
  });
  return p.build();
}
// end

// begin softmax
Program softmax(int64_t rows, int64_t cols) {
  ProgramBuilder p("softmax");
  Dim M = p.dim("M"), N = p.dim("N");
  Buffer X = p.input("X", f32, {M, N});
  Buffer Y = p.output("Y", f32, {M, N});

  p.kernel({ceildiv(M, rows)}, [&](Var bx) {
    Buffer x = allocShared({rows, cols}, f32, {.pad = -INFINITY});
    Buffer top = allocFragment({rows}, f32);
    Buffer next = allocFragment({rows}, f32);
    Buffer sum = allocFragment({rows}, f32);
    Buffer part = allocFragment({rows}, f32);
    fill(top, -infinity(f32));
    clear(sum);
    for (Var k : Serial(ceildiv(N, cols))) {
      copy(X(bx * rows, k * cols), x);
      copy(top, next);
      reduceMax(x, next, {.dim = 1, .clear = false});
      for (auto [i, j] : Parallel(rows, cols)) {
        x(i, j) = exp(x(i, j) - next(i));
      }
      reduceSum(x, part, {.dim = 1});
      for (Var i : Parallel(rows)) {
        sum(i) = sum(i) * exp(top(i) - next(i)) + part(i);
        top(i) = next(i);
      }
    }
    for (Var k : Serial(ceildiv(N, cols))) {
      copy(X(bx * rows, k * cols), x);
      for (auto [i, j] : Parallel(rows, cols)) {
        x(i, j) = exp(x(i, j) - top(i)) / sum(i);
      }
      copy(x, Y(bx * rows, k * cols));
    }
  });
  return p.build();
}
// end

// begin attention
Program attention(int64_t heads, int64_t d, int64_t bm, int64_t bn) {
  double scale = 1.44269504 / std::sqrt(d);
  ProgramBuilder p("attention");
  Dim S = p.dim("S");
  Buffer Q = p.input("Q", bf16, {S, heads, d});
  Buffer K = p.input("K", bf16, {S, heads, d});
  Buffer V = p.input("V", bf16, {S, heads, d});
  Buffer O = p.output("O", bf16, {S, heads, d});

  p.kernel({ceildiv(S, bm), heads}, [&](Var bx, Var h) {
    Buffer q = allocShared({bm, d}, bf16);
    Buffer kv = allocShared({bn, d}, bf16);
    Buffer s = allocFragment({bm, bn}, f32);
    Buffer w = allocShared({bm, bn}, bf16);
    Buffer acc = allocFragment({bm, d}, f32);
    Buffer top = allocFragment({bm}, f32);
    Buffer next = allocFragment({bm}, f32);
    Buffer sum = allocFragment({bm}, f32);
    Buffer part = allocFragment({bm}, f32);
    copy(Q(window(bx * bm, bm), h, all), q);
    clear(acc);
    clear(sum);
    fill(top, -infinity(f32));
    Expr last = min((bx + 1) * bm, S);
    for (Var k : Pipelined(ceildiv(last, bn), {.stages = 2})) {
      copy(K(window(k * bn, bn), h, all), kv);
      gemm(q, kv, s, {.transposeB = true, .clear = true});
      for (auto [i, j] : Parallel(bm, bn)) {
        Expr seen = bx * bm + i >= k * bn + j;
        s(i, j) = select(seen, s(i, j) * scale, -infinity(f32));
      }
      copy(top, next);
      reduceMax(s, next, {.dim = 1, .clear = false});
      for (auto [i, j] : Parallel(bm, bn)) {
        s(i, j) = exp2(s(i, j) - next(i));
      }
      reduceSum(s, part, {.dim = 1});
      for (auto [i, j] : Parallel(bm, d)) {
        acc(i, j) *= exp2(top(i) - next(i));
      }
      for (Var i : Parallel(bm)) {
        sum(i) = sum(i) * exp2(top(i) - next(i)) + part(i);
        top(i) = next(i);
      }
      copy(s, w);
      copy(V(window(k * bn, bn), h, all), kv);
      gemm(w, kv, acc);
    }
    for (auto [i, j] : Parallel(bm, d)) {
      acc(i, j) /= sum(i);
    }
    copy(acc, O(window(bx * bm, bm), h, all));
  });
  return p.build();
}
// end

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Documented, KernelsAreThose) {
  std::string source = readFile(std::string(TESSERA_SOURCE_DIR) + "/tilelang/dsl/test/documented_test.cpp");
  std::string document = readFile(std::string(TESSERA_SOURCE_DIR) + "/docs/language.md");
  for (std::string name : {"matmul", "softmax", "attention"}) {
    size_t begin = source.find("// begin " + name + "\n");
    ASSERT_NE(begin, std::string::npos);
    begin = source.find('\n', begin) + 1;
    std::string kernel = source.substr(begin, source.find("// end", begin) - begin);
    EXPECT_NE(document.find(kernel), std::string::npos) << name << " differs from docs/language.md";
  }
}

Tensor randomTensor(DType type, std::vector<int64_t> shape, uint64_t seed) {
  Tensor tensor = Tensor::empty(type, std::move(shape));
  tensor.fillRandom(seed, -1, 1);
  return tensor;
}

TEST(Documented, Matmul) {
  Tensor a = randomTensor(bf16, {33, 40}, 1), b = randomTensor(bf16, {40, 20}, 2), c = Tensor::empty(f32, {33, 20});
  onEveryTarget(matmul(16, 16, 32), {a, b, c}, [&](const std::vector<Argument> &arguments) {
    std::vector<double> got = doubles(arguments[2]);
    for (int i = 0; i < 33; ++i)
      for (int j = 0; j < 20; ++j) {
        double sum = 0;
        for (int k = 0; k < 40; ++k) sum += a.at({i, k}) * b.at({k, j});
        EXPECT_NEAR(got[i * 20 + j], std::max(sum, 0.0), 40 * 41 * 0x1p-24);
      }
  });
}

TEST(Documented, Softmax) {
  Tensor x = randomTensor(f32, {5, 21}, 1), y = Tensor::empty(f32, {5, 21});
  onEveryTarget(softmax(4, 8), {x, y}, [&](const std::vector<Argument> &arguments) {
    std::vector<double> got = doubles(arguments[1]);
    for (int i = 0; i < 5; ++i) {
      double sum = 0;
      for (int j = 0; j < 21; ++j) sum += std::exp(x.at({i, j}));
      for (int j = 0; j < 21; ++j) EXPECT_NEAR(got[i * 21 + j], std::exp(x.at({i, j})) / sum, 40 * 0x1p-24);
    }
  });
}

TEST(Documented, Attention) {
  constexpr int kLength = 21, kHeads = 2, kWidth = 16;
  Tensor q = randomTensor(bf16, {kLength, kHeads, kWidth}, 1), k = randomTensor(bf16, {kLength, kHeads, kWidth}, 2);
  Tensor v = randomTensor(bf16, {kLength, kHeads, kWidth}, 3), o = Tensor::empty(bf16, {kLength, kHeads, kWidth});
  Tensor exact = Tensor::zeros(f64, {kLength, kHeads, kWidth});
  for (int h = 0; h < kHeads; ++h)
    for (int i = 0; i < kLength; ++i) {
      std::vector<double> weights(i + 1), mean(kWidth);
      double sum = 0;
      for (int j = 0; j <= i; ++j) {
        double score = 0;
        for (int c = 0; c < kWidth; ++c) score += q.at({i, h, c}) * k.at({j, h, c});
        sum += weights[j] = std::exp(score / std::sqrt(kWidth));
      }
      for (int j = 0; j <= i; ++j)
        for (int c = 0; c < kWidth; ++c) mean[c] += weights[j] / sum * v.at({j, h, c});
      for (int c = 0; c < kWidth; ++c) exact.set({i, h, c}, mean[c]);
    }
  onEveryTarget(attention(kHeads, kWidth, 8, 8), {q, k, v, o}, [&](const std::vector<Argument> &arguments) {
    std::vector<double> got = doubles(arguments[3]), want = doubles(exact);
    // Weights and result are rounded to bf16; values are below 1.
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 3 * 0x1p-8);
  });
}

} // namespace
} // namespace tessera::tl
