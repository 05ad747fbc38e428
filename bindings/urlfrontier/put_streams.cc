// The streaming calls that put URLs.
//
// Each stream has two threads: one reads messages into a bounded queue, the other applies all waiting
// ones and acknowledges them. So one write, and with --durable one sync, covers many URLs.
#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "messages.h"
#include "service.h"

namespace bowerbird {

namespace {

using namespace urlfrontier;  // its messages

constexpr std::size_t kMostItems = 4096;     // limit of waiting URLs, about
constexpr std::size_t kMostBytes = 8 << 20;  // limit of the bytes of waiting messages, about

// Messages from the reading thread to the working thread.
template <typename Message>
class Inbox {
 public:
  // Waits while the queue is full.
  void put(Message message, std::size_t items, std::size_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || (items_ < kMostItems && bytes_ < kMostBytes); });
    items_ += items;
    bytes_ += bytes;
    messages_.push_back(std::move(message));
    changed_.notify_all();
  }
  // No more messages will come, or are wanted.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // Takes all messages, and waits for the first one. Empty: the queue was closed.
  std::deque<Message> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !messages_.empty(); });
    items_ = bytes_ = 0;
    std::deque<Message> taken = std::move(messages_);
    messages_.clear();
    changed_.notify_all();
    return taken;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  std::size_t items_ = 0, bytes_ = 0;
  bool closed_ = false;
};

// Reads in a separate thread, and calls work(messages) until the stream ends or work returns false. An error:
// the stream ended with a broken message.
template <typename Message, typename Stream, typename Count, typename Work>
grpc::Status read_and_work(grpc::ServerContext& context, Stream& stream, Count items_of, Work work) {
  Inbox<Message> inbox;
  std::string broken;
  std::thread reader([&] {
    Message message;
    std::uint64_t number = 1;
    for (; stream.Read(&message); ++number) {
      const std::size_t items = items_of(message), bytes = message.ByteSizeLong();
      inbox.put(std::move(message), items, bytes);
      message = Message();
    }
    broken = take_broken_message();
    if (!broken.empty()) broken = fmt::format("message {} of the stream: {}", number, broken);
    inbox.close();
  });
  while (true) {
    const std::deque<Message> messages = inbox.take();
    if (messages.empty()) break;
    if (!work(messages)) {
      context.TryCancel();
      inbox.close();
      break;
    }
  }
  reader.join();
  if (broken.empty()) return grpc::Status::OK;
  return {grpc::StatusCode::INVALID_ARGUMENT, broken};
}

// The date of creation: the message's, otherwise that of the known URL, otherwise now.
std::uint64_t creation_date(const CrawlFolders& crawls, const URLInfo& info, std::uint64_t given, Time now,
                            bool fetched) {
  if (given > 0) return given;
  if (fetched) {
    if (const auto crawl = crawls.find(crawl_name(info.crawlid()))) {
      const MutexLock lock(crawl->mutex);
      if (crawl->frontier != nullptr) {
        const auto status = crawl->frontier->status(info.url());
        if (status.ok() && *status) {
          if (const std::uint64_t before = created_of((*status)->payload); before > 0) return before;
        }
      }
    }
  }
  return static_cast<std::uint64_t>(milliseconds_of(now) / 1000);
}

}  // namespace

grpc::Status FrontierService::PutURLs(Context* context,
                                      grpc::ServerReaderWriter<AckMessage, URLItem>* stream) {
  const auto work = [&](const std::deque<URLItem>& items) {
    const Time now = wall_time();
    std::vector<UrlPut> puts;
    puts.reserve(items.size());
    for (const URLItem& item : items) {
      const bool fetched = item.has_known();
      const URLInfo& info = fetched ? item.known().info() : item.discovered().info();
      UrlPut& put = puts.emplace_back();
      put.crawl = crawl_name(info.crawlid());
      put.url = info.url();
      put.key = info.key();
      put.fetched = fetched;
      put.payload = make_payload(info, creation_date(crawls_, info, item.creation_date(), now, fetched));
      if (!fetched) put.parent = parent_of(info, options_.parent_key);
      if (fetched && item.known().refetchable_from_date() > 0)
        put.due = time_of_seconds(item.known().refetchable_from_date());
    }
    std::string failure;
    const std::vector<PutAnswer> answers = apply_puts(crawls_, puts, now, failure);
    if (!failure.empty()) log(LogLevelParams::ERROR, failure);
    for (std::size_t i = 0; i < items.size(); ++i) {
      AckMessage ack;
      ack.set_id(items[i].id().empty() ? std::string(puts[i].url) : items[i].id());
      ack.set_status(ack_status(answers[i]));
      if (!stream->Write(ack)) return false;
    }
    return true;
  };
  return read_and_work<URLItem>(
      *context, *stream, [](const URLItem&) { return 1; }, work);
}

grpc::Status FrontierService::PutDiscovered(Context* context,
                                            grpc::ServerReaderWriter<BatchAck, DiscoveredBatch>* stream) {
  const auto work = [&](const std::deque<DiscoveredBatch>& batches) {
    const Time now = wall_time();
    std::vector<UrlPut> puts;
    for (const DiscoveredBatch& batch : batches) {
      for (const URLInfo& info : batch.items()) {
        UrlPut& put = puts.emplace_back();
        put.crawl = crawl_name(info.crawlid());
        put.url = info.url();
        put.key = info.key();
        put.payload = make_payload(info, static_cast<std::uint64_t>(milliseconds_of(now) / 1000));
        put.parent = parent_of(info, options_.parent_key);
        if (put.parent.empty()) put.parent = batch.id();
      }
    }
    std::string failure;
    const std::vector<PutAnswer> answers = apply_puts(crawls_, puts, now, failure);
    if (!failure.empty()) log(LogLevelParams::ERROR, failure);
    auto answer = answers.begin();
    for (const DiscoveredBatch& batch : batches) {
      BatchAck ack;
      ack.set_id(batch.id());
      for (int i = 0; i < batch.items_size(); ++i) ack.add_statuses(ack_status(*answer++));
      if (!stream->Write(ack)) return false;
    }
    return true;
  };
  return read_and_work<DiscoveredBatch>(
      *context, *stream,
      [](const DiscoveredBatch& batch) { return static_cast<std::size_t>(batch.items_size()); }, work);
}

}  // namespace bowerbird
