// Settings that apply to some sites only: the [[site]] tables of an options file.
//
// A table names its URLs by host ("www.example.org", "*.example.org", "http://example.org:81"), by domain
// ("example.org" and all names below it) or by a regular expression that is searched in the URL. A host
// without a port means all ports, and without a scheme both schemes. If several tables match a URL, they
// apply in the order of the file: a later value replaces an earlier one, include and exclude patterns add
// up, and each budget counts separately. Delay and connections belong to a host: a table with `url`
// cannot set connections, and its delay only prolongs the wait after such a URL. Credentials are sent
// over https only, unless the matching host was given with http://.
//
// Immutable; threads: any, each with its own SiteCache.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/keyed_hash.h"
#include "base/result.h"
#include "base/units.h"
#include "crawl/judge/url_pattern.h"
#include "url/url.h"

namespace bowerbird {

// One table, as the user wrote it.
struct SiteSettings {
  std::vector<std::string> hosts;
  std::vector<std::string> domains;
  std::vector<std::string> urls;

  std::optional<Seconds> delay;
  std::optional<std::uint64_t> connections;
  std::optional<std::uint64_t> pages;  // budget of all URLs of the table together
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> pages_per_host;
  std::optional<std::uint64_t> depth;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> headers;
  std::vector<std::string> cookie;  // "a=1; b=2"
  std::string auth;                 // user:password
  std::optional<bool> cookies;      // keep the cookies that the site sets
  std::optional<bool> requisites;
  std::optional<Seconds> refresh_interval;
  std::optional<double> priority;

  // What the table matches, as text: "www.example.org, /news/".
  std::string name() const;
  // Whether the table has a value that must not be shown.
  bool has_secret() const { return !headers.empty() || !cookie.empty() || !auth.empty(); }
};

// Indexes of tables in the list of SiteRules.
using SiteTables = std::vector<std::uint16_t>;

// Tables of hosts already seen; bounded.
struct SiteCache {
  std::unordered_map<std::string, SiteTables, KeyedStringHash, std::equal_to<>> by_host;
  SiteTables found;  // for the last URL
};

// The verdict of include and exclude patterns.
enum class SiteVerdict : std::uint8_t { kNoRule, kIncluded, kNotIncluded, kExcluded };

class SiteRules {
 public:
  SiteRules() = default;
  static Result<SiteRules> make(std::vector<SiteSettings> settings);

  bool empty() const { return tables_.empty(); }
  const SiteSettings& operator[](std::size_t table) const { return tables_[table].settings; }
  std::size_t size() const { return tables_.size(); }

  // The tables that match the URL, in order. The view is valid until the next call with this cache.
  std::span<const std::uint16_t> tables_of(const Url& url, SiteCache& cache) const;
  SiteTables tables_of(const Url& url) const;
  // The tables that match the host with any path. host: with the port if it is not the default.
  SiteTables tables_of_host(std::string_view host) const;

  // The value of the last of these tables that sets it.
  template <typename T>
  std::optional<T> value(std::span<const std::uint16_t> tables,
                         std::optional<T> SiteSettings::*member) const {
    for (std::size_t i = tables.size(); i-- > 0;) {
      if (const auto& value = tables_[tables[i]].settings.*member) return value;
    }
    return {};
  }
  // Whether any table sets this.
  template <typename T>
  bool any(std::optional<T> SiteSettings::*member) const {
    for (const Table& table : tables_) {
      if (table.settings.*member) return true;
    }
    return false;
  }

  // kIncluded: an include pattern of a table matches, so --include does not apply.
  SiteVerdict judge(std::string_view url, std::span<const std::uint16_t> tables) const;
  // Whether credentials of the table may be sent to this URL, which the table matches.
  bool may_hold_credentials(std::size_t table, const Url& url) const;

 private:
  struct HostRule {
    std::string name;      // with the port, if one was given
    bool beneath = false;  // all names below it, but not itself
    bool any_port = true;
    std::optional<bool> https = {};  // none: both schemes

    bool matches(std::string_view host, std::string_view name_only) const;
  };
  struct Table {
    SiteSettings settings;
    std::vector<HostRule> hosts;
    std::vector<std::string> domains;
    std::vector<UrlPattern> urls;
    std::vector<UrlPattern> include;
    std::vector<UrlPattern> exclude;

    bool by_host(std::string_view host, std::optional<bool> https) const;
    bool by_url(std::string_view url) const;
  };
  static Result<HostRule> host_rule(std::string_view text);
  static Result<Table> make_table(SiteSettings settings);

  std::vector<Table> tables_;
  bool has_urls_ = false;
};

// "EXAMPLE.org:81" in canonical form, with the port as given; empty: not a host.
std::string canonical_host(std::string_view host, bool https);

}  // namespace bowerbird
