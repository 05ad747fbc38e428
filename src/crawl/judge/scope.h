// Which URLs belong to the crawl.
//
// A URL is in scope if its host is (by the mode, or by name), it matches an include rule (if there are
// any), and it matches no exclude rule. Modes: `any`: all hosts; `domain`: the registrable domains of the
// seeds; `host`: the hosts of the seeds, with and without "www."; `prefix`: URLs on these hosts that
// begin like a seed, up to its last slash. Include and exclude patterns of [[site]] tables (site_rules.h)
// apply too. Immutable; threads: any, each with its own ScopeCache.
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
  std::vector<std::string> hosts;    // further hosts; "*.example.org": all names below
  std::vector<std::string> include;  // regular expressions (url_pattern.h)
  std::vector<std::string> exclude;
};

enum class ScopeVerdict : std::uint8_t { kIn, kOtherHost, kOtherPrefix, kNotIncluded, kExcluded };
std::string_view scope_verdict_text(ScopeVerdict verdict);

// Verdicts and [[site]] tables of hosts already seen; bounded.
struct ScopeCache {
  std::unordered_map<std::string, bool, KeyedStringHash, std::equal_to<>> hosts;
  SiteCache sites;
};

class Scope {
 public:
  // seeds: canonical URLs. sites: null: none.
  static Result<Scope> make(const ScopeOptions& options, std::span<const std::string> seeds,
                            std::shared_ptr<const SiteRules> sites = nullptr);

  ScopeVerdict judge(const Url& url, ScopeCache& cache) const;
  // Whether --exclude or the exclude pattern of a table matches, whatever the host.
  bool excludes(const Url& url) const;
  const SiteRules* sites() const { return sites_.get(); }
  // The verdict in words, with the rule that decides.
  std::string explain(const Url& url) const;

 private:
  bool host_in(std::string_view host) const;
  bool prefix_in(std::string_view text) const;
  std::string prefixes_for(std::string_view host) const;

  std::unordered_set<std::string> hosts_;  // host names; with kDomain, registrable domains
  std::vector<std::string> beneath_;       // ".example.org": suffixes
  std::vector<std::string> prefixes_;      // without the scheme
  std::vector<UrlPattern> include_;
  std::vector<UrlPattern> exclude_;
  std::shared_ptr<const SiteRules> sites_;
  ScopeOptions options_;
};

}  // namespace bowerbird
