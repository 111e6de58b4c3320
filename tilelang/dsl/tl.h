// The tile language: include this, write `using namespace tessera::tl`, and see docs/language.md.
#pragma once

#include "core/error.h"
#include "tilelang/dsl/buffer.h"
#include "tilelang/dsl/control.h"
#include "tilelang/dsl/expr.h"
#include "tilelang/dsl/loops.h"
#include "tilelang/dsl/math.h"
#include "tilelang/dsl/ops.h"
#include "tilelang/dsl/program_builder.h"
#include "tilelang/dsl/sync.h"
