// Translation between Tensor and DLPack's structs.
#include "core/dlpack.h"

#include "core/error.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace tessera {

using namespace dlpack;

// The layout that other libraries are compiled against.
static_assert(sizeof(DLTensor) == 48 && offsetof(DLTensor, shape) == 24 && offsetof(DLTensor, byte_offset) == 40);
static_assert(sizeof(DLManagedTensor) == 64 && offsetof(DLManagedTensor, deleter) == 56);
static_assert(sizeof(DLManagedTensorVersioned) == 80 && offsetof(DLManagedTensorVersioned, dl_tensor) == 32);

namespace {

struct TypeRow {
  DType type;
  uint8_t code, bits;
};

constexpr std::array<TypeRow, 17> kTypes{{{DType::boolean, kBool, 8},
                                          {DType::i8, kInt, 8},
                                          {DType::i16, kInt, 16},
                                          {DType::i32, kInt, 32},
                                          {DType::i64, kInt, 64},
                                          {DType::u8, kUInt, 8},
                                          {DType::u16, kUInt, 16},
                                          {DType::u32, kUInt, 32},
                                          {DType::u64, kUInt, 64},
                                          {DType::f16, kFloat, 16},
                                          {DType::bf16, kBfloat, 16},
                                          {DType::f32, kFloat, 32},
                                          {DType::f64, kFloat, 64},
                                          {DType::e4m3, kFloat8E4M3FN, 8},
                                          {DType::e5m2, kFloat8E5M2, 8},
                                          {DType::e8m0, kFloat8E8M0FNU, 8},
                                          {DType::e2m1, kFloat4E2M1FN, 4}}};

[[noreturn]] void fail(std::string what, std::string advice = {}) {
  throw Error(Diagnostic{std::move(what), {}, std::move(advice)});
}

DType importType(DLDataType type) {
  if (type.lanes != 1) fail(fmt::format("DLPack element type has {} lanes, not 1", type.lanes));
  for (const TypeRow &row : kTypes)
    if (row.code == type.code && row.bits == type.bits) return row.type;
  fail(fmt::format("DLPack element type with code {} and {} bits is not supported", type.code, type.bits));
}

DLDataType exportType(DType type) {
  for (const TypeRow &row : kTypes)
    if (row.type == type) return {row.code, row.bits, 1};
  fail(fmt::format("DLPack has no element type {}", name(type)), "bitcast the tensor to u8");
}

Device importDevice(DLDevice device) {
  switch (device.device_type) {
  case kCPU:
  case kCUDAHost: return {DeviceKind::cpu, device.device_type == kCPU ? device.device_id : 0}; // pinned host memory
  case kCUDA: return {DeviceKind::cuda, device.device_id};
  case kExtension: return {DeviceKind::ascend, device.device_id};
  default: fail(fmt::format("DLPack device type {} is not supported", device.device_type));
  }
}

DLDevice exportDevice(Device device) {
  constexpr int32_t kTypeOf[] = {kCPU, kCUDA, kExtension};
  return {kTypeOf[static_cast<int>(device.kind)], device.index};
}

/// Takes over `managed` by a first handle, and only once nothing can fail any more.
template <class Managed> Tensor takeOver(Managed *managed, bool readOnly) {
  const DLTensor &t = managed->dl_tensor;
  if (t.ndim < 0) fail(fmt::format("DLPack rank {} is negative", t.ndim));
  if (t.ndim > 0 && !t.shape) fail(fmt::format("DLPack tensor of rank {} has no shape", t.ndim));
  Tensor::Extents shape(t.shape, t.shape + t.ndim), strides;
  if (t.strides) strides.assign(t.strides, t.strides + t.ndim);
  auto *data = static_cast<std::byte *>(t.data);
  if (data) data += t.byte_offset;
  DType type = importType(t.dtype);
  Device device = importDevice(t.device);
  auto own = std::make_shared<std::unique_ptr<Managed, void (*)(Managed *)>>(nullptr, [](Managed *m) {
    if (m->deleter) m->deleter(m);
  });
  auto *holder = own.get();
  Tensor tensor = Tensor::viewOwned(std::move(own), data, type, std::move(shape), std::move(strides), device, readOnly);
  holder->reset(managed);
  return tensor;
}

/// What an exported struct points into.
template <class Managed> struct Exported {
  Tensor tensor;
  Tensor::Extents shape, strides;
  Managed managed;
};

template <class Managed> Managed *exportTensor(const Tensor &tensor) {
  DLDataType type = exportType(tensor.dtype());
  auto out = std::make_unique<Exported<Managed>>(tensor, tensor.shape(), tensor.strides(), Managed{});
  DLTensor &t = out->managed.dl_tensor;
  t.data = const_cast<void *>(tensor.data()); // the read-only flag travels beside
  t.device = exportDevice(tensor.device());
  t.ndim = tensor.rank();
  t.dtype = type;
  t.shape = out->shape.data();
  t.strides = out->strides.data();
  out->managed.manager_ctx = out.get();
  out->managed.deleter = [](Managed *self) { delete static_cast<Exported<Managed> *>(self->manager_ctx); };
  return &out.release()->managed;
}

} // namespace

Tensor fromDLPack(DLManagedTensorVersioned *managed) {
  if (!managed) fail("DLPack tensor is null");
  if (managed->version.major != kMajorVersion)
    fail(fmt::format("DLPack major versions differ: tensor has {}, this library {}", managed->version.major,
                     kMajorVersion));
  if (managed->flags & kFlagSubbytePadded && managed->dl_tensor.dtype.bits < 8)
    fail(fmt::format("DLPack tensor pads its elements of {} bits to bytes", managed->dl_tensor.dtype.bits),
         "pack two elements per byte");
  return takeOver(managed, managed->flags & kFlagReadOnly);
}

Tensor fromDLPack(DLManagedTensor *managed) {
  if (!managed) fail("DLPack tensor is null");
  return takeOver(managed, false);
}

DLManagedTensorVersioned *toDLPack(const Tensor &tensor) {
  auto *managed = exportTensor<DLManagedTensorVersioned>(tensor);
  managed->version = {kMajorVersion, kMinorVersion};
  managed->flags = tensor.readOnly() ? kFlagReadOnly : 0;
  return managed;
}

DLManagedTensor *toUnversionedDLPack(const Tensor &tensor) {
  if (tensor.readOnly())
    fail(fmt::format("tensor {} is read-only, which unversioned DLPack cannot say", tensor.text()),
         "clone it, or ask for the versioned form");
  return exportTensor<DLManagedTensor>(tensor);
}

} // namespace tessera
