// What processes of a fleet tell each other, as bytes.
//
// A message is addressed to whoever holds a partition, and numbered from 1 on by its sender for that
// partition, so that the receiver can tell repeats and gaps. It carries links that were found (each URL once,
// with what the pages that link to it were worth), or a piece of a partition that changes hands: its pages,
// its hosts, and how far its former holder had come with every sender. Packed with zstd; a reader never
// believes a number in it. Plain data.
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
#include "frontier/off_queue.h"
#include "policy/policy.h"

namespace bowerbird {

struct MessageId {
  std::string sender;
  std::uint32_t partition = 0;
  std::uint64_t number = 0;
};

struct Message {
  MessageId id;
  std::shared_ptr<const std::string> content;  // packed
};

// Partitions, and how often each has found a new holder.
using Epochs = std::map<std::uint32_t, std::uint64_t>;

// A URL on its way, with what is known of it besides its score.
struct SentUrl {
  std::string url;
  std::uint8_t depth = 0;
  std::uint8_t hops = 0;   // redirects in a row that led to it
  std::uint8_t tries = 0;  // failures so far
  bool sitemap = false;
};

struct SentLink {
  std::uint32_t url = 0;  // its place in the list
  bool other_host = false;
};

struct LinkBatch {
  struct Group {
    Visit visit;  // of the page that has these links; its id means nothing elsewhere
    std::vector<SentLink> links;
  };
  std::vector<SentUrl> urls;
  std::vector<Group> groups;
};

struct PartitionTransfer {
  struct Page {
    SentUrl url;
    bool done = false;
    Score score = 0;
  };
  struct HostNote {
    std::string name;
    Time opens = 0;
    std::uint32_t failures = 0;
    std::uint32_t pages = 0;
    float answer_ms = 0;
  };
  std::uint64_t epoch = 0;  // how often the partition has found a new holder
  bool first = false, last = false;
  std::vector<Page> pages;
  std::vector<HostNote> hosts;  // in the last one
  std::vector<std::pair<std::string, std::uint64_t>>
      last_sequences;  // likewise: the last number of each sender
};

using MessageBody = std::variant<LinkBatch, PartitionTransfer>;
std::string pack(const MessageBody& content);
Result<MessageBody> unpack(std::string_view packed);
bool is_transfer(std::string_view packed);  // whether it is a PartitionTransfer, if it is sound

// An id and a content, as part of a longer text.
void put_message(std::string& out, const Message& message);
class VarintReader;
Message get_message(VarintReader& in);

}  // namespace bowerbird
