#include "fleet/bus.h"

#include <fmt/format.h>
#include <nats/nats.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/option_row.h"
#include "base/thread_annotations.h"
#include "fleet/broker_address.h"
#include "fleet/broker_answers.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kWaitMs = 2000;
constexpr std::int64_t kSecondNs = 1'000'000'000;
// A message that is not acknowledged within this time is delivered again.
constexpr std::int64_t kAckWait = 60 * kSecondNs;

// Error texts of the library start with a source position: "(conn.c:2088): No server available".
std::string without_position(std::string_view text) {
  const std::size_t end = text.find("): ");
  return std::string(text.starts_with('(') && end != std::string_view::npos ? text.substr(end + 3) : text);
}

std::string last_error(natsStatus status) {
  natsStatus unused = NATS_OK;
  const char* const text = nats_GetLastError(&unused);
  if (text != nullptr && *text != 0) return without_position(text);
  return natsStatus_GetText(status);
}

// The library keeps reconnecting for ever, unless the broker rejects our login: then it closes the
// connection.
ErrorKind kind_of(natsStatus status) {
  switch (status) {
    case NATS_CONNECTION_AUTH_FAILED:
    case NATS_CONNECTION_CLOSED:
    case NATS_NOT_PERMITTED:
    case NATS_SECURE_CONNECTION_REQUIRED:
    case NATS_SECURE_CONNECTION_WANTED:
    case NATS_ADDRESS_MISSING:
    case NATS_INVALID_ARG:
      return ErrorKind::kNeedsUser;
    default:
      return ErrorKind::kRetry;
  }
}

Error failed(std::string_view what, natsStatus status) {
  return error(kind_of(status), "the fleet's broker: {}: {}", what, last_error(status));
}

Error no_answer(std::string_view what) {
  return error(ErrorKind::kRetry, "the fleet's broker does not answer ({})", what);
}

class NatsStore final : public BusStore {
 public:
  using Ask = std::function<std::vector<std::optional<std::string>>(const std::vector<BusRequest>&)>;
  NatsStore(std::string name, kvStore* store, Ask ask)
      : name_(std::move(name)), store_(store), ask_(std::move(ask)) {}
  ~NatsStore() override { kvStore_Destroy(store_); }

  Result<std::optional<BusEntry>> get(const std::string& key) override {
    kvEntry* entry = nullptr;
    const natsStatus status = kvStore_Get(&entry, store_, key.c_str());
    if (status == NATS_NOT_FOUND) return std::optional<BusEntry>();
    if (status != NATS_OK) {
      const Error why = failed("reading " + key, status);
      // A broker that has lost the whole store does not answer at all.
      if (why.kind == ErrorKind::kRetry && is_lost()) return std::optional<BusEntry>();
      return why;
    }
    BusEntry got;
    got.value.assign(static_cast<const char*>(kvEntry_Value(entry)),
                     static_cast<std::size_t>(kvEntry_ValueLen(entry)));
    got.revision = kvEntry_Revision(entry);
    kvEntry_Destroy(entry);
    return std::optional(std::move(got));
  }
  Result<std::uint64_t> put(const std::string& key, const std::string& value) override {
    std::uint64_t revision = 0;
    const natsStatus status =
        kvStore_Put(&revision, store_, key.c_str(), value.data(), static_cast<int>(value.size()));
    if (status != NATS_OK) return failed("writing " + key, status);
    return revision;
  }
  Result<std::optional<std::uint64_t>> create(const std::string& key, const std::string& value) override {
    std::uint64_t revision = 0;
    const natsStatus status =
        kvStore_Create(&revision, store_, key.c_str(), value.data(), static_cast<int>(value.size()));
    return changed("creating " + key, status, revision);
  }
  Result<std::optional<std::uint64_t>> update(const std::string& key, const std::string& value,
                                              std::uint64_t last) override {
    std::uint64_t revision = 0;
    const natsStatus status =
        kvStore_Update(&revision, store_, key.c_str(), value.data(), static_cast<int>(value.size()), last);
    return changed("updating " + key, status, revision);
  }
  Status remove(const std::string& key) override {
    const natsStatus status = kvStore_Delete(store_, key.c_str());
    if (status != NATS_OK) return failed("removing " + key, status);
    return {};
  }
  // In two rounds: the list of keys, then all values at once.
  Result<std::map<std::string, BusEntry>> all(const std::string& with) override {
    const std::string prefix = "$KV." + name_ + ".";
    const std::string filter = nlohmann::json({{"subjects_filter", prefix + with + ">"}})
                                   .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    const auto subjects = read_subjects(ask_({{"$JS.API.STREAM.INFO.KV_" + name_, filter}}).front());
    if (!subjects) return no_answer("keys of " + name_);
    std::vector<std::string> keys;
    std::vector<BusRequest> questions;
    for (const std::string& subject : *subjects) {
      if (!subject.starts_with(prefix)) continue;
      keys.push_back(subject.substr(prefix.size()));
      questions.push_back({"$JS.API.STREAM.MSG.GET.KV_" + name_,
                           nlohmann::json({{"last_by_subj", subject}})
                               .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)});
    }
    std::map<std::string, BusEntry> entries;
    const auto answers = ask_(questions);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto value = read_value(answers[i]);
      if (!value) return no_answer(keys[i]);
      if (value->entry) entries[keys[i]] = std::move(*value->entry);
    }
    return entries;
  }

 private:
  bool is_lost() const { return is_not_found(ask_({{"$JS.API.STREAM.INFO.KV_" + name_, ""}}).front()); }
  static Result<std::optional<std::uint64_t>> changed(const std::string& what, natsStatus status,
                                                      std::uint64_t revision) {
    if (status == NATS_OK) return std::optional(revision);
    // The library has one status for everything the broker refuses, such as a value that does not fit.
    if (status == NATS_ERR && last_error(status).find("wrong last sequence") != std::string::npos) {
      return std::optional<std::uint64_t>();
    }
    return failed(what, status);
  }

  std::string name_;
  kvStore* store_;
  Ask ask_;
};

class NatsBus final : public Bus {
 public:
  NatsBus() = default;
  ~NatsBus() override {
    NatsBus::stop_listening();
    jsCtx_Destroy(js_);
    if (connection_ != nullptr) {
      natsConnection_Close(connection_);
      natsConnection_Destroy(connection_);
    }
  }
  NatsBus(const NatsBus&) = delete;
  NatsBus& operator=(const NatsBus&) = delete;

  Status open(const BrokerAddress& address);
  Result<std::unique_ptr<BusStore>> store(const std::string& name, double ttl_s) override;
  Result<std::unique_ptr<BusStore>> existing_store(const std::string& name) override;
  Status make_stream(const std::string& name, const std::string& subjects, std::uint64_t most_bytes) override;
  std::vector<bool> publish_kept(const std::vector<BusRequest>& requests) override;
  std::vector<bool> take_over(const std::string& stream, const std::vector<BusQueue>& queues,
                              const std::string& to) override;
  Result<std::vector<std::optional<QueueInfo>>> look_at(const std::string& stream,
                                                        const std::vector<BusQueue>& queues) override;
  Status make_log(const std::string& name, const std::string& subject) override;
  Result<std::optional<LogEnd>> end_of_log(const std::string& name) override;
  AppendResult append(const std::string& name, const std::string& subject, std::string_view data,
                      std::uint64_t last) override;
  Result<std::vector<LogMessage>> read_log(const std::string& name, std::uint64_t first,
                                           std::size_t count) override;
  Status publish(const std::string& subject, std::string_view data) override;
  Status subscribe(const std::string& subject, Receive receive) override;

  void stop_listening() override {
    const MutexLock lock(mutex_);
    for (natsSubscription* const one : subscriptions_) natsSubscription_Destroy(one);
    subscriptions_.clear();
    const std::lock_guard quiet(calls_->mutex);  // a callback may still be running
    calls_->closed = true;
  }

 private:
  std::vector<std::optional<std::string>> ask(const std::vector<BusRequest>& requests);
  std::unique_ptr<BusStore> open_store(const std::string& name, kvStore* store);
  Status add_stream(const std::string& name, const std::string& subjects, jsRetentionPolicy retention,
                    std::int64_t most_bytes);
  std::int64_t replicas() const;

  // Outlives the bus while a thread of the client may still call.
  struct Calls {
    std::mutex mutex;
    bool closed = false;
  };
  struct Receiver {
    std::shared_ptr<Calls> calls;
    Receive receive;
  };

  static void received(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
    BusMessage got;
    got.subject = natsMsg_GetSubject(message);
    if (const char* const reply = natsMsg_GetReply(message)) got.reply = reply;
    got.data.assign(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    natsMsg_Destroy(message);
    const auto& receiver = *static_cast<Receiver*>(closure);
    const std::lock_guard lock(receiver.calls->mutex);
    if (!receiver.calls->closed) receiver.receive(std::move(got));
  }
  static void completed(void* closure) { delete static_cast<Receiver*>(closure); }

  natsConnection* connection_ = nullptr;
  jsCtx* js_ = nullptr;
  Mutex mutex_;
  std::vector<natsSubscription*> subscriptions_ GUARDED_BY(mutex_);
  const std::shared_ptr<Calls> calls_ = std::make_shared<Calls>();
};

std::unique_ptr<BusStore> NatsBus::open_store(const std::string& name, kvStore* store) {
  return std::make_unique<NatsStore>(
      name, store, [this](const std::vector<BusRequest>& requests) { return ask(requests); });
}

Status NatsBus::open(const BrokerAddress& address) {
  nats_Open(0);  // locks sleep instead of spinning: many processes share a machine
  natsOptions* options = nullptr;
  natsStatus status = natsOptions_Create(&options);
  if (status == NATS_OK) status = natsOptions_SetURL(options, address.url.c_str());
  if (status == NATS_OK && address.is_tls()) status = natsOptions_SetSecure(options, true);
  if (status == NATS_OK && !address.ca.empty())
    status = natsOptions_LoadCATrustedCertificates(options, address.ca.c_str());
  if (status == NATS_OK && !address.credentials.empty())
    status = natsOptions_SetUserCredentialsFromFiles(options, address.credentials.c_str(), nullptr);
  if (status == NATS_OK) status = natsOptions_SetMaxReconnect(options, -1);
  if (status == NATS_OK) status = natsOptions_SetReconnectWait(options, 250);
  if (status == NATS_OK) status = natsOptions_SetTimeout(options, kWaitMs);
  // Notices a dead connection within some seconds.
  if (status == NATS_OK) status = natsOptions_SetPingInterval(options, 2000);
  if (status == NATS_OK) status = natsOptions_SetMaxPingsOut(options, 2);
  if (status == NATS_OK) status = natsConnection_Connect(&connection_, options);
  const std::string why = status == NATS_OK ? "" : last_error(status);
  natsOptions_Destroy(options);
  if (status != NATS_OK) {
    return error(
        kind_of(status),
        "no NATS server answers at {} ({}). Start one with JetStream (nats-server -js), or let `bowerbird "
        "fleet start` do so",
        without_secret(address.url), why);
  }
  jsOptions js;
  jsOptions_Init(&js);
  js.Wait = kWaitMs;
  status = natsConnection_JetStream(&js_, connection_, &js);
  if (status != NATS_OK) return failed("JetStream", status);
  return {};
}

Result<std::unique_ptr<BusStore>> NatsBus::store(const std::string& name, double ttl_s) {
  kvConfig config;
  kvConfig_Init(&config);
  config.Bucket = name.c_str();
  config.History = 1;
  config.Replicas = static_cast<int>(replicas());
  config.TTL = static_cast<std::int64_t>(ttl_s * static_cast<double>(kSecondNs));
  kvStore* store = nullptr;
  natsStatus status = js_KeyValue(&store, js_, name.c_str());
  if (status != NATS_OK) status = js_CreateKeyValue(&store, js_, &config);
  if (status != NATS_OK) status = js_KeyValue(&store, js_, name.c_str());  // another process was faster
  if (status != NATS_OK) return failed("the store " + name + " (is JetStream on? nats-server -js)", status);
  return open_store(name, store);
}

Result<std::unique_ptr<BusStore>> NatsBus::existing_store(const std::string& name) {
  kvStore* store = nullptr;
  const natsStatus status = js_KeyValue(&store, js_, name.c_str());
  if (status == NATS_NOT_FOUND)
    return error(ErrorKind::kRetry, "there is no fleet with that name on this server");
  if (status != NATS_OK) return failed("the store " + name + " (is JetStream on? nats-server -js)", status);
  return open_store(name, store);
}

Status NatsBus::make_stream(const std::string& name, const std::string& subjects, std::uint64_t most_bytes) {
  return add_stream(name, subjects, js_WorkQueuePolicy, static_cast<std::int64_t>(most_bytes));
}

Status NatsBus::make_log(const std::string& name, const std::string& subject) {
  return add_stream(name, subject, js_LimitsPolicy, -1);
}

// most_bytes: -1: no limit.
Status NatsBus::add_stream(const std::string& name, const std::string& subjects, jsRetentionPolicy retention,
                           std::int64_t most_bytes) {
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  const char* list[] = {subjects.c_str()};
  config.Name = name.c_str();
  config.Subjects = list;
  config.SubjectsLen = 1;
  config.Retention = retention;
  config.Discard = js_DiscardNew;
  config.Replicas = replicas();
  config.MaxBytes = most_bytes;
  jsErrCode code{};
  const natsStatus status = js_AddStream(nullptr, js_, &config, nullptr, &code);
  if (status == NATS_OK || code == JSStreamNameExistErr) return {};
  return failed("the stream " + name, status);
}

// The answer to each request; none if the broker is unreachable or silent for some seconds.
std::vector<std::optional<std::string>> NatsBus::ask(const std::vector<BusRequest>& requests) {
  std::vector<std::optional<std::string>> answers(requests.size());
  natsInbox* inbox = nullptr;
  if (natsInbox_Create(&inbox) != NATS_OK) return answers;
  const std::string to = std::string(inbox) + ".";
  natsInbox_Destroy(inbox);
  natsSubscription* subscription = nullptr;
  if (natsConnection_SubscribeSync(&subscription, connection_, (to + "*").c_str()) != NATS_OK) return answers;
  std::size_t open = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string& data = requests[i].data;
    const natsStatus sent = natsConnection_PublishRequest(connection_, requests[i].subject.c_str(),
                                                          (to + std::to_string(i)).c_str(), data.data(),
                                                          static_cast<int>(data.size()));
    if (sent == NATS_OK) ++open;
  }
  for (; open > 0; --open) {
    natsMsg* message = nullptr;
    const natsStatus status = natsSubscription_NextMsg(&message, subscription, kWaitMs);
    if (status == NATS_NO_RESPONDERS) continue;  // one of the requests was answered
    if (status != NATS_OK) break;
    const std::size_t i = std::strtoull(natsMsg_GetSubject(message) + to.size(), nullptr, 10);
    if (i < answers.size() && !natsMsg_IsNoResponders(message)) {
      answers[i].emplace(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    }
    natsMsg_Destroy(message);
  }
  natsSubscription_Destroy(subscription);
  return answers;
}

std::vector<bool> NatsBus::publish_kept(const std::vector<BusRequest>& requests) {
  std::vector<bool> taken;
  for (const auto& answer : ask(requests)) taken.push_back(is_accepted(answer));
  return taken;
}

std::vector<bool> NatsBus::take_over(const std::string& stream, const std::vector<BusQueue>& queues,
                                     const std::string& to) {
  std::vector<BusRequest> deletions, creations;
  for (const BusQueue& queue : queues) {
    deletions.push_back({fmt::format("$JS.API.CONSUMER.DELETE.{}.{}", stream, queue.name), ""});
    const nlohmann::json request = {{"stream_name", stream},
                                    {"config",
                                     {{"durable_name", queue.name},
                                      {"filter_subject", queue.subject},
                                      {"deliver_subject", to},
                                      {"deliver_policy", "all"},
                                      {"ack_policy", "explicit"},
                                      {"ack_wait", kAckWait},
                                      {"max_ack_pending", -1},  // senders limit themselves
                                      {"replay_policy", "instant"}}}};
    creations.push_back(
        {fmt::format("$JS.API.CONSUMER.DURABLE.CREATE.{}.{}", stream, queue.name), request.dump()});
  }
  // Messages that an old queue delivered and nobody acknowledged would not be redelivered for a long time.
  const auto deleted = ask(deletions);
  const auto created = ask(creations);
  std::vector<bool> taken;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const auto queue = read_queue(created[i]);
    taken.push_back(is_deleted(deleted[i]) && queue && queue->info && queue->info->to == to);
  }
  return taken;
}

Result<std::vector<std::optional<QueueInfo>>> NatsBus::look_at(const std::string& stream,
                                                               const std::vector<BusQueue>& queues) {
  std::vector<BusRequest> questions;
  for (const BusQueue& queue : queues) {
    questions.push_back({fmt::format("$JS.API.CONSUMER.INFO.{}.{}", stream, queue.name), ""});
  }
  std::vector<std::optional<QueueInfo>> infos;
  for (const auto& answer : ask(questions)) {
    auto queue = read_queue(answer);
    if (!queue) return no_answer("queues");
    infos.push_back(std::move(queue->info));
  }
  return infos;
}

// Three if the brokers are a cluster of at least three.
std::int64_t NatsBus::replicas() const {
  char** servers = nullptr;
  int count = 0;
  if (natsConnection_GetServers(connection_, &servers, &count) != NATS_OK) return 1;
  for (int i = 0; i < count; ++i) std::free(servers[i]);
  std::free(servers);
  return count >= 3 ? 3 : 1;
}

Result<std::optional<LogEnd>> NatsBus::end_of_log(const std::string& name) {
  const auto found = read_log_end(ask({{"$JS.API.STREAM.INFO." + name, ""}}).front());
  if (!found) return no_answer("end of " + name);
  return found->end;
}

// nats-server 2.9 does not check an expected sequence of 0, but an expected 0 of the subject, of which a log
// has one.
AppendResult NatsBus::append(const std::string& name, const std::string& subject, std::string_view data,
                             std::uint64_t last) {
  natsMsg* message = nullptr;
  if (natsMsg_Create(&message, subject.c_str(), nullptr, data.data(), static_cast<int>(data.size())) !=
      NATS_OK)
    return AppendResult::kUnknown;
  natsMsg* reply = nullptr;
  BrokerAnswer answer;
  natsStatus status = natsMsgHeader_Set(
      message, last == 0 ? "Nats-Expected-Last-Subject-Sequence" : "Nats-Expected-Last-Sequence",
      std::to_string(last).c_str());
  if (status == NATS_OK) status = natsMsgHeader_Set(message, "Nats-Expected-Stream", name.c_str());
  if (status == NATS_OK) status = natsConnection_RequestMsg(&reply, connection_, message, kWaitMs);
  if (status == NATS_OK)
    answer.emplace(natsMsg_GetData(reply), static_cast<std::size_t>(natsMsg_GetDataLength(reply)));
  natsMsg_Destroy(message);
  natsMsg_Destroy(reply);
  return read_appended(answer, last);
}

Result<std::vector<LogMessage>> NatsBus::read_log(const std::string& name, std::uint64_t first,
                                                  std::size_t count) {
  std::vector<BusRequest> questions;
  for (std::size_t i = 0; i < count; ++i)
    questions.push_back({"$JS.API.STREAM.MSG.GET." + name, nlohmann::json({{"seq", first + i}}).dump()});
  std::vector<LogMessage> messages;
  for (const auto& answer : ask(questions)) {
    auto read = read_log_message(answer);
    if (!read) return no_answer("messages of " + name);
    if (read->message) messages.push_back(std::move(*read->message));
  }
  return messages;
}

Status NatsBus::publish(const std::string& subject, std::string_view data) {
  const natsStatus status =
      natsConnection_Publish(connection_, subject.c_str(), data.data(), static_cast<int>(data.size()));
  if (status != NATS_OK) return failed("sending to " + subject, status);
  return {};
}

Status NatsBus::subscribe(const std::string& subject, Receive receive) {
  const MutexLock lock(mutex_);
  auto receiver = std::make_unique<Receiver>(Receiver{calls_, std::move(receive)});
  natsSubscription* subscription = nullptr;
  natsStatus status =
      natsConnection_Subscribe(&subscription, connection_, subject.c_str(), &received, receiver.get());
  if (status != NATS_OK) return failed("listening to " + subject, status);
  Receiver* const owned = receiver.release();
  natsSubscription_SetOnCompleteCB(subscription, &completed, owned);
  natsSubscription_SetPendingLimits(subscription, -1, -1);
  subscriptions_.push_back(subscription);
  status = natsConnection_FlushTimeout(connection_, kWaitMs);
  if (status != NATS_OK) return failed("listening to " + subject, status);
  return {};
}

}  // namespace

Result<std::unique_ptr<Bus>> Bus::connect(const std::string& url) {
  auto bus = std::make_unique<NatsBus>();
  BB_TRY(const BrokerAddress address, BrokerAddress::parse(url));
  BB_TRY_VOID(bus->open(address));
  return std::unique_ptr<Bus>(std::move(bus));
}

}  // namespace bowerbird
