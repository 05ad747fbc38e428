#include "graph/io/edge_list.h"

#include <algorithm>
#include <limits>

#include "base/units.h"
#include "graph/io/digits.h"
#include "graph/io/row_writer.h"
#include "sys/line_reader.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kLinesPerTick = 1 << 17;
constexpr std::size_t kLongestLine = 1 << 20;

void skip_separator(std::string_view& text) {
  skip_blanks(text);
  if (!text.starts_with(',')) return;
  text.remove_prefix(1);
  skip_blanks(text);
}

bool begins_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with('%');
}

// All links as pairs of ids, in the order of the file.
class EdgeListReader {
 public:
  EdgeListReader(InputStream& in, bool relabel, const Progress& progress)
      : in_(in), lines_(in, kLongestLine), relabel_(relabel), progress_(progress) {}

  Result<EdgeList> read() {
    std::string_view line;
    for (;;) {
      BB_TRY(const bool more, lines_.next(line));
      if (!more) break;
      BB_TRY_VOID(parse(line));
      if (lines_.line_number() % kLinesPerTick == 0 &&
          !progress_.tick("reading", in_.position(), in_.stored_size())) {
        return error("{}: stopped while reading", in_.name());
      }
    }
    BB_TRY_VOID(check_whole());
    EdgeList list;
    if (relabel_) BB_TRY_VOID(renumber(list.original_ids));
    BB_TRY(const PageId pages, count_pages(list.original_ids.size()));
    list.graph = build(pages);
    return list;
  }

 private:
  Status parse(std::string_view line) {
    std::string_view rest = line;
    skip_blanks(rest);
    if (rest.empty()) return {};
    if (begins_comment(rest)) {
      note_comment(rest);
      return {};
    }
    if (lines_.line_number() == 1 && is_heading(rest)) return {};
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    if (!take_number(rest, from)) return unreadable(line, rest, "a page id");
    const std::size_t before = rest.size();
    skip_separator(rest);
    if (rest.size() == before || !take_number(rest, to)) return unreadable(line, rest, "a second page id");
    BB_TRY_VOID(parse_weight(line, rest));
    return add(from, to);
  }

  Status parse_weight(std::string_view line, std::string_view rest) {
    const std::size_t before = rest.size();
    skip_separator(rest);
    const bool found = !rest.empty();
    if (found && rest.size() == before) return unreadable(line, rest, "a blank or the end of the line");
    if (links_ == 0) weighted_ = found;
    if (found != weighted_) {
      return error("{}: this link has {} weight, unlike those before it", lines_.where(), found ? "a" : "no");
    }
    if (!found) return {};
    std::uint64_t weight = 0;
    if (!take_number(rest, weight)) return unreadable(line, rest, "a weight (a whole number)");
    skip_blanks(rest);
    if (!rest.empty()) return unreadable(line, rest, "the end of the line");
    if (weight > std::numeric_limits<std::uint32_t>::max()) {
      return error("{}: weight {} is too large (at most {})", lines_.where(), weight,
                   std::numeric_limits<std::uint32_t>::max());
    }
    weights_.push_back(static_cast<std::uint32_t>(weight));
    return {};
  }

  Status add(std::uint64_t from, std::uint64_t to) {
    ++links_;
    if (relabel_) {
      sparse_.push_back(from);
      sparse_.push_back(to);
      return {};
    }
    const std::uint64_t larger = std::max(from, to);
    if (larger >= kMaxPages) return sparse_ids(larger, lines_.line_number());
    if (larger + 1 > pages_) {
      pages_ = larger + 1;
      pages_line_ = lines_.line_number();
    }
    links_packed_.push_back(from << 32 | to);
    return {};
  }

  // "Nodes: 875713 Edges: 5105039" gives the minimum number of pages and the number of lines with links.
  void note_comment(std::string_view comment) {
    if (announced_ == 0 && number_behind(comment, "Nodes:", announced_))
      announced_line_ = lines_.line_number();
    if (announced_links_ == 0) number_behind(comment, "Edges:", announced_links_);
  }

  static bool number_behind(std::string_view comment, std::string_view word, std::uint64_t& number) {
    const std::size_t at = comment.find(word);
    if (at == std::string_view::npos) return false;
    comment.remove_prefix(at + word.size());
    skip_blanks(comment);
    return take_number(comment, number);
  }

  Status check_whole() const {
    if (links_ >= announced_links_) return {};
    return error(
        "{}: has {} links, but its heading says {}: it seems to be truncated (if not, remove "
        "\"Edges:\" from the heading)",
        in_.name(), format_count(links_), format_count(announced_links_));
  }

  static bool is_heading(std::string_view line) {
    const char c = line.front();
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '"';
  }

  Result<PageId> count_pages(std::size_t relabelled) {
    if (relabel_) return static_cast<PageId>(relabelled);
    if (announced_ > pages_) {
      pages_ = announced_;
      pages_line_ = announced_line_;
    }
    if (pages_ > kMaxPages || pages_ > kEdgeListFreePages + kEdgeListPagesPerLink * links_) {
      return sparse_ids(pages_ - 1, pages_line_);
    }
    return static_cast<PageId>(pages_);
  }

  Status renumber(std::vector<std::uint64_t>& ids) {
    ids = sparse_;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    ids.shrink_to_fit();
    if (ids.size() > kMaxPages)
      return error("{}: has {} pages; at most {} are possible", in_.name(), ids.size(), kMaxPages);
    auto page_of = [&](std::uint64_t id) {
      return static_cast<std::uint64_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    };
    links_packed_.reserve(links_);
    for (std::size_t i = 0; i < sparse_.size(); i += 2) {
      links_packed_.push_back(page_of(sparse_[i]) << 32 | page_of(sparse_[i + 1]));
    }
    sparse_ = {};
    return {};
  }

  // Sorts the links into rows by counting; CsrBuilder sorts each row.
  CsrGraph build(PageId pages) {
    std::vector<std::uint64_t> next(std::size_t{pages} + 1, 0);
    for (const std::uint64_t link : links_packed_) ++next[(link >> 32) + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    std::vector<PageId> targets(links_);
    std::vector<std::uint32_t> weights(weights_.size());
    for (std::size_t i = 0; i < links_packed_.size(); ++i) {
      const std::uint64_t place = next[links_packed_[i] >> 32]++;
      targets[place] = static_cast<PageId>(links_packed_[i]);
      if (weighted_) weights[place] = weights_[i];
    }
    links_packed_ = {};
    weights_ = {};
    CsrBuilder builder(pages, links_);
    std::uint64_t begin = 0;  // next[page] is now where the row of page ends
    for (PageId page = 0; page < pages; ++page) {
      const std::uint64_t size = next[page] - begin;
      const std::span<const std::uint32_t> row_weights(weights.data() + (weighted_ ? begin : 0),
                                                       weighted_ ? size : 0);
      builder.add(std::span(targets.data() + begin, size), row_weights);
      begin = next[page];
    }
    return std::move(builder).finish();
  }

  Error unreadable(std::string_view line, std::string_view rest, std::string_view expected) const {
    return error("{}: column {}: expected {}, found '{}'", lines_.where(), line.size() - rest.size() + 1,
                 expected, excerpt(rest));
  }

  Error sparse_ids(std::uint64_t id, std::uint64_t line) const {
    return error(
        "{}: line {}: page id {} in a list of {} links: the ids are not dense numbers from 0 on; "
        "use --relabel to renumber the pages",
        in_.name(), line, id, format_count(links_));
  }

  InputStream& in_;
  LineReader lines_;
  bool relabel_;
  const Progress& progress_;

  std::uint64_t links_ = 0;
  bool weighted_ = false;
  std::vector<std::uint64_t> links_packed_;  // source in the upper half, target in the lower
  std::vector<std::uint64_t> sparse_;        // source, target, source, target ... when relabelling
  std::vector<std::uint32_t> weights_;
  std::uint64_t pages_ = 0;
  std::uint64_t pages_line_ = 0;
  std::uint64_t announced_ = 0;
  std::uint64_t announced_line_ = 0;
  std::uint64_t announced_links_ = 0;
};

}  // namespace

Result<EdgeList> read_edge_list(InputStream& in, const EdgeListOptions& options, const Progress& progress) {
  return EdgeListReader(in, options.relabel, progress).read();
}

Status write_edge_list(const Graph& graph, ByteSink& out, const Progress& progress) {
  std::string title = fmt::format("# Nodes: {}", graph.pages());
  if (graph.links()) title += fmt::format(" Edges: {}", *graph.links());
  title +=
      weighted_graph(graph) != nullptr ? "\n# FromNodeId\tToNodeId\tWeight\n" : "\n# FromNodeId\tToNodeId\n";
  std::string from;
  const auto append = [&from](PageId page, std::span<const PageId> links, const std::uint32_t* weights,
                              std::string& text) {
    from.clear();
    append_number(from, page);
    from += '\t';
    for (std::size_t i = 0; i < links.size(); ++i) {
      text += from;
      append_number(text, links[i]);
      if (weights != nullptr) {
        text += '\t';
        append_number(text, weights[i]);
      }
      text += '\n';
    }
  };
  return write_rows(graph, std::move(title), out, progress, append);
}

}  // namespace bowerbird
