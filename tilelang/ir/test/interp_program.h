// Writing small tile programs as text and running them on the reference interpreter.
#pragma once

#include "core/test/expect_error.h"
#include "tilelang/ir/interp/interpret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace tessera {

/// The program with these parameters and this body; `#g #s #f #l #v` are the spaces, %c0 to %c9 the index constants.
inline std::string functionText(const std::string &parameters, const std::string &body) {
  std::string text = "#g = #tile.space<global>\n#s = #tile.space<shared>\n#f = #tile.space<fragment>\n"
                     "#l = #tile.space<local>\n#v = #tile.space<var>\n"
                     "func.func @kernel(" +
                     parameters + ") {\n";
  for (int i = 0; i < 10; ++i)
    text += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index\n";
  return text + body + "\nreturn\n}\n";
}

/// The same with the body inside a grid of one block.
inline std::string kernelText(const std::string &parameters, const std::string &body) {
  return functionText(parameters, "tile.kernel (%bx) in (%c1) {\n" + body + "\n}");
}

/// Runs a program. Each text is parsed once: that takes milliseconds, most runs take none.
inline void runText(const std::string &text, const std::vector<Argument> &arguments,
                    const InterpreterOptions &options = {}) {
  static std::map<std::string, Program> programs;
  auto found = programs.find(text);
  if (found == programs.end()) found = programs.emplace(text, Program::parse(text, "kernel.mlir")).first;
  interpret(found->second, arguments, options);
}

/// All elements in row-major order.
inline std::vector<double> elements(const Tensor &tensor) {
  Tensor flat = tensor.clone().reshape({tensor.numel()});
  std::vector<double> list;
  for (int64_t i = 0; i < flat.numel(); ++i) list.push_back(flat.at({i}));
  return list;
}

/// A tensor of this type with these values.
inline Tensor tensorOf(DType type, const std::vector<double> &values, Tensor::Extents shape = {}) {
  if (shape.empty()) shape = {static_cast<int64_t>(values.size())};
  return Tensor::fromVector(values, shape).to(type);
}

/// The element type as MLIR spells it.
inline std::string mlirType(DType type) {
  switch (type) {
  case DType::boolean: return "i1";
  case DType::u8: return "ui8";
  case DType::u16: return "ui16";
  case DType::u32: return "ui32";
  case DType::u64: return "ui64";
  case DType::e4m3: return "f8E4M3FN";
  case DType::e5m2: return "f8E5M2";
  case DType::e8m0: return "f8E8M0FNU";
  case DType::e2m1: return "f4E2M1FN";
  default: return std::string(name(type));
  }
}

/// The scalar type of elements of this type.
inline std::string scalarType(DType type) {
  std::string text = mlirType(type);
  return text[0] == 'u' ? text.substr(1) : text;
}

/// The value of %r after `code`, whose operands %a, %b, %c are loaded from tensors of one type.
inline double evaluate(const std::string &code, DType from, const std::vector<double> &operands, DType to) {
  std::string parameters = "%out: memref<1x" + mlirType(to) + ", #g>", loads;
  Tensor out = tensorOf(to, {0});
  std::vector<Argument> arguments{out};
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string letter(1, static_cast<char>('a' + i)), memref = "memref<1x" + mlirType(from) + ", #g>";
    parameters += ", %in_" + letter + ": " + memref;
    loads += "%" + letter + " = tile.load %in_" + letter + "[%c0] : " + memref + " -> " + scalarType(from) + "\n";
    arguments.emplace_back(tensorOf(from, {operands[i]}));
  }
  std::string store = "\ntile.store %r, %out[%c0] : " + scalarType(to) + ", memref<1x" + mlirType(to) + ", #g>";
  runText(kernelText(parameters, loads + code + store), arguments);
  return out.at({0});
}

} // namespace tessera
