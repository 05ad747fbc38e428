#include "parse/web_manifest.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMaxManifest = std::size_t{1} << 19;
constexpr int kMaxManifestNesting = 64;

void take_icons(const nlohmann::json& object, const std::function<void(std::string_view)>& take) {
  const auto icons = object.find("icons");
  if (icons == object.end() || !icons->is_array()) return;
  for (const nlohmann::json& icon : *icons) {
    if (!icon.is_object()) continue;
    const auto source = icon.find("src");
    if (source != icon.end() && source->is_string()) take(source->get_ref<const std::string&>());
  }
}

}  // namespace

void read_manifest_icons(std::string_view manifest, const std::function<void(std::string_view)>& take) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (manifest.starts_with(kMark)) manifest.remove_prefix(kMark.size());
  if (manifest.size() > kMaxManifest || !is_shallow_json(manifest, kMaxManifestNesting)) return;
  const nlohmann::json json = nlohmann::json::parse(manifest, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return;
  take_icons(json, take);
  const auto shortcuts = json.find("shortcuts");
  if (shortcuts == json.end() || !shortcuts->is_array()) return;
  for (const nlohmann::json& shortcut : *shortcuts) {
    if (shortcut.is_object()) take_icons(shortcut, take);
  }
}

}  // namespace bowerbird
