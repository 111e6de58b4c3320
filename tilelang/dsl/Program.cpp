// Parsing and printing of programs.
#include "tilelang/dsl/ProgramImpl.h"
#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/Register.h"
#include "tilelang/ir/Tile.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace tessera {
namespace {

mlir::DialectRegistry &tileRegistry() {
  static mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry r;
    tile::registerDialects(r);
    return r;
  }();
  return registry;
}

/// The function called `entry`, or the only one.
mlir::func::FuncOp findEntry(mlir::ModuleOp module, std::string_view fileName, std::string_view entry) {
  llvm::SmallVector<mlir::func::FuncOp> functions(module.getOps<mlir::func::FuncOp>());
  std::string known;
  for (mlir::func::FuncOp f : functions) {
    if (f.getName() == llvm::StringRef(entry)) return f;
    known += (known.empty() ? "" : ", ") + f.getName().str();
  }
  SourceLine where(std::string(fileName), 1);
  if (functions.empty()) throw Error({"the program holds no function", where, "write a func.func with a tile.kernel"});
  if (!entry.empty()) throw Error({fmt::format("no function is named '{}'", entry), where, "functions are " + known});
  if (functions.size() > 1)
    throw Error({fmt::format("the program holds {} functions", functions.size()), where, "name one of " + known});
  return functions.front();
}

/// The parser of MLIR descends once for each bracket, and once for each minus sign in a row: deeper text would exhaust
/// the stack.
constexpr int kMaxNesting = 256;

void requireShallow(std::string_view text, std::string_view fileName) {
  int depth = 0, signs = 0, line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') // a string ends on its line
      while (++i < text.size() && text[i] != '"' && text[i] != '\n') i += text[i] == '\\';
    else if (text.substr(i, 2) == "//")
      i = std::min(text.find('\n', i), text.size());
    else if (c == '-' && text.substr(i, 2) == "->")
      ++i;
    else if (c == '-')
      ++signs;
    else if (!std::isspace(static_cast<unsigned char>(c)))
      signs = 0;
    if (c == '\0') // the parser would take it for a blank
      throw Error({"the text holds a null character", {std::string(fileName), line}, "give a text file"});
    if (i < text.size() && text[i] == '\n') ++line;
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '}' || c == '>') depth = std::max(depth - 1, 0);
    if (depth > kMaxNesting || signs > kMaxNesting)
      throw Error({fmt::format("the text is nested more than {} deep", kMaxNesting),
                   {std::string(fileName), line},
                   "close brackets before more are opened"});
  }
}

} // namespace

Program::Impl::Impl() : context(tileRegistry(), mlir::MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
}

Program Program::parse(std::string_view text, std::string_view fileName, std::string_view entry) {
  requireShallow(text, fileName);
  auto impl = std::make_shared<Impl>();
  DiagnosticCollector collector(&impl->context);
  mlir::ParserConfig config(&impl->context);
  std::string terminated(text); // the lexer reads on to a null character
  impl->module = mlir::parseSourceString<mlir::ModuleOp>(terminated, config, llvm::StringRef(fileName));
  if (!impl->module) collector.throwErrors("the text is not a tile program");
  impl->function = findEntry(*impl->module, fileName, entry);
  return Program(std::move(impl));
}

std::string Program::name() const { return shared->function.getName().str(); }

std::string Program::text() const {
  std::lock_guard guard(shared->mutex);
  std::string out;
  llvm::raw_string_ostream os(out);
  mlir::OpPrintingFlags flags;
  shared->module->print(os, flags);
  return out;
}

} // namespace tessera
