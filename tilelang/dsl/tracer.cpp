// Scopes, constants, conversions: what every part of the language needs while it records.
#include "tilelang/dsl/tracer.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tl {
namespace {

/// Where this thread keeps the program under construction.
std::shared_ptr<std::atomic<Tracer *>> &activeSlot() {
  thread_local auto slot = std::make_shared<std::atomic<Tracer *>>(nullptr);
  return slot;
}

/// Ids of programs and scopes; 0 stands for none. Inner scopes have higher ids than outer ones.
uint64_t nextId() {
  static std::atomic<uint64_t> next = 1;
  return next++;
}

} // namespace

void fail(const At &at, std::string what, std::string advice) {
  const Tracer *tracer = Tracer::active();
  bool known = at.line() != 0 || !tracer;
  throw Error(Diagnostic{std::move(what), SourceLine(known ? at : tracer->latestLine()), std::move(advice)});
}

Tracer::Tracer(std::string_view name, const At &at)
    : impl(std::make_shared<Program::Impl>()), builder(&impl->context), id(nextId()), name(name), where(at), latest(at),
      slot(activeSlot()) {
  if (const Tracer *other = active())
    fail(at, fmt::format("program '{}' is started while '{}' is not finished", name, other->name),
         fmt::format("call build() on '{}' first, or build the other program before it", other->name));
  if (name.empty()) fail(at, "the name of the program is empty", "give it a name; messages and files use it");
  impl->module = ModuleOp::create(location(at));
  builder.setInsertionPointToEnd(impl->module->getBody());
  impl->function = func::FuncOp::create(builder, location(at), StringRef(name), builder.getFunctionType({}, {}));
  Block *entry = impl->function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, location(at));
  open(Scope::function, entry);
  *slot = this;
}

Tracer::~Tracer() {
  Tracer *self = this;
  slot->compare_exchange_strong(self, nullptr);
}

Tracer *Tracer::active() { return *activeSlot(); }

Tracer &Tracer::require(std::string_view what, const At &at) {
  Tracer *tracer = active();
  if (!tracer)
    fail(at, fmt::format("{} is used outside a program", what),
         "use it between the construction of a ProgramBuilder and its build(), on the same thread");
  return *tracer;
}

Tracer &Tracer::requireKernel(std::string_view what, const At &at) {
  Tracer &tracer = require(what, at);
  if (!tracer.inKernel())
    fail(at, fmt::format("{} is used outside a kernel", what),
         fmt::format("put it into the body given to kernel() of '{}'", tracer.name));
  return tracer;
}

uint64_t Tracer::open(Scope kind, Block *block) {
  // Passes descend once for each level.
  constexpr size_t kMostScopes = 128;
  if (scopes.size() == kMostScopes)
    fail({}, fmt::format("loops and conditions are nested more than {} deep", kMostScopes),
         "compute conditions into variables, and loop over products of extents");
  scopes.push_back({nextId(), kind, builder.saveInsertionPoint()});
  builder.setInsertionPoint(block, block->empty() ? block->end() : std::prev(block->end()));
  return scopes.back().id;
}

void Tracer::close(uint64_t id) {
  while (scopes.size() > 1) {
    OpenScope last = scopes.back();
    scopes.pop_back();
    builder.restoreInsertionPoint(last.resume);
    if (last.id == id) return;
  }
}

uint64_t Tracer::innermostLoop() const {
  for (const OpenScope &scope : llvm::reverse(scopes))
    if (scope.kind == Scope::loop) return scope.id;
  return 0;
}

bool Tracer::isOpen(uint64_t scope) const {
  return llvm::any_of(scopes, [&](const OpenScope &open) { return open.id == scope; });
}

bool Tracer::inKernel() const {
  return llvm::any_of(scopes, [](const OpenScope &open) { return open.kind == Scope::kernel; });
}

Location Tracer::location(const At &at) {
  if (at.line() != 0) latest = at;
  return FileLineColLoc::get(&impl->context, latest.file_name(), latest.line(), latest.column());
}

void Tracer::verify(Operation *op) {
  DiagnosticCollector collector(&impl->context);
  if (succeeded(mlir::verify(op, /*verifyRecursively=*/false))) return;
  op->erase();
  collector.throwErrors("the operation is not valid");
}

Type Tracer::elementType(DType type, const At &at) {
  switch (type) {
  case DType::boolean: return builder.getI1Type();
  case DType::i8: return builder.getI8Type();
  case DType::i16: return builder.getI16Type();
  case DType::i32: return builder.getI32Type();
  case DType::i64: return builder.getI64Type();
  case DType::u8: return builder.getIntegerType(8, false);
  case DType::u16: return builder.getIntegerType(16, false);
  case DType::u32: return builder.getIntegerType(32, false);
  case DType::u64: return builder.getIntegerType(64, false);
  case DType::f16: return builder.getF16Type();
  case DType::bf16: return builder.getBF16Type();
  case DType::f32: return builder.getF32Type();
  case DType::f64: return builder.getF64Type();
  case DType::e4m3: return Float8E4M3FNType::get(&impl->context);
  case DType::e5m2: return Float8E5M2Type::get(&impl->context);
  case DType::e8m0: return Float8E8M0FNUType::get(&impl->context);
  case DType::e2m1: return Float4E2M1FNType::get(&impl->context);
  default: break;
  }
  fail(at, fmt::format("{} is not an element type of tile programs", tessera::name(type)),
       "element types are bool, i8-i64, u8-u64, f16, bf16, f32, f64, e4m3, e5m2, e8m0 and e2m1");
}

Type Tracer::valueType(ScalarType type) {
  if (type.index) return builder.getIndexType();
  return tile::scalarType(elementType(type.dtype, where));
}

Value Tracer::constant(TypedAttr attr) {
  Value &cached = constants[{attr.getType().getAsOpaquePointer(), attr.getAsOpaquePointer()}];
  if (cached) return cached;
  // At the start of the function, where every use can see it.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&impl->function.getBody().front());
  cached = arith::ConstantOp::create(builder, location(where), attr);
  return cached;
}

Value Tracer::constant(ScalarType type, int64_t value) {
  Type integer = valueType(type);
  unsigned width = integer.isIndex() ? 64 : integer.getIntOrFloatBitWidth();
  APInt bits(width, static_cast<uint64_t>(value), /*isSigned=*/true, /*implicitTrunc=*/true);
  return constant(llvm::cast<TypedAttr>(Attribute(IntegerAttr::get(integer, bits))));
}

Value Tracer::constant(ScalarType type, double value) {
  auto floatType = llvm::cast<FloatType>(valueType(type));
  // Rounded by our own conversion: it saturates and rounds as stores do.
  uint64_t bits = encode(type.dtype, value);
  APFloat exact(floatType.getFloatSemantics(), APInt(floatType.getWidth(), bits));
  return constant(llvm::cast<TypedAttr>(Attribute(FloatAttr::get(floatType, exact))));
}

} // namespace tessera::tl
