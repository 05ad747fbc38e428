#include "parse/html_scanner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"

namespace bowerbird {

namespace {

// Spans have 32 bits; a frame may add three times its own size.
constexpr std::size_t kMostStrings = std::size_t{1} << 30;

}  // namespace

HtmlScanner::HtmlScanner(HtmlOptions options) : options_(std::move(options)) {
  CHECK(options_.max_bytes < (std::size_t{1} << 30));  // spans have 32 bits, and a byte can become three
  for (char& c : options_.agent) c = ascii_lower(c);
}

void HtmlScanner::scan(std::string_view html, HtmlPage& page) {
  page_ = &page;
  tokenizer_.sink().begin(page, options_);
  tokenizer_.scan(html, options_.max_bytes);
  complete();
}

void HtmlScanner::begin(HtmlPage& page) {
  page_ = &page;
  tokenizer_.sink().begin(page, options_);
  tokenizer_.begin(options_.max_bytes);
}

void HtmlScanner::feed(std::string_view piece) {
  tokenizer_.feed(piece);
}

void HtmlScanner::finish() {
  tokenizer_.finish();
  complete();
}

void HtmlScanner::complete() {
  tokenizer_.sink().finish();
  page_->truncated |= tokenizer_.truncated();
  if (!page_->frames.empty()) read_frames(*page_, options_);
}

void read_frames(HtmlPage& page, const HtmlOptions& options) {
  HtmlOptions inner = options;
  inner.text = false;
  --inner.frame_depth;
  HtmlScanner scanner(inner);
  HtmlPage frame;
  std::vector<HtmlLink> links;
  const std::vector<HtmlLink> own = std::move(page.links);
  std::size_t taken = 0;
  const auto take_until = [&](std::size_t end) {
    links.insert(links.end(), own.begin() + static_cast<std::ptrdiff_t>(taken),
                 own.begin() + static_cast<std::ptrdiff_t>(end));
    taken = end;
  };
  for (const HtmlFrame& one : page.frames) {
    take_until(one.links_before);
    if (page.strings.size() > kMostStrings) {
      page.truncated = true;
      break;
    }
    scanner.scan(page.string(one.html), frame);
    const auto base = static_cast<std::uint32_t>(page.strings.size());
    page.strings += frame.strings;
    page.truncated |= frame.truncated;
    for (HtmlLink link : frame.links) {
      link.in_frame = true;
      link.href.at += base;
      link.hreflang.at += base;
      links.push_back(link);
    }
  }
  take_until(own.size());
  page.truncated |= links.size() > options.max_links;
  links.resize(std::min(links.size(), options.max_links));
  page.links = std::move(links);
}

}  // namespace bowerbird
