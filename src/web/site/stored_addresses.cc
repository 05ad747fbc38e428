#include "web/site/stored_addresses.h"

#include <fmt/format.h>

#include <bit>

#include "base/hash.h"
#include "url/canonical.h"
#include "web/site/numbered_addresses.h"

namespace bowerbird {

namespace {

// The URL under which a page with this name is served, in canonical form, so that it is what a crawler
// requests: empty if there is none.
void served_name(std::string_view name, bool https, Url& url, std::string& out) {
  out.clear();
  const bool whole = name.find("://") != name.npos;
  const UrlFault fault =
      whole ? canonical_url(name, nullptr, url) : canonical_url(fmt::format("http://{}", name), nullptr, url);
  if (fault != UrlFault::kNone || is_this_machine(url.host())) return;
  // Not possible in a request line or in our own pages.
  if (url.host().front() == '[' || url.target().find('\\') != std::string_view::npos) return;
  out.append(https && url.https() ? "https://" : "http://").append(url.host()).append(url.target());
}

}  // namespace

StoredAddresses::StoredAddresses(const Web& web, const AddressOptions& options)
    : web_(web), https_(options.https), pages_(web.graph->pages()) {
  table_.assign(std::bit_ceil(std::uint64_t{pages_} + pages_ / 2 + 2), kNoPage);
}

Result<std::unique_ptr<Addresses>> StoredAddresses::make(const Web& web, const AddressOptions& options,
                                                         const Progress& progress) {
  std::unique_ptr<StoredAddresses> addresses(new StoredAddresses(web, options));
  BB_TRY_VOID(addresses->read_names(progress));
  return std::unique_ptr<Addresses>(std::move(addresses));
}

Status StoredAddresses::read_names(const Progress& progress) {
  constexpr PageId kTick = 1 << 16;
  PageUrl url;
  for (PageId page = 0; page < pages_; ++page) {
    if (page % kTick == 0 && !progress.tick("names", page, pages_))
      return error("stopped while reading names");
    add_page(page, url);
  }
  if (scattered_) list_hosts();
  return {};
}

void StoredAddresses::add_page(PageId page, PageUrl& url) {
  const std::string name = web_.names->name(page);
  std::string served;
  Url canonical;
  served_name(name, https_, canonical, served);
  std::size_t slot = served.empty() ? 0 : slot_of(served, url);
  if (served.empty() || table_[slot] != kNoPage) {
    const HostId host = web_.hosts != nullptr ? web_.hosts->host(page) : 0;
    served.clear();
    append_numbered_url(https_, host, page, served);
    // Another page may have this name; a longer one is free.
    while (table_[slot = slot_of(served, url)] != kNoPage) served += "-";
  }
  if (served != name) renamed_.emplace(page, served);
  table_[slot] = page;
  url.text = std::move(served);
  url.split();
  count_host(page, url.authority());
}

void StoredAddresses::count_host(PageId page, std::string_view authority) {
  const auto [found, added] = host_numbers_.try_emplace(std::string(authority), hosts());
  if (added) {
    host_names_.emplace_back(authority);
    host_pages_.push_back({0, page, nullptr});
  }
  HostPages& pages = host_pages_[found->second];
  scattered_ |= pages.first + pages.count != page;
  ++pages.count;
}

void StoredAddresses::list_hosts() {
  list_.resize(pages_);
  std::vector<std::uint64_t> at;
  std::uint64_t begin = 0;
  for (HostPages& host : host_pages_) {
    at.push_back(begin);
    host.list = list_.data() + begin;
    begin += host.count;
  }
  PageUrl url;
  for (PageId page = 0; page < pages_; ++page) {
    url_of(page, url);
    list_[at[host_named(url.authority())]++] = page;
  }
}

std::size_t StoredAddresses::slot_of(std::string_view url, PageUrl& scratch) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t slot = hash64(url) & mask;; slot = (slot + 1) & mask) {
    if (table_[slot] == kNoPage) return slot;
    url_of(table_[slot], scratch);
    if (scratch.text == url) return slot;
  }
}

void StoredAddresses::url_of(PageId page, PageUrl& url) const {
  if (!renamed_.empty()) {
    if (const auto found = renamed_.find(page); found != renamed_.end()) {
      url.text = found->second;
      url.split();
      return;
    }
  }
  url.text = web_.names->name(page);
  url.split();
}

PageId StoredAddresses::page_at(bool& https, std::string_view authority, std::string_view target) const {
  PageUrl scratch;
  std::string url;
  // If both schemes have a page, the requested one comes first.
  for (const bool secure : {https, !https}) {
    url.assign(secure ? "https://" : "http://").append(authority).append(target);
    if (const PageId page = table_[slot_of(url, scratch)]; page != kNoPage) {
      https = secure;
      return page;
    }
  }
  return kNoPage;
}

HostId StoredAddresses::host_named(std::string_view authority) const {
  const auto found = host_numbers_.find(std::string(authority));
  return found == host_numbers_.end() ? kNoHost : found->second;
}

HostPages StoredAddresses::pages_of(HostId host) const {
  return host_pages_[host];
}

}  // namespace bowerbird
