// The linking half: one session per process; every object has a symbol table of its own over that of the runtime.
#include "tilelang/cpu/Jit.h"

#include "core/error.h"
#include "tilelang/cpu/runtime/call_context.h"

#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/MemoryBuffer.h"

#include <atomic>
#include <fmt/format.h>

namespace tessera::cpu {
namespace {

namespace orc = llvm::orc;

/// Libraries that objects may use, already in the process or found by the loader: vector math, C, compiler support.
constexpr const char *kLibraries[] = {"libsleef.so.3", "libm.so.6", "libc.so.6", "libgcc_s.so.1"};

/// What the session reported while this thread was linking: the cause, where the look-up's own error only says that
/// there was none to be found.
thread_local std::string reported;

template <class T> T require(llvm::Expected<T> value, const char *what) {
  if (!value) throw Error(Diagnostic{fmt::format("{}: {}", what, llvm::toString(value.takeError())), {}, {}});
  return std::move(*value);
}

class Session {
public:
  static Session &get() {
    static auto *session = new Session; // never destroyed: kernels may run until the process ends
    return *session;
  }

  orc::ExecutionSession execution{
      require(orc::SelfExecutorProcessControl::Create(nullptr, std::make_unique<orc::InPlaceTaskDispatcher>()),
              "no just-in-time linking on this system")};
  orc::ObjectLinkingLayer linking{execution};

  orc::JITDylib &newLibrary() {
    auto &library = execution.createBareJITDylib(fmt::format("kernel{}", count++));
    library.addToLinkOrder(runtime);
    return library;
  }

private:
  orc::JITDylib &runtime = execution.createBareJITDylib("runtime");
  std::atomic<uint64_t> count{0};

  Session() {
    execution.setErrorReporter([](llvm::Error error) { reported = llvm::toString(std::move(error)); });
    orc::SymbolMap symbols;
    for (const RuntimeSymbol &symbol : runtimeSymbols())
      symbols[execution.intern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    llvm::cantFail(runtime.define(orc::absoluteSymbols(std::move(symbols))));
    for (const char *name : kLibraries)
      runtime.addGenerator(require(orc::DynamicLibrarySearchGenerator::Load(name, '\0'), "a library is missing"));
  }
};

class SessionObject : public LoadedObject {
public:
  SessionObject(orc::JITDylib &library, EntryFunction entry) : LoadedObject(entry), library(library) {}
  ~SessionObject() override { llvm::consumeError(Session::get().execution.removeJITDylib(library)); }

private:
  orc::JITDylib &library;
};

llvm::Expected<EntryFunction> link(Session &session, orc::JITDylib &library, std::string_view object) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object), "kernel");
  if (llvm::Error error = session.linking.add(library, std::move(buffer))) return error;
  auto found = session.execution.lookup({&library}, llvm::StringRef(kEntryName));
  if (!found) return found.takeError();
  return found->getAddress().toPtr<EntryFunction>();
}

} // namespace

std::unique_ptr<LoadedObject> loadObject(std::string_view object) {
  Session &session = Session::get();
  reported.clear();
  orc::JITDylib &library = session.newLibrary();
  llvm::Expected<EntryFunction> entry = link(session, library, object);
  if (entry) return std::make_unique<SessionObject>(library, *entry);
  llvm::consumeError(session.execution.removeJITDylib(library));
  std::string reason = llvm::toString(entry.takeError());
  throw Error(
      Diagnostic{fmt::format("compiled code cannot be linked: {}", reported.empty() ? reason : reported), {}, {}});
}

} // namespace tessera::cpu
