#include "graph/io/bv_properties.h"

#include <charconv>
#include <optional>

#include "base/ids.h"

namespace bowerbird {

namespace {

constexpr std::array<std::string_view, kBvParts> kPartNames = {
    "OUTDEGREES", "BLOCKS", "RESIDUALS", "REFERENCES", "BLOCK_COUNT", "OFFSETS", "INTERVALS"};
// In the order of BvCode, which begins at 1.
constexpr std::array<std::string_view, 7> kCodeNames = {"DELTA", "GAMMA", "GOLOMB", "SKEWED_GOLOMB",
                                                        "UNARY", "ZETA",  "NIBBLE"};

using Properties = std::map<std::string, std::string>;

bool is_property_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_property_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_property_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Removes the first natural line from `text`: lines end with \n, \r or both.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find_first_of("\r\n");
  const std::string_view line = text.substr(0, end);
  if (end == std::string_view::npos) {
    text = {};
  } else {
    text.remove_prefix(text.substr(end, 2) == "\r\n" ? end + 2 : end + 1);
  }
  return line;
}

bool is_continued(std::string_view line) {
  std::size_t backslashes = 0;
  while (backslashes < line.size() && line[line.size() - 1 - backslashes] == '\\') ++backslashes;
  return backslashes % 2 == 1;
}

void append_utf8(std::string& to, unsigned unit) {
  if (unit < 0x80) {
    to.push_back(static_cast<char>(unit));
  } else if (unit < 0x800) {
    to.push_back(static_cast<char>(0xc0 | unit >> 6));
    to.push_back(static_cast<char>(0x80 | (unit & 0x3f)));
  } else {
    to.push_back(static_cast<char>(0xe0 | unit >> 12));
    to.push_back(static_cast<char>(0x80 | (unit >> 6 & 0x3f)));
    to.push_back(static_cast<char>(0x80 | (unit & 0x3f)));
  }
}

// Without its escapes; nothing if a \u is not followed by four hexadecimal digits.
std::optional<std::string> unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || ++i == text.size()) {
      if (i < text.size()) plain.push_back(text[i]);
      continue;
    }
    switch (text[i]) {
      case 't':
        plain.push_back('\t');
        break;
      case 'n':
        plain.push_back('\n');
        break;
      case 'r':
        plain.push_back('\r');
        break;
      case 'f':
        plain.push_back('\f');
        break;
      case 'u': {
        const std::string_view digits = text.substr(i + 1, 4);
        unsigned unit = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
        if (problem != std::errc() || digits.size() < 4 || end != digits.data() + 4) return std::nullopt;
        append_utf8(plain, unit);
        i += 4;
        break;
      }
      default:
        plain.push_back(text[i]);
    }
  }
  return plain;
}

// The end of the key in a logical line: the first '=', ':' or blank without a backslash before it.
std::size_t key_end(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size() && line[i] != '=' && line[i] != ':' && !is_property_blank(line[i])) {
    i += line[i] == '\\' ? 2 : 1;
  }
  return i < line.size() ? i : line.size();
}

std::string_view value_after(std::string_view line, std::size_t end_of_key) {
  std::string_view rest = line.substr(end_of_key);
  while (!rest.empty() && is_property_blank(rest.front())) rest.remove_prefix(1);
  if (!rest.empty() && (rest.front() == '=' || rest.front() == ':')) rest.remove_prefix(1);
  while (!rest.empty() && is_property_blank(rest.front())) rest.remove_prefix(1);
  return rest;
}

// Looks up keys and reports their errors.
class Keys {
 public:
  Keys(const Properties& properties, std::string_view file) : properties_(properties), file_(file) {}

  std::optional<std::string_view> text(const std::string& key) const {
    const auto found = properties_.find(key);
    if (found == properties_.end()) return std::nullopt;
    return trimmed(found->second);
  }
  Result<std::string_view> required(const std::string& key) const {
    const auto value = text(key);
    if (!value) return error("{}: there is no '{}'; is it the properties file of a BVGraph?", file_, key);
    return *value;
  }
  Result<std::uint64_t> number(const std::string& key, std::uint64_t most) const {
    BB_TRY(const std::string_view value, required(key));
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc() || end != value.data() + value.size()) {
      return error("{}: {}={}: not a number from 0 to {}", file_, key, value, most);
    }
    if (number > most) return error("{}: {}={}: more than {}", file_, key, value, most);
    return number;
  }
  Result<std::uint32_t> number32(const std::string& key, std::uint32_t otherwise) const {
    if (!text(key)) return otherwise;
    BB_TRY(const std::uint64_t value, number(key, BvOptions::kUnlimited));
    return static_cast<std::uint32_t>(value);
  }

 private:
  const Properties& properties_;
  std::string_view file_;
};

Status check_format(const Keys& keys, std::string_view file) {
  BB_TRY(std::string_view graph_class, keys.required("graphclass"));
  if (graph_class.starts_with("class ")) graph_class.remove_prefix(6);
  if (graph_class != "it.unimi.dsi.webgraph.BVGraph" && graph_class != "it.unimi.dsi.big.webgraph.BVGraph") {
    return error("{}: graphclass={}: only BVGraph is read; convert it with WebGraph first", file,
                 graph_class);
  }
  BB_TRY(const std::string_view version, keys.required("version"));
  if (version != "0") {
    return error(
        "{}: version={}: only version 0 is read; store the graph big-endian and with the older codes", file,
        version);
  }
  if (const auto order = keys.text("endianness"); order && *order != "big") {
    return error("{}: endianness={}: only big-endian graphs are read", file, *order);
  }
  return {};
}

}  // namespace

Result<BvCodes> BvCodes::parse(std::string_view flags) {
  BvCodes codes;
  std::array<bool, kBvParts> named{};
  while (!trimmed(flags).empty()) {
    const std::size_t bar = flags.find('|');
    const std::string_view flag = trimmed(flags.substr(0, bar));
    flags = bar == std::string_view::npos ? std::string_view() : flags.substr(bar + 1);
    bool known = false;
    for (std::size_t part = 0; part < kBvParts; ++part) {
      for (std::size_t code = 0; code < kCodeNames.size(); ++code) {
        if (flag != fmt::format("{}_{}", kPartNames[part], kCodeNames[code])) continue;
        const BvCode chosen = static_cast<BvCode>(code + 1);
        if (named[part] && codes.codes_[part] != chosen) {
          return error("'{}': another code was named for the same numbers before", flag);
        }
        codes.codes_[part] = chosen;
        known = named[part] = true;
      }
    }
    if (!known) return error("'{}' is not a compression flag such as RESIDUALS_ZETA", flag);
  }
  return codes;
}

std::string BvCodes::format() const {
  const BvCodes plain;
  std::string flags;
  for (std::size_t part = 0; part < kBvParts; ++part) {
    if (codes_[part] == plain.codes_[part]) continue;
    if (!flags.empty()) flags += '|';
    flags += fmt::format("{}_{}", kPartNames[part], kCodeNames[static_cast<std::size_t>(codes_[part]) - 1]);
  }
  return flags;
}

Status BvOptions::validate() const {
  bool zeta = false;
  for (std::size_t part = 0; part < kBvParts; ++part) {
    zeta = zeta || codes[static_cast<BvPart>(part)] == BvCode::kZeta;
  }
  if (zeta_k == 0 || (zeta && zeta_k > kMaxZetaK)) {
    return error("zetak={}: a zeta code needs a number from 1 to {}", zeta_k, kMaxZetaK);
  }
  if (window > kUnlimited || max_ref_count > kUnlimited || min_interval > kUnlimited || zeta_k > kUnlimited) {
    return error("the window, the reference count, the interval length and zetak are at most {}", kUnlimited);
  }
  return {};
}

Result<Properties> parse_java_properties(std::string_view text, std::string_view file) {
  Properties properties;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = take_line(text);
    while (!line.empty() && is_property_blank(line.front())) line.remove_prefix(1);
    if (line.empty() || line.front() == '#' || line.front() == '!') continue;

    const std::size_t first = number;
    std::string logical(line);
    while (is_continued(logical)) {
      logical.pop_back();
      if (text.empty()) break;
      std::string_view more = take_line(text);
      ++number;
      while (!more.empty() && is_property_blank(more.front())) more.remove_prefix(1);
      logical += more;
    }
    const std::size_t end = key_end(logical);
    auto key = unescaped(std::string_view(logical).substr(0, end));
    auto value = unescaped(value_after(logical, end));
    if (!key || !value) return error("{}: line {}: \\u needs four hexadecimal digits", file, first);
    properties.insert_or_assign(std::move(*key), std::move(*value));
  }
  return properties;
}

Result<BvProperties> parse_bv_properties(std::string_view text, std::string_view file) {
  BB_TRY(const Properties properties, parse_java_properties(text, file));
  const Keys keys(properties, file);
  BB_TRY_VOID(check_format(keys, file));

  BvProperties result;
  BB_TRY(result.pages, keys.number("nodes", kMaxPages));
  BB_TRY(result.links, keys.number("arcs", kMaxPages * kMaxPages));
  if (result.links > result.pages * result.pages) {
    return error("{}: arcs={}: more than {} nodes can have", file, result.links, result.pages);
  }
  BvOptions& options = result.options;
  BB_TRY(const std::uint64_t window, keys.number("windowsize", BvOptions::kUnlimited));
  BB_TRY(const std::uint64_t interval, keys.number("minintervallength", BvOptions::kUnlimited));
  options.window = static_cast<std::uint32_t>(window);
  options.min_interval = static_cast<std::uint32_t>(interval);
  BB_TRY(options.zeta_k, keys.number32("zetak", options.zeta_k));
  options.max_ref_count = BvOptions::kUnlimited;
  if (keys.text("maxrefcount") != "-1") {
    BB_TRY(options.max_ref_count, keys.number32("maxrefcount", BvOptions::kUnlimited));
  }

  const std::string_view flags = keys.text("compressionflags").value_or("");
  auto codes = BvCodes::parse(flags);
  if (!codes.ok()) return error("{}: compressionflags: {}", file, codes.error().text);
  options.codes = *codes;
  // The Rust edition of WebGraph, recognised by its endianness key, has no separate flag for block counts:
  // they are written like the blocks.
  if (keys.text("endianness")) options.codes[BvPart::kBlockCount] = options.codes[BvPart::kBlocks];
  if (auto valid = options.validate(); !valid.ok()) return error("{}: {}", file, valid.error().text);
  return result;
}

}  // namespace bowerbird
