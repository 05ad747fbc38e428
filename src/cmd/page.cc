// `bowerbird page FILE`: what we make of a page of HTML.
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/terminal.h"
#include "parse/fingerprint.h"
#include "parse/page_reader.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

struct PageCommand {
  std::string file;
  std::string base;
  std::string charset;
  bool text = false;
  bool requisites = false;
};

constexpr CommandText kText = {
    "show what we make of a page of HTML",
    "Reads a page as the crawler does and shows its encoding and how it was found, title, base, what it "
    "tells robots, "
    "its links in order with kind, rel and anchor text, the size of its text, and the fingerprints by which "
    "it is "
    "recognised.\n\n"
    "The page is read by the HTML standard, without running scripts: what is in <noscript> counts. Links are "
    "shown as "
    "they are written; with --base they are made absolute. Links marked with + are fetched to show the page, "
    "not to "
    "read on (style sheets, icons; with --requisites also images, scripts and media).",
    "# encoding, title, links and fingerprints\nbowerbird page index.html\n"
    "# links as absolute URLs\nbowerbird page index.html --base https://www.example.org/\n"
    "# the words a reader sees\nbowerbird page index.html --text\n"
    "# the hrefs alone\nbowerbird page index.html --json | jq -r '.links[].href'\n"};

nlohmann::json to_json(const PageCommand& command, std::size_t bytes, const CharsetChoice& charset,
                       const HtmlPage& page, const TextFingerprint& print, const std::string& digest) {
  nlohmann::json links = nlohmann::json::array();
  for (const HtmlLink& link : page.links) {
    nlohmann::json entry = {{"kind", link_kind_name(link.kind)}, {"href", page.href(link)}};
    if (link.rel != 0) entry["rel"] = rel_text(link.rel);
    if (link.hreflang.size > 0) entry["hreflang"] = page.string(link.hreflang);
    if (link.kind == LinkKind::kAnchor) entry["anchor"] = page.anchor(link);
    if (link.kind == LinkKind::kRefresh) entry["delay"] = link.delay;
    if (link.is_requisite()) entry["requisite"] = true;
    links.push_back(std::move(entry));
  }
  nlohmann::json robots = nlohmann::json::array();
  for (const RobotsMeta& meta : page.robots) {
    robots.push_back({{"name", page.string(meta.name)}, {"content", page.string(meta.content)}});
  }
  nlohmann::json out = {{"file", command.file},
                        {"bytes", bytes},
                        {"charset", charset.name},
                        {"charset_source", charset_source_text(charset.source)},
                        {"title", page.title},
                        {"robots", std::move(robots)},
                        {"links", std::move(links)},
                        {"text_bytes", page.text.size()},
                        {"words", print.words},
                        {"sha1", digest},
                        {"simhash", fmt::format("{:016x}", print.simhash)},
                        {"truncated", page.truncated}};
  if (page.has_base) out["base"] = page.string(page.base);
  if (page.language.size > 0) out["language"] = page.string(page.language);
  if (command.text) out["text"] = page.text;
  return out;
}

void line(std::string_view label, std::string_view value) {
  fmt::print("{:<10} {}\n", label, printable(value));
}

void print_links(const HtmlPage& page) {
  std::map<std::string_view, std::size_t> counts;
  for (const HtmlLink& link : page.links) ++counts[link_kind_name(link.kind)];
  std::string summary = format_count(page.links.size());
  for (const auto& [kind, count] : counts) summary += fmt::format(", {} {}", format_count(count), kind);
  line("links", summary);
  for (const HtmlLink& link : page.links) {
    std::string notes = rel_text(link.rel);
    const auto add = [&](const std::string& note) { notes += (notes.empty() ? "" : ", ") + note; };
    if (link.hreflang.size > 0) add(fmt::format("hreflang {}", page.string(link.hreflang)));
    if (link.kind == LinkKind::kRefresh) add(fmt::format("after {} s", link.delay));
    const std::string_view anchor = page.anchor(link);
    fmt::print("  {:<7}{} {}{}{}\n", link_kind_name(link.kind), link.is_requisite() ? '+' : ' ',
               printable(page.href(link)), notes.empty() ? "" : printable(fmt::format("  [{}]", notes)),
               anchor.empty() ? "" : printable(fmt::format("  \"{}\"", anchor)));
  }
}

void print_text(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    fmt::print("{}\n", printable(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
}

void print_page(std::size_t bytes, const CharsetChoice& charset, const HtmlPage& page,
                const TextFingerprint& print, const std::string& digest) {
  line("bytes", format_count(bytes));
  line("charset", fmt::format("{} ({})", charset.name, charset_source_text(charset.source)));
  if (page.language.size > 0) line("language", page.string(page.language));
  line("title", page.title);
  if (page.has_base) line("base", page.string(page.base));
  for (const RobotsMeta& meta : page.robots) {
    line("robots", fmt::format("{}: {}", page.string(meta.name), page.string(meta.content)));
  }
  line("text", fmt::format("{} bytes, {} words", format_count(page.text.size()), format_count(print.words)));
  line("sha1", digest);
  line("simhash",
       fmt::format("{:016x}{}", print.simhash, print.words < kFewWords ? "  (few words: says little)" : ""));
  if (page.truncated) line("note", "the page is too large: what is shown is its beginning");
  print_links(page);
}

Status show_page(const PageCommand& command, const CommonOptions& common) {
  BB_TRY(const auto file, MappedFile::open(command.file));
  if (!command.charset.empty() && charset_of_label(command.charset).empty()) {
    return error(
        "--charset {}: no encoding of the Encoding Standard has this label (utf-8, windows-1252, shift_jis "
        "...)",
        command.charset);
  }
  HtmlOptions options;
  options.requisites = command.requisites;
  PageReader reader(options);
  HtmlPage page;
  const CharsetChoice charset = reader.read(file->text(), {{}, command.charset}, page);
  const TextFingerprint print = fingerprint_text(page.text, page.weak);
  const std::string digest = "sha1:" + base32(sha1(file->text()));
  if (common.json) {
    print_json_line(to_json(command, file->text().size(), charset, page, print, digest)
                        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (command.text) {
    print_text(page.text);
  } else {
    print_page(file->text().size(), charset, page, print, digest);
  }
  return {};
}

}  // namespace

void add_page(App& app) {
  auto options = std::make_shared<PageCommand>();
  CLI::App& command = app.add_command(app.root(), "page", kText, [options](const CommonOptions& common) {
    return show_page(*options, common);
  });
  command.add_option("FILE", options->file, "a file of HTML")->required();
  command.add_option("--base", options->base, "the page's URL: links are made absolute with it");
  command.add_option("--charset", options->charset, "the encoding, whatever the page says of itself");
  command.add_flag("--text", options->text, "show the text that a reader sees instead (with --json: too)");
  command.add_flag("--requisites", options->requisites, "images, scripts and media among the links");
}

}  // namespace bowerbird
