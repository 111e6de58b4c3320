// DLPack: what travels each way, who deletes when, and what is refused.
#include "core/dlpack.h"

#include "core/test/expect_error.h"

#include <vector>

using namespace tessera;
using namespace tessera::dlpack;

namespace {

/// A foreign tensor that counts its deletions.
template <class Managed> struct Foreign {
  Managed managed{};
  std::vector<float> data{0, 1, 2, 3, 4, 5};
  std::vector<int64_t> shape{2, 3}, strides{3, 1};
  int deleted = 0;

  Foreign() {
    managed.manager_ctx = this;
    managed.deleter = [](Managed *self) { ++static_cast<Foreign *>(self->manager_ctx)->deleted; };
    if constexpr (requires { managed.version; }) managed.version = {1, 1};
    managed.dl_tensor = {data.data(), {kCPU, 0}, 2, {kFloat, 32, 1}, shape.data(), strides.data(), 0};
  }
};

template <class Managed> class Import : public testing::Test {};
using Forms = testing::Types<DLManagedTensor, DLManagedTensorVersioned>;
TYPED_TEST_SUITE(Import, Forms);

TYPED_TEST(Import, SharesMemoryAndDeletesOnce) {
  Foreign<TypeParam> foreign;
  {
    Tensor row;
    {
      Tensor t = fromDLPack(&foreign.managed);
      EXPECT_EQ(t.shape(), foreign.shape);
      EXPECT_EQ(t.dtype(), DType::f32);
      EXPECT_EQ(t.data(), foreign.data.data());
      t.set({1, 2}, 42);
      row = t.select(0, 1);
    }
    EXPECT_EQ(foreign.data[5], 42);
    EXPECT_EQ(foreign.deleted, 0) << "a view still holds it";
    EXPECT_EQ(row.at({2}), 42);
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TYPED_TEST(Import, NoDeleterIsLegal) {
  Foreign<TypeParam> foreign;
  foreign.managed.deleter = nullptr;
  EXPECT_EQ(fromDLPack(&foreign.managed).at({0, 1}), 1);
}

TYPED_TEST(Import, NullStridesByteOffsetAndForeignStrides) {
  Foreign<TypeParam> foreign;
  foreign.managed.dl_tensor.strides = nullptr;
  EXPECT_EQ(fromDLPack(&foreign.managed).strides(), (Tensor::Extents{3, 1}));
  foreign.managed.dl_tensor.strides = foreign.strides.data();
  foreign.managed.dl_tensor.byte_offset = 20;
  foreign.strides = {-3, -1};
  Tensor t = fromDLPack(&foreign.managed);
  EXPECT_EQ(t.at({0, 0}), 5);
  EXPECT_EQ(t.at({1, 2}), 0);
}

TYPED_TEST(Import, ZeroSizeAndRankZero) {
  Foreign<TypeParam> foreign;
  foreign.shape = {2, 0};
  foreign.managed.dl_tensor.data = nullptr;
  foreign.managed.dl_tensor.byte_offset = 64;
  EXPECT_EQ(fromDLPack(&foreign.managed).numel(), 0);
  foreign.managed.dl_tensor = {foreign.data.data() + 3, {kCPU, 0}, 0, {kFloat, 32, 1}, nullptr, nullptr, 0};
  EXPECT_EQ(fromDLPack(&foreign.managed).at({}), 3);
}

TYPED_TEST(Import, RefusesAndLeavesTheDeleterAlone) {
  Foreign<TypeParam> foreign;
  DLTensor good = foreign.managed.dl_tensor;
  auto refused = [&](auto change, const std::string &text) {
    foreign.managed.dl_tensor = good;
    change(foreign.managed.dl_tensor);
    EXPECT_ERROR((void)fromDLPack(&foreign.managed), text);
  };
  refused([](DLTensor &t) { t.dtype.lanes = 4; }, "has 4 lanes, not 1");
  refused([](DLTensor &t) { t.dtype = {5, 64, 1}; }, "element type with code 5 and 64 bits is not supported");
  refused([](DLTensor &t) { t.device.device_type = 10; }, "device type 10 is not supported");
  refused([](DLTensor &t) { t.ndim = -1; }, "rank -1 is negative");
  refused([](DLTensor &t) { t.shape = nullptr; }, "rank 2 has no shape");
  refused([](DLTensor &t) { t.data = nullptr; }, "null data for a tensor of shape [2, 3]");
  foreign.shape[0] = -2;
  refused([](DLTensor &) {}, "extent -2 of dimension 0 is negative");
  EXPECT_EQ(foreign.deleted, 0);
  EXPECT_ERROR((void)fromDLPack(static_cast<TypeParam *>(nullptr)), "DLPack tensor is null");
}

TEST(DLPack, VersionAndFlags) {
  Foreign<DLManagedTensorVersioned> foreign;
  foreign.managed.version = {1, 99}; // a later minor version only adds codes
  foreign.managed.flags = kFlagReadOnly;
  EXPECT_TRUE(fromDLPack(&foreign.managed).readOnly());
  EXPECT_EQ(foreign.deleted, 1);
  foreign.managed.version.major = 2;
  EXPECT_ERROR((void)fromDLPack(&foreign.managed), "major versions differ: tensor has 2, this library 1");
  foreign.managed.version.major = 1;
  foreign.managed.flags = kFlagSubbytePadded;
  foreign.managed.dl_tensor.dtype = {kFloat4E2M1FN, 4, 1};
  EXPECT_ERROR((void)fromDLPack(&foreign.managed), "pads its elements of 4 bits to bytes");
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(DLPack, DevicesTravel) {
  for (auto [type, kind] : {std::pair{kCUDA, DeviceKind::cuda}, {kExtension, DeviceKind::ascend}}) {
    Foreign<DLManagedTensorVersioned> foreign;
    foreign.managed.dl_tensor.device = {type, 3};
    Tensor t = fromDLPack(&foreign.managed);
    EXPECT_EQ(t.device(), (Device{kind, 3}));
    DLManagedTensorVersioned *out = toDLPack(t);
    EXPECT_EQ(out->dl_tensor.device.device_type, type);
    EXPECT_EQ(out->dl_tensor.device.device_id, 3);
    out->deleter(out);
  }
  Foreign<DLManagedTensorVersioned> pinned;
  pinned.managed.dl_tensor.device = {kCUDAHost, 1};
  EXPECT_EQ(fromDLPack(&pinned.managed).at({0, 1}), 1) << "pinned memory is the host's";
}

TEST(DLPack, ExportOutlivesTheTensor) {
  DLManagedTensorVersioned *out;
  {
    Tensor t = Tensor::fromVector(std::vector<float>{0, 1, 2, 3, 4, 5}, {2, 3}).transpose(0, 1).slice(0, 1, 3);
    out = toDLPack(t);
    EXPECT_EQ(out->dl_tensor.data, t.data());
  }
  EXPECT_EQ(out->version.major, 1u);
  EXPECT_EQ(out->flags, 0u);
  EXPECT_EQ(out->dl_tensor.ndim, 2);
  EXPECT_EQ(out->dl_tensor.shape[0], 2);
  EXPECT_EQ(out->dl_tensor.strides[1], 3);
  EXPECT_EQ(static_cast<float *>(out->dl_tensor.data)[3], 4);
  out->deleter(out); // the sanitizers see a second or a missing release
}

TEST(DLPack, RoundTripReleasesTheChain) {
  Foreign<DLManagedTensor> foreign;
  Tensor back = fromDLPack(toDLPack(fromDLPack(&foreign.managed)));
  EXPECT_EQ(back.at({1, 0}), 3);
  EXPECT_EQ(foreign.deleted, 0);
  back = Tensor();
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(DLPack, EveryTypeTravels) {
  for (int i = 0; i <= static_cast<int>(DType::e2m1); ++i) {
    auto type = static_cast<DType>(i);
    Tensor t = Tensor::zeros(type, {2, 4});
    t.set({1, 1}, 1);
    if (type == DType::hif8) {
      EXPECT_ERROR((void)toDLPack(t), "DLPack has no element type hif8");
      t = t.bitcast(DType::u8);
    }
    Tensor back = fromDLPack(toDLPack(t)), old = fromDLPack(toUnversionedDLPack(t));
    EXPECT_EQ(back.dtype(), t.dtype());
    EXPECT_EQ(back.at({1, 1}), t.at({1, 1})) << name(type);
    EXPECT_EQ(old.at({1, 1}), t.at({1, 1})) << name(type);
  }
}

TEST(DLPack, ReadOnlyTravelsInTheVersionedForm) {
  Tensor t = Tensor::zeros(DType::f32, {2}).asReadOnly();
  EXPECT_TRUE(fromDLPack(toDLPack(t)).readOnly());
  EXPECT_ERROR((void)toUnversionedDLPack(t), "is read-only, which unversioned DLPack cannot say");
}

TEST(DLPack, ZeroSizeAndRankZeroExport) {
  EXPECT_EQ(fromDLPack(toDLPack(Tensor::empty(DType::bf16, {0, 5}))).shape(), (Tensor::Extents{0, 5}));
  EXPECT_EQ(fromDLPack(toDLPack(Tensor::zeros(DType::bf16, {}))).rank(), 0);
  EXPECT_EQ(fromDLPack(toUnversionedDLPack(Tensor())).numel(), 0);
}

} // namespace
