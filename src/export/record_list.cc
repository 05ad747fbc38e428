#include "export/record_list.h"

#include <utility>

#include "export/site_blocks.h"

namespace bowerbird {

namespace {

struct ByUrl {
  bool operator()(const ListedRecord& a, const ListedRecord& b) const {
    if (a.url_hash != b.url_hash) return a.url_hash < b.url_hash;
    return a.time_us != b.time_us ? a.time_us < b.time_us : a.number < b.number;
  }
};

struct ByDigest {
  bool operator()(const ListedRecord& a, const ListedRecord& b) const {
    return a.digest_hash != b.digest_hash ? a.digest_hash < b.digest_hash : a.number < b.number;
  }
};

struct ByNumber {
  bool operator()(const ListedRecord& a, const ListedRecord& b) const { return a.number < b.number; }
};

// A record that has a body.
struct Payload {
  std::uint64_t digest = 0;
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  std::uint32_t file = 0;

  bool operator<(const Payload& other) const {
    return digest != other.digest ? digest < other.digest : number < other.number;
  }
};

// Sorts by URL to keep the newest, by digest to find bodies and duplicates, and back into the order of the
// archive.
class ListMaker {
 public:
  ListMaker(const Selection& selection, OtherBodies& others, std::size_t memory)
      : selection_(selection),
        others_(others),
        by_url_(memory),
        by_digest_(memory),
        by_number_(memory),
        all_payloads_(memory) {}

  Status add(const Capture& capture) {
    const std::uint64_t number = captures_++;
    const std::uint64_t digest = digest_hash(capture.digest);
    if (!capture.revisit && digest != 0)
      BB_TRY_VOID(
          all_payloads_.add({digest, number, capture.offset, static_cast<std::uint32_t>(capture.file)}));
    auto record = listed_record(capture, selection_, list_.counts);
    if (!record) return {};
    record->number = number;
    if (record->revisit) others_.find(capture.digest, *record);
    revisits_ = revisits_ || record->revisit;
    return selection_.all_captures ? by_digest_.add(*record) : by_url_.add(*record);
  }

  Result<RecordList> finish() {
    BB_TRY_VOID(keep_newest());
    BB_TRY_VOID(keep_payloads());
    BB_TRY_VOID(by_digest_.finish([&](const ListedRecord& record) { return take_by_digest(record); }));
    BB_TRY_VOID(by_number_.finish([&](ListedRecord record) {
      record.number = list_.records.count();
      return list_.records.push_back(record);
    }));
    BB_TRY_VOID(list_.records.finish());
    return std::move(list_);
  }

 private:
  Status keep_newest() {
    bool any = false;
    ListedRecord newest;
    BB_TRY_VOID(by_url_.finish([&](const ListedRecord& record) -> Status {
      if (any && record.url_hash == newest.url_hash) ++list_.counts.older;
      if (any && record.url_hash != newest.url_hash) BB_TRY_VOID(by_digest_.add(newest));
      newest = record;
      any = true;
      return {};
    }));
    return any ? by_digest_.add(newest) : Status();
  }

  // Of each digest the first; only where revisits need them.
  Status keep_payloads() {
    if (!revisits_) {
      all_payloads_ = DiskSorter<Payload>(0);
      return {};
    }
    std::uint64_t before = 0;
    BB_TRY_VOID(all_payloads_.finish([&](const Payload& payload) {
      return std::exchange(before, payload.digest) == payload.digest ? Status()
                                                                     : payloads_.push_back(payload);
    }));
    return payloads_.finish();
  }

  Status take_by_digest(ListedRecord record) {
    if (record.revisit) {
      while (next_ < payloads_.size() && payloads_[next_].digest < record.digest_hash) ++next_;
      if (next_ < payloads_.size() && payloads_[next_].digest == record.digest_hash) {
        record.payload_offset = payloads_[next_].offset;
        record.payload_file = payloads_[next_].file;
      } else if (!has_body_elsewhere(record)) {
        ++list_.counts.missing_payloads;
        return {};
      }
      record.revisit = false;
    }
    const bool repeated = record.digest_hash != 0 && record.digest_hash == last_digest_;
    last_digest_ = record.digest_hash;
    if (repeated && selection_.duplicates != Duplicates::kKeep) {
      ++list_.counts.duplicates;
      return {};
    }
    return by_number_.add(record);
  }

  const Selection& selection_;
  OtherBodies& others_;
  DiskSorter<ListedRecord, ByUrl> by_url_;
  DiskSorter<ListedRecord, ByDigest> by_digest_;
  DiskSorter<ListedRecord, ByNumber> by_number_;
  DiskSorter<Payload> all_payloads_;
  ScratchArray<Payload> payloads_;  // ascending by digest
  std::size_t next_ = 0;            // in payloads_
  std::uint64_t captures_ = 0;
  std::uint64_t last_digest_ = 0;
  bool revisits_ = false;  // some are listed
  RecordList list_;
};

}  // namespace

Result<RecordList> list_records(CaptureSource& source, const Selection& selection, OtherBodies& others,
                                const Progress& progress, std::size_t memory) {
  ListMaker maker(selection, others, memory);
  BB_TRY_VOID(source.for_each([&](const Capture& capture) { return maker.add(capture); }, progress));
  return maker.finish();
}

Result<ScratchArray<std::uint64_t>> sorted_urls(std::span<const ListedRecord> records, DocumentKinds kinds) {
  DiskSorter<std::uint64_t> sorter;
  for (const ListedRecord& record : records) {
    if (record.kind == DocumentKind::kNone || (kinds & kind_bit(record.kind)) != 0)
      BB_TRY_VOID(sorter.add(record.url_hash));
  }
  ScratchArray<std::uint64_t> sorted;
  BB_TRY_VOID(sorter.finish([&](std::uint64_t hash) { return sorted.push_back(hash); }));
  BB_TRY_VOID(sorted.finish());
  return sorted;
}

Result<ScratchArray<ListedRecord>> sorted_by(std::span<const ListedRecord> records,
                                             const std::function<double(const ListedRecord&)>& value) {
  struct Position {
    double value = 0;
    std::uint64_t record = 0;
    bool operator<(const Position& other) const {
      return value > other.value || (value == other.value && record < other.record);
    }
  };
  DiskSorter<Position> sorter;
  for (std::uint64_t i = 0; i < records.size(); ++i) BB_TRY_VOID(sorter.add({value(records[i]), i}));
  ScratchArray<ListedRecord> sorted;
  BB_TRY_VOID(
      sorter.finish([&](const Position& position) { return sorted.push_back(records[position.record]); }));
  BB_TRY_VOID(sorted.finish());
  return sorted;
}

Result<ScratchArray<std::uint64_t>> sampled_records(std::span<const ListedRecord> records) {
  struct Position {
    std::uint64_t site = 0;
    std::uint64_t record = 0;
    bool operator<(const Position& other) const {
      return site != other.site ? site < other.site : record < other.record;
    }
  };
  DiskSorter<Position> sorter;
  for (std::uint64_t i = 0; i < records.size(); ++i) {
    if (records[i].kind == DocumentKind::kHtml || records[i].kind == DocumentKind::kNone)
      BB_TRY_VOID(sorter.add({records[i].site, i}));
  }
  ScratchArray<Position> by_site;
  BB_TRY_VOID(sorter.finish([&](const Position& position) { return by_site.push_back(position); }));
  BB_TRY_VOID(by_site.finish());
  ScratchArray<std::uint64_t> sampled;
  for (std::size_t begin = 0, end = 0; begin < by_site.size(); begin = end) {
    while (end < by_site.size() && by_site[end].site == by_site[begin].site) ++end;
    for (const std::size_t i : sampled_pages(end - begin))
      BB_TRY_VOID(sampled.push_back(by_site[begin + i].record));
  }
  BB_TRY_VOID(sampled.finish());
  return sampled;
}

}  // namespace bowerbird
