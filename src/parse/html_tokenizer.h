// Splits an HTML page into tags and text like the tokenizer of the HTML standard (13.2.5), and passes them to
// a sink: PageBuilder collects links and text for the crawler, TreeBuilder builds a tree for text extraction.
//
// Scripts do not run, so <noscript> contains markup (13.2.6.4.7, scripting disabled). Input is decoded as
// UTF-8, whole or in pieces; the result does not depend on how it is split. Between pieces only an incomplete
// tag, reference or character is kept, and no byte is read more than a constant number of times. Views passed
// to the sink are valid during the call. Threads: one user at a time.
//
// A Sink has:
//   bool wants_text() const                       text
//   bool wants_end_tags() const                   the end tags of HTML elements
//   bool reads_attributes(const TagInfo&) const   whether attributes of such start tags are read
//   bool hears(const TagInfo&) const              whether it is called for such tags
//   void start_tag(const HtmlTag&, bool foreign)  foreign: the element is of SVG or MathML
//   void end_tag(const HtmlTag&)
//   void math_tag(const HtmlTag&)                 an element of MathML but <a>, before start_tag
//   void text(std::string_view raw, bool references)
//   bool wants_raw_text(const TagInfo&) const     the text of <script>, <style>, <title> and their kind
//   void raw_text(const TagInfo&, std::string_view raw, bool references)
//   void end_raw_text(const TagInfo&)
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "parse/html_find.h"
#include "parse/html_foreign.h"
#include "parse/html_tag.h"
#include "parse/html_text.h"

namespace bowerbird {

template <typename Sink>
class HtmlTokenizer {
 public:
  Sink& sink() { return sink_; }

  // begin(), then feed() in pieces, then finish(). Bytes past `max_bytes` are ignored.
  void begin(std::size_t max_bytes);
  void feed(std::string_view piece);
  void finish();
  // A whole page at once: begin, feed and finish, without a copy of the bytes.
  void scan(std::string_view html, std::size_t max_bytes);

  // Whether bytes were ignored.
  bool truncated() const { return truncated_; }

 private:
  // The tokenizer state at the next byte.
  enum class State : unsigned char {
    kData,
    kRawText,    // up to the end tag of raw_: no references
    kRcdata,     // up to the end tag of raw_: references
    kScript,     // up to </script>
    kPlaintext,  // to the end
    kComment,    // up to "-->" or "--!>"
    kBogus,      // bogus comment, DOCTYPE: up to '>'
    kCdata,      // up to "]]>"
  };

  // Each reads from p as far as [p, end_) allows and returns its new position, or by wait() the beginning of
  // what cannot be read without more bytes (never if last_ is set).
  const char* run(const char* p);
  const char* data(const char* p);
  const char* tag(const char* p);
  const char* end_tag_open(const char* p);
  const char* markup_declaration(const char* p);
  const char* raw_text(const char* p);
  const char* raw_end_tag(const char* lt);
  const char* raw_piece(const char* p, const char* stop);
  const char* script(const char* p);
  const char* comment(const char* p);
  const char* bogus(const char* p);
  const char* cdata(const char* p);
  const char* visible(const char* p, const char* stop, bool references);
  const char* wait(const char* p) {
    waiting_ = true;
    return p;
  }

  std::string_view within_limit(std::string_view piece);
  void start_tag();
  void end_tag();
  void enter_raw();

  Sink sink_;
  ForeignContent foreign_;
  TagNames used_;  // outside SVG and MathML
  HtmlTag tag_;
  State state_ = State::kData;
  const TagInfo* raw_ = nullptr;  // the element whose raw text is being read
  int script_level_ = 0;          // 0 script data, 1 escaped, 2 double escaped
  const char* end_ = nullptr;
  bool last_ = false;
  bool waiting_ = false;  // run() stopped because it needs more bytes
  std::size_t room_ = 0;  // bytes that may still be read
  bool truncated_ = false;
  std::string pending_;       // fed, not yet read
  std::size_t retry_at_ = 0;  // size of pending_ at which reading is tried again
};

inline std::string_view html_view(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

// The position after the comment that is open at p, or null (13.2.5.43 to 13.2.5.51). The dashes of "-->" may
// begin at `dashes`, those of "--!>" at `bang`: in "<!-->" the opening dashes count, in "<!--!>" they do not.
inline const char* after_comment(const char* p, const char* end, const char* dashes, const char* bang) {
  for (;;) {
    const char* close = find_byte(p, end, '>');
    if (close == end) return nullptr;
    if (close - dashes >= 2 && close[-1] == '-' && close[-2] == '-') return close + 1;
    if (close - bang >= 3 && close[-1] == '!' && close[-2] == '-' && close[-3] == '-') return close + 1;
    p = close + 1;
  }
}

template <typename Sink>
void HtmlTokenizer<Sink>::begin(std::size_t max_bytes) {
  foreign_.clear();
  used_.clear();
  state_ = State::kData;
  last_ = false;
  room_ = max_bytes;
  truncated_ = false;
  pending_.clear();
  retry_at_ = 0;
}

template <typename Sink>
std::string_view HtmlTokenizer<Sink>::within_limit(std::string_view piece) {
  if (piece.size() > room_) {
    truncated_ = true;
    piece = piece.substr(0, room_);
  }
  room_ -= piece.size();
  return piece;
}

template <typename Sink>
void HtmlTokenizer<Sink>::scan(std::string_view html, std::size_t max_bytes) {
  begin(max_bytes);
  html = within_limit(html);
  last_ = true;
  end_ = html.data() + html.size();
  run(html.data());
}

template <typename Sink>
void HtmlTokenizer<Sink>::feed(std::string_view piece) {
  piece = within_limit(piece);
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

template <typename Sink>
void HtmlTokenizer<Sink>::finish() {
  last_ = true;
  end_ = pending_.data() + pending_.size();
  run(pending_.data());
}

template <typename Sink>
const char* HtmlTokenizer<Sink>::run(const char* p) {
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
template <typename Sink>
const char* HtmlTokenizer<Sink>::data(const char* p) {
  while (state_ == State::kData) {
    const char* lt = find_byte(p, end_, '<');
    if (sink_.wants_text() && lt > p) {
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
      if (sink_.wants_text()) sink_.text("<", false);
      ++p;
    }
    if (waiting_ || p == end_) return p;
  }
  return p;
}

// 13.2.5.7 end tag open state.
template <typename Sink>
const char* HtmlTokenizer<Sink>::end_tag_open(const char* p) {
  if (is_ascii_alpha(p[2])) return tag(p);
  if (p[2] == '>') return p + 3;
  state_ = State::kBogus;
  return p + 2;
}

// 13.2.5.42 markup declaration open state.
template <typename Sink>
const char* HtmlTokenizer<Sink>::markup_declaration(const char* p) {
  constexpr std::string_view kCdataOpen = "<![CDATA[";
  if (html_view(p, end_).size() < kCdataOpen.size() && !last_) return wait(p);
  if (html_view(p, end_).starts_with("<!--")) {
    const char* after = after_comment(p + 4, end_, p + 2, p + 4);
    if (after != nullptr) return after;
    if (last_) return end_;
    state_ = State::kComment;
    return wait(end_ - 3);
  }
  if (foreign_.in_foreign() && html_view(p, end_).starts_with(kCdataOpen)) {
    state_ = State::kCdata;
    return p + kCdataOpen.size();
  }
  // A DOCTYPE, too, ends at the first '>', even in quotes (13.2.5.53 to 13.2.5.68).
  state_ = State::kBogus;
  return p + 2;
}

template <typename Sink>
const char* HtmlTokenizer<Sink>::comment(const char* p) {
  const char* after = after_comment(p, end_, p, p);
  if (after != nullptr) {
    state_ = State::kData;
    return after;
  }
  return last_ ? end_ : wait(std::max(p, end_ - 3));
}

template <typename Sink>
const char* HtmlTokenizer<Sink>::bogus(const char* p) {
  const char* close = find_byte(p, end_, '>');
  if (close == end_) return end_;
  state_ = State::kData;
  return close + 1;
}

// 13.2.5.69 to 13.2.5.71 CDATA section states.
template <typename Sink>
const char* HtmlTokenizer<Sink>::cdata(const char* p) {
  for (const char* close = find_byte(p, end_, '>'); close < end_; close = find_byte(close + 1, end_, '>')) {
    if (close - p < 2 || close[-1] != ']' || close[-2] != ']') continue;
    if (sink_.wants_text()) sink_.text(html_view(p, close - 2), /*references=*/false);
    state_ = State::kData;
    return close + 1;
  }
  const char* stop = last_ ? end_ : std::max(p, end_ - 2);
  const char* done = p + complete_text(html_view(p, stop), /*references=*/false);
  if (last_) done = end_;
  if (sink_.wants_text()) sink_.text(html_view(p, done), /*references=*/false);
  return last_ ? end_ : wait(done);
}

// 13.2.5.8 tag name state and on: the tag at p, start or end.
template <typename Sink>
const char* HtmlTokenizer<Sink>::tag(const char* p) {
  tag_.is_end = p[1] == '/';
  const char* name = p + (tag_.is_end ? 2 : 1);
  const char* name_end = end_of_tag_name(name + 1, end_);
  if (name_end == end_) return last_ ? end_ : wait(p);
  // Otherwise end tags matter only in SVG and MathML.
  if (tag_.is_end && *name_end == '>' && !sink_.wants_end_tags() && foreign_.empty()) return name_end + 1;
  tag_.name = html_view(name, name_end);
  tag_.info = find_tag(tag_.name, end_);
  tag_.present = 0;
  tag_.self_closing = false;
  const char* after = name_end + 1;
  if (*name_end != '>') {
    const bool keep = !tag_.is_end && (sink_.reads_attributes(*tag_.info) || !foreign_.empty());
    after = read_attributes(name_end, end_, tag_, keep);
    if (after == nullptr) return last_ ? end_ : wait(p);
  }
  if (tag_.is_end) {
    end_tag();
  } else {
    start_tag();
  }
  return after;
}

template <typename Sink>
void HtmlTokenizer<Sink>::start_tag() {
  const std::uint16_t flags = tag_.info->flags;
  bool foreign = false;
  if ((flags & kTagForeign) != 0 || !foreign_.empty()) foreign = foreign_.start(tag_, tag_.name);
  if (!foreign && foreign_.empty()) used_.add(tag_.info);
  if (foreign && foreign_.in_math() && tag_.info->id != TagId::kA) sink_.math_tag(tag_);
  if (sink_.hears(*tag_.info)) sink_.start_tag(tag_, foreign);
  constexpr std::uint16_t kRawFlags = kTagRawText | kTagRcdata | kTagScript | kTagPlaintext;
  if ((flags & kRawFlags) != 0 && !foreign) enter_raw();
}

template <typename Sink>
void HtmlTokenizer<Sink>::end_tag() {
  if (!foreign_.empty()) foreign_.end(tag_, tag_.name, used_.has(tag_.info));
  if (sink_.hears(*tag_.info)) sink_.end_tag(tag_);
}

template <typename Sink>
void HtmlTokenizer<Sink>::enter_raw() {
  raw_ = tag_.info;
  script_level_ = 0;
  const std::uint16_t flags = raw_->flags;
  state_ = (flags & kTagRcdata) != 0    ? State::kRcdata
           : (flags & kTagScript) != 0  ? State::kScript
           : (flags & kTagRawText) != 0 ? State::kRawText
                                        : State::kPlaintext;
}

// 13.2.5.9 to 13.2.5.14: RCDATA and RAWTEXT.
template <typename Sink>
const char* HtmlTokenizer<Sink>::raw_text(const char* p) {
  for (;;) {
    const char* lt = find_byte(p, end_, '<');
    p = raw_piece(p, lt);
    if (waiting_ || lt == end_) return p;
    const char* after = raw_end_tag(lt);
    if (waiting_ || state_ == State::kData) return after;
    p = raw_piece(lt, lt + 1);
  }
}

// 13.2.5.15 to 13.2.5.31: script data, in which "<!--" hides the end tag of a script that begins after it.
template <typename Sink>
const char* HtmlTokenizer<Sink>::script(const char* p) {
  constexpr std::ptrdiff_t kLongestMark = 9;  // "</script>"
  const auto mark = [&](std::string_view name) {
    return starts_ignoring_case(html_view(p, end_), name) && p + name.size() < end_ &&
           ends_tag_name(p[name.size()]);
  };
  const char* unsent = p;
  for (;;) {
    p = script_level_ == 0 ? find_byte(p, end_, '<') : find_either(p, end_, '<', '-');
    if (sink_.wants_raw_text(*raw_)) sink_.raw_text(*raw_, html_view(unsent, p), /*references=*/false);
    unsent = p;
    if (p == end_) return end_;
    if (end_ - p < kLongestMark && !last_) return wait(p);
    if (*p == '-') {
      const bool leaves = html_view(p, end_).starts_with("-->");
      if (leaves) script_level_ = 0;
      p += leaves ? 3 : 1;
    } else if (script_level_ == 0 && html_view(p, end_).starts_with("<!--")) {
      script_level_ = 1;
      p += 2;  // its dashes may be part of "-->"
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

// The end tag of raw_ at `lt`: if it is there, state_ becomes kData and the position after it is returned.
template <typename Sink>
const char* HtmlTokenizer<Sink>::raw_end_tag(const char* lt) {
  const std::string_view name = raw_->name;
  const std::string_view rest = html_view(lt, end_);
  if (rest.size() < name.size() + 3) return last_ ? lt : wait(lt);
  if (rest[1] != '/' || !starts_ignoring_case(rest.substr(2), name)) return lt;
  const char* name_end = lt + 2 + name.size();
  if (!ends_tag_name(*name_end)) return lt;
  tag_.name = name;
  tag_.info = raw_;
  tag_.is_end = true;
  const char* after = read_attributes(name_end, end_, tag_, /*keep=*/false);
  if (after == nullptr && !last_) return wait(lt);
  state_ = State::kData;
  sink_.end_raw_text(*raw_);
  end_tag();
  return after == nullptr ? end_ : after;
}

// Visible text in [p, stop). Returns stop, or the beginning of an incomplete reference or character.
template <typename Sink>
const char* HtmlTokenizer<Sink>::visible(const char* p, const char* stop, bool references) {
  const char* done = stop;
  if (stop == end_ && !last_) done = p + complete_text(html_view(p, stop), references);
  if (sink_.wants_text()) sink_.text(html_view(p, done), references);
  return done == stop ? stop : wait(done);
}

// The same for the text of raw_, if the sink wants it.
template <typename Sink>
const char* HtmlTokenizer<Sink>::raw_piece(const char* p, const char* stop) {
  if (!sink_.wants_raw_text(*raw_)) return stop;
  const bool references = state_ == State::kRcdata;
  const char* done = stop;
  if (stop == end_ && !last_) done = p + complete_text(html_view(p, stop), references);
  sink_.raw_text(*raw_, html_view(p, done), references);
  return done == stop ? stop : wait(done);
}

}  // namespace bowerbird
