#include "fleet/batch/fleet_state.h"

#include <algorithm>

#include "base/check.h"
#include "base/varint.h"
#include "store/known_urls.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kMostPartitions = std::uint64_t{1} << 20;

void save_foreign(const FleetState::Foreign& foreign, ByteWriter& out) {
  const Visit& visit = foreign.visit;
  out.put(visit.page);
  out.put(visit.discovered);
  out.put(visit.score);
  out.put(visit.links);
  out.put(visit.other_host);
  out.put(visit.crawled);
  out.put(visit.known);
  out.put<std::uint8_t>(visit.on_topic);
  out.put<std::uint8_t>(visit.received);
  out.put(foreign.link.page);
  out.put<std::uint8_t>(foreign.link.other_host);
}

FleetState::Foreign load_foreign(ByteReader& in) {
  FleetState::Foreign foreign;
  Visit& visit = foreign.visit;
  in.get(visit.page);
  in.get(visit.discovered);
  in.get(visit.score);
  in.get(visit.links);
  in.get(visit.other_host);
  in.get(visit.crawled);
  in.get(visit.known);
  visit.on_topic = in.get<std::uint8_t>() != 0;
  visit.received = in.get<std::uint8_t>() != 0;
  in.get(foreign.link.page);
  foreign.link.other_host = in.get<std::uint8_t>() != 0;
  return foreign;
}

}  // namespace

Result<std::unique_ptr<FleetState>> FleetState::make(const ParallelOptions& options, HostName host_name,
                                                     UrlText url_text) {
  const Mode mode = options.mode.value();
  if (options.partitions == 0 || options.partitions > kMostPartitions)
    return error("there are {} partitions; there must be 1 to {}", options.partitions, kMostPartitions);
  if (mode != Mode::kExchange && (options.procs == 0 || options.process >= options.procs))
    return error("process {} of {}: there is no such process", options.process, options.procs);
  const auto procs = static_cast<unsigned>(std::max<std::uint64_t>(1, options.procs));
  BB_TRY(DomainRules rules, DomainRules::parse(options.rules, procs));
  return std::unique_ptr<FleetState>(
      new FleetState(options, mode, std::move(rules), std::move(host_name), std::move(url_text)));
}

FleetState::FleetState(const ParallelOptions& options, Mode mode, DomainRules rules, HostName host_name,
                       UrlText url_text)
    : options_(options),
      mode_(mode),
      rules_(std::move(rules)),
      host_name_(std::move(host_name)),
      url_text_(std::move(url_text)),
      held_(options.partitions),
      epoch_(options.partitions),
      last_number_(options.partitions),
      popular_(mode == Mode::kExchange ? options.replicate : 0) {
  if (mode == Mode::kExchange) return;
  for (std::size_t p = 0; p < held_.size(); ++p) held_[p] = p % options.procs == options.process;
}

std::uint32_t FleetState::partition(PageId page, HostId host) {
  if (options_.partitioning == Partitioning::kUrlHash) return partition_of(url_text_(page), partitions());
  while (partition_of_host_.size() <= host) {
    const std::string name = host_name_(static_cast<HostId>(partition_of_host_.size()));
    partition_of_host_.push_back(partition_of_host(name, options_.partitioning, rules_, partitions()));
  }
  return partition_of_host_[host];
}

std::vector<std::uint32_t> FleetState::held() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t p = 0; p < partitions(); ++p) {
    if (held_[p]) all.push_back(p);
  }
  return all;
}

Epochs FleetState::epochs() const {
  Epochs all;
  for (const std::uint32_t p : held()) all[p] = epoch_[p];
  return all;
}

LinkRoute FleetState::route(PageId page, HostId host) {
  if (held_[partition(page, host)]) return LinkRoute::kLocal;
  return mode_ == Mode::kFirewall || popular_.knows(page) ? LinkRoute::kDropped : LinkRoute::kRemote;
}

// ---- out

void FleetState::pass_on(const Visit& visit, std::span<const Link> links,
                         const std::function<SentUrl(PageId)>& url_of,
                         const std::function<HostId(PageId)>& host) {
  std::vector<std::uint32_t> touched;
  crawled_ = visit.crawled;
  for (const Link& link : links) {
    if (link.route != LinkRoute::kLocal) popular_.saw(link.page);
    if (link.route != LinkRoute::kRemote) continue;
    if (mode_ == Mode::kCrossOver) {
      foreign_.push_back({visit, {link.page, link.other_host, LinkRoute::kLocal}});
      continue;
    }
    const std::uint32_t p = partition(link.page, host(link.page));
    Filling& filling = filling_[p];
    const bool is_touched = std::find(touched.begin(), touched.end(), p) != touched.end();
    if (!is_touched) touched.push_back(p);
    // A page with many links to one partition takes several messages.
    const bool is_full = filling.bytes >= kMessageBytes;
    if (is_full) {
      flush(p, filling);
      filling = Filling();
    }
    if (!is_touched || is_full) {
      filling.message.groups.push_back({visit, {}});
      filling.bytes += LinkBatch::Group::kBytes;
    }
    SentUrl url = url_of(link.page);
    const std::size_t url_bytes = url.bytes();
    const auto [index, fresh] = filling.indexes.try_emplace(
        KnownUrls::fingerprint(url.url), static_cast<std::uint32_t>(filling.message.urls.size()));
    if (fresh) filling.message.urls.push_back(std::move(url));
    filling.message.groups.back().links.push_back({index->second, link.other_host});
    filling.bytes += SentLink::kBytes + (fresh ? url_bytes : 0);
  }
  for (const std::uint32_t p : touched) flush_if_full(p);
}

void FleetState::pass_on(std::uint32_t partition, SentRequisite requisite) {
  Filling& filling = filling_[partition];
  filling.bytes += requisite.bytes();
  filling.message.requisites.push_back(std::move(requisite));
  flush_if_full(partition);
}

void FleetState::flush_if_full(std::uint32_t partition) {
  const auto found = filling_.find(partition);
  if (found->second.size() < options_.batch && found->second.bytes < kMessageBytes) return;
  flush(partition, found->second);
  filling_.erase(found);
}

void FleetState::flush() {
  for (auto& [p, filling] : filling_) flush(p, filling);
  filling_.clear();
  popular_.sent(crawled_);
}

void FleetState::flush(std::uint32_t partition, Filling& filling) {
  counts_.urls_sent += filling.size();
  add_message(partition, pack(std::move(filling.message)));
}

void FleetState::add_message(std::uint32_t partition, std::string content) {
  Message message;
  message.id = {options_.member, partition, ++last_number_[partition]};
  message.content = std::make_shared<const std::string>(std::move(content));
  ++counts_.messages_sent;
  counts_.bytes_sent += message.content->size();
  absorb(message);
}

void FleetState::add_transfer(std::uint32_t partition, const PartitionTransfer& piece) {
  add_message(partition, pack(piece));
}

void FleetState::add_batch(std::uint32_t partition, const LinkBatch& batch) {
  add_message(partition, pack(batch));
}

void FleetState::absorb(const Message& message) {
  outbox_[{message.id.sender, message.id.partition}].push_back(message);
  new_.push_back(message);
}

void FleetState::confirm(const MessageId& id) {
  const auto found = outbox_.find({id.sender, id.partition});
  if (found == outbox_.end()) return;
  std::deque<Message>& messages = found->second;
  while (!messages.empty() && messages.front().id.number <= id.number) messages.pop_front();
  if (messages.empty()) outbox_.erase(found);
}

std::vector<Message> FleetState::take_new() {
  return std::exchange(new_, {});
}

std::vector<Message> FleetState::outbox() const {
  std::vector<Message> all;
  for (const auto& [to, messages] : outbox_) all.insert(all.end(), messages.begin(), messages.end());
  return all;
}

std::vector<Message> FleetState::own_untaken(std::uint32_t partition) {
  if (const auto found = filling_.find(partition); found != filling_.end()) {
    flush(partition, found->second);
    filling_.erase(found);
  }
  std::vector<Message> own;
  const auto found = outbox_.find({options_.member, partition});
  if (found == outbox_.end()) return own;
  const std::uint64_t taken = last_sequence(partition, options_.member);
  for (const Message& message : found->second) {
    if (message.id.number > taken) own.push_back(message);
  }
  return own;
}

std::size_t FleetState::outbox_size() const {
  std::size_t size = 0;
  for (const auto& [to, messages] : outbox_) size += messages.size();
  return size;
}

std::uint64_t FleetState::requisite_batches() const {
  std::uint64_t count = 0;
  for (const auto& [p, filling] : filling_) count += filling.message.requisites.empty() ? 0 : 1;
  for (const auto& [to, messages] : outbox_) {
    for (const Message& message : messages) count += has_requisites(*message.content) ? 1 : 0;
  }
  return count;
}

// ---- in

std::uint64_t FleetState::last_sequence(std::uint32_t partition, const std::string& sender) const {
  const auto last_sequences = last_sequences_.find(partition);
  if (last_sequences == last_sequences_.end()) return 0;
  const auto found = last_sequences->second.find(sender);
  return found == last_sequences->second.end() ? 0 : found->second;
}

void FleetState::taken(const MessageId& id, std::uint64_t urls) {
  last_sequences_[id.partition][id.sender] = id.number;
  ++counts_.messages_received;
  counts_.urls_received += urls;
}

void FleetState::begin_hold(const MessageId& last, const PartitionTransfer& move) {
  held_[last.partition] = true;
  epoch_[last.partition] = move.epoch;
  auto& last_sequences = last_sequences_[last.partition];
  last_sequences.clear();
  for (const auto& [sender, number] : move.last_sequences) last_sequences[sender] = number;
  last_sequences[last.sender] = last.number;
  ++counts_.partitions_in;
}

std::vector<std::pair<std::string, std::uint64_t>> FleetState::end_hold(std::uint32_t partition) {
  held_[partition] = false;
  ++epoch_[partition];
  ++counts_.partitions_out;
  std::vector<std::pair<std::string, std::uint64_t>> last_sequences;
  if (const auto found = last_sequences_.find(partition); found != last_sequences_.end()) {
    last_sequences.assign(found->second.begin(), found->second.end());
    last_sequences_.erase(found);
  }
  return last_sequences;
}

FleetState::Foreign FleetState::take_foreign() {
  CHECK(!foreign_.empty());
  const Foreign first = foreign_.front();
  foreign_.pop_front();
  return first;
}

// ---- state

std::uint64_t FleetState::bytes() const {
  std::uint64_t sum = popular_.bytes() + held_.size() * 24 + foreign_.size() * sizeof(Foreign);
  for (const auto& [to, messages] : outbox_) {
    for (const Message& message : messages) sum += sizeof(Message) + message.content->size();
  }
  for (const auto& [p, filling] : filling_) sum += filling.size() * 160;
  return sum;
}

void FleetState::save(ByteWriter& out) const {
  std::string text;
  put_varint(text, held_.size());
  for (std::size_t p = 0; p < held_.size(); ++p) {
    put_varint(text, held_[p] ? 1 : 0);
    put_varint(text, epoch_[p]);
    put_varint(text, last_number_[p]);
  }
  put_varint(text, last_sequences_.size());
  for (const auto& [p, last_sequences] : last_sequences_) {
    put_varint(text, p);
    put_varint(text, last_sequences.size());
    for (const auto& [sender, number] : last_sequences) {
      put_string(text, sender);
      put_varint(text, number);
    }
  }
  put_varint(text, filling_.size());
  for (const auto& [p, filling] : filling_) {
    put_varint(text, p);
    put_string(text, pack(filling.message));
  }
  const std::vector<Message> all = outbox();
  put_varint(text, all.size());
  for (const Message& message : all) put_message(text, message);
  put_varint(text, absorbed_.size());
  for (const std::string& member : absorbed_) put_string(text, member);
  out.put_array(std::span<const char>(text.data(), text.size()));
  out.put<std::uint64_t>(foreign_.size());
  for (const Foreign& foreign : foreign_) save_foreign(foreign, out);
  out.put(counts_);
  if (!popular_.on()) return;
  out.put(crawled_);
  popular_.save(out);
}

void FleetState::load(ByteReader& bytes, std::uint64_t pages) {
  std::vector<char> text;
  bytes.get_array(text);
  VarintReader in({text.data(), text.size()});
  if (in.get() != held_.size()) in.reject();
  for (std::size_t p = 0; p < held_.size(); ++p) {
    held_[p] = in.get() != 0;
    epoch_[p] = in.get();
    last_number_[p] = in.get();
  }
  for (std::uint64_t count = in.get_at_most(held_.size()); count > 0 && in.ok(); --count) {
    auto& last_sequences = last_sequences_[static_cast<std::uint32_t>(in.get_at_most(held_.size() - 1))];
    for (std::uint64_t senders = in.get_at_most(in.left()); senders > 0 && in.ok(); --senders) {
      std::string sender(in.get_string());
      last_sequences[std::move(sender)] = in.get();
    }
  }
  for (std::uint64_t count = in.get_at_most(held_.size()); count > 0 && in.ok(); --count) {
    Filling& filling = filling_[static_cast<std::uint32_t>(in.get_at_most(held_.size() - 1))];
    auto content = unpack(in.get_string());
    LinkBatch* const links = content.ok() ? std::get_if<LinkBatch>(&*content) : nullptr;
    if (links == nullptr) {
      in.reject();
      break;
    }
    filling.message = std::move(*links);
    filling.bytes = filling.message.bytes();
    for (std::size_t i = 0; i < filling.message.urls.size(); ++i) {
      filling.indexes[KnownUrls::fingerprint(filling.message.urls[i].url)] = static_cast<std::uint32_t>(i);
    }
  }
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    Message message = get_message(in);
    if (message.id.partition >= held_.size()) in.reject();
    outbox_[{message.id.sender, message.id.partition}].push_back(std::move(message));
  }
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    absorbed_.emplace(in.get_string());
  }
  if (!in.ok() || !in.at_end()) bytes.reject();
  for (auto count = bytes.get<std::uint64_t>(); count > 0 && bytes.ok(); --count) {
    foreign_.push_back(load_foreign(bytes));
    const Foreign& read = foreign_.back();
    if (read.visit.page >= pages || read.link.page >= pages) bytes.reject();
  }
  bytes.get(counts_);
  if (!popular_.on()) return;
  bytes.get(crawled_);
  popular_.load(bytes);
}

}  // namespace bowerbird
