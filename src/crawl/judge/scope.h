// Which URLs belong to the crawl.
//
// A URL is in scope if its host is (by the mode, or by name), it matches an include rule (where there are
// any) and no exclude rule. Modes: `any` all hosts; `domain` the registrable domains of the seeds; `host`
// their hosts, with and without "www."; `prefix` URLs that begin as a seed does, up to its last slash, on
// these hosts. Hosts and domains may be added by name. Immutable once made; threads: any, each with a
// ScopeCache of its own. Include and exclude patterns of [[site]] tables (site_rules.h) are part of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/keyed_hash.h"
#include "base/result.h"
#include "crawl/judge/site_rules.h"
#include "crawl/judge/url_pattern.h"
#include "url/url.h"

namespace bowerbird {

enum class ScopeMode : std::uint8_t { kAny, kDomain, kHost, kPrefix };
std::string_view name_of(ScopeMode mode);

struct ScopeOptions {
  ScopeMode mode = ScopeMode::kHost;
  std::vector<std::string> hosts;    // further hosts; "*.example.org" for all beneath a name
  std::vector<std::string> include;  // regular expressions (url_pattern.h)
  std::vector<std::string> exclude;
};

enum class ScopeVerdict : std::uint8_t { kIn, kOtherHost, kOtherPrefix, kNotIncluded, kExcluded };
std::string_view scope_verdict_text(ScopeVerdict verdict);

// Hosts already judged, and their tables; bounded.
struct ScopeCache {
  std::unordered_map<std::string, bool, KeyedStringHash, std::equal_to<>> hosts;
  SiteCache sites;
};

class Scope {
 public:
  // `seeds`: canonical URLs. sites: null: none.
  static Result<Scope> make(const ScopeOptions& options, std::span<const std::string> seeds,
                            std::shared_ptr<const SiteRules> sites = nullptr);

  ScopeVerdict judge(const Url& url, ScopeCache& cache) const;
  // Whether --exclude or that of a table matches, wherever the URL is.
  bool excludes(const Url& url) const;
  const SiteRules* sites() const { return sites_.get(); }
  // The same in words, with the rule that decides; for people.
  std::string explain(const Url& url) const;

 private:
  bool host_in(std::string_view host) const;
  bool prefix_in(std::string_view text) const;
  std::string prefixes_for(std::string_view host) const;

  std::unordered_set<std::string> hosts_;  // hosts, or domains
  std::vector<std::string> beneath_;       // ".example.org"
  std::vector<std::string> prefixes_;      // without scheme
  std::vector<UrlPattern> include_;
  std::vector<UrlPattern> exclude_;
  std::shared_ptr<const SiteRules> sites_;
  ScopeOptions options_;
};

}  // namespace bowerbird
