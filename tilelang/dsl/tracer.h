// The state of a program under construction: where the next operation goes, which scopes are open, and how values of
// the language become MLIR values. Internal to the language.
#pragma once

#include "tilelang/dsl/ProgramImpl.h"
#include "tilelang/dsl/tl.h"
#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/DenseMap.h"

#include <atomic>
#include <exception>
#include <map>
#include <memory>

namespace tessera::tl {

/// Throws an Error with one diagnostic.
[[noreturn]] void fail(const At &at, std::string what, std::string advice = "");

/// A value of the kernel and its type.
struct Typed {
  mlir::Value value;
  ScalarType type;
};

class Tracer {
public:
  Tracer(std::string_view name, const At &at);
  ~Tracer();

  /// The program under construction on this thread; null if there is none.
  static Tracer *active();
  /// The same; fails where there is none. `what` names the caller in the message.
  static Tracer &require(std::string_view what, const At &at);
  /// The same, inside a kernel.
  static Tracer &requireKernel(std::string_view what, const At &at);

  // Places.

  enum class Scope : uint8_t { function, kernel, loop };
  /// Moves the insertion point to the end of `block`, before its terminator.
  uint64_t open(Scope kind, mlir::Block *block);
  /// Back to where it was before `open` returned `id`; scopes opened since then are closed with it.
  void close(uint64_t id);
  /// Says that a body was left before its end: half of what it should do is recorded.
  void leaveUnfinished() { unfinished = true; }
  bool isUnfinished() const { return unfinished; }
  uint64_t currentScope() const { return scopes.back().id; }
  /// The innermost scope that runs a number of times unknown to C++ (a loop or a condition); 0 if there is none.
  uint64_t innermostLoop() const;
  bool isOpen(uint64_t scope) const;
  bool inKernel() const;

  /// The line of `at`; where it is not known (assignment of one variable to another), that of the operation before.
  mlir::Location location(const At &at);
  const At &latestLine() const { return latest; }

  // Operations.

  /// Builds an operation and verifies it; throws what the verifier says, and then the operation is gone.
  template <class Op, class... Args> Op create(const At &at, Args &&...args) {
    Op op = Op::create(builder, location(at), std::forward<Args>(args)...);
    verify(op);
    return op;
  }
  /// Builds a scalar operation, folded where its operands are constants.
  template <class Op, class... Args> mlir::Value fold(const At &at, Args &&...args) {
    return builder.createOrFold<Op>(location(at), std::forward<Args>(args)...);
  }
  void verify(mlir::Operation *op);

  // Values.

  mlir::Type elementType(DType type, const At &at);
  mlir::Type valueType(ScalarType type);
  mlir::Value constant(ScalarType type, int64_t value);
  mlir::Value constant(ScalarType type, double value);
  mlir::Value indexConstant(int64_t value) { return constant({DType::i64, true}, value); }

  /// The value of an expression of this program in its own type.
  Typed typed(const Expr &expr, const At &at);
  /// The value in another type; literals must be representable in it.
  mlir::Value as(const Expr &expr, ScalarType type, const At &at);
  /// The value as an i1; anything but bool is refused.
  mlir::Value condition(const Expr &expr, const At &at);
  /// The value of an integer as an index.
  mlir::Value index(const Expr &expr, const At &at);
  mlir::Value cast(Typed from, ScalarType to, const At &at, const CastOptions &options = {});
  Expr wrap(mlir::Value value, ScalarType type, const At &at);

  mlir::Value extent(const Dim &dim, const At &at);
  mlir::Value buffer(const Buffer &buffer, const At &at);

  std::shared_ptr<Program::Impl> impl;
  mlir::OpBuilder builder;
  const uint64_t id;
  const std::string name;
  const At where;

  struct Symbol {
    std::string name;
    At where;
    mlir::Value value; // read from a tensor at the start of the function, once it is needed
  };
  std::vector<Symbol> symbols;
  struct Parameter {
    std::string name;
    mlir::Value value;
    Shape shape;
    bool isTensor;
    At where;
  };
  std::vector<Parameter> parameters;

private:
  At latest;
  bool unfinished = false;
  /// What `active` reads on the thread that made this; shared, because a program may be given up on another thread.
  std::shared_ptr<std::atomic<Tracer *>> slot;
  struct OpenScope {
    uint64_t id;
    Scope kind;
    mlir::OpBuilder::InsertPoint resume;
  };
  std::vector<OpenScope> scopes;
  std::map<std::pair<const void *, const void *>, mlir::Value> constants; // by type and attribute

  mlir::Value constant(mlir::TypedAttr attr);
  mlir::Value symbolValue(int symbol, const At &at);
  mlir::Value literal(const Expr::Payload &literal, ScalarType type, const At &at);
};

/// A scope that is open while its body is recorded, and closed too when an exception leaves the body.
class OpenBody {
public:
  OpenBody(Tracer &tracer, Tracer::Scope kind, mlir::Block *block) : tracer(tracer), scope(tracer.open(kind, block)) {}
  OpenBody(const OpenBody &) = delete;
  OpenBody &operator=(const OpenBody &) = delete;
  ~OpenBody() {
    if (std::uncaught_exceptions() > exceptions) tracer.leaveUnfinished();
    tracer.close(scope);
  }

private:
  Tracer &tracer;
  uint64_t scope;
  int exceptions = std::uncaught_exceptions();
};

/// Records one body inside `block`.
void record(Tracer &tracer, mlir::Block *block, FunctionRef<void()> body);

} // namespace tessera::tl
