// How long one response can keep the crawl's thread busy: the largest page, sitemap and robots.txt that it
// accepts, and slow robots.txt rules with many links to ask them about. No step should take 50 ms of CPU
// time. Without a network. Usage: loop_steps_bench [POLICY]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>

#include "crawl/loop/crawler.h"
#include "parse/robots_text.h"

using namespace bowerbird;

namespace {

using Answers = std::map<std::string, std::pair<std::string, std::string>>;  // URL: type and body

class Answering final : public Fetcher {
 public:
  explicit Answering(const Answers& answers) : answers_(answers) {}
  void start(FetchRequest request) override {
    FetchOutcome& outcome = ready_.emplace_back();
    outcome.id = request.id;
    outcome.end = request.resolve_only ? FetchEnd::kResolved : FetchEnd::kAnswered;
    outcome.address = NetAddress::parse("127.0.0.1");
    const auto found = answers_.find(request.url);
    outcome.status = found == answers_.end() ? 404 : 200;
    outcome.head = fmt::format("HTTP/1.1 {} X\r\nContent-Type: {}\r\n\r\n", outcome.status,
                               found == answers_.end() ? "text/html" : found->second.first);
    if (found != answers_.end()) outcome.body = found->second.second;
  }
  void poll(std::vector<FetchOutcome>& done, int) override {
    for (FetchOutcome& outcome : ready_) done.push_back(std::move(outcome));
    ready_.clear();
  }
  std::size_t active() const override { return ready_.size(); }
  void cancel(std::uint64_t) override {}
  void cancel_all() override { ready_.clear(); }
  void wake() override {}
  std::string request_text(const FetchRequest&) const override { return "GET / HTTP/1.1\r\n\r\n"; }

 private:
  const Answers& answers_;
  std::vector<FetchOutcome> ready_;
};

std::string links(int count, const std::function<std::string(int)>& url) {
  std::string html;
  for (int i = 0; i < count; ++i) html += "<a href=" + url(i) + ">";
  return html;
}

std::string slow_rules() {
  std::string rules = "user-agent: *\n";
  for (unsigned number = 0; rules.size() < kRobotsLimit - 100; ++number) {
    rules += "disallow: ";
    for (unsigned bit = 0; bit < 14; ++bit) rules += (number >> bit & 1) != 0 ? "*aa" : "*a";
    rules += "*b\n";
  }
  return rules;
}

std::string many_rules() {
  std::string rules = "user-agent: *\n";
  for (unsigned number = 0; rules.size() < kRobotsLimit - 100; ++number)
    rules += fmt::format("disallow: /{}\n", number);
  return rules;
}

std::string sitemap() {
  std::string map = "<urlset>";
  for (int i = 0; i < 50'000; ++i) map += fmt::format("<url><loc>http://h.example/{}</loc></url>", i);
  return map;
}

void run(const char* what, const std::string& policy, const Answers& answers, std::uint64_t pages) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "loop_steps_bench";
  std::filesystem::remove_all(folder);
  CrawlOptions options;
  options.out = folder.string();
  options.start.seeds = {"http://h.example/"};
  options.identity.contact = "bench@bowerbird.example";
  options.order.policy = policy;
  options.scope.mode = ScopeMode::kAny;
  options.network.allow_net = {"127.0.0.0/8"};
  options.politeness.delay = Seconds(0);
  options.storage.durable = false;
  options.selection.traps = false;
  options.budget.pages = pages;
  auto crawler = Crawler::open(options, std::make_unique<Answering>(answers));
  if (!crawler.ok() || !(*crawler)->run().ok()) {
    fmt::print(stderr, "{}: the crawl failed\n", what);
    std::exit(1);
  }
  const CrawlStatus status = (*crawler)->status();
  const auto ms = [](std::uint64_t us) { return static_cast<double>(us) / 1000; };
  fmt::print("{:<44} {:>8.1f} ms  refresh {:>8.1f} ms  {} URLs known, {} done\n", what,
             ms(status.counts.longest.step_us), ms(status.counts.longest.refresh_us), status.known,
             status.counts.completed);
  crawler->reset();
  std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string policy = argc > 1 ? argv[1] : "lipr";
  const std::string html = "text/html";
  const auto same_host = [](int i) { return fmt::format("/page/{}/index.html", i); };
  const auto own_host = [](int i) { return fmt::format("http://host{}.example/", i); };
  const auto forbidden = [](int i) { return fmt::format("/b{}{}", std::string(60, 'a'), i); };
  run("100,000 links of one host", policy, {{"http://h.example/", {html, links(100'000, same_host)}}}, 1);
  run("100,000 links of as many hosts", policy, {{"http://h.example/", {html, links(100'000, own_host)}}}, 1);
  run("a sitemap of 50,000 URLs", policy,
      {{"http://h.example/robots.txt", {"text/plain", "sitemap: http://h.example/map.xml\n"}},
       {"http://h.example/", {html, "hello"}},
       {"http://h.example/map.xml", {"text/xml", sitemap()}}},
      2);
  run("500 KB of rules", policy,
      {{"http://h.example/robots.txt", {"text/plain", many_rules()}}, {"http://h.example/", {html, "hello"}}},
      0);
  run("500 KB of slow rules and 80,000 links", policy,
      {{"http://h.example/robots.txt", {"text/plain", slow_rules()}},
       {"http://h.example/", {html, links(80'000, forbidden)}}},
      0);
}
