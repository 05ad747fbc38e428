#include "fetch/resolver.h"

#include <ares.h>
#include <netdb.h>
#include <sys/epoll.h>

#include <algorithm>
#include <limits>

namespace bowerbird {

namespace {

constexpr std::int64_t kSecond = 1'000'000;

Status start_ares() {
  static const int code = ares_library_init(ARES_LIB_INIT_ALL);
  if (code != ARES_SUCCESS) return error("cannot start the resolver: {}", ares_strerror(code));
  return {};
}

}  // namespace

struct Resolver::Query {
  Resolver& resolver;
  std::string name;
};

// c-ares on the event loop: a handler for each of its sockets, and one for its timeouts.
class Resolver::Channel final : public EventLoop::Handler {
 public:
  explicit Channel(Resolver& resolver) : resolver_(resolver) {}
  ~Channel() override {
    if (channel_ != nullptr) ares_destroy(channel_);
    resolver_.loop_.clear_timer(*this);
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  Status open(const ResolverOptions& options) {
    BB_TRY_VOID(start_ares());
    ares_options set{};
    int mask = ARES_OPT_SOCK_STATE_CB | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS;
    set.sock_state_cb = [](void* self, ares_socket_t fd, int readable, int writable) {
      static_cast<Channel*>(self)->watch(fd, readable != 0, writable != 0);
    };
    set.sock_state_cb_data = this;
    set.timeout = static_cast<int>(options.timeout_s * 1000);
    set.tries = options.tries;
    std::string lookups = options.hosts_file ? "fb" : "b";
    set.lookups = lookups.data();
    int code = ares_init_options(&channel_, &set, mask);
    if (code != ARES_SUCCESS) return error("cannot start the resolver: {}", ares_strerror(code));
    if (!options.servers.empty()) {
      code = ares_set_servers_ports_csv(channel_, options.servers.c_str());
      if (code != ARES_SUCCESS) {
        return error("name servers '{}': {}; write them as 192.0.2.1 or 192.0.2.1:53, separated by commas",
                     options.servers, ares_strerror(code));
      }
    }
    return {};
  }

  void ask(const std::string& name) {
    ares_addrinfo_hints hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = ARES_AI_ADDRCONFIG;
    ares_getaddrinfo(channel_, name.c_str(), nullptr, &hints, on_answer, new Query{resolver_, name});
    arm();
  }

  void on_ready(std::uint32_t) override {}
  void on_timer() override {
    ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    arm();
  }

 private:
  class Socket final : public EventLoop::Handler {
   public:
    Socket(Channel& channel, ares_socket_t fd) : channel_(channel), fd_(fd) {}
    void on_ready(std::uint32_t events) override {
      const bool in = (events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0;
      const bool out = (events & (EPOLLOUT | EPOLLERR)) != 0;
      Channel& channel = channel_;  // the call may retire `this`
      ares_process_fd(channel.channel_, in ? fd_ : ARES_SOCKET_BAD, out ? fd_ : ARES_SOCKET_BAD);
      channel.arm();
    }

   private:
    Channel& channel_;
    ares_socket_t fd_;
  };

  void watch(ares_socket_t fd, bool readable, bool writable) {
    const std::uint32_t events =
        (readable ? std::uint32_t{EPOLLIN} : 0u) | (writable ? std::uint32_t{EPOLLOUT} : 0u);
    const auto found = sockets_.find(fd);
    if (events == 0) {
      if (found == sockets_.end()) return;
      resolver_.loop_.forget(fd);
      resolver_.loop_.retire(std::move(found->second));
      sockets_.erase(found);
    } else if (found != sockets_.end()) {
      resolver_.loop_.change(fd, events, *found->second);
    } else {
      auto socket = std::make_unique<Socket>(*this, fd);
      // If it cannot be watched, the query times out.
      if (resolver_.loop_.watch(fd, events, *socket).ok()) sockets_.emplace(fd, std::move(socket));
    }
  }

  void arm() {
    timeval space{};
    const timeval* const left = ares_timeout(channel_, nullptr, &space);
    if (left == nullptr) {
      resolver_.loop_.clear_timer(*this);
    } else {
      resolver_.loop_.set_timer(*this,
                                MonotonicClock().now_us() + left->tv_sec * kSecond + left->tv_usec + 1000);
    }
  }

  static void on_answer(void* argument, int code, int, ares_addrinfo* info) {
    const std::unique_ptr<Query> query(static_cast<Query*>(argument));
    const std::unique_ptr<ares_addrinfo, void (*)(ares_addrinfo*)> owner(info, ares_freeaddrinfo);
    Resolver& resolver = query->resolver;
    const ResolverOptions& options = resolver.options_;
    Resolution resolution;
    std::int64_t ttl = options.failed_ttl_s;
    if (code == ARES_SUCCESS && info != nullptr) {
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (const ares_addrinfo_node* node = info->nodes; node != nullptr; node = node->ai_next) {
        if (const auto address = NetAddress::of(node->ai_addr)) {
          if (std::find(resolution.addresses.begin(), resolution.addresses.end(), *address) ==
              resolution.addresses.end()) {
            resolution.addresses.push_back(*address);
          }
          least = std::min<std::int64_t>(least, node->ai_ttl);
        }
      }
      ttl = std::clamp(least, options.least_ttl_s, options.most_ttl_s);
    }
    if (!resolution.addresses.empty()) {
      resolution.status = ResolveStatus::kFound;
    } else if (code == ARES_ENOTFOUND || code == ARES_ENODATA || code == ARES_EBADNAME ||
               code == ARES_SUCCESS) {
      resolution.status = ResolveStatus::kNoSuchName;
      ttl = options.no_name_ttl_s;
    }
    resolution.until_us = resolver.clock_.now_us() + ttl * kSecond;
    resolver.finish(query->name, resolution);
  }

  Resolver& resolver_;
  ares_channel channel_ = nullptr;
  std::unordered_map<ares_socket_t, std::unique_ptr<EventLoop::Handler>> sockets_;
};

Result<std::unique_ptr<Resolver>> Resolver::make(EventLoop& loop, const ResolverOptions& options,
                                                 const Clock* clock) {
  std::unique_ptr<Resolver> resolver(new Resolver(loop, options, clock));
  BB_TRY_VOID(resolver->channel_->open(options));
  return resolver;
}

Resolver::Resolver(EventLoop& loop, const ResolverOptions& options, const Clock* clock)
    : loop_(loop),
      options_(options),
      clock_(clock == nullptr ? machine_ : *clock),
      channel_(std::make_unique<Channel>(*this)) {}

Resolver::~Resolver() {
  channel_.reset();
}

void Resolver::resolve(const std::string& name, Answer answer) {
  if (const auto address = NetAddress::parse(name)) {
    answer({ResolveStatus::kFound, {*address}, std::numeric_limits<std::int64_t>::max()});
    return;
  }
  if (const auto found = cache_.find(name); found != cache_.end()) {
    if (found->second.until_us > clock_.now_us()) {
      const Resolution known = found->second;  // the callee may change the cache
      answer(known);
      return;
    }
    cache_.erase(found);
  }
  auto& waiting = open_[name];
  waiting.push_back(std::move(answer));
  if (waiting.size() > 1) return;
  ++queries_;
  channel_->ask(name);
}

void Resolver::finish(const std::string& name, const Resolution& resolution) {
  const auto open = open_.find(name);
  if (open == open_.end()) return;
  const std::vector<Answer> answers = std::move(open->second);
  open_.erase(open);
  if (cache_.size() >= options_.cache_entries) make_room();
  cache_[name] = resolution;
  for (const Answer& answer : answers) answer(resolution);
}

// Removes the half of the entries that expires first. Called once per that many new names.
void Resolver::make_room() {
  std::vector<std::int64_t> ends;
  for (const auto& [name, resolution] : cache_) ends.push_back(resolution.until_us);
  const auto middle = ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2);
  std::nth_element(ends.begin(), middle, ends.end());
  std::erase_if(cache_, [limit = *middle](const auto& entry) { return entry.second.until_us <= limit; });
}

}  // namespace bowerbird
