// Our share of a crawl by several processes: which partitions we hold, what is on its way to the others, and
// how far we have come with what they send [001].
//
// Part of the CrawlState: a function of the journal's events, without clock or I/O. Exactly once: messages
// are numbered for each sender and partition; the number taken last is kept here, in the same commit as the
// frontier, and travels with the partition; a message stays in the outbox until its receiver's commit is
// known. Without a broker the partitions are those of process i of n, for ever. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/result.h"
#include "fleet/batch/message.h"
#include "frontier/frontier.h"
#include "frontier/popular_pages.h"
#include "url/partition.h"

namespace bowerbird {

struct ParallelOptions {
  std::optional<Mode> mode;  // none: a crawl by one process
  Partitioning partitioning = Partitioning::kSiteHash;
  std::string rules;
  std::uint64_t partitions = kPartitions;
  std::uint64_t procs = 0;
  std::uint64_t process = 0;
  std::string member;           // our name in the fleet
  std::uint32_t batch = 100;    // URLs a message
  std::uint64_t replicate = 0;  // so many of the most popular URLs of others are not sent again

  bool on() const { return mode.has_value(); }
};

struct ExchangeCounts {
  std::uint64_t urls_sent = 0;
  std::uint64_t urls_received = 0;
  std::uint64_t messages_sent = 0;
  std::uint64_t messages_received = 0;
  std::uint64_t bytes_sent = 0;      // packed
  std::uint64_t partitions_in = 0;   // came to us
  std::uint64_t partitions_out = 0;  // went from us
};

class FleetState {
 public:
  // What the share needs to know of a page.
  using HostName = std::function<std::string(HostId)>;
  using UrlText = std::function<std::string(PageId)>;
  static Result<std::unique_ptr<FleetState>> make(const ParallelOptions& options, HostName host_name,
                                                  UrlText url_text);

  const ParallelOptions& options() const { return options_; }
  Mode mode() const { return mode_; }
  std::uint32_t partitions() const { return static_cast<std::uint32_t>(held_.size()); }
  std::uint32_t partition(PageId page, HostId host);
  bool holds(std::uint32_t partition) const { return held_[partition]; }
  std::vector<std::uint32_t> held() const;
  Epochs epochs() const;  // of those
  LinkRoute route(PageId page, HostId host);

  // ---- out
  // Remote links of a page that was worth so much. Cross-over: kept for later.
  void pass_on(const Visit& visit, std::span<const Link> links, const std::function<SentUrl(PageId)>& tell,
               const std::function<HostId(PageId)>& host);
  // Packs what has gathered, full or not.
  void flush();
  bool filling() const { return !filling_.empty(); }
  // One piece of a partition that goes: the next message for it.
  void add_transfer(std::uint32_t partition, const PartitionTransfer& piece);
  void absorb(const Message& message);
  void note_absorbed(const std::string& member) { absorbed_.insert(member); }
  const std::set<std::string>& absorbed() const { return absorbed_; }
  void confirm(const MessageId& id);
  // Messages that entered the outbox since the last call; and all that are in it.
  std::vector<Message> take_new();
  std::vector<Message> outbox() const;
  std::size_t outbox_size() const;
  // Links of our own for a partition that is ours now, which have not reached us yet; those that gather too.
  std::vector<Message> own_untaken(std::uint32_t partition);
  bool nothing_to_send() const { return outbox_.empty() && filling_.empty(); }

  // ---- in
  // The last number taken of a sender for a partition that we hold.
  std::uint64_t last_sequence(std::uint32_t partition, const std::string& sender) const;
  std::uint64_t epoch(std::uint32_t partition) const { return epoch_[partition]; }
  void taken(const MessageId& id, std::uint64_t urls);
  // The partition is ours from now on, after the message `last`; or no longer, and its last_sequences go
  // along.
  void begin_hold(const MessageId& last, const PartitionTransfer& move);
  std::vector<std::pair<std::string, std::uint64_t>> end_hold(std::uint32_t partition);

  // ---- cross-over
  struct Foreign {
    Visit visit;
    Link link;
  };
  bool has_foreign() const { return !foreign_.empty(); }
  Foreign take_foreign();  // only if there is one

  const ExchangeCounts& counts() const { return counts_; }
  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  // pages: how many there are; an error if one is named that is not among them.
  void load(ByteReader& in, std::uint64_t pages);

 private:
  struct Filling {
    LinkBatch message;
    std::unordered_map<std::uint64_t, std::uint32_t> indexes;  // of URLs, by fingerprint
  };
  FleetState(const ParallelOptions& options, Mode mode, DomainRules rules, HostName host_name,
             UrlText url_text);
  void flush(std::uint32_t partition, Filling& filling);
  void add_message(std::uint32_t partition, std::string content);

  ParallelOptions options_;
  Mode mode_;
  DomainRules rules_;
  HostName host_name_;
  UrlText url_text_;
  std::vector<std::uint32_t> partition_of_host_;  // by host, as far as asked for

  std::vector<bool> held_;
  std::vector<std::uint64_t> epoch_;
  std::vector<std::uint64_t> last_number_;  // of ours, by partition
  std::map<std::uint32_t, std::map<std::string, std::uint64_t>>
      last_sequences_;  // of partitions that we hold
  std::map<std::uint32_t, Filling> filling_;
  std::map<std::pair<std::string, std::uint32_t>, std::deque<Message>> outbox_;
  std::vector<Message> new_;
  std::set<std::string> absorbed_;  // processes whose orphan is ours
  std::deque<Foreign> foreign_;
  PopularPages popular_;
  std::uint64_t crawled_ = 0;  // when links were last passed on
  ExchangeCounts counts_;
};

}  // namespace bowerbird
