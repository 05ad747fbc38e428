#include "archive/extract.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <unordered_map>

#include "archive/captured_body.h"
#include "archive/warc_records.h"
#include "base/keyed_hash.h"
#include "store/digest_text.h"
#include "store/file_names.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kExtractPiece = std::size_t{256} << 10;
constexpr std::uint64_t kMostUnfolded = std::uint64_t{1} << 30;  // limit for a decompressed body

// A free path; creates its folders.
Result<std::string> free_path(const std::string& out, const std::string& name) {
  fs::path wanted = fs::path(out) / name;
  std::error_code code;
  fs::create_directories(wanted.parent_path(), code);
  if (code) {
    // There are both a page /a and this page /a/b.
    const std::size_t slash = name.find('/');
    wanted = fs::path(out) / name.substr(0, slash) / ("_" + file_name_of(name.substr(slash + 1)));
    fs::create_directories(wanted.parent_path(), code);
    if (code) return error("{}: cannot create the folder: {}", wanted.parent_path().string(), code.message());
  }
  std::string path = wanted.string();
  for (int number = 2; file_exists(path); ++number) path = fmt::format("{}~{}", wanted.string(), number);
  return path;
}

class Extraction {
 public:
  Extraction(const ExtractOptions& options, const Progress& progress)
      : options_(options), progress_(progress) {}

  Result<ExtractCounts> run() {
    BB_TRY(files_, warc_files(options_.files));
    for (file_ = 0; file_ < files_.size(); ++file_) BB_TRY_VOID(read_file());
    for (const Revisit& revisit : revisits_) BB_TRY_VOID(resolve(revisit));
    return counts_;
  }

 private:
  struct Position {
    std::size_t file = 0;
    std::uint64_t offset = 0;
  };
  struct Revisit {
    std::string url;
    std::string digest;
    unsigned status = 0;  // 0: that of the original
  };

  // A digest in any encoding as a key.
  static std::uint64_t key_of(std::string_view digest) {
    const auto known = sha1_of_text(digest);
    if (!known) return keyed_hash(digest);
    return keyed_hash({reinterpret_cast<const char*>(known->data()), known->size()});
  }

  Status read_file() {
    BB_TRY(const std::shared_ptr<WarcReader> reader, WarcReader::open(files_[file_]));
    for (;;) {
      BB_TRY(const bool more, reader->next());
      if (!more) return {};
      if (!progress_.tick("extracting " + files_[file_], reader->position(), reader->stored_size()))
        return error("stopped");
      BB_TRY_VOID(take(reader));
    }
  }

  Status take(const std::shared_ptr<WarcReader>& reader) {
    const WarcHead& head = reader->head();
    const std::string_view type = head.type();
    const std::string_view digest = head.field("WARC-Payload-Digest");
    const bool wanted = options_.url.empty() || record_url(head) == options_.url;
    if (type == "revisit") {
      if (wanted && digest.empty()) ++counts_.revisits;
      if (!wanted || digest.empty()) return {};
      HttpSplitter http;
      BB_TRY(const std::string own_head, revisit_head(*reader));
      http.feed(own_head);
      revisits_.push_back({std::string(record_url(reader->head())), std::string(digest),
                           static_cast<unsigned>(std::max(http.status(), 0))});
      return {};
    }
    if (type != "response" && type != "resource") return {};
    if (!digest.empty() && reader->packed_alone() && files_[file_] != "-")
      originals_.try_emplace(key_of(digest), Position{file_, reader->offset()});
    if (!wanted || record_url(head).starts_with("dns:")) return {};
    BB_TRY([[maybe_unused]] const bool written, write(reader, std::string(record_url(head))));
    return {};
  }

  Status resolve(const Revisit& revisit) {
    std::shared_ptr<WarcReader> reader;
    if (const auto found = originals_.find(key_of(revisit.digest)); found != originals_.end()) {
      BB_TRY(reader, WarcReader::open(files_[found->second.file], found->second.offset));
      BB_TRY(const bool there, reader->next());
      if (!there) return error("{}: there is no record at byte {}", reader->name(), found->second.offset);
    } else if (const auto digest = sha1_of_text(revisit.digest); digest && options_.others != nullptr) {
      reader = options_.others->open_record(*digest);
    }
    if (reader == nullptr) {
      ++counts_.revisits;
      return {};
    }
    BB_TRY(const bool written, write(reader, revisit.url, revisit.status));
    counts_.resolved += written ? 1 : 0;
    return {};
  }

  // status: of the revisit; 0: that of the record. False: another one is wanted.
  Result<bool> write(std::shared_ptr<WarcReader> reader, const std::string& url, unsigned status = 0) {
    const bool http_record = is_http(reader->head());
    BB_TRY(const std::unique_ptr<CapturedBody> body, CapturedBody::open(std::move(reader)));
    if (status == 0) status = body->status();
    if (http_record && options_.status != 0 && status != static_cast<unsigned>(options_.status)) {
      ++counts_.other_status;
      return false;
    }
    BB_TRY(const std::string path, free_path(options_.out, file_path_of_url(url)));
    BB_TRY(const std::unique_ptr<OutputFile> file, OutputFile::create(path));
    std::uint64_t written = 0;
    for (std::string piece;; piece.clear()) {
      BB_TRY_VOID(body->append(piece, kExtractPiece));
      if (piece.empty()) break;
      if (!body->length() && written + piece.size() > kMostUnfolded) {
        ++counts_.cut;
        break;
      }
      BB_TRY_VOID(file->write(piece));
      written += piece.size();
    }
    BB_TRY_VOID(file->finish());
    ++counts_.written;
    counts_.bytes += written;
    counts_.undecoded += body->undecoded() ? 1 : 0;
    return true;
  }

  const ExtractOptions& options_;
  const Progress& progress_;
  std::vector<std::string> files_;
  std::size_t file_ = 0;
  std::unordered_map<std::uint64_t, Position> originals_;
  std::vector<Revisit> revisits_;
  ExtractCounts counts_;
};

}  // namespace

Result<ExtractCounts> extract_pages(const ExtractOptions& options, const Progress& progress) {
  return Extraction(options, progress).run();
}

}  // namespace bowerbird
