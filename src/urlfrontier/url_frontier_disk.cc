// The folder of a UrlFrontier: opening, snapshots, replay.
#include <nlohmann/json.hpp>

#include "policy/registry.h"
#include "store/snapshot.h"
#include "url/host.h"
#include "url/location.h"
#include "urlfrontier/url_frontier_impl.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kUrlFrontierFormat =
    0x3230'7672'666c'7275;          // changes with the layout of the snapshot
constexpr Score kNoScore = -1e290;  // score of a due URL without a visit
constexpr char kDefaultPolicy[] = "lipr";

struct MemoryParts {
  std::uint64_t known = 0, cache = 0, queue = 0, revisits = 0, graph = 0;
};

MemoryParts parts_of(std::uint64_t memory) {
  return {memory / 8 * 3, memory / 32, memory / 8, memory / 16, memory / 8};
}

std::string about_text(const UrlFrontierOptions& options) {
  return nlohmann::json{{"format", kUrlJournalFormat},
                        {"policy", options.policy},
                        {"identity", options.identity == UrlIdentity::kCanonical ? "canonical" : "as given"},
                        {"random_seed", options.random_seed},
                        {"expected_pages", options.expected_pages},
                        {"limited", options.memory > 0}}
      .dump();
}

// Whether it may come from about_text().
bool is_about(const nlohmann::json& about) {
  if (!about.is_object()) return false;
  const auto field = [&](const char* name) { return about.value(name, nlohmann::json()); };
  return field("format") == kUrlJournalFormat && field("policy").is_string() &&
         field("identity").is_string() && field("random_seed").is_number_unsigned() &&
         field("expected_pages").is_number_unsigned() && field("limited").is_boolean();
}

}  // namespace

// ---- Opening

Status UrlFrontier::Impl::open() {
  if (options_.memory > 0 && options_.folder.empty()) {
    return error("a memory limit needs a folder for the rest of the data");
  }
  if (options_.memory > 0 && options_.memory < UrlFrontierOptions::kLeastMemory) {
    return error("a memory limit of {} bytes is too small: at least {} MiB", options_.memory,
                 UrlFrontierOptions::kLeastMemory >> 20);
  }
  if (options_.delay < 0ms || options_.delay > Duration{std::int64_t{1} << 40})
    return error("{} ms is not a valid delay", options_.delay.count());
  delay_ = options_.delay;
  bool resumed = false;
  if (!options_.folder.empty()) {
    BB_TRY_VOID(make_folder());
    resumed = !disk_.about.empty();
  }
  if (options_.policy.empty()) options_.policy = kDefaultPolicy;
  BB_TRY_VOID(make_parts());
  if (options_.folder.empty()) return {};
  if (!resumed) {
    disk_.about = about_text(options_);
    BB_TRY_VOID(journal_.begin_segment(disk_.about));
    BB_TRY_VOID(begin(Time{}));
    decide(SettingsChanged{true, delay_});
    return finish();
  }
  delay_ = 0ms;
  std::uint32_t from = 1;
  BB_TRY_VOID(load_snapshot(from));
  return restore(from);
}

// Locks the folder and compares the options with its own.
Status UrlFrontier::Impl::make_folder() {
  Disk& disk = *options_.disk;
  BB_TRY_VOID(disk.make_folder(options_.folder));
  BB_TRY(disk_.lock, disk.lock(options_.folder + "/lock"));
  if (!UrlJournal::exists(disk, options_.folder)) return {};
  BB_TRY(disk_.about, journal_.open());
  if (disk_.about.empty()) return {};
  const auto about = nlohmann::json::parse(disk_.about, nullptr, false);
  if (!is_about(about)) {
    return error("{}: this is not the folder of a frontier, or of another version", options_.folder);
  }
  const std::string policy = about["policy"];
  if (options_.policy.empty()) options_.policy = policy;
  if (options_.policy != policy) {
    return error("{} was made with the ordering '{}', not '{}': open it with that one, or use another folder",
                 options_.folder, policy, options_.policy);
  }
  const bool canonical = about["identity"] == "canonical";
  if (canonical != (options_.identity == UrlIdentity::kCanonical)) {
    return error("{} was made for {} URLs", options_.folder, canonical ? "canonical" : "as given");
  }
  options_.random_seed = about["random_seed"];
  options_.expected_pages = about["expected_pages"];
  // Spilled data can only be read with a memory limit.
  if (about["limited"] && options_.memory == 0) options_.memory = std::uint64_t{1} << 40;
  return {};
}

Status UrlFrontier::Impl::make_parts() {
  const MemoryParts shares = parts_of(options_.memory);
  UrlTableOptions table;
  table.disk = options_.disk;
  table.folder = options_.folder;
  table.known_bytes = shares.known;
  if (options_.memory > 0) table.cache_bytes = shares.cache;
  table.durable = options_.durable;
  BB_TRY(urls_, UrlTable::make(table));
  if (options_.memory > 0) {
    const SpillFolderOptions spill{options_.durable, true, options_.disk};
    disk_.spill = std::make_unique<SpillFolder>(options_.folder + "/spill", spill);
    disk_.dates = std::make_unique<SpillFolder>(options_.folder + "/spill-dates", spill);
    disk_.scores = std::make_unique<SpillFolder>(options_.folder + "/spill-due", spill);
  }
  const auto queue_of = [this](PageId page) { return urls_->queue(page); };
  const auto url_of = [this](PageId page) {
    auto text = urls_->url(page);
    if (!text.ok() && status_.ok()) status_ = text.error();
    return text.ok() ? std::move(*text) : std::string();
  };
  PolicyContext context;
  context.expected_pages = options_.expected_pages;
  context.seed = options_.random_seed;
  context.hosts = queue_of;
  context.groups = [this, url_of](PageId page) { return directories_.number(page, url_of); };
  context.threads = options_.threads;
  context.spill = disk_.spill.get();
  if (disk_.limited()) context.graph_bytes = shares.graph;
  BB_TRY(const Need need, needs_of(options_.policy));
  if (has(need, Need::kTruth) || has(need, Need::kTopic)) {
    return error("the ordering '{}' needs {}, which a frontier does not have", options_.policy,
                 has(need, Need::kTruth) ? "the true importance of the pages" : "a topic");
  }
  BB_TRY(auto ordering, make_policy(options_.policy, context));
  auto policy = std::make_unique<PriorityPolicy>(std::move(ordering));
  priorities_ = policy.get();
  FrontierOptions frontier;
  frontier.expected_pages = options_.expected_pages;
  frontier.seed = options_.random_seed;
  frontier.queue_bytes = shares.queue;
  frontier.spill = disk_.spill.get();
  const auto hints = [url_of](PageId page) {
    const std::string text = url_of(page);
    PageHints made;
    made.location = static_cast<float>(location_score(text));
    made.depth = static_cast<std::uint16_t>(std::min(path_depth(text), 0xffffu));
    return made;
  };
  BB_TRY(main_, Frontier::make(frontier, std::move(policy), hints, queue_of));
  const auto facts = [this](PageId page) {
    const auto record = record_of(page);
    if (!record.ok()) {
      if (status_.ok()) status_ = record.error();
      return RevisitQueue::Facts{Time{}, kNoScore};
    }
    return RevisitQueue::Facts{record->due, record->visit ? record->visit->score : kNoScore};
  };
  BB_TRY(revisits_,
         RevisitQueue::make({shares.revisits, disk_.dates.get(), disk_.scores.get()}, queue_of, facts));
  return {};
}

Status UrlFrontier::Impl::load_snapshot(std::uint32_t& from) {
  BB_TRY(const std::vector<SnapshotId> ids, list_snapshots(*options_.disk, options_.folder));
  for (const SnapshotId& id : ids) {
    BB_TRY(const auto saved, open_snapshot(*options_.disk, options_.folder, id));
    if (!saved) continue;
    ByteReader in = saved->reader();
    BB_TRY_VOID(load(in));
    disk_.snapshots = id.commit;
    from = static_cast<std::uint32_t>(id.journal_offset);
    return {};
  }
  if (ids.empty() && journal_.segments().front() == 1) return {};
  return error("{}: the snapshot is missing or damaged: restore the folder from a backup", options_.folder);
}

Status UrlFrontier::Impl::restore(std::uint32_t from) {
  BB_TRY_VOID(
      journal_.replay(from, [this](std::string_view frame, RecordAt at) { return replay_frame(frame, at); }));
  BB_TRY_VOID(status_);
  BB_TRY_VOID(urls_->status());
  BB_TRY_VOID(main_->status());
  if (disk_.limited()) {
    for (SpillFolder* const one : {disk_.spill.get(), disk_.dates.get(), disk_.scores.get()})
      one->keep_only_used();
  }
  return end_orphaned_leases();
}

Status UrlFrontier::Impl::replay_frame(std::string_view frame, RecordAt at) {
  const auto damaged = [&] {
    return error("{}: the journal does not match the rest of the folder (segment {})", options_.folder,
                 UrlJournal::segment_of(at));
  };
  VarintReader in(frame);
  const Time now{Duration{in.get_signed()}};
  if (!in.ok()) return damaged();
  call_.touched.clear();
  call_.written.clear();
  advance(now);
  while (!in.at_end()) {
    UrlEvent event = get_event(in);
    if (!in.ok()) return damaged();
    if (auto* const record = std::get_if<RecordWritten>(&event)) {
      std::string length;
      put_varint(length, record->record.size());
      if (record->page >= urls_->size()) return damaged();
      call_.written.push_back(
          {record->page, frame.size() - in.left() - record->record.size() - length.size(), {}});
      continue;
    }
    if (!std::visit([this](const auto& one) { return apply(one); }, event)) return damaged();
  }
  update_gates();
  for (const Written& one : call_.written) {
    if (!is_removed(one.page)) set_location(one.page, at + one.position);
  }
  return status_;
}

// Leases without an end were those of a process that no longer exists.
Status UrlFrontier::Impl::end_orphaned_leases() {
  std::vector<PageId> orphaned;
  for (const auto& [page, until] : leases_) {
    if (until >= kForever) orphaned.push_back(page);
  }
  if (orphaned.empty()) return {};
  std::sort(orphaned.begin(), orphaned.end());
  BB_TRY_VOID(begin(now_));
  for (const PageId page : orphaned) decide(UrlRetried{page, now_});
  return finish();
}

// ---- Commits and snapshots

Status UrlFrontier::Impl::commit() {
  BB_TRY_VOID(status_);
  if (options_.folder.empty()) return {};
  status_ = journal_.sync();
  return status_;
}

Status UrlFrontier::Impl::close() {
  if (status_.ok() && !options_.folder.empty()) status_ = snapshot();
  const Status done = status_;
  if (done.ok()) status_ = error("the frontier is closed");
  disk_.lock.reset();  // after an error too: nothing more is written
  return done;
}

Status UrlFrontier::Impl::snapshot() {
  const auto write = [this]() -> Status {
    BB_TRY_VOID(rewrite_old_records());
    BB_TRY_VOID(urls_->flush());
    BB_TRY_VOID(journal_.sync());
    BB_TRY_VOID(journal_.begin_segment(disk_.about));
    if (disk_.limited()) {
      for (SpillFolder* const one : {disk_.spill.get(), disk_.dates.get(), disk_.scores.get()}) {
        BB_TRY_VOID(one->begin_snapshot());
      }
    }
    BB_TRY(const SnapshotDraft draft, write_snapshot_draft(*options_.disk, options_.folder,
                                                           [this](ByteWriter& out) { return save(out); }));
    BB_TRY_VOID(publish_snapshot(*options_.disk, options_.folder, {disk_.snapshots + 1, journal_.segment()},
                                 draft, options_.durable));
    ++disk_.snapshots;
    disk_.snapshot_bytes = draft.bytes;
    if (disk_.limited()) {
      for (SpillFolder* const one : {disk_.spill.get(), disk_.dates.get(), disk_.scores.get()})
        one->end_snapshot();
    }
    return journal_.remove_unless(journal_.segment(), [this](std::uint32_t segment) {
      const auto use = segments_.find(segment);
      return use != segments_.end() && use->second.current > 0;
    });
  };
  status_ = write();
  return status_;
}

// Rewrites the current records of segments that are mostly outdated, so that the segments can be removed.
Status UrlFrontier::Impl::rewrite_old_records() {
  std::unordered_set<std::uint32_t> old;
  for (const auto& [segment, use] : segments_) {
    if (segment != journal_.segment() && use.current > 0 && use.current < use.records / 2)
      old.insert(segment);
  }
  if (old.empty()) return {};
  const auto write = [this]() -> Status {
    BB_TRY(const RecordAt at, journal_.append(call_.frame));
    for (const Written& one : call_.written) set_location(one.page, at + one.position);
    call_.frame.clear();
    call_.written.clear();
    put_signed(call_.frame, milliseconds_of(now_));
    return {};
  };
  call_.frame.clear();
  call_.written.clear();
  put_signed(call_.frame, milliseconds_of(now_));
  for (PageId page = 0; page < records_.size(); ++page) {
    if (records_[page] == 0 || !old.contains(UrlJournal::segment_of(records_[page]))) continue;
    BB_TRY(const UrlRecord record, record_of(page));
    write_record(page, record);
    if (call_.frame.size() > (std::size_t{1} << 22)) BB_TRY_VOID(write());
  }
  if (!call_.written.empty()) BB_TRY_VOID(write());
  for (const std::uint32_t segment : old) segments_.erase(segment);
  return {};
}

Status UrlFrontier::Impl::save(ByteWriter& out) const {
  out.put(kUrlFrontierFormat);
  out.put(now_);
  out.put<std::uint8_t>(active_ ? 1 : 0);
  out.put(delay_);
  out.put(counts_);
  queues_.save(out);
  urls_->save(out);
  out.put_array(records_.view());
  out.put_array(removed_.view());
  std::vector<std::pair<std::uint32_t, SegmentUse>> segments(segments_.begin(), segments_.end());
  out.put<std::uint64_t>(segments.size());
  for (const auto& [segment, use] : segments) {
    out.put(segment);
    out.put(use);
  }
  out.put<std::uint64_t>(leases_.size());
  for (const auto& [page, until] : leases_) {
    out.put(page);
    out.put(until);
  }
  out.put<std::uint64_t>(collected_.size());
  for (const auto& [parent, links] : collected_) {
    out.put(parent);
    out.put_array(links);
  }
  main_->save(out);
  revisits_->save(out);
  return {};
}

Status UrlFrontier::Impl::load(ByteReader& in) {
  if (in.get<std::uint64_t>() != kUrlFrontierFormat) {
    return error("{}: this snapshot is of another version", options_.folder);
  }
  in.get(now_);
  active_ = in.get<std::uint8_t>() != 0;
  in.get(delay_);
  in.get(counts_);
  queues_.load(in);
  BB_TRY_VOID(urls_->load(in));
  const PageId pages = urls_->size();
  for (PageId page = 0; page < pages; ++page) {
    if (urls_->queue(page) >= queues_.size()) in.reject();
  }
  std::uint64_t count = 0;
  in.each<RecordAt>([&](RecordAt at) {
    if (at != 0 && count < pages) {
      records_.grow_to(count + 1);
      records_[count] = at;
    }
    ++count;
  });
  if (count > pages) in.reject();
  in.each<std::uint64_t>([&](std::uint64_t word) { removed_.push_back(word); });
  for (auto left = in.get<std::uint64_t>(); left > 0 && in.ok(); --left) {
    const auto segment = in.get<std::uint32_t>();
    in.get(segments_[segment]);
  }
  for (auto left = in.get<std::uint64_t>(); left > 0 && in.ok(); --left) {
    const auto page = in.get<PageId>();
    const auto until = in.get<Time>();
    if (page >= pages || !leases_.emplace(page, until).second) in.reject();
    if (until < kForever) ends_.emplace(until, page);
  }
  for (auto left = in.get<std::uint64_t>(); left > 0 && in.ok(); --left) {
    const auto parent = in.get<PageId>();
    std::vector<PageId> links;
    in.get_array(links);
    if (parent >= pages || !all_pages(links)) in.reject();
    collected_[parent] = std::move(links);
  }
  if (!in.ok()) return error("{}: the snapshot is damaged", options_.folder);
  BB_TRY_VOID(main_->load(in));
  BB_TRY_VOID(revisits_->load(in));
  if (!in.ok() || main_->pages() > pages) return error("{}: the snapshot is damaged", options_.folder);
  for (QueueId id = 0; id < queues_.size(); ++id) update_gate(id);
  return {};
}

}  // namespace bowerbird
