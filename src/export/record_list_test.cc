#include "export/record_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/hash.h"
#include "base/rng.h"
#include "export/hash_search.h"
#include "export/record_lister.h"

namespace bowerbird {
namespace {

struct MadeCapture {
  std::string url, digest, mime = "text/html";
  std::int64_t time_us = 0;
  bool revisit = false;
};

class MadeSource final : public CaptureSource {
 public:
  std::vector<MadeCapture> captures;
  const std::vector<CaptureFile>& files() const override { return files_; }
  Status for_each(const std::function<Status(const Capture&)>& visit, const Progress&) override {
    std::uint64_t offset = 0;
    for (const MadeCapture& made : captures) {
      Capture capture;
      capture.url = made.url;
      capture.digest = made.digest;
      capture.mime = made.revisit ? std::string_view("warc/revisit") : made.mime;
      capture.time_us = made.time_us;
      capture.revisit = made.revisit;
      capture.status = 200;
      capture.offset = offset++;
      BB_TRY_VOID(visit(capture));
    }
    return {};
  }

 private:
  std::vector<CaptureFile> files_;
};

MadeSource made_source() {
  MadeSource source;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const std::uint64_t r = mix64(i);
    MadeCapture capture;
    capture.url = fmt::format("http://h{}.example/{}", r % 5, (r >> 8) % 90);
    capture.digest = (r >> 16) % 17 == 0 ? "" : fmt::format("sha1:{}", (r >> 24) % 120);
    capture.time_us = static_cast<std::int64_t>((r >> 32) % 50);
    capture.revisit = (r >> 40) % 4 == 0;
    if ((r >> 48) % 11 == 0) capture.mime = "image/png";
    source.captures.push_back(capture);
  }
  return source;
}

using Line = std::pair<std::uint64_t, std::uint64_t>;  // where a record and its body are

// The rules of record_list.h, one by one and in memory.
std::vector<Line> obvious_list(MadeSource& source, const Selection& selection) {
  OtherBodies none;
  RecordLister lister(selection, none);
  std::map<std::string, std::pair<std::int64_t, std::uint64_t>> newest;
  std::uint64_t offset = 0;
  ListCounts ignored;
  EXPECT_TRUE(source
                  .for_each(
                      [&](const Capture& capture) {
                        const auto key = std::pair(capture.time_us, offset++);
                        if (!listed_record(capture, selection, ignored)) return Status();
                        const auto [at, added] = newest.try_emplace(std::string(capture.url), key);
                        if (!added) at->second = std::max(at->second, key);
                        return Status();
                      },
                      {})
                  .ok());
  EXPECT_TRUE(source
                  .for_each(
                      [&](const Capture& capture) {
                        const auto found = newest.find(std::string(capture.url));
                        const bool chosen = selection.all_captures ||
                                            (found != newest.end() && found->second.second == capture.offset);
                        Capture shown = capture;
                        if (!chosen) shown.status = 404;  // known as a body, but not listed
                        if (!chosen && capture.revisit) return Status();
                        lister.add(shown);
                        return Status();
                      },
                      {})
                  .ok());
  std::vector<Line> lines;
  for (const ListedRecord& record : lister.take(ignored))
    lines.emplace_back(record.offset, record.payload_offset);
  return lines;
}

TEST(RecordList, IsTheSameHoweverLittleMemoryThereIs) {
  MadeSource source = made_source();
  for (const bool all : {false, true}) {
    for (const Duplicates duplicates : {Duplicates::kKeep, Duplicates::kExact}) {
      Selection selection;
      selection.all_captures = all;
      selection.duplicates = duplicates;
      const std::vector<Line> expected = obvious_list(source, selection);
      EXPECT_GT(expected.size(), 30u);
      for (const std::size_t memory : {std::size_t{200}, std::size_t{1} << 20}) {
        OtherBodies none;
        const auto list = list_records(source, selection, none, {}, memory);
        ASSERT_TRUE(list.ok());
        std::vector<Line> lines;
        for (const ListedRecord& record : list->records) {
          EXPECT_EQ(record.number, lines.size());
          lines.emplace_back(record.offset, record.payload_offset);
        }
        EXPECT_EQ(lines, expected);
        const ListCounts& counts = list->counts;
        EXPECT_EQ(lines.size() + counts.other_types + counts.not_selected + counts.older + counts.duplicates +
                      counts.missing_payloads,
                  source.captures.size());
        EXPECT_GT(counts.missing_payloads, 0u);
      }
    }
  }
}

TEST(RecordList, CanBeSortedByAValueAndByUrl) {
  MadeSource source = made_source();
  OtherBodies none;
  const auto list = list_records(source, {}, none, {});
  ASSERT_TRUE(list.ok());
  const auto sorted = sorted_by(list->records.all(), [](const ListedRecord& r) { return r.offset % 7; });
  ASSERT_TRUE(sorted.ok());
  ASSERT_EQ(sorted->size(), list->records.size());
  for (std::size_t i = 1; i < sorted->size(); ++i) {
    const ListedRecord &a = (*sorted)[i - 1], &b = (*sorted)[i];
    EXPECT_TRUE(a.offset % 7 > b.offset % 7 || (a.offset % 7 == b.offset % 7 && a.offset < b.offset));
  }
  const auto urls = sorted_urls(list->records.all(), kAllDocumentKinds);
  ASSERT_TRUE(urls.ok());
  EXPECT_TRUE(std::is_sorted(urls->begin(), urls->end()));
  for (const ListedRecord& record : list->records) EXPECT_TRUE(contains_hash(urls->all(), record.url_hash));
}

TEST(HashSearch, FindsLikeABinarySearch) {
  for (const std::uint64_t size : {0u, 1u, 2u, 40u, 5000u}) {
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t i = 0; i < size; ++i) hashes.push_back(i % 3 == 0 ? mix64(i) >> 40 : mix64(i));
    std::sort(hashes.begin(), hashes.end());
    std::vector<std::uint64_t> asked = {0, 1, ~std::uint64_t{0}};
    for (const std::uint64_t hash : hashes) asked.insert(asked.end(), {hash - 1, hash, hash + 1});
    for (const std::uint64_t hash : asked) {
      const auto expected = std::lower_bound(hashes.begin(), hashes.end(), hash) - hashes.begin();
      ASSERT_EQ(lower_hash(hashes, hash), static_cast<std::size_t>(expected)) << size << " " << hash;
    }
  }
}

}  // namespace
}  // namespace bowerbird
