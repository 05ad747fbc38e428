#include "policy/spec.h"

#include <algorithm>

#include "base/suggest.h"
#include "base/units.h"

namespace bowerbird {

namespace {

// Splits text at each `mark` outside of brackets.
Result<std::vector<std::string_view>> split_at(std::string_view text, char mark) {
  std::vector<std::string_view> pieces;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth < 0) break;
    if (text[i] == mark && depth == 0) {
      pieces.push_back(text.substr(from, i - from));
      from = i + 1;
    }
  }
  if (depth != 0) return error("'{}': its brackets do not match", text);
  pieces.push_back(text.substr(from));
  return pieces;
}

std::string_view without_brackets(std::string_view text) {
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')') return text.substr(1, text.size() - 2);
  return text;
}

Status parse_options(std::string_view text, Spec& spec) {
  BB_TRY(const auto pieces, split_at(text, ','));
  for (const std::string_view piece : pieces) {
    BB_TRY(const auto sides, split_at(piece, '='));
    if (sides.size() != 2 || sides[0].empty() || sides[1].empty()) {
      return error("'{}': '{}' is not of the form key=value", spec.text, piece);
    }
    std::string key(without_brackets(sides[0]));
    for (const auto& option : spec.options) {
      if (option.first == key) return error("'{}': '{}' is given twice", spec.text, key);
    }
    spec.options.emplace_back(std::move(key), std::string(sides[1]));
  }
  return {};
}

}  // namespace

Result<Spec> Spec::parse(std::string_view text) {
  Spec spec;
  spec.text = text;
  const std::size_t colon = text.find(':');
  std::string_view head = text.substr(0, colon);
  if (const std::size_t at = head.find('@'); at != head.npos) {
    spec.at = head.substr(at + 1);
    head = head.substr(0, at);
    if (spec.at->empty()) return error("'{}': a value is missing after '@'", text);
  }
  if (head.empty()) return error("'{}': a name is missing; write for example fpr@100 or ieca:k=2500", text);
  spec.name = head;
  if (colon != text.npos) BB_TRY_VOID(parse_options(text.substr(colon + 1), spec));
  return spec;
}

Result<std::vector<std::string>> split_specs(std::string_view list) {
  BB_TRY(const auto pieces, split_at(list, ','));
  std::vector<std::string> specs;
  for (const std::string_view piece : pieces) {
    if (piece.empty()) return error("'{}': a name is missing next to a comma", list);
    BB_TRY(const auto sides, split_at(piece, '='));
    BB_TRY(const auto colons, split_at(sides[0], ':'));
    const bool option = sides.size() > 1 && colons.size() == 1;
    if (option && specs.empty()) return error("'{}': '{}' has no name before it", list, piece);
    if (option) {
      specs.back().append(",").append(piece);
    } else {
      specs.emplace_back(piece);
    }
  }
  return specs;
}

void SpecReader::fail(Error e) {
  if (status_.ok()) status_ = std::move(e);
}

std::optional<double> SpecReader::at(double least, double most) {
  at_taken_ = true;
  if (!spec_.at) return {};
  const Result<double> value = parse_number(*spec_.at);
  if (!value.ok() || !(*value >= least && *value <= most)) {
    fail(error("'{}': the value after '@' must be a number from {} to {}, not '{}'", spec_.text, least, most,
               *spec_.at));
    return {};
  }
  return *value;
}

std::optional<std::string> SpecReader::text(std::string_view key) {
  keys_.emplace_back(key);
  for (std::size_t i = 0; i < spec_.options.size(); ++i) {
    if (spec_.options[i].first != key) continue;
    taken_[i] = true;
    return spec_.options[i].second;
  }
  return {};
}

std::optional<double> SpecReader::number(std::string_view key, double least, double most) {
  const auto value = text(key);
  if (!value) return {};
  const Result<double> parsed = parse_number(*value);
  if (!parsed.ok() || !(*parsed >= least && *parsed <= most)) {
    fail(error("'{}': {} is a number from {} to {}, not '{}'", spec_.text, key, least, most, *value));
    return {};
  }
  return *parsed;
}

std::optional<std::uint64_t> SpecReader::count(std::string_view key, std::uint64_t least) {
  const auto value = text(key);
  if (!value) return {};
  const Result<std::uint64_t> parsed = parse_count(*value);
  if (!parsed.ok() || *parsed < least) {
    fail(error("'{}': {} is a whole number of at least {}, not '{}'", spec_.text, key, least, *value));
    return {};
  }
  return *parsed;
}

Status SpecReader::finish() {
  if (!at_taken_ && spec_.at) fail(error("'{}': {} takes no value after '@'", spec_.text, spec_.name));
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i]) continue;
    const std::string& key = spec_.options[i].first;
    std::string known;
    for (const std::string& one : keys_) known.append(known.empty() ? "" : ", ").append(one);
    fail(error("'{}': {} has no parameter '{}'{}{}", spec_.text, spec_.name, key,
               known.empty() ? "" : "; it has " + known, did_you_mean(key, keys_)));
  }
  return status_;
}

}  // namespace bowerbird
