#include "parse/mime_sniff.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"

namespace bowerbird {

namespace {

using namespace std::string_view_literals;

// HTML begins with one of these, case-insensitive, followed by a blank or '>'.
constexpr std::array kHtmlBeginnings = {
    "<!doctype html"sv, "<html"sv, "<head"sv,  "<script"sv, "<iframe"sv, "<h1"sv,   "<div"sv, "<font"sv,
    "<table"sv,         "<a"sv,    "<style"sv, "<title"sv,  "<b"sv,      "<body"sv, "<br"sv,  "<p"sv,
    "<!--"sv,
};

struct Signature {
  std::string_view bytes;  // '.' is any byte
  std::string_view type;
};

// In the standard's order: others, images, audio and video, archives.
constexpr std::array kSignatures = {
    Signature{"%!PS-Adobe-"sv, "application/postscript"},
    Signature{"\xFE\xFF.."sv, "text/plain"},
    Signature{"\xFF\xFE.."sv, "text/plain"},
    Signature{"\xEF\xBB\xBF."sv, "text/plain"},
    Signature{"\0\0\1\0"sv, "image/x-icon"},
    Signature{"\0\0\2\0"sv, "image/x-icon"},
    Signature{"BM"sv, "image/bmp"},
    Signature{"GIF87a"sv, "image/gif"},
    Signature{"GIF89a"sv, "image/gif"},
    Signature{"RIFF....WEBPVP"sv, "image/webp"},
    Signature{"\x89PNG\r\n\x1A\n"sv, "image/png"},
    Signature{"\xFF\xD8\xFF"sv, "image/jpeg"},
    Signature{"FORM....AIFF"sv, "audio/aiff"},
    Signature{"ID3"sv, "audio/mpeg"},
    Signature{"OggS\0"sv, "application/ogg"},
    Signature{"MThd\0\0\0\6"sv, "audio/midi"},
    Signature{"RIFF....AVI "sv, "video/avi"},
    Signature{"RIFF....WAVE"sv, "audio/wave"},
    Signature{"....ftypmp4"sv, "video/mp4"},
    Signature{"\x1A\x45\xDF\xA3"sv, "video/webm"},
    Signature{"\x1F\x8B\x08"sv, "application/x-gzip"},
    Signature{"PK\3\4"sv, "application/zip"},
    Signature{"Rar!\x1A\7\0"sv, "application/x-rar-compressed"},
};

struct RootElement {
  std::string_view begin;
  std::string_view type;
};
constexpr std::array kRootElements = {
    RootElement{"<html", "application/xhtml+xml"},
    RootElement{"<rss", "application/rss+xml"},
    RootElement{"<rdf:RDF", "application/rss+xml"},
    RootElement{"<feed", "application/atom+xml"},
};

bool matches(const Signature& signature, std::string_view bytes) {
  if (bytes.size() < signature.bytes.size()) return false;
  return std::equal(signature.bytes.begin(), signature.bytes.end(), bytes.begin(),
                    [](char wanted, char byte) { return wanted == '.' || wanted == byte; });
}

std::string_view without_spaces(std::string_view bytes) {
  return bytes.substr(std::min(bytes.find_first_not_of(kAsciiSpaces), bytes.size()));
}

bool begins_as_html(std::string_view bytes) {
  return std::any_of(kHtmlBeginnings.begin(), kHtmlBeginnings.end(), [&](std::string_view beginning) {
    if (!starts_ignoring_case(bytes, beginning) || bytes.size() == beginning.size()) return false;
    const char next = bytes[beginning.size()];
    return next == ' ' || next == '>';
  });
}

// The root element of a document, after declarations and comments; empty: there is none.
std::string_view root_element(std::string_view xml) {
  for (;;) {
    xml = without_spaces(xml);
    const std::string_view end = xml.starts_with("<?")     ? "?>"sv
                                 : xml.starts_with("<!--") ? "-->"sv
                                 : xml.starts_with("<!")   ? ">"sv
                                                           : ""sv;
    if (end.empty()) return xml;
    const std::size_t at = xml.find(end);
    if (at == xml.npos) return {};
    xml.remove_prefix(at + end.size());
  }
}

std::string_view type_of_root(std::string_view xml) {
  const std::string_view root = root_element(xml);
  for (const RootElement& known : kRootElements) {
    if (!root.starts_with(known.begin) || root.size() == known.begin.size()) continue;
    const char next = root[known.begin.size()];
    if (is_ascii_space(next) || next == '>') return known.type;
  }
  return {};
}

// A "binary data byte": text does not contain any.
bool is_binary(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return byte <= 0x08 || byte == 0x0B || (byte >= 0x0E && byte <= 0x1A) || (byte >= 0x1C && byte <= 0x1F);
}

}  // namespace

bool is_unknown_type(std::string_view type) {
  return type.empty() || type == "unknown/unknown" || type == "application/unknown" || type == "*/*";
}

std::string_view sniff_type(std::string_view bytes, bool nosniff) {
  bytes = bytes.substr(0, kSniffedBytes);
  if (!nosniff) {
    const std::string_view text = without_spaces(bytes);
    if (begins_as_html(text)) return "text/html";
    if (const std::string_view type = type_of_root(text); !type.empty()) return type;
    if (text.starts_with("<?xml")) return "text/xml";
    if (bytes.starts_with("%PDF-")) return "application/pdf";
  }
  for (const Signature& signature : kSignatures) {
    if (matches(signature, bytes)) return signature.type;
  }
  return std::any_of(bytes.begin(), bytes.end(), is_binary) ? "application/octet-stream" : "text/plain";
}

}  // namespace bowerbird
