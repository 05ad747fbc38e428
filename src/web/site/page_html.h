// The HTML of a page: its title, text of its host's topic, and its links in ascending page number, each with
// the title of its target as anchor text.
//
// A function of the view alone. Written directly into a reused buffer; a page of 17 links takes a few
// microseconds. Threads: const; the scratch belongs to the caller.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "web/site/addresses.h"
#include "web/site/changes.h"
#include "web/site/link_style.h"
#include "web/site/page_text.h"
#include "web/site/traps.h"

namespace bowerbird {

// The path of a host's feed.
inline constexpr std::string_view kFeedPath = "/feed.xml";

// Everything that the HTML depends on.
struct PageView {
  PageId page = kNoPage;
  const PageUrl* url = nullptr;  // the page's own
  std::uint64_t host_key = 0;
  PageVersion version;
  std::span<const PageId> links;
  const LinkStyle* style = nullptr;
  unsigned copy = 0;         // 0: the page itself; else one of its copies ...
  bool near_copy = false;    // ... which differs in a few words
  unsigned copies = 0;       // links to this many copies of the page
  unsigned near_copies = 0;  // and near copies
  std::string_view session;  // added to every link of the same host
  bool refresh = false;      // a meta refresh to the first link replaces the page
  bool feed = false;         // links to the feed of its host
  std::uint32_t visit = 0;   // of a page that counts its visits, from 1; it also shows a token
};

class PageHtml {
 public:
  PageHtml(const Addresses& addresses, const Traps& traps, std::uint64_t seed, unsigned mean_words)
      : addresses_(addresses), traps_(traps), seed_(mix64(seed ^ 0x706167657u)), mean_words_(mean_words) {}

  void append(const PageView& view, PageUrl& scratch, std::string& out) const;
  void append_title(PageId page, std::uint64_t host_key, std::string& out) const;
  const PageText& text() const { return text_; }
  std::uint64_t page_key(PageId page) const { return draw(seed_, page); }

 private:
  void append_head(const PageView& view, PageUrl& scratch, std::string& out) const;
  void append_banner(const PageView& view, std::string& out) const;
  void append_text(const PageView& view, std::string& out) const;
  void append_links(const PageView& view, PageUrl& scratch, std::string& out) const;
  void append_copies(const PageView& view, PageUrl& scratch, std::string& out) const;
  void append_href(const PageView& view, const PageUrl& to, std::string& out) const;
  unsigned words_of(std::uint64_t key) const;

  const Addresses& addresses_;
  const Traps& traps_;
  PageText text_;
  std::uint64_t seed_;
  unsigned mean_words_;
};

}  // namespace bowerbird
