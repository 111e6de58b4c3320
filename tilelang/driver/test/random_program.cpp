// The generator of random tile programs.
#include "random_program.h"

#include "tilelang/dsl/ProgramImpl.h"
#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"

#include <cmath>
#include <random>

using namespace mlir;

namespace tessera::test {
namespace {

using namespace tile;

constexpr int64_t kInputs = 3;

class Generator {
public:
  explicit Generator(uint64_t seed)
      : rng(seed), impl(std::make_shared<Program::Impl>()), b(UnknownLoc::get(&impl->context), &impl->context) {}

  RandomProgram run() {
    impl->module = ModuleOp::create(b.getLoc());
    makeFunction();
    assert(succeeded(verify(*impl->module)));
    return {Program(impl), std::move(arguments)};
  }

private:
  // --- Choices ------------------------------------------------------------------------------------------------------
  int64_t pick(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(rng); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <class T> T oneOf(std::initializer_list<T> list) {
    return list.begin()[pick(0, static_cast<int64_t>(list.size()) - 1)];
  }
  int64_t extent() { return oneOf<int64_t>({1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 40}); }

  DType dtype() {
    return oneOf({DType::f32,  DType::f32,  DType::f32,  DType::f16,  DType::bf16, DType::f64,    DType::i32,
                  DType::i32,  DType::i8,   DType::u8,   DType::i16,  DType::u16,  DType::i64,    DType::u32,
                  DType::e4m3, DType::e5m2, DType::e2m1, DType::e2m1, DType::e8m0, DType::boolean});
  }
  Type elementType(DType type) {
    switch (type) {
    case DType::f32: return b.getF32Type();
    case DType::f16: return b.getF16Type();
    case DType::bf16: return b.getBF16Type();
    case DType::f64: return b.getF64Type();
    case DType::e4m3: return b.getType<Float8E4M3FNType>();
    case DType::e5m2: return b.getType<Float8E5M2Type>();
    case DType::e8m0: return b.getType<Float8E8M0FNUType>();
    case DType::e2m1: return b.getType<Float4E2M1FNType>();
    case DType::boolean: return b.getI1Type();
    default: break;
    }
    unsigned width = static_cast<unsigned>(bitWidth(type));
    return isUnsignedInteger(type) ? IntegerType::get(b.getContext(), width, IntegerType::Unsigned)
                                   : b.getIntegerType(width);
  }
  /// A type that arithmetic works in.
  Type computeType() {
    return oneOf<Type>({b.getF32Type(), b.getF32Type(), b.getF16Type(), b.getBF16Type(), b.getF64Type(), b.getI32Type(),
                        b.getI32Type(), b.getI8Type(), b.getI16Type(), b.getI64Type()});
  }

  // --- Tensors ------------------------------------------------------------------------------------------------------
  /// One more argument. Some extents are hidden from the program, which then reads them from the tensor.
  Value addTensor(func::FuncOp function, std::vector<int64_t> shape, DType type, bool input) {
    Tensor tensor = Tensor::empty(type, shape);
    if (!input)
      tensor.fill(1);
    else if (isFloat(type))
      tensor.fillRandom(rng(), -4, 4);
    else
      tensor.fillRandom(rng(), 0, 100);
    arguments.emplace_back(tensor);
    SmallVector<int64_t> seen(shape.begin(), shape.end());
    for (int64_t &size : seen)
      if (chance(40)) size = ShapedType::kDynamic;
    auto memref = MemRefType::get(seen, elementType(type), MemRefLayoutAttrInterface(),
                                  SpaceAttr::get(b.getContext(), Space::global));
    unsigned position = function.getNumArguments();
    (void)function.insertArgument(position, memref, {}, b.getLoc());
    return function.getArgument(position);
  }

  /// Inputs are read anywhere; counters are only updated by integer atomics; outputs come last.
  void makeFunction() {
    grid = {pick(1, 3), pick(1, 2)};
    b.setInsertionPointToEnd(impl->module->getBody());
    auto function = func::FuncOp::create(b, "random", b.getFunctionType({}, {}));
    impl->function = function;
    b.setInsertionPointToStart(function.addEntryBlock());
    for (int64_t i = 0; i < kInputs; ++i)
      globals.push_back(addTensor(function, {extent() + pick(0, 20), extent() + pick(0, 20)}, dtype(), true));
    globals.push_back(addTensor(function, {4}, oneOf({DType::i32, DType::u32, DType::i64}), false));
    auto kernel = KernelOp::create(b, ValueRange{index(grid[0]), index(grid[1])});
    func::ReturnOp::create(b);
    b.setInsertionPointToStart(&kernel.getBody().front());
    block = kernel.getBody().getArguments();
    indices = {block[0], block[1]};
    int64_t count = pick(2, 4);
    for (int64_t i = 0; i < count; ++i) makeBuffer();
    statements(pick(3, 8), 0);
    writeOutputs(function);
  }

  // --- Scalars ------------------------------------------------------------------------------------------------------
  Value index(int64_t v) { return arith::ConstantIndexOp::create(b, v); }
  Value constant(Type type) {
    if (auto f = dyn_cast<Float8E8M0FNUType>(type))
      return arith::ConstantOp::create(b, b.getFloatAttr(f, std::ldexp(1.0, static_cast<int>(pick(-3, 3)))));
    if (auto f = dyn_cast<FloatType>(type))
      return arith::ConstantOp::create(b, b.getFloatAttr(f, static_cast<double>(pick(-8, 8)) / 4));
    if (type.isInteger(1)) return arith::ConstantOp::create(b, b.getIntegerAttr(type, pick(0, 1)));
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, pick(-9, 9)));
  }
  Value cast(Value v, Type to, bool fromUnsigned, bool toUnsigned) {
    if (v.getType() == to) return v;
    bool narrow = isNarrowFloat(to);
    auto op = CastOp::create(b, to, v, RoundingAttr(), UnitAttr(), UnitAttr(), UnitAttr());
    if (narrow && chance(70)) op.setSaturate(true);
    if (chance(15) && isa<FloatType>(to) == isa<FloatType>(v.getType()))
      op.setRoundingAttr(RoundingAttr::get(
          b.getContext(), oneOf({Rounding::rint, Rounding::floor, Rounding::ceil, Rounding::trunc, Rounding::round})));
    op.setUnsignedFrom(fromUnsigned);
    op.setUnsignedTo(toUnsigned);
    return op;
  }
  /// An index known to the program here: a block or loop index with an offset.
  Value someIndex() {
    Value base = indices[pick(0, static_cast<int64_t>(indices.size()) - 1)];
    if (chance(50)) base = arith::MulIOp::create(b, base, index(oneOf<int64_t>({2, 3, 8, 16})));
    return chance(50) ? arith::AddIOp::create(b, base, index(pick(-3, 6))).getResult() : base;
  }
  Value someCondition() {
    auto predicate = oneOf(
        {arith::CmpIPredicate::slt, arith::CmpIPredicate::eq, arith::CmpIPredicate::sge, arith::CmpIPredicate::ne});
    return arith::CmpIOp::create(b, predicate, someIndex(), index(pick(0, 3)));
  }

  // --- Buffers ------------------------------------------------------------------------------------------------------
  Value alloc(ArrayRef<int64_t> shape, Type element, Space space) {
    auto type = MemRefType::get(shape, element, MemRefLayoutAttrInterface(), SpaceAttr::get(b.getContext(), space));
    return AllocOp::create(b, type, b.getStringAttr("t" + std::to_string(nextName++)), Attribute(), IntegerAttr());
  }
  void fill(Value tile) { FillOp::create(b, constant(scalarType(tileInfo(tile).element)), tile); }
  Value makeBuffer() {
    Value buffer =
        alloc({extent(), extent()}, elementType(dtype()), oneOf({Space::shared, Space::fragment, Space::local}));
    fill(buffer);
    buffers.push_back(buffer);
    return buffer;
  }
  Value someBuffer() { return buffers[pick(0, static_cast<int64_t>(buffers.size()) - 1)]; }
  Value someInput() { return globals[pick(0, kInputs - 1)]; }
  Value region(Value buffer, ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> sizes) {
    return RegionOp::create(b, buffer, offsets, getAsIndexOpFoldResult(b.getContext(), sizes));
  }

  // --- Statements ---------------------------------------------------------------------------------------------------
  void statements(int64_t count, int depth) {
    for (int64_t i = 0; i < count; ++i) statement(depth);
  }

  void statement(int depth) {
    switch (pick(0, depth < 2 ? 13 : 9)) {
    case 0: return loadTile();
    case 1: return moveTile();
    case 2: return fill(chance(50) ? someBuffer() : window(someBuffer()));
    case 3:
    case 4:
    case 5: return parallel();
    case 6: return reduce();
    case 7: return scan();
    case 8: return chance(50) ? transpose() : gemm();
    case 9: return chance(50) ? gemm() : atomics();
    case 10: return loop(depth);
    case 11: return branch(depth);
    case 12: return whileLoop(depth);
    default: return narrowScope(depth);
    }
  }

  /// A static window inside an on-chip buffer.
  Value window(Value buffer) {
    ArrayRef<int64_t> shape = tileInfo(buffer).shape;
    int64_t r = pick(1, shape[0]), c = pick(1, shape[1]);
    int64_t y = pick(0, shape[0] - r), x = pick(0, shape[1] - c);
    return region(buffer, getAsIndexOpFoldResult(b.getContext(), {y, x}), {r, c});
  }

  /// From an input, at any offset, into a buffer: edges overhang.
  void loadTile() {
    Value dst = someBuffer();
    ArrayRef<int64_t> shape = tileInfo(dst).shape;
    SmallVector<OpFoldResult> offsets{chance(30) ? OpFoldResult(b.getIndexAttr(0)) : OpFoldResult(someIndex()),
                                      OpFoldResult(someIndex())};
    Value src = region(someInput(), offsets, shape);
    Attribute pad;
    if (chance(40)) pad = b.getI64IntegerAttr(pick(0, tileInfo(dst).element.isInteger(1) ? 1 : 3));
    CopyOp::create(b, src, dst, pad, chance(10));
  }

  /// Between buffers, with a change of type.
  void moveTile() {
    Value src = someBuffer(), dst = someBuffer();
    if (src == dst) return fill(dst);
    ArrayRef<int64_t> s = tileInfo(src).shape, d = tileInfo(dst).shape;
    SmallVector<int64_t> size{std::min(s[0], d[0]), std::min(s[1], d[1])};
    auto at = [&](ArrayRef<int64_t> shape) {
      return getAsIndexOpFoldResult(b.getContext(), {pick(0, shape[0] - size[0]), pick(0, shape[1] - size[1])});
    };
    CopyOp::create(b, region(src, at(s), size), region(dst, at(d), size), Attribute(), chance(10));
  }

  void parallel() {
    Value dst = someBuffer();
    ArrayRef<int64_t> shape = tileInfo(dst).shape;
    auto loop = ParallelOp::create(b, ValueRange{index(shape[0]), index(shape[1])});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&loop.getBody().front());
    auto point = loop.getBody().getArguments();
    auto assign = [&] {
      Type type = computeType();
      Value value = expression(type, dst, point, 3);
      Type element = tileInfo(dst).element;
      StoreOp::create(b, cast(value, scalarType(element), false, isUnsigned(element)), dst, ValueRange(point));
    };
    if (chance(65)) return assign();
    Value condition =
        chance(50) ? arith::CmpIOp::create(b, arith::CmpIPredicate::slt, point[1], index(pick(0, shape[1]))).getResult()
                   : arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, point[0], point[1]).getResult();
    auto branch = IfOp::create(b, condition, chance(50));
    b.setInsertionPointToStart(&branch.getThenBody().front());
    assign();
    if (branch.getElseBody().empty()) return;
    b.setInsertionPointToStart(&branch.getElseBody().front());
    assign();
  }

  /// A leaf reads `dst` only at its own point, so iterations stay independent.
  Value leaf(Type type, Value dst, ValueRange point) {
    switch (pick(0, 4)) {
    case 0: return constant(type);
    case 1: return cast(point[pick(0, 1)], type, false, false);
    case 2: {
      Value input = someInput();
      Value row = chance(70) ? point[0] : someIndex(), col = chance(80) ? point[1] : point[0];
      if (chance(40)) col = arith::AddIOp::create(b, col, someIndex());
      return loaded(input, {row, col}, type);
    }
    default: break;
    }
    Value buffer = someBuffer();
    if (buffer == dst) return loaded(dst, point, type);
    Value row = point[0], col = point[1];
    if (chance(15)) std::swap(row, col);
    if (chance(15)) row = index(0);
    if (chance(15))
      col = index(0); // a constant index must lie inside, so it is not moved
    else if (chance(15))
      col = arith::AddIOp::create(b, col, index(pick(-2, 2)));
    return loaded(buffer, {row, col}, type);
  }
  Value loaded(Value buffer, ValueRange at, Type type) {
    Type element = tileInfo(buffer).element;
    return cast(LoadOp::create(b, scalarType(element), buffer, at), type, isUnsigned(element), false);
  }

  Value expression(Type type, Value dst, ValueRange point, int depth) {
    if (depth == 0 || chance(20)) return leaf(type, dst, point);
    auto sub = [&] { return expression(type, dst, point, depth - 1); };
    if (chance(15)) {
      Type other = computeType();
      return cast(expression(other, dst, point, depth - 1), type, false, false);
    }
    if (chance(12)) return arith::SelectOp::create(b, comparison(dst, point, depth - 1), sub(), sub());
    return isa<FloatType>(type) ? floatOperation(sub) : integerOperation(type, sub);
  }
  Value comparison(Value dst, ValueRange point, int depth) {
    Type type = computeType();
    Value x = expression(type, dst, point, depth), y = expression(type, dst, point, depth);
    if (isa<FloatType>(type))
      return arith::CmpFOp::create(b,
                                   oneOf({arith::CmpFPredicate::OLT, arith::CmpFPredicate::OEQ,
                                          arith::CmpFPredicate::UNE, arith::CmpFPredicate::OGE}),
                                   x, y);
    return arith::CmpIOp::create(b,
                                 oneOf({arith::CmpIPredicate::slt, arith::CmpIPredicate::ult, arith::CmpIPredicate::eq,
                                        arith::CmpIPredicate::sge}),
                                 x, y);
  }
  Value floatOperation(function_ref<Value()> sub) {
    Value x = sub();
    switch (pick(0, 11)) {
    case 0: return arith::AddFOp::create(b, x, sub());
    case 1: return arith::SubFOp::create(b, x, sub());
    case 2: return arith::MulFOp::create(b, x, sub());
    case 3: return arith::DivFOp::create(b, x, sub());
    case 4: return arith::MaximumFOp::create(b, x, sub());
    case 5: return arith::MinimumFOp::create(b, x, sub());
    case 6: return arith::MaxNumFOp::create(b, x, sub());
    case 7: return arith::NegFOp::create(b, x);
    case 8: return math::AbsFOp::create(b, x);
    case 9: return math::FloorOp::create(b, x);
    case 10: return math::SqrtOp::create(b, x);
    default: {
      Value y = sub();
      return math::FmaOp::create(b, x, y, sub());
    }
    }
  }
  Value integerOperation(Type type, function_ref<Value()> sub) {
    Value x = sub();
    switch (pick(0, 14)) {
    case 0: return arith::AddIOp::create(b, x, sub());
    case 1: return arith::SubIOp::create(b, x, sub());
    case 2: return arith::MulIOp::create(b, x, sub());
    case 3: return arith::AndIOp::create(b, x, sub());
    case 4: return arith::OrIOp::create(b, x, sub());
    case 5: return arith::XOrIOp::create(b, x, sub());
    case 6: return arith::MaxSIOp::create(b, x, sub());
    case 7: return arith::MinUIOp::create(b, x, sub());
    case 8: return arith::DivSIOp::create(b, x, sub());
    case 9: return arith::RemSIOp::create(b, x, sub());
    case 10: return arith::FloorDivSIOp::create(b, x, sub());
    case 11: return arith::DivUIOp::create(b, x, sub());
    case 12: return arith::ShLIOp::create(b, x, sub());
    case 13: return arith::ShRSIOp::create(b, x, sub());
    default: return arith::ShRUIOp::create(b, x, sub());
    }
  }

  bool isNumber(Value tile) {
    Type element = tileInfo(tile).element;
    return !element.isInteger(1) && !isa<Float8E8M0FNUType>(element);
  }

  void reduce() {
    Value src = someBuffer();
    TileInfo info = tileInfo(src);
    bool integer = isa<IntegerType>(info.element);
    ReduceKind kind =
        oneOf({ReduceKind::sum, ReduceKind::max, ReduceKind::min, ReduceKind::absmax, ReduceKind::abssum});
    Type result = info.element;
    if (!isNumber(src) || chance(10)) {
      kind = oneOf({ReduceKind::any, ReduceKind::all});
      result = b.getI1Type();
    } else if (integer && chance(30)) {
      kind = oneOf({ReduceKind::bitAnd, ReduceKind::bitOr, ReduceKind::bitXor});
    }
    int64_t dim = pick(0, 1);
    SmallVector<int64_t> shape(info.shape);
    shape[dim] = 1;
    Value dst = alloc(shape, result, Space::fragment);
    fill(dst);
    auto op = ReduceOp::create(b, kind, src, dst, dim, chance(40), chance(30));
    (void)op;
    buffers.push_back(dst);
  }

  void scan() {
    Value src = someBuffer();
    if (!isNumber(src)) return fill(src);
    Value dst = src;
    if (chance(50)) {
      dst = alloc(tileInfo(src).shape, tileInfo(src).element, Space::shared);
      buffers.push_back(dst);
    }
    ScanOp::create(b, oneOf({ScanKind::sum, ScanKind::max}), src, dst, pick(0, 1), chance(40));
  }

  void transpose() {
    Value src = someBuffer();
    TileInfo info = tileInfo(src);
    Value dst = alloc({info.shape[1], info.shape[0]}, info.element, Space::shared);
    TransposeOp::create(b, src, dst);
    buffers.push_back(dst);
  }

  /// Fills a gemm operand with small integers, which every type holds and every order of summation adds up exactly.
  Value smallIntegers(int64_t rows, int64_t cols, Type element) {
    Value tile = alloc({rows, cols}, element, oneOf({Space::shared, Space::fragment}));
    auto loop = ParallelOp::create(b, ValueRange{index(rows), index(cols)});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&loop.getBody().front());
    auto point = loop.getBody().getArguments();
    Value sum = arith::AddIOp::create(b, arith::MulIOp::create(b, point[0], index(pick(1, 3))),
                                      arith::MulIOp::create(b, point[1], index(pick(1, 3))));
    Value small =
        arith::SubIOp::create(b, arith::RemUIOp::create(b, sum, index(5)), index(isUnsigned(element) ? 0 : 2));
    StoreOp::create(b, cast(small, scalarType(element), false, isUnsigned(element)), tile, ValueRange(point));
    return tile;
  }

  void gemm() {
    int64_t m = extent(), n = extent(), k = extent();
    Type f8 = b.getType<Float8E4M3FNType>(), u8 = elementType(DType::u8), i8 = b.getI8Type();
    Type a = oneOf<Type>({b.getF32Type(), b.getBF16Type(), b.getF16Type(), b.getF64Type(), i8, u8, f8});
    Type other = a == i8 || a == u8 ? oneOf<Type>({i8, u8}) : a;
    Type c = isa<IntegerType>(a) ? Type(b.getI32Type()) : a.isF64() ? a : Type(b.getF32Type());
    bool ta = chance(30), tb = chance(40);
    Value lhs = ta ? smallIntegers(k, m, a) : smallIntegers(m, k, a);
    Value rhs = tb ? smallIntegers(n, k, other) : smallIntegers(k, n, other);
    Value acc = alloc({m, n}, c, Space::fragment);
    fill(acc);
    int64_t repeats = pick(1, 2);
    for (int64_t i = 0; i < repeats; ++i) {
      Value clear;
      if (chance(40))
        clear = chance(50) ? arith::ConstantOp::create(b, b.getBoolAttr(true)).getResult() : someCondition();
      GemmOp::create(b, lhs, rhs, acc, clear, ta, tb);
    }
    buffers.push_back(acc);
  }

  void atomics() {
    Value counters = globals.back();
    Type element = tileInfo(counters).element;
    AtomicOp::create(b, AtomicKind::add, constant(scalarType(element)), counters, ValueRange{index(pick(-1, 4))});
  }

  void loop(int depth) {
    bool pipelined = chance(40);
    bool down = !pipelined && chance(15);
    Value lower = index(down ? pick(0, 3) : pick(0, 1)), upper = index(down ? -1 : pick(1, 4)),
          step = index(down ? -1 : pick(1, 2));
    auto op = ForOp::create(b, pipelined ? LoopKind::pipelined : LoopKind::serial, lower, upper, step);
    if (pipelined) op.setStages(pick(0, 4));
    inBody(op.getBody(), op.getInductionVar(), depth, true);
  }

  void branch(int depth) {
    auto op = IfOp::create(b, someCondition(), chance(50));
    inBody(op.getThenBody(), {}, depth, false);
    if (!op.getElseBody().empty()) inBody(op.getElseBody(), {}, depth, false);
  }

  /// `n = 0; while (n < limit) { ...; n = n + 1; }`
  void whileLoop(int depth) {
    auto type =
        MemRefType::get({}, b.getI32Type(), MemRefLayoutAttrInterface(), SpaceAttr::get(b.getContext(), Space::var));
    Value counter = AllocOp::create(b, type, b.getStringAttr("n"), Attribute(), IntegerAttr());
    auto number = [&](int64_t v) {
      return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(v))).getResult();
    };
    StoreOp::create(b, number(0), counter, ValueRange{});
    auto op = WhileOp::create(b);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&op.getBefore().front());
    Value now = LoadOp::create(b, b.getI32Type(), counter, ValueRange{});
    ConditionOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::slt, now, number(pick(0, 3))));
    b.setInsertionPointToStart(&op.getBody().front());
    Value seen = LoadOp::create(b, b.getI32Type(), counter, ValueRange{});
    StoreOp::create(b, arith::AddIOp::create(b, seen, number(1)), counter, ValueRange{});
    Value position = arith::IndexCastOp::create(b, b.getIndexType(), seen);
    scoped(position, [&] { statements(pick(1, 3), depth + 1); });
  }

  void narrowScope(int depth) {
    auto op = ScopeOp::create(b, oneOf({Core::cube, Core::vector}));
    if (op->getParentOfType<ScopeOp>()) return op->erase();
    inBody(op.getBody(), {}, depth, false);
  }

  /// Statements of a nested body; sometimes with a jump out of the loop, under a condition or in the middle.
  void inBody(Region &body, Value position, int depth, bool isLoop) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&body.front());
    scoped(position, [&] {
      statements(pick(1, 3), depth + 1);
      if (!isLoop || !chance(30)) return;
      auto jump = IfOp::create(b, someCondition(), false);
      {
        OpBuilder::InsertionGuard inner(b);
        b.setInsertionPointToStart(&jump.getThenBody().front());
        if (chance(50)) fill(someBuffer());
        if (chance(50))
          BreakOp::create(b);
        else
          ContinueOp::create(b);
      }
      statements(pick(0, 2), depth + 1);
    });
  }
  /// Buffers and indices made inside are not visible outside.
  void scoped(Value position, function_ref<void()> body) {
    size_t keptBuffers = buffers.size(), keptIndices = indices.size();
    if (position) indices.push_back(position);
    body();
    buffers.resize(keptBuffers);
    indices.resize(keptIndices);
  }

  /// Each buffer of the kernel's own body leaves through an output of its own, in the slice of the block.
  void writeOutputs(func::FuncOp function) {
    Value linear = arith::AddIOp::create(b, arith::MulIOp::create(b, block[0], index(grid[1])), block[1]);
    for (Value buffer : buffers) {
      TileInfo info = tileInfo(buffer);
      Value out = addTensor(function, {grid[0] * grid[1], info.shape[0], info.shape[1]},
                            *parseDType(typeName(info.element)), false);
      OpFoldResult zero = b.getIndexAttr(0);
      CopyOp::create(b, buffer, region(out, {OpFoldResult(linear), zero, zero}, {1, info.shape[0], info.shape[1]}),
                     Attribute(), false);
    }
  }

  std::mt19937_64 rng;
  std::shared_ptr<Program::Impl> impl;
  ImplicitLocOpBuilder b;
  std::vector<int64_t> grid;
  std::vector<Argument> arguments;
  SmallVector<Value> globals, buffers, indices; ///< what statements at the current place may use
  Block::BlockArgListType block;
  int nextName = 0;
};

} // namespace

RandomProgram makeRandomProgram(uint64_t seed) { return Generator(seed).run(); }

} // namespace tessera::test
