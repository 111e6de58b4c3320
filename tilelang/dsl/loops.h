// Loops and conditions over values of the kernel. Plain C++ loops and conditions run while the program is built.
//
//   for (Var k : Serial(n)) { ... }                 also Unroll, Vectorized, Pipelined
//   for (auto [i, j] : Parallel(64, 32)) { ... }    independent iterations over elements
//   If(i < n, [&] { ... }).Else([&] { ... });
//   While([&] { return v > 0; }, [&] { ... });
//
// The body of such a `for` runs once, to record what an iteration does. A C++ `continue` ends the recording of the
// body; leaving it by C++ `break` or `return` throws Error: breakLoop() is the break of the kernel.
#pragma once

#include "core/function_ref.h"
#include "tilelang/dsl/buffer.h"

#include <array>
#include <vector>

namespace tessera::tl {

/// One loop: open while its body is recorded.
class LoopBody {
public:
  LoopBody(const LoopBody &) = delete;
  LoopBody &operator=(const LoopBody &) = delete;
  /// Throws if the body was left before its end, other than by an exception.
  virtual ~LoopBody() noexcept(false);

  /// Ends the body.
  void close();

protected:
  LoopBody(const char *name, const At &at) : name(name), where(at) {}
  /// Starts the body and sets `variables`.
  virtual void open() = 0;
  void opened(void *operation);
  void openParallel(const std::vector<Operand> &extents, size_t dims);
  void openPersistent(const std::vector<Operand> &domain, const Operand &waveSize, const Operand &worker,
                      int64_t groupSize);

  const char *name;
  At where;
  std::vector<Var> variables;

private:
  void *op = nullptr;
  uint64_t program = 0, scope = 0;
  int exceptions = 0; // in flight when the body was opened
};

/// A loop of N variables that a range-based `for` can walk: one value, or an array to bind names to.
template <size_t N> class LoopOver : public LoopBody {
public:
  struct Iterator {
    LoopOver *loop; // null at the end
    bool operator!=(const Iterator &other) const { return loop != other.loop; }
    void operator++() {
      loop->close();
      loop = nullptr;
    }
    auto operator*() const {
      if constexpr (N == 1)
        return Var(loop->variables[0]);
      else {
        return [this]<size_t... I>(std::index_sequence<I...>) {
          return std::array<Var, N>{loop->variables[I]...};
        }(std::make_index_sequence<N>());
      }
    }
  };
  Iterator begin() {
    open();
    return {this};
  }
  Iterator end() { return {nullptr}; }

protected:
  using LoopBody::LoopBody;
};

struct PipelineOptions {
  /// Buffers between the loads and their uses, 0 to 64: how many iterations are in flight.
  int64_t stages = 0;
  /// For each statement of the body its stage and its place in the order of issue; empty: the compiler decides.
  std::vector<int64_t> stage = {};
  std::vector<int64_t> order = {};
  /// Iterations between two handshakes of cube and vector cores.
  int64_t crossInterval = 1;
};

/// start <= i < stop in steps; a step below zero counts down while i > stop, a step of zero is an error.
class CountedLoop : public LoopOver<1> {
protected:
  enum class Kind : uint8_t { serial, unroll, vectorize, pipelined };
  CountedLoop(Kind kind, const char *name, const Operand &start, const Operand &stop, const Operand &step,
              const PipelineOptions &options = {})
      : LoopOver(name, stop.where()), kind(kind), start(start), stop(stop), step(step), options(options) {}
  void open() override;

private:
  Kind kind;
  Operand start, stop, step;
  PipelineOptions options;
};

/// Iterations one after the other.
class Serial : public CountedLoop {
public:
  Serial(const Operand &stop) : Serial({0, stop.where()}, stop) {}
  Serial(const Operand &start, const Operand &stop, const Operand &step = 1)
      : CountedLoop(Kind::serial, "Serial", start, stop, step) {}
};

/// As Serial; the compiler writes the iterations out.
class Unroll : public CountedLoop {
public:
  Unroll(const Operand &stop) : Unroll({0, stop.where()}, stop) {}
  Unroll(const Operand &start, const Operand &stop, const Operand &step = 1)
      : CountedLoop(Kind::unroll, "Unroll", start, stop, step) {}
};

/// As Serial; iterations become lanes of vector instructions where that keeps the result.
class Vectorized : public CountedLoop {
public:
  Vectorized(const Operand &stop) : Vectorized({0, stop.where()}, stop) {}
  Vectorized(const Operand &start, const Operand &stop, const Operand &step = 1)
      : CountedLoop(Kind::vectorize, "Vectorized", start, stop, step) {}
};

/// As Serial, with loads of later iterations started early; the result is that of Serial.
class Pipelined : public CountedLoop {
public:
  Pipelined(const Operand &stop, const PipelineOptions &options = {}) : Pipelined({0, stop.where()}, stop, options) {}
  Pipelined(const Operand &start, const Operand &stop, const PipelineOptions &options = {})
      : CountedLoop(Kind::pipelined, "Pipelined", start, stop, {1, stop.where()}, options) {}
};

/// Independent iterations over a box of N dimensions in any order: element accesses, scalars, conditions and serial
/// loops, no tile operations.
template <size_t N> class Parallel : public LoopOver<N> {
  static_assert(N >= 1 && N <= 8, "a parallel loop has 1 to 8 dimensions");

public:
  Parallel(const Operand &n0)
    requires(N == 1)
      : Parallel(std::vector{n0}) {}
  Parallel(const Operand &n0, const Operand &n1)
    requires(N == 2)
      : Parallel(std::vector{n0, n1}) {}
  Parallel(const Operand &n0, const Operand &n1, const Operand &n2)
    requires(N == 3)
      : Parallel(std::vector{n0, n1, n2}) {}
  Parallel(const Operand &n0, const Operand &n1, const Operand &n2, const Operand &n3)
    requires(N == 4)
      : Parallel(std::vector{n0, n1, n2, n3}) {}
  /// Any number of dimensions: `Parallel<5>({a, b, c, d, e})`.
  Parallel(const std::vector<Operand> &extents, const At &at = At::current())
      : LoopOver<N>("Parallel", extents.empty() ? at : extents.front().where()), extents(extents) {}

private:
  void open() override { this->openParallel(extents, N); }
  std::vector<Operand> extents;
};
Parallel(const Operand &) -> Parallel<1>;
Parallel(const Operand &, const Operand &) -> Parallel<2>;
Parallel(const Operand &, const Operand &, const Operand &) -> Parallel<3>;
Parallel(const Operand &, const Operand &, const Operand &, const Operand &) -> Parallel<4>;

struct PersistentOptions {
  /// Tiles of the first dimension that are visited together before the next ones.
  int64_t groupSize = 8;
};

/// The tiles index, index + waveSize, ... of a domain, as coordinates: worker `index` of `waveSize` visits its share,
/// and all workers together visit every tile once. Groups of tiles of the first dimension are walked first, for
/// locality.
template <size_t N> class Persistent : public LoopOver<N> {
public:
  Persistent(const Operand (&domain)[N], const Operand &waveSize, const Operand &index,
             const PersistentOptions &options = {})
      : LoopOver<N>("Persistent", waveSize.where()), domain(domain, domain + N), waveSize(waveSize), worker(index),
        groupSize(options.groupSize) {}

private:
  void open() override { this->openPersistent(domain, waveSize, worker, groupSize); }
  std::vector<Operand> domain;
  Operand waveSize, worker;
  int64_t groupSize;
};

/// Leaves the innermost loop; continueLoop goes on with its next iteration. The last statement of a body.
void breakLoop(const At &at = At::current());
void continueLoop(const At &at = At::current());

/// Runs `body` when the kernel finds the condition true.
class If {
public:
  If(const Operand &condition, FunctionRef<void()> body);
  /// Runs `body` when it finds the condition false.
  void Else(FunctionRef<void()> body) &&; // NOLINT(readability-identifier-naming): reads as the statement it is

private:
  void *op;
};

/// Runs `body` while `condition`, computed before each iteration, is true.
class While {
public:
  While(FunctionRef<Expr()> condition, FunctionRef<void()> body, const At &at = At::current());
};

/// condition ? a() : b(), of which only the chosen one is computed; see select() in math.h for the eager form.
Expr ifThenElse(const Operand &condition, FunctionRef<Expr()> a, FunctionRef<Expr()> b);

} // namespace tessera::tl
