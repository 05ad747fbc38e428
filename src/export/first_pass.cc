#include "export/first_pass.h"

#include "base/hash.h"
#include "base/ordered_work.h"
#include "export/near_duplicates.h"
#include "parse/page_links.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

constexpr std::uint32_t kNoCluster = ~std::uint32_t{0};
constexpr std::size_t kPassWindow = 64;  // pages that wait for their turn

struct SeenLink {
  std::uint64_t target = 0;
  std::string text;
  bool followed = true;  // without nofollow
};

struct SeenPage {
  std::vector<SeenLink> links;
  TextFingerprint fingerprint;
  bool read = false;
};

SeenPage look_at(Document* document, bool links, bool fingerprint) {
  SeenPage seen;
  if (document == nullptr) return seen;
  seen.read = document->kind() != DocumentKind::kFeed;
  if (!seen.read) return seen;
  if (fingerprint) seen.fingerprint = document->fingerprint();
  if (!links) return seen;
  const HtmlPage& page = document->page();
  Url storage, to;
  const Url& base = document_base(page, document->url(), storage);
  for (const HtmlLink& link : page.links) {
    if (link.is_requisite()) continue;
    if (canonical_url(page.href(link), &base, to, {}, page.query_encoding(link)) != UrlFault::kNone) continue;
    const std::string_view text = link.kind == LinkKind::kAnchor ? page.anchor(link) : std::string_view();
    seen.links.push_back({hash64(to.text()), std::string(text.substr(0, 2 * AnchorTexts::kLongestText)),
                          (link.rel & kRelNofollow) == 0});
  }
  return seen;
}

}  // namespace

Status FirstPass::run(std::span<const ListedRecord> records, const FirstPassWants& wants, unsigned threads,
                      const Read& read, const Progress& progress) {
  if (!wants.any()) return {};
  if (wants.anchors) {
    BB_TRY(scratch_, ScratchFolder::make());
    BB_TRY(targets_, sorted_urls(records, kAllDocumentKinds));
    anchors_ = std::make_unique<AnchorTexts>(targets_.all(), *scratch_ / ".");
  }
  if (wants.graph != nullptr) {
    for (const ListedRecord& record : records) BB_TRY_VOID(wants.graph->add_page(record.url_hash));
  }
  NearDuplicates near;
  const bool links = wants.anchors || wants.graph != nullptr;
  BB_TRY_VOID(ordered_work(
      records.size(), threads, kPassWindow,
      [&](unsigned worker, std::uint64_t i) {
        return look_at(read(worker, records[i]), links, wants.clusters || wants.fingerprints);
      },
      [&](std::uint64_t i, const SeenPage& seen) -> Result<bool> {
        if (i % 64 == 0 && !progress.tick("reading links", i, records.size())) return error("stopped");
        for (const SeenLink& link : seen.links) {
          if (wants.graph != nullptr && link.followed) {
            BB_TRY_VOID(wants.graph->add_page(link.target));
            BB_TRY_VOID(wants.graph->add_link(records[i].url_hash, link.target));
          }
          if (anchors_ != nullptr && link.target != records[i].url_hash)
            BB_TRY_VOID(anchors_->add(link.target, i, link.text));
        }
        if (wants.fingerprints) BB_TRY_VOID(fingerprints_.push_back(seen.fingerprint));
        if (!wants.clusters) return true;
        std::uint32_t cluster = kNoCluster;
        if (seen.read && seen.fingerprint.words >= kFewWords) {
          BB_TRY(const auto place, near.place_of(seen.fingerprint.simhash));
          cluster = place.first;
        }
        BB_TRY_VOID(clusters_.push_back(cluster));
        return true;
      }));
  BB_TRY_VOID(clusters_.finish());
  BB_TRY_VOID(fingerprints_.finish());
  if (anchors_ == nullptr) return {};
  BB_TRY_VOID(anchors_->finish());
  targets_ = {};
  return {};
}

void FirstPass::add_to(CrawlNumbers& numbers, std::uint64_t url_hash, std::uint64_t i) const {
  if (anchors_ != nullptr) numbers.anchors = anchors_->of(url_hash);
  if (i < clusters_.size() && clusters_[i] != kNoCluster) numbers.cluster = clusters_[i];
}

std::optional<TextFingerprint> FirstPass::fingerprint(std::uint64_t i) const {
  // Texts without words are looked at again: those that could not be read are among them.
  if (i >= fingerprints_.size() || fingerprints_[i].words == 0) return {};
  return fingerprints_[i];
}

}  // namespace bowerbird
