#include "export/selection.h"

#include <algorithm>

#include "base/hash.h"
#include "export/site_blocks.h"
#include "url/url.h"

namespace bowerbird {

namespace {

bool is_in_domain(std::string_view host, std::string_view domain) {
  return host == domain || (host.size() > domain.size() && host.ends_with(domain) &&
                            host[host.size() - domain.size() - 1] == '.');
}

// A 304 confirms a page. A revisit without a response has the status of its original.
bool has_status(const Capture& capture, unsigned status) {
  return capture.status == status || (capture.revisit && (capture.status == 304 || capture.status == 0));
}

bool is_selected(const Capture& capture, DocumentKind kind, const Selection& selection) {
  const bool wanted = kind == DocumentKind::kNone || (selection.kinds & kind_bit(kind)) != 0;
  return wanted && has_status(capture, selection.status) &&
         (!selection.since_us || capture.time_us >= *selection.since_us) &&
         (!selection.until_us || capture.time_us < *selection.until_us) && selection.selects(capture.url);
}

}  // namespace

// Without "sha1:", which only some sources write.
std::uint64_t digest_hash(std::string_view digest) {
  digest.remove_prefix(digest.find(':') + 1);
  return digest.empty() ? 0 : hash64(digest);
}

std::optional<ListedRecord> listed_record(const Capture& capture, const Selection& selection,
                                          ListCounts& counts) {
  const DocumentKind kind = document_kind(capture.mime);
  Url url;
  const bool has_url = parse_url(capture.url, nullptr, url) == UrlFault::kNone;
  const bool robots = kind == DocumentKind::kText && has_url && url.path() == "/robots.txt";
  if ((kind == DocumentKind::kNone && !capture.revisit) || robots || capture.requisite ||
      capture.prerequisite) {
    ++counts.other_types;
    return std::nullopt;
  }
  if (!is_selected(capture, kind, selection)) {
    ++counts.not_selected;
    return std::nullopt;
  }
  ListedRecord record;
  record.url_hash = hash64(capture.url);
  record.site = has_url ? site_of(url) : 0;
  record.time_us = capture.time_us;
  record.digest_hash = digest_hash(capture.digest);
  record.offset = record.payload_offset = capture.offset;
  record.file = record.payload_file = static_cast<std::uint32_t>(capture.file);
  record.revisit = capture.revisit;
  record.kind = kind;
  return record;
}

bool Selection::selects(std::string_view url) const {
  const auto found = [&](const UrlPattern& pattern) { return pattern.found_in(url); };
  if (!include.empty() && std::none_of(include.begin(), include.end(), found)) return false;
  if (std::any_of(exclude.begin(), exclude.end(), found)) return false;
  if (hosts.empty()) return true;
  Url parsed;
  if (parse_url(url, nullptr, parsed) != UrlFault::kNone) return false;
  return std::any_of(hosts.begin(), hosts.end(),
                     [&](const std::string& host) { return is_in_domain(parsed.hostname(), host); });
}

}  // namespace bowerbird
