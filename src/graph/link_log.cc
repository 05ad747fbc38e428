#include "graph/link_log.h"

#include <algorithm>

#include "base/hash.h"
#include "base/units.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPiece = std::size_t{64} * 1024;
constexpr std::size_t kMostBytes = 5;  // of a number
// Maximum bytes per run, so that a damaged file does not affect everything.
constexpr std::uint64_t kRunBytes = std::uint64_t{256} << 20;
constexpr std::size_t kMostTroubles = 16;

void put(char*& at, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
  *at++ = static_cast<char>(value);
}

}  // namespace

LinkLog::LinkLog(const LinkLogOptions& options) : options_(options) {
  if (options_.spill != nullptr) first_run_ = options_.spill->claim_runs();
}

void LinkLog::pack(Node page, std::span<const Node> links, std::string& bytes) {
  const std::size_t from = bytes.size();
  const std::size_t most = from + kMostBytes * (links.size() + 2);
  bytes.resize(most);
  char* at = bytes.data() + from;
  put(at, page);
  put(at, static_cast<std::uint32_t>(links.size()));
  Node last = page;
  for (const Node link : links) {
    put(at, zigzag(link - last));
    last = link;
  }
  bytes.resize(static_cast<std::size_t>(at - bytes.data()));
}

void LinkLog::append(Node page, std::span<const Node> links) {
  if (pieces_.empty() || pieces_.back().storage != Storage::kMemory ||
      pieces_.back().bytes.size() >= kPiece) {
    if (!pieces_.empty()) pieces_.back().bytes.shrink_to_fit();
    pieces_.emplace_back().first_row = rows_;
    spill();
  }
  Piece& piece = pieces_.back();
  const std::size_t before = piece.bytes.size();
  pack(page, links, piece.bytes);
  in_memory_ += piece.bytes.size() - before;
  ++piece.rows;
  piece.links += links.size();
  ++rows_;
  links_ += links.size();
  bound_ = std::max(bound_, page + 1);
  for (const Node link : links) bound_ = std::max(bound_, link + 1);
}

// ---- to disk and back

void LinkLog::limit(std::uint64_t bytes) {
  options_.memory = bytes;
  spill();
}

// The oldest pieces are spilled first; the last one is still growing.
void LinkLog::spill() {
  if (options_.spill == nullptr || !retry_.is_due(in_memory_)) return;
  for (; in_memory_ > options_.memory && next_out_ + 1 < pieces_.size(); ++next_out_) {
    Piece& piece = pieces_[next_out_];
    // If it was lost twice, the disk is bad, not the block.
    if (piece.storage != Storage::kMemory || piece.losses > 1) continue;
    if (const Status put = put_out(piece); !put.ok()) {
      retry_.failed(in_memory_, "the ordering's graph", put.error());
      troubles_.push_back(
          fmt::format("a part of the ordering's graph stays in memory: {}", put.error().text));
      return;
    }
    retry_.succeeded();
  }
}

Status LinkLog::put_out(Piece& piece) {
  if (!run_open_) {
    ++runs_;
    run_open_ = true;
    run_blocks_ = run_bytes_ = 0;
  }
  const std::uint64_t run = runs_ - 1;
  const Status put = options_.spill->append(first_run_ + run, piece.bytes);
  if (!put.ok()) {
    run_open_ = false;  // part of a block may have been written
    return put;
  }
  piece.run = run;
  piece.block = run_blocks_++;
  piece.hash = hash64(piece.bytes);
  piece.storage = Storage::kDisk;
  run_bytes_ += piece.bytes.size();
  in_memory_ -= piece.bytes.size();
  std::string().swap(piece.bytes);
  if (run_bytes_ < kRunBytes) return {};
  run_open_ = false;
  return options_.spill->finish(first_run_ + run);
}

Result<std::string> LinkLog::read(Piece& piece) {
  if (piece.storage == Storage::kLost) return error("it is lost");
  if (options_.spill == nullptr) {
    lose(piece, "its position on disk is unknown");
    return error("no store");
  }
  auto bytes = options_.spill->read(first_run_ + piece.run, piece.block);
  if (!bytes.ok()) {
    lose(piece, bytes.error().text);
  } else if (hash64(*bytes) != piece.hash) {
    lose(piece, "the block contains other links");
    return error("another block");
  }
  return bytes;
}

void LinkLog::lose(Piece& piece, std::string_view why) {
  piece.storage = Storage::kLost;
  ++piece.losses;
  piece.problem = why;
}

bool LinkLog::rebuild_lost(const Source& source) {
  bool rebuilt = false;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.storage != Storage::kLost || piece.problem.empty()) continue;
    std::string text = fmt::format(
        "{} links of {} pages in the ordering's graph, from the {}th crawled on, cannot be read: {}",
        format_count(piece.links), format_count(piece.rows), piece.first_row + 1,
        std::exchange(piece.problem, {}));
    run_open_ = false;  // append nothing more to a damaged file
    const Status put = put_together(piece, source);
    text += put.ok() ? "; they were rebuilt from the log of links"
                     : fmt::format("; the ordering continues without them: {}", put.error().text);
    if (troubles_.size() < kMostTroubles) troubles_.push_back(std::move(text));
    if (!put.ok()) continue;
    rebuilt = true;
    in_memory_ += piece.bytes.size();
    next_out_ = std::min(next_out_, i);
  }
  if (rebuilt) spill();
  return rebuilt;
}

Status LinkLog::put_together(Piece& piece, const Source& source) const {
  if (!source) return error("links.log is missing");
  std::string bytes;
  Row row;
  for (std::uint64_t i = 0; i < piece.rows; ++i) {
    BB_TRY_VOID(source(piece.first_row + i, row));
    pack(row.page, row.links, bytes);
  }
  if (hash64(bytes) != piece.hash) return error("the log of links contains others");
  piece.bytes = std::move(bytes);
  piece.storage = Storage::kMemory;
  return {};
}

std::vector<std::string> LinkLog::take_troubles() {
  return std::exchange(troubles_, {});
}

LinkLog::Use LinkLog::use() const {
  Use use;
  use.memory = in_memory_ + pieces_.capacity() * sizeof(Piece);
  for (const Piece& piece : pieces_) {
    if (piece.storage == Storage::kDisk) use.links_on_disk += piece.links;
    if (piece.storage == Storage::kLost) use.links_lost += piece.links;
  }
  if (!pieces_.empty()) use.memory += pieces_.back().bytes.capacity() - pieces_.back().bytes.size();
  if (runs_ > 0 && options_.spill != nullptr)
    use.disk = options_.spill->bytes(first_run_, first_run_ + runs_);
  return use;
}

// ---- state

void LinkLog::save(ByteWriter& out) const {
  out.put(rows_);
  out.put(links_);
  out.put(runs_);
  out.put<std::uint64_t>(pieces_.size());
  for (const Piece& piece : pieces_) {
    out.put(piece.storage);
    out.put(piece.rows);
    out.put(piece.links);
    if (piece.storage == Storage::kMemory) {
      out.put_array(std::span<const char>(piece.bytes));
    } else {
      out.put(piece.run);
      out.put(piece.block);
      out.put(piece.hash);
    }
  }
}

// False if it is corrupt.
bool LinkLog::load_piece(ByteReader& in, Piece& piece, Node nodes) {
  in.get(piece.storage);
  in.get(piece.rows);
  in.get(piece.links);
  std::uint64_t rows = 0, links = 0;
  const auto sound = [&](std::string_view bytes) {
    return read_rows(
               bytes, nodes, [&](Node, std::uint32_t) { ++rows; }, [&](Node) { ++links; }) &&
           rows == piece.rows && links == piece.links;
  };
  if (piece.storage == Storage::kMemory) {
    std::vector<char> bytes;
    in.get_array(bytes);
    piece.bytes.assign(bytes.begin(), bytes.end());
    in_memory_ += piece.bytes.size();
    return sound(piece.bytes);
  }
  if (piece.storage > Storage::kLost) return false;
  in.get(piece.run);
  in.get(piece.block);
  in.get(piece.hash);
  if (piece.run >= runs_) return false;
  if (piece.storage == Storage::kLost) {
    lose(piece, "they were lost before");
  } else if (const auto bytes = read(piece); bytes.ok()) {
    if (!sound(*bytes)) lose(piece, "the block is invalid");
  }
  return true;
}

// New data goes to a new run: the last one may have blocks written after the snapshot.
void LinkLog::load(ByteReader& in, Node nodes) {
  const auto rows = in.get<std::uint64_t>();
  const auto links = in.get<std::uint64_t>();
  in.get(runs_);
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    Piece& piece = pieces_.emplace_back();
    piece.first_row = rows_;
    if (!load_piece(in, piece, nodes)) return in.reject();
    rows_ += piece.rows;
    links_ += piece.links;
  }
  bound_ = nodes;
  if (rows != rows_ || links != links_) in.reject();
}

}  // namespace bowerbird
