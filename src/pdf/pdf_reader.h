// Extracts text, metadata and links of PDF files with poppler's programs pdftotext and pdftohtml.
//
// PDF files may be hostile and poppler is large, so it runs in separate processes without rights
// (sys/sandbox.h). It is GPL software, so it is not linked. If it is not installed (Debian package
// poppler-utils), available() is false and PDF files cannot be read. The output of the programs comes
// from the file, so it is parsed like any other page. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/sandbox.h"

namespace bowerbird {

struct PdfText {
  std::string head;  // HTML with <title> and <meta> elements
  std::string text;  // as printed by pdftotext; a form feed ends each page
};

class PdfReader {
 public:
  // Searches PATH for the programs.
  PdfReader();

  bool available() const { return !pdftotext_.empty() && !pdftohtml_.empty(); }
  Result<PdfText> text(std::string_view pdf) const;
  // XML that can be parsed as HTML: its <a> elements are the links of the file with their texts.
  Result<std::string> links(std::string_view pdf) const;

 private:
  std::string pdftotext_;  // path; empty: not installed
  std::string pdftohtml_;
  SandboxLimits limits_;
};

}  // namespace bowerbird
