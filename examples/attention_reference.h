// Arguments, reference and bounds of attention kernels.
#pragma once

#include "examples/reference.h"

#include <cmath>

namespace tessera::examples {

inline constexpr double kLog2e = 1.4426950408889634;

/// What is fixed when an attention kernel is built.
struct AttentionForm {
  std::string name, summary;
  DType type;
  int64_t heads, keyHeads, headDim;
  bool causal;
  bool ragged; // each sequence of a batch has its own lengths

  double scale() const { return 1 / std::sqrt(static_cast<double>(headDim)); }
};

/// The example of a kernel that takes Q, K, V, O, startQ, startK and the longest query; sizes are batch, queries and
/// keys of a sequence (the longest ones where lengths differ).
Example attentionExample(const AttentionForm &form, int64_t blockQ, int64_t blockK,
                         const std::function<Program(Choice)> &variant);

/// The attention of flash_attention.cpp in that form.
Example flashAttention(const AttentionForm &form);

} // namespace tessera::examples
