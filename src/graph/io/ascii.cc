#include "graph/io/ascii.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/units.h"
#include "graph/io/digits.h"
#include "graph/io/row_writer.h"
#include "sys/line_reader.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kAsciiRowsPerTick = 1 << 15;
// A line has at most a link to every page, "4294967279:4294967295 " each, and perhaps extra blanks.
constexpr std::size_t kLongestLink = 22;
constexpr std::size_t kSpareLine = 1 << 20;

class AsciiReader {
 public:
  AsciiReader(InputStream& in, const Progress& progress)
      : in_(in), lines_(in, kSpareLine), progress_(progress) {}

  Result<CsrGraph> read() {
    BB_TRY_VOID(read_count());
    // A page takes at least one byte, so the size of an uncompressed file limits the number of pages.
    const bool plain = in_.compression() == Compression::kNone && in_.stored_size() > 0;
    if (plain && pages_ > in_.stored_size()) return too_few(0);
    lines_.set_longest_line(std::min(LineReader::kDefaultLimit, kSpareLine + pages_ * kLongestLink));
    CsrBuilder builder(std::min(pages_, in_.stored_size() / 4));
    std::string_view line;
    for (std::uint64_t page = 0; page < pages_; ++page) {
      BB_TRY(const bool more, lines_.next(line));
      if (!more) return too_few(page);
      BB_TRY_VOID(parse_row(line));
      builder.add(row_, weights_);
      if (page % kAsciiRowsPerTick == 0 && !progress_.tick("reading", in_.position(), in_.stored_size())) {
        return error("{}: stopped while reading", in_.name());
      }
    }
    BB_TRY_VOID(expect_end());
    return std::move(builder).finish();
  }

 private:
  Status read_count() {
    std::string_view line;
    BB_TRY(const bool more, lines_.next(line));
    if (!more)
      return error("{}: the file is empty; the first line should be the number of pages", in_.name());
    std::string_view rest = line;
    skip_blanks(rest);
    const bool number = take_number(rest, pages_);
    skip_blanks(rest);
    if (!number || !rest.empty()) {
      return error("{}: the first line should be the number of pages, but it is '{}'", in_.name(),
                   excerpt(line));
    }
    if (pages_ > kMaxPages) {
      return error("{}: line 1 announces {} pages; at most {} are possible", in_.name(), format_count(pages_),
                   format_count(kMaxPages));
    }
    return {};
  }

  // Parses the successors on one line into row_, and weights_ if there are any.
  Status parse_row(std::string_view line) {
    row_.clear();
    weights_.clear();
    std::string_view rest = line;
    for (;;) {
      skip_blanks(rest);
      if (rest.empty()) return {};
      std::uint64_t id = 0;
      if (!take_number(rest, id)) return unreadable(line, rest);
      if (id >= pages_) {
        return error("{}: a link to page {}, but there are only {} pages (0 to {})", lines_.where(), id,
                     pages_, pages_ - 1);
      }
      row_.push_back(static_cast<PageId>(id));
      if (weighted_ == Weighted::kUnknown) {
        weighted_ = rest.starts_with(':') ? Weighted::kYes : Weighted::kNo;
      }
      if (weighted_ == Weighted::kYes) BB_TRY_VOID(parse_weight(line, rest));
      if (!rest.empty() && !is_blank(rest.front())) return unreadable(line, rest);
    }
  }

  Status parse_weight(std::string_view line, std::string_view& rest) {
    if (!rest.starts_with(':')) {
      return error("{}: column {}: a link without a weight in a file whose first link has one",
                   lines_.where(), line.size() - rest.size() + 1);
    }
    rest.remove_prefix(1);
    std::uint64_t weight = 0;
    if (!take_number(rest, weight)) return unreadable(line, rest);
    if (weight > std::numeric_limits<std::uint32_t>::max()) {
      return error("{}: weight {} is too large (at most {})", lines_.where(), weight,
                   std::numeric_limits<std::uint32_t>::max());
    }
    weights_.push_back(static_cast<std::uint32_t>(weight));
    return {};
  }

  Error unreadable(std::string_view line, std::string_view rest) const {
    return error("{}: column {}: expected a page id{}, found '{}'", lines_.where(),
                 line.size() - rest.size() + 1, weighted_ == Weighted::kYes ? ":weight" : "", excerpt(rest));
  }

  Error too_few(std::uint64_t found) const {
    if (found == 0) {
      return error("{}: line 1 announces {} pages, more than the file has room for", in_.name(),
                   format_count(pages_));
    }
    return error("{}: ends after {} of the {} pages that its first line announces", in_.name(),
                 format_count(found), format_count(pages_));
  }

  Status expect_end() {
    std::string_view line;
    for (;;) {
      BB_TRY(const bool more, lines_.next(line));
      if (!more) return {};
      skip_blanks(line);
      if (!line.empty()) {
        return error("{}: there are more lines than the {} pages that the first line announces",
                     lines_.where(), format_count(pages_));
      }
    }
  }

  enum class Weighted { kUnknown, kNo, kYes };

  InputStream& in_;
  LineReader lines_;
  const Progress& progress_;
  std::uint64_t pages_ = 0;
  Weighted weighted_ = Weighted::kUnknown;
  std::vector<PageId> row_;
  std::vector<std::uint32_t> weights_;
};

}  // namespace

Result<CsrGraph> read_ascii(InputStream& in, const Progress& progress) {
  return AsciiReader(in, progress).read();
}

Status write_ascii(const Graph& graph, ByteSink& out, const Progress& progress) {
  const auto append = [](PageId, std::span<const PageId> links, const std::uint32_t* weights,
                         std::string& text) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (i > 0) text += ' ';
      append_number(text, links[i]);
      if (weights == nullptr) continue;
      text += ':';
      append_number(text, weights[i]);
    }
    text += '\n';
  };
  return write_rows(graph, fmt::format("{}\n", graph.pages()), out, progress, append);
}

}  // namespace bowerbird
