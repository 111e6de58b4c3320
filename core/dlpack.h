// Exchange of tensors with other libraries through DLPack, without copying.
//
// The structs declare DLPack's binary interface, version 1; they have the layout of the public dlpack.h and may be cast
// to and from its types. Names follow that header's.
#pragma once

#include "core/tensor.h"

#include <cstdint>

namespace tessera::dlpack {

enum DeviceType : int32_t { kCPU = 1, kCUDA = 2, kCUDAHost = 3, kExtension = 12 };

enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBfloat = 4,
  kBool = 6,
  kFloat8E4M3FN = 10,
  kFloat8E5M2 = 12,
  kFloat8E8M0FNU = 14,
  kFloat4E2M1FN = 17,
};

struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; // in elements; null for row-major
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *self);
};

struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
};

constexpr uint32_t kMajorVersion = 1, kMinorVersion = 1;
constexpr uint64_t kFlagReadOnly = 1, kFlagIsCopied = 2, kFlagSubbytePadded = 4;

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
};

} // namespace tessera::dlpack

namespace tessera {

/// A view of a foreign tensor, whose deleter runs exactly once: with the last handle on the result. On Error nothing
/// is taken over and the deleter is left to the caller.
Tensor fromDLPack(dlpack::DLManagedTensorVersioned *managed);
Tensor fromDLPack(dlpack::DLManagedTensor *managed);

/// A foreign view of `tensor`, for the consumer to release through its deleter. It keeps an owner's memory alive; the
/// memory of a non-owning view must outlive it. hif8, which DLPack does not know, is refused: `bitcast` it to u8.
dlpack::DLManagedTensorVersioned *toDLPack(const Tensor &tensor);
/// For consumers of DLPack before 1.0, which cannot say read-only: such tensors are refused.
dlpack::DLManagedTensor *toUnversionedDLPack(const Tensor &tensor);

} // namespace tessera
