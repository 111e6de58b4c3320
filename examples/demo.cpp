// tessera_demo: compiles three kernels from their tile programs, runs them, checks them against double precision, and
// prints errors, times and where the generated code lies.
#include "core/error.h"
#include "examples/registry.h"
#include "tilelang/driver/profiler.h"
#include "tilelang/driver/tuner.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace tessera::examples {
namespace {

constexpr uint64_t kSeed = 20;

struct Row {
  std::string name, sizes;
  Deviation deviation;
  Profile profile;
  bool compute; // whether arithmetic, not memory, is what limits it
};

std::string sizesText(const Example &example) {
  std::string text;
  for (size_t d = 0; d < example.sizeNames.size(); ++d)
    text += fmt::format("{}{}={}", d == 0 ? "" : " ", example.sizeNames[d], example.demoSizes[d]);
  return text;
}

Row runExample(const Example &example, const Kernel &kernel) {
  const Sizes sizes = example.demoSizes;
  Arguments arguments = example.arguments(sizes, kSeed);
  std::vector<Expected> expected = example.reference(sizes, arguments);
  kernel.run(arguments);
  Deviation deviation = compare(expected, arguments);
  Work work{example.flops(sizes), example.bytes(sizes)};
  Profile times = profile(kernel, arguments, work);
  return {example.name, sizesText(example), deviation, times, work.flops > 50 * work.bytes};
}

/// Writes the stages of a kernel and returns their files.
std::vector<std::string> writeStages(const Kernel &kernel, const std::filesystem::path &folder) {
  std::filesystem::create_directories(folder);
  std::vector<std::string> files;
  for (auto [stage, ending] : {std::pair{Stage::tile, ".mlir"}, {Stage::llvm, ".ll"}, {Stage::assembly, ".s"}}) {
    std::filesystem::path file = folder / (kernel.name() + ending);
    std::ofstream out(file);
    out << kernel.emit(stage);
    if (!out.flush())
      throw Error({fmt::format("cannot write {}", file.string()), {}, "give another folder with --out"});
    files.push_back(file.string());
  }
  return files;
}

bool print(const std::vector<Row> &rows) {
  fmt::print("{:<24}{:<36}{:>12}{:>12}{:>12}{:>18}\n", "kernel", "sizes", "max error", "of allowed", "time", "rate");
  bool right = true;
  for (const Row &row : rows) {
    std::string rate = row.compute ? fmt::format("{:.1f} GFLOP/s", row.profile.gflops())
                                   : fmt::format("{:.1f} GB/s", row.profile.gigabytes());
    fmt::print("{:<24}{:<36}{:>12.2e}{:>11.1f}%{:>9.3f} ms{:>18}\n", row.name, row.sizes, row.deviation.relative,
               100 * row.deviation.ofBound, 1e3 * row.profile.median(), rate);
    right = right && row.deviation.ofBound <= 1;
  }
  return right;
}

int demo(const std::string &target, const std::filesystem::path &folder) {
  std::vector<Row> rows;
  std::vector<std::string> files;
  for (const char *name : {"gemm_bf16", "online_softmax", "flash_attention_causal"}) {
    const Example &example = find(name);
    fmt::print(stderr, "{}: compiling, running, checking\n", name);
    Kernel kernel = compileTuned(example.tunable(), example.demoSizes, target);
    rows.push_back(runExample(example, kernel));
    for (std::string &file : writeStages(kernel, folder)) files.push_back(std::move(file));
  }
  bool right = print(rows);
  fmt::print(
      "\nerrors are against double precision, relative to the largest value; allowed is what rounding can cause\n");
  fmt::print("generated code (tile program, LLVM IR, assembly):\n");
  for (const std::string &file : files) fmt::print("  {}\n", file);
  if (!right) fmt::print(stderr, "error: a result is further from double precision than rounding explains\n");
  return right ? 0 : 1;
}

/// build/release/demo for build/release/bin/tessera_demo.
std::filesystem::path defaultFolder() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (error ? std::filesystem::temp_directory_path() : self.parent_path().parent_path()) / "demo";
}

} // namespace
} // namespace tessera::examples

int main(int argc, char **argv) {
  CLI::App app("Compiles, runs and checks a bf16 GEMM, an online softmax and a causal flash attention.",
               "tessera_demo");
  std::string target = "cpu", folder = tessera::examples::defaultFolder();
  app.add_option("--target", target, "what to compile for (`tl devices` lists them)")->capture_default_str();
  app.add_option("--out", folder, "where to write the generated code")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return tessera::examples::demo(target, folder);
  } catch (const std::exception &error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
