// Writes what the training script of the main-text model needs (tools/train_main_text): for each page the
// text of its blocks and a row of numbers for each block.
//
//   main_text_features FOLDER < LIST
//
// LIST has one page per line: id, file (may be compressed), URL; tab-separated. FOLDER gets names.txt (the
// names of the columns), rows.f32 (rows of 32-bit floats, in the order of the blocks) and pages.jsonl (a line
// per page: id, the texts of its blocks, and which of them are titles or captions, never part of the main
// text).
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <string>

#include "base/json_text.h"
#include "html_corpus.h"
#include "parse/html_tokenizer.h"
#include "parse/page_reader.h"
#include "parse/text/block_features.h"
#include "parse/text/tree_builder.h"
#include "sys/stream.h"

namespace bowerbird::bench {
namespace {

std::string read_file(const std::string& path) {
  auto stream = InputStream::open(path);
  std::string bytes;
  char block[65536];
  while (stream.ok()) {
    const auto more = stream.value()->read(block, sizeof block);
    if (!more.ok() || more.value() == 0) break;
    bytes.append(block, more.value());
  }
  return bytes;
}

int run(const std::string& folder) {
  std::ofstream names(folder + "/names.txt");
  for (const std::string& name : BlockFeatures::names()) names << name << '\n';
  std::ofstream rows(folder + "/rows.f32", std::ios::binary);
  std::ofstream pages(folder + "/pages.jsonl", std::ios::binary);
  HtmlOptions options;
  options.text = false;
  PageReader reader(options);
  HtmlPage page;
  HtmlTokenizer<TreeBuilder> tokenizer;
  HtmlTree tree;
  std::vector<float> row(BlockFeatures::width());
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    const std::string bytes = read_file(line.substr(first + 1, second - first - 1));
    reader.read(bytes, {}, page);
    tokenizer.sink().begin(tree);
    tokenizer.scan(reader.utf8(), options.max_bytes);
    tokenizer.sink().finish();
    BlockFeatures features(tree, line.substr(second + 1));
    std::string json = "{\"id\":";
    append_json_string(json, line.substr(0, first));
    std::string excluded;
    json += ",\"blocks\":[";
    for (std::size_t i = 0; i < tree.blocks.size(); ++i) {
      if (i > 0) json += ',';
      if (i > 0) excluded += ',';
      excluded += features.is_title(i) || features.is_caption(i) ? '1' : '0';
      append_json_string(json, tree.text_of(tree.blocks[i]));
      features.fill(i, row);
      rows.write(reinterpret_cast<const char*>(row.data()),
                 static_cast<std::streamsize>(row.size() * sizeof(float)));
    }
    pages << json << "],\"excluded\":[" << excluded << "]}\n";
  }
  return 0;
}

}  // namespace
}  // namespace bowerbird::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: main_text_features FOLDER < LIST\n";
    return 64;
  }
  return bowerbird::bench::run(argv[1]);
}
