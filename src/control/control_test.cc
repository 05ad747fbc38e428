// Access rules; the API compared with its description; metrics and addresses.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "control/access.h"
#include "control/curves.h"
#include "control/forward_backend.h"
#include "control/host_settings.h"
#include "control/listen.h"
#include "control/metrics.h"
#include "control/routes.h"
#include "control/status_json.h"
#include "dash/assets.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

AccessRules rules() {
  return {"secret-token-secret",
          "read-token-read-token",
          true,
          {"127.0.0.1:8700", "localhost:8700", "crawl.example"}};
}

int refused(const AccessRules& access, AccessNeed need, std::vector<HttpField> fields,
            std::string_view host = "127.0.0.1:8700", bool local = false) {
  HttpRequest request;
  request.authority = host;
  request.fields = fields;
  request.local = local;
  return check_access(access, request, need).status;
}

TEST(Access, OnlyOurOwnHostNamesAreAccepted) {
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {}), 0);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {}, "LOCALHOST:8700"), 0);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {}, "crawl.example"), 0);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {}, "crawl.example:443"), 0);
  EXPECT_EQ(refused(rules(), AccessNeed::kNothing, {}, "evil.example"), 421);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {}, "127.0.0.1"), 421);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {}, "127.0.0.1:8701"), 421);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {}, ""), 421);
}

TEST(Access, RequestsFromOtherSitesAreRefused) {
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {{"origin", "http://127.0.0.1:8700"}}), 0);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {{"origin", "https://evil.example"}}), 403);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {{"origin", "null"}}), 403);
  EXPECT_EQ(refused(rules(), AccessNeed::kRead, {{"sec-fetch-site", "cross-site"}}), 403);
}

TEST(Access, ChangingAlwaysNeedsTheToken) {
  const auto with = [](std::string_view token) { return std::vector<HttpField>{{"authorization", token}}; };
  EXPECT_EQ(refused(rules(), AccessNeed::kChange, {}), 401);
  EXPECT_EQ(refused(rules(), AccessNeed::kChange, with("Bearer secret-token-secret")), 0);
  EXPECT_EQ(refused(rules(), AccessNeed::kChange, with("bearer secret-token-secret")), 0);
  EXPECT_EQ(refused(rules(), AccessNeed::kChange, with("Bearer secret-token-secreT")), 401);
  EXPECT_EQ(refused(rules(), AccessNeed::kChange, with("Basic secret-token-secret")), 401);
  EXPECT_EQ(refused(rules(), AccessNeed::kChange, with("Bearer read-token-read-token")), 403);
  AccessRules remote = rules();
  remote.open_reading = false;
  EXPECT_EQ(refused(remote, AccessNeed::kRead, {}), 401);
  EXPECT_EQ(refused(remote, AccessNeed::kRead, with("Bearer read-token-read-token")), 0);
  EXPECT_EQ(refused(remote, AccessNeed::kNothing, {}), 0);
  EXPECT_EQ(refused(AccessRules{}, AccessNeed::kChange, {}, "", true), 0);  // over the Unix socket
}

TEST(Access, TokensAreLongRandomAndPrivate) {
  EXPECT_NE(make_token(), make_token());
  EXPECT_GE(make_token().size(), 32u);
  const TemporaryFolder folder;
  const std::string path = folder.write("token", "0123456789abcdef\n");
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  EXPECT_EQ(read_token_file(path).value(), "0123456789abcdef");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  EXPECT_FALSE(read_token_file(path).ok());
  EXPECT_FALSE(read_token_file(folder / "missing").ok());
}

TEST(Listen, AddressesThatOthersReachNeedATokenAndTls) {
  EXPECT_TRUE(check_listen_options({"127.0.0.1:0", {}, {}, {}, {}, {}}).ok());
  EXPECT_TRUE(check_listen_options({"[::1]:8700", {}, {}, {}, {}, {}}).ok());
  EXPECT_TRUE(check_listen_options({"localhost:8700", {}, {}, {}, {}, {}}).ok());
  EXPECT_FALSE(check_listen_options({"0.0.0.0:8700", {}, {}, {}, {}, {}}).ok());
  EXPECT_FALSE(check_listen_options({"0.0.0.0:8700", {}, "token", {}, {}, {}}).ok());
  EXPECT_TRUE(check_listen_options({"192.0.2.1:8700", {}, "token", {}, "cert", "key"}).ok());
  EXPECT_FALSE(check_listen_options({"127.0.0.1:8700", {}, {}, {}, "cert", {}}).ok());
  EXPECT_FALSE(check_listen_options({"", {"name"}, {}, {}, {}, {}}).ok());
  for (const char* const wrong :
       {"127.0.0.1", "example.org:80", "127.0.0.1:99999", ":8700", "[::1", "127.0.0.1:"})
    EXPECT_FALSE(parse_listen(wrong).ok()) << wrong;
}

TEST(Listen, TheFilesAreCheckedBeforeACrawlBegins) {
  const TemporaryFolder folder;
  const std::string token = folder.write("token", "0123456789abcdef\n");
  std::filesystem::permissions(token, std::filesystem::perms(0600));
  EXPECT_TRUE(check_listen({"127.0.0.1:0", {}, token, {}, {}, {}}).ok());
  EXPECT_FALSE(check_listen({"127.0.0.1:0", {}, folder / "missing", {}, {}, {}}).ok());
  EXPECT_FALSE(check_listen({"127.0.0.1:0", {}, token, folder / "missing", {}, {}}).ok());
  EXPECT_FALSE(check_listen({"127.0.0.1:0", {}, token, {}, folder / "missing", folder / "missing"}).ok());
  EXPECT_FALSE(check_listen({"127.0.0.1:0", {}, token, {}, token, token}).ok());  // not a certificate
}

// A scrape of a fleet has the metrics of each process.
TEST(Metrics, OfSeveralProcessesAreLabelledAndMerged) {
  const std::string first =
      "# HELP bowerbird_a_total A.\n# TYPE bowerbird_a_total counter\nbowerbird_a_total 1\n"
      "# HELP bowerbird_b B.\n# TYPE bowerbird_b gauge\nbowerbird_b{part=\"x y\"} 2\n";
  const std::string second =
      "# HELP bowerbird_b B.\n# TYPE bowerbird_b gauge\nbowerbird_b{part=\"z\"} 3\n"
      "# HELP bowerbird_c C.\n# TYPE bowerbird_c gauge\nbowerbird_c 4\n# EOF\n";
  EXPECT_EQ(
      merge_metrics({{"p0", first}, {"p1", second}}, MetricsFormat::kOpenMetrics),
      "# HELP bowerbird_a_total A.\n# TYPE bowerbird_a_total counter\nbowerbird_a_total{process=\"p0\"} 1\n"
      "# HELP bowerbird_b B.\n# TYPE bowerbird_b gauge\nbowerbird_b{process=\"p0\",part=\"x y\"} 2\n"
      "bowerbird_b{process=\"p1\",part=\"z\"} 3\n"
      "# HELP bowerbird_c C.\n# TYPE bowerbird_c gauge\nbowerbird_c{process=\"p1\"} 4\n# EOF\n");
  EXPECT_EQ(merge_metrics({{"", first}}, MetricsFormat::kPrometheus), first);
}

// A browser sends no Host that stands for all addresses.
TEST(Listen, AllAddressesOfAMachineNeedAName) {
  EXPECT_FALSE(check_listen_options({"0.0.0.0:8700", {}, "token", {}, "cert", "key"}).ok());
  EXPECT_FALSE(check_listen_options({"[::]:8700", {}, "token", {}, "cert", "key"}).ok());
  EXPECT_TRUE(check_listen_options({"0.0.0.0:8700", {"crawl.example"}, "token", {}, "cert", "key"}).ok());
  const auto shown = [](const char* text, const std::vector<std::string>& names) {
    return page_host(*parse_listen(text), 8700, names);
  };
  EXPECT_EQ(shown("0.0.0.0:0", {"crawl.example"}), "crawl.example:8700");
  EXPECT_EQ(shown("[::]:0", {"crawl.example:443", "other.example"}), "crawl.example:443");
  EXPECT_EQ(shown("[::]:0", {"[2001:db8::1]"}), "[2001:db8::1]:8700");
  EXPECT_EQ(shown("[::1]:0", {"crawl.example"}), "[::1]:8700");
  EXPECT_EQ(shown("127.0.0.1:0", {}), "127.0.0.1:8700");
}

// The routes are those of the API description.
TEST(Routes, MatchTheDescription) {
  const auto api = nlohmann::json::parse(asset("live/openapi.json"));
  std::set<std::string> described,
      ours = {"/api/v1/openapi.json", "/api/v1/events", "/metrics", "/healthz", "/readyz", "/",
              "/assets/{name}"};
  for (const auto& [path, methods] : api["paths"].items()) described.insert(path);
  for (const ReadRoute& route : read_routes()) {
    const std::string path = "/api/v1/" + std::string(route.what);
    ours.insert(path);
    ASSERT_TRUE(api["paths"].contains(path)) << path;
    std::set<std::string> names, known;
    for (const auto& one : api["paths"][path]["get"].value("parameters", nlohmann::json::array()))
      names.insert(one["name"].get<std::string>());
    for (const RouteParameter& one : route.parameters) known.insert(std::string(one.name));
    EXPECT_EQ(names, known) << path;
  }
  for (const std::string_view name : command_names()) ours.insert("/api/v1/commands/" + std::string(name));
  EXPECT_EQ(described, ours);
}

TEST(Routes, ParametersAndBodiesAreChecked) {
  const auto route = [](std::string_view what) {
    return *std::ranges::find(read_routes(), what, &ReadRoute::what);
  };
  EXPECT_EQ(parse_query("limit=5", route("next")).value().at("limit"), "5");
  EXPECT_EQ(parse_query("url=http%3A%2F%2Fa%2F+b", route("why")).value().at("url"), "http://a/ b");
  for (const char* const wrong : {"limit=0", "limit=201", "limit=x", "limit=1&limit=2", "other=1", "limit="})
    EXPECT_FALSE(parse_query(wrong, route("next")).ok()) << wrong;
  EXPECT_FALSE(parse_query("", route("why")).ok());
  EXPECT_FALSE(parse_query("sort=nonsense", route("hosts")).ok());
  using nlohmann::json;
  EXPECT_TRUE(check_command("pause", json::object()).ok());
  EXPECT_TRUE(check_command("pause", {{"host", "a"}}).ok());
  EXPECT_FALSE(check_command("pause", {{"host", "a"}, {"pattern", "b"}}).ok());
  EXPECT_FALSE(check_command("block", json::object()).ok());
  EXPECT_FALSE(check_command("stop", {{"now", true}}).ok());
  EXPECT_FALSE(check_command("set", {{"option", "delay"}}).ok());
  EXPECT_FALSE(check_command("set", {{"option", "delay"}, {"values", "1s"}}).ok());
  EXPECT_TRUE(check_command("set", {{"option", "delay"}, {"values", {"1s"}}}).ok());
  EXPECT_FALSE(check_command("fetch", {{"url", 1}}).ok());
  EXPECT_FALSE(check_command("fetch", json::array()).ok());
}

TEST(Metrics, CountersBeginWithTheProcessAndTotalsAreGauges) {
  LiveSnapshot snapshot;
  snapshot.base.pages = 100;
  snapshot.status.counts.pages = 130;
  snapshot.response_times.counts[2] = 4;
  const std::string text = metrics_text(snapshot, {}, MetricsFormat::kPrometheus);
  EXPECT_NE(text.find("# TYPE bowerbird_pages_fetched_total counter\nbowerbird_pages_fetched_total 30\n"),
            text.npos);
  EXPECT_NE(text.find("bowerbird_crawl_pages 130\n"), text.npos);
  EXPECT_NE(text.find("bowerbird_response_seconds_bucket{le=\"+Inf\"} 4\n"), text.npos);
  EXPECT_EQ(text.find("# EOF"), text.npos);
  const std::string open = metrics_text(snapshot, {}, MetricsFormat::kOpenMetrics);
  EXPECT_NE(open.find("# TYPE bowerbird_pages_fetched counter\nbowerbird_pages_fetched_total 30\n"),
            open.npos);
  EXPECT_TRUE(open.ends_with("# EOF\n"));
  EXPECT_EQ(metrics_format("application/openmetrics-text;version=1.0.0,text/plain;q=0.5"),
            MetricsFormat::kOpenMetrics);
  EXPECT_EQ(metrics_format("text/plain"), MetricsFormat::kPrometheus);
}

TEST(Status, DescribesWhatTheCrawlIsDoing) {
  LiveSnapshot snapshot;
  snapshot.status.stall = "all hosts wait";
  snapshot.status.budgets.pages = 100;
  snapshot.status.counts.pages = 25;
  snapshot.status.rates.pages = 500;
  snapshot.status.rates.steady_pages = 5;
  auto json = status_object(snapshot);
  EXPECT_EQ(json["phase"], "running");
  EXPECT_EQ(json["stall"], "all hosts wait");
  EXPECT_EQ(json["budgets"][0]["share"], 0.25);
  EXPECT_EQ(json["budgets"][0]["seconds_left"], 15.0);
  snapshot.pauses.push_back({});
  json = status_object(snapshot);
  EXPECT_EQ(json["phase"], "paused");
  EXPECT_EQ(json["pauses"][0]["what"], "everything");
  snapshot.is_live = false;
  EXPECT_EQ(status_object(snapshot)["phase"], "finished");
}

TEST(HostSettings, TablesOfTheHostReplaceOptions) {
  CrawlOptions options;
  SiteSettings of_host, of_urls, other;
  of_host.hosts = {"a.example"};
  of_host.delay = Seconds(7);
  of_host.auth = "user:hidden";
  of_urls.urls = {"/news/"};
  of_urls.depth = 2;
  other.hosts = {"b.example"};
  other.delay = Seconds(9);
  options.sites = {of_host, of_urls, other};
  const auto sites = SiteRules::make(options.sites);
  ASSERT_TRUE(sites.ok());
  const auto list = host_settings(options, &*sites, "a.example",
                                  [](const std::string& name) { return name == "max-delay"; });
  const auto from = [&](std::string_view option) {
    std::string all;
    for (const auto& row : list) {
      if (row["option"] == option)
        all += row["from"].get<std::string>() + "=" + row["value"].get<std::string>() + ";";
    }
    return all;
  };
  EXPECT_EQ(from("delay"), "[[site]] a.example=7s;");
  EXPECT_EQ(from("auth"), "[[site]] a.example=...;");
  EXPECT_EQ(from("max-delay"), "command=30s;");
  EXPECT_EQ(from("depth"), "options=none;[[site]] /news/ (only URLs that match)=2;");
  EXPECT_EQ(list.dump().find("hidden"), std::string::npos);
}

TEST(CurvesTest, AreThinnedAndEndWithTheLastPoint) {
  Curves curves;
  LiveSnapshot snapshot;
  for (std::uint64_t second = 1; second <= 10'000; ++second) {
    snapshot.status.counts.run_ms = second * 1000;
    snapshot.status.counts.pages = second;
    curves.add(snapshot);
  }
  const auto json = curves.json(0, 100);
  EXPECT_LE(json["seconds"].size(), 100u);
  EXPECT_GE(json["seconds"].back().get<double>(), 9'990);
  EXPECT_EQ(json["pages_per_second"].back(), 1.0);
  EXPECT_GT(curves.json(5'000, 100)["seconds"][0].get<double>(), 5'000);
}

// The status of one process is shown unchanged; several are added up.
TEST(Merging, StatusesAreAddedUp) {
  LiveSnapshot snapshot;
  snapshot.status.counts.pages = 5;
  snapshot.status.memory.parts = {{"queue", 10}, {"links", 3}};
  const auto one = status_object(snapshot);
  const auto merged = merge_statuses({one, one, one}, "fleet");
  EXPECT_EQ(merged["pages"], 15);
  EXPECT_EQ(merged["memory"]["parts"]["queue"], 30);
  EXPECT_EQ(merged["folder"], "fleet");
}

// Processes that exchange links have one budget, the others one each.
TEST(Merging, BudgetsOfAFleet) {
  LiveSnapshot snapshot;
  snapshot.status.counts.pages = 30;
  snapshot.status.budgets = {100, 0, 60};
  snapshot.status.seconds = 6;
  const auto alone = status_object(snapshot);
  const auto each = merge_statuses({alone, alone}, "fleet")["budgets"];
  ASSERT_EQ(each.size(), 2u);
  const auto& pages = each[0]["name"] == "pages" ? each[0] : each[1];
  const auto& time = each[0]["name"] == "pages" ? each[1] : each[0];
  EXPECT_EQ(pages["limit"], 200);
  EXPECT_EQ(pages["used"], 60);
  EXPECT_EQ(time["limit"], 60);
  EXPECT_EQ(time["used"], 6);
  snapshot.status.budgets.seconds = 0;
  snapshot.status.sharing.on = true;
  const auto member = status_object(snapshot);
  const auto together = merge_statuses({member, member}, "fleet")["budgets"];
  ASSERT_EQ(together.size(), 1u);
  EXPECT_EQ(together[0]["limit"], 100);
  EXPECT_EQ(together[0]["share"], 0.6);
}

TEST(Merging, HostsOfSeveralProcessesAreSortedTogether) {
  Ask ask;
  ask.what = "hosts";
  ask.values = {{"limit", "2"}};
  const nlohmann::json one = {{"total", 2},
                              {"known", 3},
                              {"hosts", {{{"host", "a"}, {"queued", 1}}, {{"host", "b"}, {"queued", 9}}}}};
  const nlohmann::json two = {{"total", 1}, {"known", 1}, {"hosts", {{{"host", "c"}, {"queued", 5}}}}};
  const auto merged = merge_answers(ask, {one, two});
  EXPECT_EQ(merged["total"], 3);
  EXPECT_EQ(merged["known"], 4);
  ASSERT_EQ(merged["hosts"].size(), 2u);
  EXPECT_EQ(merged["hosts"][0]["host"], "b");
  EXPECT_EQ(merged["hosts"][1]["host"], "c");
}

}  // namespace
}  // namespace bowerbird
