#include "export/exporter.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/hash.h"
#include "base/ordered_work.h"
#include "export/first_pass.h"
#include "export/hash_search.h"
#include "export/link_graph.h"
#include "export/near_duplicates.h"
#include "export/record_list.h"
#include "export/site_blocks.h"
#include "export/tail.h"
#include "export/wacz_input.h"
#include "pdf/pdf_reader.h"

namespace bowerbird {

namespace {

// Why a document is not written.
enum class Verdict : std::uint8_t {
  kWrite,
  kUnreadable,
  kOtherType,
  kNoPdfReader,
  kLanguage,
  kShort,
  kOptedOut,
  kLowScore,
  kDuplicate,
};

struct MadeDocument {
  Verdict verdict = Verdict::kWrite;
  TextFingerprint fingerprint;
  OutputDocument output;
};

// Those of one record.
using MadeDocuments = std::vector<MadeDocument>;

bool has_fields(const ExportOptions& options) {
  const std::string& name = options.format.name;
  return name == "jsonl" || name == "csv" || name == "bulk";
}

bool wants_field(const ExportOptions& options, std::initializer_list<std::string_view> names) {
  if (!has_fields(options)) return false;
  const FieldList& fields = options.format.fields;
  return std::any_of(fields.begin(), fields.end(), [&](const DocumentField* field) {
    return std::find(names.begin(), names.end(), field->name) != names.end();
  });
}

bool needs_graph(const ExportOptions& options) {
  return !options.tail &&
         (options.selection.top > 0 || wants_field(options, {"pagerank", "in_links", "depth"}));
}

bool needs_main_text(const ExportOptions& options) {
  const FormatOptions& format = options.format;
  if (options.selection.min_words > 0 || !options.selection.languages.empty()) return true;
  if (format.name == "links" || format.name == "wat" || (format.name == "wet" && !format.main_only))
    return false;
  return !has_fields(options) ||
         wants_field(options, {"words", "main_found", "main_text", "markdown", "language"});
}

bool is_opted_out(const OptOuts& out) {
  return out.noindex || out.noarchive || out.noai || out.tdm_reserved;
}

class Exporter {
 public:
  Exporter(const ExportOptions& options, const Progress& progress)
      : options_(options), progress_(progress), others_(options.others) {
    for (unsigned i = 0; i < std::max(options.threads, 1u); ++i)
      workers_.push_back({Document(&sites_, &pdf_), make_format(options.format)});
    const bool score = options.selection.min_score || wants_field(options, {"score"});
    const bool text = options.stored_text && !options.comments && needs_main_text(options);
    for (Worker& worker : workers_) {
      worker.document.use_companions(score || text, text);
      worker.document.keep_comments(options.comments);
    }
  }

  Result<ExportCounts> run(const std::vector<std::string>& given) {
    std::vector<std::string> paths = given;
    if (std::any_of(given.begin(), given.end(), is_wacz)) {
      BB_TRY(packages_, ScratchFolder::make());
      BB_TRY(paths, unpack_packages(given, *packages_));
    }
    BB_TRY(source_, open_captures(paths, /*page_facts=*/false));
    if (options_.tail) return follow(paths);
    BB_TRY(RecordList listed, list_records(*source_, options_.selection, others_, progress_));
    list_ = std::move(listed.records);
    records_ = list_.all();
    add_counts(listed.counts);
    BB_TRY_VOID(look_first(paths));
    if (options_.selection.top > 0) {
      BB_TRY(list_, sorted_by(records_, [&](const ListedRecord& record) {
               return graph_->numbers(record.url_hash).pagerank.value_or(0);
             }));
      records_ = list_.all();
    }
    BB_TRY_VOID(open_output());
    BB_TRY_VOID(write_all());
    BB_TRY_VOID(finish_output());
    return counts_;
  }

 private:
  static constexpr std::size_t kWindow = 64;  // pages that wait for their turn

  struct Worker {
    Document document;
    std::unique_ptr<Format> format;
  };

  unsigned threads() const { return static_cast<unsigned>(workers_.size()); }

  void add_counts(const ListCounts& listed) {
    counts_.not_selected += listed.not_selected;
    counts_.other_types += listed.other_types;
    counts_.older += listed.older;
    counts_.duplicates += listed.duplicates;
    counts_.unreadable += listed.missing_payloads;
  }

  RecordAddress address(std::uint32_t file, std::uint64_t offset) const {
    return {file < OtherBodies::kElsewhere ? source_->files()[file].path : others_.path(file), offset};
  }
  // Damage is counted like what cannot be decoded.
  Document::Outcome read(Document& document, const ListedRecord& record) const {
    const auto outcome = document.read(address(record.file, record.offset),
                                       address(record.payload_file, record.payload_offset));
    return outcome.ok() ? *outcome : Document::Outcome::kUnreadable;
  }
  Document* read_by(unsigned worker, const ListedRecord& record) {
    Document& document = workers_[worker].document;
    return read(document, record) == Document::Outcome::kRead ? &document : nullptr;
  }

  // ---- what is learned before the first document

  Status look_first(const std::vector<std::string>& paths) {
    FirstPassWants wants;
    wants.anchors = wants_field(options_, {"anchors"});
    wants.clusters = wants_field(options_, {"cluster"});
    wants.fingerprints =
        options_.selection.duplicates == Duplicates::kNear || wants_field(options_, {"simhash"});
    if (needs_graph(options_)) {
      graph_ = std::make_unique<LinkGraph>();
      bool is_crawl = false;
      for (const std::string& path : paths) {
        for (const std::string& folder : crawl_folders(path)) {
          BB_TRY_VOID(add_crawl(folder, *graph_, progress_));
          is_crawl = true;
        }
      }
      // WARC files have no graph of their own: that of the links of the pages that are exported.
      if (!is_crawl) wants.graph = graph_.get();
    }
    BB_TRY_VOID(first_.run(
        records_, wants, threads(),
        [this](unsigned worker, const ListedRecord& record) { return read_by(worker, record); }, progress_));
    const bool feeds = std::any_of(records_.begin(), records_.end(), [](const ListedRecord& record) {
      return record.kind == DocumentKind::kFeed;
    });
    if (feeds) {
      BB_TRY(pages_, sorted_urls(records_, kAllButFeeds));
    }
    if (options_.by_site && needs_main_text(options_)) BB_TRY_VOID(sample_sites());
    return graph_ != nullptr ? graph_->finish(progress_) : Status();
  }

  // Reads some pages of each host, host by host.
  Status sample_sites() {
    BB_TRY(const ScratchArray<std::uint64_t> sampled, sampled_records(records_));
    return ordered_work(
        sampled.size(), threads(), kWindow,
        [&](unsigned worker, std::uint64_t i) {
          Document* const document = read_by(worker, records_[sampled[i]]);
          return document != nullptr ? document->pairs() : std::vector<std::uint64_t>();
        },
        [&](std::uint64_t i, std::vector<std::uint64_t> pairs) -> Result<bool> {
          if (i % 16 == 0 && !progress_.tick("comparing pages", i, sampled.size())) return error("stopped");
          sites_.add_page(std::move(pairs));
          const std::uint64_t site = records_[sampled[i]].site;
          if (i + 1 == sampled.size() || records_[sampled[i + 1]].site != site) sites_.end_site(site);
          return true;
        });
  }

  // ---- documents

  Verdict judge(Document& document) const {
    const Selection& wanted = options_.selection;
    // What has a page of its own in the export is not written twice.
    if (document.kind() == DocumentKind::kFeed && contains_hash(pages_.all(), hash64(document.url().text())))
      return Verdict::kDuplicate;
    if (wanted.min_score && document.companions().score.value_or(0) < *wanted.min_score)
      return Verdict::kLowScore;
    if (wanted.min_words > 0 && document.words() < wanted.min_words) return Verdict::kShort;
    const std::vector<std::string>& languages = wanted.languages;
    if (!languages.empty() &&
        std::find(languages.begin(), languages.end(), document.facts().language) == languages.end())
      return Verdict::kLanguage;
    const OptOuts& out = document.facts().opt_outs;
    if (wanted.respect_noarchive && out.noarchive) return Verdict::kOptedOut;
    return wanted.skip_opted_out && is_opted_out(out) ? Verdict::kOptedOut : Verdict::kWrite;
  }

  MadeDocuments make(Worker& worker, const ListedRecord& record) const {
    Document& document = worker.document;
    switch (read(document, record)) {
      case Document::Outcome::kUnreadable:
        return {{Verdict::kUnreadable, {}, {}}};
      case Document::Outcome::kOtherType:
        return {{Verdict::kOtherType, {}, {}}};
      case Document::Outcome::kNoPdfReader:
        return {{Verdict::kNoPdfReader, {}, {}}};
      case Document::Outcome::kRead:
        break;
    }
    MadeDocuments all;
    for (std::size_t part = 0; part < document.parts(); ++part) {
      MadeDocument made;
      made.verdict = document.use(part) ? judge(document) : Verdict::kUnreadable;
      if (made.verdict == Verdict::kWrite) {
        document.set_numbers(numbers_of(document, record));
        if (const auto known = first_.fingerprint(record.number)) document.set_fingerprint(*known);
        if (options_.selection.duplicates == Duplicates::kNear) made.fingerprint = document.fingerprint();
        made.output.url = document.url().text();
        worker.format->append(made.output.bytes, document);
      }
      all.push_back(std::move(made));
    }
    return all;
  }

  CrawlNumbers numbers_of(const Document& document, const ListedRecord& record) const {
    const bool entry = document.kind() == DocumentKind::kFeed;
    const std::uint64_t hash = entry ? hash64(document.url().text()) : record.url_hash;
    CrawlNumbers numbers;
    if (graph_ != nullptr) numbers = graph_->numbers(hash);
    if (!entry) first_.add_to(numbers, hash, record.number);
    return numbers;
  }

  // ---- output

  Status open_output() {
    OutputOptions output = options_.output;
    output.packed = workers_[0].format->packed();
    output.at_once = options_.tail;
    prologue_ = make_format(options_.format);
    output.prologue = [this](const std::string& name) { return prologue_->prologue(name); };
    // An export that follows a crawl is never continued.
    output.identity = options_.tail ? fmt::format("tail {}", options_.format.created_us) : identity();
    BB_TRY(output_, ExportOutput::open(output));
    start_ = output_->start();
    counts_.pages = start_.documents;
    return {};
  }

  Status finish_output() {
    BB_TRY_VOID(output_->finish());
    counts_.bytes = output_->bytes();
    counts_.files = output_->files();
    return {};
  }

  Status write_all() {
    // Near-duplicates are judged by all that was written before.
    return write_records(options_.selection.duplicates == Duplicates::kNear ? 0 : start_.next, progress_);
  }

  Status write_records(std::uint64_t first, const Progress& progress) {
    const std::uint64_t count = is_enough() || first > records_.size() ? 0 : records_.size() - first;
    return ordered_work(
        count, threads(), kWindow,
        [&](unsigned worker, std::uint64_t i) { return make(workers_[worker], records_[first + i]); },
        [&](std::uint64_t i, MadeDocuments made) -> Result<bool> {
          if (i % 16 == 0 && !progress.tick("exporting", first + i, records_.size())) return error("stopped");
          BB_TRY_VOID(take(first + i, std::move(made)));
          return !is_enough();
        });
  }

  bool is_enough() const { return options_.selection.top > 0 && counts_.pages >= options_.selection.top; }

  Result<bool> is_near(const MadeDocument& one) {
    const bool asked = one.verdict == Verdict::kWrite && options_.selection.duplicates == Duplicates::kNear;
    return asked && one.fingerprint.words >= kFewWords ? near_.seen(one.fingerprint.simhash) : false;
  }

  Status take(std::uint64_t item, MadeDocuments made) {
    std::vector<OutputDocument> documents;
    for (MadeDocument& one : made) {
      if (is_enough()) break;
      BB_TRY(const bool near, is_near(one));
      if (one.verdict != Verdict::kWrite) {
        count(one.verdict);
      } else if (near) {
        ++counts_.near_duplicates;
      } else if (item >= start_.next) {
        ++counts_.pages;
        documents.push_back(std::move(one.output));
      }
    }
    return documents.empty() ? Status() : output_->write(item, documents);
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
      case Verdict::kNoPdfReader:
        ++counts_.no_pdf_reader;
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
      case Verdict::kLowScore:
        ++counts_.low_scores;
        return;
      case Verdict::kDuplicate:
        ++counts_.duplicates;
        return;
    }
  }

  // Of the records in their order, and of what is written of them.
  std::string identity() const {
    std::uint64_t hash = hash64(options_.format.name, options_.format.main_only ? 1 : 0);
    for (const DocumentField* const field : options_.format.fields) hash = hash64(field->name, hash);
    const Selection& s = options_.selection;
    hash = hash64(
        fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", fmt::join(s.languages, ","), s.min_words,
                    s.top, static_cast<int>(s.duplicates), s.skip_opted_out, s.respect_noarchive,
                    s.min_score.value_or(-1), options_.format.chunks.size, options_.format.chunks.overlap,
                    options_.format.chunks.characters, options_.output.extension,
                    static_cast<int>(options_.output.compression.value_or(Compression::kNone)),
                    options_.by_site, options_.stored_text, options_.comments),
        hash);
    for (const ListedRecord& r : records_) {
      const std::uint64_t key[] = {r.url_hash, static_cast<std::uint64_t>(r.time_us), r.offset};
      hash = hash64({reinterpret_cast<const char*>(key), sizeof key}, hash);
    }
    return fmt::format("{:016x}", hash);
  }

  // ---- a crawl that runs

  // Until the crawl has ended and all its captures are written, or the caller says stop: what was written
  // until then is complete.
  Result<ExportCounts> follow(const std::vector<std::string>& paths) {
    const std::vector<std::string> folders =
        paths.size() == 1 ? crawl_folders(paths[0]) : std::vector<std::string>();
    if (folders.size() != 1) return error("--tail follows one crawl: give the folder of a crawl");
    BB_TRY_VOID(open_output());
    bool stopped = false;
    const Progress asked([&](std::string_view what, std::uint64_t done, std::uint64_t total) {
      stopped = stopped || !progress_.tick(what, done, total);
      return what != "waiting for pages" || !stopped;
    });
    TailedCaptures tail(folders[0], options_.selection, others_);
    for (bool more = true; more;) {
      BB_TRY(TailStep step, tail.next(asked));
      more = !step.ended && !stopped;
      if (step.source == nullptr) continue;
      source_ = std::move(step.source);
      records_ = step.records;
      add_counts(step.counts);
      BB_TRY_VOID(write_records(0, asked));
    }
    BB_TRY_VOID(finish_output());
    return counts_;
  }

  const ExportOptions& options_;
  const Progress& progress_;
  OtherBodies others_;
  std::unique_ptr<ScratchFolder> packages_;  // with the files of WACZ packages
  std::unique_ptr<CaptureSource> source_;
  SiteBlocks sites_;
  PdfReader pdf_;
  std::vector<Worker> workers_;
  ScratchArray<ListedRecord> list_;
  std::span<const ListedRecord> records_;  // list_, or those of a step of tail.h
  ScratchArray<std::uint64_t> pages_;      // hashes of the URLs of all pages but feeds, ascending
  FirstPass first_;
  std::unique_ptr<LinkGraph> graph_;
  NearDuplicates near_;
  std::unique_ptr<Format> prologue_;
  std::unique_ptr<ExportOutput> output_;
  OutputStart start_;
  ExportCounts counts_;
};

}  // namespace

Result<ExportCounts> export_documents(const std::vector<std::string>& paths, const ExportOptions& options,
                                      const Progress& progress) {
  return Exporter(options, progress).run(paths);
}

}  // namespace bowerbird
