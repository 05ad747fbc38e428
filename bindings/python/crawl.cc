// Crawl folders.
#include "module.h"

void bind_crawl(py::module_& m) {
  py::class_<bb::CrawlVisit>(m, "CrawlVisit", "A fetch of a page: the first or a later one.")
      .def_readonly("page", &bb::CrawlVisit::page)
      .def_readonly("url", &bb::CrawlVisit::url)
      .def_property_readonly("time",
                             [](const bb::CrawlVisit& v) { return static_cast<double>(v.time_us) / 1e6; })
      .def_readonly("status", &bb::CrawlVisit::status)
      .def_readonly("mime", &bb::CrawlVisit::mime)
      .def_readonly("title", &bb::CrawlVisit::title)
      .def_readonly("revisit", &bb::CrawlVisit::revisit)
      .def_readonly("digest", &bb::CrawlVisit::digest)
      .def("__repr__", [](const bb::CrawlVisit& v) { return "<CrawlVisit " + v.url + ">"; });
  py::class_<bb::Crawl>(m, "Crawl")
      .def(py::init([](const py::object& folder) {
             const std::string name = path_of(folder);
             const py::gil_scoped_release release;
             return bb::Crawl(name);
           }),
           py::arg("folder"))
      .def_property_readonly("known", &bb::Crawl::pages, "Known URLs.")
      .def_property_readonly("crawled", &bb::Crawl::crawled, "Pages with links.")
      .def("url", &bb::Crawl::url, py::arg("page"), "The URL of a page.")
      .def_property_readonly("_captures", &bb::Crawl::captures)
      .def("_visit", &bb::Crawl::visit)
      .def("_links",
           [](const bb::Crawl& crawl) {
             std::vector<std::uint32_t> pages, targets;
             std::vector<std::uint64_t> offsets{0};
             std::vector<std::uint8_t> followed;
             crawl.for_each_links([&](const bb::CrawlLinks& row) {
               pages.push_back(row.page);
               targets.insert(targets.end(), row.targets.begin(), row.targets.end());
               for (const bool one : row.followed) followed.push_back(one ? 1 : 0);
               offsets.push_back(targets.size());
               return true;
             });
             return py::make_tuple(to_array(std::move(pages)), to_array(std::move(offsets)),
                                   to_array(std::move(targets)), to_array(std::move(followed)));
           })
      .def(
          "body",
          [](const bb::Crawl& crawl, const bb::CrawlVisit& visit) { return py::bytes(crawl.body(visit)); },
          py::arg("visit"), "The body of a response, as bytes.");
}
