#include "dash/png.h"

#include <cairo.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

// The leak checker asks for this. Fontconfig keeps what it knows of the fonts until the process ends, out of
// the checker's sight.
extern "C" const char* __lsan_default_suppressions();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libfontconfig\n";
}

namespace bowerbird {
namespace {

struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(GError* failure) const { g_error_free(failure); }
};

Error refused(GError* failure) {
  const std::unique_ptr<GError, Release> owned(failure);
  return error("a figure cannot be turned into pixels: {}", owned ? owned->message : "no reason given");
}

cairo_status_t append(void* text, const unsigned char* bytes, unsigned length) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<std::string> png_of_svg(std::string_view svg, double scale) {
  GError* failure = nullptr;
  const std::unique_ptr<RsvgHandle, Release> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &failure));
  if (!handle) return refused(failure);
  double width = 0;
  double height = 0;
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height)) {
    return error("a figure cannot be turned into pixels: it has no size");
  }
  width = std::ceil(width * scale);
  height = std::ceil(height * scale);
  const std::unique_ptr<cairo_surface_t, Release> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
  const std::unique_ptr<cairo_t, Release> context(cairo_create(surface.get()));
  const RsvgRectangle whole = {0, 0, width, height};
  if (!rsvg_handle_render_document(handle.get(), context.get(), &whole, &failure)) return refused(failure);
  std::string png;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &png);
  if (status != CAIRO_STATUS_SUCCESS) {
    return error("a figure cannot be turned into pixels: {}", cairo_status_to_string(status));
  }
  return png;
}

}  // namespace bowerbird
