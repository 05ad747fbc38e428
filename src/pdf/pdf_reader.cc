#include "pdf/pdf_reader.h"

#include <algorithm>

namespace bowerbird {

namespace {

constexpr char kInput[] = "/proc/self/fd/0";

// pdftotext -htmlmeta prints HTML, but does not escape the text.
PdfText split(std::string_view printed) {
  constexpr std::string_view kBegin = "<pre>\n", kEnd = "</pre>";
  const std::size_t begin = printed.find(kBegin);
  if (begin == printed.npos) return {{}, std::string(printed)};
  const std::size_t text = begin + kBegin.size();
  const std::size_t end = std::max(std::min(printed.rfind(kEnd), printed.size()), text);
  return {std::string(printed.substr(0, begin)), std::string(printed.substr(text, end - text))};
}

}  // namespace

PdfReader::PdfReader() {
  if (!can_sandbox()) return;
  pdftotext_ = find_program("pdftotext");
  pdftohtml_ = find_program("pdftohtml");
}

Result<PdfText> PdfReader::text(std::string_view pdf) const {
  BB_TRY(const std::string printed,
         run_sandboxed(pdftotext_, {"-q", "-htmlmeta", "-enc", "UTF-8", kInput, "-"}, pdf, limits_));
  return split(printed);
}

Result<std::string> PdfReader::links(std::string_view pdf) const {
  return run_sandboxed(pdftohtml_, {"-q", "-xml", "-i", "-stdout", "-enc", "UTF-8", kInput}, pdf, limits_);
}

}  // namespace bowerbird
