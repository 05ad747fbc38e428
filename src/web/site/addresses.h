// The URLs of pages: page -> URL and back, for any web.
//
// A web with names is served under them, in the canonical form that a crawler requests. A page whose name is
// not an http(s) URL, or is that of another page or of this machine, is called http://host-H.test/page-P
// instead, like all pages of a web without names (H is its host or 0, P its number). So page -> URL is one to
// one, and page_at() is its inverse.
//
// Memory: nothing for webs without names whose hosts are contiguous and ascending, as procedural ones are;
// about 8 bytes per page for stored names. Lifetime: the Web outlives its addresses. Threads: const.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "graph/web.h"

namespace bowerbird {

// A URL in parts; the object is reused from page to page.
struct PageUrl {
  std::string text;
  std::size_t authority_begin = 0;
  std::size_t target_begin = 0;

  bool https() const { return authority_begin == 8; }
  std::string_view authority() const {
    return std::string_view(text).substr(authority_begin, target_begin - authority_begin);
  }
  std::string_view target() const { return std::string_view(text).substr(target_begin); }
  // Splits text into its parts: scheme://authority/...
  void split();
};

// The pages of one host: a run of them, or a list.
struct HostPages {
  PageId count = 0;
  PageId first = kNoPage;
  const PageId* list = nullptr;
  PageId at(PageId i) const { return list == nullptr ? first + i : list[i]; }
};

class Addresses {
 public:
  virtual ~Addresses() = default;

  virtual void url_of(PageId page, PageUrl& url) const = 0;
  // The page at this URL, or kNoPage. Authority in lower case, target in origin-form. A page is found under
  // the other scheme too; `https` then becomes that of its URL.
  virtual PageId page_at(bool& https, std::string_view authority, std::string_view target) const = 0;

  // Hosts are numbered 0 ... hosts()-1; a host is an authority ("www.a.org", "b.org:81").
  virtual HostId hosts() const = 0;
  virtual std::string host_name(HostId host) const = 0;
  virtual HostId host_named(std::string_view authority) const = 0;  // or kNoHost
  virtual HostPages pages_of(HostId host) const = 0;
};

struct AddressOptions {
  bool https = false;  // TLS is enabled: https names keep their scheme, numbered hosts are https
  // a web without names and hosts is divided into this many, in runs of equal length
  HostId unknown_hosts = 1;
};

Result<std::unique_ptr<Addresses>> make_addresses(const Web& web, const AddressOptions& options = {},
                                                  const Progress& progress = {});

// Whether an authority is this machine: localhost, 127.x.y.z, [::1], with or without a port.
bool is_this_machine(std::string_view authority);

}  // namespace bowerbird
