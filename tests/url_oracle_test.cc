// Compares our URL parser with Node's (ada), an independent implementation of the same standard: random URLs
// made of all its difficult parts, and real links. Skipped if node is not installed. BOWERBIRD_ORACLE_CASES
// sets the number of random cases.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unicode/uidna.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/rng.h"
#include "base/utf8.h"
#include "url/url.h"

namespace bowerbird {
namespace {

struct Case {
  std::string input;
  std::string base;  // empty: none
};

std::string hex(std::string_view bytes) {
  std::string out;
  for (const unsigned char c : bytes) out += fmt::format("{:02x}", c);
  return out;
}

bool node_is_there() {
  return std::system("node --version > /dev/null 2>&1") == 0;
}

// One result per case.
std::vector<std::string> ask_node(const std::vector<Case>& cases) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / fmt::format("bowerbird_oracle-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const auto in = folder / "cases";
  const auto out = folder / "answers";
  {
    std::ofstream file(in);
    for (const Case& c : cases) file << hex(c.input) << '\t' << hex(c.base) << '\n';
  }
  const std::string command = fmt::format("node '{}/tests/whatwg_oracle.mjs' < '{}' > '{}'",
                                          BOWERBIRD_SOURCE_DIR, in.string(), out.string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::vector<std::string> answers;
  std::ifstream file(out);
  for (std::string line; std::getline(file, line);) answers.push_back(line);
  std::filesystem::remove_all(folder);
  return answers;
}

// Our result, in the oracle's format.
std::string our_answer(const Case& c, UrlFault& fault) {
  Url base;
  Url url;
  if (!c.base.empty() && parse_url(c.base, nullptr, base) != UrlFault::kNone) return "!";
  fault = parse_url(c.input, c.base.empty() ? nullptr : &base, url);
  return fault == UrlFault::kNone ? url.text() : "!";
}

// The standard escapes '^' in paths and user names since 2024; Node 20 does not yet.
std::string with_carets_escaped(const std::string& href) {
  std::string out;
  bool before_query = true;
  for (const char c : href) {
    if (c == '?' || c == '#') before_query = false;
    if (c == '^' && before_query) {
      out += "%5E";
    } else {
      out += c;
    }
  }
  return out;
}

// Whether the host of Node's result violates a rule of UTS #46: Node does not fully check the bidi rule (RFC
// 5893), marks at the front of a label, or "xn--" before names that need none.
bool breaks_idna(const std::string& href) {
  std::string name = href.substr(href.find("://") + 3);
  name = name.substr(0, name.find('/'));
  name = name.substr(name.rfind('@') + 1);  // npos + 1 is 0
  name = name.substr(0, name.find(':'));
  UErrorCode code = U_ZERO_ERROR;
  UIDNA* idna = uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_NONTRANSITIONAL_TO_UNICODE, &code);
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  std::array<char, 4096> out;
  uidna_nameToUnicodeUTF8(idna, name.data(), static_cast<int>(name.size()), out.data(), out.size(), &info,
                          &code);
  uidna_close(idna);
  return (info.errors & (UIDNA_ERROR_BIDI | UIDNA_ERROR_LEADING_COMBINING_MARK |
                         UIDNA_ERROR_INVALID_ACE_LABEL | UIDNA_ERROR_PUNYCODE)) != 0;
}

// Whether Node's result still contains dot segments, and is ours once they are resolved: Node 20 overlooks
// those that follow a name with a dot at its front ("/.c/..").
bool has_dots_left(const std::string& href, const std::string& ours) {
  Url url;
  return parse_url(href, nullptr, url) == UrlFault::kNone && (url.notes() & kNoteDots) && url.text() == ours;
}

// Whether a character in it is mapped since Unicode 16 and was disallowed before; Node 20 has older tables.
bool has_newly_mapped(std::string_view input) {
  for (Utf8Step step{}; !input.empty(); input.remove_prefix(step.size)) {
    step = decode_utf8(input);
    const char32_t c = step.code_point;
    if (c == 0x04C0 || (c >= 0x10A0 && c <= 0x10C5) || c == 0x2132 || c == 0x2183) return true;
  }
  return false;
}

// Why a result may differ, or empty if it may not.
std::string excuse(const Case& asked, const std::string& node, const std::string& ours, UrlFault fault) {
  if (fault == UrlFault::kScheme && node != "!" && !node.starts_with("http:") &&
      !node.starts_with("https:")) {
    return "other schemes are rejected";
  }
  if (ours == with_carets_escaped(node)) return "'^' in paths and user names is escaped since 2024";
  if (fault == UrlFault::kHostName && node != "!" && breaks_idna(node)) {
    return "names that break an IDNA rule which Node does not check in full";
  }
  if (node == "!" && fault == UrlFault::kNone && breaks_idna(ours)) {
    return "names that are all ASCII are accepted since 2026";
  }
  if (node == "!" && fault == UrlFault::kNone && has_newly_mapped(asked.input)) {
    return "characters that are mapped since Unicode 16";
  }
  if (has_dots_left(node, ours)) return "Node overlooks dot segments after a name such as '.c'";
  return "";
}

std::map<std::string, std::size_t> compare(const std::vector<Case>& cases) {
  const std::vector<std::string> answers = ask_node(cases);
  std::map<std::string, std::size_t> excuses;
  EXPECT_EQ(answers.size(), cases.size());
  if (answers.size() != cases.size()) return excuses;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    UrlFault fault = UrlFault::kNone;
    const std::string ours = our_answer(cases[i], fault);
    if (ours == answers[i]) continue;
    const std::string why = excuse(cases[i], answers[i], ours, fault);
    ++excuses[why];
    if (why.empty() && shown++ < 20) {
      ADD_FAILURE() << "input " << testing::PrintToString(cases[i].input) << " base " << cases[i].base
                    << "\n  node " << answers[i] << "\n  ours " << ours << " (" << fault_text(fault) << ")";
    }
  }
  return excuses;
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  Case make() {
    Case c;
    c.base = pick(kBases);
    if (rng_.below(3) > 0) {
      c.input = pick(kSchemes);
      c.input += pick(kSlashes);
      if (rng_.below(8) == 0) c.input += junk(4) + pick(kUserEnds);
      c.input += host();
      if (rng_.below(6) == 0) c.input += pick(kPorts);
    }
    const std::uint64_t parts = rng_.below(6);
    for (std::uint64_t i = 0; i < parts; ++i) c.input += pick(kPathParts);
    if (rng_.below(3) == 0) c.input += junk(6);
    if (rng_.below(3) == 0) c.input += "?" + junk(6);
    if (rng_.below(4) == 0) c.input += "#" + junk(4);
    for (std::uint64_t edits = rng_.below(10) < 3 ? rng_.below(3) : 0; edits > 0; --edits) {
      c.input.insert(rng_.below(c.input.size() + 1), character());
    }
    return c;
  }

 private:
  using List = std::vector<const char*>;
  std::string pick(const List& list) { return list[rng_.below(list.size())]; }

  std::string character() {
    std::string out;
    switch (rng_.below(8)) {
      case 0:
        append_utf8(out, 0x80 + static_cast<char32_t>(rng_.below(0x3000)));
        break;
      case 1:
        out += static_cast<char>(rng_.below(256));
        break;
      case 2:
        out += pick({"%2e", "%2E", "%41", "%", "%zz", "%7f", "%00", "%C3%A9", "%e2%98%83", "%5c"});
        break;
      case 3:
        append_utf8(out, 0x10000 + static_cast<char32_t>(rng_.below(0x10000)));
        break;
      default:
        out += static_cast<char>(0x20 + rng_.below(0x5f));
    }
    return out;
  }

  std::string junk(std::uint64_t most) {
    std::string out;
    for (std::uint64_t n = rng_.below(most + 1); n > 0; --n) out += character();
    return out;
  }

  std::string number() {
    switch (rng_.below(5)) {
      case 0:
        return fmt::format("{}", rng_.below(256));
      case 1:
        return fmt::format("0x{:x}", rng_.below(1u << (1 + rng_.below(31))));
      case 2:
        return fmt::format("0{:o}", rng_.below(1u << (1 + rng_.below(31))));
      case 3:
        return fmt::format("{}", rng_.below(std::uint64_t{1} << (1 + rng_.below(35))));
      default:
        return pick({"0", "00", "0x", "0X", "08", "256", "4294967295", "4294967296", "", "1e2", "0xg"});
    }
  }

  std::string host() {
    switch (rng_.below(6)) {
      case 0: {
        std::string out = number();
        for (std::uint64_t n = rng_.below(5); n > 0; --n) out += "." + number();
        return out + pick({"", "", "", ".", ".."});
      }
      case 1: {
        std::string out = "[";
        for (std::uint64_t n = rng_.below(10); n > 0; --n) {
          out +=
              pick({"0", "1", "ffff", "::", ":", "0db8", "12345", ":0:0:", ":", ":1:", "127.0.0.1", "1.2"});
        }
        return out + pick({"]", "]", "]", "", "]x", "%25eth0]"});
      }
      case 2:
        return pick(kNames) + junk(3);
      case 3:
        return pick(kNames) + "." + pick(kNames);
      default:
        return pick(kNames);
    }
  }

  static inline const List kBases = {
      "",
      "",
      "http://example.org/a/b/c.html",
      "https://example.org/a/b/c.html?q=1#f",
      "http://user:pass@host.example:8080/x/",
      "https://[2001:db8::1]/",
      "http://example.org/a//b/../c;p=1/?x#y",
  };
  static inline const List kSchemes = {"http:",   "https:", "http:",  "https:",      "HTTP:",  "HtTpS:", "",
                                       "mailto:", "http",   "ht tp:", "javascript:", "1http:", "h\ttp:"};
  static inline const List kSlashes = {"//", "//", "//", "//", "/", "", "///", "\\\\", "/\\", "\\", "//\t/"};
  static inline const List kUserEnds = {"@", ":@", ":pw@", "@@", ":p:w@", "@x@", ":"};
  static inline const List kPorts = {":",      ":80",    ":443", ":8080", ":0",  ":00080",
                                     ":65535", ":65536", ":8a",  ":-1",   ": 80"};
  static inline const List kNames = {"example.org",
                                     "EXAMPLE.Org",
                                     "a",
                                     "a.b.c.",
                                     "xn--n3h.net",
                                     "XN--N3H.net",
                                     "xn--",
                                     "xn--a",
                                     "xn--zz-",
                                     "faß.de",
                                     "☃.net",
                                     "ＧＯ.com",
                                     "bücher.example",
                                     "a_b",
                                     "-a-",
                                     "a--b",
                                     "ab--cd",
                                     "a..b",
                                     ".",
                                     "..",
                                     "a%2ecom",
                                     "%65xample",
                                     "%00",
                                     "a b",
                                     "a|b",
                                     "日本語。jp",
                                     "ﬀ",
                                     "a\xad"
                                     "b",
                                     "\xc2\xad",
                                     "aß\xe2\x80\x8d",
                                     "0x.example",
                                     "1.2.3.4.5",
                                     "a.0x1",
                                     "xn--1ch",
                                     "www.xn--strae-oqa.de",
                                     "א.com",
                                     "אa.com",
                                     "١.com",
                                     "localhost"};
  static inline const List kPathParts = {"/",       "/",    "/.",    "/..", "..",  ".",       "/%2e",
                                         "/%2E%2e", "%2e.", "//",    "\\",  "/a",  "/b.html", "c/",
                                         "/a b",    "\\..", "/;x=1", "/é",  "/^|", "/{}`"};

  Rng rng_;
};

std::size_t random_cases() {
  const char* wanted = std::getenv("BOWERBIRD_ORACLE_CASES");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 20000;
}

TEST(UrlOracle, RandomDifficultUrlsAreParsedAsByNode) {
  if (!node_is_there()) GTEST_SKIP() << "node is not installed";
  Generator generator(20);
  std::vector<Case> cases(random_cases());
  for (Case& c : cases) c = generator.make();
  for (const auto& [why, count] : compare(cases)) {
    std::printf("%zu of %zu differ: %s\n", count, cases.size(), why.c_str());
  }
}

TEST(UrlOracle, EveryAsciiByteInEveryPositionIsParsedAsByNode) {
  if (!node_is_there()) GTEST_SKIP() << "node is not installed";
  std::vector<Case> cases;
  for (int byte = 0; byte < 256; ++byte) {
    std::string c;
    append_utf8(c, static_cast<char32_t>(byte));
    for (const std::string& place : {c,
                                     c + "/x",
                                     "http:" + c,
                                     "http://" + c,
                                     "http://a" + c,
                                     "http://a" + c + "b/",
                                     "http://" + c + "@b/",
                                     "http://a:" + c + "@b/",
                                     "http://a:" + c,
                                     "http://a:8" + c,
                                     "http://a/" + c,
                                     "http://a/." + c,
                                     "http://a/b" + c + "/../d",
                                     "http://a?" + c,
                                     "http://a/#" + c,
                                     "ht" + c + "tp://a/",
                                     c + "http://a/",
                                     "http://a/" + c + "/..",
                                     "http://1.2.3" + c + "4/",
                                     "http://[::" + c + "]/",
                                     "http://%" + c + "1/"}) {
      cases.push_back({place, ""});
      cases.push_back({place, "https://example.org/d/e?f#g"});
      cases.push_back({place, "http://example.org/d/e?f#g"});
    }
  }
  for (const auto& [why, count] : compare(cases)) {
    std::printf("%zu of %zu differ: %s\n", count, cases.size(), why.c_str());
  }
}

}  // namespace
}  // namespace bowerbird
