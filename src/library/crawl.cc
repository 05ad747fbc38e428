// Crawl folders of the public interface.
#include <bowerbird/crawl.h>

#include <unordered_map>

#include "fetch/coding.h"
#include "library/library.h"
#include "parse/http_head.h"
#include "parse/sha1.h"
#include "store/crawl_reader.h"
#include "store/warc_reader.h"

namespace bowerbird::v1 {

namespace {

constexpr std::size_t kLargestBody = std::size_t{1} << 28;

std::string hex_of(const Sha1& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const auto byte : digest) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

}  // namespace

struct Crawl::Impl {
  std::unique_ptr<CrawlReader> reader;
  std::unordered_map<std::string, std::uint64_t> originals;  // digest -> number of the capture with the body
  std::uint64_t captures = 0;
  bool indexed = false;

  // Indexes the captures with their own body by digest.
  void index() {
    if (std::exchange(indexed, true)) return;
    std::uint64_t number = 0;
    check_or_throw(reader->for_each_capture([&](const FetchEntry& entry) -> Status {
      if (!entry.revisit) originals.emplace(hex_of(entry.digest), number);
      ++number;
      return {};
    }));
    captures = number;
  }
};

Crawl::Crawl(const std::string& folder) : impl_(std::make_unique<Impl>()) {
  if (!CrawlReader::holds_crawl(folder)) throw Error(folder + ": this is not the folder of a crawl");
  impl_->reader = value_or_throw(CrawlReader::open(folder));
}
Crawl::~Crawl() = default;
Crawl::Crawl(Crawl&&) noexcept = default;
Crawl& Crawl::operator=(Crawl&&) noexcept = default;

std::uint32_t Crawl::pages() const {
  return impl_->reader->pages();
}
std::uint64_t Crawl::crawled() const {
  return impl_->reader->crawled();
}

std::string Crawl::url(std::uint32_t page) const {
  if (page >= pages()) throw Error("there is no page " + std::to_string(page));
  return value_or_throw(impl_->reader->url(page));
}

std::uint64_t Crawl::captures() const {
  impl_->index();
  return impl_->captures;
}

std::optional<CrawlVisit> Crawl::visit(std::uint64_t number) const {
  if (number >= captures()) throw Error("there is no capture " + std::to_string(number));
  const FetchEntry entry = value_or_throw(impl_->reader->capture(number));
  if (entry.page == kNoPage) return std::nullopt;
  CrawlVisit one;
  one.page = entry.page;
  one.url = value_or_throw(impl_->reader->url(entry.page));
  one.time_us = entry.time_us;
  one.status = entry.status;
  one.mime = entry.mime;
  one.title = entry.title;
  one.revisit = entry.revisit;
  one.digest = hex_of(entry.digest);
  one.number = number;
  return one;
}

void Crawl::for_each_visit(const std::function<bool(const CrawlVisit&)>& visit) const {
  for (std::uint64_t number = 0; number < captures(); ++number) {
    const auto one = this->visit(number);
    if (one && !visit(*one)) return;
  }
}

void Crawl::for_each_links(const std::function<bool(const CrawlLinks&)>& visit) const {
  bool more = true;
  check_or_throw(impl_->reader->for_each_links([&](const PageLinks& row) -> Status {
    if (!more) return {};
    CrawlLinks one;
    one.page = row.page;
    for (const StoredLink& link : row.links) {
      one.targets.push_back(link.page);
      one.followed.push_back((link.flags & kLinkNotFollowed) == 0);
    }
    more = visit(one);
    return {};
  }));
}

std::string Crawl::body(const CrawlVisit& visit) const {
  std::uint64_t number = visit.number;
  if (visit.revisit) {
    impl_->index();
    const auto original = impl_->originals.find(visit.digest);
    if (original == impl_->originals.end()) {
      throw Error(visit.url + ": the body is in another archive, to which this visit refers");
    }
    number = original->second;
  }
  const FetchEntry entry = value_or_throw(impl_->reader->capture(number));
  const auto reader = value_or_throw(WarcReader::open(impl_->reader->warc_path(entry), entry.offset));
  if (!value_or_throw(reader->next())) throw Error(visit.url + ": its record in the archive is missing");
  const std::string block = value_or_throw(reader->read_all(kLargestBody));
  const std::size_t end = block.find("\r\n\r\n");
  if (end == std::string::npos)
    throw Error(visit.url + ": its record in the archive is not an HTTP response");
  const std::string_view head = std::string_view(block).substr(0, end + 4);
  const std::string_view body = std::string_view(block).substr(end + 4);
  std::string plain;
  const CodingResult result = decode_body(joined_fields(head, "Content-Encoding"), body, {}, plain);
  return result == CodingResult::kPlain || result == CodingResult::kUnknown ? std::string(body) : plain;
}

}  // namespace bowerbird::v1
