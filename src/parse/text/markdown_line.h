// One block of text as a line of Markdown: emphasis, code, links, images and formulas inside of it.
//
// Line ends of the block stay line ends. The tree and the base must outlive the object; one object writes
// many blocks. Time is linear in the block and the depth of the tree. Threads: one user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/text/html_tree.h"
#include "url/url.h"

namespace bowerbird {

class MarkdownLine {
 public:
  // Links are made absolute with `base`, where it is not empty.
  MarkdownLine(const HtmlTree& tree, const Url& base) : tree_(tree), base_(base) {}

  std::string of(const TreeBlock& block);
  // Appends the image of an <img>; nothing if it has no usable address or is decoration or
  // navigation.
  void append_image(std::string& out, std::uint32_t node) const;

 private:
  // Marks around a part of a line.
  enum class Mark : std::uint8_t { kNone, kStrong, kEmphasis, kDeleted, kCode, kLink };
  struct OpenMark {
    std::uint32_t node;
    Mark mark;
    bool written;  // its sign is in the line
  };

  static Mark mark_of(TagId tag);
  static std::string_view sign_of(Mark mark);
  std::string target_of(std::uint32_t node, Attribute name) const;
  void enter(std::uint32_t node);
  void put_up_to(std::size_t to);
  void close_marks_before(std::uint32_t node);
  void open_mark(std::uint32_t node);
  void close_mark();
  void write_signs();
  void put_text(std::string_view text);
  void put_code(std::uint32_t node);
  bool put_formula(std::uint32_t node);
  bool is_open(Mark mark) const;
  bool is_own_link(std::uint32_t node) const;

  const HtmlTree& tree_;
  const Url& base_;
  std::string line_;
  std::vector<OpenMark> marks_;
  std::size_t place_ = 0;     // in the tree's text: how far the block is written
  std::size_t end_ = 0;       // in the tree's text: where the block ends
  std::size_t code_end_ = 0;  // in line_: after the last code, if one tick ends it
  bool in_heading_ = false;
};

}  // namespace bowerbird
