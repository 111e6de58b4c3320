// Emits the body of one block (or of the host function) from the tile dialect into arith, scf, memref, vector and llvm.
// One method for each kind of statement, each in the file named after it; they share the state held here.
//
// Inside a parallel loop the same code is emitted for 16 iterations at once: every tile value then maps to `Lanes`, and
// `mask` tells which lanes are alive. Outside, values are scalars and there is no mask.
#pragma once

#include "tilelang/cpu/CpuOptions.h"
#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::cpu {

/// Iterations that are emitted together, whatever the vector length of the machine: results do not depend on it.
constexpr int64_t kLanes = 16;

/// The values of one tile-level scalar in all lanes.
struct Lanes {
  mlir::Value value;    ///< one scalar for all lanes, or a vector<16xT>
  int64_t laneStep = 0; ///< for a scalar of type index: lane l has `value + laneStep * l`

  bool isVector() const { return llvm::isa<mlir::VectorType>(value.getType()); }
  bool isUniform() const { return !isVector() && laneStep == 0; }
};

/// The storage behind a tile: a window onto a memref without memory space whose elements are signless
/// (floating point of at most 8 bits and bool are stored as i8, f16 and bf16 as i16; see PackedElements.h for e2m1 in
/// global tensors).
struct View {
  mlir::Value memref;
  llvm::SmallVector<mlir::Value> offsets; ///< of the window, for each dimension of the memref
  llvm::SmallVector<mlir::Value> sizes;   ///< of the window
  llvm::SmallVector<bool> inside;         ///< dimensions in which the whole window is known to lie inside the memref
  mlir::Type element;                     ///< as declared in the program
  mlir::Value tile;                       ///< the tile value this is the view of

  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  bool isInside() const {
    return llvm::all_of(inside, [](bool b) { return b; });
  }
};

/// Where a launched block finds what it was launched with.
struct BlockArguments {
  mlir::Value slots, arena, context, linearIndex;
  llvm::DenseMap<mlir::Operation *, mlir::Value> workspaces; ///< of copies whose tiles the blocks share
};

/// The common iteration space of two tiles, unit extents dropped: for each of its dimensions the dimension of either.
struct MatchedDims {
  llvm::SmallVector<int64_t> first, second;
};
MatchedDims matchDims(const View &first, const View &second);

struct OperandLayout;

class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location loc, const CpuOptions &options)
      : b(loc, builder), options(options) {}

  mlir::ImplicitLocOpBuilder b; ///< inserts at the current place; carries the location of the current statement
  const CpuOptions &options;
  BlockArguments block;
  mlir::Block *allocaBlock = nullptr; ///< entry block of the function: buffers on the stack are made at its start
  bool orderedAtomics = false;        ///< the launch has floating-point atomics that must run in block order

  // --- Statements -------------------------------------------------------------------------------------------------
  /// Emits the statements of a block in order, without its terminator.
  mlir::LogicalResult emitBody(mlir::Block &body);
  mlir::LogicalResult emit(mlir::Operation *op);

  // --- Values -----------------------------------------------------------------------------------------------------
  void bind(mlir::Value tileValue, Lanes lanes) { values[tileValue] = lanes; }
  Lanes lanes(mlir::Value tileValue);
  /// The value of a uniform tile scalar.
  mlir::Value scalar(mlir::Value tileValue);
  mlir::Value index(int64_t value);
  /// All lanes as a vector<16xT>.
  mlir::Value asVector(Lanes lanes);
  mlir::Value splat(mlir::Value scalar);
  /// A scalar or splat constant of a (vector of) integer, index or float type.
  mlir::Value constantLike(mlir::Type type, double value);

  // --- Buffers ----------------------------------------------------------------------------------------------------
  View view(mlir::Value tile);
  /// Binds a buffer to storage at `pointer` (an llvm.ptr); sizes and strides are values of type i64 for run-time ones.
  void bindBuffer(mlir::Value buffer, mlir::Value pointer, llvm::ArrayRef<mlir::Value> sizes = {},
                  llvm::ArrayRef<mlir::Value> strides = {});
  /// What a buffer is bound to.
  mlir::Value storage(mlir::Value buffer) { return pointers.lookup(buffer); }
  /// A memref of static or run-time shape on a pointer.
  mlir::Value makeMemRef(mlir::Value pointer, mlir::MemRefType type, llvm::ArrayRef<mlir::Value> sizes = {},
                         llvm::ArrayRef<mlir::Value> strides = {});
  /// The whole storage of a buffer of the block, or of the buffer behind a region, as `count` elements of one type.
  mlir::Value flatStorage(mlir::Value tile, mlir::Type type, int64_t count);
  /// `count` elements on the stack of the function, 64-byte aligned.
  mlir::Value stackMemRef(mlir::Type storage, llvm::ArrayRef<int64_t> shape);

  // --- Elements (indices count from the start of the window) --------------------------------------------------------
  /// Loads in the current lanes. With `guard`, elements outside the memref give `pad` (a scalar of the loaded type, or
  /// 0).
  Lanes load(const View &view, llvm::ArrayRef<Lanes> indices, bool guard, mlir::Value pad = {});
  /// With `stream`, whole rows of lanes, which must then be aligned to their size or to cache lines, bypass the caches.
  void store(const View &view, llvm::ArrayRef<Lanes> indices, Lanes value, bool guard, bool stream = false);
  /// Whether the element lies inside the memref: a scalar i1 or vector<16xi1>; null if it always does.
  mlir::Value insideMask(const View &view, llvm::ArrayRef<Lanes> indices);

  // --- Loops ------------------------------------------------------------------------------------------------------
  using BoxBody = llvm::function_ref<mlir::LogicalResult(llvm::ArrayRef<Lanes>)>;
  /// Runs `body` over a box. With `vectorDim` >= 0 that dimension (innermost) advances by 16 lanes, its tail masked.
  mlir::LogicalResult emitBox(llvm::ArrayRef<mlir::Value> extents, int64_t vectorDim, BoxBody body);
  /// Runs `body` for 16 lanes at a time from `lower`, a multiple of 16, to `extent`; lanes of the last time masked.
  mlir::LogicalResult emitLanes(mlir::Value lower, mlir::Value extent,
                                llvm::function_ref<mlir::LogicalResult(Lanes)> body);
  /// Plain counted loop over [lower, upper).
  mlir::LogicalResult emitFor(mlir::Value lower, mlir::Value upper, mlir::Value step,
                              llvm::function_ref<mlir::LogicalResult(mlir::Value)> body);
  /// `if (condition) body`
  mlir::LogicalResult emitIf(mlir::Value condition, llvm::function_ref<mlir::LogicalResult()> body,
                             llvm::function_ref<mlir::LogicalResult()> otherwise = nullptr);
  void forEachLane(llvm::function_ref<void(mlir::Value lane)> body); ///< over the lanes that are alive

  /// How much of an extent of a window has a place to be written to; all of it where the window begins before its
  /// memref.
  mlir::Value upToEdge(const View &dst, int64_t dim, mlir::Value extent);
  /// Whether a window that may leave its memref does not: a scalar i1, null if it is known.
  mlir::Value windowInside(const View &view);
  /// Emits `body` for windows that lie inside their memrefs, and where that is not known, once more with true for
  /// windows that do not.
  mlir::LogicalResult emitGuarded(const View &src, const View &dst,
                                  llvm::function_ref<mlir::LogicalResult(bool guard)> body);

  /// Called with what a store stores, in front of it.
  llvm::DenseMap<mlir::Operation *, std::vector<std::function<void(Lanes)>>> storeHooks;
  mlir::Value mask;                           ///< vector<16xi1> of live lanes, or null: all
  bool trapsOutside = false;                  ///< an element access outside its memref is to fail the call
  bool inLanes = false;                       ///< code is being emitted for 16 lanes
  llvm::DenseSet<mlir::Operation *> proven;   ///< accesses whose bounds were checked before the loop
  llvm::DenseSet<mlir::Operation *> streamed; ///< stores that bypass the caches; see StreamingStores.h

  // --- Pieces in files of their own -------------------------------------------------------------------------------
  /// One pointwise scalar operation (arith, math, tile.cast, ...) on scalars or on vectors<16>. See EmitPointwise.cpp.
  mlir::FailureOr<mlir::Value> emitPointwise(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);
  /// `tile.cast`: converts a scalar or a vector of emitted values. Types are those of the program. With `anyNaN` it
  /// does not matter which NaN comes out of a NaN.
  mlir::Value emitCast(mlir::Value value, mlir::Type from, mlir::Type to, std::optional<tile::Rounding> rounding,
                       bool saturate, bool unsignedFrom, bool unsignedTo, bool anyNaN = false);
  /// The conversion that copies and stores make between element types.
  mlir::Value convertElement(mlir::Value value, mlir::Type fromElement, mlir::Type toElement);

  mlir::Value emitRelu(mlir::Value value, mlir::Type element);
  /// What a copy makes of a value loaded at `at`: converted, padded where `guarded` and outside, relu applied.
  mlir::Value convertCopied(tile::CopyOp op, const View &src, const View &dst, llvm::ArrayRef<Lanes> at,
                            mlir::Value loaded, bool guarded);

  /// Calls a function of the runtime.
  mlir::Value callRuntime(llvm::StringRef name, mlir::Type result, mlir::ValueRange operands);
  /// Address of a zero-terminated string constant.
  mlir::Value stringAddress(llvm::StringRef text);

  mlir::LogicalResult emitReduce(tile::ReduceOp op);
  mlir::LogicalResult emitScan(tile::ScanOp op);
  mlir::LogicalResult emitGemm(tile::GemmOp op);

private:
  mlir::LogicalResult emitScalarOp(mlir::Operation *op);
  mlir::LogicalResult emitPair(mlir::Operation *op); ///< one with two results
  mlir::LogicalResult emitAlloc(tile::AllocOp op);
  mlir::LogicalResult emitLoad(tile::LoadOp op);
  mlir::LogicalResult emitStore(tile::StoreOp op);
  mlir::LogicalResult emitAtomic(tile::AtomicOp op);
  mlir::LogicalResult emitAtomicTile(tile::AtomicTileOp op);
  mlir::LogicalResult emitCopy(tile::CopyOp op);
  mlir::LogicalResult emitPackedCopy(tile::CopyOp op, const OperandLayout &layout);
  mlir::LogicalResult emitFill(tile::FillOp op);
  mlir::LogicalResult emitTranspose(tile::TransposeOp op);
  mlir::LogicalResult emitParallel(tile::ParallelOp op);
  mlir::LogicalResult emitForOp(tile::ForOp op);
  mlir::LogicalResult emitWhile(tile::WhileOp op);
  mlir::LogicalResult emitIfOp(tile::IfOp op);
  mlir::LogicalResult emitLoopBody(mlir::Block &body);
  mlir::LogicalResult emitStatements(mlir::Operation *first);
  /// Ends the block with a message and the current line.
  /// Calls a function of the runtime that ends the block, with `what` and the source line.
  void emitFailure(llvm::StringRef function, mlir::ValueRange what);
  mlir::LogicalResult emitAssert(tile::AssertOp op);
  mlir::LogicalResult emitPrintf(tile::PrintfOp op);
  mlir::LogicalResult emitDump(tile::DumpOp op);
  mlir::LogicalResult emitAtomicUpdate(const View &view, llvm::ArrayRef<Lanes> indices, tile::AtomicKind kind,
                                       Lanes value, bool guard, Lanes *old);
  void reportOutside(const View &view, llvm::ArrayRef<mlir::Value> at);

  llvm::DenseMap<mlir::Value, Lanes> values;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers, memrefs;
  llvm::DenseMap<mlir::Value, mlir::Value> privateVars; ///< a var written in the current parallel loop -> its lanes
  mlir::Value breakFlag, skipFlag;                      ///< rank-0 i1 memrefs of the innermost loop, if it has jumps
};

/// The type a scalar of the program has in emitted code: floating point of at most 8 bits is i8.
mlir::Type emittedType(mlir::Type scalar);
/// The type an element is stored with on chip: emittedType, but i8 for bool, and i16 for f16 and bf16, which LLVM would
/// convert through f32 in masked accesses on machines without instructions for them.
mlir::Type storageType(mlir::Type element);
/// `type` or a vector of 16 of it, like `like`.
mlir::Type lanesLike(mlir::Type like, mlir::Type type);
/// A pad value, as a scalar of an element type; null without one.
mlir::Value padValue(Emitter &e, mlir::Attribute attr, mlir::Type element);
/// Bytes the buffer takes in the arena.
int64_t bufferBytes(tile::AllocOp alloc);
/// Whether the last dimension is dense.
bool isContiguous(mlir::MemRefType type);

} // namespace tessera::cpu
