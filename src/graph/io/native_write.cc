#include <zlib.h>

#include <cstring>
#include <vector>

#include "base/units.h"
#include "graph/csr.h"
#include "graph/io/names.h"
#include "graph/io/native.h"
#include "graph/io/native_layout.h"

namespace bowerbird {

namespace {

using native::Kind;

constexpr std::size_t kBuffer = 1 << 16;
constexpr PageId kRowsPerTick = 1 << 15;

template <typename T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::uint32_t crc_of(std::uint32_t crc, std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Appends aligned sections to a sink and records their positions.
class Sections {
 public:
  explicit Sections(ByteSink& out) : out_(out) {}

  Status begin(Kind kind) {
    BB_TRY_VOID(align());
    section_ = {};
    section_.kind = static_cast<std::uint32_t>(kind);
    section_.offset = position_;
    return {};
  }
  Status add(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBuffer) BB_TRY_VOID(flush());
    if (bytes.size() < kBuffer) {
      buffer_.append(bytes);
      return {};
    }
    section_.crc = crc_of(section_.crc, bytes);
    return raw(bytes);
  }
  template <typename T>
  Status add_number(T number) {
    return add(bytes_of(number));
  }
  template <typename T>
  Status add_array(std::span<const T> numbers) {
    return add({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  Status end() {
    BB_TRY_VOID(flush());
    section_.size = position_ - section_.offset;
    table_.push_back(section_);
    return {};
  }

  Status header() { return raw(bytes_of(header_)); }
  // Writes the table, and the trailer that locates it.
  Status trailer(native::Trailer trailer) {
    BB_TRY_VOID(align());
    trailer.table_offset = position_;
    trailer.sections = static_cast<std::uint32_t>(table_.size());
    trailer.file_size = position_ + table_.size() * sizeof(native::Section) + sizeof trailer;
    std::uint32_t crc = crc_of(0, bytes_of(header_));
    for (const native::Section& section : table_) {
      crc = crc_of(crc, bytes_of(section));
      BB_TRY_VOID(raw(bytes_of(section)));
    }
    trailer.crc = crc_of(crc, bytes_of(trailer));
    return raw(bytes_of(trailer));
  }

 private:
  Status raw(std::string_view bytes) {
    position_ += bytes.size();
    return out_.write(bytes);
  }
  Status flush() {
    section_.crc = crc_of(section_.crc, buffer_);
    BB_TRY_VOID(raw(buffer_));
    buffer_.clear();
    return {};
  }
  Status align() {
    static constexpr std::array<char, native::kAlignment> kZeros{};
    const std::uint64_t beyond = position_ % native::kAlignment;
    return beyond == 0 ? Status() : raw({kZeros.data(), native::kAlignment - beyond});
  }

  ByteSink& out_;
  native::Header header_;
  std::uint64_t position_ = 0;
  std::string buffer_;
  native::Section section_;
  std::vector<native::Section> table_;
};

// Visits all pages, with progress; each(page, links) may fail.
template <typename Each>
Status for_each_page(const Graph& graph, std::string_view what, const Progress& progress, Each&& each) {
  Status status;
  graph.scan(0, graph.pages(), [&](PageId page, std::span<const PageId> links) {
    status = each(links);
    if (page % kRowsPerTick == 0 && !progress.tick(what, page, graph.pages())) {
      status = error("stopped while writing");
    }
    return status.ok();
  });
  BB_TRY_VOID(std::move(status));
  return graph.status();
}

Result<std::uint64_t> write_links(const Graph& graph, Sections& sections, const Progress& progress) {
  std::uint64_t links = 0;
  BB_TRY_VOID(sections.begin(Kind::kOffsets));
  BB_TRY_VOID(for_each_page(graph, "counting links", progress, [&](std::span<const PageId> row) {
    const std::uint64_t begin = links;
    links += row.size();
    return sections.add_number(begin);
  }));
  BB_TRY_VOID(sections.add_number(links));
  BB_TRY_VOID(sections.end());
  std::uint64_t written = 0;
  BB_TRY_VOID(sections.begin(Kind::kTargets));
  BB_TRY_VOID(for_each_page(graph, "writing links", progress, [&](std::span<const PageId> row) {
    written += row.size();
    return sections.add_array(row);
  }));
  BB_TRY_VOID(sections.end());
  CHECK(written == links);
  return links;
}

Status write_weights(const Graph& graph, Sections& sections) {
  const auto* csr = dynamic_cast<const CsrGraph*>(&graph);
  if (csr == nullptr || csr->weights().empty()) return {};
  BB_TRY_VOID(sections.begin(Kind::kWeights));
  BB_TRY_VOID(sections.add_array(csr->weights()));
  return sections.end();
}

// Two sections: the offsets of `count` texts, and the texts.
template <typename NameOf>
Status write_texts(std::uint64_t count, Kind offsets, Kind texts, Sections& sections,
                   const Progress& progress, NameOf&& name_of) {
  std::uint64_t position = 0;
  BB_TRY_VOID(sections.begin(offsets));
  for (std::uint64_t i = 0; i < count; ++i) {
    BB_TRY_VOID(sections.add_number(position));
    position += name_of(static_cast<std::uint32_t>(i)).size();
    if (i % kRowsPerTick == 0 && !progress.tick("measuring names", i, count)) {
      return error("stopped while writing");
    }
  }
  BB_TRY_VOID(sections.add_number(position));
  BB_TRY_VOID(sections.end());
  BB_TRY_VOID(sections.begin(texts));
  for (std::uint64_t i = 0; i < count; ++i) {
    BB_TRY_VOID(sections.add(name_of(static_cast<std::uint32_t>(i))));
    if (i % kRowsPerTick == 0 && !progress.tick("writing names", i, count)) {
      return error("stopped while writing");
    }
  }
  return sections.end();
}

template <typename Each>
Status for_each_run(const PageHosts& hosts, PageId pages, Each&& each) {
  for (PageId page = 0; page < pages; page = hosts.run(page).second) BB_TRY_VOID(each(page));
  return {};
}

Status write_hosts(const PageHosts& hosts, PageId pages, Sections& sections, const Progress& progress) {
  if (hosts.hosts() > pages) {
    return error("there are {} hosts for {} pages; the native format has at most a host per page",
                 format_count(hosts.hosts()), format_count(pages));
  }
  BB_TRY_VOID(sections.begin(Kind::kRunStarts));
  BB_TRY_VOID(for_each_run(hosts, pages, [&](PageId page) { return sections.add_number(page); }));
  BB_TRY_VOID(sections.end());
  BB_TRY_VOID(sections.begin(Kind::kRunHosts));
  BB_TRY_VOID(for_each_run(hosts, pages, [&](PageId page) { return sections.add_number(hosts.host(page)); }));
  BB_TRY_VOID(sections.end());
  bool named = false;
  for (HostId host = 0; host < hosts.hosts() && !named; ++host) named = !hosts.host_name(host).empty();
  if (!named) return {};
  return write_texts(hosts.hosts(), Kind::kHostNameOffsets, Kind::kHostNames, sections, progress,
                     [&](HostId host) { return hosts.host_name(host); });
}

}  // namespace

Status write_native(const Web& web, ByteSink& out, const Progress& progress, bool with_names) {
  const bool named = web.names && with_names;
  const PageId pages = web.graph->pages();
  Sections sections(out);
  native::Trailer trailer;
  trailer.pages = pages;
  BB_TRY_VOID(sections.header());
  BB_TRY(trailer.links, write_links(*web.graph, sections, progress));
  BB_TRY_VOID(write_weights(*web.graph, sections));
  if (named && dynamic_cast<const HostPerPage*>(web.hosts.get()) != nullptr) {
    trailer.flags |= native::kPagesAreHosts;
    trailer.hosts = pages;
  } else if (web.hosts) {
    trailer.hosts = web.hosts->hosts();
    BB_TRY_VOID(write_hosts(*web.hosts, pages, sections, progress));
  }
  if (named) {
    BB_TRY_VOID(write_texts(pages, Kind::kPageNameOffsets, Kind::kPageNames, sections, progress,
                            [&](PageId page) { return web.names->name(page); }));
  }
  return sections.trailer(trailer);
}

}  // namespace bowerbird
