// Tuning of real kernels: candidates and their order, the check of results, and what is kept.
#include "tilelang/driver/tuner.h"

#include "core/test/expect_error.h"
#include "tilelang/driver/test/children.h"
#include "tilelang/dsl/tl.h"

#include <csignal>
#include <fstream>
#include <limits>

namespace tessera {
namespace {

using namespace tl;

/// out = a + offset in blocks, with an offset of 1 for every block size but `broken`.
Program addOne(int64_t block, int64_t broken = -1) {
  ProgramBuilder p("add_one");
  Dim n = p.dim("n");
  Buffer a = p.input("a", f32, {n}), out = p.output("out", f32, {n});
  p.kernel({ceildiv(n, block)}, [&](Var bx) {
    for (Var i : Parallel(block)) out(bx * block + i) = a(bx * block + i) + (block == broken ? 2.f : 1.f);
  });
  return p.build();
}

Tunable tunableAdd(std::vector<int64_t> blocks, int64_t broken = -1) {
  return {"add_one", {{"block", 256, std::move(blocks)}}, [broken](Choice c) { return addOne(c[0], broken); }, {}};
}

std::vector<Argument> argumentsOf(int64_t n) {
  Tensor a = Tensor::empty(f32, {n}), out = Tensor::empty(f32, {n});
  a.fillRandom(7, -1, 1);
  out.fill(0);
  return {a, out};
}

class Tuner : public testing::Test {
protected:
  TemporaryFolder folder;
  const std::vector<int64_t> sizes = {5000};
  std::vector<Argument> arguments = argumentsOf(5000);

  TuneOptions options() const {
    TuneOptions result;
    result.compile.cacheDirectory = folder.path("cache");
    result.samples = 5;
    return result;
  }
  std::optional<std::vector<int64_t>> kept(const Tunable &tunable, std::vector<int64_t> of = {5000}) const {
    return tunedChoice(tunable, of, "cpu", options().compile);
  }
  /// The files of entries that hold tuned choices.
  std::vector<std::string> entries() const {
    std::vector<std::string> list;
    for (const auto &entry : std::filesystem::directory_iterator(folder.path("cache")))
      if (entry.path().extension() == ".o") list.push_back(entry.path());
    return list;
  }
};

TEST_F(Tuner, KeepsWhatItFinds) {
  Tunable add = tunableAdd({16, 1024});
  EXPECT_FALSE(kept(add));
  TuneResult result = tune(add, sizes, arguments, options());
  EXPECT_FALSE(result.wasKept);
  EXPECT_TRUE(result.isKept);
  EXPECT_EQ(result.trials.size(), 3u);
  EXPECT_EQ(result.trials[0].choice, std::vector<int64_t>{256}) << "the usual choice comes first";
  EXPECT_EQ(kept(add), result.choice);
  TuneResult again = tune(add, sizes, arguments, options());
  EXPECT_TRUE(again.wasKept && again.trials.empty());
  EXPECT_EQ(again.choice, result.choice);
  TuneOptions forced = options();
  forced.force = true;
  EXPECT_FALSE(tune(add, sizes, arguments, forced).wasKept);
}

TEST_F(Tuner, LeavesTheArgumentsAlone) {
  tune(tunableAdd({1024}), sizes, arguments, options());
  EXPECT_EQ(std::get<Tensor>(arguments[1]).at({17}), 0);
}

TEST_F(Tuner, SizesOfOneClassShareAResult) {
  Tunable add = tunableAdd({1024});
  TuneResult result = tune(add, sizes, arguments, options());
  EXPECT_EQ(kept(add, {8192}), result.choice);
  EXPECT_EQ(kept(add, {4097}), result.choice);
  EXPECT_FALSE(kept(add, {4096}));
  EXPECT_FALSE(kept(add, {8193}));
  EXPECT_FALSE(kept(add, {0}));
}

TEST_F(Tuner, AResultIsForOneKernelMachineAndNumberOfThreads) {
  Tunable add = tunableAdd({1024});
  tune(add, sizes, arguments, options());
  CompileOptions other = options().compile;
  other.threads = 3;
  EXPECT_FALSE(tunedChoice(add, sizes, "cpu", other));
  other = options().compile;
  other.chip = "x86-64";
  EXPECT_FALSE(tunedChoice(add, sizes, "cpu", other));
  EXPECT_FALSE(tunedChoice(add, sizes, "interpreter", options().compile));
  Tunable renamed = add, changed = add;
  renamed.parameters[0].name = "rows";
  EXPECT_FALSE(kept(renamed));
  changed.program = [](Choice c) { return addOne(c[0], 256); };
  EXPECT_FALSE(kept(changed)) << "the kernel itself has changed";
}

TEST_F(Tuner, AChoiceThatIsNoCandidateAnyMoreCountsAsAbsent) {
  Tunable add = tunableAdd({8192});
  tune(add, sizes, arguments, options());
  ASSERT_TRUE(kept(add));
  bool isUsual = *kept(add) == add.usual();
  EXPECT_EQ(kept(tunableAdd({16})).has_value(), isUsual);
}

TEST_F(Tuner, CompileTakesTheTunedProgram) {
  Tunable add = tunableAdd({1024});
  std::vector<int64_t> built;
  auto inner = add.program;
  add.program = [&](Choice c) {
    built.push_back(c[0]);
    return inner(c);
  };
  TuneResult result = tune(add, sizes, arguments, options());
  built.clear();
  Kernel kernel = compileTuned(add, sizes, "cpu", options().compile);
  EXPECT_EQ(built.back(), result.choice[0]);
  std::vector<Argument> copy = argumentsOf(5000);
  kernel.run(copy);
  EXPECT_EQ(std::get<Tensor>(copy[1]).at({4999}), static_cast<float>(std::get<Tensor>(copy[0]).at({4999})) + 1.f);
  compileTuned(add, std::vector<int64_t>{1}, "cpu", options().compile);
  EXPECT_EQ(built.back(), 256) << "not tuned for this size";
}

TEST_F(Tuner, WrongResultsNeverWin) {
  Tunable add = tunableAdd({1024, 4096}, 1024);
  TuneResult result = tune(add, sizes, arguments, options());
  for (const TuneTrial &trial : result.trials)
    EXPECT_EQ(trial.outcome == TuneTrial::Outcome::wrong, trial.choice[0] == 1024);
  EXPECT_NE(result.choice[0], 1024);
}

TEST_F(Tuner, ResultsThatAreThereAlreadyDoNotCount) {
  Tunable lazy = tunableAdd({1024});
  lazy.program = [](Choice c) {
    ProgramBuilder p("add_one");
    Dim n = p.dim("n");
    Buffer a = p.input("a", f32, {n}), out = p.output("out", f32, {n});
    p.kernel({ceildiv(n, c[0])}, [&](Var bx) {
      for (Var i : Parallel(c[0]))
        If(n < (c[0] == 1024 ? 0 : 1 << 30), [&] { out(bx * c[0] + i) = a(bx * c[0] + i) + 1.f; }); // or writes nothing
    });
    return p.build();
  };
  compile(lazy.program(lazy.usual())).run(arguments);
  TuneResult result = tune(lazy, sizes, arguments, options());
  EXPECT_EQ(result.trials[1].outcome, TuneTrial::Outcome::wrong);
}

TEST_F(Tuner, TheCallersErrorCounts) {
  TuneOptions strict = options();
  strict.error = [](auto, auto) { return 2.0; };
  EXPECT_ERROR(tune(tunableAdd({1024}), sizes, arguments, strict), "its results are off by 2 of what is allowed");
  strict.error = [](auto, auto) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_ERROR(tune(tunableAdd({1024}), sizes, arguments, strict), "its results are off by nan");
}

TEST_F(Tuner, CandidatesThatDoNotCompileAreNamed) {
  Tunable add = tunableAdd({1024});
  add.program = [](Choice c) -> Program {
    if (c[0] == 1024) throw Error(Diagnostic{"no such block", {}, ""});
    return addOne(c[0]);
  };
  TuneResult result = tune(add, sizes, arguments, options());
  ASSERT_EQ(result.trials.size(), 2u);
  EXPECT_EQ(result.trials[1].outcome, TuneTrial::Outcome::failed);
  EXPECT_EQ(result.trials[1].note, "no such block");
}

TEST_F(Tuner, ConstraintsLeaveOutCombinations) {
  Tunable add = {"add",
                 {{"block", 256, {128, 256, 512}}, {"other", 1, {1, 2}}},
                 [](Choice c) { return addOne(c[0]); },
                 [](Choice c) { return c[0] * c[1] <= 512; }};
  std::vector<TuneTrial> trials = tuneCandidates(add, arguments, options());
  EXPECT_EQ(trials.size(), 5u); // all six but 512 x 2
  for (const TuneTrial &trial : trials) EXPECT_LE(trial.choice[0] * trial.choice[1], 512);
}

TEST_F(Tuner, CandidatesComeInTheOrderOfTheirEstimates) {
  std::vector<TuneTrial> trials = tuneCandidates(tunableAdd({8, 16, 64, 128, 1024}), arguments, options());
  ASSERT_EQ(trials.size(), 6u);
  for (size_t i = 2; i < trials.size(); ++i) EXPECT_LE(trials[i - 1].estimate, trials[i].estimate);
  EXPECT_EQ(trials.back().choice[0], 8) << "hundreds of blocks cost most";
  for (const TuneTrial &trial : trials) EXPECT_GT(trial.estimate, 0);
}

TEST_F(Tuner, DamagedEntriesCountAsAbsent) {
  Tunable add = tunableAdd({1024});
  tune(add, sizes, arguments, options());
  ASSERT_EQ(entries().size(), 1u) << "candidates leave no code behind";
  std::string path = entries()[0];
  std::ifstream file(path, std::ios::binary);
  std::string whole(std::istreambuf_iterator<char>(file), {});
  for (size_t damage = 0; damage < whole.size(); damage += 5) {
    std::string bytes = whole;
    bytes[damage] = static_cast<char>(bytes[damage] ^ 0x20);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_FALSE(kept(add)) << "byte " << damage;
    std::ofstream(path, std::ios::binary) << whole.substr(0, damage);
    EXPECT_FALSE(kept(add)) << "cut at " << damage;
  }
  EXPECT_FALSE(tune(add, sizes, arguments, options()).wasKept);
  EXPECT_TRUE(kept(add));
}

TEST_F(Tuner, WithoutACacheNothingIsKept) {
  TuneOptions off = options();
  off.compile.useCache = false;
  TuneResult result = tune(tunableAdd({1024}), sizes, arguments, off);
  EXPECT_FALSE(result.isKept);
  EXPECT_FALSE(std::filesystem::exists(folder.path("cache")));
}

TEST_F(Tuner, ProcessesThatTuneAtOnceAndAreKilledLeaveAWholeEntryOrNone) {
  Tunable add = tunableAdd({16, 1024});
  std::vector<pid_t> children;
  for (int n = 0; n < 4; ++n)
    children.push_back(startChild([&]() -> int {
      for (;;) {
        TuneOptions forced = options();
        forced.force = true;
        forced.compile.threads = 1;
        tune(add, sizes, arguments, forced);
      }
    }));
  CompileOptions compile = options().compile;
  compile.threads = 1;
  for (int n = 0; n < 200 && !tunedChoice(add, sizes, "cpu", compile); ++n) usleep(50000);
  for (pid_t child : children) kill(child, SIGKILL);
  for (pid_t child : children) waitpid(child, nullptr, 0);
  std::optional<std::vector<int64_t>> choice = tunedChoice(add, sizes, "cpu", compile);
  ASSERT_TRUE(choice);
  EXPECT_TRUE((*choice)[0] == 16 || (*choice)[0] == 256 || (*choice)[0] == 1024);
}

TEST_F(Tuner, RefusesWhatMakesNoSense) {
  EXPECT_ERROR(tune({"f", {}, {}, {}}, sizes, arguments, options()), "`f` has no parameters to tune");
  TuneOptions few = options();
  few.samples = 4;
  EXPECT_ERROR(tune(tunableAdd({1}), sizes, arguments, few), "4 samples are too few");
  TuneOptions negative = options();
  negative.budget = -1;
  EXPECT_ERROR(tune(tunableAdd({1}), sizes, arguments, negative), "a budget of -1 seconds");
  std::vector<int64_t> many(100, 1);
  Tunable large = {"f", {{"a", 1, many}, {"b", 1, many}}, [](Choice c) { return addOne(c[0]); }, {}};
  EXPECT_ERROR(tune(large, sizes, arguments, options()), "the values of `f` make more than 4096 candidates");
}

} // namespace
} // namespace tessera
