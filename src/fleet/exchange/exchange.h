// What a crawl asks of the fleet it belongs to. Behind it stand threads that talk to the broker; no call here
// ever waits for the network.
//
// The crawl says what is durable with it and hears what has come. Messages (message.h) given to send() are
// kept there until they are confirmed, and sent again as often as it takes. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crawl/state/crawl_status.h"
#include "crawl/state/hosts.h"
#include "fleet/batch/fleet_state.h"
#include "fleet/batch/message.h"

namespace bowerbird {

// What a process tells the fleet about itself.
struct MemberReport {
  CrawlStatus status;
  ExchangeCounts exchange;
  Epochs held;                     // by the last commit
  std::uint64_t to_send = 0;       // messages that are not confirmed
  bool quiet = false;              // nothing to fetch, nothing to send, nothing unread
  std::uint64_t activity = 0;      // grows with everything that is done
  std::set<std::string> absorbed;  // processes whose orphan is ours
};

// What a process that is no more had still to give, as a living one found it in its folder.
struct Orphan {
  std::string member;
  std::vector<Message> messages;
};

// What the plan of the fleet means for us, by partition.
struct PlannedPart {
  std::vector<bool> ours;
  std::vector<std::uint64_t> epochs;  // a move under an earlier one is of the past
};

struct FleetNews {
  std::vector<Message> messages;
  std::vector<MessageId> confirmed;
  std::optional<PlannedPart> plan;
  std::vector<Orphan> orphans;
  std::vector<std::string> warnings;  // for the user, each once
  bool stop = false;                  // everybody is to stop, and may go on later
  bool ended = false;                 // nobody has anything left
  // We are not to have more pages than this until we hear otherwise; none: as many as we like.
  std::optional<std::uint64_t> page_limit;
  std::string lost;  // why we are no longer part of the fleet; what was not committed counts nowhere
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  // The folder is ours: from now on the others hear that we live, however long it takes to read it.
  virtual void live() = 0;
  // `wake` is called, from any thread, when there is news.
  virtual void begin(std::function<void()> wake) = 0;
  virtual void take(FleetNews& news) = 0;
  // False while it is not certain that we still hold what we hold: nothing may be begun or committed.
  virtual bool may_work() const = 0;
  virtual void send(std::vector<Message> messages) = 0;
  virtual void received(const std::vector<MessageId>& ids) = 0;
  virtual void absorbed(const std::string& member) = 0;
  virtual void report(MemberReport report) = 0;
  // When a request may start that needs the consent of others who ask the same address, domain or host:
  // `now`, and the slots are used up by it, or when to ask again. Times are of the crawl's clock.
  virtual Time slot(const std::vector<SharedGate>& gates, Time now) = 0;
  // The last word: what is to be sent has been handed over. Waits a few seconds for it to get away.
  virtual void finish() = 0;
};

}  // namespace bowerbird
