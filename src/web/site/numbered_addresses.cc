#include "web/site/numbered_addresses.h"

#include <algorithm>
#include <charconv>

namespace bowerbird {

namespace {

constexpr std::string_view kHostPrefix = "host-";
constexpr std::string_view kHostSuffix = ".test";
constexpr std::string_view kPagePrefix = "/page-";

std::uint32_t number_in(std::string_view text) {
  std::uint32_t number = 0;
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return kNoPage;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() ? number : kNoPage;
}

void append_number(std::uint32_t number, std::string& out) {
  char digits[10];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace

HostId parse_numbered_host(std::string_view authority) {
  if (!authority.starts_with(kHostPrefix) || !authority.ends_with(kHostSuffix)) return kNoHost;
  authority.remove_prefix(kHostPrefix.size());
  authority.remove_suffix(std::min(authority.size(), kHostSuffix.size()));
  return number_in(authority);
}

PageId parse_numbered_target(std::string_view target) {
  if (!target.starts_with(kPagePrefix)) return kNoPage;
  return number_in(target.substr(kPagePrefix.size()));
}

void append_numbered_url(bool https, HostId host, PageId page, std::string& out) {
  out += https ? "https://" : "http://";
  out += kHostPrefix;
  append_number(host, out);
  out += kHostSuffix;
  out += kPagePrefix;
  append_number(page, out);
}

NumberedAddresses::NumberedAddresses(const Web& web, const AddressOptions& options)
    : web_(web), https_(options.https), pages_(web.graph->pages()) {
  hosts_ = web.hosts != nullptr ? web.hosts->hosts() : std::max<HostId>(1, options.unknown_hosts);
}

Result<std::unique_ptr<Addresses>> NumberedAddresses::make(const Web& web, const AddressOptions& options,
                                                           const Progress& progress) {
  std::unique_ptr<NumberedAddresses> addresses(new NumberedAddresses(web, options));
  if (web.hosts != nullptr) {
    BB_TRY(addresses->ranges_, HostRanges::make(*web.hosts, web.graph->pages(), progress));
  }
  return std::unique_ptr<Addresses>(std::move(addresses));
}

PageId NumberedAddresses::first_of(HostId host) const {
  return static_cast<PageId>((std::uint64_t{pages_} * host + hosts_ - 1) / hosts_);
}

HostId NumberedAddresses::host_of(PageId page) const {
  if (web_.hosts != nullptr) return web_.hosts->host(page);
  return static_cast<HostId>(std::uint64_t{page} * hosts_ / pages_);
}

void NumberedAddresses::url_of(PageId page, PageUrl& url) const {
  url.text.clear();
  append_numbered_url(https_, host_of(page), page, url.text);
  url.split();
}

PageId NumberedAddresses::page_at(bool& https, std::string_view authority, std::string_view target) const {
  https = https_;
  const PageId page = parse_numbered_target(target);
  if (page >= pages_) return kNoPage;
  return parse_numbered_host(authority) == host_of(page) ? page : kNoPage;
}

std::string NumberedAddresses::host_name(HostId host) const {
  std::string name(kHostPrefix);
  append_number(host, name);
  return name += kHostSuffix;
}

HostId NumberedAddresses::host_named(std::string_view authority) const {
  const HostId host = parse_numbered_host(authority);
  return host < hosts_ ? host : kNoHost;
}

HostPages NumberedAddresses::pages_of(HostId host) const {
  if (ranges_) return ranges_->pages_of(host);
  const PageId first = first_of(host);
  const PageId last = host + 1 == hosts_ ? pages_ : first_of(host + 1);
  return {last - first, first == last ? kNoPage : first, nullptr};
}

}  // namespace bowerbird
