// The commands of `tl`. Each returns the exit code and throws Error for what the user got wrong.
#pragma once

#include "tilelang/tools/tl/options.h"

namespace tessera::tool {

int listExamples();
int listDevices(const Options &options);
int compileSubject(const Options &options);
int runSubject(const Options &options);
int benchSubjects(const Options &options);
int tuneSubject(const Options &options);

} // namespace tessera::tool
