#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/parallel.h"
#include "graph/csr.h"
#include "graph/io/names.h"
#include "graph/io/native.h"
#include "graph/io/native_layout.h"

namespace bowerbird {

namespace {

using native::Kind;

std::string_view kind_name(Kind kind) {
  static constexpr std::array<std::string_view, native::kKinds + 1> kNames = {
      "",           "offsets",           "links",      "weights",           "host runs", "hosts of the runs",
      "host names", "text of the hosts", "page names", "text of the pages",
  };
  return kNames[static_cast<std::uint32_t>(kind)];
}

// Texts between ascending offsets. Wrong offsets give empty texts, never a read outside.
struct Texts {
  std::span<const std::uint64_t> offsets;
  std::string_view text;

  std::string at(std::uint32_t i) const {
    const std::uint64_t begin = offsets[i];
    const std::uint64_t end = offsets[i + 1];
    if (begin > end || end > text.size()) return {};
    return std::string(text.substr(begin, end - begin));
  }
};

class MappedNames final : public PageNames {
 public:
  MappedNames(Texts names, std::shared_ptr<const void> keeper) : names_(names), keeper_(std::move(keeper)) {}
  std::string name(PageId page) const override { return names_.at(page); }

 private:
  Texts names_;
  std::shared_ptr<const void> keeper_;
};

class MappedHosts final : public PageHosts {
 public:
  MappedHosts(PageId pages, HostId hosts, std::span<const PageId> starts, std::span<const HostId> run_hosts,
              Texts names, std::shared_ptr<const void> keeper)
      : pages_(pages),
        hosts_(hosts),
        starts_(starts),
        run_hosts_(run_hosts),
        names_(names),
        keeper_(std::move(keeper)) {
    std::vector<bool> seen(hosts);
    for (const HostId host : run_hosts) {
      contiguous_ = contiguous_ && !seen[host];
      seen[host] = true;
    }
  }

  HostId hosts() const override { return hosts_; }
  HostId host(PageId page) const override { return run_hosts_[run_of(page)]; }
  std::pair<PageId, PageId> run(PageId page) const override {
    const std::size_t r = run_of(page);
    return {starts_[r], r + 1 < starts_.size() ? starts_[r + 1] : pages_};
  }
  bool contiguous() const override { return contiguous_; }
  std::string host_name(HostId host) const override {
    return names_.offsets.empty() ? std::string() : names_.at(host);
  }

 private:
  std::size_t run_of(PageId page) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), page) -
                                    starts_.begin()) -
           1;
  }

  PageId pages_;
  HostId hosts_;
  std::span<const PageId> starts_;
  std::span<const HostId> run_hosts_;
  Texts names_;
  std::shared_ptr<const void> keeper_;
  bool contiguous_ = true;
};

class NativeReader {
 public:
  NativeReader(std::span<const std::uint8_t> bytes, std::shared_ptr<const void> keeper,
               const std::string& name, bool trust, const Progress& progress)
      : bytes_(bytes), keeper_(std::move(keeper)), name_(name), trust_(trust), progress_(progress) {
    CHECK(reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) == 0);
  }

  Result<Web> read() {
    BB_TRY_VOID(read_trailer());
    BB_TRY_VOID(read_table());
    if (!trust_) BB_TRY_VOID(check_sums());
    Web web;
    BB_TRY(web.graph, read_graph());
    BB_TRY(web.names, read_names());
    BB_TRY(web.hosts, read_hosts());
    return web;
  }

 private:
  // The value at `offset`, which must have been checked.
  template <typename T>
  T load(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  Status read_trailer() {
    if (bytes_.size() < sizeof(native::Header) + sizeof(native::Trailer)) {
      return error("{}: {} bytes are too few for a native graph: the file is not complete", name_,
                   bytes_.size());
    }
    const auto header = load<native::Header>(0);
    if (header.magic != native::kMagic) return error("{}: not a native graph", name_);
    if (header.byte_order != native::kByteOrder) {
      return error("{}: written on a machine of the other byte order; convert it there to another format",
                   name_);
    }
    if (header.version != native::kVersion) {
      return error("{}: version {} of the native format; this program knows version {}", name_,
                   header.version, native::kVersion);
    }
    trailer_ = load<native::Trailer>(bytes_.size() - sizeof trailer_);
    if (trailer_.magic != native::kEndMagic) {
      return error("{}: the last bytes are not those of a native graph: the file is not complete", name_);
    }
    if (trailer_.file_size != bytes_.size()) {
      return error("{}: has {} bytes, but was written with {}", name_, bytes_.size(), trailer_.file_size);
    }
    return {};
  }

  Status read_table() {
    const std::uint64_t end = bytes_.size() - sizeof trailer_;
    const std::uint64_t size = std::uint64_t{trailer_.sections} * sizeof(native::Section);
    if (trailer_.sections > native::kKinds || size > end || trailer_.table_offset != end - size) {
      return damaged("the table of sections");
    }
    native::Trailer blank = trailer_;
    blank.crc = 0;
    std::uint32_t crc = crc_of(0, bytes_.subspan(0, sizeof(native::Header)));
    crc = crc_of(crc, bytes_.subspan(trailer_.table_offset, size));
    crc = crc_of(crc, {reinterpret_cast<const std::uint8_t*>(&blank), sizeof blank});
    if (crc != trailer_.crc) return damaged("the header or the table of sections");
    if (trailer_.pages > kMaxPages || trailer_.hosts > trailer_.pages) return damaged("the counts");
    for (std::uint32_t i = 0; i < trailer_.sections; ++i) {
      const auto section = load<native::Section>(trailer_.table_offset + i * sizeof(native::Section));
      const bool known = section.kind >= 1 && section.kind <= native::kKinds;
      if (!known || sections_[section.kind].kind != 0 || section.offset % native::kAlignment != 0 ||
          section.offset > trailer_.table_offset || section.size > trailer_.table_offset - section.offset) {
        return error("{}: entry {} of the table of sections is corrupt", name_, i);
      }
      sections_[section.kind] = section;
    }
    return {};
  }

  // Checks all sections, in blocks over all threads; the checksums of blocks combine to that of the section.
  Status check_sums() {
    constexpr std::uint64_t kBlock = 1 << 24;
    std::uint64_t done = 0;
    for (const native::Section& section : sections_) {
      if (section.kind == 0) continue;
      const auto blocks = static_cast<unsigned>((section.size + kBlock - 1) / kBlock);
      std::vector<std::uint32_t> sums(blocks);
      parallel_ranges(blocks, blocks, default_threads(), [&](unsigned block, std::uint64_t, std::uint64_t) {
        if (blocks == 0) return;
        sums[block] = crc_of(0, block_of(section, block, kBlock));
      });
      std::uint32_t crc = 0;
      for (unsigned block = 0; block < blocks; ++block) {
        crc = static_cast<std::uint32_t>(
            crc32_combine(crc, sums[block], static_cast<z_off_t>(block_of(section, block, kBlock).size())));
      }
      if (crc != section.crc) {
        return error("{}: the {} (bytes {} to {}) are damaged: their checksum is wrong", name_,
                     kind_name(static_cast<Kind>(section.kind)), section.offset,
                     section.offset + section.size);
      }
      done += section.size;
      if (!progress_.tick("checking", done, bytes_.size())) return error("{}: stopped while checking", name_);
    }
    return {};
  }

  std::span<const std::uint8_t> block_of(const native::Section& section, unsigned block,
                                         std::uint64_t size) const {
    const std::uint64_t begin = block * size;
    return bytes_.subspan(section.offset + begin, std::min(size, section.size - begin));
  }

  bool has(Kind kind) const { return sections_[static_cast<std::uint32_t>(kind)].kind != 0; }

  // A section as an array of `count` numbers; an error if it is absent or has another size.
  template <typename T>
  Result<std::span<const T>> array(Kind kind, std::uint64_t count) const {
    const native::Section& section = sections_[static_cast<std::uint32_t>(kind)];
    if (!has(kind)) return error("{}: the {} are missing", name_, kind_name(kind));
    if (section.size % sizeof(T) != 0 || section.size / sizeof(T) != count) {
      return error("{}: the {} have {} bytes, which does not fit the counts", name_, kind_name(kind),
                   section.size);
    }
    return std::span<const T>(reinterpret_cast<const T*>(bytes_.data() + section.offset), count);
  }

  std::uint64_t count_of(Kind kind, std::size_t item) const {
    return sections_[static_cast<std::uint32_t>(kind)].size / item;
  }

  Result<std::unique_ptr<Graph>> read_graph() const {
    BB_TRY(const auto offsets, array<std::uint64_t>(Kind::kOffsets, trailer_.pages + 1));
    BB_TRY(const auto targets, array<PageId>(Kind::kTargets, trailer_.links));
    std::span<const std::uint32_t> weights;
    if (has(Kind::kWeights)) {
      BB_TRY(weights, array<std::uint32_t>(Kind::kWeights, trailer_.links));
    }
    auto graph = std::make_unique<CsrGraph>(offsets, targets, weights, keeper_);
    if (!trust_) {
      const Status valid = graph->validate();
      if (!valid.ok()) return error("{}: {}", name_, valid.error().text);
    }
    return std::unique_ptr<Graph>(std::move(graph));
  }

  Result<Texts> read_texts(Kind offsets_kind, Kind text_kind, std::uint64_t count) const {
    Texts texts;
    BB_TRY(texts.offsets, array<std::uint64_t>(offsets_kind, count + 1));
    BB_TRY(const auto text, array<char>(text_kind, count_of(text_kind, 1)));
    texts.text = {text.data(), text.size()};
    if (!trust_) {
      const bool ascending = std::is_sorted(texts.offsets.begin(), texts.offsets.end());
      if (!ascending || texts.offsets.front() != 0 || texts.offsets.back() != text.size()) {
        return error("{}: the {} do not fit their text", name_, kind_name(offsets_kind));
      }
    }
    return texts;
  }

  Result<std::unique_ptr<PageNames>> read_names() const {
    if (!has(Kind::kPageNameOffsets)) return std::unique_ptr<PageNames>();
    BB_TRY(const Texts texts, read_texts(Kind::kPageNameOffsets, Kind::kPageNames, trailer_.pages));
    return std::unique_ptr<PageNames>(std::make_unique<MappedNames>(texts, keeper_));
  }

  Result<std::unique_ptr<PageHosts>> read_hosts() const {
    const auto pages = static_cast<PageId>(trailer_.pages);
    if ((trailer_.flags & native::kPagesAreHosts) != 0) {
      BB_TRY(std::shared_ptr<const PageNames> names, read_names());
      return std::unique_ptr<PageHosts>(std::make_unique<HostPerPage>(pages, std::move(names)));
    }
    if (!has(Kind::kRunStarts)) return std::unique_ptr<PageHosts>();
    const std::uint64_t runs = count_of(Kind::kRunStarts, sizeof(PageId));
    BB_TRY(const auto starts, array<PageId>(Kind::kRunStarts, runs));
    BB_TRY(const auto run_hosts, array<HostId>(Kind::kRunHosts, runs));
    if ((runs == 0) != (pages == 0)) return damaged("the host runs");
    for (std::uint64_t i = 0; i < runs; ++i) {
      const bool in_order = i == 0 ? starts[0] == 0 : starts[i] > starts[i - 1];
      const bool new_host = i == 0 || run_hosts[i] != run_hosts[i - 1];
      if (!in_order || !new_host || starts[i] >= pages || run_hosts[i] >= trailer_.hosts) {
        return error("{}: run {} of pages on a host is corrupt", name_, i);
      }
    }
    Texts names;
    if (has(Kind::kHostNameOffsets)) {
      BB_TRY(names, read_texts(Kind::kHostNameOffsets, Kind::kHostNames, trailer_.hosts));
    }
    return std::unique_ptr<PageHosts>(std::make_unique<MappedHosts>(
        pages, static_cast<HostId>(trailer_.hosts), starts, run_hosts, names, keeper_));
  }

  static std::uint32_t crc_of(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(crc32_z(crc, bytes.data(), bytes.size()));
  }

  Error damaged(std::string_view what) const { return error("{}: {} is damaged", name_, what); }

  std::span<const std::uint8_t> bytes_;
  std::shared_ptr<const void> keeper_;
  const std::string& name_;
  bool trust_;
  const Progress& progress_;
  native::Trailer trailer_;
  std::array<native::Section, native::kKinds + 1> sections_{};  // by kind
};

}  // namespace

bool is_native(std::string_view head) {
  return head.starts_with(std::string_view(native::kMagic.data(), native::kMagic.size()));
}

Result<Web> view_native(std::span<const std::uint8_t> bytes, std::shared_ptr<const void> keeper,
                        const std::string& name, bool trust, const Progress& progress) {
  return NativeReader(bytes, std::move(keeper), name, trust, progress).read();
}

Result<Web> open_native(const std::string& path, bool trust, const Progress& progress) {
  BB_TRY(const std::shared_ptr<const MappedFile> file, MappedFile::open(path));
  return view_native(file->bytes(), file, path, trust, progress);
}

}  // namespace bowerbird
