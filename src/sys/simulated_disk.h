// A disk in memory that can fail at any step, for tests of crash safety.
//
// It counts steps: each append (byte by byte), sync, rename, remove and creation. At the chosen step it
// fails. In a power failure every later call fails, and after_power_failure() returns the disk as it may come
// up again: any part of what was not synced may be missing, chosen by a seed. On a full disk appends fail
// after writing a part. A killed process is a power failure in which everything written survives. Threads:
// any (one lock).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/rng.h"
#include "sys/disk.h"

namespace bowerbird {

class SimulatedDisk final : public Disk {
 public:
  enum class Fault { kNone, kPower, kFull };
  // Fails from `step` on.
  void fail_at(std::uint64_t step, Fault fault) {
    const std::lock_guard lock(mutex_);
    fail_at_ = step;
    fault_ = fault;
  }
  std::uint64_t steps() const {
    const std::lock_guard lock(mutex_);
    return steps_;
  }
  bool failed() const {
    const std::lock_guard lock(mutex_);
    return fault_ != Fault::kNone && steps_ > fail_at_;
  }

  // The disk after the process was killed: everything written is there.
  std::unique_ptr<SimulatedDisk> after_kill() const {
    const std::lock_guard lock(mutex_);
    auto disk = std::make_unique<SimulatedDisk>();
    for (const auto& [path, node] : names_) disk->put(path, node->bytes);
    return disk;
  }

  // The disk as it may come up after a power failure: each folder as it was at some moment since it was last
  // synced, with any part of the bytes that were not synced.
  std::unique_ptr<SimulatedDisk> after_power_failure(std::uint64_t seed) const {
    const std::lock_guard lock(mutex_);
    Rng rng(seed);
    auto disk = std::make_unique<SimulatedDisk>();
    for (const auto& [folder, states] : folders_) {
      for (const auto& [path, node] : states[rng.below(states.size())]) disk->put(path, node->survivor(rng));
    }
    return disk;
  }

  // The content of a file; empty if it does not exist.
  std::string content(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = names_.find(path);
    return found == names_.end() ? std::string() : found->second->bytes;
  }
  void put(const std::string& path, std::string bytes) {
    const std::lock_guard lock(mutex_);
    auto node = std::make_shared<Node>();
    node->bytes = bytes;
    node->synced = std::move(bytes);
    names_[path] = node;
    note_folder(path);
    folders_[folder_of(path)] = {folders_[folder_of(path)].back()};
  }

  Result<std::unique_ptr<DiskFile>> open(const std::string& path, Open how) override {
    const std::lock_guard lock(mutex_);
    if (dead()) return error("{}: the power is gone", path);
    auto found = names_.find(path);
    if (how != Open::kCreate && found == names_.end()) return error("{}: there is no such file", path);
    if (how == Open::kCreate) {
      if (found != names_.end()) return error("{}: exists already", path);
      BB_TRY_VOID(step(path));
      found = names_.emplace(path, std::make_shared<Node>()).first;
      note_folder(path);
    }
    return std::unique_ptr<DiskFile>(std::make_unique<File>(*this, path, found->second));
  }
  bool exists(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    return names_.contains(path);
  }
  Status rename(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(mutex_);
    BB_TRY_VOID(step(from));
    const auto found = names_.find(from);
    if (found == names_.end()) return error("{}: there is no such file", from);
    names_[to] = found->second;
    names_.erase(from);
    note_folder(from);
    return {};
  }
  Status remove(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    BB_TRY_VOID(step(path));
    if (names_.erase(path) == 0) return error("{}: there is no such file", path);
    note_folder(path);
    return {};
  }
  Status make_folder(const std::string&) override { return {}; }
  Result<std::vector<std::string>> list(const std::string& folder) override {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [path, node] : names_) {
      if (folder_of(path) == folder) names.push_back(path.substr(folder.size() + 1));
    }
    return names;
  }
  Status sync_folder(const std::string& folder) override {
    const std::lock_guard lock(mutex_);
    BB_TRY_VOID(step(folder));
    std::vector<Names>& states = folders_[folder];
    if (!states.empty()) states = {states.back()};
    return {};
  }
  Result<std::unique_ptr<DiskLock>> lock(const std::string&) override { return std::make_unique<DiskLock>(); }
  std::uint64_t free_bytes(const std::string&) override { return 0; }

 private:
  struct Node {
    std::string bytes;
    std::string synced;

    // The synced content with any part of what came since: truncated anywhere, with holes, or all of it.
    std::string survivor(Rng& rng) const {
      std::size_t same = 0;
      while (same < bytes.size() && same < synced.size() && bytes[same] == synced[same]) ++same;
      if (bytes.size() == synced.size() && same == bytes.size()) return bytes;
      const std::string& longer = bytes.size() > synced.size() ? bytes : synced;
      std::string result = longer.substr(0, same + rng.below(longer.size() - same + 1));
      if (bytes.size() > synced.size() && result.size() < synced.size())
        result = bytes.substr(0, synced.size());
      // A hole: blocks that were not written are zeros.
      if (rng.below(2) == 0 && result.size() > same + 1) {
        const std::size_t begin = same + rng.below(result.size() - same);
        const std::size_t end = begin + rng.below(result.size() - begin + 1);
        std::fill(result.begin() + static_cast<std::ptrdiff_t>(begin),
                  result.begin() + static_cast<std::ptrdiff_t>(end), '\0');
      }
      return result;
    }
  };

  class File final : public DiskFile {
   public:
    File(SimulatedDisk& disk, std::string path, std::shared_ptr<Node> node)
        : disk_(disk), path_(std::move(path)), node_(std::move(node)) {}
    Status append(std::string_view bytes) override {
      const std::lock_guard lock(disk_.mutex_);
      const std::uint64_t room = disk_.room();
      const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(room, bytes.size()));
      node_->bytes.append(bytes.substr(0, size));
      disk_.steps_ += bytes.size();
      if (size < bytes.size()) return disk_.failure(path_);
      return {};
    }
    Result<std::string> read(std::uint64_t offset, std::size_t size) const override {
      const std::lock_guard lock(disk_.mutex_);
      if (offset >= node_->bytes.size()) return std::string();
      return node_->bytes.substr(offset, size);
    }
    Result<std::size_t> read_into(std::uint64_t offset, std::span<char> to) const override {
      BB_TRY(const std::string bytes, read(offset, to.size()));
      std::copy(bytes.begin(), bytes.end(), to.begin());
      return bytes.size();
    }
    Result<std::uint64_t> size() const override {
      const std::lock_guard lock(disk_.mutex_);
      return std::uint64_t{node_->bytes.size()};
    }
    Status truncate(std::uint64_t size) override {
      const std::lock_guard lock(disk_.mutex_);
      BB_TRY_VOID(disk_.step(path_));
      node_->bytes.resize(size);
      return {};
    }
    Status sync() override {
      const std::lock_guard lock(disk_.mutex_);
      BB_TRY_VOID(disk_.step(path_));
      node_->synced = node_->bytes;
      return {};
    }

   private:
    SimulatedDisk& disk_;
    std::string path_;
    std::shared_ptr<Node> node_;
  };

  using Names = std::map<std::string, std::shared_ptr<Node>>;

  // The names of a folder have changed. A rename is within one folder, and is atomic.
  void note_folder(const std::string& path) {
    const std::string folder = folder_of(path);
    Names names;
    for (const auto& [other, node] : names_) {
      if (folder_of(other) == folder) names.emplace(other, node);
    }
    std::vector<Names>& states = folders_[folder];
    if (states.empty()) states.emplace_back();
    states.push_back(std::move(names));
  }

  static std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
  bool dead() const { return fault_ == Fault::kPower && steps_ > fail_at_; }
  // The number of steps left.
  std::uint64_t room() const {
    if (fault_ == Fault::kNone) return ~std::uint64_t{0};
    return steps_ > fail_at_ ? 0 : fail_at_ - steps_;
  }
  Error failure(const std::string& path) const {
    if (fault_ == Fault::kFull) return error("{}: cannot write: the disk is full", path);
    return error("{}: the power is gone", path);
  }
  // A full disk still renames, removes and syncs.
  Status step(const std::string& path) {
    ++steps_;
    if (fault_ == Fault::kPower && steps_ > fail_at_) return failure(path);
    return {};
  }

  mutable std::mutex mutex_;
  std::uint64_t steps_ = 0;
  std::uint64_t fail_at_ = 0;
  Fault fault_ = Fault::kNone;
  Names names_;
  std::map<std::string, std::vector<Names>>
      folders_;  // their states since they were last synced, oldest first
};

}  // namespace bowerbird
