// Packed tiles of a tensor that the blocks of one launch share: each is packed by the first block that needs it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace tessera::cpu {

class Workspace {
public:
  /// Room for tiles of equal size; null where that is too much, or the system has no memory left.
  static std::unique_ptr<Workspace> make(int64_t tiles, int64_t tileBytes, int64_t mostBytes = int64_t(1) << 30);
  ~Workspace();
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  /// The address of a tile, 64-byte aligned: plain if it is there, plus 1 if the caller is to pack it and then to call
  /// done(); or 0 while somebody else packs it, since waiting takes longer than packing it once more elsewhere.
  int64_t claim(int64_t tile);
  void done(int64_t tile);

private:
  enum State : uint8_t { empty, claimed, ready };

  Workspace(int64_t tiles, int64_t tileBytes, char *memory, int64_t mappedBytes);

  int64_t tileBytes, mappedBytes;
  char *memory;
  std::unique_ptr<std::atomic<uint8_t>[]> states;
};

} // namespace tessera::cpu
