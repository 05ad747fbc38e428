// What the training script of the main-text model needs (tools/train_main_text): for each page the text of
// its blocks and a row of numbers for each block; and the main text that follows from scores of the blocks.
//
//   main_text_features FOLDER < LIST
//   main_text_features FOLDER SCORES < LIST
//
// LIST has one page per line: id, file (may be compressed), URL; tab-separated. Without SCORES, FOLDER gets
// names.txt (the names of the columns), rows.f32 (rows of 32-bit floats, in the order of the blocks) and
// pages.jsonl (a line per page: id and the texts of its blocks). SCORES is a file of 32-bit floats, one for
// each block; FOLDER then gets texts.jsonl (a line per page: id and main text).
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <span>
#include <string>

#include "base/check.h"
#include "base/json_text.h"
#include "html_corpus.h"
#include "parse/page_reader.h"
#include "parse/text/block_features.h"
#include "parse/text/main_text.h"

namespace bowerbird::bench {
namespace {

struct ListedPage {
  std::string id;
  std::string file;
  std::string url;
};

// Reads the list from standard input; `use` gets each page, decoded.
template <typename Use>
void for_each_page(const Use& use) {
  HtmlOptions options;
  options.text = false;
  PageReader reader(options);
  HtmlPage page;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    const ListedPage listed = {line.substr(0, first), line.substr(first + 1, second - first - 1),
                               line.substr(second + 1)};
    const std::string bytes = read_decompressed(listed.file);
    reader.read(bytes, {}, page);
    use(listed, reader.utf8());
  }
}

int write_rows(const std::string& folder) {
  std::ofstream names(folder + "/names.txt");
  for (const std::string& name : BlockFeatures::names()) names << name << '\n';
  std::ofstream rows(folder + "/rows.f32", std::ios::binary);
  std::ofstream pages(folder + "/pages.jsonl", std::ios::binary);
  TextExtractor extractor;
  std::vector<float> row(BlockFeatures::width());
  for_each_page([&](const ListedPage& listed, std::string_view html) {
    const HtmlTree& tree = extractor.read_tree(html);
    BlockFeatures features(tree, listed.url);
    std::string json = "{\"id\":";
    append_json_string(json, listed.id);
    json += ",\"blocks\":[";
    for (std::size_t i = 0; i < tree.blocks.size(); ++i) {
      if (i > 0) json += ',';
      append_json_string(json, tree.text_of(tree.blocks[i]));
      features.fill(i, row);
      rows.write(reinterpret_cast<const char*>(row.data()),
                 static_cast<std::streamsize>(row.size() * sizeof(float)));
    }
    pages << json << "]}\n";
  });
  return 0;
}

int write_texts(const std::string& folder, const std::string& scores_file) {
  const std::string bytes = read_decompressed(scores_file);
  std::vector<float> scores(bytes.size() / sizeof(float));
  std::memcpy(scores.data(), bytes.data(), scores.size() * sizeof(float));
  std::ofstream texts(folder + "/texts.jsonl", std::ios::binary);
  TextExtractor extractor;
  std::size_t at = 0;
  for_each_page([&](const ListedPage& listed, std::string_view html) {
    const std::size_t blocks = extractor.read_tree(html).blocks.size();
    CHECK(blocks <= scores.size() - at);
    Url url;
    if (parse_url(listed.url, nullptr, url) != UrlFault::kNone) url = {};
    extractor.read_scored(html, url, std::span(scores).subspan(at, blocks));
    at += blocks;
    std::string json = "{\"id\":";
    append_json_string(json, listed.id);
    json += ",\"text\":";
    append_json_string(json, extractor.main_text());
    texts << json << "}\n";
  });
  return 0;
}

}  // namespace
}  // namespace bowerbird::bench

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: main_text_features FOLDER [SCORES] < LIST\n";
    return 64;
  }
  return argc == 2 ? bowerbird::bench::write_rows(argv[1]) : bowerbird::bench::write_texts(argv[1], argv[2]);
}
