#include "crawl/judge/scope.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "url/site.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostCached = 50'000;

// Most sites answer to both names and redirect one to the other.
std::string with_or_without_www(std::string_view host) {
  constexpr std::string_view kWww = "www.";
  if (host.starts_with(kWww)) return std::string(host.substr(kWww.size()));
  return std::string(kWww).append(host);
}

std::string_view without_scheme(std::string_view text) {
  return text.substr(text.find("//") + 2);
}

}  // namespace

std::string_view name_of(ScopeMode mode) {
  constexpr std::string_view kNames[] = {"any", "domain", "host", "prefix"};
  return kNames[static_cast<std::size_t>(mode)];
}

std::string_view scope_verdict_text(ScopeVerdict verdict) {
  switch (verdict) {
    case ScopeVerdict::kIn:
      return "in scope";
    case ScopeVerdict::kOtherHost:
      return "its host is not in scope";
    case ScopeVerdict::kOtherPrefix:
      return "not below a seed's folder";
    case ScopeVerdict::kNotIncluded:
      return "no --include matches";
    case ScopeVerdict::kExcluded:
      return "--exclude matches";
  }
  return "";
}

Result<Scope> Scope::make(const ScopeOptions& options, std::span<const std::string> seeds,
                          std::shared_ptr<const SiteRules> sites) {
  Scope scope;
  if (sites != nullptr && !sites->empty()) scope.sites_ = std::move(sites);
  scope.options_ = options;
  for (const std::string& seed : seeds) {
    Url url;
    if (parse_url(seed, nullptr, url) != UrlFault::kNone) continue;
    if (options.mode == ScopeMode::kDomain) scope.hosts_.insert(site_of_host(url.host()));
    for (const std::string& host : {std::string(url.host()), with_or_without_www(url.host())}) {
      if (options.mode == ScopeMode::kHost) scope.hosts_.insert(host);
      if (options.mode == ScopeMode::kPrefix) {
        const std::string_view path = url.path();
        scope.prefixes_.push_back(host + std::string(path.substr(0, path.rfind('/') + 1)));
      }
    }
  }
  for (const std::string& host : options.hosts) {
    const bool beneath = host.starts_with("*.");
    const std::string name = canonical_host(std::string_view(host).substr(beneath ? 2 : 0), /*https=*/false);
    if (name.empty()) return error("host: '{}' is not a host: write www.example.org or *.example.org", host);
    if (beneath) {
      scope.beneath_.push_back("." + name);
    } else {
      scope.hosts_.insert(name);
    }
  }
  BB_TRY(scope.include_, UrlPattern::make_all(options.include));
  BB_TRY(scope.exclude_, UrlPattern::make_all(options.exclude));
  return scope;
}

bool Scope::host_in(std::string_view host) const {
  if (options_.mode == ScopeMode::kAny) return true;
  if (hosts_.contains(std::string(host))) return true;
  for (const std::string& beneath : beneath_) {
    if (host.ends_with(beneath)) return true;
  }
  return options_.mode == ScopeMode::kDomain && hosts_.contains(site_of_host(host));
}

bool Scope::prefix_in(std::string_view text) const {
  const std::string_view rest = without_scheme(text);
  return std::any_of(prefixes_.begin(), prefixes_.end(),
                     [&](const std::string& prefix) { return rest.starts_with(prefix); });
}

// The prefixes on the host, or all if it has none; a few of them.
std::string Scope::prefixes_for(std::string_view host) const {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> shown;
  for (const bool anywhere : {false, true}) {
    for (const std::string& prefix : prefixes_) {
      const bool here = std::string_view(prefix).substr(0, prefix.find('/')) == host;
      if ((here || anywhere) && shown.size() <= kMost) shown.push_back(prefix);
    }
    if (!shown.empty()) break;
  }
  if (shown.size() > kMost) shown.back() = "...";
  return fmt::format("{}", fmt::join(shown, ", "));
}

std::string Scope::explain(const Url& url) const {
  ScopeCache cache;
  const ScopeVerdict verdict = judge(url, cache);
  std::string text(scope_verdict_text(verdict));
  if (verdict == ScopeVerdict::kOtherHost) text += fmt::format(" (--scope {})", name_of(options_.mode));
  if (verdict == ScopeVerdict::kOtherPrefix)
    text += fmt::format(": {} (--scope prefix)", prefixes_for(url.host()));
  if (verdict == ScopeVerdict::kExcluded) {
    for (std::size_t i = 0; i < exclude_.size(); ++i) {
      if (exclude_[i].found_in(url.text())) text += fmt::format(": {}", options_.exclude[i]);
    }
  }
  const bool by_pattern = verdict == ScopeVerdict::kExcluded || verdict == ScopeVerdict::kNotIncluded;
  if (sites_ && by_pattern) {
    for (const std::uint16_t table : sites_->tables_of(url)) {
      const SiteVerdict site = sites_->judge(url.text(), {&table, 1});
      if (site == SiteVerdict::kExcluded || site == SiteVerdict::kNotIncluded)
        text += fmt::format(" ([[site]] {})", (*sites_)[table].name());
    }
  }
  return text;
}

ScopeVerdict Scope::judge(const Url& url, ScopeCache& cache) const {
  if (options_.mode != ScopeMode::kAny) {
    const std::string_view host = url.host();
    auto found = cache.hosts.find(host);
    if (found == cache.hosts.end()) {
      if (cache.hosts.size() >= kMostCached) cache.hosts.clear();
      found = cache.hosts.emplace(host, host_in(host)).first;
    }
    if (!found->second && options_.mode != ScopeMode::kPrefix) return ScopeVerdict::kOtherHost;
    if (!found->second && !prefix_in(url.text())) return ScopeVerdict::kOtherPrefix;
  }
  SiteVerdict site = SiteVerdict::kNoRule;
  if (sites_) site = sites_->judge(url.text(), sites_->tables_of(url, cache.sites));
  if (site == SiteVerdict::kNotIncluded) return ScopeVerdict::kNotIncluded;
  if (site == SiteVerdict::kNoRule && !include_.empty() && !any_found_in(include_, url.text()))
    return ScopeVerdict::kNotIncluded;
  if (site == SiteVerdict::kExcluded || (!exclude_.empty() && any_found_in(exclude_, url.text())))
    return ScopeVerdict::kExcluded;
  return ScopeVerdict::kIn;
}

bool Scope::excludes(const Url& url) const {
  if (!exclude_.empty() && any_found_in(exclude_, url.text())) return true;
  return sites_ && sites_->judge(url.text(), sites_->tables_of(url)) == SiteVerdict::kExcluded;
}

}  // namespace bowerbird
