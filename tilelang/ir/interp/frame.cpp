// Looks up values and handlers and runs bodies.
#include "tilelang/ir/interp/frame.h"

#include "tilelang/ir/interp/block_run.h"

#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/TileInfo.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tile {
namespace {

[[noreturn]] void failAtValue(Value value, std::string what) {
  throw Error(tessera::Diagnostic{std::move(what), sourceLine(value.getLoc()), ""});
}

std::string printed(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

[[noreturn]] void failOnType(Value value) {
  failAtValue(value, fmt::format("the interpreter has no values of type {}", printed(value.getType())));
}

} // namespace

const Handlers::Handler *Handlers::find(Operation *op) const {
  auto found = table.find(op->getName().getTypeID());
  return found == table.end() ? nullptr : &found->second;
}

void Run::charge(Operation *op, int64_t count) {
  if (!__builtin_add_overflow(steps, count, &steps) && steps <= options.maxSteps) return;
  failAt(op, fmt::format("the program takes more than {} steps", options.maxSteps),
         "look for an endless loop, or use smaller sizes or the cpu target");
}

Flow Frame::runBody(Region &region) {
  for (Operation &op : region.front()) {
    run.charge(&op, 1);
    if (block && !core) block->beforeStatement(&op);
    const Handlers::Handler *handler = run.handlers.find(&op);
    if (!handler)
      failAt(&op, fmt::format("the interpreter cannot run '{}'", op.getName().getStringRef().str()),
             "tile programs hold tile, arith and math operations, memref.dim and func.return");
    Flow flow = (*handler)(&op, *this);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

const Frame::Slot &Frame::find(Value value) const {
  for (const Frame *frame = this; frame; frame = frame->outer)
    if (auto found = frame->values.find(value); found != frame->values.end()) return found->second;
  failAtValue(value, "a value is used that nothing gives at run time");
}

uint64_t Frame::bits(Value value) const {
  const auto *word = std::get_if<uint64_t>(&find(value));
  if (!word) failAtValue(value, "a tile is used as a scalar");
  return *word;
}

Extents Frame::indices(ValueRange list) const {
  return llvm::map_to_vector<4>(list, [&](Value value) { return index(value); });
}

unsigned Frame::width(Value value) const {
  std::optional<unsigned> width = scalarWidth(value.getType());
  if (!width) failOnType(value);
  return *width;
}

DType Frame::floatType(Value value) const {
  std::optional<DType> type = floatDType(value.getType());
  if (!type) failOnType(value);
  return *type;
}

const RuntimeTile &Frame::tile(Value value) const {
  const auto *held = std::get_if<std::shared_ptr<const RuntimeTile>>(&find(value));
  if (!held) failAtValue(value, "a scalar is used as a tile");
  return **held;
}

void Frame::set(Value value, uint64_t bits) { values[value] = maskTo(bits, width(value)); }

void Frame::set(Value value, RuntimeTile tile) { values[value] = std::make_shared<const RuntimeTile>(std::move(tile)); }

void Frame::setReal(Value value, double real) { set(value, encodeReal(floatType(value), real)); }

void Frame::copyValue(Value to, Value from) {
  Slot slot = find(from);
  values[to] = std::move(slot);
}

void failAt(Operation *op, const std::string &what, const std::string &advice) {
  throw Error(tessera::Diagnostic{what, sourceLine(op->getLoc()), advice});
}

void requireWritable(Operation *op, const RuntimeTile &tile) {
  if (tile.buffer->readOnly)
    failAt(op, "write to " + quotedName(tile) + ", a read-only tensor", "pass a writable tensor");
}

std::string quotedName(const RuntimeTile &tile) {
  return tile.buffer->name.empty() ? "the buffer" : "`" + tile.buffer->name + "`";
}

} // namespace tessera::tile
