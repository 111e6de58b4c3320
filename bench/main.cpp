// tessera_bench: our kernels against other libraries and the limits of the machine, in one run.
#include "bench/cases/cases.h"
#include "bench/cases/first_compile.h"
#include "bench/cpu_name.h"
#include "bench/filter.h"
#include "bench/measure.h"
#include "bench/options.h"
#include "bench/peers/peers.h"
#include "bench/report/format.h"
#include "bench/report/report.h"
#include "core/error.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace tessera::bench {
namespace {

constexpr int kNothingJudged = 77; // what CTest takes for "skipped"
/// A load beyond which other work takes a good part of a CPU.
constexpr double kBusy = 0.5;

std::vector<Case> selectCases(const Options &options) {
  std::vector<Case> cases;
  for (Case &each : allCases(options.threads))
    if (selected(each.name, options.filters) && (each.quick || !options.quick)) cases.push_back(std::move(each));
  return cases;
}

int list(const std::vector<Case> &cases) {
  for (const Case &each : cases)
    fmt::print("{:<30} {:<28} {:>2} threads  {:<12} {}\n", each.name, each.sizes, each.threads, name(each.limit),
               barText(each.bar));
  return 0;
}

/// Opened before anything is measured, so that a path that cannot be written costs no time.
std::ofstream openOutput(const std::string &path) {
  std::ofstream file;
  if (path.empty()) return file;
  file.open(path);
  if (!file)
    throw Error(
        {fmt::format("cannot write {}: {}", path, std::strerror(errno)), {}, "name a file in a folder that exists"});
  return file;
}

void write(std::ofstream &file, const std::string &path, const std::string &text) {
  if (path.empty()) return;
  file << text;
  file.close();
  if (!file) throw Error({fmt::format("cannot write {}: {}", path, std::strerror(errno)), {}, ""});
  fmt::print(stderr, "wrote {}\n", path);
}

Report beginReport(const Options &options) {
  Report report{.cpu = cpuName(),
                .started = fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::localtime(std::time(nullptr))),
                .threads = options.threads,
                .samples = options.samples};
  if (getloadavg(&report.load, 1) == 1 && report.load > kBusy)
    fmt::print(stderr, "warning: other work runs on this machine (load {:.1f}), so the figures mean little\n",
               report.load);
  for (const PeerLibrary &peer : peerLibraries()) {
    if (peer.version.empty())
      report.absentPeers.push_back(fmt::format("{}: {}", peer.name, peer.reason));
    else
      report.peers.push_back(fmt::format("{} {}", peer.name, peer.version));
  }
  fmt::print("{}, {} threads, medians of {}\npeers: {}\n", report.cpu, report.threads, report.samples,
             fmt::join(report.peers, "; "));
  if (!report.absentPeers.empty()) fmt::print("left out: {}\n", fmt::join(report.absentPeers, "; "));
  return report;
}

/// The limits that bind the cases, and those that the roofline plot draws where a case has a place in it.
std::vector<Limit> limitsOf(const std::vector<Case> &cases) {
  bool roofline = std::ranges::any_of(cases, [](const Case &c) { return c.work.flops > 0 && c.work.bytes > 0; });
  std::vector<Limit> list;
  for (Limit limit : allLimits()) {
    bool binds = std::ranges::any_of(cases, [=](const Case &c) { return c.limit == limit; });
    if (binds || (roofline && (!isBandwidth(limit) || limit == Limit::dramRead))) list.push_back(limit);
  }
  return list;
}

void measureLimits(Report &report, MachineLimits &limits, const std::vector<Case> &cases) {
  std::vector<int> teams = {1};
  if (report.threads > 1) teams.push_back(report.threads);
  for (Limit limit : limitsOf(cases)) {
    if (std::string reason = whyAbsent(limit); !reason.empty()) {
      fmt::print(stderr, "limit {}: left out, this CPU has {}\n", name(limit), reason);
      continue;
    }
    for (int threads : teams) {
      fmt::print(stderr, "limit {} with {} threads\n", name(limit), threads);
      Report::MeasuredLimit measured{limit, threads, {}};
      for (int s = 0; s < report.samples; ++s) measured.rates.push_back(limits.measure(limit, threads));
      report.limits.push_back(std::move(measured));
    }
  }
  if (!report.limits.empty()) fmt::print("\n{}", limitsTable(report));
  fmt::print("\n{}", tableHead());
}

/// 0, 1 or kNothingJudged.
int exitCode(const Report &report, double floor) {
  bool judged = false, bad = false;
  for (const Result &result : report.results) {
    Verdict verdict = result.verdict();
    bad = bad || verdict == Verdict::wrong || verdict == Verdict::failed;
    if (!result.ofBar()) continue;
    judged = true;
    if (*result.ofBar() >= floor) continue;
    fmt::print(stderr, "{}: reaches {:.2f} of its bar, less than {:.2f}\n", result.name, *result.ofBar(), floor);
    bad = true;
  }
  if (bad) return 1;
  return floor > 0 && !judged ? kNothingJudged : 0;
}

int run(const Options &options) {
  std::vector<Case> cases = selectCases(options);
  if (cases.empty()) {
    fmt::print(stderr, "tessera_bench: no {}case is named like '{}'; tessera_bench --list shows all\n",
               options.quick ? "quick " : "", fmt::join(options.filters, "' or '"));
    return 2;
  }
  if (options.list) return list(cases);
  std::ofstream json = openOutput(options.json), html = openOutput(options.html);
  MeasureOptions measureOptions{.samples = options.samples, .shortestSample = options.quick ? 0.01 : 0.03};
  MachineLimits limits(measureOptions.shortestSample);
  Report report = beginReport(options);
  measureLimits(report, limits, cases);
  for (size_t c = 0; c < cases.size(); ++c) {
    fmt::print(stderr, "[{}/{}] {}\n", c + 1, cases.size(), cases[c].name);
    report.results.push_back(measure(cases[c], limits, measureOptions));
    fmt::print("{}", tableRow(report.results.back()));
    std::fflush(stdout);
  }
  fmt::print("\n{}", summary(report));
  write(json, options.json, jsonText(report));
  write(html, options.html, htmlPage(report));
  return exitCode(report, options.floor);
}

} // namespace
} // namespace tessera::bench

int main(int argc, char **argv) {
  using namespace tessera::bench;
  try {
    Options options;
    if (std::optional<int> code = parseCommandLine(argc, argv, options)) return *code;
    return options.firstCompile ? printFirstCompile() : run(options);
  } catch (const std::exception &error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
