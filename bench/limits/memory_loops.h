// Loops over memory, written once and compiled for each instruction set: included inside its target attribute, after
// `kVectorBytes`, the width of its registers, is defined.
using Vector = uint64_t __attribute__((vector_size(kVectorBytes)));

static void readAll(const std::byte *src, size_t bytes) {
  // Four sums, so that no addition waits for the one before it.
  Vector sums[4] = {};
  for (size_t i = 0; i < bytes; i += 4 * kVectorBytes) {
    const auto *from = reinterpret_cast<const Vector *>(src + i);
    for (int v = 0; v < 4; ++v) sums[v] ^= from[v];
  }
  Vector all = (sums[0] ^ sums[1]) ^ (sums[2] ^ sums[3]);
  volatile uint64_t kept = all[0]; // the loop must not be removed
  (void)kept;
}

static void copyAll(std::byte *dst, const std::byte *src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += kVectorBytes)
    *reinterpret_cast<Vector *>(dst + i) = *reinterpret_cast<const Vector *>(src + i);
  asm volatile("" ::: "memory");
}

static void streamCopyAll(std::byte *dst, const std::byte *src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += kVectorBytes)
    __builtin_nontemporal_store(*reinterpret_cast<const Vector *>(src + i), reinterpret_cast<Vector *>(dst + i));
#if defined(__x86_64__)
  __builtin_ia32_sfence(); // the stores count when they have arrived
#endif
}
