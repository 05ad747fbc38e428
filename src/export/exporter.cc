#include "export/exporter.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/hash.h"
#include "base/ordered_work.h"
#include "export/link_graph.h"
#include "export/near_duplicates.h"
#include "parse/page_links.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

// Why a page that was read is not written.
enum class Verdict : std::uint8_t { kWrite, kUnreadable, kOtherType, kLanguage, kShort, kOptedOut };

struct MadeDocument {
  Verdict verdict = Verdict::kWrite;
  std::string url;
  std::string bytes;
  TextFingerprint fingerprint;
};

bool needs_graph(const ExportOptions& options) {
  if (options.selection.top > 0) return true;
  const std::string& name = options.format.name;
  if (name != "jsonl" && name != "csv" && name != "bulk") return false;
  const FieldList& fields = options.format.fields;
  return std::any_of(fields.begin(), fields.end(), [](const DocumentField* field) {
    return field->name == "pagerank" || field->name == "in_links" || field->name == "depth";
  });
}

class Exporter {
 public:
  Exporter(CaptureSource& source, const ExportOptions& options, const Progress& progress)
      : source_(source), options_(options), progress_(progress), workers_(std::max(options.threads, 1u)) {
    for (Worker& worker : workers_) worker.format = make_format(options.format);
  }

  Result<ExportCounts> run(const std::vector<std::string>& paths) {
    BB_TRY(ListedRecords listed, list_records(source_, options_.selection, progress_));
    records_ = std::move(listed.records);
    counts_.not_selected = listed.not_selected;
    counts_.other_types = listed.other_types;
    counts_.older = listed.older;
    counts_.duplicates = listed.duplicates;
    counts_.unreadable = listed.missing_payloads;
    if (needs_graph(options_)) BB_TRY_VOID(read_graph(paths));
    if (options_.selection.top > 0) sort_by_rank();
    BB_TRY_VOID(write_all());
    return counts_;
  }

 private:
  static constexpr std::size_t kWindow = 64;  // pages that wait for their turn

  struct Worker {
    Document document;
    std::unique_ptr<Format> format;
  };

  RecordAddress address(std::uint32_t file, std::uint64_t offset) const {
    return {source_.files()[file].path, offset};
  }
  // Damage is counted like what cannot be decoded.
  Document::Outcome read(Document& document, const ListedRecord& record) const {
    const auto outcome = document.read(address(record.file, record.offset),
                                       address(record.payload_file, record.payload_offset));
    return outcome.ok() ? *outcome : Document::Outcome::kUnreadable;
  }

  // ---- the link graph

  Status read_graph(const std::vector<std::string>& paths) {
    graph_ = std::make_unique<LinkGraph>();
    bool is_crawl = false;
    for (const std::string& path : paths) {
      for (const std::string& folder : crawl_folders(path)) {
        BB_TRY_VOID(add_crawl(folder, *graph_, progress_));
        is_crawl = true;
      }
    }
    if (!is_crawl) BB_TRY_VOID(read_page_links());
    return graph_->finish(progress_);
  }

  // WARC files have no graph of their own: that of the links of the pages that are exported.
  Status read_page_links() {
    for (const ListedRecord& record : records_) graph_->page(record.url_hash);
    return ordered_work(
        records_.size(), static_cast<unsigned>(workers_.size()), kWindow,
        [&](unsigned worker, std::uint64_t i) { return links_of(workers_[worker].document, records_[i]); },
        [&](std::uint64_t i, const std::vector<std::uint64_t>& hashes) -> Result<bool> {
          if (i % 64 == 0 && !progress_.tick("reading links", i, records_.size())) return error("stopped");
          std::vector<PageId> to;
          for (const std::uint64_t hash : hashes) to.push_back(graph_->page(hash));
          graph_->add_links(graph_->page(records_[i].url_hash), std::move(to));
          return true;
        });
  }

  // The hashes of the URLs that a page links to.
  std::vector<std::uint64_t> links_of(Document& document, const ListedRecord& record) const {
    std::vector<std::uint64_t> hashes;
    if (read(document, record) != Document::Outcome::kPage) return hashes;
    const HtmlPage& page = document.page();
    Url storage, to;
    const Url& base = document_base(page, document.url(), storage);
    for (const HtmlLink& link : page.links) {
      if (link.is_requisite() || (link.rel & kRelNofollow) != 0) continue;
      if (canonical_url(page.href(link), &base, to, {}, page.query_encoding(link)) == UrlFault::kNone)
        hashes.push_back(hash64(to.text()));
    }
    return hashes;
  }

  void sort_by_rank() {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < records_.size(); ++i)
      order.emplace_back(graph_->numbers(records_[i].url_hash).pagerank.value_or(0), i);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.first > b.first || (a.first == b.first && a.second < b.second);
    });
    std::vector<ListedRecord> sorted;
    for (const auto& [rank, i] : order) sorted.push_back(records_[i]);
    records_ = std::move(sorted);
  }

  // ---- documents

  Verdict judge(Document& document) const {
    const Selection& wanted = options_.selection;
    if (wanted.min_words > 0 && document.words() < wanted.min_words) return Verdict::kShort;
    const std::vector<std::string>& languages = wanted.languages;
    if (!languages.empty() &&
        std::find(languages.begin(), languages.end(), document.facts().language) == languages.end())
      return Verdict::kLanguage;
    const OptOuts& out = document.facts().opt_outs;
    if (wanted.respect_noarchive && out.noarchive) return Verdict::kOptedOut;
    if (wanted.skip_opted_out && (out.noindex || out.noarchive || out.noai || out.tdm_reserved))
      return Verdict::kOptedOut;
    return Verdict::kWrite;
  }

  MadeDocument make(Worker& worker, const ListedRecord& record) const {
    MadeDocument made;
    Document& document = worker.document;
    switch (read(document, record)) {
      case Document::Outcome::kUnreadable:
        made.verdict = Verdict::kUnreadable;
        return made;
      case Document::Outcome::kOtherType:
        made.verdict = Verdict::kOtherType;
        return made;
      case Document::Outcome::kPage:
        break;
    }
    if (graph_ != nullptr) document.set_numbers(graph_->numbers(record.url_hash));
    made.verdict = judge(document);
    if (made.verdict != Verdict::kWrite) return made;
    made.url = document.url().text();
    made.fingerprint = document.fingerprint();
    worker.format->append(made.bytes, document);
    return made;
  }

  Status write_all() {
    OutputOptions output = options_.output;
    output.packed = workers_[0].format->packed();
    const std::unique_ptr<Format> format = make_format(options_.format);
    output.prologue = [&](const std::string& name) { return format->prologue(name); };
    output.identity = identity();
    BB_TRY(output_, ExportOutput::open(output));
    const OutputStart start = output_->start();
    counts_.pages = start.documents;
    // Near-duplicates are judged by all that was written before.
    const std::uint64_t first = options_.selection.duplicates == Duplicates::kNear ? 0 : start.next;
    const std::uint64_t count = is_enough() ? 0 : records_.size() - first;
    const Status done = ordered_work(
        count, static_cast<unsigned>(workers_.size()), kWindow,
        [&](unsigned worker, std::uint64_t i) { return make(workers_[worker], records_[first + i]); },
        [&](std::uint64_t i, const MadeDocument& made) -> Result<bool> {
          if (i % 16 == 0 && !progress_.tick("exporting", first + i, records_.size()))
            return error("stopped");
          BB_TRY_VOID(take(first + i, made, start));
          return !is_enough();
        });
    if (!done.ok()) return done;
    BB_TRY_VOID(output_->finish());
    counts_.bytes = output_->bytes();
    counts_.files = output_->files();
    return {};
  }

  bool is_enough() const { return options_.selection.top > 0 && counts_.pages >= options_.selection.top; }

  Status take(std::uint64_t item, const MadeDocument& made, const OutputStart& start) {
    if (made.verdict != Verdict::kWrite) {
      count(made.verdict);
      return {};
    }
    if (options_.selection.duplicates == Duplicates::kNear && made.fingerprint.words >= kFewWords &&
        near_.seen(made.fingerprint.simhash)) {
      ++counts_.near_duplicates;
      return {};
    }
    if (item < start.next) return {};
    ++counts_.pages;
    return output_->write(item, made.url, made.bytes);
  }

  void count(Verdict verdict) {
    switch (verdict) {
      case Verdict::kWrite:
        return;
      case Verdict::kUnreadable:
        ++counts_.unreadable;
        return;
      case Verdict::kOtherType:
        ++counts_.other_types;
        return;
      case Verdict::kLanguage:
        ++counts_.other_languages;
        return;
      case Verdict::kShort:
        ++counts_.short_pages;
        return;
      case Verdict::kOptedOut:
        ++counts_.opted_out;
        return;
    }
  }

  // Of the records in their order, and of what is written of them.
  std::string identity() const {
    std::uint64_t hash = hash64(options_.format.name, options_.format.main_only ? 1 : 0);
    for (const DocumentField* const field : options_.format.fields) hash = hash64(field->name, hash);
    const Selection& s = options_.selection;
    hash = hash64(
        fmt::format("{} {} {} {} {} {} {} {} {}", fmt::join(s.languages, ","), s.min_words, s.top,
                    static_cast<int>(s.duplicates), s.skip_opted_out, s.respect_noarchive,
                    options_.format.chunks.words, options_.format.chunks.overlap, options_.output.extension),
        hash);
    for (const ListedRecord& r : records_) {
      const std::uint64_t key[] = {r.url_hash, static_cast<std::uint64_t>(r.time_us), r.offset};
      hash = hash64({reinterpret_cast<const char*>(key), sizeof key}, hash);
    }
    return fmt::format("{:016x}", hash);
  }

  CaptureSource& source_;
  const ExportOptions& options_;
  const Progress& progress_;
  std::vector<Worker> workers_;
  std::vector<ListedRecord> records_;
  std::unique_ptr<LinkGraph> graph_;
  NearDuplicates near_;
  std::unique_ptr<ExportOutput> output_;
  ExportCounts counts_;
};

}  // namespace

Result<ExportCounts> export_documents(const std::vector<std::string>& paths, const ExportOptions& options,
                                      const Progress& progress) {
  BB_TRY(const std::unique_ptr<CaptureSource> source, open_captures(paths));
  return Exporter(*source, options, progress).run(paths);
}

}  // namespace bowerbird
