// The Python module bowerbird._core: the public interface (include/bowerbird) for Python.
//
// Long work runs without the interpreter's lock and asks for signals now and then, so that Ctrl-C stops it. A
// Frontier has a mutex of its own, since the lock is released while it works. Times are seconds in Python,
// milliseconds below.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <bowerbird/bowerbird.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>

namespace py = pybind11;
namespace bb = bowerbird;

namespace {

// ---- Long work

// Runs the work without the lock. A signal handler that raises, such as Ctrl-C's, stops it.
template <typename Work>
auto without_lock(Work&& work) {
  bool raised = false;
  const bb::Progress progress = [&raised, last = std::chrono::steady_clock::now()](const std::string&,
                                                                                   double) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(50)) return true;
    last = now;
    const py::gil_scoped_acquire lock;
    raised = PyErr_CheckSignals() != 0;
    return !raised;
  };
  try {
    const py::gil_scoped_release release;
    return work(progress);
  } catch (const bb::Stopped&) {
    if (raised) throw py::error_already_set();
    throw;
  }
}

// An array that owns the vector.
template <typename T>
py::array_t<T> to_array(std::vector<T> values) {
  auto* const kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* data) { delete static_cast<std::vector<T>*>(data); });
  return py::array_t<T>({kept->size()}, {sizeof(T)}, kept->data(), owner);
}

// A view of memory that a graph owns; it cannot be written.
template <typename T>
py::array_t<T> view_of(const bb::Graph& graph, std::span<const T> values) {
  const py::capsule owner(new bb::Graph(graph), [](void* data) { delete static_cast<bb::Graph*>(data); });
  py::array_t<T> array({values.size()}, {sizeof(T)}, values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

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
      // Copies, since Python may keep them.
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
  // A Python exception must not leave the lock: its text becomes ours.
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
  // Released under the lock, whoever drops the last copy.
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

// ---- Frontier

std::int64_t milliseconds(double seconds, const char* what) {
  if (!(seconds >= 0 && seconds < 1e12)) throw py::value_error(std::string(what) + " is no time in seconds");
  return static_cast<std::int64_t>(std::floor(seconds * 1000));
}

// None: the system's clock.
std::int64_t time_of(const py::object& now) {
  if (!now.is_none()) return milliseconds(now.cast<double>(), "now");
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

std::optional<double> seconds_of(std::optional<std::int64_t> time) {
  if (!time) return std::nullopt;
  if (*time >= bb::Frontier::kNever) return std::numeric_limits<double>::infinity();
  return static_cast<double>(*time) / 1000;
}

std::int64_t due_of(const py::object& due) {
  if (due.is_none()) return bb::Frontier::kNever;
  const double seconds = due.cast<double>();
  return std::isinf(seconds) && seconds > 0 ? bb::Frontier::kNever : milliseconds(seconds, "due");
}

std::string_view text_view(py::handle text, const char* what) {
  if (!PyUnicode_Check(text.ptr())) {
    throw py::type_error(std::string(what) + " must be str, not " + Py_TYPE(text.ptr())->tp_name);
  }
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
}

std::optional<std::string_view> payload_view(py::handle payload) {
  if (payload.is_none()) return std::nullopt;
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (!PyBytes_Check(payload.ptr())) {
    throw py::type_error(std::string("payload must be bytes, not ") + Py_TYPE(payload.ptr())->tp_name);
  }
  PyBytes_AsStringAndSize(payload.ptr(), &bytes, &size);
  return std::string_view(bytes, static_cast<std::size_t>(size));
}

// "url", or a tuple (url, payload, queue, priority) or its beginning; the views live as long as the sequence.
bb::UrlEntry entry_of(py::handle item, double weight = 1) {
  if (PyUnicode_Check(item.ptr())) return {text_view(item, "a URL"), {}, std::nullopt, weight};
  if (!PyTuple_Check(item.ptr()) || PyTuple_GET_SIZE(item.ptr()) < 1 || PyTuple_GET_SIZE(item.ptr()) > 4) {
    throw py::type_error("a URL must be str, or a tuple (url, payload, queue, priority) or its beginning");
  }
  bb::UrlEntry entry{text_view(PyTuple_GET_ITEM(item.ptr(), 0), "a URL"), {}, std::nullopt, weight};
  if (PyTuple_GET_SIZE(item.ptr()) > 1) entry.payload = payload_view(PyTuple_GET_ITEM(item.ptr(), 1));
  if (PyTuple_GET_SIZE(item.ptr()) > 2) {
    const py::handle queue = PyTuple_GET_ITEM(item.ptr(), 2);
    if (!queue.is_none()) entry.queue = text_view(queue, "a queue");
  }
  if (PyTuple_GET_SIZE(item.ptr()) > 3) {
    entry.priority = py::handle(PyTuple_GET_ITEM(item.ptr(), 3)).cast<std::int32_t>();
  }
  return entry;
}

// The items, held as long as their views are used.
struct Entries {
  explicit Entries(const py::object& items) {
    if (PyUnicode_Check(items.ptr())) throw py::type_error("expected a list of URLs, not a single str");
    held = py::reinterpret_steal<py::object>(PySequence_Fast(items.ptr(), "expected a list of URLs"));
    if (!held) throw py::error_already_set();
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(held.ptr());
    if (!PyTuple_Check(held.ptr())) held = py::reinterpret_steal<py::object>(PySequence_Tuple(held.ptr()));
    entries.reserve(static_cast<std::size_t>(size));
    for (Py_ssize_t i = 0; i < size; ++i) entries.push_back(entry_of(PyTuple_GET_ITEM(held.ptr(), i)));
  }
  py::object held;
  std::vector<bb::UrlEntry> entries;
};

py::tuple counts_of(const std::vector<bb::Put>& puts) {
  std::size_t added = 0, known = 0, rejected = 0;
  for (const bb::Put put : puts) {
    added += put == bb::Put::added ? 1 : 0;
    known += put == bb::Put::known ? 1 : 0;
    rejected += put == bb::Put::rejected ? 1 : 0;
  }
  return py::make_tuple(added, known, rejected);
}

class PyFrontier {
 public:
  explicit PyFrontier(const bb::FrontierOptions& options) {
    const py::gil_scoped_release release;
    frontier_.emplace(options);
  }

  // Runs the call without the interpreter's lock, one thread at a time.
  template <typename Call>
  auto call(Call&& work) {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    return work(*frontier_);
  }

  std::vector<bb::NextUrl> take(std::size_t count, const py::object& now, double lease, std::size_t per_queue,
                                const py::object& gate) {
    const std::int64_t time = time_of(now);
    const std::int64_t length = milliseconds(lease, "lease");
    if (gate.is_none()) {
      return call([&](bb::Frontier& frontier) { return frontier.next_many(count, time, length, per_queue); });
    }
    // An exception of the gate function closes every further queue, and is raised afterwards.
    std::optional<std::string> failure;
    py::object error_type, error_value, error_trace;
    const bb::Frontier::Gate opens = [&](std::string_view queue) -> std::int64_t {
      const py::gil_scoped_acquire lock;
      if (error_type) return bb::Frontier::kNever;
      try {
        const py::object result = gate(py::str(queue.data(), queue.size()));
        return result.is_none() ? 0 : due_of(result);
      } catch (py::error_already_set& e) {
        error_type = e.type();
        error_value = e.value();
        error_trace = e.trace();
      } catch (const std::exception& e) {
        failure = e.what();
        error_type = py::reinterpret_borrow<py::object>(PyExc_TypeError);
        error_value = py::str(*failure);
      }
      return time + 1;
    };
    auto urls = call(
        [&](bb::Frontier& frontier) { return frontier.next_many(count, time, length, per_queue, opens); });
    if (error_type) {
      for (const bb::NextUrl& url : urls) {
        call([&](bb::Frontier& frontier) {
          frontier.retry(url.url, time, time);
          return 0;
        });
      }
      PyErr_Restore(error_type.release().ptr(), error_value.release().ptr(),
                    error_trace ? error_trace.release().ptr() : nullptr);
      throw py::error_already_set();
    }
    return urls;
  }

 private:
  std::mutex mutex_;
  std::optional<bb::Frontier> frontier_;
};

py::dict dict_of(const bb::UrlFacts& facts) {
  py::dict made;
  made["url"] = facts.url;
  made["queue"] = facts.queue;
  made["payload"] = py::bytes(facts.payload);
  made["state"] = facts.state;
  made["completed"] = facts.completed;
  made["score"] = facts.score;
  made["rank"] = facts.rank;
  made["priority"] = facts.priority;
  made["due"] = seconds_of(facts.due);
  made["leased_until"] = seconds_of(facts.leased_until);
  made["queue_opens"] = seconds_of(facts.queue_opens);
  return made;
}

void bind_frontier(py::module_& m) {
  py::class_<bb::NextUrl>(m, "NextUrl", "A URL that was handed out.")
      .def_readonly("url", &bb::NextUrl::url)
      .def_readonly("queue", &bb::NextUrl::queue)
      .def_property_readonly("payload", [](const bb::NextUrl& url) { return py::bytes(url.payload); })
      .def_readonly("score", &bb::NextUrl::score)
      .def_readonly("again", &bb::NextUrl::again, "Whether it was completed before.")
      .def("__str__", [](const bb::NextUrl& url) { return url.url; })
      .def("__repr__", [](const bb::NextUrl& url) { return "<NextUrl " + url.url + ">"; });

  py::class_<PyFrontier>(m, "Frontier")
      .def(py::init([](const py::object& folder, const std::string& policy, bool canonical,
                       std::uint64_t seed, std::uint64_t expected_pages, std::uint64_t memory, bool durable,
                       double delay, unsigned threads) {
             bb::FrontierOptions options;
             if (!folder.is_none()) options.folder = py::str(folder).cast<std::string>();
             options.policy = policy;
             options.canonical = canonical;
             options.random_seed = seed;
             options.expected_pages = expected_pages;
             options.memory = memory;
             options.durable = durable;
             options.delay = milliseconds(delay, "delay");
             options.threads = threads;
             return std::make_unique<PyFrontier>(options);
           }),
           py::arg("folder") = py::none(), py::arg("policy") = "", py::kw_only(), py::arg("canonical") = true,
           py::arg("seed") = 1, py::arg("expected_pages") = 0, py::arg("memory") = 0,
           py::arg("durable") = false, py::arg("delay") = 0.0, py::arg("threads") = 1)
      .def(
          "add",
          [](PyFrontier& self, const py::object& urls, const py::object& now, const py::object& weights) {
            Entries entries(urls);
            if (!weights.is_none()) {
              const auto numbers = weights.cast<std::vector<double>>();
              if (numbers.size() != entries.entries.size())
                throw py::value_error("one weight for each URL is needed");
              for (std::size_t i = 0; i < numbers.size(); ++i) entries.entries[i].weight = numbers[i];
            }
            const std::int64_t time = time_of(now);
            return counts_of(self.call([&](bb::Frontier& f) { return f.add(entries.entries, time); }));
          },
          py::arg("urls"), py::arg("now") = py::none(), py::arg("weights") = py::none())
      .def(
          "discover",
          [](PyFrontier& self, const py::object& urls, const py::object& parent, const py::object& now) {
            const Entries entries(urls);
            const std::string_view from = parent.is_none() ? std::string_view() : text_view(parent, "parent");
            const std::int64_t time = time_of(now);
            return counts_of(
                self.call([&](bb::Frontier& f) { return f.discover(from, entries.entries, time); }));
          },
          py::arg("urls"), py::arg("parent") = py::none(), py::arg("now") = py::none())
      .def(
          "next",
          [](PyFrontier& self, const py::object& now, double lease, std::size_t per_queue,
             const py::object& gate) -> std::optional<bb::NextUrl> {
            auto urls = self.take(1, now, lease, per_queue, gate);
            if (urls.empty()) return std::nullopt;
            return std::move(urls.front());
          },
          py::arg("now") = py::none(), py::kw_only(), py::arg("lease") = 0.0, py::arg("per_queue") = 0,
          py::arg("gate") = py::none())
      .def(
          "next_many",
          [](PyFrontier& self, std::size_t count, const py::object& now, double lease, std::size_t per_queue,
             const py::object& gate) { return self.take(count, now, lease, per_queue, gate); },
          py::arg("count"), py::arg("now") = py::none(), py::kw_only(), py::arg("lease") = 0.0,
          py::arg("per_queue") = 0, py::arg("gate") = py::none())
      .def("next_opening",
           [](PyFrontier& self) {
             return seconds_of(self.call([](bb::Frontier& f) { return f.next_opening(); }));
           })
      .def(
          "complete",
          [](PyFrontier& self, const py::object& url, const py::object& links, const py::object& now,
             const py::object& due, const py::object& payload, const py::object& unfollowed) {
            const std::string_view text = text_view(url, "url");
            Entries entries(links);
            const Entries more(unfollowed);
            for (bb::UrlEntry entry : more.entries) {
              entry.follow = false;
              entries.entries.push_back(entry);
            }
            const std::int64_t time = time_of(now), again = due_of(due);
            const auto bytes = payload_view(payload);
            return counts_of(self.call(
                [&](bb::Frontier& f) { return f.complete(text, entries.entries, time, again, bytes); }));
          },
          py::arg("url"), py::arg("links") = py::tuple(), py::arg("now") = py::none(), py::kw_only(),
          py::arg("due") = py::none(), py::arg("payload") = py::none(), py::arg("unfollowed") = py::tuple())
      .def(
          "retry",
          [](PyFrontier& self, const py::object& url, const py::object& due, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const std::int64_t time = time_of(now);
            const std::int64_t later = due.is_none() ? time : due_of(due);
            self.call([&](bb::Frontier& f) {
              f.retry(text, later, time);
              return 0;
            });
          },
          py::arg("url"), py::arg("due") = py::none(), py::arg("now") = py::none())
      .def(
          "schedule",
          [](PyFrontier& self, const py::object& url, const py::object& due, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const std::int64_t time = time_of(now), later = due_of(due);
            self.call([&](bb::Frontier& f) {
              f.schedule(text, later, time);
              return 0;
            });
          },
          py::arg("url"), py::arg("due"), py::arg("now") = py::none())
      .def(
          "set_payload",
          [](PyFrontier& self, const py::object& url, const py::bytes& payload, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const auto bytes = payload_view(payload);
            const std::int64_t time = time_of(now);
            self.call([&](bb::Frontier& f) {
              f.set_payload(text, *bytes, time);
              return 0;
            });
          },
          py::arg("url"), py::arg("payload"), py::arg("now") = py::none())
      .def(
          "set_priority",
          [](PyFrontier& self, const py::object& url, std::int32_t priority, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const std::int64_t time = time_of(now);
            self.call([&](bb::Frontier& f) {
              f.set_priority(text, priority, time);
              return 0;
            });
          },
          py::arg("url"), py::arg("priority"), py::arg("now") = py::none())
      .def(
          "remove",
          [](PyFrontier& self, const py::object& url, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const std::int64_t time = time_of(now);
            return self.call([&](bb::Frontier& f) { return f.remove(text, time); });
          },
          py::arg("url"), py::arg("now") = py::none())
      .def(
          "remove_queue",
          [](PyFrontier& self, const py::object& queue, const py::object& now) {
            const std::string_view text = text_view(queue, "queue");
            const std::int64_t time = time_of(now);
            return self.call([&](bb::Frontier& f) { return f.remove_queue(text, time); });
          },
          py::arg("queue"), py::arg("now") = py::none())
      .def(
          "set_delay",
          [](PyFrontier& self, double delay, const py::object& queue, const py::object& now) {
            const std::string_view text = queue.is_none() ? std::string_view() : text_view(queue, "queue");
            const std::int64_t time = time_of(now), length = milliseconds(delay, "delay");
            self.call([&](bb::Frontier& f) {
              f.set_delay(text, length, time);
              return 0;
            });
          },
          py::arg("delay"), py::arg("queue") = py::none(), py::arg("now") = py::none())
      .def(
          "block_until",
          [](PyFrontier& self, const py::object& queue, const py::object& until, const py::object& now) {
            const std::string_view text = text_view(queue, "queue");
            const std::int64_t time = time_of(now), later = due_of(until);
            self.call([&](bb::Frontier& f) {
              f.block_until(text, later, time);
              return 0;
            });
          },
          py::arg("queue"), py::arg("until"), py::arg("now") = py::none())
      .def(
          "set_limit",
          [](PyFrontier& self, const py::object& queue, std::uint64_t urls, const py::object& now) {
            const std::string_view text = text_view(queue, "queue");
            const std::int64_t time = time_of(now);
            self.call([&](bb::Frontier& f) {
              f.set_limit(text, urls, time);
              return 0;
            });
          },
          py::arg("queue"), py::arg("urls"), py::arg("now") = py::none())
      .def(
          "open_queue",
          [](PyFrontier& self, const py::object& queue, const py::object& now) {
            const std::string_view text = text_view(queue, "queue");
            const std::int64_t time = time_of(now);
            self.call([&](bb::Frontier& f) {
              f.open_queue(text, time);
              return 0;
            });
          },
          py::arg("queue"), py::arg("now") = py::none())
      .def(
          "status",
          [](PyFrontier& self, const py::object& url) -> py::object {
            const std::string_view text = text_view(url, "url");
            const auto facts = self.call([&](bb::Frontier& f) { return f.status(text); });
            return facts ? py::object(dict_of(*facts)) : py::object(py::none());
          },
          py::arg("url"))
      .def("_page_of_urls",
           [](PyFrontier& self, std::uint64_t from, std::size_t count, const std::string& queue) {
             std::vector<bb::UrlFacts> found;
             const auto next = self.call([&](bb::Frontier& f) {
               return f.for_each_from(
                   from,
                   [&](const bb::UrlFacts& facts) {
                     found.push_back(facts);
                     return found.size() < count;
                   },
                   queue);
             });
             py::list list;
             for (const bb::UrlFacts& facts : found) list.append(dict_of(facts));
             return py::make_tuple(list, next);
           })
      .def("stats",
           [](PyFrontier& self) {
             const bb::FrontierStats s = self.call([](bb::Frontier& f) { return f.stats(); });
             py::dict made;
             made["urls"] = s.urls;
             made["queues"] = s.queues;
             made["collected"] = s.collected;
             made["queued"] = s.queued;
             made["in_process"] = s.in_process;
             made["completed"] = s.completed;
             made["scheduled"] = s.scheduled;
             made["due"] = s.due;
             made["links"] = s.links;
             made["links_without_parent"] = s.links_without_parent;
             made["rejected"] = s.rejected;
             made["expired"] = s.expired;
             made["deleted"] = s.deleted;
             made["memory"] = s.memory;
             made["disk"] = s.disk;
             made["spilled"] = s.spilled;
             return made;
           })
      .def_property_readonly(
          "policy", [](PyFrontier& self) { return self.call([](bb::Frontier& f) { return f.policy(); }); })
      .def("commit",
           [](PyFrontier& self) {
             self.call([](bb::Frontier& f) {
               f.commit();
               return 0;
             });
           })
      .def("close", [](PyFrontier& self) {
        self.call([](bb::Frontier& f) {
          f.close();
          return 0;
        });
      });
}

void bind_graph(py::module_& m) {
  py::class_<bb::Graph>(m, "Graph")
      .def_static(
          "open",
          [](const py::object& path) {
            const std::string name = py::str(path).cast<std::string>();
            return without_lock([&](const bb::Progress& p) { return bb::Graph::open(name, p); });
          },
          py::arg("path"))
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
          py::arg("urls") = std::vector<std::string>())
      .def(
          "save",
          [](const bb::Graph& graph, const py::object& path) {
            const std::string name = py::str(path).cast<std::string>();
            without_lock([&](const bb::Progress& p) {
              graph.save(name, p);
              return 0;
            });
          },
          py::arg("path"))
      .def_property_readonly("pages", &bb::Graph::pages)
      .def_property_readonly("links",
                             [](const bb::Graph& graph) {
                               return without_lock([&](const bb::Progress&) { return graph.links(); });
                             })
      .def_property_readonly("hosts", &bb::Graph::hosts)
      .def_property_readonly("has_hosts", &bb::Graph::has_hosts)
      .def_property_readonly("has_urls", &bb::Graph::has_urls)
      .def("host", &bb::Graph::host, py::arg("page"))
      .def("url", &bb::Graph::url, py::arg("page"))
      .def_property_readonly("offsets",
                             [](const bb::Graph& graph) {
                               const auto values =
                                   without_lock([&](const bb::Progress&) { return graph.offsets(); });
                               return view_of(graph, values);
                             })
      .def_property_readonly("targets",
                             [](const bb::Graph& graph) {
                               const auto values =
                                   without_lock([&](const bb::Progress&) { return graph.targets(); });
                               return view_of(graph, values);
                             })
      .def(
          "out",
          [](const bb::Graph& graph, std::uint32_t page) {
            if (page >= graph.pages()) throw py::index_error("there is no page " + std::to_string(page));
            const auto offsets = without_lock([&](const bb::Progress&) { return graph.offsets(); });
            return view_of(graph, graph.targets().subspan(offsets[page], offsets[page + 1] - offsets[page]));
          },
          py::arg("page"))
      .def(
          "pagerank",
          [](const bb::Graph& graph, double damping, double tolerance, unsigned threads) {
            return to_array(without_lock(
                [&](const bb::Progress& p) { return graph.pagerank(damping, tolerance, threads, p); }));
          },
          py::arg("damping") = 0.85, py::arg("tolerance") = 1e-10, py::arg("threads") = 0)
      .def("__len__", &bb::Graph::pages)
      .def("__repr__",
           [](const bb::Graph& graph) { return "<Graph of " + std::to_string(graph.pages()) + " pages>"; });

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
      .def("host_of",
           [](const bb::OrderingContext& context, std::uint32_t page) -> std::optional<std::uint32_t> {
             if (!context.host_of) return std::nullopt;
             return context.host_of(page);
           });
  m.def("add_ordering", &add_ordering, py::arg("name"), py::arg("summary"), py::arg("make"));
  m.def("load_plugin", &bb::load_plugin, py::arg("path"));
  m.def("orderings", [] {
    py::list list;
    for (const bb::OrderingInfo& info : bb::orderings()) {
      list.append(py::dict(py::arg("name") = info.name, py::arg("parameters") = info.parameters,
                           py::arg("summary") = info.summary, py::arg("paper") = info.paper));
    }
    return list;
  });
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

void bind_pages(py::module_& m) {
  m.def(
      "canonical_url",
      [](const std::string& url, const std::string& base) { return bb::canonical_url(url, base); },
      py::arg("url"), py::arg("base") = "");
  m.def(
      "url_host", [](const std::string& url) { return bb::url_host(url); }, py::arg("url"));
  m.def(
      "url_site", [](const std::string& url) { return bb::url_site(url); }, py::arg("url"));
  py::class_<bb::Robots>(m, "Robots")
      .def(py::init([](const py::object& text, const std::string& agent) {
             return bb::Robots(text.cast<std::string>(), agent);
           }),
           py::arg("text"), py::arg("user_agent"))
      .def(
          "allows", [](const bb::Robots& robots, const std::string& url) { return robots.allows(url); },
          py::arg("url"))
      .def_property_readonly("crawl_delay", &bb::Robots::crawl_delay)
      .def_property_readonly("sitemaps", &bb::Robots::sitemaps);
  py::class_<bb::PageLink>(m, "PageLink")
      .def_readonly("url", &bb::PageLink::url)
      .def_readonly("anchor", &bb::PageLink::anchor)
      .def_readonly("kind", &bb::PageLink::kind)
      .def_readonly("nofollow", &bb::PageLink::nofollow)
      .def("__repr__", [](const bb::PageLink& link) { return "<PageLink " + link.url + ">"; });
  py::class_<bb::ParsedPage>(m, "ParsedPage")
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
  m.def("refresh_policies", &bb::refresh_policies);
  m.def(
      "refresh_value",
      [](const std::string& policy, double importance, double rate, double days) {
        return bb::refresh_value(policy, importance, rate, days);
      },
      py::arg("policy"), py::arg("importance"), py::arg("rate"), py::arg("days"));
  m.def(
      "refresh_days",
      [](const std::string& policy, double importance, double rate, double value) {
        return bb::refresh_days(policy, importance, rate, value);
      },
      py::arg("policy"), py::arg("importance"), py::arg("rate"), py::arg("value"));
  m.def(
      "change_rate",
      [](const std::vector<std::pair<double, bool>>& visits, double prior) {
        std::vector<bb::VisitInterval> intervals;
        for (const auto& [days, changed] : visits) intervals.push_back({days, changed});
        return bb::change_rate(intervals, prior);
      },
      py::arg("visits"), py::arg("prior") = 0.05);
}

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
             const std::string name = py::str(folder).cast<std::string>();
             const py::gil_scoped_release release;
             return bb::Crawl(name);
           }),
           py::arg("folder"))
      .def_property_readonly("known", &bb::Crawl::pages, "Known URLs.")
      .def_property_readonly("crawled", &bb::Crawl::crawled, "Pages with links.")
      .def("url", &bb::Crawl::url, py::arg("page"))
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
          py::arg("visit"));
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The core of bowerbird; use the package bowerbird.";
  m.attr("__version__") = bb::version();
  m.attr("interface") = BOWERBIRD_INTERFACE;
  static py::exception<bb::Error> error(m, "Error", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr raised) {
    try {
      if (raised) std::rethrow_exception(raised);
    } catch (const bb::Error& e) {
      error(e.what());
    }
  });
  bind_graph(m);
  bind_frontier(m);
  bind_pages(m);
  bind_crawl(m);
}
