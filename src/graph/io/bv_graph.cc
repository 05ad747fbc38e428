#include "graph/io/bv_graph.h"

#include <bit>

#include "sys/file.h"

namespace bowerbird {

namespace {

using bv::Fault;
using bv::Head;

// Some writers pad a graph file to whole bytes, others to whole words.
constexpr std::uint64_t kMostPadding = 128;
constexpr PageId kListsPerTick = 1 << 16;

const char* describe(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      break;
    case Fault::kNumber:
      return "a number is not valid in its code";
    case Fault::kDegree:
      return "it has more links than there are pages";
    case Fault::kReference:
      return "it refers to a list outside its window";
    case Fault::kBlocks:
      return "it copies more links than there are";
    case Fault::kIntervals:
      return "its intervals hold more links than it has";
    case Fault::kResiduals:
      return "it has more links than the file has bits left";
    case Fault::kRange:
      return "it links to a page that does not exist";
    case Fault::kTwice:
      return "it contains a link twice";
    case Fault::kOffset:
      return "its list is not at the offset in the offsets file; delete that file, and it is recreated";
  }
  return "";
}

// The scratch of a decoder inside a LinkBuffer: the first two spare lists are for lists referred to.
enum Spare { kSource, kOtherSource, kBlocks, kIntervals, kExtras, kChain, kSpares };

bv::Scratch scratch_of(LinkBuffer& buffer) {
  if (buffer.spare.size() < kSpares) buffer.spare.resize(kSpares);
  return {buffer.spare[kBlocks], buffer.spare[kIntervals], buffer.spare[kExtras]};
}

bool has_default_codes(const BvOptions& options) {
  return options.codes == BvCodes() && options.zeta_k == 3;
}

}  // namespace

// The lists before the current page, so that references cost nothing in a scan. A file may have a window of
// any size and lists of any length; what does not fit is decoded again when it is referred to.
struct BvGraph::Window {
  static constexpr std::uint32_t kMostLists = 128;
  static constexpr std::size_t kMostLinks = std::size_t{1} << 24;

  struct Slot {
    PageId page = kNoPage;
    std::uint32_t degree = 0;
    std::vector<PageId> links;
  };

  explicit Window(std::uint32_t window) : slots(std::bit_ceil(std::min(window, kMostLists - 1) + 1)) {}

  Slot& slot(PageId page) { return slots[page & (slots.size() - 1)]; }

  // Takes over a list that was decoded into slot(page), which had room for `room` links before. Drops the
  // other lists when the total has become too long.
  void keep(Slot& mine, PageId page, std::uint32_t degree, std::size_t room) {
    mine.page = page;
    mine.degree = degree;
    total += mine.links.size() - room;
    if (total <= kMostLinks) return;
    for (Slot& other : slots) {
      if (&other != &mine) other = Slot();
    }
    total = mine.links.size();
  }

  std::vector<Slot> slots;
  std::size_t total = 0;  // entries in all slots
};

BvGraph::BvGraph(const BvProperties& properties, Files files)
    : properties_(properties),
      shape_{static_cast<PageId>(properties.pages), properties.options.window,
             properties.options.min_interval},
      default_codes_(has_default_codes(properties.options)),
      files_(std::move(files)) {}

BvGraph::~BvGraph() = default;

std::string bv_basename(const std::string& path) {
  for (const std::string_view ending : {".graph", ".properties", ".offsets"}) {
    if (path.size() > ending.size() && path.ends_with(ending))
      return path.substr(0, path.size() - ending.size());
  }
  return path;
}

Result<std::unique_ptr<BvGraph>> BvGraph::open(const std::string& basename_or_graph_file,
                                               const Progress& progress) {
  const std::string base = bv_basename(basename_or_graph_file);
  BB_TRY(const auto text, MappedFile::open(base + ".properties"));
  BB_TRY(const BvProperties properties, parse_bv_properties(text->text(), text->path()));
  BB_TRY(const auto graph, MappedFile::open(base + ".graph"));
  std::shared_ptr<const MappedFile> offsets;
  if (file_exists(base + ".offsets")) {
    BB_TRY(offsets, MappedFile::open(base + ".offsets"));
  }
  Files files{graph->path(), graph->bytes(), std::nullopt, graph};
  if (offsets) files.offsets = offsets->bytes();
  auto result = from_files(properties, std::move(files), progress);
  return result;
}

Result<std::unique_ptr<BvGraph>> BvGraph::from_files(const BvProperties& properties, Files files,
                                                     const Progress& progress) {
  // Check this before allocating anything for pages.
  if (properties.pages > files.graph.size() * 8) {
    return error("{}: the properties say that there are {} nodes, but a file of {} bytes has room for {}",
                 files.name, properties.pages, files.graph.size(), files.graph.size() * 8);
  }
  std::unique_ptr<BvGraph> graph(new BvGraph(properties, std::move(files)));
  graph->offsets_.reserve(properties.pages + 1);
  if (graph->files_.offsets) {
    BB_TRY_VOID(graph->read_offsets(*graph->files_.offsets, progress));
    BB_TRY_VOID(graph->check_degrees(progress));
    graph->files_.offsets.reset();
  } else {
    BB_TRY_VOID(graph->find_offsets(progress));
  }
  return graph;
}

Status BvGraph::check_end(std::uint64_t bit) const {
  const std::uint64_t all = files_.graph.size() * 8;
  bool sound = all - bit < kMostPadding;
  if (sound) {
    BitReader in(files_.graph);
    for (in.seek(bit); in.position() < all;) sound = in.bits(1) == 0 && sound;
  }
  if (sound) return {};
  return error("{}: the lists of {} nodes end at bit {} of {}; do the properties say too few nodes?",
               files_.name, shape_.pages, bit, all);
}

Error BvGraph::fault_error(Fault fault, PageId page, const BitReader& in) const {
  if (in.position() > in.size_in_bits()) {
    return error("{}: page {}: the file ends inside its list; is it truncated, or are the properties wrong?",
                 files_.name, page);
  }
  return error("{}: page {}: near bit {}: {}", files_.name, page, in.position(), describe(fault));
}

void BvGraph::set_fault(Fault fault, PageId page, const BitReader& in) const {
  const std::lock_guard lock(mutex_);
  if (status_.ok()) status_ = fault_error(fault, page, in);
}

Status BvGraph::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

Status BvGraph::find_offsets(const Progress& progress) {
  if (default_codes_) return find_offsets_with(bv::DefaultCodec(), progress);
  return find_offsets_with(bv::AnyCodec(properties_.options), progress);
}

template <typename Codec>
Status BvGraph::find_offsets_with(const Codec& codec, const Progress& progress) {
  BitReader in(files_.graph);
  LinkBuffer buffer;
  bv::Scratch scratch = scratch_of(buffer);
  std::vector<std::uint32_t> degrees(std::min(shape_.window, shape_.pages) + std::size_t{1});
  std::uint64_t total = 0;
  std::size_t slot = 0;  // of the page in degrees, a ring
  for (PageId page = 0; page < shape_.pages; ++page) {
    if (page % kListsPerTick == 0 && !progress.tick("finding lists", page, shape_.pages)) {
      return error("{}: stopped", files_.name);
    }
    offsets_.push(in.position());
    Head head;
    Fault fault = bv::read_head(in, codec, shape_, page, head);
    if (fault == Fault::kNone && head.degree != 0) {
      const std::size_t back =
          head.reference <= slot ? slot - head.reference : slot + degrees.size() - head.reference;
      fault = bv::skip_body(in, codec, shape_, page, head, degrees[back], scratch);
    }
    if (fault != Fault::kNone || in.position() > in.size_in_bits()) return fault_error(fault, page, in);
    degrees[slot] = head.degree;
    slot = slot + 1 == degrees.size() ? 0 : slot + 1;
    total += head.degree;
  }
  offsets_.push(in.position());
  if (total != properties_.links) {
    return error("{}: its lists have {} links, but the properties say arcs={}", files_.name, total,
                 properties_.links);
  }
  return check_end(in.position());
}

Status BvGraph::read_offsets(std::span<const std::uint8_t> bytes, const Progress& progress) {
  const std::string file = bv_basename(files_.name) + ".offsets";
  if (bytes.size() * 8 <= shape_.pages) {
    return error("{}: {} bytes cannot hold the offsets of {} nodes; delete it, and it is recreated", file,
                 bytes.size(), shape_.pages);
  }
  const BvCode code = properties_.options.codes[BvPart::kOffsets];
  const std::uint64_t all = files_.graph.size() * 8;
  BitReader in(bytes);
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i <= shape_.pages; ++i) {
    if (i % kListsPerTick == 0 && !progress.tick("reading offsets", i, shape_.pages)) {
      return error("{}: stopped", file);
    }
    const std::uint64_t distance = bv::read_code(in, code, properties_.options.zeta_k);
    if (in.failed() || in.position() > in.size_in_bits()) {
      return error("{}: it ends, or is damaged, at the offset of page {}; delete it, and it is recreated",
                   file, i);
    }
    if (distance > all - offset || (i == 0 && distance != 0)) {
      return error("{}: the offset of page {} does not fit {}; delete it, and it is recreated", file, i,
                   files_.name);
    }
    offset += distance;
    offsets_.push(offset);
  }
  return check_end(offset);
}

Status BvGraph::check_degrees(const Progress& progress) {
  if (default_codes_) return check_degrees_with(bv::DefaultCodec(), progress);
  return check_degrees_with(bv::AnyCodec(properties_.options), progress);
}

template <typename Codec>
Status BvGraph::check_degrees_with(const Codec& codec, const Progress& progress) {
  BitReader in(files_.graph);
  std::uint64_t total = 0;
  for (PageId page = 0; page < shape_.pages; ++page) {
    if (page % kListsPerTick == 0 && !progress.tick("counting links", page, shape_.pages)) {
      return error("{}: stopped", files_.name);
    }
    in.seek(offsets_[page]);
    const std::uint64_t degree = codec.outdegree(in);
    if (degree > shape_.pages || in.failed()) return fault_error(Fault::kDegree, page, in);
    total += degree;
  }
  if (total != properties_.links) {
    return error("{}: its lists have {} links, but the properties say arcs={}", files_.name, total,
                 properties_.links);
  }
  return {};
}

std::span<const PageId> BvGraph::out(PageId page, LinkBuffer& buffer) const {
  CHECK(page < shape_.pages);
  const auto links = default_codes_ ? out_with(bv::DefaultCodec(), page, buffer)
                                    : out_with(bv::AnyCodec(properties_.options), page, buffer);
  return links.value_or(std::span<const PageId>());
}

// Follows the references to a list without any, then decodes the lists on the way back. Each list is read
// once, so time and memory are proportional to the length of the chain.
template <typename Codec>
std::optional<std::span<const PageId>> BvGraph::out_with(const Codec& codec, PageId page,
                                                         LinkBuffer& buffer) const {
  bv::Scratch scratch = scratch_of(buffer);
  std::vector<PageId>& chain = buffer.spare[kChain];
  chain.clear();
  BitReader in(files_.graph);
  Head head;
  for (PageId at = page;; at -= head.reference) {
    in.seek(offsets_[at]);
    const Fault fault = bv::read_head(in, codec, shape_, at, head);
    if (fault != Fault::kNone) {
      set_fault(fault, at, in);
      return std::nullopt;
    }
    chain.push_back(at);
    if (head.reference == 0) break;
  }

  std::span<const PageId> source;
  while (true) {
    const PageId at = chain.back();
    chain.pop_back();
    std::vector<PageId>& links = chain.empty() ? buffer.links : buffer.spare[kSource + chain.size() % 2];
    Fault fault = Fault::kNone;
    if (head.degree != 0) fault = bv::read_body(in, codec, shape_, at, head, source, scratch, links);
    if (fault == Fault::kNone && in.position() != offsets_[at + std::uint64_t{1}]) fault = Fault::kOffset;
    if (fault != Fault::kNone) {
      set_fault(fault, at, in);
      return std::nullopt;
    }
    source = {links.data(), head.degree};
    if (chain.empty()) return source;
    in.seek(offsets_[chain.back()]);
    bv::read_head(in, codec, shape_, chain.back(), head);
  }
}

void BvGraph::scan(PageId first, PageId last, const Visitor& visit) const {
  CHECK(last <= shape_.pages);
  if (first >= last) return;
  if (default_codes_) return scan_with(bv::DefaultCodec(), first, last, visit);
  return scan_with(bv::AnyCodec(properties_.options), first, last, visit);
}

template <typename Codec>
void BvGraph::scan_with(const Codec& codec, PageId first, PageId last, const Visitor& visit) const {
  LinkBuffer far;  // for lists that have left the window
  bv::Scratch scratch = scratch_of(far);
  Window window(shape_.window);
  BitReader in(files_.graph);
  in.seek(offsets_[first]);
  for (PageId page = first; page < last; ++page) {
    Head head;
    Fault fault = bv::read_head(in, codec, shape_, page, head);
    Window::Slot& slot = window.slot(page);
    const std::size_t room = slot.links.size();
    if (fault == Fault::kNone && head.degree != 0) {
      const PageId target = page - head.reference;
      const Window::Slot& near = window.slot(target);
      std::span<const PageId> source(near.links.data(), near.degree);
      if (head.reference != 0 && near.page != target) {
        const auto links = out_with(codec, target, far);
        if (!links) return;
        source = *links;
      }
      fault = bv::read_body(in, codec, shape_, page, head, source, scratch, slot.links);
    }
    if (fault == Fault::kNone && in.position() != offsets_[page + std::uint64_t{1}]) fault = Fault::kOffset;
    if (fault != Fault::kNone) return set_fault(fault, page, in);
    window.keep(slot, page, head.degree, room);
    if (!visit(page, {slot.links.data(), head.degree})) return;
  }
}

}  // namespace bowerbird
