// The loops behind ArrayCodec. Each file of one instruction set includes this inside its own target region, so all of
// it is local to that file.
namespace tessera {
namespace {

template <DType T, Saturate S> void encodeLoop(const float *src, void *dst, size_t count) {
  auto *out = static_cast<typename fast::Codec<T>::Storage *>(dst);
  for (size_t i = 0; i < count; ++i)
    out[i] = static_cast<typename fast::Codec<T>::Storage>(fast::Codec<T>::template encode<S>(src[i]));
}

template <DType T> void decodeLoop(const void *src, float *dst, size_t count) {
  auto *in = static_cast<const typename fast::Codec<T>::Storage *>(src);
  for (size_t i = 0; i < count; ++i) dst[i] = fast::Codec<T>::decode(in[i]);
}

/// Two codes per byte, low nibble first; a last spare nibble is zero.
template <Saturate S> void encodeNibbles(const float *src, void *dst, size_t count) {
  auto *out = static_cast<uint8_t *>(dst);
  using Nibble = fast::Codec<DType::e2m1>;
  for (size_t i = 0; i < count / 2; ++i)
    out[i] = static_cast<uint8_t>(Nibble::encode<S>(src[2 * i]) | Nibble::encode<S>(src[2 * i + 1]) << 4);
  if (count % 2) out[count / 2] = static_cast<uint8_t>(Nibble::encode<S>(src[count - 1]));
}

void decodeNibbles(const void *src, float *dst, size_t count) {
  auto *in = static_cast<const uint8_t *>(src);
  using Nibble = fast::Codec<DType::e2m1>;
  for (size_t i = 0; i < count / 2; ++i) {
    dst[2 * i] = Nibble::decode(in[i] & 0xf);
    dst[2 * i + 1] = Nibble::decode(in[i] >> 4);
  }
  if (count % 2) dst[count - 1] = Nibble::decode(in[count / 2] & 0xf);
}

template <Saturate S> void encodeHiF8(const float *src, void *dst, size_t count) {
  auto *out = static_cast<uint8_t *>(dst);
  const fast::HiF8Tables &tables = fast::hif8Tables();
  for (size_t i = 0; i < count; ++i) out[i] = fast::encodeHiF8<S>(tables, src[i]);
}

void decodeHiF8(const void *src, float *dst, size_t count) {
  auto *in = static_cast<const uint8_t *>(src);
  const fast::HiF8Tables &tables = fast::hif8Tables();
  for (size_t i = 0; i < count; ++i) dst[i] = tables.decode[in[i]];
}

template <Saturate S> EncodeArray encoderOf(DType type) {
  switch (type) {
  case DType::f16: return encodeLoop<DType::f16, S>;
  case DType::bf16: return encodeLoop<DType::bf16, S>;
  case DType::e4m3: return encodeLoop<DType::e4m3, S>;
  case DType::e5m2: return encodeLoop<DType::e5m2, S>;
  case DType::e8m0: return encodeLoop<DType::e8m0, S>;
  case DType::hif8: return encodeHiF8<S>;
  case DType::e2m1: return encodeNibbles<S>;
  default: return nullptr;
  }
}

EncodeArray encoder(DType type, Saturate saturate) {
  return saturate == Saturate::yes ? encoderOf<Saturate::yes>(type) : encoderOf<Saturate::no>(type);
}

DecodeArray decoder(DType type) {
  switch (type) {
  case DType::f16: return decodeLoop<DType::f16>;
  case DType::bf16: return decodeLoop<DType::bf16>;
  case DType::e4m3: return decodeLoop<DType::e4m3>;
  case DType::e5m2: return decodeLoop<DType::e5m2>;
  case DType::e8m0: return decodeLoop<DType::e8m0>;
  case DType::hif8: return decodeHiF8;
  case DType::e2m1: return decodeNibbles;
  default: return nullptr;
  }
}

} // namespace
} // namespace tessera
