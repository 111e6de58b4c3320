// 128-bit content hashes (XXH3). Fast and well distributed, the same on every machine; not cryptographic.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace tessera {

struct Hash128 {
  uint64_t high = 0, low = 0;
  auto operator<=>(const Hash128 &) const = default;
  /// 32 lower-case hexadecimal digits, high part first.
  std::string hex() const;
};

Hash128 hash128(std::span<const std::byte> bytes);
Hash128 hash128(std::string_view text);

/// Hashes a sequence of fields. Every field is preceded by its length, so that ("ab", "c") and ("a", "bc") differ.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher &) = delete;
  Hasher &operator=(const Hasher &) = delete;

  Hasher &add(std::span<const std::byte> field);
  Hasher &add(std::string_view field);
  /// A number or an enum, as eight bytes.
  template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  Hasher &add(T value) {
    auto wide = static_cast<uint64_t>(value);
    return add(std::as_bytes(std::span(&wide, 1)));
  }

  /// Of everything added so far; more may follow.
  Hash128 finish() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace tessera
