#include "control/backend.h"

#include "base/units.h"

namespace bowerbird {

Answer error_answer(int status, std::string text) {
  return {status, {{"error", std::move(text)}}};
}

std::string Ask::text(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() ? std::string() : found->second;
}

std::uint64_t Ask::number(const std::string& name, std::uint64_t usual) const {
  const auto found = values.find(name);
  if (found == values.end()) return usual;
  const auto parsed = parse_count(found->second);
  return parsed.ok() ? *parsed : usual;
}

void AnswerSlot::fill(Answer answer) {
  {
    const MutexLock lock(mutex_);
    if (filled_) return;
    answer_ = std::move(answer);
    filled_ = true;
  }
  if (woken_) woken_();
}

std::optional<Answer> AnswerSlot::take() {
  const MutexLock lock(mutex_);
  return std::exchange(answer_, std::nullopt);
}

bool AnswerSlot::is_filled() const {
  const MutexLock lock(mutex_);
  return filled_;
}

void AnswerSlot::abandon() {
  const MutexLock lock(mutex_);
  abandoned_ = true;
}

bool AnswerSlot::is_abandoned() const {
  const MutexLock lock(mutex_);
  return abandoned_;
}

}  // namespace bowerbird
