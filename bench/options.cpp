// Options by CLI11, with the ranges that they may have.
#include "bench/options.h"

#include "core/thread_pool.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace tessera::bench {
namespace {

constexpr const char *kFooter =
    R"(A filter is a part of a case's name, such as gemm_bf16 or softmax/L2; * stands for any characters, ^ and $ for the
ends of the name. Several filters select what any of them does.

Every result is compared with double precision first. Then our kernel, the peers and the machine's limit take turns.
Run it alone on the machine: other work makes figures useless. docs/benchmarks.md explains the columns.

Exit codes: 0 done, 1 a wrong result or a kernel that fails (or misses --floor), 2 a wrong command line,
77 with --floor where this machine has none of the limits that the cases are judged by.)";

void addOptions(CLI::App &app, Options &options) {
  app.add_option("filter", options.filters, "which cases; all without one");
  app.add_flag("--list", options.list, "print the cases and what is asked of them, and measure nothing");
  app.add_flag("--quick", options.quick, "a few cases with short samples");
  app.add_option("--threads", options.threads, "threads of kernels, peers and limits; 0: every CPU of the process")
      ->check(CLI::Range(0, kMaxThreads))
      ->capture_default_str();
  app.add_option("--samples", options.samples, "turns of each contestant (default 7, 5 with --quick)")
      ->check(CLI::Range(5, 1000));
  app.add_option("--json", options.json, "write every sample to this file")->type_name("FILE");
  app.add_option("--html", options.html, "write a page with charts to this file")->type_name("FILE");
  app.add_option("--floor", options.floor, "fail if a case reaches less than this part of its bar")
      ->check(CLI::Range(0.0, 10.0))
      ->type_name("PART");
  app.add_flag("--first-compile", options.firstCompile)->group(""); // for the case compile/first
}

} // namespace

std::optional<int> parseCommandLine(int argc, char **argv, Options &options) {
  CLI::App app("Measures Tessera's kernels against other libraries and the limits of this machine.", "tessera_bench");
  app.footer(kFooter);
  addOptions(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &help) {
    return app.exit(help);
  } catch (const CLI::ParseError &error) {
    fmt::print(stderr, "tessera_bench: {}; tessera_bench --help lists what there is\n", error.what());
    return 2;
  }
  if (options.threads == 0) options.threads = defaultThreads();
  if (options.samples == 0) options.samples = options.quick ? 5 : 7;
  return std::nullopt;
}

} // namespace tessera::bench
