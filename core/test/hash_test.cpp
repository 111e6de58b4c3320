// Content hashes: known values, fields, streaming.
#include "core/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

using namespace tessera;

namespace {

TEST(Hash, KnownValues) {
  // Published by xxHash for XXH3_128bits with seed 0; the empty input is in its specification.
  EXPECT_EQ(hash128("").hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_NE(hash128("a"), hash128("b"));
}

TEST(Hash, HexKeepsLeadingZeros) {
  EXPECT_EQ((Hash128{0, 1}.hex()), "00000000000000000000000000000001");
  EXPECT_EQ((Hash128{0xabcdef, 0xfedcba9876543210}.hex()), "0000000000abcdeffedcba9876543210");
}

TEST(Hash, EveryByteCounts) {
  std::set<std::string> seen;
  for (size_t size : {1u, 8u, 100u, 300u})
    for (size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = 'y';
      EXPECT_TRUE(seen.insert(hash128(text).hex()).second) << size << ' ' << at;
    }
}

TEST(Hasher, FieldsDoNotRunTogether) {
  auto hash = [](std::initializer_list<std::string_view> fields) {
    Hasher h;
    for (std::string_view f : fields) h.add(f);
    return h.finish();
  };
  EXPECT_EQ(hash({"ab", "c"}), hash({"ab", "c"}));
  EXPECT_NE(hash({"ab", "c"}), hash({"a", "bc"}));
  EXPECT_NE(hash({"abc"}), hash({"abc", ""}));
  EXPECT_NE(hash({}), hash({""}));
}

TEST(Hasher, NumbersAndStreaming) {
  enum class Colour : uint8_t { red, green };
  Hasher a, b;
  a.add(1).add(Colour::green).add(true);
  b.add(int64_t{1});
  EXPECT_NE(a.finish(), b.finish());
  b.add(1);
  EXPECT_NE(a.finish(), b.finish());
  b.add(uint8_t{1});
  EXPECT_EQ(a.finish(), b.finish()) << "numbers of equal value are equal fields";
}

} // namespace
