#include "export/selection.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "crawl/judge/body_types.h"
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

class Lister {
 public:
  explicit Lister(const Selection& selection) : selection_(selection) {}

  Status add(const Capture& capture) {
    const std::uint64_t digest = digest_hash(capture.digest);
    const auto file = static_cast<std::uint32_t>(capture.file);
    if (!capture.revisit && digest != 0) payloads_.try_emplace(digest, Payload{capture.offset, file});
    if (!BodyTypes::is_html(capture.mime) && !capture.revisit) {
      ++list_.other_types;
      return {};
    }
    if (!is_selected(capture)) {
      ++list_.not_selected;
      return {};
    }
    list_.records.push_back({hash64(capture.url), capture.time_us, digest, capture.offset, capture.offset,
                             file, file, capture.revisit});
    return {};
  }

  ListedRecords finish() && {
    if (!selection_.all_captures) keep_newest();
    find_payloads();
    if (selection_.duplicates != Duplicates::kKeep) drop_duplicates();
    return std::move(list_);
  }

 private:
  struct Payload {
    std::uint64_t offset = 0;
    std::uint32_t file = 0;
  };

  bool is_selected(const Capture& capture) const {
    return (capture.status == selection_.status || capture.revisit) &&
           (!selection_.since_us || capture.time_us >= *selection_.since_us) &&
           (!selection_.until_us || capture.time_us < *selection_.until_us) &&
           selection_.selects(capture.url);
  }

  void keep_newest() {
    std::unordered_map<std::uint64_t, std::size_t> newest;
    for (std::size_t i = 0; i < list_.records.size(); ++i) {
      const auto [at, added] = newest.try_emplace(list_.records[i].url_hash, i);
      if (!added && list_.records[i].time_us >= list_.records[at->second].time_us) at->second = i;
    }
    std::size_t i = 0;
    list_.older += std::erase_if(
        list_.records, [&](const ListedRecord& record) { return newest.at(record.url_hash) != i++; });
  }

  void find_payloads() {
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

  void drop_duplicates() {
    std::unordered_set<std::uint64_t> seen;
    list_.duplicates += std::erase_if(list_.records, [&](const ListedRecord& record) {
      return record.digest_hash != 0 && !seen.insert(record.digest_hash).second;
    });
  }

  const Selection& selection_;
  ListedRecords list_;
  std::unordered_map<std::uint64_t, Payload> payloads_;  // by digest
};

}  // namespace

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
  Lister lister(selection);
  BB_TRY_VOID(source.for_each([&](const Capture& capture) { return lister.add(capture); }, progress));
  return std::move(lister).finish();
}

}  // namespace bowerbird
