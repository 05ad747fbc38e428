#include "crawl/loop/committer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace bowerbird {

void Committer::commit(Time now, bool with_snapshot) {
  CrawlState& state = crawl_.state();
  CrawlStore& store = crawl_.store();
  // All earlier commits are done, and with them any snapshot.
  if (idle()) crawl_.spill().end_snapshot();
  state.refresh().visits().begin_commit(idle());
  state.record_changed_hosts();
  if (!state.status().ok()) return;  // the crawl ends; earlier commits are safe
  const std::string text = text_();
  last_commit_ = now;
  if (!with_snapshot) {
    store.commit(text);
    return;
  }
  last_snapshot_ = now;
  Status saved = crawl_.spill().begin_snapshot();
  if (saved.ok()) saved = state.refresh().visits().sync();
  if (saved.ok()) saved = store.commit(text, [&state](ByteWriter& out) { return state.save(out); });
  if (!saved.ok()) {
    warnings_.push_back(fmt::format("no snapshot: {}", saved.error().text));
    crawl_.spill().abandon_snapshot();
    store.commit(text);
  }
}

Status Committer::commit_and_wait() {
  crawl_.state().record_changed_hosts();
  BB_TRY_VOID(crawl_.state().status());
  crawl_.store().commit(text_());
  return crawl_.store().wait_for_commits();
}

void Committer::add_warnings(std::vector<std::string> texts) {
  for (std::string& text : texts) warnings_.push_back(std::move(text));
}

void Committer::log_warnings() {
  add_warnings(crawl_.state().take_warnings());
  for (const std::string& text : warnings_) {
    const nlohmann::json line = {{"trouble", text}};
    crawl_.store().add_log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  }
  warnings_logged_ += warnings_.size();
  warnings_.clear();
}

}  // namespace bowerbird
