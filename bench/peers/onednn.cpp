// oneDNN by its C++ interface, versions 2 and 3. Primitives are made before the timing, as its users do.
#include "bench/peers/onednn.h"
#include "bench/peers/shared_library.h"

#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.hpp>

#include <optional>

namespace tessera::bench {
namespace {

using Dims = dnnl::memory::dims;
using Desc = dnnl::memory::desc;

dnnl::engine &engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

std::optional<dnnl::memory::data_type> typeOf(DType type) {
  switch (type) {
  case DType::f32: return dnnl::memory::data_type::f32;
  case DType::bf16: return dnnl::memory::data_type::bf16;
  case DType::i32: return dnnl::memory::data_type::s32;
  case DType::i8: return dnnl::memory::data_type::s8;
  case DType::u8: return dnnl::memory::data_type::u8;
  default: return std::nullopt;
  }
}

Desc descOf(const Tensor &tensor) { return {Dims(tensor.shape()), *typeOf(tensor.dtype()), Dims(tensor.strides())}; }

dnnl::memory memoryOf(const Tensor &tensor) { return {descOf(tensor), engine(), const_cast<void *>(tensor.data())}; }

/// A primitive with its arguments; the tensors live as long as it does.
Contestant contestant(std::string name, const dnnl::primitive &primitive, std::unordered_map<int, dnnl::memory> args,
                      int threads, std::vector<Tensor> keep) {
  return {.name = std::move(name),
          .call = [=, args = std::move(args), keep = std::move(keep), stream = dnnl::stream(engine())]() mutable {
            setOpenMpThreads(threads);
            primitive.execute(stream, args);
            stream.wait();
          }};
}

/// Readies a contestant; an operation or type that the library lacks on this CPU gives none.
template <class Make> std::vector<Contestant> ifSupported(int threads, Make make) {
  setOpenMpThreads(threads); // how a primitive divides its work is decided when it is made
  try {
    return {make()};
  } catch (const dnnl::error &) {
    return {};
  }
}

dnnl::matmul::primitive_desc matmulOf(const Desc &a, const Desc &b, const Desc &c) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine(), a, b, c};
#else
  return {dnnl::matmul::desc(a, b, c), engine()};
#endif
}

Contestant plainGemm(const GemmProblem &p) {
  auto desc = matmulOf(descOf(p.a), descOf(p.b), descOf(p.c));
  return contestant("oneDNN", dnnl::matmul(desc),
                    {{DNNL_ARG_SRC, memoryOf(p.a)}, {DNNL_ARG_WEIGHTS, memoryOf(p.b)}, {DNNL_ARG_DST, memoryOf(p.c)}},
                    p.threads, {p.a, p.b, p.c});
}

/// With the weights in the layout that the library chooses.
Contestant packedGemm(const GemmProblem &p) {
  Desc any(Dims(p.b.shape()), *typeOf(p.b.dtype()), dnnl::memory::format_tag::any);
  auto desc = matmulOf(descOf(p.a), any, descOf(p.c));
  dnnl::memory plain = memoryOf(p.b), packed(desc.weights_desc(), engine());
  dnnl::stream stream(engine());
  dnnl::reorder(plain, packed).execute(stream, plain, packed);
  stream.wait();
  return contestant("oneDNN packed", dnnl::matmul(desc),
                    {{DNNL_ARG_SRC, memoryOf(p.a)}, {DNNL_ARG_WEIGHTS, packed}, {DNNL_ARG_DST, memoryOf(p.c)}},
                    p.threads, {p.a, p.c});
}

dnnl::softmax_forward::primitive_desc softmaxOf(const Desc &x, const Desc &y) {
  constexpr auto kKind = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
  return {engine(), kKind, dnnl::algorithm::softmax_accurate, x, y, 1};
#else
  return {dnnl::softmax_forward::desc(kKind, x, 1), engine()};
#endif
}

dnnl::layer_normalization_forward::primitive_desc layerNormOf(const Desc &x, const Desc &y, float eps) {
  constexpr auto kKind = dnnl::prop_kind::forward_inference;
  const auto flags = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
#if DNNL_VERSION_MAJOR >= 3
  return {engine(), kKind, x, y, eps, flags};
#else
  return {dnnl::layer_normalization_forward::desc(kKind, x, eps, flags), engine()};
#endif
}

} // namespace

PeerLibrary oneDnn() {
  const dnnl_version_t *v = dnnl_version();
  return {.name = "oneDNN", .version = fmt::format("{}.{}.{}", v->major, v->minor, v->patch), .reason = {}};
}

std::vector<Contestant> oneDnnGemm(const GemmProblem &p) {
  if (!typeOf(p.a.dtype()) || !typeOf(p.b.dtype()) || !typeOf(p.c.dtype())) return {};
  std::vector<Contestant> list = ifSupported(p.threads, [&] { return plainGemm(p); });
  if (!p.packed) return list;
  for (Contestant &packed : ifSupported(p.threads, [&] { return packedGemm(p); })) list.push_back(std::move(packed));
  return list;
}

std::vector<Contestant> oneDnnSoftmax(const Tensor &x, const Tensor &y, int threads) {
  return ifSupported(threads, [&] {
    return contestant("oneDNN", dnnl::softmax_forward(softmaxOf(descOf(x), descOf(y))),
                      {{DNNL_ARG_SRC, memoryOf(x)}, {DNNL_ARG_DST, memoryOf(y)}}, threads, {x, y});
  });
}

std::vector<Contestant> oneDnnLayerNorm(const Tensor &x, const Tensor &gamma, const Tensor &beta, const Tensor &y,
                                        double eps, int threads) {
  return ifSupported(threads, [&] {
    auto desc = layerNormOf(descOf(x), descOf(y), static_cast<float>(eps));
    return contestant("oneDNN", dnnl::layer_normalization_forward(desc),
                      {{DNNL_ARG_SRC, memoryOf(x)},
                       {DNNL_ARG_SCALE, memoryOf(gamma)},
                       {DNNL_ARG_SHIFT, memoryOf(beta)},
                       {DNNL_ARG_DST, memoryOf(y)}},
                      threads, {x, gamma, beta, y});
  });
}

std::vector<Contestant> oneDnnCopy(const Tensor &src, const Tensor &dst, int threads) {
  if (!typeOf(src.dtype()) || !typeOf(dst.dtype())) return {};
  return ifSupported(threads, [&] {
    return contestant("oneDNN", dnnl::reorder(memoryOf(src), memoryOf(dst)),
                      {{DNNL_ARG_FROM, memoryOf(src)}, {DNNL_ARG_TO, memoryOf(dst)}}, threads, {src, dst});
  });
}

} // namespace tessera::bench
