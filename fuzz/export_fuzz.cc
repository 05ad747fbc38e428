// Formats of the export: for any page, text or feed, output is valid UTF-8 without control characters, JSON
// parses, CSV is quoted, Markdown holds no HTML of the page, WARC records have the length they state, and
// every word of the main text of a page is in the page.
//
// The first byte of the input is the type of the response, the second its charset; the rest is its body.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/check.h"
#include "base/utf8.h"
#include "export/document.h"
#include "export/format.h"
#include "parse/text/block_text.h"

using namespace bowerbird;

namespace {

constexpr std::array<std::string_view, 4> kTypes = {"text/html", "text/plain", "application/rss+xml",
                                                    "application/xhtml+xml"};
constexpr std::array<std::string_view, 4> kCharsets = {"", "; charset=utf-8", "; charset=shift_jis",
                                                       "; charset=utf-16le"};

// A file in memory, with a record of a WARC file.
class RecordFile {
 public:
  RecordFile() : fd_(::memfd_create("record", 0)), path_(fmt::format("/proc/self/fd/{}", fd_)) {
    CHECK(fd_ >= 0);
  }
  const std::string& path() const { return path_; }
  void write(std::string_view type, std::string_view charset, std::string_view body) const {
    const std::string head = fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}{}\r\n\r\n", type, charset);
    std::string record = fmt::format(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n"
        "WARC-Target-URI: https://a.example/2025/p?q\r\n"
        "Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n",
        head.size() + body.size());
    record += head;
    record += body;
    record += "\r\n\r\n";
    CHECK(::ftruncate(fd_, 0) == 0);
    CHECK(::pwrite(fd_, record.data(), record.size(), 0) == static_cast<ssize_t>(record.size()));
  }

 private:
  int fd_;
  std::string path_;
};

void check_characters(std::string_view text, std::string_view allowed) {
  CHECK(is_valid_utf8(text));
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Step step = decode_utf8(rest);
    const char32_t c = step.code_point;
    CHECK((c >= 0x20 && !(c >= 0x7F && c < 0xA0)) ||
          (c < 0x20 && allowed.find(static_cast<char>(c)) != allowed.npos));
    rest.remove_prefix(step.size);
  }
}

// Cuts off the first line, with its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t size = text.find('\n');
  CHECK(size != text.npos);
  const std::string_view line = text.substr(0, size);
  text.remove_prefix(size + 1);
  return line;
}

void check_json_lines(std::string_view out) {
  check_characters(out, "\n");
  while (!out.empty()) CHECK(nlohmann::json::accept(take_line(out)));
}

// Every row has as many fields, and a field is quoted, a number, true, false or empty (RFC 4180).
void check_csv(std::string_view out, std::size_t columns) {
  check_characters(out, "\r\n\t");
  std::size_t fields = 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '"') {
      for (++i; i < out.size() && (out[i] != '"' || (i + 1 < out.size() && out[i + 1] == '"')); ++i)
        i += out[i] == '"' ? 1 : 0;
      CHECK(i + 1 < out.size() && (out[i + 1] == ',' || out[i + 1] == '\r'));
    } else if (out[i] == ',') {
      ++fields;
    } else if (out[i] == '\r') {
      CHECK(i + 1 < out.size() && out[i + 1] == '\n' && fields == columns);
      ++i;
      fields = 1;
    } else {
      CHECK(is_ascii_alnum(out[i]) || out[i] == '.' || out[i] == '-' || out[i] == '+' || out[i] == '_');
    }
  }
  CHECK(fields == 1);
}

// Facts as YAML whose values are JSON, then text.
void check_markdown(std::string_view out) {
  check_characters(out, "\n\t");
  CHECK(take_line(out) == "---");
  for (std::string_view line = take_line(out); line != "---"; line = take_line(out)) {
    const std::size_t colon = line.find(": ");
    CHECK(colon != line.npos && nlohmann::json::accept(line.substr(colon + 2)));
  }
  // Outside of code, "<" is escaped where HTML could begin, but for the line ends of cells.
  if (out.find('`') != out.npos || out.find('$') != out.npos) return;
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    if (out[i] == '\\') {
      ++i;
    } else if (out[i] == '<') {
      CHECK(out.substr(i).starts_with("<br>") || !(is_ascii_alpha(out[i + 1]) || out[i + 1] == '/'));
    }
  }
}

void check_records(std::string_view out, bool json) {
  while (!out.empty()) {
    CHECK(out.starts_with("WARC/1."));
    const std::size_t head = out.find("\r\n\r\n");
    CHECK(head != out.npos);
    constexpr std::string_view kLength = "Content-Length: ";
    const std::size_t at = out.find(kLength);
    CHECK(at < head);
    const std::size_t size = std::stoul(std::string(out.substr(at + kLength.size(), 20)));
    check_characters(out.substr(0, head), "\r\n");
    CHECK(head + 4 + size + 4 <= out.size());
    const std::string_view block = out.substr(head + 4, size);
    check_characters(block, "\n\t");
    if (json) CHECK(nlohmann::json::accept(block));
    CHECK(out.substr(head + 4 + size, 4) == "\r\n\r\n");
    out.remove_prefix(head + 4 + size + 4);
  }
}

void check_format(const FormatInfo& info, Document& document) {
  FormatOptions options;
  options.name = info.name;
  options.fields.clear();
  for (const DocumentField& field : document_fields()) options.fields.push_back(&field);
  const auto format = make_format(options);
  std::string out;
  format->append(out, document);
  if (info.name == "csv") {
    check_csv(out, options.fields.size());
  } else if (info.name == "links") {
    check_csv(out, 5);
  } else if (info.name == "markdown") {
    check_markdown(out);
  } else if (info.name == "text") {
    check_characters(out, "\n\t\f");
  } else if (info.name == "wet" || info.name == "wat") {
    check_records(out, info.name == "wat");
  } else {
    check_json_lines(out);
  }
}

void check_words(Document& document) {
  std::string page = document.page().text;
  std::erase_if(page, is_ascii_space);
  const std::string& main = document.main_text();
  WordReader words(main);
  for (TextWord word; words.next(word);)
    CHECK(page.find(main.substr(word.begin, word.end - word.begin)) != std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static const RecordFile file;
  const std::string_view type = kTypes[data[0] % kTypes.size()];
  file.write(type, kCharsets[data[1] % kCharsets.size()],
             {reinterpret_cast<const char*>(data) + 2, size - 2});
  Document document;
  const RecordAddress address = {file.path(), 0};
  const auto outcome = document.read(address, address);
  CHECK(outcome.ok());
  if (*outcome != Document::Outcome::kRead) return 0;
  for (std::size_t part = 0; part < std::min<std::size_t>(document.parts(), 20); ++part) {
    if (!document.use(part)) continue;
    for (const FormatInfo& info : formats()) check_format(info, document);
    if (document.kind() == DocumentKind::kHtml && type == kTypes[0]) check_words(document);
  }
  return 0;
}
