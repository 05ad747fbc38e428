// The messages between the processes of a fleet, as bytes.
//
// A message is addressed to the owner of a partition. Its sender numbers the messages for each partition from
// 1, so that the receiver can detect repeats and gaps. A message carries links (each URL once, with the worth
// of the pages that link to it) or a piece of a partition that moves: its pages, its hosts, and the last
// sequence number of every sender. Both may also carry requisites, which the owner of their partition
// fetches. Compressed with zstd. The reader trusts no number in it. Plain data.
//
// Senders divide what they send, so that no message is much larger than kMessageBytes before compression. A
// broker accepts 1 MiB unless it is configured otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "policy/policy.h"

namespace bowerbird {

inline constexpr std::size_t kMessageBytes = std::size_t{256} << 10;

struct MessageId {
  std::string sender;
  std::uint32_t partition = 0;
  std::uint64_t number = 0;
};

struct Message {
  MessageId id;
  std::shared_ptr<const std::string> content;  // compressed
};

// Partitions, and how often each has changed its owner.
using Epochs = std::map<std::uint32_t, std::uint64_t>;

// A URL in a message, with what is known about it besides its score.
struct SentUrl {
  std::string url;
  std::uint8_t depth = 0;
  std::uint8_t hops = 0;   // redirects in a row that led to it
  std::uint8_t tries = 0;  // failures so far
  bool sitemap = false;
  // It was fetched by a process whose archive is lost: it is fetched again for its body, and its links are
  // known.
  bool again = false;
  // About what it takes in a message, with a score or a link.
  std::size_t bytes() const { return url.size() + 16; }
};

struct SentLink {
  std::uint32_t url = 0;  // index into the list of URLs
  bool other_host = false;
  static constexpr std::size_t kBytes = 4;
};

// What a page needs to be displayed (crawl/state/requisites.h), to be fetched by the receiver.
struct SentRequisite {
  std::string url;
  // Of a partition that moves: how it ended. 0: it is still to be fetched, and the rest holds.
  std::uint8_t end = 0;
  std::uint8_t kind = 0;
  std::uint8_t depth = 1;
  std::uint8_t frames = 0;
  std::string root;         // the page that it is fetched for
  std::uint8_t links = 0;   // from a seed to that page
  std::uint64_t found = 0;  // how many requisites of that page the sender knows
  std::size_t bytes() const { return url.size() + root.size() + 24; }
};

struct LinkBatch {
  struct Group {
    Visit visit;  // the page with these links; its id is meaningless to the receiver
    std::vector<SentLink> links;
    static constexpr std::size_t kBytes = 32;
  };
  std::vector<SentUrl> urls;
  std::vector<Group> groups;
  std::vector<SentRequisite> requisites;
  // About what it takes before compression.
  std::size_t bytes() const;
};

struct PartitionTransfer {
  struct Page {
    SentUrl url;
    bool done = false;
    Score score = 0;
    std::string visits = {};  // what is known of its visits, as crawl/state writes it; empty: nothing
  };
  struct HostNote {
    std::string name;
    Time opens{};
    std::uint32_t failures = 0;
    std::uint32_t pages = 0;
    float answer_ms = 0;
    std::size_t bytes() const { return name.size() + 32; }
  };
  std::uint64_t epoch = 0;  // how often the partition has changed its owner
  bool first = false, last = false;
  std::vector<Page> pages;
  std::vector<SentRequisite> requisites;
  std::vector<HostNote> hosts;  // after all pages
  std::vector<std::pair<std::string, std::uint64_t>>
      last_sequences;  // in the last piece: the last sequence number of each sender
};

using MessageBody = std::variant<LinkBatch, PartitionTransfer>;
std::string pack(const MessageBody& content);
Result<MessageBody> unpack(std::string_view packed);
// whether it is a PartitionTransfer; meaningful only for a valid message
bool is_transfer(std::string_view packed);
// the same: whether it is a LinkBatch with requisites
bool has_requisites(std::string_view packed);

// Appends id and content to a longer text.
void put_message(std::string& out, const Message& message);
class VarintReader;
Message get_message(VarintReader& in);

}  // namespace bowerbird
