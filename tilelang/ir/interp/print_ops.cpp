// Statements that print when the kernel runs.
#include "tilelang/ir/interp/frame.h"

#include "core/device_print.h"
#include "tilelang/ir/Tile.h"

#include <bit>
#include <cstdio>

using namespace mlir;

namespace tessera::tile {
namespace {

void print(const Frame &frame, const std::string &text) {
  if (frame.run.options.print) return frame.run.options.print(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void runPrintf(PrintfOp op, Frame &frame) {
  std::string kinds;
  SmallVector<int64_t> bits;
  for (Value argument : op.getArgs()) {
    if (isa<FloatType>(argument.getType())) {
      kinds += 'f';
      bits.push_back(std::bit_cast<int64_t>(frame.real(argument)));
      continue;
    }
    Word word = frame.word(argument);
    bool extendsSign = word.width > 1;
    kinds += static_cast<char>('0' + (extendsSign ? word.width / 8 : 8));
    bits.push_back(extendsSign ? word.value() : static_cast<int64_t>(word.bits));
  }
  print(frame, printfText(op.getFormat(), kinds, bits.data()));
}

/// The part of a window that lies in its buffer, as a view.
Tensor visiblePart(const RuntimeTile &tile) {
  const Buffer &buffer = *tile.buffer;
  Tensor::Extents sizes;
  std::byte *corner = buffer.base;
  for (size_t d = 0; d < tile.sizes.size(); ++d) {
    int64_t begin = std::clamp<int64_t>(tile.offsets[d], 0, buffer.extents[d]), end;
    if (__builtin_add_overflow(tile.offsets[d], tile.sizes[d], &end)) end = buffer.extents[d];
    end = std::clamp(end, begin, buffer.extents[d]);
    sizes.push_back(end - begin);
    corner += begin < buffer.extents[d] ? begin * buffer.strides[d] * byteWidth(buffer.dtype) : 0;
  }
  return Tensor::view(static_cast<const void *>(corner), buffer.dtype, sizes,
                      {buffer.strides.begin(), buffer.strides.end()});
}

void runDump(DumpOp op, Frame &frame) {
  Tensor part = visiblePart(frame.tile(op.getTile()));
  frame.run.charge(op, part.numel());
  print(frame, dumpText(op.getLabel(), part));
}

} // namespace

void addPrintHandlers(Handlers &h) {
  h.add<PrintfOp>(runPrintf);
  h.add<DumpOp>(runDump);
}

} // namespace tessera::tile
