// How much CPU time does a client take per page, our own and libcurl, with HTTP and HTTPS? Kept: ten pages of
// each host on one connection. Closed: every page on a new connection; ours resumes the TLS session from the
// second page on. First: one page from each host, so that nothing can be resumed. Pages have 6,000 bytes; the
// server is another process, with an intermediate certificate and P-256 keys. us_per_page is the CPU time of
// the client's process. Verified: every page is fetched whole, and certificates are checked.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "fetch/curl_fetcher.h"
#include "fetch/http_fetcher.h"
#include "one_page_server.h"
#include "sys/file_limit.h"

namespace bowerbird {
namespace {

enum class Use { kKept, kClosed, kFirst };

TestServer page_server;

double own_cpu_us() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& t) {
    return 1e6 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec);
  };
  return us(usage.ru_utime) + us(usage.ru_stime);
}

std::unique_ptr<Fetcher> make_client(bool ours) {
  FetcherOptions options;
  options.user_agent = "bench";
  options.connect_to = page_server.address;
  options.certificates = page_server.authority;
  options.filter = std::move(NetFilter::parse(std::vector<std::string>{"127.0.0.0/8"})).value();
  options.idle_connections = 5000;
  options.http2 = false;
  if (ours) return std::move(HttpFetcher::make(options)).value();
  return std::move(CurlFetcher::make(options)).value();
}

// Each round fetches one page of every host.
void fetch_rounds(Fetcher& fetcher, int hosts, int rounds, bool tls, bool closed) {
  std::vector<FetchOutcome> done;
  const auto take = [&] {
    fetcher.poll(done, 1000);
    for (const FetchOutcome& outcome : done)
      CHECK(outcome.status == 200 && outcome.body.size() == OnePage::kPageBytes);
    done.clear();
  };
  for (int round = 0; round < rounds; ++round) {
    for (int host = 0; host < hosts; ++host) {
      while (fetcher.active() >= 64) take();
      FetchRequest request;
      request.url = "http" + std::string(tls ? "s" : "") + "://h" + std::to_string(host) + ".test/";
      request.new_connection = closed;
      fetcher.start(std::move(request));
    }
    while (fetcher.active() > 0) take();
  }
}

// In a process of its own, so that nothing is left of other runs.
double us_per_page(bool ours, bool tls, Use use) {
  const Pipe pipe;
  const pid_t pid = ::fork();
  if (pid == 0) {
    raise_file_limit();
    const auto fetcher = make_client(ours);
    const int hosts = use == Use::kFirst ? 2000 : 200;
    const int rounds = use == Use::kFirst ? 1 : 10;
    if (use != Use::kFirst) fetch_rounds(*fetcher, hosts, 1, tls, use == Use::kClosed);
    const double before = own_cpu_us();
    fetch_rounds(*fetcher, hosts, rounds, tls, use == Use::kClosed);
    pipe.write(std::to_string((own_cpu_us() - before) / (hosts * rounds)));
    ::_exit(0);
  }
  const std::string told = pipe.read();
  ::waitpid(pid, nullptr, 0);
  return told.empty() ? 0 : std::stod(told);
}

void client(benchmark::State& state, bool ours, bool tls, Use use) {
  for (auto _ : state) {
    const double us = us_per_page(ours, tls, use);
    if (us == 0) {
      state.SkipWithError("a page was not fetched whole");
      return;
    }
    state.counters["us_per_page"] = us;
  }
}

const auto registered = [] {
  for (const bool tls : {false, true}) {
    for (const auto& [use, name] : {std::pair(Use::kKept, "kept"), std::pair(Use::kClosed, "closed"),
                                    std::pair(Use::kFirst, "first")}) {
      for (const bool ours : {true, false}) {
        const std::string title =
            std::string(tls ? "HTTPS/" : "HTTP/") + name + (ours ? "/our client" : "/libcurl");
        benchmark::RegisterBenchmark(
            title.c_str(), [ours, tls, use = use](benchmark::State& state) { client(state, ours, tls, use); })
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  return 0;
}();

}  // namespace
}  // namespace bowerbird

int main(int count, char** arguments) {
  // Before there are threads.
  bowerbird::page_server = bowerbird::start_server(bowerbird::TlsChain::kP256);
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
  bowerbird::stop_server(bowerbird::page_server);
}
