// The folder of a URL frontier with correct checksums may contain anything: it is refused with an error, or
// can be used. Nothing aborts, and memory and time are limited.
//
// Input: which folder, and the changes: each names a file, a frame of it, and what to change there
// (forged_bytes.h). The folders are made once, by the frontier itself: with a journal alone, and with a
// snapshot too.
#include <map>
#include <vector>

#include "base/check.h"
#include "forged_bytes.h"
#include "store/journal.h"
#include "store/snapshot.h"
#include "sys/simulated_disk.h"
#include "urlfrontier/url_frontier.h"

using namespace bowerbird;

namespace {

constexpr char kFolder[] = "/frontier";

struct FolderFrame {
  FrameKind kind;
  std::string payload;
};

// The parts of the folder's files: frames of a journal, the state of a snapshot, or the bytes of others.
struct FolderParts {
  std::map<std::string, std::vector<FolderFrame>> journals;
  std::map<std::string, std::string> snapshots;
  std::map<std::string, std::string> others;
};

std::string bytes_of(SimulatedDisk& disk, const std::string& path) {
  const auto file = std::move(disk.open(path, Disk::Open::kRead)).value();
  return file->read(0, file->size().value()).value();
}

void take_file(SimulatedDisk& disk, const std::string& name, FolderParts& parts) {
  const std::string path = std::string(kFolder) + "/" + name;
  if (name.starts_with("journal-")) {
    const auto file = std::move(disk.open(path, Disk::Open::kRead)).value();
    FrameReader frames(*file, 0, file->size().value());
    while (const auto frame = frames.next().value())
      parts.journals[name].push_back({frame->kind, std::string(frame->payload)});
  } else if (is_snapshot_name(name)) {
    parts.snapshots[name] = bytes_of(disk, path);
  } else if (name != "lock") {
    parts.others[name] = bytes_of(disk, path);
  }
}

UrlFrontierOptions options_on(SimulatedDisk& disk) {
  UrlFrontierOptions options;
  options.folder = kFolder;
  options.disk = &disk;
  options.delay = 10ms;
  return options;
}

// Every kind of call, so that every kind of event is in the journal.
void use_frontier(UrlFrontier& frontier, Time from, int turns) {
  for (int turn = 0; turn < turns; ++turn) {
    const Time now = from + turn * 20ms;
    std::vector<std::string> texts;
    for (int i = 1; i <= 5; ++i)
      texts.push_back(fmt::format("http://h{}.example/{}", (turn + i) % 4, turn * i % 50));
    std::vector<UrlInput> links;
    for (const std::string& text : texts) links.push_back({text, {}, "payload", 1, turn % 3});
    links.back().follow = false;
    if (turn == 0) (void)frontier.add(links, now).ok();
    (void)frontier.discover(texts[0], links, now).ok();
    const auto taken = frontier.take(
        now, {.count = 3, .queues = static_cast<std::size_t>(turn) % 3, .per_queue = 2, .lease = 30ms});
    if (!taken.ok()) return;
    for (std::size_t i = 0; i < taken->size(); ++i) {
      const std::string& url = (*taken)[i].url;
      if (i == 0) (void)frontier.complete(url, {links, turn % 2 == 0 ? now + 40ms : kForever}, now).ok();
      if (i == 1) (void)frontier.retry(url, now + 10ms, now).ok();
      if (i == 2) (void)frontier.extend_lease(url, now + 90ms, now).ok();
    }
    if (turn % 5 == 4) (void)frontier.remove(texts[1], now).ok();
    if (turn % 7 == 6) (void)frontier.schedule(texts[0], now + 5ms, now).ok();
    if (turn == 3) (void)frontier.set_priority(texts[2], 2, now).ok();
    if (turn == 5) (void)frontier.block_until("h1.example", now + 50ms, now).ok();
    if (turn == 6) (void)frontier.set_limit("h2.example", 40, now).ok();
    if (turn == 7) (void)frontier.set_delay("h3.example", 5ms, now).ok();
    if (turn == 9) (void)frontier.put_completed({"http://new.example/"}, {links}, now).ok();
  }
}

FolderParts made_folder(const std::string& policy, bool with_snapshot) {
  SimulatedDisk disk;
  UrlFrontierOptions options = options_on(disk);
  options.policy = policy;
  {
    const auto frontier = std::move(UrlFrontier::open(options)).value();
    use_frontier(*frontier, Time{}, 30);
    if (with_snapshot) CHECK(frontier->close().ok());
  }
  if (with_snapshot) use_frontier(*std::move(UrlFrontier::open(options)).value(), Time{1s}, 20);
  FolderParts parts;
  const auto names = disk.list(kFolder);
  for (const std::string& name : names.value()) take_file(disk, name, parts);
  CHECK(!parts.journals.empty() && parts.snapshots.empty() != with_snapshot);
  return parts;
}

template <typename T>
T& chosen(std::map<std::string, T>& all, Choices& choices) {
  return std::next(all.begin(), static_cast<std::ptrdiff_t>(choices.below(all.size())))->second;
}

void change(FolderParts& parts, Choices& choices) {
  const unsigned what = choices.byte() % 8;
  if (what < 3 && !parts.snapshots.empty()) {
    std::string& file = chosen(parts.snapshots, choices);
    std::uint64_t numbers[2];
    std::memcpy(numbers, file.data() + file.size() - kSnapshotEnd, sizeof numbers);
    std::string state = snapshot_state(file);
    edit(state, choices);
    file = forged_snapshot(state, numbers[0], numbers[1]);
    return;
  }
  if (what == 3 && !parts.others.empty()) {
    edit(chosen(parts.others, choices), choices);
    return;
  }
  std::vector<FolderFrame>& frames = chosen(parts.journals, choices);
  if (frames.empty()) return;
  const std::size_t at = choices.below(frames.size());
  const auto place = frames.begin() + static_cast<std::ptrdiff_t>(at);
  switch (choices.byte() % 6) {
    case 0:
      frames.erase(place);
      break;
    case 1: {
      const FolderFrame twice = *place;
      frames.insert(place, twice);
      break;
    }
    default:
      edit(place->payload, choices);
  }
}

void write_folder(const FolderParts& parts, SimulatedDisk& disk) {
  const std::string folder = std::string(kFolder) + "/";
  for (const auto& [name, frames] : parts.journals) {
    std::string bytes;
    for (const FolderFrame& frame : frames) append_frame(bytes, frame.kind, frame.payload);
    disk.put(folder + name, std::move(bytes));
  }
  for (const auto& [name, bytes] : parts.snapshots) disk.put(folder + name, bytes);
  for (const auto& [name, bytes] : parts.others) disk.put(folder + name, bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const FolderParts bases[] = {made_folder("lipr", true), made_folder("fpr@100", true),
                                      made_folder("backlink", false), made_folder("opic", false)};
  Choices choices({reinterpret_cast<const char*>(data), size});
  FolderParts parts = bases[choices.byte() % std::size(bases)];
  for (int changes = 0; changes < 8 && !choices.empty(); ++changes) change(parts, choices);
  SimulatedDisk disk;
  write_folder(parts, disk);
  const UrlFrontierOptions options = options_on(disk);
  for (int round = 0; round < 2; ++round) {
    const auto opened = UrlFrontier::open(options);
    if (!opened.ok()) {
      CHECK(!opened.error().text.empty());
      CHECK(round == 0);  // what the frontier has written itself can be opened
      return 0;
    }
    UrlFrontier& frontier = **opened;
    (void)frontier.for_each_url(0, "", [](const UrlStatus& url) { return !url.url.empty(); }).ok();
    frontier.for_each_queue([](const UrlQueue&) { return true; });
    (void)frontier.stats();
    use_frontier(frontier, frontier.now() < Time{Duration{std::int64_t{1} << 50}} ? frontier.now() : Time{},
                 6);
    if (!frontier.close().ok()) return 0;
  }
  return 0;
}
