// URLs, robots.txt, pages and refreshing.
#include "module.h"

void bind_pages(py::module_& m) {
  m.def(
      "canonical_url",
      [](const std::string& url, const std::string& base) { return bb::canonical_url(url, base); },
      py::arg("url"), py::arg("base") = "", "The canonical form of a link found on the page `base`.");
  m.def(
      "url_host", [](const std::string& url) { return bb::url_host(url); }, py::arg("url"),
      "The host of a URL, with its port if it is not the default.");
  m.def(
      "url_site", [](const std::string& url) { return bb::url_site(url); }, py::arg("url"),
      "The registrable domain of a URL.");
  py::class_<bb::Robots>(m, "Robots", "The rules of a robots.txt for a crawler with this name (RFC 9309).")
      .def(py::init([](const py::object& text, const std::string& agent) {
             return bb::Robots(text.cast<std::string>(), agent);
           }),
           py::arg("text"), py::arg("user_agent"))
      .def(
          "allows", [](const bb::Robots& robots, const std::string& url) { return robots.allows(url); },
          py::arg("url"), "Whether the rules allow a URL, or a path that begins with a slash.")
      .def_property_readonly("crawl_delay", &bb::Robots::crawl_delay, "Seconds, or None.")
      .def_property_readonly("sitemaps", &bb::Robots::sitemaps, "The URLs of the sitemaps.");
  py::class_<bb::PageLink>(m, "PageLink", "A link of a page.")
      .def_readonly("url", &bb::PageLink::url)
      .def_readonly("anchor", &bb::PageLink::anchor)
      .def_readonly("kind", &bb::PageLink::kind)
      .def_readonly("nofollow", &bb::PageLink::nofollow)
      .def("__repr__", [](const bb::PageLink& link) { return "<PageLink " + link.url + ">"; });
  py::class_<bb::ParsedPage>(m, "ParsedPage", "Title, links and text of a page.")
      .def_readonly("title", &bb::ParsedPage::title)
      .def_readonly("language", &bb::ParsedPage::language)
      .def_readonly("charset", &bb::ParsedPage::charset)
      .def_readonly("text", &bb::ParsedPage::text)
      .def_readonly("markdown", &bb::ParsedPage::markdown)
      .def_readonly("canonical", &bb::ParsedPage::canonical)
      .def_readonly("noindex", &bb::ParsedPage::noindex)
      .def_readonly("nofollow", &bb::ParsedPage::nofollow)
      .def_readonly("links", &bb::ParsedPage::links);
  m.def(
      "parse_page",
      [](const py::bytes& html, const std::string& url, const std::string& content_type, bool text) {
        const auto bytes = payload_view(html);
        const py::gil_scoped_release release;
        return bb::parse_page(*bytes, url, content_type, text);
      },
      py::arg("html"), py::arg("url") = "", py::arg("content_type") = "", py::arg("text") = true);
  m.def("refresh_policies", &bb::refresh_policies, "The names of the refresh policies.");
  m.def(
      "refresh_value",
      [](const std::string& policy, double importance, double rate, double days) {
        return bb::refresh_value(policy, importance, rate, days);
      },
      py::arg("policy"), py::arg("importance"), py::arg("rate"), py::arg("days"),
      "The value of fetching again a page of this importance that changes `rate` times per day and was "
      "fetched `days` ago.");
  m.def(
      "refresh_days",
      [](const std::string& policy, double importance, double rate, double value) {
        return bb::refresh_days(policy, importance, rate, value);
      },
      py::arg("policy"), py::arg("importance"), py::arg("rate"), py::arg("value"),
      "The days after which that value is reached; infinity if it never is.");
  m.def(
      "change_rate",
      [](const std::vector<std::pair<double, bool>>& visits, double prior) {
        std::vector<bb::VisitInterval> intervals;
        for (const auto& [days, changed] : visits) intervals.push_back({days, changed});
        return bb::change_rate(intervals, prior);
      },
      py::arg("visits"), py::arg("prior") = 0.05,
      "Changes per day, from (days, changed) of each visit; prior: a rate that counts as one observation.");
}
