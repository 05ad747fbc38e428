#include "crawl/state/visit_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "base/rng.h"

namespace bowerbird {

namespace {

std::uint32_t checksum_of(VisitRecord record) {
  record.checksum = 0;
  const auto hash = hash64({reinterpret_cast<const char*>(&record), sizeof record});
  return static_cast<std::uint32_t>(hash) | 1;  // 0 is the checksum of an empty record
}

std::size_t bit_of(PageId to) {
  return mix64(to) % VisitRecord::kLinkBits;
}

}  // namespace

void VisitRecord::set_etag(std::string_view etag) {
  tag = {};
  tag_size = etag.size() <= kLongestTag ? static_cast<std::uint8_t>(etag.size()) : std::uint8_t{0};
  std::memcpy(tag.data(), etag.data(), tag_size);
}

void VisitRecord::set_first_visit(const Visit& visit) {
  score = visit.score;
  links = visit.links;
  other_host = visit.other_host;
  crawled = static_cast<std::uint32_t>(visit.crawled);
  known = static_cast<std::uint32_t>(visit.known);
  discovered = visit.discovered;
  on_topic = visit.on_topic ? 1 : 0;
}

Visit VisitRecord::first_visit(PageId page) const {
  Visit visit;
  visit.page = page;
  visit.score = score;
  visit.links = links;
  visit.other_host = other_host;
  visit.crawled = crawled;
  visit.known = known;
  visit.discovered = discovered;
  visit.on_topic = on_topic != 0;
  return visit;
}

bool VisitRecord::has_link(PageId to) const {
  return (link_bits[bit_of(to) / 64] >> (bit_of(to) % 64) & 1) != 0;
}

void VisitRecord::add_link(PageId to) {
  link_bits[bit_of(to) / 64] |= std::uint64_t{1} << (bit_of(to) % 64);
}

VisitRecord VisitRecord::moved() const {
  VisitRecord record = *this;
  record.link_bits.fill(~std::uint64_t{0});
  record.checksum = checksum_of(record);
  return record;
}

bool VisitRecord::is_sound_move() const {
  const auto is_time = [](RefreshTime time) { return time >= RefreshTime{} && time < kLatestVisit; };
  return checksum == checksum_of(*this) && tag_size <= kLongestTag && is_time(visited) &&
         is_time(fresh_until) && std::isfinite(score) && crawled <= known && other_host <= links;
}

Status VisitTable::open_to_read(const std::string& path) {
  BB_TRY(file_, RecordFile::open_to_read(path, sizeof(VisitRecord)));
  return {};
}

Status VisitTable::open(const std::string& path, bool durable) {
  durable_ = durable;
  BB_TRY(file_, RecordFile::open(path, sizeof(VisitRecord)));
  return {};
}

VisitRecord VisitTable::get(PageId page) const {
  for (const Map* const map : {&waiting_, &asked_}) {
    if (const auto found = map->find(page); found != map->end()) return found->second;
  }
  VisitRecord record;
  if (file_ == nullptr) return record;
  const auto there = file_->read(page, {reinterpret_cast<char*>(&record), sizeof record});
  if (!there.ok() && status_.ok()) status_ = there.error();
  if (!there.ok() || !*there || record.checksum != checksum_of(record) ||
      record.tag_size > VisitRecord::kLongestTag) {
    return {};
  }
  return record;
}

void VisitTable::put(PageId page, const VisitRecord& record) {
  if (file_ == nullptr) return;
  VisitRecord& kept = waiting_[page];
  kept = record;
  kept.checksum = checksum_of(kept);
}

// Written to the file at once, unless the record waits: the records of all pages would not fit into
// memory.
void VisitTable::set_body(PageId page, std::uint64_t stored_us, const Sha1& body) {
  VisitRecord record = get(page);
  if (file_ == nullptr || !record.was_visited() || record.stored_us >= stored_us) return;
  record.stored_us = stored_us;
  record.body = body;
  if (waiting_.contains(page) || asked_.contains(page)) return put(page, record);
  record.checksum = checksum_of(record);
  const Status written = file_->write(page, {reinterpret_cast<const char*>(&record), sizeof record});
  if (!written.ok() && status_.ok()) status_ = written;
}

void VisitTable::begin_commit(bool all_durable) {
  if (all_durable) {
    std::vector<PageId> pages;
    pages.reserve(asked_.size());
    for (const auto& [page, record] : asked_) pages.push_back(page);
    std::sort(pages.begin(), pages.end());
    for (const PageId page : pages) {
      const VisitRecord& record = asked_[page];
      const Status written = file_->write(page, {reinterpret_cast<const char*>(&record), sizeof record});
      if (!written.ok()) {
        if (status_.ok()) status_ = written;
        return;
      }
    }
    asked_.clear();
  }
  for (const auto& [page, record] : waiting_) asked_[page] = record;
  waiting_.clear();
}

Status VisitTable::sync() {
  BB_TRY_VOID(status_);
  return file_ != nullptr && durable_ ? file_->sync() : Status();
}

void VisitTable::save(ByteWriter& out) const {
  std::vector<PageId> pages;
  for (const auto& [page, record] : waiting_) pages.push_back(page);
  for (const auto& [page, record] : asked_) {
    if (!waiting_.contains(page)) pages.push_back(page);
  }
  std::sort(pages.begin(), pages.end());
  out.put_array(pages);
  for (const PageId page : pages) out.put(get(page));
}

void VisitTable::load(ByteReader& in) {
  std::vector<PageId> pages;
  in.get_array(pages);
  for (const PageId page : pages) {
    const auto record = in.get<VisitRecord>();
    if (!in.ok()) return;
    if (record.checksum != checksum_of(record) || record.tag_size > VisitRecord::kLongestTag) {
      in.reject();
      return;
    }
    put(page, record);
  }
}

}  // namespace bowerbird
