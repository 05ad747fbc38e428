#include "crawl/share.h"

#include <algorithm>

#include "base/check.h"
#include "base/varint.h"
#include "store/known_urls.h"

namespace bowerbird {

Result<std::unique_ptr<Share>> Share::make(const ShareOptions& options, HostName host_name,
                                           UrlText url_text) {
  BB_TRY(const Mode mode, parse_mode(options.mode));
  const auto procs = static_cast<unsigned>(std::max<std::uint64_t>(1, options.procs));
  BB_TRY(DomainRules rules, DomainRules::parse(options.rules, procs));
  return std::unique_ptr<Share>(
      new Share(options, mode, std::move(rules), std::move(host_name), std::move(url_text)));
}

Share::Share(const ShareOptions& options, Mode mode, DomainRules rules, HostName host_name, UrlText url_text)
    : options_(options),
      mode_(mode),
      rules_(std::move(rules)),
      host_name_(std::move(host_name)),
      url_text_(std::move(url_text)),
      held_(options.partitions),
      tenure_(options.partitions),
      last_number_(options.partitions),
      popular_(mode == Mode::kExchange ? options.replicate : 0) {
  if (mode == Mode::kExchange) return;
  for (std::size_t p = 0; p < held_.size(); ++p) held_[p] = p % options.procs == options.process;
}

std::uint32_t Share::partition(PageId page, HostId host) {
  if (options_.partitioning == Partitioning::kUrlHash) return partition_of(url_text_(page), partitions());
  while (partition_of_host_.size() <= host) {
    const std::string name = host_name_(static_cast<HostId>(partition_of_host_.size()));
    partition_of_host_.push_back(partition_of_host(name, options_.partitioning, rules_, partitions()));
  }
  return partition_of_host_[host];
}

std::vector<std::uint32_t> Share::held() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t p = 0; p < partitions(); ++p) {
    if (held_[p]) all.push_back(p);
  }
  return all;
}

Tenures Share::tenures() const {
  Tenures all;
  for (const std::uint32_t p : held()) all[p] = tenure_[p];
  return all;
}

Place Share::place(PageId page, HostId host) {
  if (held_[partition(page, host)]) return Place::kHere;
  return mode_ == Mode::kFirewall || popular_.knows(page) ? Place::kNowhere : Place::kAway;
}

// ---- out

void Share::pass_on(const Visit& visit, std::span<const Link> links,
                    const std::function<SentUrl(PageId)>& tell, const std::function<HostId(PageId)>& host) {
  std::vector<std::uint32_t> touched;
  crawled_ = visit.crawled;
  for (const Link& link : links) {
    if (link.place != Place::kHere) popular_.saw(link.page);
    if (link.place != Place::kAway) continue;
    if (mode_ == Mode::kCrossOver) {
      foreign_.push_back({visit, {link.page, link.other_host, Place::kHere}});
      continue;
    }
    const std::uint32_t p = partition(link.page, host(link.page));
    Filling& filling = filling_[p];
    if (std::find(touched.begin(), touched.end(), p) == touched.end()) {
      filling.parcel.groups.push_back({visit, {}});
      touched.push_back(p);
    }
    SentUrl url = tell(link.page);
    const auto [place, fresh] = filling.places.try_emplace(
        KnownUrls::fingerprint(url.url), static_cast<std::uint32_t>(filling.parcel.urls.size()));
    if (fresh) filling.parcel.urls.push_back(std::move(url));
    filling.parcel.groups.back().links.push_back({place->second, link.other_host});
  }
  for (const std::uint32_t p : touched) {
    const auto found = filling_.find(p);
    if (found->second.parcel.urls.size() < options_.batch) continue;
    cut(p, found->second);
    filling_.erase(found);
  }
}

void Share::cut() {
  for (auto& [p, filling] : filling_) cut(p, filling);
  filling_.clear();
  popular_.sent(crawled_);
}

void Share::cut(std::uint32_t partition, Filling& filling) {
  counts_.urls_sent += filling.parcel.urls.size();
  add_parcel(partition, pack(std::move(filling.parcel)));
}

void Share::add_parcel(std::uint32_t partition, std::string content) {
  Parcel parcel;
  parcel.id = {options_.member, partition, ++last_number_[partition]};
  parcel.content = std::make_shared<const std::string>(std::move(content));
  ++counts_.parcels_sent;
  counts_.bytes_sent += parcel.content->size();
  absorb(parcel);
}

void Share::add_move(std::uint32_t partition, const MoveParcel& piece) {
  add_parcel(partition, pack(piece));
}

void Share::absorb(const Parcel& parcel) {
  outbox_[{parcel.id.sender, parcel.id.partition}].push_back(parcel);
  new_.push_back(parcel);
}

void Share::confirm(const ParcelId& id) {
  const auto found = outbox_.find({id.sender, id.partition});
  if (found == outbox_.end()) return;
  std::deque<Parcel>& parcels = found->second;
  while (!parcels.empty() && parcels.front().id.number <= id.number) parcels.pop_front();
  if (parcels.empty()) outbox_.erase(found);
}

std::vector<Parcel> Share::take_new() {
  return std::exchange(new_, {});
}

std::vector<Parcel> Share::outbox() const {
  std::vector<Parcel> all;
  for (const auto& [to, parcels] : outbox_) all.insert(all.end(), parcels.begin(), parcels.end());
  return all;
}

std::vector<Parcel> Share::own_untaken(std::uint32_t partition) {
  if (const auto found = filling_.find(partition); found != filling_.end()) {
    cut(partition, found->second);
    filling_.erase(found);
  }
  std::vector<Parcel> own;
  const auto found = outbox_.find({options_.member, partition});
  if (found == outbox_.end()) return own;
  const std::uint64_t taken = mark(partition, options_.member);
  for (const Parcel& parcel : found->second) {
    if (parcel.id.number > taken) own.push_back(parcel);
  }
  return own;
}

std::size_t Share::outbox_size() const {
  std::size_t size = 0;
  for (const auto& [to, parcels] : outbox_) size += parcels.size();
  return size;
}

// ---- in

std::uint64_t Share::mark(std::uint32_t partition, const std::string& sender) const {
  const auto marks = marks_.find(partition);
  if (marks == marks_.end()) return 0;
  const auto found = marks->second.find(sender);
  return found == marks->second.end() ? 0 : found->second;
}

void Share::taken(const ParcelId& id, std::uint64_t urls) {
  marks_[id.partition][id.sender] = id.number;
  ++counts_.parcels_received;
  counts_.urls_received += urls;
}

void Share::begin_hold(const ParcelId& last, const MoveParcel& move) {
  held_[last.partition] = true;
  tenure_[last.partition] = move.tenure;
  auto& marks = marks_[last.partition];
  marks.clear();
  for (const auto& [sender, number] : move.marks) marks[sender] = number;
  marks[last.sender] = last.number;
  ++counts_.partitions_in;
}

std::vector<std::pair<std::string, std::uint64_t>> Share::end_hold(std::uint32_t partition) {
  held_[partition] = false;
  ++tenure_[partition];
  ++counts_.partitions_out;
  std::vector<std::pair<std::string, std::uint64_t>> marks;
  if (const auto found = marks_.find(partition); found != marks_.end()) {
    marks.assign(found->second.begin(), found->second.end());
    marks_.erase(found);
  }
  return marks;
}

std::optional<Share::Foreign> Share::take_foreign() {
  if (foreign_.empty()) return {};
  const Foreign first = foreign_.front();
  foreign_.pop_front();
  return first;
}

// ---- state

std::uint64_t Share::bytes() const {
  std::uint64_t sum = popular_.bytes() + held_.size() * 24 + foreign_.size() * sizeof(Foreign);
  for (const auto& [to, parcels] : outbox_) {
    for (const Parcel& parcel : parcels) sum += sizeof(Parcel) + parcel.content->size();
  }
  for (const auto& [p, filling] : filling_) sum += filling.parcel.urls.size() * 160;
  return sum;
}

void Share::save(ByteWriter& out) const {
  std::string text;
  put_varint(text, held_.size());
  for (std::size_t p = 0; p < held_.size(); ++p) {
    put_varint(text, held_[p] ? 1 : 0);
    put_varint(text, tenure_[p]);
    put_varint(text, last_number_[p]);
  }
  put_varint(text, marks_.size());
  for (const auto& [p, marks] : marks_) {
    put_varint(text, p);
    put_varint(text, marks.size());
    for (const auto& [sender, number] : marks) {
      put_string(text, sender);
      put_varint(text, number);
    }
  }
  put_varint(text, filling_.size());
  for (const auto& [p, filling] : filling_) {
    put_varint(text, p);
    put_string(text, pack(filling.parcel));
  }
  const std::vector<Parcel> all = outbox();
  put_varint(text, all.size());
  for (const Parcel& parcel : all) put_parcel(text, parcel);
  put_varint(text, absorbed_.size());
  for (const std::string& member : absorbed_) put_string(text, member);
  out.put_array(std::span<const char>(text.data(), text.size()));
  out.put<std::uint64_t>(foreign_.size());
  for (const Foreign& foreign : foreign_) {
    out.put(foreign.visit);
    out.put(foreign.link);
  }
  out.put(counts_);
  if (!popular_.on()) return;
  out.put(crawled_);
  popular_.save(out);
}

void Share::load(ByteReader& bytes) {
  std::vector<char> text;
  bytes.get_array(text);
  VarintReader in({text.data(), text.size()});
  if (in.get() != held_.size()) in.reject();
  for (std::size_t p = 0; p < held_.size(); ++p) {
    held_[p] = in.get() != 0;
    tenure_[p] = in.get();
    last_number_[p] = in.get();
  }
  for (std::uint64_t count = in.get_at_most(held_.size()); count > 0 && in.ok(); --count) {
    auto& marks = marks_[static_cast<std::uint32_t>(in.get_at_most(held_.size() - 1))];
    for (std::uint64_t senders = in.get_at_most(in.left()); senders > 0 && in.ok(); --senders) {
      std::string sender(in.get_string());
      marks[std::move(sender)] = in.get();
    }
  }
  for (std::uint64_t count = in.get_at_most(held_.size()); count > 0 && in.ok(); --count) {
    Filling& filling = filling_[static_cast<std::uint32_t>(in.get_at_most(held_.size() - 1))];
    auto content = unpack(in.get_string());
    LinkParcel* const links = content.ok() ? std::get_if<LinkParcel>(&*content) : nullptr;
    if (links == nullptr) {
      in.reject();
      break;
    }
    filling.parcel = std::move(*links);
    for (std::size_t i = 0; i < filling.parcel.urls.size(); ++i) {
      filling.places[KnownUrls::fingerprint(filling.parcel.urls[i].url)] = static_cast<std::uint32_t>(i);
    }
  }
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    Parcel parcel = get_parcel(in);
    if (parcel.id.partition >= held_.size()) in.reject();
    outbox_[{parcel.id.sender, parcel.id.partition}].push_back(std::move(parcel));
  }
  for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
    absorbed_.emplace(in.get_string());
  }
  if (!in.ok() || !in.at_end()) bytes.reject();
  for (auto count = bytes.get<std::uint64_t>(); count > 0 && bytes.ok(); --count) {
    Foreign foreign;
    bytes.get(foreign.visit);
    bytes.get(foreign.link);
    foreign_.push_back(foreign);
  }
  bytes.get(counts_);
  if (!popular_.on()) return;
  bytes.get(crawled_);
  popular_.load(bytes);
}

}  // namespace bowerbird
