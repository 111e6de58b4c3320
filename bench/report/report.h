// The three forms of a report.
#pragma once

#include "bench/result.h"

#include <string>

namespace tessera::bench {

/// One line for each part of the table on a terminal.
std::string tableHead();
std::string tableRow(const Result &result);
std::string limitsTable(const Report &report);
/// How many cases met their bars, and what went wrong with the others.
std::string summary(const Report &report);

/// Everything, with every sample, as JSON.
std::string jsonText(const Report &report);

/// A page that needs nothing but itself: charts of ratios, a roofline plot, the table.
std::string htmlPage(const Report &report);

} // namespace tessera::bench
