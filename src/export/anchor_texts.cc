#include "export/anchor_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/utf8.h"
#include "export/hash_search.h"
#include "sys/disk.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostDistinct = 1000;  // of one page; further texts do not count
constexpr std::size_t kHash = 16;            // digits of a target in a line
constexpr std::size_t kPage = 12;            // digits of a page

std::uint64_t hexadecimal(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

}  // namespace

// Takes the sorted lines, and writes the texts of each target: one per line, an empty line at the end.
class AnchorTexts::Writer {
 public:
  Writer(OutputFile& file, Entries& places) : file_(file), entries_(places) {}

  Status take(std::string_view line) {
    const std::uint64_t target = hexadecimal(line.substr(0, kHash));
    if (!texts_.empty() && target != target_) BB_TRY_VOID(end_target());
    target_ = target;
    const std::string text(line.substr(kHash + kPage));
    if (const auto known = texts_.find(text); known != texts_.end()) {
      ++known->second.count;
    } else if (texts_.size() < kMostDistinct) {
      texts_.emplace(text, TextCount{1, ++order_});
    }
    return {};
  }

  Status end_target() {
    if (texts_.empty()) return {};
    std::vector<std::pair<std::string, TextCount>> list(texts_.begin(), texts_.end());
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      return a.second.count != b.second.count ? a.second.count > b.second.count
                                              : a.second.first < b.second.first;
    });
    list.resize(std::min(list.size(), kMostTexts));
    BB_TRY_VOID(entries_.targets.push_back(target_));
    BB_TRY_VOID(entries_.offsets.push_back(file_.size()));
    std::string out;
    for (const auto& [text, count] : list) out += text + "\n";
    texts_.clear();
    order_ = 0;
    return file_.write(out + "\n");
  }

 private:
  struct TextCount {
    std::uint64_t count = 0;
    std::uint64_t first = 0;
  };

  OutputFile& file_;
  Entries& entries_;
  std::uint64_t target_ = 0;
  std::map<std::string, TextCount> texts_;
  std::uint64_t order_ = 0;
};

AnchorTexts::AnchorTexts(std::span<const std::uint64_t> targets, const std::string& folder,
                         std::size_t memory)
    : targets_(targets),
      path_(folder + "/anchors"),
      sorter_(Disk::real(), folder + "/anchors.sorting", memory) {}

Status AnchorTexts::add(std::uint64_t target, std::uint64_t from, std::string_view text) {
  if (text.empty() || !contains_hash(targets_, target)) return {};
  std::string line = fmt::format("{:016x}{:012x}", target, from);
  text = text.substr(0, kLongestText);
  line += text.substr(0, text.size() - incomplete_utf8_tail(text));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return sorter_.add(std::move(line));
}

Status AnchorTexts::finish() {
  targets_ = {};
  BB_TRY(const std::unique_ptr<OutputFile> file, OutputFile::create(path_));
  Writer writer(*file, entries_);
  BB_TRY_VOID(sorter_.finish([&](std::string_view line) { return writer.take(line); }));
  BB_TRY_VOID(writer.end_target());
  BB_TRY_VOID(file->finish());
  BB_TRY_VOID(entries_.targets.finish());
  BB_TRY_VOID(entries_.offsets.finish());
  if (entries_.targets.empty()) return {};
  BB_TRY(file_, MappedFile::open(path_));
  return {};
}

std::vector<std::string> AnchorTexts::of(std::uint64_t target) const {
  std::vector<std::string> texts;
  const std::size_t found = find_hash(entries_.targets.all(), target);
  if (found == entries_.targets.size()) return texts;
  std::string_view rest = file_->text().substr(entries_.offsets[found]);
  for (;;) {
    const std::size_t size = std::min(rest.find('\n'), rest.size());
    if (size == 0) return texts;
    texts.emplace_back(rest.substr(0, size));
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
}

}  // namespace bowerbird
