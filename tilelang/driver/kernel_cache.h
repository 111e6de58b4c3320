// Loaded code by content, over the disk cache.
#pragma once

#include "core/function_ref.h"
#include "core/hash.h"
#include "tilelang/cpu/Jit.h"

#include <memory>
#include <string>

namespace tessera {

using LoadedCode = std::shared_ptr<const cpu::LoadedObject>;

/// The loaded code of `key`: kept in memory, or loaded from the directory, or from what `build` gives, which is then
/// kept in both. An empty directory means the default one. Callers with the same key wait for the first.
LoadedCode findOrBuildCode(const Hash128 &key, const std::string &directory, FunctionRef<std::string()> build);

/// Builds and loads without any cache.
LoadedCode buildCode(FunctionRef<std::string()> build);

} // namespace tessera
