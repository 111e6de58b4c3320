// The list of targets. One that is planned but not built has a name here, so that asking for it has a clear answer.
#include "tilelang/driver/target.h"

#include "core/error.h"
#include "tilelang/chips/chip_folder.h"
#include "tilelang/driver/resolved_target.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {
namespace {

struct Planned {
  const char *name, *description;
};
constexpr Planned kNotBuilt[] = {
    {"ascend950dt", "Ascend 950DT"}, {"ascend950pr", "Ascend 950PR"}, {"ascend910b", "Ascend 910B"},
    {"ascend910c", "Ascend 910C"},   {"cuda:sm_90a", "CUDA, Hopper"},
};

std::string isaDescription(const cpu::CpuIsa &isa) {
  return fmt::format("{} ({}-byte vectors{})", isa.triple, isa.vectorBytes, isa.hasBf16Dot ? ", bf16 products" : "");
}

TargetInfo cpuTarget(std::string_view isaName) {
  const cpu::CpuIsa &isa = cpu::cpuIsa(isaName);
  if (isaName == "native") return {"cpu", fmt::format("this machine: {}, {}", isa.cpu, isa.name), true, ""};
  std::string reason = isa.runsHere ? "" : "this machine lacks it; code can be emitted";
  return {fmt::format("cpu:{}", isaName), isaDescription(isa), isa.runsHere, reason};
}

std::shared_ptr<const cpu::CpuIsa> isaOf(std::string_view name, const std::string &chip) {
  const cpu::CpuIsa &isa = cpu::cpuIsa(name);
  if (chip.empty()) return {std::shared_ptr<void>(), &isa}; // lives as long as the process
  return std::make_shared<cpu::CpuIsa>(cpu::withChip(isa, chips::cpuChipNamed(chip)));
}

ResolvedTarget interpreter(const std::string &chip) {
  if (!chip.empty())
    throw Error(Diagnostic{fmt::format("chip '{}' is given for the interpreter", chip), {}, "it runs on no chip"});
  return {"interpreter", ResolvedTarget::Kind::interpreter, nullptr};
}

} // namespace

std::vector<TargetInfo> targets() {
  std::vector<TargetInfo> list;
  for (std::string_view isa : cpu::isaNames()) list.push_back(cpuTarget(isa));
  list.push_back({"interpreter", "the reference: slow, and exact in the declared types", true, ""});
  for (const Planned &planned : kNotBuilt) list.push_back({planned.name, planned.description, false, "not built"});
  return list;
}

ResolvedTarget resolveTarget(std::string_view name, const std::string &chip) {
  using Kind = ResolvedTarget::Kind;
  if (name == "cpu") return {"cpu", Kind::cpu, isaOf("native", chip)};
  if (name == "interpreter") return interpreter(chip);
  for (const Planned &planned : kNotBuilt)
    if (name == planned.name)
      throw Error(Diagnostic{fmt::format("target `{}` is not built", name), {}, "compile for cpu or interpreter"});
  if (name.starts_with("cpu:") && std::ranges::find(cpu::isaNames(), name.substr(4)) != cpu::isaNames().end())
    return {std::string(name), Kind::cpu, isaOf(name.substr(4), chip)};
  std::vector<std::string> known;
  for (const TargetInfo &target : targets()) known.push_back(target.name);
  throw Error(
      Diagnostic{fmt::format("unknown target `{}`", name), {}, fmt::format("known are {}", fmt::join(known, ", "))});
}

} // namespace tessera
