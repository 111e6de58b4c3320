// Allocation, element accesses and variables.
#include "tilelang/dsl/buffer.h"

#include "tilelang/dsl/place.h"
#include "tilelang/ir/TileInfo.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tl {
namespace {

MemRefType bufferType(Tracer &tracer, const Shape &shape, DType type, Space space, const At &at) {
  llvm::SmallVector<int64_t> extents;
  for (const Dim &dim : shape) {
    // Below zero stands for run-time in MLIR, so it must not get there.
    if (dim.isStatic() && dim.value() < 0)
      fail(at, fmt::format("extent {} is below zero", dim.value()), "extents are at least 1");
    extents.push_back(dim.isStatic() ? dim.value() : ShapedType::kDynamic);
  }
  auto spaceAttr = tile::SpaceAttr::get(&tracer.impl->context, static_cast<tile::Space>(space));
  return MemRefType::get(extents, tracer.elementType(type, at), MemRefLayoutAttrInterface(), spaceAttr);
}

Buffer allocate(const char *word, Space space, const Shape &shape, DType type, const AllocOptions &options,
                const At &at) {
  Tracer &tracer = Tracer::requireKernel(word, at);
  MemRefType memref = bufferType(tracer, shape, type, space, at);
  StringAttr name = options.name.empty() ? StringAttr() : tracer.builder.getStringAttr(options.name);
  IntegerAttr address = options.address ? tracer.builder.getI64IntegerAttr(*options.address) : IntegerAttr();
  // A variable of a parallel loop's body is private to the iteration; its place is outside the loop.
  OpBuilder::InsertionGuard guard(tracer.builder);
  Operation *around = tracer.builder.getInsertionBlock()->getParentOp();
  auto loop =
      isa<tile::ParallelOp>(around) ? cast<tile::ParallelOp>(around) : around->getParentOfType<tile::ParallelOp>();
  if (space == Space::var && loop) tracer.builder.setInsertionPoint(loop);
  auto op = tracer.create<tile::AllocOp>(at, memref, name, padAttr(tracer, options.pad, type, at), address);
  return Buffer(op.getBuffer().getAsOpaquePointer(), tracer.id, tracer.currentScope(), type, space, shape);
}

void store(const Access &access, const Operand &value) {
  Tracer &tracer = Tracer::requireKernel("a store", access.where());
  Value buffer = tracer.buffer(access.buffer(), access.where());
  llvm::SmallVector<Value> indices = elementIndices(tracer, access);
  tracer.create<tile::StoreOp>(access.where(), elementValue(tracer, value, access.buffer().dtype()), buffer, indices);
}

Expr load(const Buffer &place, ArrayRef<Value> indices, const At &at) {
  Tracer &tracer = Tracer::requireKernel("a load", at);
  ScalarType type{place.dtype()};
  auto op = tracer.create<tile::LoadOp>(at, tracer.valueType(type), tracer.buffer(place, at), indices);
  return tracer.wrap(op.getValue(), type, at);
}

Expr loadElement(const Access &access) {
  Tracer &tracer = Tracer::requireKernel("a load", access.where());
  return load(access.buffer(), elementIndices(tracer, access), access.where());
}

void storeVariable(const Variable &variable, const Operand &value) {
  Tracer &tracer = Tracer::requireKernel("a store", value.where());
  Value stored = elementValue(tracer, value, variable.buffer().dtype());
  tracer.create<tile::StoreOp>(value.where(), stored, tracer.buffer(variable.buffer(), value.where()), ValueRange());
}

} // namespace

Range range(const Operand &start, const Operand &stop) { return {start, stop, {}}; }
Range window(const Operand &start, const Operand &size) { return {start, {}, size}; }

Access::Access(const Buffer &buffer, const std::array<Index, kMostDims> &subscripts)
    : owner(buffer), indices(subscripts) {
  while (count < kMostDims && indices[count].kind != Index::Kind::none) ++count;
  if (count != buffer.rank())
    fail(where(), fmt::format("a buffer of rank {} is given {} subscripts", buffer.rank(), count),
         "give one subscript for each dimension; `all` stands for a whole one");
}

bool Access::isElement() const {
  return std::all_of(indices.begin(), indices.begin() + static_cast<int64_t>(count),
                     [](const Index &index) { return index.kind == Index::Kind::scalar; });
}

Access &Access::operator=(const Operand &value) {
  store(*this, value);
  return *this;
}
Access &Access::operator=(const Access &other) {
  store(*this, Operand(loadElement(other), other.where()));
  return *this;
}
Access &Access::operator+=(const Operand &value) {
  return *this = Operand(Operand(loadElement(*this), where()) + value, where());
}
Access &Access::operator-=(const Operand &value) {
  return *this = Operand(Operand(loadElement(*this), where()) - value, where());
}
Access &Access::operator*=(const Operand &value) {
  return *this = Operand(Operand(loadElement(*this), where()) * value, where());
}
Access &Access::operator/=(const Operand &value) {
  return *this = Operand(Operand(loadElement(*this), where()) / value, where());
}

Expr::Expr(Access &&element) : Expr(loadElement(element)) {}
Expr::Expr(const Variable &variable) : Expr(load(variable.buffer(), {}, {})) {}

Access Buffer::operator()(const Index &i0, const Index &i1, const Index &i2, const Index &i3, const Index &i4,
                          const Index &i5, const Index &i6, const Index &i7) const {
  return Access(*this, {i0, i1, i2, i3, i4, i5, i6, i7});
}

const Dim &Buffer::extent(size_t dim, const At &at) const {
  if (dim >= rank()) fail(at, fmt::format("dimension {} of a buffer of rank {} is asked for", dim, rank()), "");
  return extents[dim];
}

Variable &Variable::operator=(const Operand &value) {
  storeVariable(*this, value);
  return *this;
}
Variable &Variable::operator=(const Variable &other) { return *this = Operand(other); }
Variable &Variable::operator+=(const Operand &value) {
  return *this = Operand(Operand(*this, value.where()) + value, value.where());
}
Variable &Variable::operator-=(const Operand &value) {
  return *this = Operand(Operand(*this, value.where()) - value, value.where());
}
Variable &Variable::operator*=(const Operand &value) {
  return *this = Operand(Operand(*this, value.where()) * value, value.where());
}
Variable &Variable::operator/=(const Operand &value) {
  return *this = Operand(Operand(*this, value.where()) / value, value.where());
}

Buffer allocShared(const Shape &shape, DType type, const char *name, const At &at) {
  return allocate("allocShared", Space::shared, shape, type, {.name = name}, at);
}
Buffer allocFragment(const Shape &shape, DType type, const char *name, const At &at) {
  return allocate("allocFragment", Space::fragment, shape, type, {.name = name}, at);
}
Buffer allocLocal(const Shape &shape, DType type, const char *name, const At &at) {
  return allocate("allocLocal", Space::local, shape, type, {.name = name}, at);
}
Buffer allocShared(const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("allocShared", Space::shared, shape, type, options, at);
}
Buffer allocFragment(const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("allocFragment", Space::fragment, shape, type, options, at);
}
Buffer allocLocal(const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("allocLocal", Space::local, shape, type, options, at);
}
Buffer alloc(Space space, const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("alloc", space, shape, type, options, at);
}
Buffer allocL1(const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("allocL1", Space::l1, shape, type, options, at);
}
Buffer allocL0A(const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("allocL0A", Space::l0a, shape, type, options, at);
}
Buffer allocL0B(const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("allocL0B", Space::l0b, shape, type, options, at);
}
Buffer allocL0C(const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("allocL0C", Space::l0c, shape, type, options, at);
}
Buffer allocUb(const Shape &shape, DType type, const AllocOptions &options, const At &at) {
  return allocate("allocUb", Space::ub, shape, type, options, at);
}

Variable var(DType type, const At &at) { return Variable(allocate("var", Space::var, {}, type, {}, at)); }
Variable var(DType type, const Operand &initial, const char *name) {
  Variable variable(allocate("var", Space::var, {}, type, {.name = name}, initial.where()));
  variable = initial;
  return variable;
}

Buffer view(const Buffer &buffer, const Shape &shape, DType type, const At &at) {
  Tracer &tracer = Tracer::requireKernel("view", at);
  MemRefType memref = bufferType(tracer, shape, type, buffer.space(), at);
  auto op = tracer.create<tile::ViewOp>(at, memref, tracer.buffer(buffer, at));
  return Buffer(op.getResult().getAsOpaquePointer(), tracer.id, tracer.currentScope(), type, buffer.space(), shape);
}
Buffer reshape(const Buffer &buffer, const Shape &shape, const At &at) {
  return view(buffer, shape, buffer.dtype(), at);
}

} // namespace tessera::tl
