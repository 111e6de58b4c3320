// tl: runs, compiles and measures tile programs from the command line.
//
// Exit codes: 0 done, 1 an error in the program or its input (or a wrong result with --check), 2 a wrong command line.
#include "core/error.h"
#include "tilelang/tools/tl/commands.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <span>
#include <string_view>

namespace tessera::tool {
namespace {

/// Reads a number that is the whole text and in the type's range.
template <class T> bool read(std::string_view text, T &value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
bool read(std::string_view text, Number &value) {
  if (int64_t whole; read(text, whole)) return value = whole, true;
  if (text.find_first_not_of("+-0123456789") == std::string_view::npos) return false; // an integer beyond 64 bits
  double number;
  return read(text, number) && (value = number, true);
}

/// Reads NAME=NUMBER; the whole text after the sign must be a number.
template <class T>
void addAssignments(CLI::App *command, const std::string &flag, std::map<std::string, T> &values,
                    const std::string &help) {
  command
      ->add_option_function<std::vector<std::string>>(
          flag,
          [&values, flag](const std::vector<std::string> &list) {
            for (const std::string &text : list) {
              size_t sign = text.find('=');
              T value{};
              if (sign == std::string::npos || sign == 0 || !read(std::string_view(text).substr(sign + 1), value))
                throw CLI::ValidationError(flag, fmt::format("'{}' is not NAME=NUMBER of 64 bits", text));
              std::string name = text.substr(0, sign);
              if (!values.emplace(name, value).second)
                throw CLI::ValidationError(flag, fmt::format("'{}' is given twice", name));
            }
          },
          help)
      ->type_name("NAME=NUMBER");
}

void addSubject(CLI::App *command, Options &options, int most) {
  auto *subject = command->add_option("subject", options.subjects, "an example of `tl list`, a .mlir file, or -");
  if (most == 1) subject->expected(1)->required();
  command->add_option("--entry", options.entry, "the function of a file that holds several");
  command->add_option("--target", options.target, "one of `tl devices`")->capture_default_str();
  command->add_option("--chip", options.chip, "a chip of chips/ or a .yaml file, instead of the target's own");
  command->add_option("--threads", options.threads, "most threads of a call; 0 means all")->capture_default_str();
  command->add_flag("--trap", options.trapOutOfBounds, "fail where an element outside of its buffer is accessed");
  command->add_flag("!--no-cache", options.useCache, "compile afresh and keep nothing");
}

void addCallOptions(CLI::App *command, Options &options) {
  addAssignments(command, "--dim", options.sizes, "a run-time size");
  addAssignments(command, "--number", options.numbers, "a scalar argument of a .mlir file (default 1)");
  command
      ->add_option_function<std::string>(
          "--seed",
          [&options](const std::string &text) {
            if (!read(text, options.seed))
              throw CLI::ValidationError("--seed", fmt::format("'{}' is not from 0 to 2^64 - 1", text));
          },
          "of the random inputs")
      ->type_name("NUMBER")
      ->default_str("1");
}

void addTuneOptions(CLI::App *command, Options &options) {
  command->add_option("--budget", options.budget, "seconds after which no further candidate is begun")
      ->check(CLI::Range(0.0, 1e9))
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_option("--samples", options.tuneSamples, "calls of each candidate")->capture_default_str();
  command->add_flag("--list", options.listOnly, "list the candidates with their estimates, measure nothing");
  command->add_flag("--force", options.force, "measure even if there is a result for this machine and these sizes");
}

using Command = std::function<int()>;

void addCommands(CLI::App &app, Options &options, Command &chosen) {
  auto add = [&](const char *name, const char *help, const Command &command) {
    CLI::App *sub = app.add_subcommand(name, help);
    sub->callback([&chosen, command] { chosen = command; });
    return sub;
  };
  add("list", "the registered examples", listExamples);
  CLI::App *devices = add("devices", "this machine and the targets", [&] { return listDevices(options); });
  devices->add_option("--chip", options.chip, "a chip of chips/ or a .yaml file, instead of this machine's own");
  devices->add_flag("--figures", options.figures, "list what is known of the chip, and from where");

  CLI::App *compile = add("compile", "compile, and show a stage", [&] { return compileSubject(options); });
  addSubject(compile, options, 1);
  compile->add_option("--emit", options.emit, "print the program, its LLVM IR or its assembly")
      ->check(CLI::IsMember({"tile", "llvm", "asm"}));
  compile->add_option("--print-after", options.printAfter, "print the program after this pass")->type_name("PASS");
  compile->add_option("-o,--output", options.output, "a file to print to");

  CLI::App *run = add("run", "call once and print checksums of the outputs", [&] { return runSubject(options); });
  addSubject(run, options, 1);
  addCallOptions(run, options);
  run->add_flag("--check", options.check, "compare with double precision (examples) or the interpreter (files)");

  CLI::App *bench = add("bench", "measure; without names, every example", [&] { return benchSubjects(options); });
  addSubject(bench, options, -1);
  addCallOptions(bench, options);
  bench->add_option("--samples", options.samples, "samples of each measurement")->capture_default_str();

  CLI::App *tune = add("tune", "find the parameters of an example that are best on this machine, and keep them",
                       [&] { return tuneSubject(options); });
  addSubject(tune, options, 1);
  addCallOptions(tune, options);
  addTuneOptions(tune, options);
  for (CLI::App *command : {compile, run, bench})
    command->add_flag("!--untuned", options.useTuned, "take an example's usual parameters, whatever has been tuned");
}

/// What to do about a wrong command line. A size without its flag is a common slip.
std::string advice(std::span<char *> words, const CLI::App &app) {
  for (size_t i = 2; i < words.size(); ++i) {
    std::string_view word = words[i], before = words[i - 1];
    if (word.find('=') != std::string_view::npos && !word.starts_with('-') && before != "--dim" && before != "--number")
      return fmt::format("a size is given as --dim {}", word);
  }
  std::string command = app.get_subcommands().empty() ? "" : " " + app.get_subcommands().front()->get_name();
  return fmt::format("tl{} --help lists what there is", command);
}

int runTool(int argc, char **argv) {
  CLI::App app("Tessera's tile programs from the command line", "tl");
  app.require_subcommand(1);
  app.set_version_flag("--version", "tessera " TESSERA_VERSION);
  Options options;
  Command chosen;
  addCommands(app, options, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &help) {
    return app.exit(help);
  } catch (const CLI::ParseError &error) {
    bool unknown = app.get_subcommands().empty() && argc > 1;
    std::string what = unknown ? fmt::format("unknown command '{}'", argv[1]) : error.what();
    fmt::print(stderr, "tl: {}; {}\n", what, advice(std::span(argv, argv + argc), app));
    return 2;
  }
  return chosen();
}

/// What was printed must have arrived: a full disk or a closed file is an error.
void flushOutput() {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
  throw Error(Diagnostic{fmt::format("cannot write to standard output: {}", std::strerror(errno)), {}, ""});
}

} // namespace

} // namespace tessera::tool

int main(int argc, char **argv) {
  std::signal(SIGXFSZ, SIG_IGN); // a limit on file sizes is a write that fails, not the end
  try {
    int code = tessera::tool::runTool(argc, argv);
    tessera::tool::flushOutput();
    return code;
  } catch (const tessera::Error &error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const std::bad_alloc &) {
    fmt::print(stderr, "error: not enough memory\n");
  } catch (const std::exception &error) {
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return 1;
}
