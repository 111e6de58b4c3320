// Matrix products: one fused multiply-add for each k, in ascending order, in the accumulation type.
#include "tilelang/ir/interp/frame.h"

#include "tilelang/ir/TileInfo.h"

#include <cmath>
#include <utility>

using namespace mlir;

namespace tessera::tile {
namespace {

struct Extent3 {
  int64_t m, n, k;
};

/// One operand as a matrix: row and column of the product's index space to an element of the tile.
class Matrix {
public:
  Matrix(const RuntimeTile &tile, bool transposed) : tile(tile), index(tile.sizes.size(), 0), transposed(transposed) {}

  int64_t rows() const { return tile.sizes[index.size() - (transposed ? 1 : 2)]; }
  int64_t cols() const { return tile.sizes[index.size() - (transposed ? 2 : 1)]; }
  std::optional<uint64_t> read(int64_t row, int64_t col) { return tile.read(at(row, col)); }
  void write(int64_t row, int64_t col, uint64_t bits) { tile.write(at(row, col), bits); }
  DType dtype() const { return tile.dtype(); }

private:
  const RuntimeTile &tile;
  Extents index;
  bool transposed;

  ArrayRef<int64_t> at(int64_t row, int64_t col) {
    index[index.size() - 2] = transposed ? col : row;
    index[index.size() - 1] = transposed ? row : col;
    return index;
  }
};

template <class T> T numberOf(DType type, uint64_t bits) {
  if constexpr (std::is_integral_v<T>) {
    auto width = static_cast<unsigned>(bitWidth(type));
    return static_cast<T>(isUnsignedInteger(type) ? bits : static_cast<uint64_t>(Word{bits, width}.value()));
  } else {
    return static_cast<T>(decodeReal(type, bits));
  }
}

template <class T> uint64_t bitsOf(DType type, T value) {
  if constexpr (std::is_integral_v<T>)
    return value;
  else
    return encodeReal(type, value);
}

float accumulate(float a, float b, float sum) { return std::fma(a, b, sum); }
double accumulate(double a, double b, double sum) { return std::fma(a, b, sum); }
uint32_t accumulate(uint32_t a, uint32_t b, uint32_t sum) { return a * b + sum; }

/// Elements of a rows x cols corner, 0 where they lie outside the buffer.
template <class T> std::vector<T> gathered(Matrix matrix, int64_t rows, int64_t cols) {
  std::vector<T> list;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) list.push_back(numberOf<T>(matrix.dtype(), matrix.read(i, j).value_or(0)));
  return list;
}

template <class T> void multiply(Matrix a, Matrix b, Matrix c, Extent3 size, bool clear) {
  std::vector<T> left = gathered<T>(std::move(a), size.m, size.k), right = gathered<T>(std::move(b), size.k, size.n);
  for (int64_t i = 0; i < size.m; ++i)
    for (int64_t j = 0; j < size.n; ++j) {
      T sum = clear ? T(0) : numberOf<T>(c.dtype(), c.read(i, j).value_or(0));
      for (int64_t k = 0; k < size.k; ++k)
        sum = accumulate(left[static_cast<size_t>(i * size.k + k)], right[static_cast<size_t>(k * size.n + j)], sum);
      c.write(i, j, bitsOf(c.dtype(), sum));
    }
}

void runGemm(GemmOp op, Frame &frame) {
  requireWritable(op, frame.tile(op.getC()));
  Matrix a(frame.tile(op.getA()), op.getTransposeA()), b(frame.tile(op.getB()), op.getTransposeB());
  Matrix c(frame.tile(op.getC()), false);
  Extent3 size{std::min(a.rows(), c.rows()), std::min(b.cols(), c.cols()), std::min(a.cols(), b.rows())};
  if (size.m == 0 || size.n == 0) return;
  frame.run.charge(op, elementCount({size.m, size.k}));
  frame.run.charge(op, elementCount({size.k, size.n}));
  frame.run.charge(op, elementCount({size.m, size.n, std::max<int64_t>(size.k, 1)}));
  bool clear = op.getClear() && frame.bits(op.getClear());
  if (!isFloat(c.dtype())) return multiply<uint32_t>(a, b, c, size, clear);
  if (c.dtype() == DType::f64) return multiply<double>(a, b, c, size, clear);
  multiply<float>(a, b, c, size, clear);
}

} // namespace

void addGemmHandlers(Handlers &h) { h.add<GemmOp>(runGemm); }

} // namespace tessera::tile
