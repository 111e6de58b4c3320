// From a module of the LLVM dialect to machine code, and from an object file to a function that can be called.
#pragma once

#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/cpu/runtime/runtime.h"

#include <memory>
#include <string>
#include <string_view>

namespace mlir {
class ModuleOp;
}

namespace tessera::cpu {

/// The name of the one function that a module exports.
constexpr std::string_view kEntryName = "tsr_entry";

/// LLVM IR as text, optimised for the machine; an object file; assembly. The module is not changed, and its context
/// must not be used by another thread meanwhile. Throws Error if the module cannot be translated.
std::string emitLlvm(mlir::ModuleOp module, const CpuIsa &isa);
std::string emitObject(mlir::ModuleOp module, const CpuIsa &isa);
std::string emitAssembly(mlir::ModuleOp module, const CpuIsa &isa);

/// An object in memory, ready to run. Destruction removes the code, which must not be running then.
class LoadedObject {
public:
  LoadedObject(const LoadedObject &) = delete;
  LoadedObject &operator=(const LoadedObject &) = delete;
  virtual ~LoadedObject() = default;
  EntryFunction entry() const { return entryFunction; }

protected:
  explicit LoadedObject(EntryFunction entry) : entryFunction(entry) {}

private:
  EntryFunction entryFunction;
};

/// Links an object for this machine with the runtime, the C library and the vector math library, in a session that
/// lasts as long as the process. Many threads may load at once. Throws Error if the object cannot be linked, with the
/// names of symbols that are missing.
std::unique_ptr<LoadedObject> loadObject(std::string_view object);

} // namespace tessera::cpu
