// The part of one process in a crawl by several: which partitions it owns, which messages it still has to
// send, and the last sequence number received from every sender [001].
//
// Part of the CrawlState: a function of the journal's events, without clock or I/O. Delivery is exactly once.
// Messages are numbered per sender and partition. The last number received is stored here, in the same commit
// as the frontier, and moves with the partition. A message stays in the outbox until its receiver has
// committed it. Without a broker the partitions are those of process i of n and never move. Threads: one, the
// crawl's.
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
  std::uint32_t batch = 100;    // URLs per message
  std::uint64_t replicate = 0;  // this many of the most popular remote URLs are sent only once

  bool on() const { return mode.has_value(); }
};

struct ExchangeCounts {
  std::uint64_t urls_sent = 0;
  std::uint64_t urls_received = 0;
  std::uint64_t messages_sent = 0;
  std::uint64_t messages_received = 0;
  std::uint64_t bytes_sent = 0;      // compressed
  std::uint64_t partitions_in = 0;   // received
  std::uint64_t partitions_out = 0;  // given away
};

class FleetState {
 public:
  // What this class needs to know about a page.
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
  Epochs epochs() const;  // of the owned partitions
  LinkRoute route(PageId page, HostId host);

  // ---- out
  // Queues the remote links of a page for their owners. In cross-over mode they are kept for later.
  void pass_on(const Visit& visit, std::span<const Link> links, const std::function<SentUrl(PageId)>& url_of,
               const std::function<HostId(PageId)>& host);
  // The same for a requisite of a partition that is not ours.
  void pass_on(std::uint32_t partition, SentRequisite requisite);
  // Compresses all pending batches, full or not.
  void flush();
  bool filling() const { return !filling_.empty(); }
  // Adds one piece of a partition that moves as the next message for it.
  void add_transfer(std::uint32_t partition, const PartitionTransfer& piece);
  void add_batch(std::uint32_t partition, const LinkBatch& batch);
  void absorb(const Message& message);
  void note_absorbed(const std::string& member) { absorbed_.insert(member); }
  const std::set<std::string>& absorbed() const { return absorbed_; }
  void confirm(const MessageId& id);
  // Messages added to the outbox since the last call. outbox() has all of them.
  std::vector<Message> take_new();
  std::vector<Message> outbox() const;
  std::size_t outbox_size() const;
  // Our own links for a partition that has become ours and that have not been applied here yet, including
  // those in pending batches.
  std::vector<Message> own_untaken(std::uint32_t partition);
  // Batches with requisites that are filling or not confirmed yet.
  std::uint64_t requisite_batches() const;
  bool nothing_to_send() const { return outbox_.empty() && filling_.empty(); }

  // ---- in
  // The last sequence number received from a sender for a partition that we own.
  std::uint64_t last_sequence(std::uint32_t partition, const std::string& sender) const;
  std::uint64_t epoch(std::uint32_t partition) const { return epoch_[partition]; }
  void taken(const MessageId& id, std::uint64_t urls);
  // The partition is ours from now on, after the message `last`; or no longer, and its last_sequences move
  // with it.
  void begin_hold(const MessageId& last, const PartitionTransfer& move);
  // Pieces of a partition that arrives, before its last one. They are never part of a snapshot, because all
  // pieces of a partition are in one commit.
  void add_piece(Message piece) { pieces_.push_back(std::move(piece)); }
  const std::vector<Message>& pieces() const { return pieces_; }
  std::vector<Message> take_pieces() { return std::exchange(pieces_, {}); }
  std::vector<std::pair<std::string, std::uint64_t>> end_hold(std::uint32_t partition);

  // ---- cross-over
  struct Foreign {
    Visit visit;
    Link link;
  };
  bool has_foreign() const { return !foreign_.empty(); }
  Foreign take_foreign();  // call only if there is one

  const ExchangeCounts& counts() const { return counts_; }
  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  // pages: how many there are. A larger page id in the input is an error.
  void load(ByteReader& in, std::uint64_t pages);

 private:
  struct Filling {
    LinkBatch message;
    std::unordered_map<std::uint64_t, std::uint32_t> indexes;  // of URLs in the batch, by fingerprint
    std::size_t bytes = 0;                                     // of the message
    std::size_t size() const { return message.urls.size() + message.requisites.size(); }
  };
  FleetState(const ParallelOptions& options, Mode mode, DomainRules rules, HostName host_name,
             UrlText url_text);
  void flush(std::uint32_t partition, Filling& filling);
  void flush_if_full(std::uint32_t partition);
  void add_message(std::uint32_t partition, std::string content);

  ParallelOptions options_;
  Mode mode_;
  DomainRules rules_;
  HostName host_name_;
  UrlText url_text_;
  std::vector<std::uint32_t> partition_of_host_;  // by host, filled on demand

  std::vector<bool> held_;
  std::vector<std::uint64_t> epoch_;
  std::vector<std::uint64_t> last_number_;  // that we assigned, by partition
  std::map<std::uint32_t, std::map<std::string, std::uint64_t>> last_sequences_;  // of partitions that we own
  std::vector<Message> pieces_;
  std::map<std::uint32_t, Filling> filling_;
  std::map<std::pair<std::string, std::uint32_t>, std::deque<Message>> outbox_;
  std::vector<Message> new_;
  std::set<std::string> absorbed_;  // processes whose orphaned state we took over
  std::deque<Foreign> foreign_;
  PopularPages popular_;
  std::uint64_t crawled_ = 0;  // when links were last passed on
  ExchangeCounts counts_;
};

}  // namespace bowerbird
