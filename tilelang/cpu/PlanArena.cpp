// Places the buffers of a block in one arena by liveness.
#include "tilelang/cpu/Passes.h"
#include "tilelang/cpu/emit/Emitter.h"

#include <map>

using namespace mlir;

namespace tessera::cpu {
#define GEN_PASS_DEF_CPUPLANARENA
#include "tilelang/cpu/Passes.h.inc"

using namespace tile;

namespace {

constexpr int64_t kAlignment = 64;

/// A buffer and the span of statements, in program order, during which its contents matter.
struct Life {
  AllocOp alloc;
  int64_t begin, end, bytes, offset = -1;
};

/// Sizes beyond any arena count as this much, so that sums of them do not overflow.
constexpr int64_t kMostBytes = int64_t{1} << 40;

int64_t alignedBytes(AllocOp alloc) {
  int64_t bytes = std::min(bufferBytes(alloc), kMostBytes);
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Whether the code generator can keep it in registers: variables, and private arrays of few bytes.
bool onStack(AllocOp alloc, int64_t mostBytes) {
  if (alloc->hasAttr("cpu.registers")) return true;
  Space space = tileInfo(alloc.getBuffer()).space;
  return space == Space::var || (space == Space::local && bufferBytes(alloc) <= mostBytes);
}

/// All uses of a buffer, through regions and views.
void forEachUser(Value buffer, function_ref<void(Operation *)> visit) {
  for (Operation *user : buffer.getUsers()) {
    visit(user);
    if (isa<RegionOp, ViewOp>(user)) forEachUser(user->getResult(0), visit);
  }
}

class Planner {
public:
  Planner(KernelOp kernel, int64_t stackBytes) : kernel(kernel), stackBytes(stackBytes) {
    int64_t next = 0;
    number(kernel.getBody(), next);
  }

  /// Returns the arena's size.
  int64_t plan() {
    kernel.walk([&](AllocOp alloc) {
      if (!onStack(alloc, stackBytes)) lives.push_back(lifeOf(alloc));
    });
    // Large buffers first: the small ones fill the gaps.
    SmallVector<Life *> order;
    for (Life &life : lives) order.push_back(&life);
    llvm::stable_sort(order, [](Life *a, Life *b) { return a->bytes > b->bytes; });
    int64_t size = 0;
    for (Life *life : order) {
      life->offset = firstFit(*life);
      size = std::max(size, life->offset + life->bytes);
      life->alloc->setAttr("cpu.offset", Builder(life->alloc).getI64IntegerAttr(life->offset));
    }
    return size;
  }

  /// One line for each buffer, largest first, for the message about a full arena.
  std::string table() {
    llvm::stable_sort(lives, [](const Life &a, const Life &b) { return a.bytes > b.bytes; });
    std::string text;
    for (Life &life : lives)
      text += (text.empty() ? "" : ", ") + life.alloc.getName().value_or("unnamed").str() + " " +
              std::to_string(life.bytes) + " bytes at " + std::to_string(life.offset);
    return text;
  }

private:
  void number(Region &region, int64_t &next) {
    for (Block &block : region)
      for (Operation &op : block) {
        int64_t first = next++;
        for (Region &inner : op.getRegions()) number(inner, next);
        span[&op] = {first, next++};
      }
  }

  /// A buffer made outside a loop and used inside it is alive throughout the loop.
  Life lifeOf(AllocOp alloc) {
    Life life{alloc, span[alloc].first, span[alloc].second, alignedBytes(alloc)};
    Region *home = alloc->getParentRegion();
    forEachUser(alloc.getBuffer(), [&](Operation *user) {
      Operation *top = user;
      while (top->getParentRegion() != home) top = top->getParentOp();
      life.end = std::max(life.end, span[top].second);
    });
    return life;
  }

  int64_t firstFit(const Life &wanted) {
    std::map<int64_t, int64_t> taken; // offset -> end, of placed buffers alive at the same time
    for (const Life &other : lives)
      if (other.offset >= 0 && other.begin < wanted.end && wanted.begin < other.end) {
        int64_t &end = taken[other.offset];
        end = std::max(end, other.offset + other.bytes);
      }
    int64_t at = 0;
    for (auto [offset, end] : taken) {
      if (offset - at >= wanted.bytes) break;
      at = std::max(at, end);
    }
    return at;
  }

  KernelOp kernel;
  int64_t stackBytes;
  SmallVector<Life> lives;
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> span;
};

struct PlanArena : impl::CpuPlanArenaBase<PlanArena> {
  using CpuPlanArenaBase::CpuPlanArenaBase;

  void runOnOperation() override {
    getOperation().walk([&](KernelOp kernel) {
      Planner planner(kernel, stack);
      int64_t size = planner.plan();
      kernel->setAttr("cpu.arena", Builder(kernel).getI64IntegerAttr(size));
      if (size <= limit) return;
      (void)failWith(kernel,
                     Twine("buffers of a block take ") + Twine(size) + " bytes but " + Twine(limit) + " are allowed",
                     Twine("use smaller tiles; the arena holds ") + planner.table());
      signalPassFailure();
    });
  }
};

} // namespace
} // namespace tessera::cpu
