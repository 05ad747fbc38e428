// A small PDF file with a title, two lines of text and a link.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace bowerbird {

inline std::string small_pdf(const std::string& title, const std::string& line, const std::string& url) {
  const std::string content = fmt::format("BT /F1 18 Tf 72 720 Td ({}) Tj 0 -24 Td (Read on) Tj ET", line);
  const std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R "
      ">> >> /Annots [7 0 R] >>",
      fmt::format("<< /Length {} >>\nstream\n{}\nendstream", content.size(), content),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      fmt::format("<< /Title ({}) /Author (Ada Bird) >>", title),
      fmt::format("<< /Type /Annot /Subtype /Link /Rect [72 690 400 715] /A << /S /URI /URI ({}) >> >>",
                  url)};
  std::string pdf = "%PDF-1.4\n", offsets;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    offsets += fmt::format("{:010} 00000 n \n", pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  const std::size_t table = pdf.size();
  pdf += fmt::format("xref\n0 {}\n0000000000 65535 f \n{}", objects.size() + 1, offsets);
  return pdf + fmt::format("trailer\n<< /Size {} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{}\n%%EOF\n",
                           objects.size() + 1, table);
}

}  // namespace bowerbird
