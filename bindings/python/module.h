// Shared by the sources of the Python module bowerbird._core.
//
// Long work runs without the GIL and checks for signals regularly, so that Ctrl-C stops it. Each source
// has one function that adds its part to the module.
#pragma once

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <bowerbird/bowerbird.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace py = pybind11;
namespace bb = bowerbird;

void bind_graph(py::module_& m);
void bind_lab(py::module_& m);
void bind_frontier(py::module_& m);
void bind_pages(py::module_& m);
void bind_crawl(py::module_& m);

// Runs `work` without the GIL. A signal handler that raises, such as for Ctrl-C, stops it.
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

inline std::string path_of(const py::object& path) {
  return py::str(py::module_::import("os").attr("fspath")(path)).cast<std::string>();
}

// The text of a str. The view is valid as long as the object.
inline std::string_view text_view(py::handle text, const char* what) {
  if (!PyUnicode_Check(text.ptr())) {
    throw py::type_error(std::string(what) + " must be str, not " + Py_TYPE(text.ptr())->tp_name);
  }
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
}

inline std::optional<std::string_view> payload_view(py::handle payload) {
  if (payload.is_none()) return std::nullopt;
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (!PyBytes_Check(payload.ptr())) {
    throw py::type_error(std::string("payload must be bytes, not ") + Py_TYPE(payload.ptr())->tp_name);
  }
  PyBytes_AsStringAndSize(payload.ptr(), &bytes, &size);
  return std::string_view(bytes, static_cast<std::size_t>(size));
}
