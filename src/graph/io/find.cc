#include "graph/io/find.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/suggest.h"
#include "sys/file.h"
#include "sys/stream.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostShown = 12;

// A line of an edge list is two numbers, or three with a weight. Lines without content count as links.
bool may_be_link(std::string_view line) {
  if (line.empty() || line.starts_with('#') || line.starts_with('%')) return true;
  std::size_t columns = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(", \t"), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (word.empty()) continue;
    if (word.find_first_not_of("0123456789") != std::string_view::npos) return false;
    ++columns;
  }
  return columns == 2 || columns == 3;
}

// Looks at complete lines only.
bool begins_as_edge_list(std::string_view head, bool whole) {
  if (format_by_content(head) != GraphFormat::kEdges) return false;
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && !whole) return true;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!may_be_link(line)) return false;
  }
  return true;
}

// Whether a user may mean this file. Many kinds of tables are called .csv or .tsv; the first lines show
// whether it is an edge list.
bool is_graph(const fs::path& path) {
  const std::string name = path.string();
  if (!looks_like_graph(name)) return false;
  std::error_code code;
  if (format_by_name(name) != GraphFormat::kEdges || !fs::is_regular_file(path, code)) return true;
  const auto file = InputStream::open(name);
  if (!file.ok()) return false;
  const auto head = (*file)->peek(kFormatHead);
  return head.ok() && begins_as_edge_list(*head, head->size() < kFormatHead);
}

// The graphs in a folder and its subfolders, sorted.
std::vector<std::string> graphs_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code code;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code);
  for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
    if (at.depth() > 0) at.disable_recursion_pending();
    if (is_graph(at->path())) found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostShown; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostShown) text += fmt::format(" and {} more", names.size() - kMostShown);
  return text;
}

Error missing(const std::string& path) {
  const fs::path wanted(path);
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::error_code code;
  if (!fs::is_directory(folder, code)) {
    return error("{}: there is no such file, nor a folder {}", path, folder.string());
  }
  // A graph may be named with or without its extension.
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, code); !code && at != fs::directory_iterator(); at.increment(code)) {
    if (!is_graph(at->path())) continue;
    const std::string name = at->path().filename().string();
    names.push_back(name);
    names.push_back(graph_stem(name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string meant = did_you_mean(wanted.filename().string(), names);
  if (!meant.empty()) return error("{}: there is no such file{}", path, meant);
  const std::vector<std::string> there = graphs_in(folder);
  if (!there.empty()) return error("{}: there is no such file; graphs nearby: {}", path, joined(there));
  return error("{}: there is no such file", path);
}

Error is_folder(const std::string& path) {
  const std::vector<std::string> graphs = graphs_in(path);
  if (graphs.empty()) return error("{}: this folder contains no graph", path);
  return error("{}: is a folder; name a graph in it: {}", path, joined(graphs));
}

GraphFormat format_of_file(const std::string& path) {
  // Bytes read from a pipe would be missing when the graph is read.
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return format_by_name(path);
  std::ifstream file(path, std::ios::binary);
  std::string head(kFormatHead, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  const GraphFormat content = format_by_content(head);
  if (content == GraphFormat::kNative) return content;
  const GraphFormat name = format_by_name(path);
  // An ASCIIGraph may also be called x.graph.
  if (name == GraphFormat::kBv && !file_exists(graph_stem(path) + ".properties")) {
    return content == GraphFormat::kUnknown ? GraphFormat::kBv : content;
  }
  return name;
}

}  // namespace

Result<GraphFile> find_graph(const std::string& path, GraphFormat wanted) {
  if (path.empty()) return error("the name of the graph is empty");
  if (wanted == GraphFormat::kSynthetic || path.starts_with("synthetic:")) {
    return GraphFile{path, GraphFormat::kSynthetic};
  }
  if (path == "-") return GraphFile{path, wanted};
  std::string file = path;
  std::error_code code;
  if (!fs::exists(path, code)) {
    const std::vector<std::string> possible = possible_files(path);
    const auto found = std::find_if(possible.begin(), possible.end(), file_exists);
    if (found == possible.end()) return missing(path);
    file = *found;
  } else if (fs::is_directory(path, code)) {
    return is_folder(path);
  }
  const GraphFormat format = wanted != GraphFormat::kUnknown ? wanted : format_of_file(file);
  if (format == GraphFormat::kBv) file = graph_stem(file);
  return GraphFile{std::move(file), format};
}

}  // namespace bowerbird
