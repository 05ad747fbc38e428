// Traps: hosts on which a naive crawler finds new URLs for ever.
//
//   calendar  months without end, each with its days         /-/calendar/2024-05
//   session   every link of the host carries a new id        ?sid=6b1f...
//   deep      relative links that make the path ever longer  /-/deep/left/right/left/
//   facets    the same few things in every order of filters  /-/facets?colour=red&size=3
//
// Which host has which trap is drawn from seed and host. The pages of a trap have the same text, and link
// only to themselves and to the host's first page, so that they do not change the graph except for the links
// into them. Pure; threads: const.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "web/site/link_style.h"
#include "web/site/page_text.h"

namespace bowerbird {

enum class Trap : std::uint8_t { kCalendar, kSession, kDeep, kFacets };
inline constexpr std::size_t kTraps = 4;

struct TrapInfo {
  std::string_view name;
  std::string_view what;
};
std::span<const TrapInfo> all_traps();

using TrapShares = std::array<double, kTraps>;  // of the hosts, for each trap
Result<TrapShares> parse_traps(std::string_view text);

class Traps {
 public:
  Traps(std::uint64_t seed, const TrapShares& shares) : seed_(mix64(seed ^ 0x7472617073u)), shares_(shares) {}

  bool has(Trap trap, std::uint64_t host_key) const;
  bool any() const { return shares_ != TrapShares{}; }

  // <a> elements that lead into the traps of a host; `from` is the page that contains them.
  void append_entrances(std::uint64_t host_key, const PageUrl& from, const LinkStyle& style,
                        std::string& out) const;
  // The page at `from`, if it is in a trap of its host: its HTML, appended.
  bool append_page(std::uint64_t host_key, const PageUrl& from, const LinkStyle& style, const PageText& text,
                   std::string& out) const;

  // The session id on links of a page that was requested with the session id `before` (or none).
  std::string next_session(std::uint64_t page_key, std::string_view before) const;
  // Removes the sid parameter from target and puts it into `session`; false if there is none.
  static bool strip_session(std::string_view target, std::string& without, std::string_view& session);

 private:
  std::uint64_t seed_;
  TrapShares shares_;
};

}  // namespace bowerbird
