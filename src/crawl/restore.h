// A crawl's state from its folder: the URLs, the last snapshot, the events behind it.
//
// `Source` is the store of a crawl that goes on (CrawlStore) or a reader beside one (CrawlReader): what stood
// in the last commit, exactly. Threads: one.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "crawl/brain.h"
#include "crawl/hosts.h"

namespace bowerbird {

class CrawlRestorer {
 public:
  // token: our name in robots.txt.
  CrawlRestorer(HostTable& hosts, Brain& brain, std::string token)
      : hosts_(hosts), brain_(brain), token_(std::move(token)) {}

  // Without the snapshot everything is replayed from the journal, which takes longer.
  template <typename Source>
  Status restore(Source& source, bool with_snapshot = true) {
    BB_TRY_VOID(source.for_each_url([this](PageId, std::string_view url) { brain_.intern(url); }));
    if (brain_.pages() != source.pages()) return error("the list of URLs holds one twice: it is damaged");
    if (with_snapshot) {
      BB_TRY(const auto saved, source.snapshot());
      if (saved) {
        ByteReader in = saved->reader();
        BB_TRY_VOID(load_snapshot(in));
      }
    }
    return source.replay([this](const Event& event) { return replay_event(event); });
  }

  // The same from the very beginning: watch(event, go) sees each event and calls go() to let it happen.
  template <typename Source, typename Watch>
  Status restore_all(Source& source, Watch&& watch) {
    BB_TRY_VOID(source.for_each_url([this](PageId, std::string_view url) { brain_.intern(url); }));
    return source.replay_all(
        [&](const Event& event) { return watch(event, [&] { return replay_event(event); }); });
  }

 private:
  Status load_snapshot(ByteReader& in);
  Status replay_event(const Event& event);
  void load_robots(HostId id, Time until, bool reached, std::string_view text);

  HostTable& hosts_;
  Brain& brain_;
  std::string token_;
  std::uint64_t events_ = 0;
};

// The other way round.
void save_crawl(const HostTable& hosts, const Brain& brain, ByteWriter& out);
std::string host_event(const HostTable& hosts, HostId id);
std::string robots_event(const HostTable& hosts, HostId id);

}  // namespace bowerbird
