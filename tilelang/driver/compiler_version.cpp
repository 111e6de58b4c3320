// The build identifiers that the linker put into this library and those of MLIR and LLVM. One without an identifier
// counts by its file's size and time.
#include "tilelang/driver/compiler_version.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"

#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

namespace tessera {
namespace {

struct Search {
  uintptr_t address;
  std::string found;
};

size_t align4(size_t bytes) { return (bytes + 3) / 4 * 4; }

/// The GNU build identifier in a note segment, as hexadecimal digits.
std::string buildIdIn(const char *notes, size_t bytes) {
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes + at, sizeof header);
    const char *name = notes + at + sizeof header, *content = name + align4(header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string text;
      for (unsigned i = 0; i < header.n_descsz; ++i) text += fmt::format("{:02x}", static_cast<uint8_t>(content[i]));
      return text;
    }
    at += sizeof header + align4(header.n_namesz) + align4(header.n_descsz);
  }
  return "";
}

bool holds(const dl_phdr_info &object, uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    uintptr_t start = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= start && address < start + segment.p_memsz) return true;
  }
  return false;
}

std::string fileStamp(const char *path) {
  struct stat status{};
  if (stat(*path ? path : "/proc/self/exe", &status) != 0) return "unknown";
  return fmt::format("{}-{}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

int visit(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  if (!holds(*object, search.address)) return 0;
  for (int i = 0; i < object->dlpi_phnum && search.found.empty(); ++i)
    if (const ElfW(Phdr) &segment = object->dlpi_phdr[i]; segment.p_type == PT_NOTE)
      search.found = buildIdIn(reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  if (search.found.empty()) search.found = fileStamp(object->dlpi_name);
  return 1;
}

/// Of the library that an address is in.
template <class T> std::string identify(T address) {
  Search search{reinterpret_cast<uintptr_t>(address), ""};
  dl_iterate_phdr(visit, &search);
  return search.found;
}

} // namespace

const std::string &compilerVersion() {
  static const std::string version = fmt::format("tessera {} mlir {} llvm {}", identify(&compilerVersion),
                                                 identify(&mlir::verify), identify(&LLVMInitializeX86TargetInfo));
  return version;
}

} // namespace tessera
