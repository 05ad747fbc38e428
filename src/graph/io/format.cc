#include "graph/io/format.h"

#include <array>

#include "graph/io/digits.h"
#include "graph/io/native.h"
#include "sys/stream.h"

namespace bowerbird {

namespace {

struct Extension {
  std::string_view text;
  GraphFormat format;
};

// A longer extension comes before one that it ends in.
constexpr std::array<Extension, 14> kExtensions = {{
    {".hostgraph-txt", GraphFormat::kAscii},
    {".graph-txt", GraphFormat::kAscii},
    {".properties", GraphFormat::kBv},
    {".offsets", GraphFormat::kBv},
    {".graph", GraphFormat::kBv},
    {".bbg", GraphFormat::kNative},
    {".edges", GraphFormat::kEdges},
    {".edgelist", GraphFormat::kEdges},
    {".el", GraphFormat::kEdges},
    {".tsv", GraphFormat::kEdges},
    {".csv", GraphFormat::kEdges},
    {".dot", GraphFormat::kDot},
    {".gv", GraphFormat::kDot},
    {".txt", GraphFormat::kUnknown},
}};

constexpr std::array<std::pair<std::string_view, GraphFormat>, 6> kNames = {{
    {"bv", GraphFormat::kBv},
    {"ascii", GraphFormat::kAscii},
    {"edges", GraphFormat::kEdges},
    {"native", GraphFormat::kNative},
    {"dot", GraphFormat::kDot},
    {"synthetic", GraphFormat::kSynthetic},
}};

const Extension* extension_of(std::string_view path) {
  for (const Extension& extension : kExtensions) {
    if (path.ends_with(extension.text)) return &extension;
  }
  return nullptr;
}

}  // namespace

std::string_view format_name(GraphFormat format) {
  for (const auto& [name, known] : kNames) {
    if (known == format) return name;
  }
  return "unknown";
}

Result<GraphFormat> parse_format(std::string_view name) {
  std::string all;
  for (const auto& [known, format] : kNames) {
    if (known == name) return format;
    all += all.empty() ? "" : ", ";
    all += known;
  }
  return error("'{}' is not a graph format; there are: {}", name, all);
}

GraphFormat format_by_name(std::string_view path) {
  if (path.starts_with("synthetic:")) return GraphFormat::kSynthetic;
  const Extension* extension = extension_of(without_compression(path));
  return extension == nullptr ? GraphFormat::kUnknown : extension->format;
}

std::string graph_stem(std::string_view path) {
  path = without_compression(path);
  const Extension* extension = extension_of(path);
  if (extension != nullptr) path.remove_suffix(extension->text.size());
  return std::string(path);
}

bool looks_like_graph(std::string_view path) {
  const GraphFormat format = format_by_name(path);
  return format != GraphFormat::kUnknown && format != GraphFormat::kDot && !path.ends_with(".properties") &&
         !path.ends_with(".offsets");
}

std::vector<std::string> possible_files(const std::string& path) {
  std::vector<std::string> files;
  for (const Extension& extension : kExtensions) {
    if (extension.format == GraphFormat::kDot) continue;
    const bool text = extension.format == GraphFormat::kAscii || extension.format == GraphFormat::kEdges ||
                      extension.format == GraphFormat::kUnknown;
    for (const std::string_view packed : {"", ".gz", ".zst"}) {
      if (text || packed.empty()) files.push_back(path + std::string(extension.text) + std::string(packed));
    }
  }
  return files;
}

GraphFormat format_by_content(std::string_view head) {
  if (is_native(head)) return GraphFormat::kNative;
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  while (!head.empty() && (is_blank(head.front()) || head.front() == '\n' || head.front() == '\r')) {
    head.remove_prefix(1);
  }
  if (head.starts_with('#') || head.starts_with('%')) return GraphFormat::kEdges;
  std::uint64_t number = 0;
  if (!take_number(head, number)) return GraphFormat::kUnknown;
  skip_blanks(head);
  if (head.empty() || head.front() == '\n' || head.front() == '\r') return GraphFormat::kAscii;
  if (head.front() == ',' || (head.front() >= '0' && head.front() <= '9')) return GraphFormat::kEdges;
  return GraphFormat::kUnknown;
}

}  // namespace bowerbird
