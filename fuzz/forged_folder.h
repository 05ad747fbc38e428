// Decodes a crawl folder, applies changes, and encodes it again with correct checksums.
//
// The changes are read from the fuzzer's input: each names a part (an event, a block of a log, the snapshot,
// a spilled block ...), a position in it and what to write there. Lengths in the last commit, the position of
// the snapshot's commit and every CRC are recomputed, so that a reader gets past them to the values.
#pragma once

#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/varint.h"
#include "forged_bytes.h"
#include "store/archive_files.h"
#include "store/block_log.h"
#include "store/crawl_reader.h"
#include "store/journal.h"
#include "store/snapshot.h"
#include "sys/simulated_disk.h"

namespace bowerbird {

class ForgedFolder {
 public:
  explicit ForgedFolder(const std::string& folder) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string name = std::filesystem::relative(entry.path(), folder).string();
      take(name, std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
    }
    CHECK(!frames_.empty() && !logs_.empty());
  }

  // One change, determined by the choices.
  void change(Choices& choices) {
    switch (choices.byte() % 8) {
      case 0:
      case 1:
        change_event(choices);
        break;
      case 2:
        change_log(choices);
        break;
      case 3:
      case 4:
        edit(state_, choices);
        break;
      case 5:
        change_spilled(choices);
        break;
      case 6:
        change_text(choices);
        break;
      default:
        change_frame(choices);
    }
  }

  void write_to(const std::string& folder) const {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    std::map<std::string, std::string> files = texts_;
    BlockEncoder encoder;
    for (const auto& [name, blocks] : logs_) {
      std::string& bytes = files[name];
      for (const Block& block : blocks) encoder.encode(block, bytes);
    }
    for (const auto& [name, blocks] : spilled_) files[name] = packed(blocks);
    std::uint64_t snapshot_at = 0;
    files["journal"] = journal(files, snapshot_at);
    if (!snapshot_name_.empty()) files[snapshot_name_] = snapshot(snapshot_at);
    for (const auto& [name, bytes] : files) {
      const std::filesystem::path path = std::filesystem::path(folder) / name;
      std::filesystem::create_directories(path.parent_path(), ignored);
      std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
  }

 private:
  struct ForgedEvent {
    std::uint8_t type;
    std::string payload;
  };
  struct ForgedFrame {
    FrameKind kind;
    std::string payload;              // of a header or commit
    std::vector<ForgedEvent> events;  // of the others
  };

  // ---- decoding

  void take(const std::string& name, const std::string& bytes) {
    SimulatedDisk disk;
    disk.put("/" + name, bytes);
    const auto file = [&] {
      return std::shared_ptr<DiskFile>(std::move(disk.open("/" + name, Disk::Open::kRead)).value());
    };
    if (name == "journal") {
      take_journal(*file(), bytes.size());
    } else if (name.ends_with(".log") && name != kArchiveList) {
      BlockReader reader(file(), name, bytes.size());
      while (const Block* const block = reader.next().value()) logs_[name].push_back(*block);
      logs_[name];
    } else if (is_snapshot_name(name)) {
      snapshot_name_ = name;
      state_ = snapshot_state(bytes);
    } else if (name.starts_with("spill/")) {
      take_spilled(name, bytes);
    } else if (name != "lock" && !name.starts_with("known/")) {
      texts_[name] = bytes;
    }
  }

  void take_journal(const DiskFile& file, std::uint64_t size) {
    FrameReader frames(file, 0, size);
    while (const auto frame = frames.next().value()) {
      ForgedFrame& made = frames_.emplace_back(ForgedFrame{frame->kind, std::string(frame->payload), {}});
      if (frame->kind != FrameKind::kEvents) continue;
      VarintReader in(frame->payload);
      while (!in.at_end()) {
        const std::uint8_t type = in.get_byte();
        made.events.push_back({type, std::string(in.get_string())});
      }
    }
  }

  void take_spilled(const std::string& name, std::string_view bytes) {
    while (bytes.size() >= 12) {
      std::uint32_t head[3];
      std::memcpy(head, bytes.data(), sizeof head);
      std::string raw(head[1], '\0');
      CHECK(ZSTD_decompress(raw.data(), raw.size(), bytes.data() + 12, head[0]) == raw.size());
      spilled_[name].push_back(std::move(raw));
      bytes.remove_prefix(12 + head[0]);
    }
  }

  // ---- changes

  template <typename T>
  static T* chosen(std::vector<T>& all, Choices& choices) {
    const std::size_t at = choices.below(all.size());
    return all.empty() ? nullptr : &all[at];
  }
  template <typename T>
  static T* chosen(std::map<std::string, T>& all, Choices& choices) {
    const std::size_t at = choices.below(all.size());
    return all.empty() ? nullptr : &std::next(all.begin(), static_cast<std::ptrdiff_t>(at))->second;
  }

  void change_event(Choices& choices) {
    ForgedFrame* const frame = chosen(frames_, choices);
    const std::size_t at = choices.below(frame->events.size() + 1);
    const auto place = frame->events.begin() + static_cast<std::ptrdiff_t>(at);
    const std::uint8_t how = choices.byte() % 6;
    if (how == 0 && frame->kind == FrameKind::kEvents) {
      const std::uint8_t type = choices.byte() % 40;
      frame->events.insert(place, {type, choices.text(choices.byte() % 32)});
      return;
    }
    if (place == frame->events.end()) return;
    if (how == 1) {
      frame->events.erase(place);
    } else if (how == 2) {
      const ForgedEvent twice = *place;
      frame->events.insert(place, twice);
    } else if (how == 3) {
      place->type = choices.byte() % 40;
    } else {
      edit(place->payload, choices);
    }
  }

  void change_log(Choices& choices) {
    std::vector<Block>* const log = chosen(logs_, choices);
    Block* const block = chosen(*log, choices);
    if (block == nullptr) return;
    switch (choices.byte() % 8) {
      case 0:
        block->records = choices.byte() % 4 == 0 ? ~std::uint32_t{0} : choices.byte();
        break;
      case 1:
        block->first = choices.byte() % 4 == 0 ? ~std::uint64_t{0} : choices.byte();
        break;
      default:
        edit(block->raw, choices);
    }
  }

  void change_spilled(Choices& choices) {
    std::vector<std::string>* const run = chosen(spilled_, choices);
    if (run == nullptr) return;
    if (std::string* const block = chosen(*run, choices)) edit(*block, choices);
  }

  void change_text(Choices& choices) {
    if (std::string* const text = chosen(texts_, choices)) edit(*text, choices);
  }

  // A header, a commit, or the last commit once its lengths are correct.
  void change_frame(Choices& choices) {
    switch (choices.byte() % 4) {
      case 0:
        last_commit_ = choices.text(8);
        break;
      case 1:
        edit(frames_.front().payload, choices);
        break;
      default:
        for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
          if (frame->kind != FrameKind::kCommit) continue;
          auto record = CommitRecord::decode(frame->payload);
          if (!record) return;
          if (choices.byte() % 4 == 0) {
            edit(record->store_state, choices);
          } else if (choices.byte() % 2 == 0 && !record->files.empty()) {
            record->files[choices.below(record->files.size())].records = choices.byte();
          } else {
            edit(record->state, choices);
          }
          frame->payload = record->encode();
          return;
        }
    }
  }

  // ---- encoding

  static std::string packed(const std::vector<std::string>& blocks) {
    std::string out;
    for (const std::string& raw : blocks) {
      std::string stored(ZSTD_compressBound(raw.size()), '\0');
      stored.resize(ZSTD_compress(stored.data(), stored.size(), raw.data(), raw.size(), 1));
      std::uint32_t head[3] = {static_cast<std::uint32_t>(stored.size()),
                               static_cast<std::uint32_t>(raw.size()), 0};
      head[2] = libdeflate_crc32(libdeflate_crc32(0, head, 8), stored.data(), stored.size());
      out.append(reinterpret_cast<const char*>(head), sizeof head).append(stored);
    }
    return out;
  }

  static std::string events_payload(const std::vector<ForgedEvent>& events) {
    std::string payload;
    for (const ForgedEvent& event : events) append_event(payload, event.type, event.payload);
    return payload;
  }

  std::string journal(const std::map<std::string, std::string>& files, std::uint64_t& snapshot_at) const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      if (frames_[i].kind == FrameKind::kCommit) last = i;
    }
    std::string out;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const ForgedFrame& frame = frames_[i];
      std::string payload = frame.kind == FrameKind::kEvents ? events_payload(frame.events) : frame.payload;
      if (frame.kind == FrameKind::kCommit) {
        auto record = CommitRecord::decode(payload);
        if (record && !snapshot_name_.empty() &&
            snapshot_name_.ends_with(fmt::format("-{:012}", record->number)))
          snapshot_at = out.size();
        if (record && i == last) payload = committed(std::move(*record), files);
      }
      append_frame(out, frame.kind, payload);
    }
    return out;
  }

  std::string committed(CommitRecord record, const std::map<std::string, std::string>& files) const {
    for (CommittedFile& file : record.files) {
      const auto found = files.find(file.open ? file.name + ".open" : file.name);
      if (found != files.end()) file.bytes = found->second.size();
    }
    std::string payload = record.encode();
    if (!last_commit_.empty()) {
      Choices choices(last_commit_);
      edit(payload, choices);
    }
    return payload;
  }

  std::string snapshot(std::uint64_t commit_at) const {
    return forged_snapshot(state_, std::stoull(snapshot_name_.substr(snapshot_name_.size() - 12)), commit_at);
  }

  std::vector<ForgedFrame> frames_;
  std::map<std::string, std::vector<Block>> logs_;
  std::map<std::string, std::vector<std::string>> spilled_;
  std::map<std::string, std::string> texts_;
  std::string snapshot_name_;
  std::string state_;        // of the snapshot
  std::string last_commit_;  // the final change of its bytes
};

}  // namespace bowerbird
