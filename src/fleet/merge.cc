#include "fleet/merge.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "crawl/config/kept_options.h"
#include "crawl/state/crawl_status.h"
#include "crawl/state/restored_crawl.h"
#include "crawl/state/state_setup.h"
#include "fleet/merge_requisites.h"
#include "store/crawl_store.h"
#include "store/warc_check.h"
#include "store/warc_reader.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLargestRecord = std::size_t{1} << 30;
constexpr std::uint64_t kCommitEvery = 1000;

std::string warc_path(const std::string& folder, const std::string& file) {
  const std::string path = folder + "/" + kArchiveFolder + "/" + file;
  return std::filesystem::exists(path) ? path : path + ".open";
}

class Merger {
 public:
  Merger(const std::vector<std::string>& folders, const std::string& out, const Progress& progress)
      : folders_(folders), out_(out), progress_(progress) {}

  Result<MergeCounts> run() {
    BB_TRY_VOID(begin());
    for (std::size_t i = 0; i < folders_.size(); ++i) {
      if (!progress_.tick("merging " + folders_[i], i, folders_.size())) return error("stopped");
      BB_TRY_VOID(take(folders_[i]));
    }
    requisites_.apply(*state_);
    for (const std::string& folder : folders_) BB_TRY_VOID(take_queue(folder));
    counts_.urls = state_->pages();
    CrawlMoment moment;
    moment.queued = state_->frontier().counts().primary + state_->frontier().counts().secondary;
    const Requisites& requisites = state_->requisites();
    moment.requisites_pending = requisites.pending().size();
    moment.lacking =
        PagesLacking{requisites.complete_pages().incomplete(), requisites.complete_pages().waiting()};
    const std::string state = counts_to_state(sums_, end_of(moment.queued), moment);
    BB_TRY_VOID(store_->commit(state, [this](ByteWriter& out) { return state_->save(out); }));
    BB_TRY_VOID(store_->wait_for_commits());
    BB_TRY_VOID(store_->close(state));
    BB_TRY_VOID(remember_options(options_));
    return counts_;
  }

 private:
  // Starts the folder with the options of the first one, for a single process.
  Status begin() {
    BB_TRY(const auto first, CrawlReader::open(folders_.front()));
    BB_TRY_VOID(recall_options(folders_.front(), options_));
    BB_TRY_VOID(adopt_fixed(first->about(), options_));
    options_.parallel = ParallelOptions();
    options_.fleet.url.clear();
    options_.out = out_;
    StoreOptions store = store_options_of(options_);
    store.warcinfo = {{"description", "merged from the folders of several processes"}, {"robots", "obeyed"}};
    BB_TRY(store_, CrawlStore::open(out_, store, CrawlStore::Presence::kCreate));
    // While folders are merged, everything is in memory.
    CrawlStateOptions state = state_options_of(options_);
    state.queue_bytes = 0;
    state.graph_bytes = ~std::uint64_t{0};
    BB_TRY(state_, CrawlState::make(state, *store_));
    state_->record_to(store_.get());
    return {};
  }

  Status take(const std::string& folder) {
    BB_TRY(const auto reader, CrawlReader::open(folder));
    ++counts_.folders;
    std::vector<PageId> ids;  // id in the result, by id in the source
    Url parsed;
    bool sound = true;
    BB_TRY_VOID(reader->for_each_url([&](PageId, std::string_view url) {
      sound = sound && parse_url(url, nullptr, parsed) == UrlFault::kNone;
      if (sound) ids.push_back(state_->intern(url));
    }));
    if (!sound) return error("{}: urls.log is damaged: it contains an entry that is not a URL", folder);
    std::vector<bool> fresh(ids.size());
    std::vector<StoredLink> links;
    BB_TRY_VOID(reader->for_each_links([&](const PageLinks& page) -> Status {
      if (page.page >= ids.size()) return error("{}: the links do not match the URLs", folder);
      const PageId here = ids[page.page];
      if (state_->frontier().state(here) == PageState::kDone) {
        ++counts_.repeats;
        return {};
      }
      fresh[page.page] = true;
      links.clear();
      for (const StoredLink& link : page.links) {
        if (link.page >= ids.size()) return error("{}: the links do not match the URLs", folder);
        links.push_back({ids[link.page], link.flags});
      }
      PageDone done;
      done.page = here;
      done.links = links;
      done.merged = true;
      state_->complete(done);
      ++counts_.pages;
      return {};
    }));
    BB_TRY_VOID(requisites_.read(*reader, ids, fresh));
    BB_TRY_VOID(take_archive(folder, *reader, ids, fresh));
    BB_TRY_VOID(take_log(folder, ids, fresh));
    CrawlCounts counts;
    CrawlEnd end;
    if (counts_from_state(reader->state(), counts, end)) sums_.add(counts);
    return {};
  }

  Status take_archive(const std::string& folder, CrawlReader& reader, const std::vector<PageId>& ids,
                      const std::vector<bool>& fresh) {
    std::vector<FetchEntry> entries;
    BB_TRY_VOID(reader.for_each_capture([&](const FetchEntry& entry) -> Status {
      entries.push_back(entry);
      return {};
    }));
    std::map<Sha1, const FetchEntry*> originals;
    for (const FetchEntry& entry : entries) {
      if (!entry.revisit) originals.try_emplace(entry.digest, &entry);
    }
    for (const FetchEntry& entry : entries) {
      const bool page = entry.page != kNoPage;
      if (page && (entry.page >= ids.size() || !fresh[entry.page])) continue;
      StoredFetch fetch;
      fetch.page = page ? ids[entry.page] : kNoPage;
      fetch.url = page ? state_->url(fetch.page) : entry.url;
      fetch.noarchive = entry.noarchive;
      BB_TRY_VOID(read_fetch(folder, entry, fetch));
      if (entry.revisit) {
        const auto original = originals.find(entry.digest);
        StoredFetch first;
        if (original != originals.end()) BB_TRY_VOID(read_fetch(folder, *original->second, first));
        fetch.body = std::move(first.body);
      }
      store_->add_fetch(std::move(fetch));
      store_->wait_while_congested();
      BB_TRY_VOID(store_->status());
      if (page && ++counts_.stored % kCommitEvery == 0)
        store_->commit(counts_to_state(sums_, CrawlEnd::kNotYet));
    }
    return {};
  }

  static Status read_fetch(const std::string& folder, const FetchEntry& entry, StoredFetch& fetch) {
    BB_TRY(const auto reader, WarcReader::open(warc_path(folder, entry.file), entry.offset));
    BB_TRY(const bool there, reader->next());
    if (!there) return error("{}: a record is missing", reader->name());
    fetch.time_us = entry.time_us;
    fetch.status = entry.status;
    fetch.mime = entry.mime;
    fetch.title = entry.title;
    fetch.truncated = entry.truncated;
    fetch.ip = reader->head().field("WARC-IP-Address");
    BB_TRY(const std::string block, reader->read_all(kLargestRecord));
    HttpSplitter http;
    fetch.body = http.feed(block);
    fetch.response_head = http.head();
    // The records that belong to it follow.
    for (;;) {
      BB_TRY(const bool more, reader->next());
      if (!more) return {};
      const std::string_view type = reader->head().type();
      if (type != "request" && type != "metadata") return {};
      const bool request = type == "request";
      BB_TRY(std::string text, reader->read_all(kLargestRecord));
      (request ? fetch.request : fetch.metadata) = std::move(text);
    }
  }

  // Pages without a record in the archive.
  Status take_log(const std::string& folder, const std::vector<PageId>& ids, const std::vector<bool>& fresh) {
    BB_TRY(const auto file, MappedFile::open(folder + "/" + crawl_files::kLog));
    std::string_view rest = file->text();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      nlohmann::json line = nlohmann::json::parse(rest.substr(0, end), nullptr, false);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!line.is_object() || line.contains("warc") || !line.contains("page")) continue;
      const auto& number = line["page"];
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() >= ids.size()) continue;
      const auto page = number.get<std::size_t>();
      if (!fresh[page]) continue;
      line["page"] = ids[page];
      store_->add_log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    }
    return {};
  }

  // Pages still to be fetched, with their scores.
  Status take_queue(const std::string& folder) {
    BB_TRY(const auto crawl, RestoredCrawl::open_to_read(folder));
    BB_TRY_VOID(crawl->restore());
    const CrawlState& from = crawl->state();
    const auto merge = [&](PageId page, bool done, Score score) {
      const std::string url = from.url(page);
      if (!url.empty()) state_->merge_page(state_->intern(url), from.facts().depth(page), done, score);
    };
    std::vector<PageId> queued;
    for (PageId page = 0; page < from.pages(); ++page) {
      const PageState state = from.frontier().state(page);
      if (state == PageState::kUndiscovered) continue;
      if (state == PageState::kDone) {
        merge(page, true, 0);
      } else {
        queued.push_back(page);
      }
    }
    for (const PageId page : queued) merge(page, false, from.frontier().score(page).value_or(0));
    return from.status();
  }

  // The end of the fleet: each process was merely told to stop.
  CrawlEnd end_of(std::uint64_t queued) const {
    if (queued == 0) return CrawlEnd::kNothingLeft;
    const CrawlOptions::Budget& budget = options_.budget;
    if (budget.pages > 0 && sums_.pages >= budget.pages) return CrawlEnd::kPages;
    if (budget.bytes > 0 && sums_.bytes >= budget.bytes) return CrawlEnd::kBytes;
    return CrawlEnd::kStopped;
  }

  const std::vector<std::string>& folders_;
  const std::string& out_;
  const Progress& progress_;
  CrawlOptions options_;
  std::unique_ptr<CrawlStore> store_;
  std::unique_ptr<CrawlState> state_;
  CrawlCounts sums_;
  MergedRequisites requisites_;
  MergeCounts counts_;
};

}  // namespace

Result<MergeCounts> merge_crawls(const std::vector<std::string>& folders, const std::string& out,
                                 const Progress& progress) {
  if (folders.empty()) return error("there is nothing to merge");
  return Merger(folders, out, progress).run();
}

}  // namespace bowerbird
