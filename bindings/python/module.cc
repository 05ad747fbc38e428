// The Python module bowerbird._core: the public interface (include/bowerbird) for Python.
#include "module.h"

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
    } catch (const py::cast_error&) {
      PyErr_SetString(PyExc_TypeError, "an argument has a wrong type");
    }
  });
  bind_graph(m);
  bind_lab(m);
  bind_frontier(m);
  bind_pages(m);
  bind_crawl(m);
}
