// Graphs: their arrays are views of the library's memory.
#include "module.h"

namespace {

// A read-only view of memory that a graph owns.
template <typename T>
py::array_t<T> view_of(const bb::Graph& graph, std::span<const T> values) {
  const py::capsule owner(new bb::Graph(graph), [](void* data) { delete static_cast<bb::Graph*>(data); });
  py::array_t<T> array({values.size()}, {sizeof(T)}, values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace

void bind_graph(py::module_& m) {
  py::class_<bb::Graph>(m, "Graph", "A web graph: pages are numbers, links are arrays. It cannot be changed.")
      .def_static(
          "open",
          [](const py::object& path) {
            const std::string name = path_of(path);
            return without_lock([&](const bb::Progress& p) { return bb::Graph::open(name, p); });
          },
          py::arg("path"),
          "A file of any format that `bowerbird graph` reads, a crawl folder, or "
          "'synthetic:pages=1M,seed=7'.")
      .def_static(
          "from_links",
          [](const py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>& from,
             const py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>& to,
             std::uint32_t pages, const py::object& hosts, const std::vector<std::string>& urls) {
            using Ids = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;
            const Ids host = hosts.is_none() ? Ids(0) : hosts.cast<Ids>();
            const auto view = [](const Ids& ids) {
              return std::span<const std::uint32_t>(ids.data(), static_cast<std::size_t>(ids.size()));
            };
            return bb::Graph::from_links(view(from), view(to), pages, view(host), urls);
          },
          py::arg("sources"), py::arg("targets"), py::arg("pages") = 0, py::arg("hosts") = py::none(),
          py::arg("urls") = std::vector<std::string>(),
          "The graph with a link from sources[i] to targets[i] for each i. hosts: the host of each page.")
      .def(
          "save",
          [](const bb::Graph& graph, const py::object& path) {
            const std::string name = path_of(path);
            without_lock([&](const bb::Progress& p) { graph.save(name, p); });
          },
          py::arg("path"), "Writes the graph; the format follows from the name.")
      .def_property_readonly("pages", &bb::Graph::pages, "Number of pages.")
      .def_property_readonly(
          "links",
          [](const bb::Graph& graph) {
            return without_lock([&](const bb::Progress&) { return graph.links(); });
          },
          "Number of links.")
      .def_property_readonly("hosts", &bb::Graph::hosts, "Number of hosts.")
      .def_property_readonly("has_hosts", &bb::Graph::has_hosts, "Whether the hosts of the pages are known.")
      .def_property_readonly("has_urls", &bb::Graph::has_urls, "Whether the URLs of the pages are known.")
      .def("host", &bb::Graph::host, py::arg("page"), "The host of a page, a number.")
      .def("url", &bb::Graph::url, py::arg("page"), "The URL of a page.")
      .def_property_readonly(
          "offsets",
          [](const bb::Graph& graph) {
            const auto values = without_lock([&](const bb::Progress&) { return graph.offsets(); });
            return view_of(graph, values);
          },
          "Page p links to targets[offsets[p]:offsets[p + 1]]. A view that cannot be written.")
      .def_property_readonly(
          "targets",
          [](const bb::Graph& graph) {
            const auto values = without_lock([&](const bb::Progress&) { return graph.targets(); });
            return view_of(graph, values);
          },
          "The targets of all links, by page: a view that cannot be written.")
      .def(
          "out",
          [](const bb::Graph& graph, std::uint32_t page) {
            if (page >= graph.pages()) throw py::index_error("there is no page " + std::to_string(page));
            const auto offsets = without_lock([&](const bb::Progress&) { return graph.offsets(); });
            return view_of(graph, graph.targets().subspan(offsets[page], offsets[page + 1] - offsets[page]));
          },
          py::arg("page"), "The pages that a page links to: a view that cannot be written.")
      .def(
          "pagerank",
          [](const bb::Graph& graph, double damping, double tolerance, unsigned threads) {
            return to_array(without_lock(
                [&](const bb::Progress& p) { return graph.pagerank(damping, tolerance, threads, p); }));
          },
          py::arg("damping") = 0.85, py::arg("tolerance") = 1e-10, py::arg("threads") = 0,
          "The PageRank of every page, as an array. threads: 0 for all cores.")
      .def("__len__", &bb::Graph::pages)
      .def("__repr__",
           [](const bb::Graph& graph) { return "<Graph of " + std::to_string(graph.pages()) + " pages>"; });
}
