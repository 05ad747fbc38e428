#include "fleet/batch/message.h"

#include <zstd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "base/varint.h"

namespace bowerbird {

namespace {

constexpr std::uint8_t kLinks = 1, kMove = 2, kLinksAndRequisites = 3;
// Before compression. A message within this limit takes at most a few times as much memory when it is read.
constexpr std::size_t kLargest = std::size_t{8} << 20;
constexpr std::size_t kShortestUrl = 8;  // "http://a"
constexpr double kMostScore = 1e15;      // absolute value, so that orderings can calculate with it
constexpr double kLongestAnswer = 1e9;   // ms
constexpr Time kLatest{Duration{std::int64_t{1} << 50}};
constexpr std::uint64_t kMostEpochs = std::uint64_t{1} << 62;

void put_double(std::string& out, double value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof bytes);
}

double get_double(VarintReader& in) {
  const std::string_view bytes = in.get_bytes(sizeof(double));
  double value = 0;
  if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  if (std::isnan(value)) in.reject();
  return value;
}

Score get_score(VarintReader& in) {
  return std::clamp(get_double(in), -kMostScore, kMostScore);
}

void put_url(std::string& out, const SentUrl& url) {
  put_string(out, url.url);
  out += static_cast<char>(url.depth);
  out += static_cast<char>((url.hops > 0 ? 1 : 0) | (url.tries > 0 ? 2 : 0) | (url.sitemap ? 4 : 0) |
                           (url.again ? 8 : 0));
  if (url.hops > 0) out += static_cast<char>(url.hops);
  if (url.tries > 0) out += static_cast<char>(url.tries);
}

SentUrl get_url(VarintReader& in) {
  SentUrl url;
  url.url = in.get_string();
  if (url.url.size() < kShortestUrl) in.reject();
  url.depth = in.get_byte();
  const std::uint8_t more = in.get_byte();
  if ((more & 1) != 0) url.hops = in.get_byte();
  if ((more & 2) != 0) url.tries = in.get_byte();
  url.sitemap = (more & 4) != 0;
  url.again = (more & 8) != 0;
  return url;
}

void put_visit(std::string& out, const Visit& visit) {
  put_double(out, visit.score);
  put_varint(out, visit.discovered);
  put_varint(out, visit.links);
  put_varint(out, visit.other_host);
  put_varint(out, visit.crawled);
  put_varint(out, visit.known);
}

Visit get_visit(VarintReader& in) {
  Visit visit;
  visit.page = kNoPage;
  visit.score = get_score(in);
  visit.discovered = static_cast<std::uint32_t>(in.get_at_most(0xffffffffu));
  visit.links = static_cast<std::uint32_t>(in.get_at_most(0xffffffffu));
  visit.other_host = static_cast<std::uint32_t>(in.get_at_most(visit.links));
  visit.crawled = in.get();
  visit.known = in.get_at_most(kMaxPages);
  if (visit.crawled == 0 || visit.crawled > visit.known) in.reject();
  return visit;
}

// At the end of a message, if there are any.
void put_requisites(std::string& out, const std::vector<SentRequisite>& requisites) {
  if (requisites.empty()) return;
  put_varint(out, requisites.size());
  for (const SentRequisite& one : requisites) {
    put_string(out, one.url);
    out += static_cast<char>(one.end);
    if (one.end != 0) continue;
    for (const std::uint8_t number : {one.kind, one.depth, one.frames, one.links})
      out += static_cast<char>(number);
    put_string(out, one.root);
    put_varint(out, one.found);
  }
}

std::vector<SentRequisite> get_requisites(VarintReader& in) {
  std::vector<SentRequisite> requisites;
  if (!in.ok() || in.at_end()) return requisites;
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    SentRequisite one;
    one.url = in.get_string();
    one.end = in.get_byte();
    if (one.end == 0) {
      for (std::uint8_t* const number : {&one.kind, &one.depth, &one.frames, &one.links})
        *number = in.get_byte();
      one.root = in.get_string();
      one.found = in.get_at_most(kMaxPages);
      if (one.root.size() < kShortestUrl) in.reject();
    }
    if (one.url.size() < kShortestUrl) in.reject();
    requisites.push_back(std::move(one));
  }
  return requisites;
}

std::string write(const LinkBatch& message) {
  std::string out;
  put_varint(out, message.urls.size());
  for (const SentUrl& url : message.urls) put_url(out, url);
  put_varint(out, message.groups.size());
  for (const LinkBatch::Group& group : message.groups) {
    put_visit(out, group.visit);
    put_varint(out, group.links.size());
    for (const SentLink& link : group.links) {
      put_varint(out, std::uint64_t{link.url} << 1 | (link.other_host ? 1u : 0u));
    }
  }
  put_requisites(out, message.requisites);
  return out;
}

LinkBatch read_links(VarintReader& in) {
  LinkBatch message;
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    message.urls.push_back(get_url(in));
  }
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    LinkBatch::Group group;
    group.visit = get_visit(in);
    for (std::uint64_t links = in.get_at_most(in.left()); links > 0 && in.ok(); --links) {
      const std::uint64_t link = in.get();
      if (link >> 1 >= message.urls.size()) in.reject();
      group.links.push_back({static_cast<std::uint32_t>(link >> 1), (link & 1) != 0});
    }
    // A page has at least the links listed here.
    if (group.links.empty() || group.visit.links < group.links.size()) in.reject();
    message.groups.push_back(std::move(group));
  }
  message.requisites = get_requisites(in);
  return message;
}

std::string write(const PartitionTransfer& message) {
  std::string out;
  put_varint(out, message.epoch);
  out += static_cast<char>((message.first ? 1 : 0) | (message.last ? 2 : 0));
  put_varint(out, message.pages.size());
  for (const PartitionTransfer::Page& page : message.pages) {
    put_url(out, page.url);
    out += static_cast<char>((page.done ? 1 : 0) | (page.visits.empty() ? 0 : 2));
    if (!page.done) put_double(out, page.score);
    if (!page.visits.empty()) put_string(out, page.visits);
  }
  put_varint(out, message.hosts.size());
  for (const PartitionTransfer::HostNote& host : message.hosts) {
    put_string(out, host.name);
    put_signed(out, milliseconds_of(host.opens));
    put_varint(out, host.failures);
    put_varint(out, host.pages);
    put_double(out, host.answer_ms);
  }
  put_varint(out, message.last_sequences.size());
  for (const auto& [sender, number] : message.last_sequences) {
    put_string(out, sender);
    put_varint(out, number);
  }
  put_requisites(out, message.requisites);
  return out;
}

PartitionTransfer read_move(VarintReader& in) {
  PartitionTransfer message;
  message.epoch = in.get_at_most(kMostEpochs);
  const std::uint8_t flags = in.get_byte();
  message.first = (flags & 1) != 0;
  message.last = (flags & 2) != 0;
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    PartitionTransfer::Page page;
    page.url = get_url(in);
    const std::uint8_t known = in.get_byte();
    page.done = (known & 1) != 0;
    if (!page.done) page.score = get_score(in);
    if ((known & 2) != 0) page.visits = in.get_string();
    message.pages.push_back(std::move(page));
  }
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    PartitionTransfer::HostNote host;
    host.name = in.get_string();
    host.opens = Time{Duration{in.get_signed()}};
    host.failures = static_cast<std::uint32_t>(in.get_at_most(0xffffffffu));
    host.pages = static_cast<std::uint32_t>(in.get_at_most(0xffffffffu));
    const double answer_ms = get_double(in);
    if (host.opens < Time{} || host.opens > kLatest || !(answer_ms >= 0 && answer_ms <= kLongestAnswer))
      in.reject();
    host.answer_ms = static_cast<float>(answer_ms);
    message.hosts.push_back(std::move(host));
  }
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    std::string sender(in.get_string());
    const std::uint64_t number = in.get();
    message.last_sequences.emplace_back(std::move(sender), number);
  }
  message.requisites = get_requisites(in);
  return message;
}

}  // namespace

std::size_t LinkBatch::bytes() const {
  std::size_t sum = 0;
  for (const SentUrl& url : urls) sum += url.bytes();
  for (const Group& group : groups) sum += Group::kBytes + group.links.size() * SentLink::kBytes;
  for (const SentRequisite& one : requisites) sum += one.bytes();
  return sum;
}

std::string pack(const MessageBody& content) {
  const std::string raw = std::visit([](const auto& message) { return write(message); }, content);
  std::string packed(1 + ZSTD_compressBound(raw.size()), '\0');
  const LinkBatch* const links = std::get_if<LinkBatch>(&content);
  packed[0] = static_cast<char>(links == nullptr            ? kMove
                                : links->requisites.empty() ? kLinks
                                                            : kLinksAndRequisites);
  const std::size_t size = ZSTD_compress(packed.data() + 1, packed.size() - 1, raw.data(), raw.size(), 3);
  CHECK(ZSTD_isError(size) == 0);
  packed.resize(1 + size);
  return packed;
}

bool is_transfer(std::string_view packed) {
  return !packed.empty() && static_cast<std::uint8_t>(packed[0]) == kMove;
}

bool has_requisites(std::string_view packed) {
  return !packed.empty() && static_cast<std::uint8_t>(packed[0]) == kLinksAndRequisites;
}

Result<MessageBody> unpack(std::string_view packed) {
  const auto damaged = [] { return error("a message between processes is damaged"); };
  if (packed.empty()) return damaged();
  const auto kind = static_cast<std::uint8_t>(packed[0]);
  packed.remove_prefix(1);
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargest) return damaged();
  std::string raw(size, '\0');
  const std::size_t got = ZSTD_decompress(raw.data(), raw.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) != 0 || got != size) return damaged();
  VarintReader in(raw);
  MessageBody content;
  if (kind == kLinks || kind == kLinksAndRequisites) {
    LinkBatch links = read_links(in);
    if ((kind == kLinksAndRequisites) == links.requisites.empty()) in.reject();
    content = std::move(links);
  } else if (kind == kMove) {
    content = read_move(in);
  } else {
    return damaged();
  }
  if (!in.ok() || !in.at_end()) return damaged();
  return content;
}

void put_message(std::string& out, const Message& message) {
  put_string(out, message.id.sender);
  put_varint(out, message.id.partition);
  put_varint(out, message.id.number);
  put_string(out, *message.content);
}

Message get_message(VarintReader& in) {
  Message message;
  message.id.sender = in.get_string();
  message.id.partition = static_cast<std::uint32_t>(in.get_at_most(0xffffffffu));
  message.id.number = in.get();
  message.content = std::make_shared<const std::string>(in.get_string());
  return message;
}

}  // namespace bowerbird
