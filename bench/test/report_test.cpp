// Verdicts, and the three forms of a report.
#include "bench/report/charts.h"
#include "bench/report/format.h"
#include "bench/report/report.h"
#include "bench/report/svg.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::bench {
namespace {

/// 80 of 100 Gop/s, a peer with 40 and one that was wrong.
Result sampleResult() {
  Result result{.name = "gemm/8", .family = "gemm", .sizes = "M=8", .threads = 2, .limit = Limit::bf16Dot};
  result.bar = {.value = 0.9, .ofPeer = 1};
  result.work = {.flops = 80e9, .bytes = 1e9};
  result.amount = 80e9;
  result.ours = {.name = "tessera", .seconds = {1.1, 1, 0.9}, .ofBound = 0.3};
  result.peers = {{.name = "fast <&>", .seconds = {2}},
                  {.name = "slow", .seconds = {8}},
                  {.name = "odd", .seconds = {}, .ofBound = 9, .failure = "wrong"}};
  result.limitRates = {100e9};
  return result;
}

Report sampleReport() {
  return {.cpu = "A <CPU>",
          .started = "2001-02-03T04:05:06",
          .threads = 2,
          .samples = 3,
          .load = 0.25,
          .peers = {"oneDNN 9"},
          .absentPeers = {"BLIS: libblis.so.4 is not installed"},
          .limits = {{Limit::bf16Dot, 2, {100e9}}, {Limit::dramRead, 2, {30e9}}},
          .results = {sampleResult()}};
}

TEST(Result, RatiosAreOfMedians) {
  Result result = sampleResult();
  EXPECT_DOUBLE_EQ(result.ofLimit().value(), 0.8);
  EXPECT_DOUBLE_EQ(result.ofPeer().value(), 2);
  EXPECT_EQ(result.bestPeer()->name, "fast <&>");
  EXPECT_DOUBLE_EQ(result.ofBar().value(), 0.8 / 0.9);
}

TEST(Result, VerdictNeedsBarAndPeer) {
  Result result = sampleResult();
  EXPECT_EQ(result.verdict(), Verdict::missed);
  result.bar.value = 0.8;
  EXPECT_EQ(result.verdict(), Verdict::met);
  result.bar.ofPeer = 2.5;
  EXPECT_EQ(result.verdict(), Verdict::missed);
}

TEST(Result, WithoutALimitThereIsNoVerdict) {
  Result result = sampleResult();
  result.limitRates.clear();
  EXPECT_EQ(result.verdict(), Verdict::unjudged);
  EXPECT_FALSE(result.ofBar());
}

TEST(Result, TimesAreMetFromBelowAndRatesFromAbove) {
  Result result = sampleResult();
  result.bar = {.kind = Bar::Kind::secondsAtMost, .value = 2};
  EXPECT_DOUBLE_EQ(result.ofBar().value(), 2);
  result.bar = {.kind = Bar::Kind::rateAtLeast, .value = 160e9};
  EXPECT_DOUBLE_EQ(result.ofBar().value(), 0.5);
}

TEST(Result, WrongComesBeforeEverything) {
  Result result = sampleResult();
  result.ours.ofBound = 1.5;
  EXPECT_EQ(result.verdict(), Verdict::wrong);
  result.ours = {.name = "tessera", .seconds = {}, .failure = "did not compile"};
  EXPECT_EQ(result.verdict(), Verdict::failed);
}

TEST(Format, ChoosesTheUnit) {
  EXPECT_EQ(secondsText(12e-9), "12 ns");
  EXPECT_EQ(secondsText(1.5e-6), "1.50 us");
  EXPECT_EQ(secondsText(0.0123), "12.30 ms");
  EXPECT_EQ(rateText(35.12e9, true), "35.1 GB/s");
  EXPECT_EQ(ratioText(std::nullopt), "-");
  EXPECT_EQ(barText({.kind = Bar::Kind::secondsAtMost, .value = 2e-3}), "<= 2.00 ms");
}

TEST(Table, HasTheRatiosTheVerdictAndWhyAPeerIsMissing) {
  std::string row = tableRow(sampleResult());
  for (const char *part : {"gemm/8", "80.0 Gop/s", "40.0 Gop/s", "100.0 Gop/s", "0.80", "2.00", ">= 0.90", "missed",
                           "odd left out: wrong"})
    EXPECT_NE(row.find(part), std::string::npos) << part << " in " << row;
  EXPECT_EQ(summary(sampleReport()), "1 cases: 1 missed\n");
}

TEST(Json, HoldsEverySampleAndParses) {
  nlohmann::json json = nlohmann::json::parse(jsonText(sampleReport()));
  EXPECT_EQ(json["cpu"], "A <CPU>");
  EXPECT_EQ(json["load"], 0.25);
  EXPECT_EQ(json["absent_peers"].size(), 1u);
  EXPECT_EQ(json["limits"][1]["name"], "DRAM read");
  const auto &result = json["results"][0];
  EXPECT_EQ(result["ours"]["seconds"], (std::vector<double>{1.1, 1, 0.9}));
  EXPECT_DOUBLE_EQ(result["of_limit"].get<double>(), 0.8);
  EXPECT_EQ(result["verdict"], "missed");
  EXPECT_EQ(result["peers"][2]["failure"], "wrong");
  EXPECT_FALSE(result["peers"][2].contains("rate"));
}

TEST(Json, WritesNullWhereThereIsNoRatio) {
  Report report = sampleReport();
  report.results[0].limitRates.clear();
  nlohmann::json json = nlohmann::json::parse(jsonText(report));
  EXPECT_TRUE(json["results"][0]["of_limit"].is_null());
}

/// Whether every tag that is opened is closed, in the right order.
void expectBalanced(const std::string &html) {
  std::vector<std::string> open;
  for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    size_t end = html.find('>', at);
    ASSERT_NE(end, std::string::npos);
    std::string tag = html.substr(at + 1, end - at - 1);
    std::string name = tag.substr(0, tag.find_first_of(" \n/", 1));
    if (tag.starts_with("!") || tag.ends_with("/") || name == "meta") continue;
    if (!tag.starts_with("/")) {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << tag;
    EXPECT_EQ("/" + open.back(), tag);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty()) << open.back();
}

TEST(Html, IsWellFormedAndEscaped) {
  std::string page = htmlPage(sampleReport());
  expectBalanced(page);
  EXPECT_NE(page.find("A &lt;CPU&gt;"), std::string::npos);
  EXPECT_NE(page.find("fast &lt;&amp;&gt;"), std::string::npos);
  EXPECT_EQ(page.find("fast <&>"), std::string::npos);
}

TEST(Html, NeedsNothingButItself) {
  std::string page = htmlPage(sampleReport());
  for (const char *part : {"src=", "href=", "url(", "@import", "<script"})
    EXPECT_EQ(page.find(part), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(Html, LeavesOutChartsWithoutData) {
  Report report = sampleReport();
  report.results[0].ours = {.name = "tessera", .failure = "did not compile"};
  std::string page = htmlPage(report);
  expectBalanced(page);
  EXPECT_EQ(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("FAILED"), std::string::npos);
}

TEST(RatioChart, BarsAreAsLongAsTheirRatios) {
  Result half = sampleResult(), full = sampleResult();
  auto of = [](double ratio) { return [=](const Result &) -> std::optional<double> { return ratio; }; };
  auto none = [](const Result &) -> std::optional<double> { return std::nullopt; };
  std::string drawing = ratioChart({.label = "l", .value = of(0.5), .peer = none, .asked = of(1)}, {&half, &full});
  // Half of the 540 units between the margins.
  EXPECT_NE(drawing.find("width=\"270.0\""), std::string::npos) << drawing;
  EXPECT_EQ(ratioChart({.label = "l", .value = none, .peer = none, .asked = none}, {&half}), "");
}

TEST(Roofline, DrawsPointsOfAllThreadsOnly) {
  Report report = sampleReport();
  EXPECT_NE(rooflineChart(report).find("gemm/8: 80.0 Gop/s at 80.0 operations per byte"), std::string::npos);
  report.results[0].threads = 1;
  EXPECT_EQ(rooflineChart(report), "");
}

} // namespace
} // namespace tessera::bench
