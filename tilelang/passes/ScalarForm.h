// Scalars of a tile program as sums, so that two of them can be proved equal.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <optional>
#include <vector>

namespace tessera {

/// constant + sum of coefficient * term. Terms stand for values that are not known; equal forms are equal values, and
/// different forms tell nothing unless both are constant.
struct ScalarForm {
  int64_t constant = 0;
  std::vector<std::pair<unsigned, int64_t>> terms; ///< (term, coefficient), by term, no coefficient is 0

  bool isConstant() const { return terms.empty(); }
  bool operator==(const ScalarForm &other) const = default;
  auto operator<=>(const ScalarForm &other) const = default;
};

/// The sum; nothing where a number would not fit.
std::optional<ScalarForm> addForms(const ScalarForm &a, const ScalarForm &b);

/// Gives each term its number: the same for the same computation on the same operands.
class ScalarTerms {
public:
  using Key = std::pair<std::vector<const void *>, std::vector<ScalarForm>>;
  unsigned number(const Key &key) {
    return numbers.try_emplace(key, static_cast<unsigned>(numbers.size())).first->second;
  }
  /// A number for one more execution of a scope.
  uintptr_t newExecution() { return ++executions; }

private:
  std::map<Key, unsigned> numbers;
  uintptr_t executions = 0;
};

/// Evaluates scalars with some of them bound to constants.
///
/// With a `scope`, two evaluators of one ScalarTerms with different bindings stand for two executions of that
/// operation: a value loaded inside it is a term of one execution only, unless it comes from a buffer that the scope
/// never writes.
class ScalarForms {
public:
  explicit ScalarForms(ScalarTerms &terms, mlir::Operation *scope = nullptr,
                       const llvm::DenseSet<mlir::Value> *writtenBuffers = nullptr)
      : terms(terms), scope(scope), writtenBuffers(writtenBuffers), execution(terms.newExecution()) {}

  void bind(mlir::Value value, int64_t constant) { known[value] = ScalarForm{constant, {}}; }
  ScalarForm of(mlir::Value value);
  std::vector<ScalarForm> of(mlir::ValueRange values);

private:
  ScalarForm compute(mlir::Value value);
  std::optional<ScalarForm> sum(mlir::Operation *op);
  std::optional<ScalarForm> fold(mlir::Operation *op, llvm::ArrayRef<ScalarForm> operands);
  ScalarForm term(std::vector<const void *> what, std::vector<ScalarForm> operands = {});
  bool isSharedLoad(mlir::Operation *op) const;

  ScalarTerms &terms;
  mlir::Operation *scope;
  const llvm::DenseSet<mlir::Value> *writtenBuffers;
  uintptr_t execution;
  llvm::DenseMap<mlir::Value, ScalarForm> known;
  unsigned depth = 0;
};

/// The value if it follows from constants alone.
std::optional<int64_t> constantValue(mlir::Value value);

} // namespace tessera
