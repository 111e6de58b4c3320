// The example kernels with all that is needed to run, check and measure them: what `tl` and the demo list, and what the
// tests walk through.
#pragma once

#include "core/argument.h"
#include "tilelang/driver/tuner.h"
#include "tilelang/dsl/program.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::examples {

/// The values of an example's sizes, in the order of `sizeNames`.
using Sizes = std::span<const int64_t>;
using Arguments = std::vector<Argument>;

/// What an output must hold. Both lists are row-major; an element may differ from `values` by its entry in `bounds`,
/// the largest error that rounding in the kernel's types can cause. Infinities and NaN must be met exactly.
struct Expected {
  size_t argument;
  std::vector<double> values;
  std::vector<double> bounds;
};

struct Example {
  std::string name;
  std::string summary;
  std::vector<std::string> sizeNames;
  /// Sizes worth measuring, and the extents of a block in each size, from which tests derive theirs (1: no block).
  std::vector<int64_t> demoSizes;
  std::vector<int64_t> blocks;
  std::function<Program()> program;
  /// What may be tuned, and the program for other values; none where nothing is.
  std::vector<TuneParameter> parameters;
  std::function<Program(Choice)> variant;
  /// Arguments of these sizes, in the order of the program's parameters; inputs depend on sizes and seed only.
  std::function<Arguments(Sizes, uint64_t seed)> arguments;
  /// Every output, computed in double precision from the arguments as they are before the call.
  std::function<std::vector<Expected>(Sizes, const Arguments &)> reference;
  /// Floating-point (or integer) operations, and bytes that must be read and written at least once.
  std::function<double(Sizes)> flops;
  std::function<double(Sizes)> bytes;

  /// For the tuner; only with parameters.
  Tunable tunable() const { return {name, parameters, variant, {}}; }
};

/// All examples, in the order of the documentation.
const std::vector<Example> &allExamples();
/// The example of that name; throws Error with the known names.
const Example &find(std::string_view name);

/// How far results are from what is expected, over all outputs.
struct Deviation {
  /// The largest error in units of its bound: at most 1 where the result is right. Infinite where a NaN, an infinity or
  /// an element without tolerance differs.
  double ofBound = 0;
  /// The largest error relative to the largest value of its output.
  double relative = 0;
};

/// Throws Error if an output has another number of elements.
Deviation compare(const std::vector<Expected> &expected, const Arguments &arguments);

// One or more entries for each file of this folder.
Example vectorAdd();
Example transposeMatrix();
Example elementwiseChain();
Example onlineSoftmax();
Example layerNorm();
Example rmsNorm();
Example rowReductions();
Example columnReductions();
Example cumulativeSum();
Example kthLargest();
std::vector<Example> gemms();
Example gemmBiasActivation();
Example gemmSplitK();
Example gemmFp8();
Example gemmW4a16();
std::vector<Example> flashAttentions();

} // namespace tessera::examples
