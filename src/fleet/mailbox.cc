#include "fleet/mailbox.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bowerbird {

namespace {

template <typename T>
void move_to(std::vector<T>& from, std::vector<T>& to) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
  from.clear();
}

}  // namespace

void Mailbox::set_wake(std::function<void()> wake) {
  const MutexLock lock(mutex_);
  wake_ = std::move(wake);
}

void Mailbox::take(FleetNews& news) {
  const MutexLock lock(mutex_);
  move_to(news_.messages, news.messages);
  move_to(news_.confirmed, news.confirmed);
  move_to(news_.orphans, news.orphans);
  move_to(news_.warnings, news.warnings);
  if (news_.plan) news.plan = std::exchange(news_.plan, std::nullopt);
  news.stop = news.stop || news_.stop;
  news.ended = news.ended || news_.ended;
  news.page_limit = news_.page_limit;
  if (!news_.lost.empty()) news.lost = news_.lost;
}

void Mailbox::report(MemberReport report) {
  const MutexLock lock(mutex_);
  report_ = std::move(report);
}

void Mailbox::absorbed(const std::string& member) {
  const MutexLock lock(mutex_);
  absorbed_.push_back(member);
  if (report_) ++report_->to_send;  // the orphan's messages, until the next report counts them
}

void Mailbox::update(const std::function<void(FleetNews&)>& change) {
  std::function<void()> wake;
  {
    const MutexLock lock(mutex_);
    change(news_);
    wake = wake_;
  }
  if (wake) wake();
}

void Mailbox::lose(std::string why) {
  update([&](FleetNews& news) { news.lost = std::move(why); });
}

bool Mailbox::lost() const {
  const MutexLock lock(mutex_);
  return !news_.lost.empty();
}

std::optional<MemberReport> Mailbox::last_report() const {
  const MutexLock lock(mutex_);
  return report_;
}

Heartbeat Mailbox::heartbeat() const {
  const MutexLock lock(mutex_);
  Heartbeat heartbeat;
  if (!report_) return heartbeat;
  heartbeat.quiet = report_->quiet && news_.messages.empty();
  heartbeat.activity = report_->activity;
  heartbeat.held = report_->held;
  heartbeat.pages = report_->status.counts.pages;
  heartbeat.completed = report_->status.counts.completed;
  heartbeat.bytes = report_->status.counts.bytes;
  heartbeat.queued = report_->status.queued;
  heartbeat.known = report_->status.known;
  heartbeat.urls_sent = report_->exchange.urls_sent;
  heartbeat.urls_received = report_->exchange.urls_received;
  heartbeat.messages_sent = report_->exchange.messages_sent;
  heartbeat.bytes_sent = report_->exchange.bytes_sent;
  heartbeat.to_send = report_->to_send;
  heartbeat.requisites = report_->requisites;
  heartbeat.pages_per_second = report_->status.rates.pages;
  heartbeat.seconds = report_->status.seconds;
  return heartbeat;
}

std::vector<std::string> Mailbox::absorbed() const {
  const MutexLock lock(mutex_);
  return absorbed_;
}

void Mailbox::close(const std::string& absorbed) {
  const MutexLock lock(mutex_);
  std::erase(absorbed_, absorbed);
}

}  // namespace bowerbird
