// Sizes, parameters, kernels, and the checks at the end.
#include "tilelang/dsl/program_builder.h"

#include "tilelang/dsl/tracer.h"
#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tl {
namespace {

AffineExpr affine(const Dim &dim, MLIRContext *context) {
  if (dim.isStatic()) return getAffineConstantExpr(dim.value(), context);
  const Dim::Node &node = *dim.expression();
  if (node.op == DimOp::symbol) return getAffineSymbolExpr(static_cast<unsigned>(node.symbol), context);
  AffineExpr a = affine(node.operands[0], context), b = affine(node.operands[1], context);
  switch (node.op) {
  case DimOp::add: return a + b;
  case DimOp::sub: return a - b;
  case DimOp::mul: return a * b;
  case DimOp::ceildiv: return a.ceilDiv(b);
  case DimOp::mod: return a % b;
  default: return a.floorDiv(b);
  }
}

/// Whether calls can compute the extent: they divide by constants only.
bool dividesByConstants(const Dim &dim) {
  if (dim.isStatic()) return true;
  const Dim::Node &node = *dim.expression();
  bool divides = node.op == DimOp::floordiv || node.op == DimOp::ceildiv || node.op == DimOp::mod;
  if (divides && !node.operands[1].isStatic()) return false;
  return llvm::all_of(node.operands, dividesByConstants);
}

bool isPlain(const Dim &dim, int symbol) {
  return !dim.isStatic() && dim.expression()->op == DimOp::symbol && dim.expression()->symbol == symbol;
}

/// Refuses a second parameter or size of one name.
void requireNew(const Tracer &tracer, std::string_view name, const At &at) {
  if (name.empty()) fail(at, "a parameter or size has no name", "give it one; messages use it");
  for (const Tracer::Parameter &parameter : tracer.parameters)
    if (parameter.name == name)
      fail(at, fmt::format("`{}` is declared twice", name), "give each parameter its own name");
  for (const Tracer::Symbol &symbol : tracer.symbols)
    if (symbol.name == name) fail(at, fmt::format("`{}` is declared twice", name), "give each size its own name");
}

MemRefType tensorType(Tracer &tracer, std::string_view name, DType type, const Shape &shape, Layout layout,
                      const At &at) {
  llvm::SmallVector<int64_t> extents;
  for (const Dim &dim : shape) {
    if (!dim.isStatic() && dim.expression()->program != tracer.id)
      fail(at, fmt::format("size `{}` of `{}` belongs to another program", dim.text(), name),
           "make it with dim() of this program");
    if (!dividesByConstants(dim))
      fail(at, fmt::format("extent `{}` of `{}` divides by a run-time size", dim.text(), name),
           "shapes divide by constants only");
    if (dim.isStatic() && dim.value() < 0)
      fail(at, fmt::format("extent {} of `{}` is below zero", dim.value(), name), "extents are at least 0");
    extents.push_back(dim.isStatic() ? dim.value() : ShapedType::kDynamic);
  }
  if (shape.size() > Access::kMostDims)
    fail(at, fmt::format("`{}` has rank {}", name, shape.size()),
         fmt::format("tensors have at most {} dimensions", Access::kMostDims));
  MemRefLayoutAttrInterface strides;
  if (layout == Layout::strided && !shape.empty()) {
    llvm::SmallVector<int64_t> steps(shape.size(), ShapedType::kDynamic);
    steps.back() = 1;
    strides = StridedLayoutAttr::get(&tracer.impl->context, 0, steps);
  }
  auto space = tile::SpaceAttr::get(&tracer.impl->context, tile::Space::global);
  return MemRefType::get(extents, tracer.elementType(type, at), strides, space);
}

Value addArgument(Tracer &tracer, std::string_view name, Type type, llvm::ArrayRef<NamedAttribute> attributes,
                  const At &at) {
  unsigned position = tracer.impl->function.getNumArguments();
  llvm::SmallVector<NamedAttribute> all(attributes);
  all.emplace_back(tracer.builder.getStringAttr("tile.name"), tracer.builder.getStringAttr(StringRef(name)));
  (void)tracer.impl->function.insertArgument(position, type, tracer.builder.getDictionaryAttr(all),
                                             tracer.location(at));
  return tracer.impl->function.getArgument(position);
}

/// Writes the names of the sizes and, for each tensor, its extents in them; every size must be found in some tensor.
void describeShapes(Tracer &tracer) {
  MLIRContext *context = &tracer.impl->context;
  func::FuncOp function = tracer.impl->function;
  llvm::SmallVector<Attribute> names;
  for (auto [symbol, entry] : llvm::enumerate(tracer.symbols)) {
    auto gives = [&](const Dim &dim) { return isPlain(dim, static_cast<int>(symbol)); };
    if (!llvm::any_of(tracer.parameters, [&](const Tracer::Parameter &p) { return llvm::any_of(p.shape, gives); }))
      fail(entry.where, fmt::format("size `{}` is not the extent of any tensor", entry.name),
           "give a tensor this extent, or make it a scalar parameter");
    names.push_back(tracer.builder.getStringAttr(entry.name));
  }
  if (!names.empty()) function->setAttr("tile.symbols", tracer.builder.getArrayAttr(names));
  for (auto [position, parameter] : llvm::enumerate(tracer.parameters)) {
    if (!parameter.isTensor) continue;
    auto extents = llvm::map_to_vector(parameter.shape, [&](const Dim &dim) { return affine(dim, context); });
    auto map = AffineMap::get(0, static_cast<unsigned>(names.size()), extents, context);
    function.setArgAttr(static_cast<unsigned>(position), "tile.shape", AffineMapAttr::get(map));
  }
}

} // namespace

ProgramBuilder::ProgramBuilder(std::string_view name, const At &at) : tracer(std::make_unique<Tracer>(name, at)) {}
ProgramBuilder::~ProgramBuilder() = default;

Dim ProgramBuilder::dim(std::string_view name, const At &at) {
  Tracer &state = current("dim", at);
  requireNew(state, name, at);
  int position = static_cast<int>(state.symbols.size());
  state.symbols.push_back({std::string(name), at, {}});
  return Dim(std::make_shared<const Dim::Node>(Dim::Node{DimOp::symbol, state.id, position, std::string(name), {}}));
}

Buffer ProgramBuilder::input(std::string_view name, DType type, const Shape &shape, Layout layout, const At &at) {
  return addTensor(name, type, shape, layout, "read", at);
}
Buffer ProgramBuilder::output(std::string_view name, DType type, const Shape &shape, Layout layout, const At &at) {
  return addTensor(name, type, shape, layout, "write", at);
}
Buffer ProgramBuilder::inout(std::string_view name, DType type, const Shape &shape, Layout layout, const At &at) {
  return addTensor(name, type, shape, layout, "readwrite", at);
}

Buffer ProgramBuilder::addTensor(std::string_view name, DType type, const Shape &shape, Layout layout,
                                 const char *access, const At &at) {
  Tracer &state = current("a tensor", at);
  requireNew(state, name, at);
  MemRefType memref = tensorType(state, name, type, shape, layout, at);
  Builder &builder = state.builder;
  NamedAttribute attribute(builder.getStringAttr("tile.access"), builder.getStringAttr(access));
  Value value = addArgument(state, name, memref, attribute, at);
  state.parameters.push_back({std::string(name), value, shape, true, at});
  return Buffer(value.getAsOpaquePointer(), state.id, state.currentScope(), type, Space::global, shape);
}

Expr ProgramBuilder::scalar(std::string_view name, DType type, const At &at) {
  Tracer &state = current("a scalar parameter", at);
  requireNew(state, name, at);
  Value value = addArgument(state, name, tile::scalarType(state.elementType(type, at)), {}, at);
  state.parameters.push_back({std::string(name), value, {}, false, at});
  return state.wrap(value, {type}, at);
}

void ProgramBuilder::recordKernel(const std::vector<Operand> &grid, int arity,
                                  FunctionRef<void(const std::vector<Var> &)> body, const KernelOptions &options,
                                  const At &at) {
  Tracer &state = current("kernel", at);
  if (state.inKernel()) fail(at, "a kernel is launched inside a kernel", "launch kernels one after the other");
  if (grid.size() != static_cast<size_t>(arity))
    fail(at, fmt::format("the grid has {} dimensions but the body takes {} block indices", grid.size(), arity),
         "give the body one index for each dimension of the grid");
  llvm::SmallVector<Value> extents;
  for (const Operand &extent : grid) extents.push_back(state.index(extent, extent.where()));
  auto kernel = state.create<tile::KernelOp>(at, ValueRange(extents));
  if (options.threads != 0) kernel.setThreads(options.threads);
  state.verify(kernel);
  OpenBody open(state, Tracer::Scope::kernel, &kernel.getBody().front());
  std::vector<Var> indices;
  for (Value index : kernel.getBody().getArguments()) indices.push_back(state.wrap(index, {DType::i64, true}, at));
  body(indices);
}

Tracer &ProgramBuilder::current(const char *word, const At &at) {
  if (!tracer)
    fail(at, fmt::format("{} is declared on a program that is already built", word),
         "declare everything before build()");
  if (Tracer::active() != tracer.get())
    fail(at, fmt::format("program '{}' is used on another thread", tracer->name), "use it on the thread that made it");
  return *tracer;
}

Program ProgramBuilder::build(const At &at) {
  Tracer &state = current("build", at);
  if (state.inKernel()) fail(at, "build() is called inside a kernel", "call it after the body has ended");
  if (state.isUnfinished())
    fail(at, fmt::format("program '{}' was left by an error inside its kernel", state.name),
         "build it again from the start");
  describeShapes(state);
  DiagnosticCollector collector(&state.impl->context);
  if (failed(mlir::verify(state.impl->module->getOperation()))) collector.throwErrors("the program is not valid");
  std::shared_ptr<Program::Impl> impl = state.impl;
  tracer.reset();
  return Program(std::move(impl));
}

} // namespace tessera::tl
