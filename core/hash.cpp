// Content hashes by xxHash.
#include "core/hash.h"

#include <fmt/format.h>
#define XXH_STATIC_LINKING_ONLY // the streaming state by value
#include <xxhash.h>

namespace tessera {

struct Hasher::State {
  XXH3_state_t xxh;
};

namespace {
Hash128 fromXxh(XXH128_hash_t hash) { return {hash.high64, hash.low64}; }
} // namespace

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash128 hash128(std::span<const std::byte> bytes) { return fromXxh(XXH3_128bits(bytes.data(), bytes.size())); }

Hash128 hash128(std::string_view text) { return hash128(std::as_bytes(std::span(text))); }

Hasher::Hasher() : state(std::make_unique<State>()) { XXH3_128bits_reset(&state->xxh); }
Hasher::~Hasher() = default;

Hasher &Hasher::add(std::span<const std::byte> field) {
  uint64_t length = field.size(); // little-endian on every machine this runs on
  XXH3_128bits_update(&state->xxh, &length, sizeof length);
  XXH3_128bits_update(&state->xxh, field.data(), field.size());
  return *this;
}

Hasher &Hasher::add(std::string_view field) { return add(std::as_bytes(std::span(field))); }

Hash128 Hasher::finish() const { return fromXxh(XXH3_128bits_digest(&state->xxh)); }

} // namespace tessera
