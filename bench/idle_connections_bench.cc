// How much memory does an idle connection take, plain, with TLS, and with HTTP/2 in addition? A process of
// its own fetches one page from each of 9,000 hosts (two files each, and 20,000 are a common limit), keeps
// all connections, and compares its resident memory with that before. Server and client are two processes.
// Verified: every page was fetched, and all connections are idle at the end. BENCH_CONNECTIONS sets their
// number.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "fetch/http_fetcher.h"
#include "one_page_server.h"
#include "sys/file_limit.h"
#include "sys/memory.h"

namespace bowerbird {
namespace {

std::uint64_t bench_connections() {
  const char* given = std::getenv("BENCH_CONNECTIONS");
  return given == nullptr ? 9'000 : std::strtoull(given, nullptr, 10);
}

// Fetches a page of each host, and waits until all have ended.
std::uint64_t fetch_all(Fetcher& fetcher, std::uint64_t hosts, bool tls) {
  std::vector<FetchOutcome> done;
  std::uint64_t good = 0;
  const auto take = [&] {
    fetcher.poll(done, 1000);
    for (const FetchOutcome& outcome : done) good += outcome.status == 200 ? 1 : 0;
    done.clear();
  };
  for (std::uint64_t i = 0; i < hosts; ++i) {
    while (fetcher.active() >= 100) take();
    FetchRequest request;
    request.id = i;
    request.url = "http" + std::string(tls ? "s" : "") + "://h" + std::to_string(i) + ".test/";
    request.next_ms = 50'000;
    fetcher.start(std::move(request));
  }
  while (fetcher.active() > 0) take();
  return good;
}

// Bytes per idle connection, in a process that has done nothing else.
double measure(const TestServer& server, bool tls, bool http2) {
  const Pipe pipe;
  const pid_t pid = ::fork();
  if (pid == 0) {
    raise_file_limit();
    FetcherOptions options;
    options.user_agent = "bench";
    options.connect_to = server.address;
    options.certificates = server.authority;
    options.filter = std::move(NetFilter::parse(std::vector<std::string>{"127.0.0.0/8"})).value();
    options.idle_connections = 1 << 20;
    options.idle_bytes = std::uint64_t{1} << 40;
    options.idle_s = 600;
    options.http2 = http2;
    const auto fetcher = std::move(HttpFetcher::make(options)).value();
    const std::uint64_t count = bench_connections();
    CHECK(fetch_all(*fetcher, 100, tls) == 100);
    ::malloc_trim(0);
    const std::uint64_t before = resident_memory();
    CHECK(fetch_all(*fetcher, count, tls) == count);
    ::malloc_trim(0);
    const double bytes = static_cast<double>(resident_memory() - before) / static_cast<double>(count - 100);
    CHECK(fetcher->idle() == count);
    pipe.write(std::to_string(bytes));
    ::_exit(0);
  }
  const std::string told = pipe.read();
  ::waitpid(pid, nullptr, 0);
  return told.empty() ? 0 : std::stod(told);
}

TestServer test_server;

void idle_connection(benchmark::State& state) {
  for (auto _ : state) {
    const double plain = measure(test_server, false, false);
    const double tls = measure(test_server, true, false);
    const double http2 = measure(test_server, true, true);
    if (plain == 0 || tls == 0 || http2 == 0) {
      state.SkipWithError("a page was not fetched, or a connection was not kept");
      return;
    }
    state.counters["plain_bytes"] = plain;
    state.counters["tls_bytes"] = tls;
    state.counters["more_with_tls"] = tls - plain;
    state.counters["more_with_http2"] = http2 - tls;
  }
}
BENCHMARK(idle_connection)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bowerbird

int main(int count, char** arguments) {
  // Before there are threads.
  bowerbird::test_server = bowerbird::start_server(bowerbird::TlsChain::kP256);
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
  bowerbird::stop_server(bowerbird::test_server);
}
