// Which media types are fetched completely and stored.
//
// An entry is a group (html, pdf, image ...), a media type, or "font/*" for all subtypes. Types are those
// that content_type_of() and sniff_type() return: lower case, without parameters. Immutable; threads:
// any.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

class BodyTypes {
 public:
  static Result<BodyTypes> make(std::span<const std::string> names);

  bool wants(std::string_view type) const;
  // Whether the extension of this path suggests a type that is not wanted, such as an image or a video.
  bool leaves_out_path(std::string_view path) const;
  static bool is_html(std::string_view type);
  static bool is_xhtml(std::string_view type);
  // The entry that selects this type: its group ("html"), or the type itself.
  static std::string name_of(std::string_view type);

 private:
  std::vector<std::string> patterns_;  // "text/html", "image/", or "" for all
};

}  // namespace bowerbird
