// The lab, and orderings written in Python.
#include "module.h"

namespace {

// ---- Orderings written in Python

class PythonOrdering final : public bb::Ordering {
 public:
  PythonOrdering(py::object made) : object_(std::move(made)) {
    seed_ = object_.attr("seed");
    score_ = object_.attr("score");
    if (py::hasattr(object_, "crawled")) crawled_ = object_.attr("crawled");
    if (py::hasattr(object_, "wants_rescore")) wants_rescore_ = object_.attr("wants_rescore");
    if (py::hasattr(object_, "rescore")) rescore_ = object_.attr("rescore");
  }
  ~PythonOrdering() override {
    const py::gil_scoped_acquire lock;
    for (py::object* one : {&seed_, &score_, &crawled_, &wants_rescore_, &rescore_, &object_})
      one->release().dec_ref();
  }

  double seed(std::uint32_t page, double share) override {
    return guarded([&] { return seed_(page, share).cast<double>(); });
  }
  bool wants_links() const override { return static_cast<bool>(crawled_); }
  void crawled(const bb::Visit& visit, std::span<const std::uint32_t> links) override {
    if (!crawled_) return;
    guarded([&] {
      crawled_(visit, py::array_t<std::uint32_t>(static_cast<py::ssize_t>(links.size()), links.data()));
      return 0;
    });
  }
  void score(const bb::Visit& visit, std::span<bb::Link> links) const override {
    if (links.empty()) return;
    guarded([&] {
      const auto size = static_cast<py::ssize_t>(links.size());
      // Copies, since Python code may keep them.
      py::array_t<std::uint32_t> pages(size);
      py::array_t<double> scores(size);
      py::array_t<bool> is_new(size), other_host(size);
      std::uint32_t* const page = pages.mutable_data();
      double* const value = scores.mutable_data();
      bool* const fresh = is_new.mutable_data();
      bool* const other = other_host.mutable_data();
      for (std::size_t i = 0; i < links.size(); ++i) {
        page[i] = links[i].page;
        value[i] = links[i].score;
        fresh[i] = links[i].is_new;
        other[i] = links[i].other_host;
      }
      const py::object result = score_(visit, pages, scores, is_new, other_host);
      py::array_t<double, py::array::c_style | py::array::forcecast> made =
          result.is_none() ? py::object(scores) : result;
      if (made.ndim() != 1 || made.size() != size) {
        throw std::runtime_error("score() must return one number for each link");
      }
      for (std::size_t i = 0; i < links.size(); ++i) links[i].score = made.data()[i];
      return 0;
    });
  }
  bool wants_rescore() override {
    if (!wants_rescore_ || !rescore_) return false;
    return guarded([&] { return wants_rescore_().cast<bool>(); });
  }
  double rescore(std::uint32_t page, double score) const override {
    if (!rescore_) return score;
    return guarded([&] { return rescore_(page, score).cast<double>(); });
  }
  void save(std::string& bytes) const override {
    if (!py_has("save")) return;
    guarded([&] {
      bytes = object_.attr("save")().cast<std::string>();
      return 0;
    });
  }
  bool load(std::string_view bytes) override {
    if (!py_has("load")) return bytes.empty();
    return guarded([&] {
      object_.attr("load")(py::bytes(bytes.data(), bytes.size()));
      return true;
    });
  }

 private:
  bool py_has(const char* name) const {
    const py::gil_scoped_acquire lock;
    return py::hasattr(object_, name);
  }
  // A Python exception must not propagate without the GIL: its text is converted to ours.
  template <typename Call>
  auto guarded(Call&& call) const -> decltype(call()) {
    const py::gil_scoped_acquire lock;
    try {
      return call();
    } catch (py::error_already_set& e) {
      const std::string text = e.what();
      e.restore();
      PyErr_Clear();
      throw std::runtime_error(text);
    } catch (const py::cast_error&) {
      throw std::runtime_error("seed() and rescore() must return a number");
    }
  }

  py::object object_, seed_, score_, crawled_, wants_rescore_, rescore_;
};

void add_ordering(const std::string& name, const std::string& summary, py::object make) {
  // The last copy may be dropped by any thread, so it is released under the GIL.
  const std::shared_ptr<py::object> kept(new py::object(std::move(make)), [](py::object* object) {
    if (Py_IsInitialized() != 0) {
      const py::gil_scoped_acquire lock;
      delete object;
    }
  });
  bb::add_ordering(name, summary,
                   [kept](const bb::OrderingContext& context) -> std::unique_ptr<bb::Ordering> {
                     const py::gil_scoped_acquire lock;
                     try {
                       return std::make_unique<PythonOrdering>((*kept)(context));
                     } catch (py::error_already_set& e) {
                       const std::string text = e.what();
                       e.restore();
                       PyErr_Clear();
                       throw std::runtime_error(text);
                     }
                   });
}

// ---- Lab

py::list lab_rows(const bb::Graph& graph, bb::LabOptions options) {
  std::vector<bb::LabRow> rows = without_lock([&](const bb::Progress& progress) {
    options.progress = progress;
    return bb::run_lab(graph, options);
  });
  py::list list;
  for (bb::LabRow& row : rows) {
    py::dict made;
    made["policy"] = row.policy;
    made["strategy"] = row.strategy;
    made["seed"] = row.random_seed;
    made["baseline"] = row.baseline;
    made["auc"] = row.auc;
    made["reachable"] = row.reachable;
    made["crawled"] = row.crawled;
    made["known"] = row.known;
    made["links"] = row.links;
    made["peak_queue"] = row.peak_queue;
    made["peak_bytes"] = row.peak_bytes;
    made["seconds"] = row.seconds;
    made["wall_seconds"] = row.wall_seconds;
    made["at"] = to_array(std::move(row.at));
    made["importance"] = to_array(std::move(row.importance));
    made["hot"] = to_array(std::move(row.hot));
    list.append(std::move(made));
  }
  return list;
}

}  // namespace

void bind_lab(py::module_& m) {
  py::class_<bb::Visit>(m, "Visit", "The page being crawled, as an ordering sees it.")
      .def_readonly("page", &bb::Visit::page)
      .def_readonly("links", &bb::Visit::links)
      .def_readonly("other_host", &bb::Visit::other_host)
      .def_readonly("discovered", &bb::Visit::discovered)
      .def_readonly("score", &bb::Visit::score)
      .def_readonly("crawled", &bb::Visit::crawled)
      .def_readonly("known", &bb::Visit::known);
  py::class_<bb::OrderingContext>(m, "OrderingContext", "What an ordering may use when it is created.")
      .def_readonly("expected_pages", &bb::OrderingContext::expected_pages)
      .def_readonly("random_seed", &bb::OrderingContext::random_seed)
      .def_readonly("parameters", &bb::OrderingContext::parameters)
      .def(
          "host_of",
          [](const bb::OrderingContext& context, std::uint32_t page) -> std::optional<std::uint32_t> {
            if (!context.host_of) return std::nullopt;
            return context.host_of(page);
          },
          "The host of a page; None if hosts are not known.");
  m.def("add_ordering", &add_ordering, py::arg("name"), py::arg("summary"), py::arg("make"));
  m.def("load_plugin", &bb::load_plugin, py::arg("path"),
        "Loads the orderings of a shared library, and returns their names.");
  m.def(
      "orderings",
      [] {
        py::list list;
        for (const bb::OrderingInfo& info : bb::orderings()) {
          list.append(py::dict(py::arg("name") = info.name, py::arg("parameters") = info.parameters,
                               py::arg("summary") = info.summary, py::arg("paper") = info.paper));
        }
        return list;
      },
      "All orderings with their parameters, summaries and papers.");
  m.def(
      "run_lab",
      [](const bb::Graph& graph, const std::vector<std::string>& policies, const std::string& seeds,
         const std::string& importance, const std::string& strategy, std::uint64_t pages, unsigned repeat,
         std::uint64_t seed, std::uint64_t memory, unsigned threads, bool baselines) {
        bb::LabOptions options;
        options.policies = policies;
        options.seeds = seeds;
        options.importance = importance;
        options.strategy = strategy;
        options.pages = pages;
        options.repeat = repeat;
        options.random_seed = seed;
        options.memory = memory;
        options.threads = threads;
        options.baselines = baselines;
        return lab_rows(graph, std::move(options));
      },
      py::arg("graph"), py::arg("policies"), py::arg("seeds"), py::arg("importance"), py::arg("strategy"),
      py::arg("pages"), py::arg("repeat"), py::arg("seed"), py::arg("memory"), py::arg("threads"),
      py::arg("baselines"));
}
