// Matrix products of every pair of types, square, ragged and with few rows.
#include "bench/cases/cases.h"
#include "bench/cases/product.h"
#include "bench/cases/subject.h"
#include "bench/peers/peers.h"
#include "examples/reference.h"

#include <fmt/format.h>

namespace tessera::bench {
namespace {

using examples::Example;

struct Form {
  const char *family, *example;
  Limit limit;
  double bar, packedBar = 0;
};

constexpr Form kForms[] = {{"gemm_bf16_f32", "gemm_bf16_f32", Limit::bf16Dot, 0.93, 0.95},
                           {"gemm_bf16_bf16", "gemm_bf16", Limit::bf16Dot, 0.93, 0.95},
                           {"gemm_f32", "gemm_f32", Limit::fp32Fma, 0.93, 0.96},
                           {"gemm_s8s8", "gemm_i8", Limit::int8Dot, 0.90},
                           {"gemm_u8s8", "gemm_u8i8", Limit::int8Dot, 0.90}};
constexpr int64_t kSquare[] = {512, 1024, 2048, 4096}, kRagged[] = {1000, 1537, 4095};
/// What a ragged size may lose against its neighbours.
constexpr double kRaggedPart = 0.95;

Prepared prepareProduct(const Example &example, const std::vector<int64_t> &s, int threads, bool packed) {
  std::vector<Argument> arguments = onHugePages(example.arguments(s, kSeed));
  auto tensor = [&](size_t i) { return std::get<Tensor>(arguments[i]); };
  auto expected = expectedProduct(2, tensor(2).dtype(), examples::values(arguments[0]), examples::values(arguments[1]),
                                  s[0], s[1], s[2], static_cast<double>(s[2] + 1) * examples::kF32);
  Prepared prepared = prepareKernel(example.program(), arguments, {std::move(expected)}, threads, packed ? "B" : "");
  prepared.peers = gemmPeers({tensor(0), tensor(1), tensor(2), threads, packed});
  return prepared;
}

Case productCase(const Form &form, const std::vector<int64_t> &sizes, double bar, int threads, bool packed) {
  const Example &example = examples::find(form.example);
  return {.name = fmt::format("{}{}/{}", form.family, packed ? "_packed" : "", sizes[0]),
          .sizes = fmt::format("M={} N={} K={}", sizes[0], sizes[1], sizes[2]),
          .threads = threads,
          .limit = form.limit,
          .bar = {.value = bar, .ofPeer = 1},
          .work = {example.flops(sizes), example.bytes(sizes)},
          .quick = sizes[0] == 1024,
          .prepare = [=, &example] { return prepareProduct(example, sizes, threads, packed); }};
}

/// Elements of an e4m3 matrix (rows x k) with one scale for groups of `groupRows` x 128.
std::vector<double> scaled(const Argument &codes, const Argument &scales, int64_t k, int64_t groupRows) {
  std::vector<double> x = examples::values(codes), scale = examples::values(scales);
  int64_t groups = (k + 127) / 128;
  for (size_t i = 0; i < x.size(); ++i) {
    auto row = static_cast<int64_t>(i) / k, col = static_cast<int64_t>(i) % k;
    x[i] *= scale[static_cast<size_t>(row / groupRows * groups + col / 128)];
  }
  return x;
}

std::vector<double> transposed(const std::vector<double> &x, int64_t rows, int64_t cols) {
  std::vector<double> y(x.size());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) y[static_cast<size_t>(j * rows + i)] = x[static_cast<size_t>(i * cols + j)];
  return y;
}

Prepared prepareFp8(const Example &example, const std::vector<int64_t> &s, int threads) {
  std::vector<Argument> arguments = onHugePages(example.arguments(s, kSeed));
  std::vector<double> a = scaled(arguments[0], arguments[1], s[2], 1);
  std::vector<double> b = transposed(scaled(arguments[2], arguments[3], s[2], 128), s[1], s[2]);
  // 128 terms unscaled, then one product with the scales and one addition for each group.
  int64_t groups = (s[2] + 127) / 128;
  double sumError = static_cast<double>(128 + groups + 3) * examples::kF32;
  auto expected = expectedProduct(4, DType::bf16, a, b, s[0], s[1], s[2], sumError);
  return prepareKernel(example.program(), arguments, {std::move(expected)}, threads);
}

Case fp8Case(const std::vector<int64_t> &sizes, double bar, int threads) {
  const Example &example = examples::find("gemm_fp8");
  bool square = sizes[0] == sizes[1];
  return {.name = square ? fmt::format("gemm_fp8/{}", sizes[0]) : fmt::format("gemm_fp8/{}", fmt::join(sizes, "x")),
          .sizes = fmt::format("M={} N={} K={}", sizes[0], sizes[1], sizes[2]),
          .threads = threads,
          .limit = Limit::bf16Dot,
          .bar = {.value = bar},
          .work = {example.flops(sizes), example.bytes(sizes)},
          .quick = sizes[0] == 1024,
          .prepare = [=, &example] { return prepareFp8(example, sizes, threads); }};
}

Prepared prepareFp4(const Example &example, const std::vector<int64_t> &s, int threads) {
  std::vector<Argument> arguments = onHugePages(example.arguments(s, kSeed));
  std::vector<double> w = examples::values(arguments[1]), scales = examples::values(arguments[2]);
  int64_t groups = (s[2] + 31) / 32;
  for (size_t i = 0; i < w.size(); ++i) {
    auto row = static_cast<int64_t>(i) / s[2], col = static_cast<int64_t>(i) % s[2];
    w[i] *= scales[static_cast<size_t>(row * groups + col / 32)];
  }
  auto expected = expectedProduct(3, DType::bf16, examples::values(arguments[0]), transposed(w, s[1], s[2]), s[0], s[1],
                                  s[2], static_cast<double>(s[2] + 1) * examples::kF32);
  return prepareKernel(example.program(), arguments, {std::move(expected)}, threads);
}

Case fp4Case(int64_t n, int threads) {
  const Example &example = examples::find("gemm_w4a16");
  std::vector<int64_t> sizes = {n, n, n};
  return {.name = fmt::format("gemm_fp4/{}", n),
          .sizes = fmt::format("M={0} N={0} K={0}", n),
          .threads = threads,
          .limit = Limit::bf16Dot,
          .bar = {.value = 0.85},
          .work = {example.flops(sizes), example.bytes(sizes)},
          .quick = n == 1024,
          .prepare = [=, &example] { return prepareFp4(example, sizes, threads); }};
}

} // namespace

std::vector<Case> gemmCases(int threads) {
  std::vector<Case> list;
  for (const Form &form : kForms) {
    for (int64_t n : kSquare) list.push_back(productCase(form, {n, n, n}, form.bar, threads, false));
    for (int64_t n : kRagged) list.push_back(productCase(form, {n, n, n}, kRaggedPart * form.bar, threads, false));
    if (form.packedBar == 0) continue;
    for (int64_t n : kSquare) list.push_back(productCase(form, {n, n, n}, form.packedBar, threads, true));
  }
  for (int64_t n : kSquare) list.push_back(fp8Case({n, n, n}, 0.88, threads));
  for (int64_t n : kRagged) list.push_back(fp8Case({n, n, n}, kRaggedPart * 0.88, threads));
  list.push_back(fp8Case({128, 4096, 4096}, 0.80, threads));
  for (int64_t n : kSquare) list.push_back(fp4Case(n, threads));
  return list;
}

} // namespace tessera::bench
