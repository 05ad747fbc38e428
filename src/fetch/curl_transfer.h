// One transfer of CurlFetcher: an easy handle, what it has received, and when it stops receiving.
// Ownership: what is passed to the constructor outlives it. Threads: the fetcher's.
#pragma once

#include <curl/curl.h>

#include <string>

#include "fetch/curl_fetcher.h"
#include "url/url.h"

namespace bowerbird {

class CurlFetcher::Transfer {
 public:
  Transfer(const FetcherOptions& options, curl_slist* connect_to, const std::optional<Detour>& detour,
           CurlSockets& sockets, BodyRoom<Transfer>& room);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void prepare(FetchRequest request);
  // Whether its connection is kept for another transfer.
  void keep_connection(bool keep) { curl_easy_setopt(handle_, CURLOPT_FORBID_REUSE, keep ? 0L : 1L); }
  // Passes the addresses of the host of `url` to libcurl ("a,b", or empty for none), and removes those
  // that this transfer set before: libcurl scans all of them after every page.
  void tell_addresses(const std::string& list);
  // Continues after waiting for room.
  void resume() { curl_easy_pause(handle_, CURLPAUSE_CONT); }
  // Completes the outcome when libcurl is done.
  void gather(CURLcode code);

  CURL* handle() const { return handle_; }

  FetchRequest request;
  FetchOutcome outcome;
  Url url;
  Shard* shard = nullptr;  // never changes

 private:
  enum class Stop : std::uint8_t { kNo, kHeadTooLarge, kBodyTooLarge, kUnwanted };

  void set_constant_options();
  void set_certificates();
  void set_fields();
  std::size_t take_head(std::string_view line);
  bool begin_body();
  std::size_t take_body(std::string_view bytes);
  FetchEnd end_of(CURLcode code) const;

  static std::size_t on_head(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self);
  static curl_socket_t on_open_socket(void* self, curlsocktype, curl_sockaddr* address);

  const FetcherOptions& options_;
  const std::optional<Detour>& detour_;
  CurlSockets& sockets_;
  BodyRoom<Transfer>& room_;
  CURL* handle_;
  curl_slist* common_fields_ = nullptr;
  curl_slist* fields_ = nullptr;
  curl_slist* addresses_ = nullptr;
  std::string addresses_for_;  // "host:port" of addresses_
  char errors_[CURL_ERROR_SIZE] = {};
  std::uint64_t head_bytes_ = 0;
  std::uint64_t max_body_ = 0;
  std::uint64_t skipped_ = 0;
  Stop stop_ = Stop::kNo;
  bool refused_ = false;
  bool head_ended_ = false;  // of the final response
  bool in_body_ = false;
};

}  // namespace bowerbird
