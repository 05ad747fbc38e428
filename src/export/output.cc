#include "export/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "archive/sha256.h"
#include "store/file_names.h"
#include "sys/disk.h"
#include "sys/file.h"
#include "sys/sink.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

// Counts and digests what is stored.
class MeasuredSink final : public ByteSink {
 public:
  explicit MeasuredSink(std::unique_ptr<ByteSink> to) : to_(std::move(to)) {}
  Status write(std::string_view bytes) override {
    digest_.add(bytes);
    size_ += bytes.size();
    return to_->write(bytes);
  }
  Status finish() override { return to_->finish(); }
  std::uint64_t size() const { return size_; }
  std::string digest() { return digest_.finish(); }

 private:
  std::unique_ptr<ByteSink> to_;
  Sha256 digest_;
  std::uint64_t size_ = 0;
};

// A file that is being written.
struct OpenFile {
  std::string name;
  std::unique_ptr<ByteSink> sink;
  MeasuredSink* measured = nullptr;  // in sink
};

// Standard output without a buffer.
class DirectSink final : public ByteSink {
 public:
  Status write(std::string_view bytes) override {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
      return error("standard output: cannot write: {}", std::strerror(errno));
    return {};
  }
  Status finish() override { return {}; }
};

Result<std::unique_ptr<ByteSink>> create_sink(const OutputOptions& options, const std::string& path) {
  if (options.at_once && path == "-") return std::unique_ptr<ByteSink>(std::make_unique<DirectSink>());
  BB_TRY(std::unique_ptr<OutputFile> file, OutputFile::create(path));
  return std::unique_ptr<ByteSink>(std::move(file));
}

Compression compression_of(const OutputOptions& options, const std::string& path) {
  return options.packed ? Compression::kNone : options.compression.value_or(compression_by_name(path));
}

Result<OpenFile> create_file(const OutputOptions& options, const std::string& path) {
  OpenFile file;
  file.name = fs::path(path).filename().string();
  BB_TRY(std::unique_ptr<ByteSink> plain, create_sink(options, path));
  auto measured = std::make_unique<MeasuredSink>(std::move(plain));
  file.measured = measured.get();
  file.sink = compressing(compression_of(options, path), std::move(measured));
  if (options.prologue) BB_TRY_VOID(file.sink->write(options.prologue(file.name)));
  return file;
}

class OneFile final : public ExportOutput {
 public:
  explicit OneFile(OpenFile file) : file_(std::move(file)) {}
  Status write(std::uint64_t, std::span<const OutputDocument> documents) override {
    for (const OutputDocument& document : documents) BB_TRY_VOID(file_.sink->write(document.bytes));
    return {};
  }
  Status finish() override {
    BB_TRY_VOID(file_.sink->finish());
    bytes_ = file_.measured->size();
    files_ = 1;
    return {};
  }

 private:
  OpenFile file_;
};

// How far an export came, in a file.
struct Checkpoint {
  std::string identity;
  std::uint64_t next = 0;  // the first item that is not in it
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;

  Status save(const std::string& path) const {
    const nlohmann::ordered_json json = {
        {"identity", identity}, {"next", next}, {"documents", documents}, {"bytes", bytes}};
    return write_file(path, json.dump(1) + "\n");
  }
  // Reads that of the same export; of others, or where there is none, it stays as it is.
  void load(const std::string& path) {
    const auto file =
        file_exists(path) ? MappedFile::open(path) : Result<std::shared_ptr<const MappedFile>>(error("none"));
    if (!file.ok()) return;
    const auto json = nlohmann::json::parse((*file)->text(), nullptr, false);
    if (!json.is_object() || !json.contains("identity") || json["identity"] != identity) return;
    const auto number = [&](const char* name) {
      const auto found = json.find(name);
      return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
    };
    next = number("next");
    documents = number("documents");
    bytes = number("bytes");
  }
};

// A file that is continued: what was written until a checkpoint counts.
class PartFile final : public ExportOutput {
 public:
  static Result<std::unique_ptr<ExportOutput>> open(const OutputOptions& options) {
    auto output = std::make_unique<PartFile>(options);
    BB_TRY_VOID(output->open_part());
    return std::unique_ptr<ExportOutput>(std::move(output));
  }
  explicit PartFile(OutputOptions options) : options_(std::move(options)) {
    done_.identity = options_.identity;
  }

  OutputStart start() const override { return {done_.next, done_.documents}; }

  Status write(std::uint64_t item, std::span<const OutputDocument> documents) override {
    for (const OutputDocument& document : documents) {
      BB_TRY_VOID(sink_->write(document.bytes));
      since_ += document.bytes.size();
    }
    done_.next = item + 1;
    done_.documents += documents.size();
    return since_ < options_.checkpoint_bytes ? Status() : checkpoint();
  }

  Status finish() override {
    BB_TRY_VOID(checkpoint());
    BB_TRY_VOID(Disk::real().rename(part(), options_.path));
    std::error_code ignored;
    fs::remove(state(), ignored);
    bytes_ = done_.bytes;
    files_ = 1;
    return {};
  }

 private:
  // Appends to the part.
  class AppendSink final : public ByteSink {
   public:
    explicit AppendSink(DiskFile& file) : file_(file) {}
    Status write(std::string_view bytes) override {
      buffer_.append(bytes);
      return buffer_.size() < (std::size_t{1} << 16) ? Status() : flush();
    }
    Status finish() override {
      BB_TRY_VOID(flush());
      return file_.sync();
    }

   private:
    Status flush() {
      BB_TRY_VOID(file_.append(buffer_));
      buffer_.clear();
      return {};
    }
    DiskFile& file_;
    std::string buffer_;
  };

  std::string part() const { return options_.path + ".part"; }
  std::string state() const { return options_.path + ".part.json"; }

  Status open_part() {
    Disk& disk = Disk::real();
    done_.load(state());
    if (disk.exists(part())) {
      BB_TRY(file_, disk.open(part(), Disk::Open::kAppend));
      BB_TRY(const std::uint64_t size, file_->size());
      if (size < done_.bytes) done_ = {options_.identity, 0, 0, 0};
      BB_TRY_VOID(file_->truncate(done_.bytes));
    } else {
      done_ = {options_.identity, 0, 0, 0};
      BB_TRY(file_, disk.open(part(), Disk::Open::kCreate));
    }
    open_sink();
    if (done_.bytes > 0 || !options_.prologue) return {};
    return sink_->write(options_.prologue(fs::path(options_.path).filename().string()));
  }

  // What follows is a new member of a gzip or zstd file.
  void open_sink() {
    sink_ = compressing(compression_of(options_, options_.path), std::make_unique<AppendSink>(*file_));
    since_ = 0;
  }

  Status checkpoint() {
    BB_TRY_VOID(sink_->finish());
    BB_TRY(done_.bytes, file_->size());
    BB_TRY_VOID(done_.save(state()));
    open_sink();
    return {};
  }

  OutputOptions options_;
  std::unique_ptr<DiskFile> file_;
  std::unique_ptr<ByteSink> sink_;
  std::uint64_t since_ = 0;  // bytes since the last checkpoint
  Checkpoint done_;
};

class PageFolder final : public ExportOutput {
 public:
  explicit PageFolder(OutputOptions options) : options_(std::move(options)) {
    done_.identity = options_.identity;
    done_.load(state());
    bytes_ = done_.bytes;
    files_ = done_.documents;
  }

  OutputStart start() const override { return {done_.next, done_.documents}; }

  Status write(std::uint64_t item, std::span<const OutputDocument> documents) override {
    for (const OutputDocument& document : documents) {
      BB_TRY(const std::string path, place_of(document.url));
      // Replacing a file takes two names for a moment, and a kill would leave both; a new file has one.
      std::error_code ignored;
      fs::remove(path, ignored);
      BB_TRY(const OpenFile file, create_file(options_, path));
      BB_TRY_VOID(file.sink->write(document.bytes));
      BB_TRY_VOID(file.sink->finish());
      bytes_ += file.measured->size();
      ++files_;
    }
    if (files_ < done_.documents + options_.checkpoint_pages) return {};
    done_ = {options_.identity, item + 1, files_, bytes_};
    return done_.save(state());
  }
  Status finish() override {
    std::error_code ignored;
    fs::remove(state(), ignored);
    return make_folder(options_.path);
  }

 private:
  std::string state() const { return options_.path + "/export.part.json"; }

  // "FOLDER/host/path.md". Where a page has the name of a folder, its path becomes one name.
  Result<std::string> place_of(const std::string& url) const {
    const std::string name = file_path_of_url(url);
    fs::path path = fs::path(options_.path) / (name + options_.extension);
    if (!make_folder(path.parent_path().string()).ok()) {
      const std::size_t slash = name.find('/');
      path = fs::path(options_.path) / name.substr(0, slash) /
             (file_name_of(name.substr(slash + 1)) + options_.extension);
      BB_TRY_VOID(make_folder(path.parent_path().string()));
    }
    return path.string();
  }

  OutputOptions options_;
  Checkpoint done_;
};

class ShardFolder final : public ExportOutput {
 public:
  static Result<std::unique_ptr<ExportOutput>> open(const OutputOptions& options) {
    BB_TRY_VOID(make_folder(options.path));
    auto folder = std::make_unique<ShardFolder>(options);
    if (file_exists(folder->path_of(kManifest)))
      return error("{}: there is a complete export in this folder; choose another one", options.path);
    BB_TRY_VOID(folder->read_part());
    return std::unique_ptr<ExportOutput>(std::move(folder));
  }
  explicit ShardFolder(OutputOptions options) : options_(std::move(options)) {}

  OutputStart start() const override { return {next_, documents_}; }

  Status write(std::uint64_t item, std::span<const OutputDocument> documents) override {
    if (documents.empty()) return {};
    if (!file_) {
      const std::string name = fmt::format("part-{:05}{}", files_json_.size(), options_.extension);
      BB_TRY(file_, create_file(options_, path_of(name)));
    }
    for (const OutputDocument& document : documents) BB_TRY_VOID(file_->sink->write(document.bytes));
    file_documents_ += documents.size();
    next_ = item + 1;
    return file_->measured->size() < options_.shard_bytes ? Status() : end_file();
  }

  Status finish() override {
    if (file_) BB_TRY_VOID(end_file());
    BB_TRY_VOID(write_file(path_of(kManifest), manifest().dump(1) + "\n"));
    std::error_code ignored;
    fs::remove(path_of(kPart), ignored);
    return {};
  }

 private:
  static constexpr char kManifest[] = "manifest.json";
  static constexpr char kPart[] = "manifest.part.json";

  std::string path_of(const std::string& name) const { return options_.path + "/" + name; }

  nlohmann::ordered_json manifest() const {
    return {{"identity", options_.identity},
            {"documents", documents_},
            {"bytes", bytes_},
            {"next", next_},
            {"files", files_json_}};
  }

  Status end_file() {
    BB_TRY_VOID(file_->sink->finish());
    documents_ += file_documents_;
    bytes_ += file_->measured->size();
    ++files_;
    files_json_.push_back({{"name", file_->name},
                           {"documents", file_documents_},
                           {"bytes", file_->measured->size()},
                           {"digest", file_->measured->digest()}});
    file_documents_ = 0;
    file_.reset();
    return write_file(path_of(kPart), manifest().dump(1) + "\n");
  }

  // What an earlier export with the same input and options has written.
  Status read_part() {
    if (!file_exists(path_of(kPart))) return {};
    BB_TRY(const auto file, MappedFile::open(path_of(kPart)));
    const auto part = nlohmann::ordered_json::parse(file->text(), nullptr, false);
    const auto field = [&](const char* name) { return part.value(name, nlohmann::ordered_json()); };
    const auto number = [&](const char* name) {
      return field(name).is_number_unsigned() ? field(name).get<std::uint64_t>() : 0;
    };
    if (!part.is_object() || field("identity") != options_.identity)
      return error(
          "{}: this folder contains an unfinished export with other input or options; choose another folder, "
          "or empty it",
          options_.path);
    documents_ = number("documents");
    bytes_ = number("bytes");
    next_ = number("next");
    if (field("files").is_array()) files_json_ = part["files"];
    files_ = files_json_.size();
    return {};
  }

  OutputOptions options_;
  std::optional<OpenFile> file_;
  std::uint64_t file_documents_ = 0;
  std::uint64_t documents_ = 0;  // in complete files
  std::uint64_t next_ = 0;
  nlohmann::ordered_json files_json_ = nlohmann::ordered_json::array();
};

}  // namespace

Result<std::unique_ptr<ExportOutput>> ExportOutput::open(const OutputOptions& options) {
  if (options.shard_bytes > 0) return ShardFolder::open(options);
  if (options.one_file_per_page) {
    BB_TRY_VOID(make_folder(options.path));
    return std::unique_ptr<ExportOutput>(std::make_unique<PageFolder>(options));
  }
  if (options.path != "-" && !is_special_file(options.path)) return PartFile::open(options);
  BB_TRY(OpenFile file, create_file(options, options.path));
  return std::unique_ptr<ExportOutput>(std::make_unique<OneFile>(std::move(file)));
}

}  // namespace bowerbird
