// Fetches through a proxy: libcurl's multi interface on an epoll loop, thousands of transfers on one thread.
//
// HTTP/1.1 and HTTP/2, verified TLS, keep-alive. Our own resolver looks names up and passes the addresses
// to libcurl, which sends no queries. The address filter is applied when a socket is opened, so
// redirects, DNS answers and literal addresses cannot bypass it. Bodies are not decoded: the archive
// keeps their coding. Easy handles are reused, so a transfer costs a few options and one buffer. Threads:
// one.
#pragma once

#include <curl/curl.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "fetch/body_room.h"
#include "fetch/curl_sockets.h"
#include "fetch/fetcher.h"
#include "fetch/fetcher_options.h"
#include "fetch/request_text.h"
#include "fetch/resolver.h"
#include "sys/event_loop.h"
#include "url/url.h"

namespace bowerbird {

class CurlFetcher final : public Fetcher {
 public:
  static Result<std::unique_ptr<CurlFetcher>> make(FetcherOptions options);
  ~CurlFetcher() override;
  CurlFetcher(const CurlFetcher&) = delete;
  CurlFetcher& operator=(const CurlFetcher&) = delete;

  void start(FetchRequest request) override;
  void poll(std::vector<FetchOutcome>& done, int wait_ms) override;
  std::size_t active() const override { return active_; }
  void cancel(std::uint64_t id) override;
  void cancel_all() override;
  void limit_bodies(std::uint64_t bytes, bool one_more) override { room_.limit(bytes, one_more); }
  std::uint64_t body_bytes() const override { return room_.used(); }
  void wake() override { loop_->wake(); }
  std::string request_text(const FetchRequest& request) const override { return text_.of(request); }

 private:
  // The destination of every connection, whatever the URL.
  struct Detour {
    NetAddress address;
    std::uint16_t port = 0;
    void apply(curl_sockaddr& to) const;
  };
  class Transfer;
  class Shard;
  static constexpr std::size_t kShards = 16;

  explicit CurlFetcher(FetcherOptions options);
  Status open();
  void begin(std::unique_ptr<Transfer> transfer);
  void look_up(std::unique_ptr<Transfer> transfer);
  void resolved(std::unique_ptr<Transfer> transfer, const Resolution& resolution);
  Shard& shard_of(const Url& url) const;
  void finish_done();
  void finish_done(CURLM* multi);
  void finish(std::unique_ptr<Transfer> transfer, FetchEnd end, std::string trouble);
  std::unique_ptr<Transfer> new_transfer(Shard& shard);

  FetcherOptions options_;
  RequestText text_;
  std::unique_ptr<EventLoop> loop_;
  std::unique_ptr<CurlSockets> sockets_;
  std::unique_ptr<Resolver> resolver_;
  std::array<std::unique_ptr<Shard>, kShards> shards_;
  curl_slist* connect_to_ = nullptr;
  std::optional<Detour> detour_;
  BodyRoom<Transfer> room_;
  Url url_;  // scratch
  std::unordered_map<Transfer*, std::unique_ptr<Transfer>> running_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Transfer>> resolving_;  // by request
  std::vector<FetchOutcome> done_;
  std::size_t active_ = 0;
};

}  // namespace bowerbird
