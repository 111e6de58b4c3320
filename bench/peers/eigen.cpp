// Eigen's product of f32 matrices. It has no run-time dispatch, so this file is compiled for the machine that builds
// it; its own threads need the compiler's OpenMP, so each of ours computes an equal share of the rows instead.
#include "bench/peers/eigen.h"

#include "core/thread_pool.h"

#include <Eigen/Core>
#include <fmt/format.h>

namespace tessera::bench {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<Matrix> matrixOf(const Tensor &tensor) {
  auto *data = static_cast<float *>(const_cast<void *>(tensor.data()));
  return {data, tensor.extent(0), tensor.extent(1)};
}

} // namespace

PeerLibrary eigen() {
  return {.name = "Eigen",
          .version = fmt::format("{}.{}.{} ({})", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION,
                                 Eigen::SimdInstructionSetsInUse()),
          .reason = {}};
}

std::vector<Contestant> eigenGemm(const GemmProblem &p) {
  if (p.a.dtype() != DType::f32 || p.c.dtype() != DType::f32) return {};
  return {{.name = "Eigen", .call = [=] {
             auto a = matrixOf(p.a), b = matrixOf(p.b), c = matrixOf(p.c);
             parallelFor(
                 p.threads,
                 [&](int64_t share, int) {
                   int64_t begin = a.rows() * share / p.threads, end = a.rows() * (share + 1) / p.threads;
                   c.middleRows(begin, end - begin).noalias() = a.middleRows(begin, end - begin) * b;
                 },
                 p.threads);
           }}};
}

} // namespace tessera::bench
