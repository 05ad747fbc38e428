#include "graph/io/names.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/units.h"
#include "graph/io/digits.h"
#include "graph/io/format.h"
#include "sys/line_reader.h"
#include "url/host.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLongestName = 1 << 20;
constexpr PageId kNamesPerTick = 1 << 15;
constexpr std::size_t kWriteBuffer = 1 << 16;

// Calls each(line) for as many lines as there are pages; another number of lines is an error.
template <typename Each>
Status for_each_page(InputStream& in, PageId pages, const Progress& progress, Each&& each) {
  LineReader lines(in, kLongestName);
  std::string_view line;
  PageId page = 0;
  for (;; ++page) {
    BB_TRY(const bool more, lines.next(line));
    if (!more || page == pages) break;
    BB_TRY_VOID(each(lines, line));
    if (page % kNamesPerTick == 0 && !progress.tick("reading names", in.position(), in.stored_size())) {
      return error("{}: stopped while reading", in.name());
    }
  }
  if (page < pages) {
    return error("{}: has {} lines, but the graph has {} pages: is it the file of another graph?", in.name(),
                 format_count(page), format_count(pages));
  }
  while (lines.line_number() > pages) {
    skip_blanks(line);
    if (!line.empty()) {
      return error("{}: has more lines than the graph's {} pages: is it the file of another graph?",
                   in.name(), format_count(pages));
    }
    BB_TRY(const bool more, lines.next(line));
    if (!more) break;
  }
  return {};
}

// Gives each page its host number; adjacent pages are mostly on the same host.
template <typename Key>
class HostNumbers {
 public:
  void add(const Key& key) {
    if (host_of_.empty() || key != last_) {
      current_ = ids_.try_emplace(key, static_cast<HostId>(ids_.size())).first->second;
      last_ = key;
    }
    host_of_.push_back(current_);
  }
  const std::vector<HostId>& host_of() const { return host_of_; }
  const std::unordered_map<Key, HostId>& ids() const { return ids_; }

 private:
  std::unordered_map<Key, HostId> ids_;
  std::vector<HostId> host_of_;
  Key last_{};
  HostId current_ = 0;
};

std::unique_ptr<PageHosts> named_hosts(const HostNumbers<std::string>& numbers) {
  std::vector<std::string> names(numbers.ids().size());
  bool any = false;
  for (const auto& [name, id] : numbers.ids()) {
    any = any || !name.empty();
    names[id] = name;
  }
  if (!any) return nullptr;
  return std::make_unique<StoredHosts>(numbers.host_of(), std::move(names));
}

Result<KnownPages> read_host_names(InputStream& in, PageId pages, const Progress& progress) {
  auto names = std::make_shared<StoredNames>();
  BB_TRY_VOID(for_each_page(in, pages, progress, [&](const LineReader&, std::string_view line) -> Status {
    names->add(line.substr(0, line.find('\t')));
    return {};
  }));
  KnownPages known;
  known.names = std::make_unique<SharedNames>(names);
  known.hosts = std::make_unique<HostPerPage>(pages, names);
  return known;
}

bool begins_plainly(std::string_view name) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~'; };
  name = name.substr(0, 4);
  return std::all_of(name.begin(), name.end(), plain);
}

}  // namespace

NamesFile names_file(std::string path) {
  const bool of_hosts = without_compression(path).ends_with(".hosts");
  return NamesFile{std::move(path), of_hosts};
}

std::optional<NamesFile> find_names_file(const std::string& graph_path) {
  const std::string stem = graph_stem(graph_path);
  for (const std::string_view kind : {".urls", ".hosts"}) {
    for (const std::string_view packed : {"", ".gz", ".zst"}) {
      std::string path = fmt::format("{}{}{}", stem, kind, packed);
      if (file_exists(path)) return names_file(std::move(path));
    }
  }
  return std::nullopt;
}

Result<KnownPages> read_names(InputStream& in, bool of_hosts, PageId pages, bool keep_names,
                              const Progress& progress) {
  if (of_hosts) return read_host_names(in, pages, progress);
  auto names = keep_names ? std::make_unique<StoredNames>() : nullptr;
  HostNumbers<std::string> numbers;
  BB_TRY_VOID(for_each_page(in, pages, progress, [&](const LineReader&, std::string_view line) -> Status {
    if (names) names->add(line);
    numbers.add(host_of_url(line));
    return {};
  }));
  KnownPages known;
  known.names = std::move(names);
  known.hosts = named_hosts(numbers);
  return known;
}

Result<std::unique_ptr<PageHosts>> read_host_numbers(InputStream& in, PageId pages,
                                                     const Progress& progress) {
  HostNumbers<std::uint64_t> numbers;
  BB_TRY_VOID(
      for_each_page(in, pages, progress, [&](const LineReader& lines, std::string_view line) -> Status {
        std::string_view rest = line;
        std::uint64_t number = 0;
        skip_blanks(rest);
        const bool good = take_number(rest, number);
        skip_blanks(rest);
        if (!good || !rest.empty()) {
          return error("{}: expected the number of a host, found '{}'", lines.where(), excerpt(line));
        }
        numbers.add(number);
        return {};
      }));
  return std::unique_ptr<PageHosts>(std::make_unique<StoredHosts>(numbers.host_of()));
}

Status write_names(const PageNames& names, PageId pages, ByteSink& out, const Progress& progress) {
  std::string text;
  for (PageId page = 0; page < pages; ++page) {
    const std::string name = names.name(page);
    if (name.find('\n') != std::string::npos || name.ends_with('\r')) {
      return error("the name of page {} has a line break in it, so it cannot be written as a line", page);
    }
    // A reader removes the first byte order mark, and takes some first bytes for a compressed file.
    if (page == 0 && !begins_plainly(name)) text += "\xef\xbb\xbf";
    text += name;
    text += '\n';
    if (text.size() >= kWriteBuffer) {
      BB_TRY_VOID(out.write(text));
      text.clear();
    }
    if (page % kNamesPerTick == 0 && !progress.tick("writing names", page, pages)) {
      return error("stopped while writing names");
    }
  }
  return out.write(text);
}

}  // namespace bowerbird
