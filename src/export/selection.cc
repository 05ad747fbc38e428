#include "export/selection.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "export/site_blocks.h"
#include "url/url.h"

namespace bowerbird {

namespace {

bool is_in_domain(std::string_view host, std::string_view domain) {
  return host == domain || (host.size() > domain.size() && host.ends_with(domain) &&
                            host[host.size() - domain.size() - 1] == '.');
}

// Without "sha1:", which only some sources write.
std::uint64_t digest_hash(std::string_view digest) {
  digest.remove_prefix(digest.find(':') + 1);
  return digest.empty() ? 0 : hash64(digest);
}

}  // namespace

Status RecordLister::add(const Capture& capture) {
  const std::uint64_t digest = digest_hash(capture.digest);
  const auto file = static_cast<std::uint32_t>(capture.file);
  if (!capture.revisit && digest != 0) payloads_.try_emplace(digest, Payload{capture.offset, file});
  const DocumentKind kind = document_kind(capture.mime);
  Url url;
  const bool has_url = parse_url(capture.url, nullptr, url) == UrlFault::kNone;
  const bool robots = kind == DocumentKind::kText && has_url && url.path() == "/robots.txt";
  if ((kind == DocumentKind::kNone && !capture.revisit) || robots) {
    ++list_.other_types;
    return {};
  }
  if (!is_selected(capture, kind)) {
    ++list_.not_selected;
    return {};
  }
  ListedRecord record;
  record.url_hash = hash64(capture.url);
  record.site = has_url ? site_of(url) : 0;
  record.time_us = capture.time_us;
  record.digest_hash = digest;
  record.offset = record.payload_offset = capture.offset;
  record.file = record.payload_file = file;
  record.revisit = capture.revisit;
  record.kind = kind;
  list_.records.push_back(record);
  return {};
}

ListedRecords RecordLister::take() {
  if (!all_captures_) keep_newest();
  find_payloads();
  if (selection_.duplicates != Duplicates::kKeep) drop_duplicates();
  return std::exchange(list_, {});
}

bool RecordLister::is_selected(const Capture& capture, DocumentKind kind) const {
  const bool wanted = kind == DocumentKind::kNone || (selection_.kinds & kind_bit(kind)) != 0;
  return wanted && (capture.status == selection_.status || capture.revisit) &&
         (!selection_.since_us || capture.time_us >= *selection_.since_us) &&
         (!selection_.until_us || capture.time_us < *selection_.until_us) && selection_.selects(capture.url);
}

void RecordLister::keep_newest() {
  std::unordered_map<std::uint64_t, std::size_t> newest;
  for (std::size_t i = 0; i < list_.records.size(); ++i) {
    const auto [at, added] = newest.try_emplace(list_.records[i].url_hash, i);
    if (!added && list_.records[i].time_us >= list_.records[at->second].time_us) at->second = i;
  }
  std::size_t i = 0;
  list_.older += std::erase_if(list_.records,
                               [&](const ListedRecord& record) { return newest.at(record.url_hash) != i++; });
}

void RecordLister::find_payloads() {
  for (ListedRecord& record : list_.records) {
    if (!record.revisit) continue;
    const auto found = payloads_.find(record.digest_hash);
    if (found == payloads_.end()) continue;
    record.payload_offset = found->second.offset;
    record.payload_file = found->second.file;
    record.revisit = false;
  }
  list_.missing_payloads +=
      std::erase_if(list_.records, [](const ListedRecord& record) { return record.revisit; });
}

void RecordLister::drop_duplicates() {
  list_.duplicates += std::erase_if(list_.records, [&](const ListedRecord& record) {
    return record.digest_hash != 0 && !seen_.insert(record.digest_hash).second;
  });
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

Result<ListedRecords> list_records(CaptureSource& source, const Selection& selection,
                                   const Progress& progress) {
  RecordLister lister(selection, selection.all_captures);
  BB_TRY_VOID(source.for_each([&](const Capture& capture) { return lister.add(capture); }, progress));
  return lister.take();
}

}  // namespace bowerbird
