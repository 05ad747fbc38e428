// A crawl that has ended behind the API: everything is read from its folder. Commands are refused.
//
// Threads: as ControlBackend; a helper thread reads.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "control/backend.h"
#include "control/curves.h"
#include "control/helper.h"
#include "crawl/inspect/crawl_history.h"

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
  Answer hosts(const Ask& ask) const;
  Answer problems() const;

  std::shared_ptr<const LiveSnapshot> snapshot_;
  Curves curves_;
  std::unique_ptr<Helper> helper_;
};

}  // namespace bowerbird
