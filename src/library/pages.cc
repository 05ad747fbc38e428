// URLs, robots.txt, pages and refresh policies of the public interface.
#include <cmath>

#include <bowerbird/refresh.h>
#include <bowerbird/url.h>
#include "library/library.h"
#include "parse/http_fields.h"
#include "parse/page_links.h"
#include "parse/page_reader.h"
#include "parse/robots.h"
#include "parse/robots_directives.h"
#include "parse/text/main_text.h"
#include "policy/change_rate.h"
#include "policy/refresh_rules.h"
#include "url/canonical.h"
#include "url/site.h"

namespace bowerbird::v1 {

namespace {

Url parsed(std::string_view text) {
  Url url;
  if (const UrlFault fault = ::bowerbird::canonical_url(text, nullptr, url); fault != UrlFault::kNone) {
    throw Error(std::string(text.substr(0, 200)) + ": " + std::string(fault_text(fault)));
  }
  return url;
}

}  // namespace

std::string canonical_url(std::string_view link, std::string_view base) {
  if (base.empty()) return parsed(link).text();
  const Url outer = parsed(base);
  Url url;
  if (const UrlFault fault = ::bowerbird::canonical_url(link, &outer, url); fault != UrlFault::kNone) {
    throw Error(std::string(link.substr(0, 200)) + ": " + std::string(fault_text(fault)));
  }
  return url.text();
}

std::string url_host(std::string_view url) {
  return std::string(parsed(url).host());
}
std::string url_site(std::string_view url) {
  return site_of_host(parsed(url).host());
}

struct Robots::Impl {
  RobotsRules rules;
  std::vector<std::string> sitemaps;
};

Robots::Robots(std::string_view text, std::string_view user_agent) {
  const std::string_view token = product_token(user_agent);
  if (token.empty())
    throw Error("'" + std::string(user_agent) + "' does not begin with the name of a crawler");
  const RobotsText read = parse_robots(text);
  auto impl = std::make_shared<Impl>();
  impl->rules = RobotsRules::make(read, token);
  for (const RobotsRecord& record : read.sitemaps) impl->sitemaps.push_back(record.text);
  impl_ = std::move(impl);
}

bool Robots::allows(std::string_view url) const {
  if (url.starts_with('/')) return impl_->rules.allows(url);
  Url full;
  if (const UrlFault fault = parse_url(url, nullptr, full); fault != UrlFault::kNone) {
    throw Error(std::string(url.substr(0, 200)) + ": " + std::string(fault_text(fault)));
  }
  return impl_->rules.allows(full.target());
}

std::optional<double> Robots::crawl_delay() const {
  return impl_->rules.crawl_delay();
}
const std::vector<std::string>& Robots::sitemaps() const {
  return impl_->sitemaps;
}

ParsedPage parse_page(std::string_view html, std::string_view url, std::string_view content_type,
                      bool with_text) {
  const Url own = url.empty() ? Url() : parsed(url);
  const ContentType type = parse_content_type(content_type);
  ReadingHints hints;
  hints.header_charset = type.charset;
  hints.xhtml = type.type == "application/xhtml+xml";
  HtmlOptions options;
  options.text = true;  // for the anchors
  PageReader reader(options);
  HtmlPage page;
  const CharsetChoice charset = reader.read(html, hints, page);
  ParsedPage made;
  made.title = page.title;
  made.charset = std::string(encoding_name(charset.encoding));
  made.language = std::string(page.string(page.language));
  RobotsDirectives directives;
  for (const RobotsMeta& meta : page.robots) {
    if (page.string(meta.name) == "robots") add_robots_meta(page.string(meta.content), 0, directives);
  }
  made.noindex = directives.noindex;
  made.nofollow = directives.nofollow;
  const auto add = [&](const HtmlLink& link, std::string text) {
    PageLink& one = made.links.emplace_back();
    one.url = std::move(text);
    one.anchor = std::string(page.anchor(link));
    one.kind = std::string(link_kind_name(link.kind));
    one.nofollow = (link.rel & (kRelNofollow | kRelUgc | kRelSponsored)) != 0;
    if ((link.rel & kRelCanonical) != 0 && made.canonical.empty()) made.canonical = one.url;
  };
  LinkResolver resolver;
  resolver.resolve(
      page, own, [](const HtmlLink&) { return true; },
      [&](const HtmlLink& link, const Url& target) {
        add(link, target.text());
        return static_cast<std::uint32_t>(made.links.size() - 1);
      },
      [&](const HtmlLink& link, std::uint32_t before) { add(link, made.links[before].url); });
  if (with_text) {
    TextExtractor extractor;
    extractor.read(reader.utf8(), own);
    made.text = extractor.main_text();
    made.markdown = extractor.markdown();
    const DocumentFacts facts = extractor.facts(made.text);
    if (!facts.title.empty()) made.title = facts.title;
    if (!facts.language.empty()) made.language = facts.language;
  }
  return made;
}

// ---- Refreshing

std::vector<std::string> refresh_policies() {
  std::vector<std::string> names;
  for (const RefreshRule& rule : refresh_rules()) names.emplace_back(rule.name);
  return names;
}

namespace {

const RefreshRule& rule_of(std::string_view policy, double importance, double rate) {
  const RefreshRule& rule = *value_or_throw(find_refresh_rule(policy));
  if (!(importance >= 0 && rate >= 0)) throw Error("importance and rate must not be negative");
  if (rule.value == nullptr) throw Error("the refresh policy '" + std::string(policy) + "' has no values");
  return rule;
}

}  // namespace

double refresh_value(std::string_view policy, double importance, double rate, double days) {
  const RefreshRule& rule = rule_of(policy, importance, rate);
  if (!(days >= 0)) throw Error("days must not be negative");
  return rule.value(importance, rate, days);
}

double refresh_days(std::string_view policy, double importance, double rate, double value) {
  const RefreshRule& rule = rule_of(policy, importance, rate);
  if (!(value > 0)) throw Error("the value must be greater than 0");
  return rule.days_to(importance, rate, value);
}

double change_rate(const std::vector<VisitInterval>& visits, double prior) {
  if (!(prior > 0)) throw Error("the prior must be greater than 0");
  ChangeHistory history;
  for (const VisitInterval& visit : visits) {
    if (!(visit.days >= 0)) throw Error("an interval must not be negative");
    if (visit.changed) {
      history.add_change(visit.days);
    } else {
      history.add_unchanged(visit.days);
    }
  }
  return ::bowerbird::change_rate(history, prior);
}

}  // namespace bowerbird::v1
