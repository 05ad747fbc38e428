// Names are the lines of their file, and hosts are the same whether counted by name or by number.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "graph/io/names.h"
#include "sys/sink.h"

using namespace bowerbird;

namespace {

Result<KnownPages> parse(std::string_view text, PageId pages, bool of_hosts) {
  const auto in = InputStream::from_memory(text, "X");
  return read_names(*in, of_hosts, pages, true);
}

std::string numbers_of(const PageHosts& hosts, PageId pages) {
  std::string text;
  for (PageId page = 0; page < pages; ++page) text += std::to_string(hosts.host(page) * 7 + 3) + "\n";
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto pages = static_cast<PageId>(std::count(text.begin(), text.end(), '\n'));
  (void)parse(text, pages, true).ok();
  const auto known = parse(text, pages, false);
  if (!known.ok()) return 0;
  StringSink sink;
  if (!write_names(*known->names, pages, sink).ok()) return 0;
  const auto again = parse(sink.text(), pages, false);
  CHECK(again.ok());
  for (PageId page = 0; page < pages; ++page) CHECK(known->names->name(page) == again->names->name(page));
  CHECK((known->hosts == nullptr) == (again->hosts == nullptr));
  if (!known->hosts) return 0;
  const std::string numbers = numbers_of(*known->hosts, pages);
  const auto in = InputStream::from_memory(numbers, "Y");
  const auto hosts = read_host_numbers(*in, pages);
  CHECK(hosts.ok());
  CHECK((*hosts)->hosts() == known->hosts->hosts());
  CHECK((*hosts)->contiguous() == known->hosts->contiguous());
  for (PageId page = 0; page < pages; ++page) {
    CHECK((*hosts)->host(page) == known->hosts->host(page));
    CHECK((*hosts)->run(page) == known->hosts->run(page));
    CHECK(known->hosts->host(page) == again->hosts->host(page));
  }
  return 0;
}
