// How many pages per second does one thread of the test Web serve, over persistent HTTP/1.1 connections on
// loopback? The client is in the same process, on the other core: 32 connections with one request in flight
// each. Every response is checked for its status, its length and the number of its links, every 64th for the
// links themselves. pages_per_cpu_s is the rate per CPU second of the server's thread, which does not depend
// on other load. BENCH_PAGES sets the size of the web (default a billion).
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "base/rng.h"
#include "graph/synthetic.h"
#include "web/http/http1.h"
#include "web/site/site_service.h"

namespace bowerbird {
namespace {

constexpr int kConnections = 32;

std::uint64_t bench_pages() {
  const char* pages = std::getenv("BENCH_PAGES");
  return pages == nullptr ? 1'000'000'000 : std::strtoull(pages, nullptr, 10);
}

double cpu_seconds(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// CPU time of all threads but this one.
double server_cpu_seconds() {
  return cpu_seconds(RUSAGE_SELF) - cpu_seconds(RUSAGE_THREAD);
}

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++n;
  return n;
}

class Client {
 public:
  Client(const Web& web, const Site& site, std::uint16_t port)
      : web_(web), site_(site), fd_(connect_to(port)) {}
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void ask(PageId page) {
    page_ = page;
    site_.addresses().url_of(page, url_);
    request_.assign("GET ").append(url_.target()).append(" HTTP/1.1\r\nHost: ").append(url_.authority());
    request_ += "\r\nUser-Agent: bench\r\n\r\n";
    CHECK(::send(fd_, request_.data(), request_.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(request_.size()));
  }

  // Bytes of the body.
  std::size_t receive(bool thorough) {
    std::size_t have = 0, head = 0, length = 0;
    while (head == 0 || have < head + length) {
      if (buffer_.size() < have + 65536) buffer_.resize(have + 65536);
      const auto n = ::recv(fd_, buffer_.data() + have, buffer_.size() - have, 0);
      CHECK(n > 0);
      have += static_cast<std::size_t>(n);
      if (head == 0) {
        const std::string_view got(buffer_.data(), have);
        const std::size_t end = got.find("\r\n\r\n");
        if (end == got.npos) continue;
        head = end + 4;
        CHECK(got.starts_with("HTTP/1.1 200 "));
        const std::size_t field = got.find("content-length: ");
        CHECK(field < head);
        length = std::strtoul(got.data() + field + 16, nullptr, 10);
      }
    }
    CHECK(have == head + length);
    check(std::string_view(buffer_.data() + head, length), thorough);
    return length;
  }

 private:
  static int connect_to(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    return fd;
  }

  void check(std::string_view body, bool thorough) {
    CHECK(body.ends_with("</html>\n"));
    if (!thorough) return;
    const auto links = web_.graph->out(page_, links_);
    CHECK(count(body, "<a href=") == links.size());
    site_.addresses().url_of(page_, url_);
    for (const PageId link : links) {
      site_.addresses().url_of(link, target_);
      const std::size_t at = body.find("href=\"");
      body.remove_prefix(at + 6);
      const std::string_view href = body.substr(0, body.find('"'));
      // In the order of the graph, as a path if the host is the same.
      CHECK(href ==
            (url_.authority() == target_.authority() ? target_.target() : std::string_view(target_.text)));
    }
  }

  const Web& web_;
  const Site& site_;
  int fd_;
  PageId page_ = 0;
  PageUrl url_;
  PageUrl target_;
  LinkBuffer links_;
  std::string request_;
  std::string buffer_;
};

void serve(benchmark::State& state, const Web& web, bool log) {
  const auto site = std::move(Site::make(web, {})).value();
  std::size_t logged = 0;
  AccessSink sink([&](std::string_view lines) { logged += lines.size(); });
  ServerOptions options;
  options.port = 0;
  options.log = log ? &sink : nullptr;
  const auto server = std::move(serve_site(*site, options)).value();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < kConnections; ++i)
    clients.push_back(std::make_unique<Client>(web, *site, server->port()));
  std::uint64_t pages = 0, bytes = 0;
  const double before = server_cpu_seconds();
  for (auto _ : state) {
    for (const auto& client : clients) {
      client->ask(static_cast<PageId>(to_below(draw(1, pages), web.graph->pages())));
      ++pages;
    }
    for (std::size_t i = 0; i < clients.size(); ++i)
      bytes += clients[i]->receive((pages / kConnections + i) % 64 == 0);
  }
  const double cpu = server_cpu_seconds() - before;
  state.SetItemsProcessed(static_cast<std::int64_t>(pages));
  state.counters["pages_per_cpu_s"] = static_cast<double>(pages) / cpu;
  state.counters["bytes_per_page"] = static_cast<double>(bytes) / static_cast<double>(pages);
}

void BM_SyntheticWeb(benchmark::State& state) {
  SyntheticOptions options;
  options.pages = bench_pages();
  const Web web = make_synthetic(options);
  serve(state, web, state.range(0) != 0);
}

// The same graph without names.
void BM_NumberedWeb(benchmark::State& state) {
  SyntheticOptions options;
  options.pages = bench_pages();
  Web web = make_synthetic(options);
  web.names = nullptr;
  serve(state, web, state.range(0) != 0);
}

BENCHMARK(BM_NumberedWeb)->ArgName("log")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_SyntheticWeb)->ArgName("log")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMicrosecond);

// The cost of a page without a network.
void BM_Answer(benchmark::State& state) {
  SyntheticOptions options;
  options.pages = bench_pages();
  const Web web = make_synthetic(options);
  const auto site = std::move(Site::make(web, {})).value();
  SiteMemory memory;
  SiteScratch scratch;
  SiteAnswer answer;
  PageUrl url;
  std::uint64_t i = 0;
  for (auto _ : state) {
    site->addresses().url_of(static_cast<PageId>(to_below(draw(1, ++i), web.graph->pages())), url);
    SiteRequest request;
    request.authority = url.authority();
    request.target = url.target();
    site->answer(request, {}, memory, scratch, answer);
    CHECK(answer.status == 200);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(i));
}
BENCHMARK(BM_Answer)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bowerbird

BENCHMARK_MAIN();
