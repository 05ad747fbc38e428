#include "fleet/bus.h"

#include <fmt/format.h>
#include <nats/nats.h>
#include <openssl/evp.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>

namespace bowerbird {

using nlohmann::literals::operator""_json_pointer;

namespace {

constexpr std::int64_t kWaitMs = 2000;
constexpr std::int64_t kSecondNs = 1'000'000'000;
// A message that its receiver has neither refused nor taken for so long is delivered again.
constexpr std::int64_t kAckWait = 60 * kSecondNs;

std::string last_error(natsStatus status) {
  natsStatus unused = NATS_OK;
  const char* const text = nats_GetLastError(&unused);
  if (text != nullptr && *text != 0) return text;
  return natsStatus_GetText(status);
}

Error failed(std::string_view what, natsStatus status) {
  return error("the fleet's engine: {}: {}", what, last_error(status));
}

// No object where there is none, or none to read.
nlohmann::json read_answer(const std::optional<std::string>& answer) {
  return nlohmann::json::parse(answer.value_or(""), nullptr, false);
}

std::string from_base64(const std::string& text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size() / 4 * 4));
  if (size < 0) return {};
  bytes.resize(static_cast<std::size_t>(size));
  for (std::size_t i = text.size(); i > 0 && text[i - 1] == '=' && !bytes.empty(); --i) bytes.pop_back();
  return bytes;
}

// Where a queue leads, as the engine describes it.
std::string deliver_subject(const nlohmann::json& info) {
  return info.value("/config/deliver_subject"_json_pointer, std::string());
}

class NatsStore final : public BusStore {
 public:
  using Ask = std::function<std::vector<std::optional<std::string>>(const std::vector<BusLetter>&)>;
  NatsStore(std::string name, kvStore* store, Ask ask)
      : name_(std::move(name)), store_(store), ask_(std::move(ask)) {}
  ~NatsStore() override { kvStore_Destroy(store_); }

  Result<std::optional<BusEntry>> get(const std::string& key) override {
    kvEntry* entry = nullptr;
    const natsStatus status = kvStore_Get(&entry, store_, key.c_str());
    if (status == NATS_NOT_FOUND) return std::optional<BusEntry>();
    if (status != NATS_OK) return failed("reading " + key, status);
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
  // In two rounds: which keys there are, and then all of them at once.
  Result<std::map<std::string, BusEntry>> all() override {
    const std::string prefix = "$KV." + name_ + ".";
    const auto info =
        read_answer(ask_({{"$JS.API.STREAM.INFO.KV_" + name_, R"({"subjects_filter":">"})"}}).front());
    if (!info.is_object() || info.contains("error"))
      return error("the fleet's engine does not say what it knows");
    std::vector<std::string> keys;
    std::vector<BusLetter> questions;
    const auto subjects = info.value("/state/subjects"_json_pointer, nlohmann::json::object());
    for (const auto& [subject, count] : subjects.items()) {
      if (!subject.starts_with(prefix)) continue;
      keys.push_back(subject.substr(prefix.size()));
      questions.push_back(
          {"$JS.API.STREAM.MSG.GET.KV_" + name_, nlohmann::json({{"last_by_subj", subject}}).dump()});
    }
    std::map<std::string, BusEntry> entries;
    const auto answers = ask_(questions);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto answer = read_answer(answers[i]);
      if (!answer.is_object()) return error("the fleet's engine does not say what it knows");
      if (answer.contains("error")) {
        if (answer["error"].value("code", 0) == 404) continue;  // it has just vanished
        return error("the fleet's engine does not say what it knows");
      }
      const auto& message = answer.at("message");
      if (from_base64(message.value("hdrs", "")).find("KV-Operation") != std::string::npos)
        continue;  // removed
      entries[keys[i]] = {from_base64(message.value("data", "")), message.value("seq", std::uint64_t{0})};
    }
    return entries;
  }

 private:
  static Result<std::optional<std::uint64_t>> changed(const std::string& what, natsStatus status,
                                                      std::uint64_t revision) {
    if (status == NATS_OK) return std::optional(revision);
    const std::string text = last_error(status);
    if (status == NATS_ERR || text.find("wrong last sequence") != text.npos) {
      return std::optional<std::uint64_t>();
    }
    return failed(what, status);
  }

  std::string name_;
  kvStore* store_;
  Ask ask_;
};

}  // namespace

class Bus::Impl {
 public:
  ~Impl() {
    stop_listening();
    jsCtx_Destroy(js_);
    if (connection_ != nullptr) {
      natsConnection_Close(connection_);
      natsConnection_Destroy(connection_);
    }
  }

  std::vector<std::optional<std::string>> ask(const std::vector<BusLetter>& letters);
  std::unique_ptr<BusStore> open_store(const std::string& name, kvStore* store);

  void stop_listening() {
    const std::lock_guard lock(mutex_);
    for (natsSubscription* const one : subscriptions_) natsSubscription_Destroy(one);
    subscriptions_.clear();
    const std::lock_guard quiet(calls_->mutex);  // a callback may still be running
    calls_->closed = true;
  }

  // Outlives the bus as long as a thread of the client may still call.
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
  std::mutex mutex_;
  std::vector<natsSubscription*> subscriptions_;
  std::shared_ptr<Calls> calls_ = std::make_shared<Calls>();
};

std::unique_ptr<BusStore> Bus::Impl::open_store(const std::string& name, kvStore* store) {
  return std::make_unique<NatsStore>(name, store,
                                     [this](const std::vector<BusLetter>& letters) { return ask(letters); });
}

Bus::Bus(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Bus::~Bus() = default;

Result<std::unique_ptr<Bus>> Bus::connect(const std::string& url) {
  nats_Open(0);  // its locks are to sleep, not to spin: many processes share a machine
  auto impl = std::make_unique<Impl>();
  natsOptions* options = nullptr;
  natsStatus status = natsOptions_Create(&options);
  if (status == NATS_OK) status = natsOptions_SetURL(options, url.c_str());
  if (status == NATS_OK) status = natsOptions_SetMaxReconnect(options, -1);
  if (status == NATS_OK) status = natsOptions_SetReconnectWait(options, 250);
  if (status == NATS_OK) status = natsOptions_SetTimeout(options, kWaitMs);
  // A peer that is gone without a word is noticed in some seconds.
  if (status == NATS_OK) status = natsOptions_SetPingInterval(options, 2000);
  if (status == NATS_OK) status = natsOptions_SetMaxPingsOut(options, 2);
  if (status == NATS_OK) status = natsConnection_Connect(&impl->connection_, options);
  const std::string why = status == NATS_OK ? "" : last_error(status);
  natsOptions_Destroy(options);
  if (status != NATS_OK) {
    return error(
        "no NATS server answers at {} ({}). Start one with JetStream (nats-server -js), or let `bowerbird "
        "fleet start` do so",
        url, why);
  }
  jsOptions js;
  jsOptions_Init(&js);
  js.Wait = kWaitMs;
  status = natsConnection_JetStream(&impl->js_, impl->connection_, &js);
  if (status != NATS_OK) return failed("JetStream", status);
  return std::unique_ptr<Bus>(new Bus(std::move(impl)));
}

Result<std::unique_ptr<BusStore>> Bus::store(const std::string& name, double ttl_s) {
  kvConfig config;
  kvConfig_Init(&config);
  config.Bucket = name.c_str();
  config.History = 1;
  config.TTL = static_cast<std::int64_t>(ttl_s * static_cast<double>(kSecondNs));
  kvStore* store = nullptr;
  natsStatus status = js_KeyValue(&store, impl_->js_, name.c_str());
  if (status != NATS_OK) status = js_CreateKeyValue(&store, impl_->js_, &config);
  if (status != NATS_OK) status = js_KeyValue(&store, impl_->js_, name.c_str());  // another was quicker
  if (status != NATS_OK) return failed("the store " + name + " (is JetStream on? nats-server -js)", status);
  return impl_->open_store(name, store);
}

Result<std::unique_ptr<BusStore>> Bus::existing_store(const std::string& name) {
  kvStore* store = nullptr;
  const natsStatus status = js_KeyValue(&store, impl_->js_, name.c_str());
  if (status == NATS_NOT_FOUND) return error("there is no fleet of that name on this server yet");
  if (status != NATS_OK) return failed("the store " + name + " (is JetStream on? nats-server -js)", status);
  return impl_->open_store(name, store);
}

Status Bus::make_stream(const std::string& name, const std::string& subjects, std::uint64_t most_bytes) {
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  const char* list[] = {subjects.c_str()};
  config.Name = name.c_str();
  config.Subjects = list;
  config.SubjectsLen = 1;
  config.Retention = js_WorkQueuePolicy;
  config.Discard = js_DiscardNew;
  config.MaxBytes = static_cast<std::int64_t>(most_bytes);
  jsErrCode code{};
  const natsStatus status = js_AddStream(nullptr, impl_->js_, &config, nullptr, &code);
  if (status == NATS_OK || code == JSStreamNameExistErr) return {};
  return failed("the stream " + name, status);
}

// By letter, its answer; none from an engine that is gone or says nothing for some seconds.
std::vector<std::optional<std::string>> Bus::Impl::ask(const std::vector<BusLetter>& letters) {
  std::vector<std::optional<std::string>> answers(letters.size());
  natsInbox* inbox = nullptr;
  if (natsInbox_Create(&inbox) != NATS_OK) return answers;
  const std::string to = std::string(inbox) + ".";
  natsInbox_Destroy(inbox);
  natsSubscription* subscription = nullptr;
  if (natsConnection_SubscribeSync(&subscription, connection_, (to + "*").c_str()) != NATS_OK) return answers;
  std::size_t open = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::string& data = letters[i].data;
    const natsStatus sent = natsConnection_PublishRequest(connection_, letters[i].subject.c_str(),
                                                          (to + std::to_string(i)).c_str(), data.data(),
                                                          static_cast<int>(data.size()));
    if (sent == NATS_OK) ++open;
  }
  for (natsMsg* message = nullptr;
       open > 0 && natsSubscription_NextMsg(&message, subscription, kWaitMs) == NATS_OK; --open) {
    const std::size_t i = std::strtoull(natsMsg_GetSubject(message) + to.size(), nullptr, 10);
    if (i < answers.size() && !natsMsg_IsNoResponders(message)) {
      answers[i].emplace(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    }
    natsMsg_Destroy(message);
  }
  natsSubscription_Destroy(subscription);
  return answers;
}

std::vector<bool> Bus::publish_kept(const std::vector<BusLetter>& letters) {
  std::vector<bool> taken;
  for (const auto& answer : impl_->ask(letters)) {
    taken.push_back(answer && answer->find("\"seq\"") != answer->npos &&
                    answer->find("\"error\"") == answer->npos);
  }
  return taken;
}

std::vector<bool> Bus::take_over(const std::string& stream, const std::vector<BusQueue>& queues,
                                 const std::string& to) {
  std::vector<BusLetter> deletions, creations;
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
                                      {"max_ack_pending", -1},  // senders have their limits
                                      {"replay_policy", "instant"}}}};
    creations.push_back(
        {fmt::format("$JS.API.CONSUMER.DURABLE.CREATE.{}.{}", stream, queue.name), request.dump()});
  }
  // What an old one has delivered and nobody acknowledged would not come again for long.
  const auto deleted = impl_->ask(deletions);
  const auto created = impl_->ask(creations);
  std::vector<bool> taken;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const auto old = read_answer(deleted[i]), now = read_answer(created[i]);
    const bool gone = old.is_object() && (!old.contains("error") || old["error"].value("code", 0) == 404);
    taken.push_back(gone && now.is_object() && deliver_subject(now) == to);
  }
  return taken;
}

Result<std::vector<std::optional<QueueInfo>>> Bus::look_at(const std::string& stream,
                                                           const std::vector<BusQueue>& queues) {
  std::vector<BusLetter> questions;
  for (const BusQueue& queue : queues) {
    questions.push_back({fmt::format("$JS.API.CONSUMER.INFO.{}.{}", stream, queue.name), ""});
  }
  std::vector<std::optional<QueueInfo>> infos;
  for (const auto& answer : impl_->ask(questions)) {
    const auto json = read_answer(answer);
    if (!json.is_object()) return error("the fleet's engine does not say how its queues are");
    if (json.contains("error")) {
      infos.emplace_back();
      continue;
    }
    QueueInfo info;
    info.waiting = json.value("num_pending", std::uint64_t{0});
    info.delivered = json.value("/delivered/consumer_seq"_json_pointer, std::uint64_t{0});
    info.to = deliver_subject(json);
    infos.emplace_back(std::move(info));
  }
  return infos;
}

Status Bus::publish(const std::string& subject, std::string_view data) {
  const natsStatus status =
      natsConnection_Publish(impl_->connection_, subject.c_str(), data.data(), static_cast<int>(data.size()));
  if (status != NATS_OK) return failed("sending to " + subject, status);
  return {};
}

Status Bus::subscribe(const std::string& subject, Receive receive) {
  const std::lock_guard lock(impl_->mutex_);
  auto receiver = std::make_unique<Impl::Receiver>(Impl::Receiver{impl_->calls_, std::move(receive)});
  natsSubscription* subscription = nullptr;
  natsStatus status = natsConnection_Subscribe(&subscription, impl_->connection_, subject.c_str(),
                                               &Impl::received, receiver.get());
  if (status != NATS_OK) return failed("listening to " + subject, status);
  Impl::Receiver* const owned = receiver.release();
  natsSubscription_SetOnCompleteCB(subscription, &Impl::completed, owned);
  natsSubscription_SetPendingLimits(subscription, -1, -1);
  impl_->subscriptions_.push_back(subscription);
  status = natsConnection_FlushTimeout(impl_->connection_, kWaitMs);
  if (status != NATS_OK) return failed("listening to " + subject, status);
  return {};
}

void Bus::stop_listening() {
  impl_->stop_listening();
}

Status Bus::forget(const std::string& stream, const std::vector<std::string>& stores) {
  jsErrCode code{};
  js_DeleteStream(impl_->js_, stream.c_str(), nullptr, &code);
  for (const std::string& name : stores) js_DeleteKeyValue(impl_->js_, name.c_str());
  return {};
}

}  // namespace bowerbird
