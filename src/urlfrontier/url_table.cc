#include "urlfrontier/url_table.h"

#include <cstring>

#include "base/varint.h"
#include "store/links.h"

namespace bowerbird {

namespace {

constexpr char kUrlsFile[] = "/urls.log";

KnownUrlsOptions known_options(const UrlTableOptions& options) {
  KnownUrlsOptions known;
  if (options.folder.empty()) return known;
  known.memory = options.known_bytes;
  known.folder = options.folder + "/known";
  known.disk = options.disk;
  return known;
}

}  // namespace

UrlTable::UrlTable(const UrlTableOptions& options) : options_(options), known_(known_options(options)) {
  known_.set_reread(
      [this](PageId first, PageId end, const std::function<void(std::uint64_t)>& take) -> Status {
        for (PageId page = first; page < end; ++page) {
          BB_TRY(const std::string text, url(page));
          take(KnownUrls::fingerprint(text));
        }
        return {};
      });
}

Result<std::unique_ptr<UrlTable>> UrlTable::make(const UrlTableOptions& options) {
  std::unique_ptr<UrlTable> table(new UrlTable(options));
  if (options.folder.empty()) return table;
  const std::string path = options.folder + kUrlsFile;
  const bool exists = options.disk->exists(path);
  BB_TRY(table->file_, options.disk->open(path, exists ? Disk::Open::kAppend : Disk::Open::kCreate));
  table->texts_ = std::make_unique<UrlTexts>(table->file_, path, 0, options.cache_bytes);
  return table;
}

PageId UrlTable::add(std::uint64_t fingerprint, std::string_view url, QueueId queue) {
  // The file is emptied as late as possible, because load() needs its content.
  if (file_ && size() == 0 && status_.ok()) status_ = file_->truncate(0);
  const PageId page = known_.add(fingerprint);
  CHECK(page == size());
  append_text(url);
  queues_.push_back(queue);
  return page;
}

void UrlTable::append_text(std::string_view url) {
  if (!file_) {
    chars_.grow_to(chars_end_ + url.size());
    std::memcpy(chars_.data() + chars_end_, url.data(), url.size());
    starts_.push_back(chars_end_);
    chars_end_ += url.size();
    return;
  }
  if (tail_.records == 0) tail_.first = size();
  put_url_record(tail_.raw, url);
  ++tail_.records;
  if (tail_.raw.size() >= kUrlBlockBytes && status_.ok()) status_ = write_tail();
}

Status UrlTable::write_tail() {
  if (tail_.records == 0) return {};
  encoded_.clear();
  encoder_.encode(tail_, encoded_);
  BB_TRY_VOID(file_->append(encoded_));
  file_bytes_ += encoded_.size();
  texts_->extend(file_bytes_);
  tail_ = {};
  return {};
}

Result<std::string> UrlTable::url(PageId page) {
  if (!file_) {
    const std::uint64_t end = page + 1 < starts_.size() ? starts_[page + 1] : chars_end_;
    return std::string(chars_.data() + starts_[page], end - starts_[page]);
  }
  if (tail_.records == 0 || page < tail_.first) return texts_->url(page);
  const std::optional<std::string_view> text = url_in_block(tail_, page);
  if (!text) return error("there is no page {}", page);
  return std::string(*text);
}

std::uint64_t UrlTable::bytes() const {
  return known_.counts().memory + queues_.bytes() + chars_.size() + starts_.size() * sizeof(std::uint64_t) +
         (texts_ ? texts_->bytes() : 0) + tail_.raw.capacity();
}

Status UrlTable::flush() {
  if (!file_) return {};
  BB_TRY_VOID(status_);
  status_ = write_tail();
  if (status_.ok() && options_.durable) status_ = file_->sync();
  return status_;
}

void UrlTable::save(ByteWriter& out) const {
  out.put<std::uint64_t>(size());
  out.put(file_bytes_);
  for (PageId page = 0; page < size(); ++page) out.put<QueueId>(queues_[page]);
}

Status UrlTable::load(ByteReader& in) {
  CHECK(file_ != nullptr && size() == 0);
  const auto count = in.get<std::uint64_t>();
  file_bytes_ = in.get<std::uint64_t>();
  if (count > in.left() / sizeof(QueueId)) in.reject();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) queues_.push_back(in.get<QueueId>());
  if (!in.ok()) return error("the list of URLs in the snapshot is damaged");
  BB_TRY(const std::uint64_t length, file_->size());
  if (length < file_bytes_) {
    return error("{}{} is shorter than the snapshot says ({} of {} bytes)", options_.folder, kUrlsFile,
                 length, file_bytes_);
  }
  BB_TRY_VOID(file_->truncate(file_bytes_));
  texts_->extend(file_bytes_);
  return read_texts(static_cast<PageId>(count));
}

Status UrlTable::read_texts(PageId count) {
  const std::string name = options_.folder + kUrlsFile;
  BlockReader reader(file_, name, file_bytes_);
  while (known_.size() < count) {
    BB_TRY(const Block* const block, reader.next());
    if (block == nullptr) return error("{}: only {} of {} URLs can be read", name, known_.size(), count);
    VarintReader in(block->raw);
    for (std::uint32_t i = 0; i < block->records && in.ok(); ++i) {
      known_.add(KnownUrls::fingerprint(get_url_record(in)));
    }
    if (!in.ok()) return error("{}: the block after URL {} is damaged", name, known_.size());
  }
  if (known_.size() != count) return error("{}: there are more URLs than the snapshot says", name);
  return known_.status();
}

}  // namespace bowerbird
