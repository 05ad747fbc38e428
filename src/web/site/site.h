// The test Web without a network: takes a request and returns a description of the response.
//
// Site::answer depends only on the web, the options, the request, the moment and the SiteMemory of earlier
// requests (how often a page with a temporary fault was requested, when a host with a limit got its last
// request). The answer says what to send and how: status, fields, body, and the delivery (delays, framing,
// where it breaks off). The server sends it (web/http/).
//
// In addition to its pages every host has: /robots.txt; /sitemap.xml and its parts, if enabled; "/", which
// redirects to the host's first page unless it is a page itself; /feed.xml, if enabled; and under /-/ pages
// that are not in the graph (redirect chains, copies, traps).
//
// Lifetime: the Web outlives the Site. Threads: answer() may be called from many at once, each with its own
// scratch and answer; SiteMemory is shared and locks itself.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/progress.h"
#include "graph/web.h"
#include "web/site/addresses.h"
#include "web/site/changes.h"
#include "web/site/faults.h"
#include "web/http/coding.h"
#include "web/http/handler.h"
#include "web/site/page_html.h"
#include "web/site/site_options.h"
#include "web/site/traps.h"

namespace bowerbird {

struct SiteRequest {
  std::string_view method = "GET";
  bool https = false;
  std::string_view authority;  // as received, including the port
  std::string_view target;     // in origin-form
  CodingSet codings;           // that the client accepts
  std::string_view if_none_match;
  std::string_view if_modified_since;
};

struct SiteAnswer : HttpResponse {
  Fault fault = Fault::kNone;

  void clear() {
    HttpResponse::clear();
    fault = Fault::kNone;
  }
};

// What the Web remembers about its clients. Cleared when it has grown to a million entries.
class SiteMemory {
 public:
  // The number of this request for `key`: 1, 2 ...
  std::uint32_t count_request(std::uint64_t key);
  // Whether a host that accepts `per_second` requests, with bursts of two, accepts this one.
  bool admit(std::uint64_t host_key, double per_second, std::int64_t now_us);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::uint32_t> asks_;
  std::unordered_map<std::uint64_t, double> due_us_;
  std::int64_t latest_us_ = 0;
};

// The working memory of one thread.
struct SiteScratch {
  LinkBuffer links;
  PageUrl url;
  PageUrl other;
  std::string authority;
  std::string target;
  std::vector<PageId> shown;
  BodyEncoder encoder;
};

class Site {
 public:
  static Result<std::unique_ptr<Site>> make(const Web& web, const SiteOptions& options,
                                            const Progress& progress = {});

  void answer(const SiteRequest& request, const Moment& moment, SiteMemory& memory, SiteScratch& scratch,
              SiteAnswer& answer) const;

  const SiteOptions& options() const { return options_; }
  const Addresses& addresses() const { return *addresses_; }
  PageId pages() const { return web_.graph->pages(); }
  const Changes& changes() const { return changes_; }
  const Traps& traps() const { return traps_; }
  const PageHtml& html() const { return html_; }
  // The fault of a page, a host, a robots.txt.
  FaultRule page_fault(PageId page) const { return page_faults_.pick(draw(page_fault_seed_, page)); }
  FaultRule host_fault(std::uint64_t host_key) const {
    return host_faults_.pick(draw(host_fault_seed_, host_key));
  }
  FaultRule robots_fault(std::uint64_t host_key) const {
    return robots_faults_.pick(draw(robots_fault_seed_, host_key));
  }
  // When a page appears; 0: it always exists.
  std::int64_t born_us(PageId page) const;
  bool has_false_dates(std::uint64_t host_key) const;
  // Whether the robots.txt of this host forbids pages: all paths that end in 3, except in 33.
  bool disallows(std::uint64_t host_key) const;
  CertificateKind certificate(std::uint64_t host_key) const;
  std::int64_t latency_us(std::uint64_t host_key) const;
  std::uint64_t bytes_per_second(std::uint64_t host_key) const;

 private:
  struct Call;  // one request in progress

  Site(const Web& web, const SiteOptions& options, std::unique_ptr<Addresses> addresses);

  void answer_host(Call& call) const;
  void answer_resource(Call& call) const;
  bool answer_page_at(Call& call, std::string_view target) const;
  bool answer_alias(Call& call) const;
  void answer_page(Call& call, PageId page) const;
  std::span<const PageId> links_of(Call& call, PageId page, PageVersion& version) const;
  void add_validators(Call& call, const PageVersion& version, std::uint64_t tag) const;
  bool is_not_modified(const Call& call) const;
  void answer_first_page(Call& call, HostId host) const;
  void answer_robots(Call& call) const;
  bool answer_sitemap(Call& call, HostId host) const;
  void answer_feed(Call& call, HostId host) const;
  std::int64_t claimed_change_us(const Call& call, PageId page) const;
  void answer_portal(Call& call) const;
  void answer_directory(Call& call) const;
  PageId suggestion(std::uint64_t number, LinkBuffer& buffer) const;
  void answer_error(Call& call, int status, std::string_view text) const;
  void redirect(Call& call, int status, bool https, std::string_view authority,
                std::string_view target) const;
  // True: the fault has produced the response instead.
  bool answer_fault(Call& call, const FaultRule& rule, std::uint64_t key) const;
  void finish(Call& call) const;
  void spoil(SiteAnswer& answer, std::uint64_t key, BodyEncoder& encoder) const;

  const Web& web_;
  SiteOptions options_;
  std::unique_ptr<Addresses> addresses_;
  Changes changes_;
  Traps traps_;
  PageHtml html_;
  FaultTable page_faults_;
  FaultTable host_faults_;
  FaultTable robots_faults_;
  std::uint64_t page_fault_seed_;
  std::uint64_t host_fault_seed_;
  std::uint64_t robots_fault_seed_;
  std::uint64_t host_seed_;
  std::uint64_t page_seed_;
};

}  // namespace bowerbird
