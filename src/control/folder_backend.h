// The API for a crawl that has ended: everything is read from its folder. Commands are refused.
//
// The state of the crawl is restored once. From then on only a helper thread uses it; it reads the log
// and the links when they are first needed. `why` has its own helper. Threads: like ControlBackend.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/backend.h"
#include "control/curves.h"
#include "control/helper.h"
#include "crawl/inspect/crawl_history.h"
#include "crawl/state/restored_crawl.h"

namespace bowerbird {

class FolderBackend final : public ControlBackend {
 public:
  static Result<std::unique_ptr<FolderBackend>> open(const std::string& folder);

  std::shared_ptr<const LiveSnapshot> snapshot() const override { return snapshot_; }
  nlohmann::json status_json() const override;
  std::optional<Answer> ask(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) override;
  std::map<std::string, std::uint64_t> commands_done() const override { return {}; }

 private:
  FolderBackend() = default;
  void restore(LiveSnapshot& snapshot);
  const CrawlState* state() const { return crawl_ ? &std::as_const(*crawl_).state() : nullptr; }
  Answer answer(const Ask& ask);
  Status read_hosts();
  Answer hosts(const Ask& ask);
  Answer host(const Ask& ask);
  nlohmann::json best(std::size_t most, const std::string& host) const;
  Result<nlohmann::json> problems() const;
  nlohmann::json broken_links(const std::vector<std::string>& urls) const;

  std::shared_ptr<const LiveSnapshot> snapshot_;
  Curves curves_;
  // ---- Used by helper_ only
  std::unique_ptr<RestoredCrawl> crawl_;               // null: restoring failed
  std::optional<std::vector<HostSummary>> summaries_;  // none: not read yet
  std::optional<nlohmann::json> problems_;             // likewise
  std::unique_ptr<Helper> helper_, slow_;              // last, since their jobs use the other fields
};

}  // namespace bowerbird
