#include "parse/html_scanner.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "parse/html_find.h"

namespace bowerbird {

namespace {

std::string_view view(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

// Spans have 32 bits; a frame may add three times its own size.
constexpr std::size_t kMostStrings = std::size_t{1} << 30;

constexpr std::uint16_t kRawFlags = kTagRawText | kTagRcdata | kTagScript | kTagPlaintext;

// What follows the comment that is open at p, or null (13.2.5.43 to 13.2.5.51). The dashes of "-->" may begin
// at `dashes`, those of "--!>" at `bang`: in "<!-->" the opening dashes count, in "<!--!>" they do not.
const char* after_comment(const char* p, const char* end, const char* dashes, const char* bang) {
  for (;;) {
    const char* close = find_byte(p, end, '>');
    if (close == end) return nullptr;
    if (close - dashes >= 2 && close[-1] == '-' && close[-2] == '-') return close + 1;
    if (close - bang >= 3 && close[-1] == '!' && close[-2] == '-' && close[-3] == '-') return close + 1;
    p = close + 1;
  }
}

}  // namespace

HtmlScanner::HtmlScanner(HtmlOptions options) : options_(std::move(options)) {
  CHECK(options_.max_bytes < (std::size_t{1} << 30));  // spans have 32 bits, and a byte can become three
  kept_flags_ = kTagLinks;
  if (options_.requisites) kept_flags_ |= kTagRequisite;
  if (options_.text) kept_flags_ |= kTagAlt;
  told_flags_ = kept_flags_;
  if (options_.text) told_flags_ |= kTagBlock | kTagSpace | kTagWeak;
  for (char& c : options_.agent) c = ascii_lower(c);
}

void HtmlScanner::scan(std::string_view html, HtmlPage& page) {
  begin(page);
  if (html.size() > options_.max_bytes) {
    page.truncated = true;
    html = html.substr(0, options_.max_bytes);
  }
  last_ = true;
  end_ = html.data() + html.size();
  run(html.data());
  complete();
}

void HtmlScanner::complete() {
  builder_.finish();
  if (!page_->frames.empty()) read_frames(*page_, options_);
}

void HtmlScanner::begin(HtmlPage& page) {
  builder_.begin(page, options_);
  page_ = &page;
  foreign_.clear();
  used_.clear();
  state_ = State::kData;
  last_ = false;
  taken_ = 0;
  pending_.clear();
  retry_at_ = 0;
}

void HtmlScanner::feed(std::string_view piece) {
  const std::size_t room = options_.max_bytes - taken_;
  if (piece.size() > room) {
    page_->truncated = true;
    piece = piece.substr(0, room);
  }
  taken_ += piece.size();
  if (pending_.empty()) {
    end_ = piece.data() + piece.size();
    pending_.assign(run(piece.data()), end_);
  } else {
    pending_ += piece;
    // What could not be read is tried again when it has doubled, so that many small pieces cost no more than
    // one.
    if (pending_.size() < retry_at_) return;
    end_ = pending_.data() + pending_.size();
    const char* read = run(pending_.data());
    pending_.erase(0, static_cast<std::size_t>(read - pending_.data()));
  }
  retry_at_ = 2 * pending_.size();
}

void HtmlScanner::finish() {
  last_ = true;
  end_ = pending_.data() + pending_.size();
  run(pending_.data());
  complete();
}

const char* HtmlScanner::run(const char* p) {
  waiting_ = false;
  while (p < end_ && !waiting_) {
    switch (state_) {
      case State::kData:
        p = data(p);
        break;
      case State::kRawText:
      case State::kRcdata:
        p = raw_text(p);
        break;
      case State::kScript:
        p = script(p);
        break;
      case State::kPlaintext:
        p = visible(p, end_, /*references=*/false);
        break;
      case State::kComment:
        p = comment(p);
        break;
      case State::kBogus:
        p = bogus(p);
        break;
      case State::kCdata:
        p = cdata(p);
        break;
    }
  }
  return p;
}

// 13.2.5.1 data state, 13.2.5.6 tag open state.
const char* HtmlScanner::data(const char* p) {
  while (state_ == State::kData) {
    const char* lt = find_byte(p, end_, '<');
    if (options_.text && lt > p) {
      p = visible(p, lt, /*references=*/true);
      if (waiting_) return p;
    }
    if (lt == end_) return end_;
    p = lt;
    const char next = end_ - p >= 2 ? p[1] : '\0';
    if (is_ascii_alpha(next)) {
      p = tag(p);
    } else if (end_ - p < 3 && !last_) {
      return wait(p);
    } else if (next == '/' && end_ - p >= 3) {
      p = end_tag_open(p);
    } else if (next == '!') {
      p = markup_declaration(p);
    } else if (next == '?') {
      state_ = State::kBogus;
      return p + 1;
    } else {
      if (options_.text) builder_.text("<", false);
      ++p;
    }
    if (waiting_ || p == end_) return p;
  }
  return p;
}

// 13.2.5.7 end tag open state.
const char* HtmlScanner::end_tag_open(const char* p) {
  if (is_ascii_alpha(p[2])) return tag(p);
  if (p[2] == '>') return p + 3;
  state_ = State::kBogus;
  return p + 2;
}

// 13.2.5.42 markup declaration open state.
const char* HtmlScanner::markup_declaration(const char* p) {
  constexpr std::string_view kCdataOpen = "<![CDATA[";
  if (view(p, end_).size() < kCdataOpen.size() && !last_) return wait(p);
  if (view(p, end_).starts_with("<!--")) {
    const char* after = after_comment(p + 4, end_, p + 2, p + 4);
    if (after != nullptr) return after;
    if (last_) return end_;
    state_ = State::kComment;
    return wait(end_ - 3);
  }
  if (foreign_.in_foreign() && view(p, end_).starts_with(kCdataOpen)) {
    state_ = State::kCdata;
    return p + kCdataOpen.size();
  }
  // A DOCTYPE, too, ends at the first '>', even in quotes (13.2.5.53 to 13.2.5.68).
  state_ = State::kBogus;
  return p + 2;
}

const char* HtmlScanner::comment(const char* p) {
  const char* after = after_comment(p, end_, p, p);
  if (after != nullptr) {
    state_ = State::kData;
    return after;
  }
  return last_ ? end_ : wait(std::max(p, end_ - 3));
}

const char* HtmlScanner::bogus(const char* p) {
  const char* close = find_byte(p, end_, '>');
  if (close == end_) return end_;
  state_ = State::kData;
  return close + 1;
}

// 13.2.5.69 to 13.2.5.71 CDATA section states.
const char* HtmlScanner::cdata(const char* p) {
  for (const char* close = find_byte(p, end_, '>'); close < end_; close = find_byte(close + 1, end_, '>')) {
    if (close - p < 2 || close[-1] != ']' || close[-2] != ']') continue;
    if (options_.text) builder_.text(view(p, close - 2), /*references=*/false);
    state_ = State::kData;
    return close + 1;
  }
  const char* stop = last_ ? end_ : std::max(p, end_ - 2);
  const char* done = p + complete_text(view(p, stop), /*references=*/false);
  if (last_) done = end_;
  if (options_.text) builder_.text(view(p, done), /*references=*/false);
  return last_ ? end_ : wait(done);
}

// 13.2.5.8 tag name state and on: the tag at p, start or end.
const char* HtmlScanner::tag(const char* p) {
  tag_.is_end = p[1] == '/';
  const char* name = p + (tag_.is_end ? 2 : 1);
  const char* name_end = end_of_tag_name(name + 1, end_);
  if (name_end == end_) return last_ ? end_ : wait(p);
  // Where no text is kept, the end of an element means something in SVG and MathML alone.
  if (tag_.is_end && *name_end == '>' && !options_.text && foreign_.empty()) return name_end + 1;
  tag_.info = find_tag(view(name, name_end), end_);
  tag_.present = 0;
  tag_.self_closing = false;
  const char* after = name_end + 1;
  if (*name_end != '>') {
    const bool keep = !tag_.is_end && ((tag_.info->flags & kept_flags_) != 0 || !foreign_.empty());
    after = read_attributes(name_end, end_, tag_, keep);
    if (after == nullptr) return last_ ? end_ : wait(p);
  }
  if (tag_.is_end) {
    end_tag(view(name, name_end));
  } else {
    start_tag(view(name, name_end));
  }
  return after;
}

void HtmlScanner::start_tag(std::string_view name) {
  const std::uint16_t flags = tag_.info->flags;
  bool foreign = false;
  if ((flags & kTagForeign) != 0 || !foreign_.empty()) foreign = foreign_.start(tag_, name);
  if (!foreign && foreign_.empty()) used_.add(tag_.info);
  if (foreign && foreign_.in_math() && tag_.info->id != TagId::kA) builder_.math_tag(tag_);
  if ((flags & told_flags_) != 0) builder_.start_tag(tag_, foreign);
  if ((flags & kRawFlags) != 0 && !foreign) enter_raw();
}

void HtmlScanner::end_tag(std::string_view name) {
  if (!foreign_.empty()) foreign_.end(tag_, name, used_.has(tag_.info));
  if ((tag_.info->flags & told_flags_) != 0) builder_.end_tag(tag_);
}

void HtmlScanner::enter_raw() {
  raw_ = tag_.info;
  script_level_ = 0;
  const std::uint16_t flags = raw_->flags;
  state_ = (flags & kTagRcdata) != 0    ? State::kRcdata
           : (flags & kTagScript) != 0  ? State::kScript
           : (flags & kTagRawText) != 0 ? State::kRawText
                                        : State::kPlaintext;
}

// 13.2.5.9 to 13.2.5.14: RCDATA and RAWTEXT.
const char* HtmlScanner::raw_text(const char* p) {
  for (;;) {
    const char* lt = find_byte(p, end_, '<');
    p = raw_piece(p, lt);
    if (waiting_ || lt == end_) return p;
    const char* after = raw_end_tag(lt);
    if (waiting_ || state_ == State::kData) return after;
    p = raw_piece(lt, lt + 1);
  }
}

// 13.2.5.15 to 13.2.5.31: script data, in which "<!--" hides the end tag of a script that is begun behind it.
const char* HtmlScanner::script(const char* p) {
  constexpr std::ptrdiff_t kLongestMark = 9;  // "</script>"
  const auto mark = [&](std::string_view name) {
    return starts_ignoring_case(view(p, end_), name) && p + name.size() < end_ &&
           ends_tag_name(p[name.size()]);
  };
  for (;;) {
    p = script_level_ == 0 ? find_byte(p, end_, '<') : find_either(p, end_, '<', '-');
    if (p == end_) return end_;
    if (end_ - p < kLongestMark && !last_) return wait(p);
    if (*p == '-') {
      const bool leaves = view(p, end_).starts_with("-->");
      if (leaves) script_level_ = 0;
      p += leaves ? 3 : 1;
    } else if (script_level_ == 0 && view(p, end_).starts_with("<!--")) {
      script_level_ = 1;
      p += 2;  // its dashes may already be those of "-->"
    } else if (script_level_ == 1 && mark("<script")) {
      script_level_ = 2;
      ++p;
    } else if (script_level_ == 2 && mark("</script")) {
      script_level_ = 1;
      ++p;
    } else {
      const char* after = script_level_ < 2 ? raw_end_tag(p) : p;
      if (waiting_ || state_ == State::kData) return after;
      ++p;
    }
  }
}

// The end tag of raw_ at `lt`: if it is there, state_ becomes kData and what follows it is returned.
const char* HtmlScanner::raw_end_tag(const char* lt) {
  const std::string_view name = raw_->name;
  const std::string_view rest = view(lt, end_);
  if (rest.size() < name.size() + 3) return last_ ? lt : wait(lt);
  if (rest[1] != '/' || !starts_ignoring_case(rest.substr(2), name)) return lt;
  const char* name_end = lt + 2 + name.size();
  if (!ends_tag_name(*name_end)) return lt;
  tag_.info = raw_;
  tag_.is_end = true;
  const char* after = read_attributes(name_end, end_, tag_, /*keep=*/false);
  if (after == nullptr && !last_) return wait(lt);
  state_ = State::kData;
  if (raw_->id == TagId::kTitle) builder_.end_of_title();
  end_tag(name);
  return after == nullptr ? end_ : after;
}

// Visible text in [p, stop). Returns stop, or where a reference or character begins that the end cuts.
const char* HtmlScanner::visible(const char* p, const char* stop, bool references) {
  const char* done = stop;
  if (stop == end_ && !last_) done = p + complete_text(view(p, stop), references);
  if (options_.text) builder_.text(view(p, done), references);
  return done == stop ? stop : wait(done);
}

// The same for the text of raw_, where it is of use.
const char* HtmlScanner::raw_piece(const char* p, const char* stop) {
  const bool references = state_ == State::kRcdata;
  if ((raw_->flags & kTagVisible) != 0) return visible(p, stop, references);
  if (raw_->id != TagId::kTitle || !builder_.wants_title()) return stop;
  const char* done = stop;
  if (stop == end_ && !last_) done = p + complete_text(view(p, stop), references);
  builder_.title(view(p, done));
  return done == stop ? stop : wait(done);
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
