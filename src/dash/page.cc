#include "dash/page.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/check.h"
#include "dash/assets.h"
#include "dash/escape.h"

namespace bowerbird {
namespace {

// The hash of an inline script for a content security policy: 'sha256-...'.
std::string script_hash(std::string_view script) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  CHECK(EVP_Digest(script.data(), script.size(), digest, &size, EVP_sha256(), nullptr) == 1);
  char base64[2 * EVP_MAX_MD_SIZE];
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(base64), digest, static_cast<int>(size));
  return fmt::format("'sha256-{}'", std::string_view(base64, static_cast<std::size_t>(length)));
}

// Fills in the template: {{name}} becomes the text of that name. Inserted text is not expanded again, so no
// part can refer to another.
template <typename Lookup>
std::string filled(std::string_view form, const Lookup& lookup) {
  std::string out;
  while (true) {
    const std::size_t open = form.find("{{");
    out += form.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = form.find("}}", open);
    CHECK(close != std::string_view::npos);
    out += lookup(form.substr(open + 2, close - open - 2));
    form.remove_prefix(close + 2);
  }
}

}  // namespace

std::string html_page(const PageParts& parts) {
  const std::string_view scripts[] = {asset("plot.js"), asset("kit.js"), asset(parts.script)};
  std::string policy =
      "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; "
      "img-src data:; script-src";
  std::string blocks;
  for (const std::string_view script : scripts) {
    policy += " " + script_hash(script);
    blocks += fmt::format("<script>{}</script>\n", script);
  }
  return filled(asset("page.html"), [&](std::string_view name) -> std::string {
    if (name == "title") return html_escaped(parts.title);
    if (name == "description") return html_escaped(parts.description);
    if (name == "policy") return html_escaped(policy);
    if (name == "style") return std::string(asset("page.css"));
    if (name == "data") return script_json(parts.data);
    if (name == "without-script") return html_escaped(parts.without_script);
    CHECK(name == "scripts");
    return blocks;
  });
}

}  // namespace bowerbird
