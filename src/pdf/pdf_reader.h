// Text, facts and links of PDF files, by poppler's programs pdftotext and pdftohtml.
//
// PDF files are hostile and poppler is large, so that it runs in processes of its own without rights
// (sys/sandbox.h); it is GPL software, and nothing of it is linked. Where it is not installed (Debian package
// poppler-utils), PDF files cannot be read, which available() says. What a program prints comes from the
// file: it is parsed like any other page. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/sandbox.h"

namespace bowerbird {

struct PdfText {
  std::string head;  // HTML with <title> and <meta> elements
  std::string text;  // as the program prints it; a form feed ends each page
};

class PdfReader {
 public:
  // Looks for the programs along PATH.
  PdfReader();

  bool available() const { return !pdftotext_.empty() && !pdftohtml_.empty(); }
  Result<PdfText> text(std::string_view pdf) const;
  // XML that can be read as HTML: its <a> elements are the links of the file, with their texts.
  Result<std::string> links(std::string_view pdf) const;

 private:
  std::string pdftotext_;  // path; empty: not installed
  std::string pdftohtml_;
  SandboxLimits limits_;
};

}  // namespace bowerbird
