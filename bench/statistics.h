// What a list of samples says.
#pragma once

#include <vector>

namespace tessera::bench {

/// The middle value, or the mean of the two in the middle; requires a sample.
double median(std::vector<double> samples);

/// How far samples lie apart: the distance between the quartiles, relative to the median. Quartiles lie between two
/// samples by linear interpolation; requires a sample and a median that is not zero.
double spread(std::vector<double> samples);

} // namespace tessera::bench
