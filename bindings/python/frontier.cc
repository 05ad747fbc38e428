// The frontier. It has its own mutex, since the GIL is released during calls. Times are seconds in Python
// and milliseconds in C++.
#include "module.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

namespace {

double number_of(const py::object& number, const char* what) {
  const double value = PyFloat_AsDouble(number.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::type_error(std::string(what) + " must be a number, not " + Py_TYPE(number.ptr())->tp_name);
  }
  return value;
}

std::int64_t milliseconds(double seconds, const char* what) {
  if (!(seconds >= 0 && seconds < 1e12))
    throw py::value_error(std::string(what) + " is not a valid time in seconds");
  return static_cast<std::int64_t>(std::floor(seconds * 1000));
}

// None: the system's clock.
std::int64_t time_of(const py::object& now) {
  if (!now.is_none()) return milliseconds(number_of(now, "now"), "now");
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
  const double seconds = number_of(due, "due");
  return std::isinf(seconds) && seconds > 0 ? bb::Frontier::kNever : milliseconds(seconds, "due");
}

// "url", or a tuple (url, payload, queue, priority) or a prefix of it. The views are valid as long as the
// sequence.
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

// Keeps the items alive while their views are used.
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

  // Runs the call without the GIL, one thread at a time.
  template <typename Call>
  auto call(Call&& work) {
    if (owner_ == std::this_thread::get_id()) {
      throw bb::Error("a gate function or an ordering must not call the frontier that calls it");
    }
    try {
      const py::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      const Owner owner(owner_);
      return work(*frontier_);
    } catch (const bb::Error&) {
      // Ctrl-C in an ordering's method.
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      throw;
    }
  }

  std::vector<bb::NextUrl> take(std::size_t count, const py::object& now, double lease, std::size_t per_queue,
                                const py::object& gate) {
    const std::int64_t time = time_of(now);
    const std::int64_t length = milliseconds(lease, "lease");
    if (gate.is_none()) {
      return call([&](bb::Frontier& frontier) { return frontier.next_many(count, time, length, per_queue); });
    }
    // An exception of the gate function closes every further queue, and is raised at the end.
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
        call([&](bb::Frontier& frontier) { frontier.retry(url.url, time, time); });
      }
      PyErr_Restore(error_type.release().ptr(), error_value.release().ptr(),
                    error_trace ? error_trace.release().ptr() : nullptr);
      throw py::error_already_set();
    }
    return urls;
  }

 private:
  // The thread that is in a call, for its time.
  using Thread = std::atomic<std::thread::id>;
  struct Owner {
    explicit Owner(Thread& thread) : thread(thread) { thread = std::this_thread::get_id(); }
    ~Owner() { thread = std::thread::id(); }
    Thread& thread;
  };

  std::mutex mutex_;
  Thread owner_;
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

// NextUrl is a named tuple of the interpreter: its attributes cost a tenth of those of a class of pybind11,
// and next() is called for every page.
PyTypeObject* next_url_type = nullptr;

void bind_next_url(py::module_& m) {
  static PyStructSequence_Field fields[] = {{"url", nullptr},
                                            {"queue", nullptr},
                                            {"payload", nullptr},
                                            {"score", nullptr},
                                            {"again", "Whether it was completed before."},
                                            {nullptr, nullptr}};
  static PyStructSequence_Desc description = {"bowerbird.NextUrl", "A URL that was handed out.", fields, 5};
  next_url_type = PyStructSequence_NewType(&description);
  if (next_url_type == nullptr) throw py::error_already_set();
  const py::handle type(reinterpret_cast<PyObject*>(next_url_type));
  type.attr("__str__") = py::cpp_function(
      [](const py::object& self) -> py::object { return self.attr("url"); }, py::is_method(type));
  type.attr("__repr__") = py::cpp_function(
      [](const py::object& self) { return "<NextUrl " + self.attr("url").cast<std::string>() + ">"; },
      py::is_method(type));
  m.attr("NextUrl") = type;
}

py::object object_of(const bb::NextUrl& url) {
  auto made = py::reinterpret_steal<py::object>(PyStructSequence_New(next_url_type));
  if (!made) throw py::error_already_set();
  PyStructSequence_SET_ITEM(made.ptr(), 0, py::str(url.url).release().ptr());
  PyStructSequence_SET_ITEM(made.ptr(), 1, py::str(url.queue).release().ptr());
  PyStructSequence_SET_ITEM(made.ptr(), 2, py::bytes(url.payload).release().ptr());
  PyStructSequence_SET_ITEM(made.ptr(), 3, py::float_(url.score).release().ptr());
  PyStructSequence_SET_ITEM(made.ptr(), 4, py::bool_(url.again).release().ptr());
  return made;
}

}  // namespace

void bind_frontier(py::module_& m) {
  bind_next_url(m);

  py::class_<PyFrontier>(m, "Frontier")
      .def(py::init([](const py::object& folder, const std::string& policy, bool canonical,
                       std::uint64_t seed, std::uint64_t expected_pages, std::uint64_t memory, bool durable,
                       double delay, unsigned threads) {
             bb::FrontierOptions options;
             if (!folder.is_none()) options.folder = path_of(folder);
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
          py::arg("urls"), py::arg("now") = py::none(), py::arg("weights") = py::none(),
          "Adds seeds; weights are relative to their sum. Returns how many are new, known and rejected.")
      .def(
          "discover",
          [](PyFrontier& self, const py::object& urls, const py::object& parent, const py::object& now) {
            const Entries entries(urls);
            const std::string_view from = parent.is_none() ? std::string_view() : text_view(parent, "parent");
            const std::int64_t time = time_of(now);
            return counts_of(
                self.call([&](bb::Frontier& f) { return f.discover(from, entries.entries, time); }));
          },
          py::arg("urls"), py::arg("parent") = py::none(), py::arg("now") = py::none(),
          "Adds links of `parent`, which count when it is completed; without a parent they enter with small "
          "weight.")
      .def(
          "next",
          [](PyFrontier& self, const py::object& now, double lease, std::size_t per_queue,
             const py::object& gate) -> py::object {
            const auto urls = self.take(1, now, lease, per_queue, gate);
            return urls.empty() ? py::none() : object_of(urls.front());
          },
          py::arg("now") = py::none(), py::kw_only(), py::arg("lease") = 0.0, py::arg("per_queue") = 0,
          py::arg("gate") = py::none(),
          "The best URL that may be fetched now, or None. lease: seconds after which it is handed out again "
          "by itself; 0: never. per_queue: at most this many of a queue in process. gate(queue): when a "
          "queue may be asked, in seconds; None or 0: now.")
      .def(
          "next_many",
          [](PyFrontier& self, std::size_t count, const py::object& now, double lease, std::size_t per_queue,
             const py::object& gate) {
            py::list list;
            for (const bb::NextUrl& url : self.take(count, now, lease, per_queue, gate))
              list.append(object_of(url));
            return list;
          },
          py::arg("count"), py::arg("now") = py::none(), py::kw_only(), py::arg("lease") = 0.0,
          py::arg("per_queue") = 0, py::arg("gate") = py::none(),
          "The same for up to count URLs, best first. From a queue with a delay it returns one URL, unless "
          "per_queue is given.")
      .def(
          "next_opening",
          [](PyFrontier& self) {
            return seconds_of(self.call([](bb::Frontier& f) { return f.next_opening(); }));
          },
          "When next() may return something again without another call; None: never.")
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
          py::arg("due") = py::none(), py::arg("payload") = py::none(), py::arg("unfollowed") = py::tuple(),
          "A URL that was handed out has been fetched, or failed for good; links: what it links to. due: "
          "when to fetch it again. Returns how many links are new, known and rejected.")
      .def(
          "retry",
          [](PyFrontier& self, const py::object& url, const py::object& due, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const std::int64_t time = time_of(now);
            const std::int64_t later = due.is_none() ? time : due_of(due);
            self.call([&](bb::Frontier& f) { f.retry(text, later, time); });
          },
          py::arg("url"), py::arg("due") = py::none(), py::arg("now") = py::none(),
          "A URL that was handed out is to be tried again, not before `due` (default: at once).")
      .def(
          "schedule",
          [](PyFrontier& self, const py::object& url, const py::object& due, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const std::int64_t time = time_of(now), later = due_of(due);
            self.call([&](bb::Frontier& f) { f.schedule(text, later, time); });
          },
          py::arg("url"), py::arg("due"), py::arg("now") = py::none(),
          "Fetch a completed URL again at `due`; None: never again.")
      .def(
          "set_payload",
          [](PyFrontier& self, const py::object& url, const py::bytes& payload, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const auto bytes = payload_view(payload);
            const std::int64_t time = time_of(now);
            self.call([&](bb::Frontier& f) { f.set_payload(text, *bytes, time); });
          },
          py::arg("url"), py::arg("payload"), py::arg("now") = py::none(),
          "Replaces the payload of a known URL.")
      .def(
          "set_priority",
          [](PyFrontier& self, const py::object& url, std::int32_t priority, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const std::int64_t time = time_of(now);
            self.call([&](bb::Frontier& f) { f.set_priority(text, priority, time); });
          },
          py::arg("url"), py::arg("priority"), py::arg("now") = py::none(),
          "Changes the priority of a URL that was not fetched yet: larger ones come first, whatever their "
          "scores.")
      .def(
          "remove",
          [](PyFrontier& self, const py::object& url, const py::object& now) {
            const std::string_view text = text_view(url, "url");
            const std::int64_t time = time_of(now);
            return self.call([&](bb::Frontier& f) { return f.remove(text, time); });
          },
          py::arg("url"), py::arg("now") = py::none(),
          "Deletes a URL; False if it is not known. The ordering keeps what it has learned from it.")
      .def(
          "remove_queue",
          [](PyFrontier& self, const py::object& queue, const py::object& now) {
            const std::string_view text = text_view(queue, "queue");
            const std::int64_t time = time_of(now);
            return self.call([&](bb::Frontier& f) { return f.remove_queue(text, time); });
          },
          py::arg("queue"), py::arg("now") = py::none(), "Deletes all URLs of a queue; returns their number.")
      .def(
          "set_delay",
          [](PyFrontier& self, double delay, const py::object& queue, const py::object& now) {
            const std::string_view text = queue.is_none() ? std::string_view() : text_view(queue, "queue");
            const std::int64_t time = time_of(now), length = milliseconds(delay, "delay");
            self.call([&](bb::Frontier& f) { f.set_delay(text, length, time); });
          },
          py::arg("delay"), py::arg("queue") = py::none(), py::arg("now") = py::none(),
          "Seconds between two URLs of a queue; without a queue, of all queues without a delay of their own.")
      .def(
          "block_until",
          [](PyFrontier& self, const py::object& queue, const py::object& until, const py::object& now) {
            const std::string_view text = text_view(queue, "queue");
            const std::int64_t time = time_of(now), later = due_of(until);
            self.call([&](bb::Frontier& f) { f.block_until(text, later, time); });
          },
          py::arg("queue"), py::arg("until"), py::arg("now") = py::none(),
          "No URL of the queue is handed out before this time.")
      .def(
          "set_limit",
          [](PyFrontier& self, const py::object& queue, std::uint64_t urls, const py::object& now) {
            const std::string_view text = text_view(queue, "queue");
            const std::int64_t time = time_of(now);
            self.call([&](bb::Frontier& f) { f.set_limit(text, urls, time); });
          },
          py::arg("queue"), py::arg("urls"), py::arg("now") = py::none(),
          "At most this many URLs of the queue are completed or in process; 0: no limit.")
      .def(
          "open_queue",
          [](PyFrontier& self, const py::object& queue, const py::object& now) {
            const std::string_view text = text_view(queue, "queue");
            const std::int64_t time = time_of(now);
            self.call([&](bb::Frontier& f) { f.open_queue(text, time); });
          },
          py::arg("queue"), py::arg("now") = py::none(), "Ends a block by the gate function of next().")
      .def(
          "status",
          [](PyFrontier& self, const py::object& url) -> py::object {
            const std::string_view text = text_view(url, "url");
            const auto facts = self.call([&](bb::Frontier& f) { return f.status(text); });
            return facts ? py::object(dict_of(*facts)) : py::object(py::none());
          },
          py::arg("url"), "What is known about a URL, as a dict; None if it is not known.")
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
      .def(
          "stats",
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
          },
          "Counts of the whole frontier, as a dict.")
      .def_property_readonly(
          "policy", [](PyFrontier& self) { return self.call([](bb::Frontier& f) { return f.policy(); }); })
      .def(
          "commit", [](PyFrontier& self) { self.call([](bb::Frontier& f) { f.commit(); }); },
          "Makes everything so far survive a power failure, if durable is set.")
      .def(
          "close", [](PyFrontier& self) { self.call([](bb::Frontier& f) { f.close(); }); },
          "Ends the use of the frontier; with a folder, the next opening is fast.");
}
