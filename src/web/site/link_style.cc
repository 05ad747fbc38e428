#include "web/site/link_style.h"

namespace bowerbird {

void LinkStyle::append(bool https, std::string_view authority, std::string_view target,
                       std::string& out) const {
  if (portal_) {
    out.append(https ? "/~s/" : "/~/").append(authority).append(target);
    return;
  }
  out.append(https ? "https://" : "http://").append(authority);
  // A name that already has a port cannot have a second one.
  if (authority.find(':') == authority.npos) out.append(suffix_);
  out.append(target);
}

void LinkStyle::append_link(const PageUrl& from, bool https, std::string_view authority,
                            std::string_view target, std::string& out) const {
  // "//x" would be read as a host.
  const bool path_is_enough =
      !portal_ && from.https() == https && from.authority() == authority && !target.starts_with("//");
  if (path_is_enough) {
    out.append(target);
  } else {
    append(https, authority, target, out);
  }
}

}  // namespace bowerbird
